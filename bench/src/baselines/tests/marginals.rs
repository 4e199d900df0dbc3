//! Marginals: exact at huge budgets, with the right noise at small ones.

use lookalike_privacy::{DiscreteLaplace, NoiseBits, Rational, Relation, SeededNoise};
use lookalike_schema::{AttrId, Clique};
use lookalike_table::Table;

use super::{epsilon, relation};
use crate::baselines::aau_text_noise::aau_text_network;
use crate::baselines::given_network::{Repair, noisy_network};
use crate::baselines::marginals::MarginalBaseline::{Contingency, ContingencyProjected, Fourier, Laplace, Uniform};
use crate::baselines::marginals::{ClippedTable, MarginalBaseline, MarginalTask, average_distance, contingency};
use crate::marginal::{all_marginals, exact};
use crate::simulate::boolean::total_variation;
use crate::simulate::design::{Link, TableDesign};
use crate::simulate::draw::coded_schema;
use crate::simulate::{BooleanNetwork, nist};

const BOTH: [Relation; 2] = [Relation::AddRemove, Relation::ReplaceOne];

fn task<'a>(table: &'a Table, marginals: &'a [Clique], budget: f64, which: Relation) -> MarginalTask<'a> {
    MarginalTask { table, marginals, epsilon: epsilon(budget), neighbours: relation(which) }
}

fn mixed() -> Table {
    let columns = vec![
        (3, Link::Skewed),
        (2, Link::Shuffled { parent: 0, noise: 60 }),
        (5, Link::Ordered { parent: 1, noise: 60 }),
        (4, Link::Sum { parents: [0, 2], noise: 60 }),
    ];
    TableDesign { rows: 3_000, columns }.table(1).unwrap()
}

fn distance(baseline: MarginalBaseline, table: &Table, ways: usize, budget: f64, which: Relation) -> f64 {
    let marginals = all_marginals(table.domain(), ways);
    let mut bits = SeededNoise::new(7);
    let estimates = baseline.estimate(&task(table, &marginals, budget, which), &mut bits).unwrap();
    for estimate in &estimates {
        assert!(estimate.iter().all(|&p| p >= 0.0));
        assert!((estimate.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
    average_distance(table, &marginals, &estimates).unwrap()
}

#[test]
fn huge_budgets_give_the_exact_marginals_and_small_ones_do_not() {
    let binary = BooleanNetwork::random(8, 2, 1).table(2_000, 1).unwrap();
    let mixed = mixed();
    for which in BOTH {
        for ways in 0..=4 {
            for baseline in [Laplace, Fourier, Contingency, ContingencyProjected] {
                assert!(distance(baseline, &binary, ways, 1e9, which) < 1e-9, "{} {ways}", baseline.name());
                if ways > 0 {
                    assert!(distance(baseline, &binary, ways, 0.01, which) > 0.01, "{} {ways}", baseline.name());
                }
            }
            for baseline in [Laplace, Fourier, Contingency, ContingencyProjected] {
                assert!(distance(baseline, &mixed, ways, 1e9, which) < 1e-9, "{} {ways}", baseline.name());
            }
        }
    }
}

/// One even binary column of 2,000 rows, epsilon 0.1: nothing is ever clipped, and the error of the
/// first cell has a known variance. 4,000 repeats: the standard error of the variance is below 3.6%
/// of it, the bound is five of them, so the false-alarm rate is about 6e-7 a comparison.
#[test]
fn noise_has_the_scale_of_its_sensitivity() {
    let columns = vec![(0..2_000).map(|row| row % 2).collect()];
    let table = Table::from_columns(&coded_schema(&[2]).unwrap(), columns);
    let marginals = [Clique::single(AttrId(0))];
    let spread = |baseline: MarginalBaseline, which, times: usize| {
        let mut bits = SeededNoise::new(11);
        let asked: Vec<Clique> = marginals.iter().cloned().cycle().take(times).collect();
        let square = |bits: &mut dyn NoiseBits| {
            let estimates = baseline.estimate(&task(&table, &asked, 0.1, which), bits).unwrap();
            (2_000.0 * (estimates[0][0] - 0.5)).powi(2)
        };
        (0..4_000).map(|_| square(&mut bits)).sum::<f64>() / 4_000.0
    };
    // Laplace: the error is (z0 - z1) / 2 with two noises of scale t: variance t^2 (up to the
    // discrete shape, 1e-3).
    let near = |seen: f64, expected: f64| (seen / expected - 1.0).abs() < 0.18;
    assert!(near(spread(Laplace, Relation::AddRemove, 1), 100.0));
    assert!(near(spread(Laplace, Relation::ReplaceOne, 1), 400.0));
    assert!(near(spread(Laplace, Relation::AddRemove, 3), 900.0), "the budget is split over all marginals");
    assert!(!near(spread(Laplace, Relation::AddRemove, 1), 400.0), "a wrong scale would show");
    assert!(near(spread(Contingency, Relation::ReplaceOne, 3), 400.0), "marginals of one table are free");
    // Fourier: f_A / 2, where n is public; two coefficients share the budget where it is not, and
    // noise on n cancels at p = 1/2.
    assert!(near(spread(Fourier, Relation::ReplaceOne, 1), 200.0));
    assert!(near(spread(Fourier, Relation::AddRemove, 1), 200.0));
    assert!(near(spread(Fourier, Relation::ReplaceOne, 3), 200.0), "shared coefficients are paid once");
}

/// The same noise again, added to the joint counts by hand: clipped before it is summed, or after.
#[test]
fn contingency_clips_the_joint_or_each_marginal() {
    let columns = vec![vec![0, 0, 1, 1, 1], vec![0, 1, 2, 2, 2]];
    let table = Table::from_columns(&coded_schema(&[2, 3]).unwrap(), columns);
    let marginals = all_marginals(table.domain(), 1);
    let task = task(&table, &marginals, 0.3, Relation::AddRemove);
    let mut joint = vec![1i64, 1, 0, 0, 0, 3];
    let noise = DiscreteLaplace::new(Rational::at_least(1.0 / 0.3).unwrap()).unwrap();
    noise.add_to(&mut joint, &mut SeededNoise::new(17));
    let positive = |cells: &[i64]| cells.iter().map(|&cell| cell.max(0)).collect::<Vec<i64>>();
    let sums = |cells: &[i64]| {
        let row = |row: usize| cells[3 * row..3 * row + 3].iter().sum::<i64>();
        let column = |column: usize| cells[column] + cells[column + 3];
        [vec![row(0), row(1)], vec![column(0), column(1), column(2)]]
    };
    let wanted = [sums(&positive(&joint)), sums(&joint).map(|cells| positive(&cells))];
    assert_ne!(wanted[0], wanted[1], "with this seed something negative cancels: {joint:?}");
    for (baseline, wanted) in [Contingency, ContingencyProjected].into_iter().zip(wanted) {
        let found = baseline.estimate(&task, &mut SeededNoise::new(17)).unwrap();
        for (found, wanted) in found.iter().zip(wanted) {
            let sum: i64 = wanted.iter().sum();
            let shares: Vec<f64> = wanted.iter().map(|&cell| cell as f64 / sum as f64).collect();
            assert!(found.iter().zip(&shares).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} instead of {shares:?}");
        }
    }
}

/// A column of three codes has two bits, and the fourth pattern of them is no code: exact marginals
/// at a huge budget, and three cells at a small one.
#[test]
fn fourier_goes_through_bits() {
    let columns = vec![[vec![0; 5], vec![1; 3], vec![2; 2]].concat(), vec![0, 1, 0, 1, 0, 1, 1, 1, 0, 0]];
    let table = Table::from_columns(&coded_schema(&[3, 2]).unwrap(), columns);
    let marginals = [Clique::single(AttrId(0)), Clique::new([AttrId(0), AttrId(1)])];
    let estimate = |budget: f64, seed: u64| {
        Fourier.estimate(&task(&table, &marginals, budget, BOTH[1]), &mut SeededNoise::new(seed)).unwrap()
    };
    let found = estimate(1e9, 1);
    assert_eq!(found[0], [0.5, 0.3, 0.2]);
    assert_eq!(found[1], [0.3, 0.2, 0.0, 0.3, 0.2, 0.0]);
    assert!((0..20).all(|seed| estimate(0.1, seed)[0].len() == 3 && estimate(0.1, seed)[0] != found[0]));
}

#[test]
fn the_uniform_floor_ignores_the_table() {
    let table = mixed();
    let marginals = all_marginals(table.domain(), 2);
    assert_eq!(marginals.len(), 6);
    let mut bits = SeededNoise::new(1);
    let estimates = Uniform.estimate(&task(&table, &marginals, 1.0, BOTH[0]), &mut bits).unwrap();
    assert_eq!(estimates[0], vec![1.0 / 6.0; 6]);
    let columns = vec![vec![0, 0, 0, 1]];
    let lopsided = Table::from_columns(&coded_schema(&[2]).unwrap(), columns);
    let one = [Clique::single(AttrId(0))];
    assert_eq!(average_distance(&lopsided, &one, &[vec![0.5, 0.5]]).unwrap(), 0.25);
    assert!(average_distance(&lopsided, &one, &[vec![1.0]]).is_err());
    assert_eq!(MarginalBaseline::ALL.len(), 5);
}

#[test]
fn what_cannot_be_done_is_refused_in_words() {
    let mut bits = SeededNoise::new(1);
    let mut refusal = |baseline: MarginalBaseline, table: &Table| {
        let marginals = all_marginals(table.domain(), 1);
        let refused = baseline.estimate(&task(table, &marginals, 1.0, BOTH[0]), &mut bits);
        refused.err().unwrap().to_string()
    };
    let wide = TableDesign { rows: 10, columns: nist::columns() }.table(1).unwrap();
    assert!(refusal(Fourier, &wide).contains("room for 128 bits"));
    assert!(refusal(Contingency, &wide).contains("more than 2^64"));
    assert!(refusal(ContingencyProjected, &wide).contains("more than 2^64"));
    let (mixed, marginals) = (mixed(), [Clique::single(AttrId(0))]);
    let refused = contingency(&task(&mixed, &marginals, 1.0, BOTH[0]), ClippedTable::Joint, &mut bits, 100);
    assert!(refused.err().unwrap().to_string().contains("this schema has 120"));
}

/// The text's noise again, added by hand: 2^(1+q) d / alpha on the joint counts of every family. At
/// a huge budget the network is the table's.
#[test]
fn the_reports_noise_grows_with_the_parents() {
    let network = BooleanNetwork::random(5, 3, 4);
    let table = network.table(5_000, 1).unwrap();
    let (mut bits, mut again) = (SeededNoise::new(3), SeededNoise::new(3));
    let found = aau_text_network(&network, &table, epsilon(0.7), &mut bits).unwrap();
    let mut ones = Vec::new();
    for (parents, family) in [0, 1, 2, 3, 3].into_iter().zip(network.families()) {
        let scale = f64::from(1 << (1 + parents)) * 5.0 / 0.7;
        let mut cells = exact(&table, &[family]).unwrap().remove(0);
        let noise = DiscreteLaplace::new(Rational::at_least(scale).unwrap()).unwrap();
        noise.add_to(&mut cells, &mut again);
        let one = |pair: &[i64]| match (pair[0].max(0), pair[1].max(0)) {
            (0, 0) => 0.5,
            (zero, one) => one as f64 / (zero + one) as f64,
        };
        ones.push(cells.chunks_exact(2).map(one).collect());
    }
    assert_eq!(found, network.with_conditionals(ones).unwrap());
    let exact = aau_text_network(&network, &table, epsilon(1e9), &mut bits).unwrap();
    assert_eq!(exact, network.fitted_to(&table).unwrap());
}

#[test]
fn a_given_network_is_fitted_exactly_at_a_huge_budget_and_noisily_at_a_small_one() {
    let network = BooleanNetwork::random(6, 2, 4);
    let table = network.table(5_000, 1).unwrap();
    let exact = network.fitted_to(&table).unwrap().joint().unwrap();
    for which in BOTH {
        for repair in [Repair::Clamp, Repair::Project] {
            let at = |budget: f64| {
                let mut bits = SeededNoise::new(3);
                let noisy =
                    noisy_network(&network, &table, epsilon(budget), relation(which), repair, &mut bits).unwrap();
                total_variation(&noisy.joint().unwrap(), &exact)
            };
            assert!(at(1e9) < 1e-9, "{which:?} {repair:?}");
            assert!((0.001..0.9).contains(&at(0.5)), "{which:?} {repair:?} {}", at(0.5));
            assert!(at(0.05) > at(0.5));
        }
    }
}
