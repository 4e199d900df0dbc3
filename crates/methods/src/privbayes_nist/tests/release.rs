//! The whole method: budget, network and model.

use lookalike_model::{Model, Sampling};
use lookalike_privacy::{Budget, Relation, Step};
use lookalike_schema::{AttrId, Clique, Schema};

use crate::privbayes_nist::hierarchy::{Hierarchy, Node};
use crate::privbayes_nist::network::{Limits, Network};
use crate::privbayes_nist::purse::{Purse, Wants};
use crate::privbayes_nist::scores::{self, Scores};
use crate::tests::{Bench, bench, budget, chained, counts, fit, one_record, schema};
use crate::{MethodError, build};

pub(super) fn fit_with(bench: &mut Bench, pairs: &[(&str, &str)]) -> Result<Model, MethodError> {
    fit("privbayes-nist", bench, pairs)
}

#[test]
fn with_next_to_no_noise_the_joint_comes_back() {
    let sizes = [2, 3, 4, 2];
    let columns = chained(&sizes, 2000);
    for (delta, relation) in [(1e-9, Relation::AddRemove), (0.0, Relation::AddRemove), (1e-9, Relation::ReplaceOne)] {
        for sampling in ["without-replacement", "with-replacement", "inconsistent"] {
            let mut bench = bench(&schema(&sizes, ""), 2000, columns.clone(), budget(2000.0, delta), relation, 3);
            let model = fit_with(&mut bench, &[("sampling", sampling)]).unwrap();
            assert_eq!(model.rows(), 2000);
            let all: Vec<usize> = (0..4).collect();
            let truth = counts(&columns, &sizes, &all);
            let found = model.marginal(&Clique::new((0..4).map(AttrId))).unwrap();
            for (found, truth) in found.iter().zip(&truth) {
                assert!((found - truth / 2000.0).abs() < 0.005, "{found} instead of {}", truth / 2000.0);
            }
        }
    }
}

/// R in count form by brute force.
fn dependence(columns: &[Vec<u32>], sizes: &[u32], a: usize, b: usize) -> f64 {
    let rows = columns[0].len() as f64;
    let (joint, left, right) =
        (counts(columns, sizes, &[a, b]), counts(columns, sizes, &[a]), counts(columns, sizes, &[b]));
    let wide = sizes[b] as usize;
    let miss = |(cell, count): (usize, &f64)| (count - left[cell / wide] * right[cell % wide] / rows).abs();
    joint.iter().enumerate().map(miss).sum::<f64>() / 2.0
}

#[test]
fn with_next_to_no_noise_the_network_is_the_greedy_one() {
    let sizes = [2, 3, 4, 2, 5, 3, 2];
    let columns = chained(&sizes, 3000);
    let mut bench = bench(&schema(&sizes, ""), 3000, columns.clone(), budget(1e5, 1e-9), Relation::AddRemove, 1);
    let (hierarchy, _) = Hierarchy::new(bench.curator.schema(), 16);
    let pairs = scores::pairs(&hierarchy);
    assert_eq!(pairs.len(), 21);
    let neighbours = bench.curator.neighbours();
    let wants = Wants { score_share: 0.2, pairs: 21, tables: 7, neighbours, public_rows: 0 };
    let purse = Purse::open(&mut bench.curator, wants).unwrap();
    let (noise, times) = purse.scores(pairs.len()).unwrap().unwrap();
    let noisy = scores::ask(&mut bench.curator, &hierarchy, &pairs, noise, &times).unwrap();
    let exact = pairs.iter().map(|&(a, b)| (a, b, dependence(&columns, &sizes, a.column, b.column)));
    let exact = Scores::of(exact, 0.0);
    for &(a, b) in &pairs {
        assert!((noisy.get(a, b).unwrap() - exact.get(a, b).unwrap()).abs() < 0.1);
    }
    for tau in [6.0, 12.0, 30.0, 100.0] {
        let limits = Limits { tau, least: 0.0 };
        assert_eq!(Network::build(&hierarchy, &noisy, limits), Network::build(&hierarchy, &exact, limits));
    }
}

/// used <= cap, and at least 0.98 of it, whatever the table and the relation.
#[test]
fn the_budget_is_used_and_never_passed() {
    for (sizes, rows) in [
        (vec![3], 100),
        (vec![2, 4], 0),
        (vec![2, 4], 1),
        (vec![1, 1, 3], 500),
        (vec![2, 3, 4, 5, 2], 3000),
        (vec![400, 300, 2], 1000),
    ] {
        for relation in [Relation::AddRemove, Relation::ReplaceOne] {
            for cap in [budget(0.5, 1e-6), budget(3.0, 1e-9), budget(1.0, 0.0)] {
                let mut bench = bench(&schema(&sizes, ""), rows, chained(&sizes, rows), cap, relation, 9);
                fit_with(&mut bench, &[]).unwrap();
                let used = bench.curator.close().used().unwrap() / cap.epsilon.get();
                assert!((0.98..=1.0).contains(&used), "{sizes:?}, {rows} rows, {relation:?}, {cap:?}: {used}");
            }
        }
    }
}

/// The plan has its draws in its order, and scores get what pairs that cannot fit leave.
#[test]
fn draws_go_to_pairs_that_fit_and_tables_that_are_there() {
    let sizes = [2, 3, 60, 50];
    let cap = budget(1.0, 1e-6);
    let mut bench = bench(&schema(&sizes, ""), 4000, chained(&sizes, 4000), cap, Relation::AddRemove, 4);
    fit_with(&mut bench, &[]).unwrap();
    let looks = bench.looks.lock().unwrap().clone();
    let ledger = bench.curator.close();
    let charged = ledger.charged();
    // One count, six scores, eight draws for each of four columns.
    assert_eq!(charged.len(), 1 + 6 + 32);
    assert!(charged.iter().all(|query| matches!(query.step, Step::Gaussian { .. })));
    let rho: Vec<f64> = charged.iter().map(|query| query.step.rho()).collect();
    let total: f64 = rho.iter().sum();
    assert!((rho[..7].iter().sum::<f64>() / total - 0.2).abs() < 1e-3, "{rho:?}");
    assert!(rho[..7].iter().all(|one| (one / rho[0] - 1.0).abs() < 1e-2), "{rho:?}");
    // 60 x 50 cells fit into no table: of the six pairs five are counted at most.
    assert_eq!(looks[0], 1);
    assert!(looks[1] <= 5, "{looks:?}");
}

#[test]
fn small_and_empty_tables_give_a_model() {
    for sizes in [vec![], vec![3], vec![1], vec![2, 2], vec![1, 1, 4]] {
        for rows in [0, 1, 40] {
            for seed in 0..3 {
                for delta in [1e-9, 0.0] {
                    let cap: Budget = budget(0.1, delta);
                    let schema = schema(&sizes, "");
                    let mut bench = bench(&schema, rows, chained(&sizes, rows), cap, Relation::AddRemove, seed);
                    for sampling in ["without-replacement", "inconsistent"] {
                        if sampling == "inconsistent" && seed > 0 {
                            continue;
                        }
                        let mut again =
                            crate::tests::bench(&schema, rows, chained(&sizes, rows), cap, Relation::AddRemove, 7);
                        let bench = if sampling == "inconsistent" { &mut again } else { &mut bench };
                        let model = fit_with(bench, &[("sampling", sampling)]).unwrap();
                        for attribute in model.schema().domain().attributes() {
                            let found = model.marginal(&Clique::single(attribute)).unwrap();
                            assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                        }
                        model.sampler(&Sampling::new(20, 1)).unwrap().block(0);
                    }
                }
            }
        }
    }
}

/// 200 columns, one in twenty with levels: the search for parents is bounded by the plan.
#[test]
fn two_hundred_columns_finish() {
    let sizes: Vec<u32> = (0..200).map(|column| if column % 20 == 7 { 300 } else { 2 + column % 4 }).collect();
    let cap = budget(20.0, 1e-6);
    let mut bench = bench(&schema(&sizes, ""), 300, chained(&sizes, 300), cap, Relation::AddRemove, 2);
    let model = fit_with(&mut bench, &[]).unwrap();
    assert_eq!(model.sampler(&Sampling::new(50, 1)).unwrap().block(0).columns.len(), 200);
    let used = bench.curator.close().used().unwrap();
    assert!((19.6..=20.0).contains(&used), "{used}");
}

#[test]
fn a_contradictory_schema_costs_nothing() {
    let rules = "[[impossible]]\nc0 = \"v0\"\nc1 = \"v0\"\n[[impossible]]\nc0 = \"v0\"\nc1 = \"v1\"\n[[impossible]]\nc0 = \"v1\"\n";
    let mut bench = bench(&schema(&[2, 2], rules), 4, chained(&[2, 2], 4), budget(1.0, 1e-9), Relation::AddRemove, 1);
    let before = bench.records.records().len();
    assert!(matches!(fit_with(&mut bench, &[]), Err(MethodError::Model(_))));
    assert_eq!(bench.records.records().len(), before);
}

#[test]
fn levels_follow_the_parameter() {
    let text =
        "[columns.wide]\ntype = \"integer\"\nrange = [0, 999]\nbins = 1000\n[columns.small]\ntype = \"boolean\"\n";
    let schema = Schema::parse(text, "wide.toml").unwrap();
    let (hierarchy, derived) = Hierarchy::new(&schema, 16);
    assert_eq!((hierarchy.levels(0), hierarchy.levels(1), derived.len()), (2, 1, 1));
    assert_eq!(hierarchy.size(Node { column: 0, level: 1 }), 63);
    let (hierarchy, derived) = Hierarchy::new(&schema, 4);
    // 250, 63, 16: until at most 16 are left.
    assert_eq!((hierarchy.levels(0), derived.len()), (4, 3));
    assert_eq!(hierarchy.size(Node { column: 0, level: 3 }), 16);
    let groups = hierarchy.between(0, 1, 3);
    assert_eq!((groups.len(), groups[0], groups[15], groups[16], groups[249]), (250, 0, 0, 1, 15));
}

#[test]
fn the_forecast_is_of_the_right_size() {
    let sizes = [4, 5, 6];
    let (rows, cap) = (5000, budget(1.0, 1e-9));
    let method = build("privbayes-nist", &[]).unwrap();
    let forecast = method
        .forecast(&crate::PublicFacts {
            schema: &schema(&sizes, ""),
            rows: rows as u64,
            neighbours: one_record(),
            budget: cap,
        })
        .unwrap();
    assert!(forecast.cell_noise > 5.0 && forecast.tvd1 > 0.0 && forecast.tvd1 < 0.2, "{forecast:?}");
    let poorer = method
        .forecast(&crate::PublicFacts {
            schema: &schema(&sizes, ""),
            rows: rows as u64,
            neighbours: one_record(),
            budget: budget(0.1, 1e-9),
        })
        .unwrap();
    assert!(poorer.cell_noise > forecast.cell_noise && poorer.tvd1 > forecast.tvd1);
    assert!(
        method
            .forecast(&crate::PublicFacts { schema: &schema(&[], ""), rows: 10, neighbours: one_record(), budget: cap })
            .unwrap()
            .tvd1
            == 0.0
    );
}
