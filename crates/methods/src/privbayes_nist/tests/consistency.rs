//! Consistency on random networks, with levels.

use lookalike_model::Halt;
use lookalike_schema::Grouping;
use proptest::prelude::*;

use crate::privbayes_nist::consistency::average::view;
use crate::privbayes_nist::consistency::sets::{MOST_SETS, knows, meet, shared};
use crate::privbayes_nist::consistency::{LEAST, Negatives, Variances, enforce, smallest};
use crate::privbayes_nist::hierarchy::{Hierarchy, Node};
use crate::privbayes_nist::tables::Table;

/// Columns of 1 to 9 codes; those of more than 3 have groups of 3 (the last one smaller), those of
/// more than 6 also two halves of the groups.
fn hierarchy(sizes: &[usize]) -> Hierarchy {
    let levels = |size: usize| {
        let by = |held: usize| Grouping::new((0..size).map(|code| (code / held) as u32).collect()).unwrap();
        match size {
            0..=3 => vec![],
            4..=6 => vec![by(3)],
            _ => vec![by(3), by(6)],
        }
    };
    Hierarchy::of_groupings(sizes.iter().map(|&size| (size, levels(size))).collect())
}

/// Some tables of up to three columns at any level, with noisy counts of varied noise.
fn tables(hierarchy: &Hierarchy, picks: &[Vec<(usize, usize)>], noise: &[f64]) -> Vec<Table> {
    let mut noise = noise.iter().cycle();
    let mut table = |picks: &Vec<(usize, usize)>| {
        let mut nodes: Vec<Node> = Vec::new();
        for &(column, level) in picks {
            let column = column % hierarchy.len();
            if nodes.iter().all(|node| node.column != column) {
                nodes.push(Node { column, level: level % hierarchy.levels(column) });
            }
        }
        let cells = (0..hierarchy.cells(&nodes) as usize).map(|_| noise.next().unwrap() * 40.0 + 5.0).collect();
        Table { nodes, cells, variance: 1.0 + noise.next().unwrap().abs() }
    };
    picks.iter().map(&mut table).collect()
}

/// The largest difference of two tables on any set that both know.
fn disagreement(hierarchy: &Hierarchy, tables: &[Table]) -> f64 {
    let mut most = 0.0f64;
    for (place, a) in tables.iter().enumerate() {
        for b in &tables[place + 1..] {
            let set = meet(&a.nodes, &b.nodes);
            let (left, right) = (view(hierarchy, a, &set), view(hierarchy, b, &set));
            left.iter().zip(&right).for_each(|(x, y)| most = most.max((x - y).abs()));
        }
    }
    most
}

/// Sizes of columns, columns and levels of tables, and noise.
type Inputs = (Vec<usize>, Vec<Vec<(usize, usize)>>, Vec<f64>);

fn inputs() -> impl Strategy<Value = Inputs> {
    let sizes = prop::collection::vec(1usize..=9, 2..7);
    let picks = prop::collection::vec(prop::collection::vec((0usize..7, 0usize..3), 1..4), 1..9);
    (sizes, picks, prop::collection::vec(-1.0f64..1.0, 97))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// What two tables share, they agree on; nothing is negative; everything sums to 1. Sums are
    /// exact to rounding, so the finest shared set stands for all its subsets and coarser forms.
    /// Also when the list of sets is cut short.
    #[test]
    fn tables_agree_and_are_not_negative((sizes, picks, noise) in inputs(), most in prop_oneof![Just(MOST_SETS), Just(4)]) {
        let hierarchy = hierarchy(&sizes);
        let repairs = [
            (Negatives::Clip, Variances::Measured),
            (Negatives::Project, Variances::Measured),
            (Negatives::Project, Variances::Updated),
        ];
        for repair in repairs {
            let mut tables = tables(&hierarchy, &picks, &noise);
            let report = enforce(&hierarchy, &mut tables, repair, most, &Halt::never()).unwrap();
            prop_assert!(smallest(&tables) >= LEAST, "{} after {report:?}", smallest(&tables));
            let apart = disagreement(&hierarchy, &tables);
            prop_assert!(apart < 1e-9, "{apart} after {report:?}");
            for table in &tables {
                prop_assert!((table.sum() - 1.0).abs() < 1e-9, "{}", table.sum());
            }
        }
    }

    /// The list of sets is closed under intersection, and ascends.
    #[test]
    fn sets_are_closed_and_ascend((sizes, picks, noise) in inputs()) {
        let hierarchy = hierarchy(&sizes);
        let tables = tables(&hierarchy, &picks, &noise);
        let nodes: Vec<&[Node]> = tables.iter().map(|table| table.nodes.as_slice()).collect();
        let sets = shared(&hierarchy, &nodes, MOST_SETS, &Halt::never()).unwrap().0;
        prop_assert!(sets[0].is_empty());
        for (place, a) in sets.iter().enumerate() {
            for (later, b) in sets.iter().enumerate().skip(place + 1) {
                prop_assert!(sets.contains(&meet(a, b)));
                prop_assert!(!knows(a, b), "{b:?} at {later} is contained in {a:?} at {place}");
            }
        }
    }
}

/// One sweep over a list that is not closed leaves the tables apart: the tests above can fail.
#[test]
fn without_the_closure_tables_disagree() {
    use crate::privbayes_nist::consistency::average::Averaging;
    let hierarchy = hierarchy(&[2, 2, 2]);
    let node = Node::finest;
    let noise = [0.9, -0.3, 0.5, 0.1, -0.7, 0.2, 0.8, -0.1, 0.4, 0.6];
    let picks = vec![vec![(0, 0), (1, 0)], vec![(1, 0), (2, 0)], vec![(0, 0), (2, 0)]];
    let mut apart = tables(&hierarchy, &picks, &noise);
    // Descending order: the empty set last undoes nothing, but single columns disturb each other
    // through the total.
    let sets = vec![vec![node(0)], vec![node(1)], vec![node(2)]];
    let halt = Halt::never();
    Averaging::over(&hierarchy, &apart, sets, Variances::Measured, &halt).unwrap().sweep(&mut apart, &halt).unwrap();
    assert!(disagreement(&hierarchy, &apart) > 1e-3);
    let mut agreed = tables(&hierarchy, &picks, &noise);
    Averaging::new(&hierarchy, &agreed, Variances::Measured, MOST_SETS, &halt)
        .unwrap()
        .sweep(&mut agreed, &halt)
        .unwrap();
    assert!(disagreement(&hierarchy, &agreed) < 1e-9);
}

/// Truth is a fixed point: tables that agree and are not negative stay as they are.
#[test]
fn consistent_tables_stay() {
    let hierarchy = hierarchy(&[3, 5, 8]);
    let counts: Vec<f64> = (0..3 * 5 * 8).map(|cell| ((cell * 37 + 11) % 17) as f64).collect();
    let whole = Table { nodes: (0..3).map(Node::finest).collect(), cells: counts, variance: 1.0 };
    let sets = [
        vec![Node::finest(0), Node { column: 1, level: 1 }],
        vec![Node { column: 1, level: 0 }, Node { column: 2, level: 2 }],
        vec![Node { column: 2, level: 1 }, Node::finest(0)],
    ];
    let sum = whole.sum();
    let mut tables: Vec<Table> = sets
        .iter()
        .map(|set| Table { nodes: set.clone(), cells: view(&hierarchy, &whole, set), variance: 2.0 })
        .collect();
    let before = tables.clone();
    let report =
        enforce(&hierarchy, &mut tables, (Negatives::Clip, Variances::Measured), MOST_SETS, &Halt::never()).unwrap();
    assert_eq!((report.rounds, report.uniform), (1, 0.0));
    for (now, then) in tables.iter().zip(&before) {
        assert!(now.cells.iter().zip(&then.cells).all(|(a, b)| (a - b / sum).abs() < 1e-12));
    }
}

/// A hundred columns that all hang on the same few: tables that share most of their columns.
#[test]
fn a_hundred_tables_with_hubs_agree() {
    use crate::privbayes_nist::network::{Limits, Network};
    use crate::privbayes_nist::scores::Scores;
    let hierarchy = Hierarchy::of_groupings(vec![(2, vec![]); 100]);
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / (1u64 << 24) as f64
    };
    let mut pairs = Vec::new();
    for a in 0..100 {
        pairs
            .extend((a + 1..100).map(|b| (Node::finest(a), Node::finest(b), 100.0 / (1.0 + a as f64) + 10.0 * next())));
    }
    let network = Network::build(&hierarchy, &Scores::of(pairs, 1.0), Limits { tau: 64.0, least: 0.0 });
    let mut table = |nodes: Vec<Node>| {
        let cells = (0..64).map(|_| if next() < 0.7 { 0.0 } else { 90.0 } + 40.0 * (next() - next())).collect();
        Table { nodes, cells, variance: 100.0 }
    };
    let mut tables: Vec<Table> = network.joints().into_iter().map(&mut table).collect();
    assert_eq!(tables.len(), 95);
    let report =
        enforce(&hierarchy, &mut tables, (Negatives::Project, Variances::Measured), MOST_SETS, &Halt::never()).unwrap();
    assert!(report.uniform < 0.01 && smallest(&tables) >= LEAST, "{report:?}");
    assert!(disagreement(&hierarchy, &tables) < 1e-9);
}
