//! What is refused before the charge, from public facts alone: no record is written and no row is
//! looked at.

use super::{Setting, add_remove, budget, clique, gaussian, laplace, ratio};
use crate::{Candidate, CountQuery, CuratorError, Noise, Score, SelectQuery};
use lookalike_privacy::{Neighbours, PrivacyError, Relation};
use lookalike_schema::AttrId;

fn dependence(child: u32, parents: &[u32]) -> Candidate {
    let score = Score::Dependence { child: AttrId(child), parents: clique(parents) };
    Candidate { score, weight: 1.0, offset: 0.0 }
}

fn distance(attributes: &[u32], expected: Vec<f64>) -> Candidate {
    Candidate {
        score: Score::DistanceToModel { clique: clique(attributes), expected: expected.into() },
        weight: 1.0,
        offset: 0.0,
    }
}

fn select(candidates: Vec<Candidate>) -> SelectQuery {
    SelectQuery { label: "a pair".into(), candidates, epsilon: ratio(1, 10) }
}

#[test]
fn selections_that_make_no_sense_cost_nothing() {
    let weighted = |weight: f64, offset: f64| Candidate { weight, offset, ..dependence(0, &[1]) };
    let senseless = vec![
        select(vec![]),
        select(vec![dependence(0, &[2])]),
        select(vec![dependence(7, &[])]),
        select(vec![dependence(0, &[0, 1])]),
        select(vec![dependence(0, &[1]), distance(&[0], vec![0.0; 2])]),
        select(vec![distance(&[0, 1], vec![0.0; 5])]),
        select(vec![distance(&[0], vec![0.0, f64::NAN])]),
        select(vec![distance(&[0], vec![0.0, f64::INFINITY])]),
        select(vec![distance(&[0], vec![0.0, 1e300])]),
        select(vec![weighted(f64::NAN, 0.0)]),
        select(vec![weighted(-1.0, 0.0)]),
        select(vec![weighted(f64::INFINITY, 0.0)]),
        select(vec![weighted(1.0, f64::NAN)]),
        select(vec![weighted(1.0, f64::NEG_INFINITY)]),
        select(vec![weighted(1.0, 1e300)]),
        SelectQuery { epsilon: ratio(u64::MAX, 1), ..select(vec![dependence(0, &[1])]) },
    ];
    let mut bench = Setting::default().open();
    let records = bench.records();
    for (place, query) in senseless.iter().enumerate() {
        let refused = bench.curator.select(query);
        assert!(matches!(refused, Err(CuratorError::Query { .. })), "query {place} should be refused");
    }
    assert_eq!((bench.records(), bench.looks()), (records, 0));
}

#[test]
fn unknown_and_too_wide_marginals_cost_nothing() {
    let mut bench = Setting { sizes: vec![1 << 14, 1 << 14, 2], rows: vec![], ..Setting::default() }.open();
    let records = bench.records();
    for query in [gaussian(&[3], 100), gaussian(&[0, 1, 2], 100), gaussian(&[u32::MAX], 100)] {
        // One bad query spoils the batch, before and after a good one.
        for batch in [vec![query.clone()], vec![gaussian(&[0], 100), query.clone()]] {
            assert!(matches!(bench.curator.marginals(&batch), Err(CuratorError::Query { .. })));
        }
    }
    // Each is narrow enough, but not all together.
    let batch = vec![gaussian(&[0, 1], 100); 3];
    assert!(matches!(bench.curator.marginals(&batch), Err(CuratorError::Query { .. })));
    assert_eq!((bench.records(), bench.looks()), (records, 0));
}

#[test]
fn an_empty_batch_is_no_look_and_no_charge() {
    let mut bench = Setting::default().open();
    let records = bench.records();
    assert!(bench.curator.marginals(&[]).unwrap().is_empty());
    assert_eq!((bench.records(), bench.looks()), (records, 0));
}

#[test]
fn gaussian_noise_is_refused_at_delta_zero() {
    let mut bench = Setting { budget: budget(1.0, 0.0), ..Setting::default() }.open();
    let records = bench.records();
    let refused = bench.curator.marginals(&[laplace(&[0], 10), gaussian(&[0], 1_000_000)]);
    assert!(matches!(refused, Err(CuratorError::Privacy(PrivacyError::Refused { .. }))));
    let refused = bench.curator.row_count(&CountQuery { noise: Noise::Gaussian(ratio(1_000_000, 1)) });
    assert!(matches!(refused, Err(CuratorError::Privacy(PrivacyError::Refused { .. }))));
    assert_eq!((bench.records(), bench.looks()), (records, 0));
    assert!(bench.curator.marginals(&[laplace(&[0], 10)]).is_ok());
}

#[test]
fn a_contribution_too_large_for_weighted_scores_is_refused() {
    let neighbours = Neighbours::new(Relation::AddRemove, u32::MAX).unwrap();
    let mut bench = Setting { neighbours, ..Setting::default() }.open();
    let uneven = Candidate { weight: 3.0 / 65_536.0, ..dependence(0, &[1]) };
    let refused = bench.curator.select(&select(vec![dependence(0, &[1]), uneven]));
    assert!(matches!(refused, Err(CuratorError::Query { .. })));
    assert_eq!(bench.looks(), 0);
    // With equal weights the figures fit.
    assert!(bench.curator.select(&select(vec![dependence(0, &[1]), dependence(1, &[0])])).is_ok());
}

#[test]
fn a_stop_before_the_charge_costs_nothing() {
    let mut bench = Setting { neighbours: add_remove(), ..Setting::default() }.open();
    let records = bench.records();
    bench.cancel.cancel();
    assert!(matches!(bench.curator.marginals(&[gaussian(&[0], 100)]), Err(CuratorError::Cancelled)));
    let count = CountQuery { noise: Noise::Laplace(ratio(10, 1)) };
    assert!(matches!(bench.curator.row_count(&count), Err(CuratorError::Cancelled)));
    assert!(matches!(bench.curator.select(&select(vec![dependence(0, &[1])])), Err(CuratorError::Cancelled)));
    assert_eq!((bench.records(), bench.looks()), (records, 0));
}
