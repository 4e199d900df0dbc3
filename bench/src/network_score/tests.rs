//! Scores against golden values and brute force.

use lookalike_schema::AttrId;
use lookalike_table::Table;

use super::*;
use crate::simulate::draw::coded_schema;

fn close(value: f64, golden: f64) {
    assert!((value - golden).abs() < 1e-6, "{value} against {golden}");
}

fn ids(indices: &[u32]) -> Vec<AttrId> {
    indices.iter().map(|&index| AttrId(index)).collect()
}

#[test]
fn golden_scores_of_the_paper() {
    // Table 3: parents 00, 01, 10, 11, child last.
    let joint = [6.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0];
    close(f(&joint, 2).unwrap(), -0.2);
    close(mutual_information(&joint, 2), 0.556780);
    // Example 2: both joints determine the child.
    for joint in [[5.0, 0.0, 0.0, 5.0, 0.0, 0.0], [5.0, 0.0, 0.0, 2.0, 0.0, 3.0]] {
        close(f(&joint, 2).unwrap(), 0.0);
        close(mutual_information(&joint, 2), 1.0);
    }
    assert!(f(&[1.0, 1.0, 1.0], 3).is_err());
    assert_eq!((f(&[0.0; 4], 2).unwrap(), mutual_information(&[0.0; 4], 2)), (0.0, 0.0));
}

#[test]
fn f_is_the_best_of_all_assignments() {
    // All tables of 2 x 3 cells with counts 0 to 3.
    for code in 0..4usize.pow(6) {
        let joint: Vec<f64> = (0..6).map(|place| (code / 4usize.pow(place) % 4) as f64).collect();
        let total: f64 = joint.iter().sum();
        if total == 0.0 {
            continue;
        }
        let kept = |side: usize, mask: usize| -> f64 {
            (0..3).filter(|&column| mask >> column & 1 == side).map(|column| joint[2 * column + side]).sum()
        };
        let lack = |mask| (0..2).map(|side| (total / 2.0 - kept(side, mask)).max(0.0)).sum::<f64>();
        let best = (0..8).map(lack).fold(f64::INFINITY, f64::min);
        assert!((f(&joint, 2).unwrap() + best / total).abs() < 1e-12, "{joint:?}");
    }
}

#[test]
fn scores_find_the_child_wherever_it_stands() {
    let columns = vec![vec![0, 0, 1, 1, 2, 2], vec![0, 1, 0, 1, 0, 1], vec![0, 1, 1, 0, 0, 1]];
    let table = Table::from_columns(&coded_schema(&[3, 2, 2]).unwrap(), columns);
    // Column 2 is determined by the others; column 0 is not, and 1 is.
    let family = |child: u32, parents: &[u32]| NetworkFamily { child: AttrId(child), parents: ids(parents) };
    let joints = joints(&table, &[family(2, &[0, 1]), family(1, &[0, 2]), family(0, &[1, 2])]).unwrap();
    let found: Vec<f64> = joints.iter().zip([2, 2, 3]).map(|(joint, size)| mutual_information(joint, size)).collect();
    close(found[0], 1.0);
    close(found[1], 1.0);
    let direct: f64 = [2.0f64, 1.0, 1.0, 2.0].iter().map(|c| -(c / 6.0) * (c / 6.0).log2()).sum();
    close(found[2], 3f64.log2() + direct - 6f64.log2());
}
