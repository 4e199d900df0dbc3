//! What `mst`, `aim` and `auto` have in common: budgets, impossible rows, wide columns, tiny
//! tables.

use lookalike_curator::Recording;
use lookalike_model::Sampling;
use lookalike_privacy::Relation;
use lookalike_schema::{AttrId, Clique};

use super::{bench, budget, chained, counts, fit, schema};
use crate::{MethodError, build};

const METHODS: [&str; 3] = ["mst", "aim", "auto"];

/// A chain is a tree: pairs of neighbours are enough to get its joint back.
#[test]
fn with_next_to_no_noise_a_chain_comes_back() {
    let sizes = [2, 3, 4, 2];
    let columns = chained(&sizes, 20_000);
    for method in METHODS {
        for (delta, relation) in [(1e-9, Relation::AddRemove), (0.0, Relation::AddRemove), (1e-9, Relation::ReplaceOne)]
        {
            let mut bench = bench(&schema(&sizes, ""), 20_000, columns.clone(), budget(1000.0, delta), relation, 3);
            let model = fit(method, &mut bench, &[]).unwrap();
            assert!(model.rows().abs_diff(20_000) <= 1, "{method}: {}", model.rows());
            let all: Vec<usize> = (0..4).collect();
            let found = model.marginal(&Clique::new((0..4).map(AttrId))).unwrap();
            let truth = counts(&columns, &sizes, &all);
            let distance: f64 = found.iter().zip(&truth).map(|(found, truth)| (found - truth / 20_000.0).abs()).sum();
            // The rows themselves are not quite a chain: 48 cells of 20,000 draws are off by about
            // 0.02.
            assert!(0.5 * distance < 0.03, "{method} {delta} {relation:?}: {distance}");
        }
    }
}

/// used <= cap always, and at least 0.9 of it: where no table is worth a round, `auto` leaves its
/// choices unspent.
#[test]
fn the_budget_is_used_and_never_passed() {
    for method in METHODS {
        for (sizes, rows) in [
            (vec![], 7),
            (vec![3], 100),
            (vec![2, 4], 0),
            (vec![2, 4], 1),
            (vec![1, 1, 3], 500),
            (vec![2, 3, 4, 5, 2], 3000),
            (vec![400, 300, 2], 1000),
        ] {
            for relation in [Relation::AddRemove, Relation::ReplaceOne] {
                for (epsilon, delta) in [(0.05, 1e-9), (1.0, 1e-9), (10.0, 1e-5), (0.3, 0.0), (3.0, 0.0)] {
                    let cap = budget(epsilon, delta);
                    let columns = chained(&sizes, rows);
                    let mut bench = bench(&schema(&sizes, ""), rows, columns, cap, relation, 11);
                    fit(method, &mut bench, &[]).unwrap();
                    let used = bench.curator.close().used().unwrap();
                    let words = format!("{method} {sizes:?} {relation:?} ({epsilon}, {delta}): {used}");
                    assert!(used <= epsilon, "{words}");
                    // Without a column a public count is all there is, and it is free.
                    let free = sizes.is_empty() && relation == Relation::ReplaceOne;
                    assert!(used >= 0.9 * epsilon || free, "{words}");
                }
            }
        }
    }
}

#[test]
fn impossible_rows_never_occur() {
    let rules = "[[impossible]]\nc0 = [\"v1\", \"v5\"]\nc2 = \"v0\"\n[[impossible]]\nc1 = \"v2\"\n\
                 [[impossible]]\nc2 = \"v1\"\nc3 = \"v1\"\n";
    let schema = schema(&[60, 4, 3, 2], rules);
    let columns = chained(&[60, 4, 3, 2], 3000);
    for method in METHODS {
        for epsilon in [0.1, 1.0, 20.0] {
            // The rows break the rules freely: they are counted as they stand.
            let mut bench = bench(&schema, 3000, columns.clone(), budget(epsilon, 1e-9), Relation::AddRemove, 5);
            let model = fit(method, &mut bench, &[]).unwrap();
            let sampler = model.sampler(&Sampling::new(3000, 1)).unwrap();
            let block = sampler.block(0);
            let row = |row: usize| block.columns.iter().map(|column| column[row]).collect::<Vec<u32>>();
            assert!((0..3000).all(|at| !schema.forbids(&row(at))), "{method} {epsilon}");
        }
    }
}

#[test]
fn contradictions_cost_nothing() {
    let rules = "[[impossible]]\nc0 = \"v0\"\nc1 = \"v0\"\n[[impossible]]\nc0 = \"v0\"\nc1 = \"v1\"\n[[impossible]]\nc0 = \"v1\"\n";
    for method in METHODS {
        let mut bench =
            bench(&schema(&[2, 2], rules), 4, chained(&[2, 2], 4), budget(1.0, 1e-9), Relation::AddRemove, 1);
        let before = bench.records.records().len();
        assert!(matches!(fit(method, &mut bench, &[]), Err(MethodError::Model(_))));
        assert_eq!(bench.records.records().len(), before);
    }
}

/// 40,000 values, most of them rare, beside columns of a few: the model holds groups, the rows have
/// the values again.
#[test]
fn a_very_wide_column() {
    let (sizes, rows) = ([40_000, 3, 2], 20_000);
    let mut columns = chained(&[3, 3, 2], rows);
    // Half of the rows have one of three values, the others one that is nearly their own; and the
    // second column follows.
    for (row, code) in columns[0].iter_mut().enumerate() {
        *code = if row % 2 == 0 { *code } else { 3 + (row as u32 * 7919) % 39_997 };
    }
    for method in METHODS {
        let mut bench = bench(&schema(&sizes, ""), rows, columns.clone(), budget(2.0, 1e-9), Relation::AddRemove, 2);
        let model = fit(method, &mut bench, &[]).unwrap();
        let wide = model.marginal(&Clique::single(AttrId(0))).unwrap();
        assert_eq!(wide.len(), 40_000);
        let frequent: f64 = wide[..3].iter().sum();
        assert!((frequent - 0.5).abs() < 0.05, "{method}: {frequent}");
        let pair = model.marginal(&Clique::new([AttrId(0), AttrId(1)])).unwrap();
        let truth = counts(&columns, &sizes, &[0, 1]);
        for cell in 0..9 {
            let miss = (pair[cell] - truth[cell] / rows as f64).abs();
            assert!(miss < 0.02, "{method}, cell {cell}: {} instead of {}", pair[cell], truth[cell] / rows as f64);
        }
    }
}

/// The model is a function of the answers: replayed on other rows it is the same to the last bit.
#[test]
fn answers_alone_make_the_model() {
    let sizes = [30, 4, 3, 2];
    let columns = chained(&sizes, 800);
    let mut shorter: Vec<Vec<u32>> = columns.clone();
    shorter.iter_mut().for_each(|column| {
        column.pop();
    });
    for method in METHODS {
        for delta in [1e-6, 0.0] {
            let recording = Recording::new();
            let open = |rows: usize, columns: Vec<Vec<u32>>, seed: u64| {
                bench(&schema(&sizes, ""), rows, columns, budget(2.0, delta), Relation::AddRemove, seed)
            };
            let mut one = open(800, columns.clone(), 8);
            one.curator.record_on(&recording);
            let first = fit(method, &mut one, &[]).unwrap();
            let mut two = open(799, shorter.clone(), 9);
            two.curator.replay_from(&recording);
            let second = fit(method, &mut two, &[]).unwrap();
            assert_eq!(first.to_bytes(), second.to_bytes(), "{method}");
            // And the same noise on other rows gives another model.
            let third = fit(method, &mut open(400, columns.clone(), 8), &[]).unwrap();
            assert_ne!(first.to_bytes(), third.to_bytes());
        }
    }
}

#[test]
fn settings_are_refused_in_one_line() {
    let refused = |method: &str, pairs: &[(&str, &str)]| {
        let settings: Vec<(String, String)> = pairs.iter().map(|&(a, b)| (a.into(), b.into())).collect();
        build(method, &settings).err().map(|error| error.to_string()).unwrap_or_default()
    };
    for (method, name, value) in [
        ("mst", "one-share", "0"),
        ("mst", "select-share", "1"),
        ("mst", "merge-threshold", "-1"),
        ("aim", "one-share", "nan"),
        ("aim", "rounds", "0"),
        ("aim", "candidates", "0.5"),
        ("aim", "select-share", "x"),
    ] {
        let message = refused(method, &[(name, value)]);
        assert!(message.contains(name) && !message.contains('\n'), "{message}");
    }
    assert!(
        refused("mst", &[("one-share", "0.5"), ("select-share", "0.5")])
            .contains("one-share and select-share leave nothing")
    );
}

/// A chain of 60 columns has 1,770 pairs, of which 59 matter: `auto` takes the forest first.
#[test]
fn the_pairs_of_many_columns_are_found() {
    let sizes = vec![3; 60];
    let columns = chained(&sizes, 10_000);
    let mut bench = bench(&schema(&sizes, ""), 10_000, columns.clone(), budget(4.0, 1e-9), Relation::AddRemove, 5);
    let model = fit("auto", &mut bench, &[]).unwrap();
    let distance = |first: usize| {
        let found = model.marginal(&Clique::new([first, first + 1].map(|column| AttrId(column as u32)))).unwrap();
        let truth = counts(&columns, &sizes, &[first, first + 1]);
        0.5 * found.iter().zip(&truth).map(|(found, truth)| (found - truth / 10_000.0).abs()).sum::<f64>()
    };
    let worst = (0..59).map(distance).fold(0.0, f64::max);
    assert!(worst < 0.06, "{worst}");
}
