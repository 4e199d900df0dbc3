//! Networks: marginals, rows, rules, files.

use std::sync::Arc;

use lookalike_schema::{AttrId, Clique, Grouping};

use super::support::{chi_square_p, coded_schema, origin};
use super::tree::{clique, counts, noise, rows_of};
use crate::{Conditional, MeasuredClique, Model, ModelError, Refinement, Replacement, Sampling};

fn table(child: u32, parents: &[u32], cells: u64) -> Conditional {
    let weights = (0..cells).map(|cell| 0.05 + noise(u64::from(child) * 1000 + cell)).collect();
    let parents = parents.iter().map(|&parent| (AttrId(parent), None)).collect();
    Conditional { child: AttrId(child), refinement: None, parents, weights }
}

/// Columns of 3, 2, 2 and 3 codes: 1, then 0 given 1, then 2 given 0 and 1, then 3 given 2 and the
/// group of 0.
pub(super) fn small_network(rules: &str) -> Model {
    let schema = coded_schema(&[3, 2, 2, 3], rules);
    let grouping = Arc::new(Grouping::new(vec![0, 1, 1]).unwrap());
    let mut last = table(3, &[2, 0], 12);
    last.parents[1].1 = Some(grouping);
    let tables = vec![table(1, &[], 2), table(0, &[1], 6), table(2, &[0, 1], 12), last];
    let measured = vec![MeasuredClique { clique: clique(&[0, 1]), variance: 4.0 }];
    Model::network(schema, &[], tables, 100.0, measured, origin()).unwrap()
}

/// The joint of the small network without rules, by hand.
fn by_hand() -> Vec<f64> {
    let (one, zero, two, three) = (table(1, &[], 2), table(0, &[1], 6), table(2, &[0, 1], 12), table(3, &[2, 0], 12));
    let p = |table: &Conditional, row: usize, code: usize, size: usize| {
        let row = &table.weights[row * size..(row + 1) * size];
        row[code] / row.iter().sum::<f64>()
    };
    let mut joint = Vec::new();
    for (a, b, c, d) in (0..36).map(|cell| (cell / 12, cell / 6 % 2, cell / 3 % 2, cell % 3)) {
        joint.push(
            p(&one, 0, b, 2)
                * p(&zero, b, a, 3)
                * p(&two, a * 2 + b, c, 2)
                * p(&three, c * 2 + usize::from(a > 0), d, 3),
        );
    }
    joint
}

#[test]
fn marginals_are_the_networks() {
    let model = small_network("");
    let truth = by_hand();
    let all = model.marginal(&clique(&[0, 1, 2, 3])).unwrap();
    assert!(all.iter().zip(&truth).all(|(a, b)| (a - b).abs() < 1e-12), "{all:?} instead of {truth:?}");
    let pair = model.marginal(&clique(&[1, 3])).unwrap();
    for (b, d) in (0..6).map(|cell| (cell / 3, cell % 3)) {
        let sum: f64 = (0..6).map(|rest| truth[(rest / 2) * 12 + b * 6 + (rest % 2) * 3 + d]).sum();
        assert!((pair[b * 3 + d] - sum).abs() < 1e-12);
    }
    assert_eq!(model.marginal(&clique(&[])).unwrap(), [1.0]);
}

/// Alpha 1e-6 each; the control is the network with other rules.
#[test]
fn rows_follow_the_network() {
    let rules = "[[impossible]]\nc0 = \"v0\"\nc2 = \"v1\"\n[[impossible]]\nc2 = \"v0\"\nc3 = \"v2\"\n";
    let all = clique(&[0, 1, 2, 3]);
    for (model, other) in [(small_network(""), small_network(rules)), (small_network(rules), small_network(""))] {
        let truth = model.marginal(&all).unwrap();
        let mut other = other.marginal(&all).unwrap();
        other.iter_mut().for_each(|p| *p = p.max(1e-9));
        for replacement in [Replacement::With, Replacement::Without] {
            let rows = rows_of(&model, &Sampling::new(200_000, 8).with(replacement));
            assert!(rows.iter().all(|row| !model.schema().forbids(row)));
            let observed = counts(&model, &rows, &all);
            assert!(chi_square_p(&observed, &truth) > 1e-6, "{replacement:?}");
            assert!(chi_square_p(&observed, &other) < 1e-6, "no power");
        }
    }
}

/// With rules, each column is cut by itself: by hand on two columns.
#[test]
fn rules_cut_column_by_column() {
    let schema = coded_schema(&[2, 3], "[[impossible]]\nc0 = \"v1\"\nc1 = [\"v0\", \"v1\"]\n");
    let weights = vec![0.5, 0.25, 0.25, 0.75, 0.25, 0.0];
    let second = Conditional { child: AttrId(1), refinement: None, parents: vec![(AttrId(0), None)], weights };
    let first = Conditional { child: AttrId(0), refinement: None, parents: vec![], weights: vec![1.0, 3.0] };
    let model = Model::network(schema, &[], vec![first, second], 1.0, vec![], origin()).unwrap();
    let joint = model.marginal(&clique(&[0, 1])).unwrap();
    // The first column keeps its shape. After v1 the table has no weight on v2, which is all that
    // is left.
    let wanted = [0.125, 0.0625, 0.0625, 0.0, 0.0, 0.75];
    assert!(joint.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{joint:?}");
}

#[test]
fn coarse_columns_rules_and_empty_rows() {
    let rules = "[[impossible]]\nc0 = \"v0\"\nc1 = [\"v0\", \"v2\"]\n[[impossible]]\nc1 = \"v5\"\n[[impossible]]\nc1 = \"v3\"\nc2 = \"v0\"\n";
    let schema = coded_schema(&[2, 6, 2], rules);
    let grouping = Arc::new(Grouping::new(vec![0, 0, 1, 1, 2, 2]).unwrap());
    let refinement = Refinement { grouping: grouping.clone(), weights: vec![1.0, 2.0, 3.0, 1.0, 0.0, 7.0] };
    let tables = vec![
        Conditional { child: AttrId(0), refinement: None, parents: vec![], weights: vec![4.0, 4.0] },
        Conditional {
            child: AttrId(1),
            refinement: Some(refinement),
            parents: vec![(AttrId(0), None)],
            weights: vec![1.0, 1.0, 2.0, 0.0, 0.0, 0.0],
        },
        Conditional {
            child: AttrId(2),
            refinement: None,
            parents: vec![(AttrId(1), Some(grouping))],
            weights: vec![1.0, 1.0, 3.0, 1.0, 0.0, 0.0],
        },
    ];
    let model = Model::network(schema, &[], tables, 5.0, vec![], origin()).unwrap();
    let pair = model.marginal(&clique(&[0, 1])).unwrap();
    // Given v0: groups 1, 1, 2 with what is left of them: 2/3 (code 1), 1/4 (code 3), 1 (code 4).
    let whole = 2.0 / 3.0 + 0.25 + 2.0;
    let wanted = [0.0, 2.0 / 3.0 / whole, 0.0, 0.25 / whole, 2.0 / whole, 0.0];
    assert!(pair[..6].iter().zip(wanted).all(|(a, b)| (a - 0.5 * b).abs() < 1e-12), "{pair:?}");
    // Given v1 the table is empty: the column's own shape, which is the first row's.
    let wanted = [0.25 / 3.0, 0.5 / 3.0, 0.1875, 0.0625, 0.5, 0.0];
    assert!(pair[6..].iter().zip(wanted).all(|(a, b)| (a - 0.5 * b).abs() < 1e-12), "{pair:?}");
    let again = Model::from_bytes(&model.to_bytes()).unwrap();
    assert_eq!(again, model);
    let all = clique(&[0, 1, 2]);
    for replacement in [Replacement::With, Replacement::Without] {
        let rows = rows_of(&again, &Sampling::new(100_000, 4).with(replacement));
        assert!(rows.iter().all(|row| !again.schema().forbids(row)));
        // Alpha 1e-6.
        assert!(chi_square_p(&counts(&again, &rows, &all), &model.marginal(&all).unwrap()) > 1e-6);
    }
}

#[test]
fn a_network_comes_back_whole_and_gives_the_same_rows() {
    let model = small_network("[[impossible]]\nc0 = \"v0\"\nc2 = \"v1\"\n");
    let again = Model::from_bytes(&model.to_bytes()).unwrap();
    assert_eq!(again, model);
    assert_eq!(again.to_bytes(), model.to_bytes());
    let sampling = Sampling::new(3000, 9);
    assert_eq!(rows_of(&again, &sampling), rows_of(&model, &sampling));
}

#[test]
fn tables_that_do_not_fit_are_refused() {
    let build =
        |tables: Vec<Conditional>| Model::network(coded_schema(&[2, 2], ""), &[], tables, 1.0, vec![], origin());
    assert!(build(vec![table(0, &[], 2), table(1, &[0], 4)]).is_ok());
    let mut negative = table(1, &[0], 4);
    negative.weights[1] = -1.0;
    let mut grouped = table(1, &[0], 4);
    grouped.parents[0].1 = Some(Arc::new(Grouping::new(vec![0, 1, 1]).unwrap()));
    let refused = [
        vec![table(0, &[], 2)],
        vec![table(0, &[], 2), table(1, &[0], 3)],
        vec![table(0, &[1], 4), table(1, &[], 2)],
        vec![table(0, &[], 2), table(0, &[], 2), table(1, &[0], 4)],
        vec![table(0, &[], 2), table(1, &[0, 0], 8)],
        vec![table(0, &[], 2), table(1, &[1], 4)],
        vec![table(0, &[], 2), table(1, &[7], 4)],
        vec![table(0, &[], 2), table(7, &[0], 4)],
        vec![table(0, &[], 2), negative],
        vec![table(0, &[], 2), grouped],
    ];
    for tables in refused {
        assert!(matches!(build(tables.clone()), Err(ModelError::Shape { .. })), "{tables:?}");
    }
}

/// Every column depends on the two before it: any one marginal needs a narrow tree, however many
/// columns there are. One that depends on everything is refused in a line, and its rows are drawn
/// all the same.
#[test]
fn large_networks_answer_what_is_near_and_refuse_what_is_not() {
    let columns = 40u32;
    let chain: Vec<Conditional> = (0..columns)
        .map(|child| match child {
            0 => table(0, &[], 4),
            1 => table(1, &[0], 16),
            _ => table(child, &[child - 2, child - 1], 64),
        })
        .collect();
    let schema = coded_schema(&vec![4; columns as usize], "");
    let model = Model::network(schema.clone(), &[], chain, 1.0, vec![], origin()).unwrap();
    let pair = model.marginal(&clique(&[0, 39])).unwrap();
    assert!((pair.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    // Pairs of far columns in common children, grid-like: the junction tree would be huge.
    let mut tables: Vec<Conditional> = (0..20).map(|child| table(child, &[], 4)).collect();
    for child in 20..40u32 {
        let (a, b, c) = (child - 20, (child * 7) % 20, (child * 11 + 3) % 20);
        let mut parents = vec![a, b, c];
        parents.sort_unstable();
        parents.dedup();
        parents.extend((child > 20).then(|| child - 1));
        tables.push(table(child, &parents, 4u64.pow(parents.len() as u32 + 1)));
    }
    let model = Model::network(schema, &[], tables, 1.0, vec![], origin()).unwrap();
    assert_eq!(rows_of(&model, &Sampling::new(100, 1)).len(), 100);
    assert!(model.marginal(&clique(&[3, 17])).is_ok());
    let error = model.marginal(&Clique::new([AttrId(39)])).unwrap_err().to_string();
    assert!(error.contains("depend on so many others") && error.lines().count() == 1, "{error}");
}

/// Two hidden bits and a column of three codes that follows from them; the pattern that no code has
/// is any code.
#[test]
fn columns_may_follow_from_hidden_variables() {
    let schema = coded_schema(&[3, 2], "");
    let hidden = |child: u32, parents: &[u32], weights: &[f64]| Conditional {
        child: AttrId(child),
        refinement: None,
        parents: parents.iter().map(|&parent| (AttrId(parent), None)).collect(),
        weights: weights.to_vec(),
    };
    let tables = vec![
        hidden(2, &[], &[0.6, 0.4]),
        hidden(3, &[2], &[0.5, 0.5, 0.25, 0.75]),
        hidden(1, &[3], &[1.0, 0.0, 0.2, 0.8]),
        hidden(0, &[2, 3], &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]),
    ];
    let model = Model::network(schema.clone(), &[2, 2], tables.clone(), 10.0, vec![], origin()).unwrap();
    let column = model.marginal(&clique(&[0])).unwrap();
    assert!(column.iter().zip([0.4, 0.4, 0.2]).all(|(a, b)| (a - b).abs() < 1e-12), "{column:?}");
    // The second bit is 1 in 0.6 of all rows: half of 0.6 and three quarters of 0.4.
    assert!((model.marginal(&clique(&[1])).unwrap()[1] - 0.48).abs() < 1e-12);
    // Code 1 of the first column has the second bit set, or comes from the pattern without a code.
    let joint = model.marginal(&clique(&[0, 1])).unwrap();
    assert!((joint[3] - 0.4 * 0.8).abs() < 1e-12, "{joint:?}");
    let block = model.sampler(&Sampling::new(1000, 3)).unwrap().block(0);
    assert_eq!(block.columns.len(), 2, "hidden variables are not shown");
    let back = Model::from_bytes(&model.to_bytes()).unwrap();
    assert!(back == model);
    // Every hidden variable needs a table and a size.
    for sizes in [&[2][..], &[2, 2, 2], &[2, 0], &[]] {
        let refused = Model::network(schema.clone(), sizes, tables.clone(), 10.0, vec![], origin());
        assert!(matches!(refused, Err(ModelError::Shape { .. })), "{sizes:?}");
    }
}
