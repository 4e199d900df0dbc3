//! Algorithms 2 and 3 on scores given by hand.

use crate::privbayes_nist::hierarchy::{Hierarchy, Node};
use crate::privbayes_nist::network::{Limits, Network, maximal};
use crate::privbayes_nist::scores::Scores;
use lookalike_schema::Grouping;

const fn node(column: usize) -> Node {
    Node { column, level: 0 }
}

fn plain(sizes: &[usize]) -> Hierarchy {
    Hierarchy::of_groupings(sizes.iter().map(|&size| (size, vec![])).collect())
}

fn limits(tau: f64) -> Limits {
    Limits { tau, least: 0.0 }
}

fn scores(pairs: &[(usize, usize, f64)]) -> Scores {
    Scores::of(pairs.iter().map(|&(a, b, score)| (node(a), node(b), score)), 1.0)
}

#[test]
fn the_head_takes_what_fits_and_passes_over_what_does_not() {
    // 0 and 1 have the best score over cells. 2 would come next but does not fit; 3 does.
    let hierarchy = plain(&[2, 2, 5, 2]);
    let scores = scores(&[(0, 1, 40.0), (0, 2, 90.0), (1, 2, 90.0), (0, 3, 8.0), (1, 3, 8.0), (2, 3, 1.0)]);
    let network = Network::build(&hierarchy, &scores, limits(8.0));
    assert_eq!(network.head, [node(0), node(1), node(3)]);
    // 2 then finds the parent with the best score over size that keeps 10 cells away: none within 8
    // cells.
    assert_eq!(network.pairs, [(node(2), vec![])]);
    let network = Network::build(&hierarchy, &scores, limits(10.0));
    assert_eq!(network.pairs, [(node(2), vec![node(0)])]);
    // A limit is met by exactly as many cells.
    let network = Network::build(&hierarchy, &scores, limits(7.999));
    assert_eq!(network.head, [node(0), node(1)]);
}

#[test]
fn the_next_column_is_the_one_with_the_largest_plain_sum() {
    // After the head {0, 1}, column 2 has one large score, column 3 two middling ones that sum to
    // more.
    let hierarchy = plain(&[2, 2, 2, 3]);
    let scores = scores(&[(0, 1, 400.0), (0, 2, 50.0), (1, 2, -1.0), (0, 3, 30.0), (1, 3, 29.0), (2, 3, 5.0)]);
    let network = Network::build(&hierarchy, &scores, Limits { tau: 12.0, least: 0.0 });
    assert_eq!(network.head[..2], [node(0), node(1)]);
    let network = Network::build(&hierarchy, &scores, Limits { tau: 6.0, least: 0.0 });
    assert_eq!(network.head, [node(0), node(1)]);
    // At 6 cells column 3 can have one parent only, so column 2 goes first; a negative score is
    // never added.
    assert_eq!(network.pairs, [(node(2), vec![node(0)]), (node(3), vec![node(0)])]);
}

#[test]
fn negative_scores_leave_columns_alone() {
    let hierarchy = plain(&[2, 3, 4]);
    let network = Network::build(&hierarchy, &scores(&[(0, 1, -5.0), (0, 2, -1.0), (1, 2, -2.0)]), limits(1e6));
    assert_eq!(network.head, [node(0)]);
    assert_eq!(network.pairs, [(node(1), vec![]), (node(2), vec![])]);
    assert_eq!(network.joints(), [vec![node(0)], vec![node(1)], vec![node(2)]]);
    // So does a threshold above all scores.
    let positive = scores(&[(0, 1, 5.0), (0, 2, 1.0), (1, 2, 2.0)]);
    assert_eq!(Network::build(&hierarchy, &positive, Limits { tau: 1e6, least: 6.0 }).head, [node(0)]);
}

#[test]
fn tables_inside_others_are_not_measured() {
    let (a, b, c) = (node(0), node(1), node(2));
    assert_eq!(maximal(vec![vec![b, a], vec![a], vec![a, b], vec![c]]), [vec![a, b], vec![c]]);
    // Another level is another table.
    let coarse = Node { column: 1, level: 1 };
    assert_eq!(maximal(vec![vec![a, b], vec![a, coarse]]), [vec![a, b], vec![a, coarse]]);
}

#[test]
fn a_wide_column_is_modelled_at_the_level_that_fits() {
    let grouping = Grouping::new((0..12).map(|code| code / 4).collect()).unwrap();
    let hierarchy = Hierarchy::of_groupings(vec![(2, vec![]), (2, vec![]), (12, vec![grouping])]);
    let coarse = Node { column: 2, level: 1 };
    let pairs = [
        (node(0), node(1), 100.0),
        (node(0), node(2), 60.0),
        (node(1), node(2), 60.0),
        (node(0), coarse, 50.0),
        (node(1), coarse, 50.0),
    ];
    let scores = Scores::of(pairs, 1.0);
    // 12 cells: in full the column can have no parent, its groups can have both.
    let network = Network::build(&hierarchy, &scores, limits(12.0));
    assert!(network.head.contains(&coarse), "{network:?}");
    // Two levels of one column never meet.
    let network = Network::build(&hierarchy, &scores, limits(1e6));
    for set in network.joints() {
        assert!(set.windows(2).all(|two| two[0].column != two[1].column), "{set:?}");
    }
    assert_eq!(network.head.len() + network.pairs.len(), 3);
}

/// 200 columns with four levels each: the search is bounded by the number of pairs.
#[test]
fn two_hundred_columns_finish() {
    let levels = |held: u32| Grouping::new((0..300).map(|code| code / held).collect()).unwrap();
    let columns =
        (0..200).map(|column| if column % 3 == 0 { (300, vec![levels(10), levels(100)]) } else { (3, vec![]) });
    let hierarchy = Hierarchy::of_groupings(columns.collect());
    let nodes = hierarchy.nodes();
    let mut pairs = Vec::new();
    for (place, &a) in nodes.iter().enumerate() {
        for (later, &b) in nodes.iter().enumerate().skip(place + 1) {
            if a.column != b.column {
                pairs.push((a, b, ((place * 7919 + later * 104_729) % 1000) as f64 - 400.0));
            }
        }
    }
    let network = Network::build(&hierarchy, &Scores::of(pairs, 1.0), limits(3000.0));
    let mut columns: Vec<usize> =
        network.head.iter().chain(network.pairs.iter().map(|pair| &pair.0)).map(|node| node.column).collect();
    columns.sort_unstable();
    assert_eq!(columns, (0..200).collect::<Vec<_>>());
    assert!(network.joints().iter().all(|set| hierarchy.cells(set) <= 3000.0));
}
