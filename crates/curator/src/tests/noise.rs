//! The noise on answers is the charged one: on every cell, integer, of the stated scale whatever
//! the counts.

use lookalike_privacy::noise::testing::{ALPHA, goodness_of_fit};
use lookalike_privacy::{Neighbours, Relation};

use super::{Setting, budget, clique, gaussian, laplace, ratio, replace_one};
use crate::{CountQuery, MarginalQuery, Noise};

const DRAWS: usize = 200_000;

/// P(x) of the discrete Gaussian.
fn gaussian_probability(sigma_squared: f64) -> impl Fn(i64) -> f64 {
    let weight = move |x: i64| (-((x * x) as f64) / (2.0 * sigma_squared)).exp();
    let total: f64 = (-200..=200).map(weight).sum();
    move |x| weight(x) / total
}

/// P(x) of the discrete Laplace.
fn laplace_probability(scale: f64) -> impl Fn(i64) -> f64 {
    let ratio = (-1.0 / scale).exp();
    move |x| (1.0 - ratio) / (1.0 + ratio) * ratio.powi(x.abs() as i32)
}

/// What the door added, cell by cell: the answer less the exact counts, for a wide marginal with a
/// few occupied cells.
fn added(noise: Noise, occupied: u32, sparse: bool, neighbours: Neighbours) -> Vec<i64> {
    let rows: Vec<Vec<u32>> = (0..occupied).map(|row| vec![row % 50]).collect();
    let setting = Setting {
        sizes: vec![DRAWS as u32],
        rows,
        budget: budget(1e6, 1e-5),
        neighbours,
        sparse,
        ..Setting::default()
    };
    let query = MarginalQuery { clique: clique(&[0]), noise };
    let answer = setting.open().curator.marginals(&[query]).unwrap();
    let exact = |cell: usize| if cell < 50 { i64::from(occupied / 50) } else { 0 };
    answer[0].values.iter().enumerate().map(|(cell, value)| value - exact(cell)).collect()
}

/// Eight chi-square tests with false-alarm rate 1e-6 each; the stream is seeded, so they never
/// flicker.
#[test]
fn every_cell_gets_the_charged_noise() {
    let contribution = Neighbours::new(Relation::AddRemove, 3).unwrap();
    for sparse in [false, true] {
        for (occupied, neighbours) in [(50_000, replace_one()), (0, contribution)] {
            let draws = added(Noise::Gaussian(ratio(5, 1)), occupied, sparse, neighbours);
            assert!(goodness_of_fit(&draws, -9..=9, gaussian_probability(5.0)) > ALPHA);
            // Control: a scale 4% larger is noticed.
            assert!(goodness_of_fit(&draws, -9..=9, gaussian_probability(5.0 * 1.04 * 1.04)) < ALPHA);
            let draws = added(Noise::Laplace(ratio(5, 2)), occupied, sparse, neighbours);
            assert!(goodness_of_fit(&draws, -20..=20, laplace_probability(2.5)) > ALPHA);
            assert!(goodness_of_fit(&draws, -20..=20, laplace_probability(2.5 * 1.04)) < ALPHA);
        }
    }
}

/// False-alarm rate 1e-6; seeded.
#[test]
fn the_row_count_gets_the_charged_noise() {
    let mut bench = Setting { budget: budget(1e9, 0.0), ..Setting::default() }.open();
    let query = CountQuery { noise: Noise::Laplace(ratio(4, 1)) };
    let draws: Vec<i64> = (0..20_000).map(|_| bench.curator.row_count(&query).unwrap().value - 3).collect();
    assert!(goodness_of_fit(&draws, -25..=25, laplace_probability(4.0)) > ALPHA);
    assert!(goodness_of_fit(&draws, -25..=25, laplace_probability(4.6)) < ALPHA, "control");
}

#[test]
fn an_empty_table_is_answered_like_any_other() {
    let mut bench = Setting { rows: vec![], ..Setting::default() }.open();
    let answers = bench.curator.marginals(&[gaussian(&[0, 1], 100), laplace(&[1], 20)]).unwrap();
    assert_eq!((answers[0].values.len(), answers[1].values.len()), (6, 3));
    bench.curator.row_count(&CountQuery { noise: Noise::Laplace(ratio(20, 1)) }).unwrap();
}

#[test]
fn the_same_question_twice_gets_fresh_noise() {
    let mut bench = Setting { budget: budget(100.0, 1e-5), ..Setting::default() }.open();
    let wide = gaussian(&[0, 1], 1_000_000);
    let answers = bench.curator.marginals(&[wide.clone(), wide]).unwrap();
    // Six equal cells by chance: below (1 / 2000)^6.
    assert_ne!(answers[0].values, answers[1].values);
}
