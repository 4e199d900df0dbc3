//! The distribution over queries, the search for a record, the price, and the whole.

use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::{apart, binary, even, make, mixed};
use crate::baselines::synthesizers::BaselineSynthesizer::DualQuery;
use crate::baselines::synthesizers::composition::{advanced, each};
use crate::baselines::synthesizers::dual_query::{CellOrNot, answered, best_record, cost, running_sums};

/// Payoffs 1 and -2 at a rate of 1/2: weights e^(1/2), e^(-1/2), e^(-1), e^1.
#[test]
fn queries_are_weighed_by_their_payoffs_and_opposites_against() {
    let mut sums = [0.0; 4];
    running_sums(&[1.0, -2.0], 0.5, &mut sums);
    let weights = [0.5f64, -0.5, -1.0, 1.0].map(f64::exp);
    let total: f64 = weights.iter().sum();
    let mut below = 0.0;
    for (sum, weight) in sums.iter().zip(weights) {
        below += weight;
        assert!((sum / sums[3] - below / total).abs() < 1e-12, "{sums:?}");
    }
    running_sums(&[1e6, 0.0], 1.0, &mut sums);
    assert!(sums.iter().all(|sum| sum.is_finite()) && sums[0] == sums[3]);
}

/// Against all 36 records, for queries of which not all can be met.
#[test]
fn the_search_finds_the_best_record_of_a_small_domain() {
    let queries: Vec<CellOrNot> = [([(0, 1), (1, 2)], false), ([(0, 0), (2, 5)], false), ([(1, 2), (2, 5)], false)]
        .into_iter()
        .chain([([(0, 1), (1, 1)], true), ([(0, 1), (2, 5)], true), ([(1, 2), (2, 3)], true)])
        .map(|(cell, opposite)| CellOrNot { cell: cell.to_vec(), opposite })
        .collect();
    let all = (0..36u32).map(|cell| answered(&queries, &[cell / 18, cell / 6 % 3, cell % 6])).max().unwrap();
    let found = best_record(&queries, &[2, 3, 6], &mut ChaCha20Rng::seed_from_u64(1));
    assert_eq!((answered(&queries, &found), all), (5, 5));
}

#[test]
fn the_price_is_the_published_one() {
    assert_eq!(cost(1, 1000.0, 0.0), 0.0, "the first round does not look");
    // The sum over rounds of s drawings at 2 eta (t - 1) / n is eta T (T - 1) s / n.
    let first = cost(2, 1000.0, 0.0);
    let sum: f64 = (1..=30).map(|round| f64::from(round - 1) * first).sum();
    assert!((cost(30, 1000.0, 0.0) - sum).abs() < 1e-9);
    assert!(cost(300, 1e6, 1e-5) < 0.5 * cost(300, 1e6, 0.0), "a delta helps where rounds are many");
    assert!(cost(2, 1e6, 1e-5) <= cost(2, 1e6, 0.0));
}

#[test]
fn shares_of_a_composition_add_up_to_it() {
    for (total, times) in [(0.8, 136.0), (0.8, 2.0), (100.0, 16.0)] {
        let share = each(total, times, 1e-5);
        assert!(share >= total / times * (1.0 - 1e-12));
        assert!(share * times <= total * (1.0 + 1e-9) || (advanced(share, times, 1e-5) / total - 1.0).abs() < 1e-9);
    }
    assert!((advanced(0.1, 100.0, 1e-5) - 5.850).abs() < 0.01);
}

#[test]
fn a_large_budget_nears_three_way_marginals() {
    for table in [binary(), mixed()] {
        let (near, far) = (apart(&table, &make(DualQuery, &table, 1e4, 1), 3), apart(&table, &even(&table), 3));
        assert!(near < 0.4 * far, "{near} against {far}");
        assert!(apart(&table, &make(DualQuery, &table, 0.01, 1), 3) > 1.5 * near);
    }
}
