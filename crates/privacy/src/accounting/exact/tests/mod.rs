//! Exact composition against plain enumeration, closed forms and the reference table.

mod plain;

use super::*;
use crate::accounting::{self, analytic};
use crate::{Composition, Delta, Neighbours, Relation};

fn rational(value: f64) -> Rational {
    Rational::at_least(value).unwrap()
}

fn rows(contribution: u32) -> Neighbours {
    Neighbours::new(Relation::AddRemove, contribution).unwrap()
}

fn gaussian(sigma: f64, neighbours: Neighbours) -> Step {
    Step::Gaussian { sigma_squared: rational(sigma * sigma), sensitivity: neighbours.marginal() }
}

fn laplace(scale: f64, neighbours: Neighbours) -> Step {
    Step::Laplace { scale: rational(scale), sensitivity: neighbours.marginal() }
}

fn selection(epsilon: f64) -> Step {
    Step::Exponential { epsilon: Rational::at_most(epsilon).unwrap() }
}

fn exact(steps: &[Step], delta: f64) -> f64 {
    accounting::epsilon(steps, Delta::new(delta).unwrap(), Composition::Exact).unwrap()
}

/// The bounds of the reference table: never below v - 1e-6, at most v (1 + 1e-4).
fn at_reference(found: f64, v: f64) {
    assert!(found >= v - 1e-6 && found <= v * (1.0 + 1e-4), "found {found}, reference {v}");
}

#[test]
fn reference_values() {
    at_reference(exact(&[gaussian(1.0, rows(1))], 1e-5), 4.430238);
    at_reference(exact(&vec![gaussian(2.0, rows(1)); 4], 1e-5), 4.389916);
    at_reference(exact(&vec![gaussian(10.0, rows(1)); 100], 1e-5), 4.377187);
    let found = exact(&vec![selection(0.1); 30], 1e-5);
    assert!((found - 1.02302).abs() < 1e-4, "{found}");
    // The price of discreteness at the sigma of the continuous formula.
    let found = exact(&[gaussian(analytic::continuous_sigma(1.0, 1e-5), rows(1))], 1e-5);
    assert!((found - 1.0026).abs() < 1e-4, "{found}");
    // What a plan gains over zCDP at (0.8, 1e-5): rho 0.0239 against 0.0203.
    assert!(exact(&[gaussian((0.5f64 / 0.0238).sqrt(), rows(1))], 1e-5) < 0.8);
    assert!(exact(&[gaussian((0.5f64 / 0.0240).sqrt(), rows(1))], 1e-5) > 0.8);
}

/// All outcomes of one noisy cell, listed plainly: (P, Q).
fn outcomes(step: &Step, shift: i64) -> Vec<(f64, f64)> {
    let log_density: Box<dyn Fn(f64) -> f64> = match step {
        Step::Gaussian { sigma_squared, .. } => {
            let s = sigma_squared.to_f64();
            Box::new(move |x| -x * x / (2.0 * s))
        }
        Step::Laplace { scale, .. } => {
            let b = scale.to_f64();
            Box::new(move |x: f64| -x.abs() / b)
        }
        Step::Exponential { .. } | Step::Threshold { .. } | Step::Histogram { .. } => unreachable!("not a noisy cell"),
    };
    let mut reach = 1i64;
    while log_density(reach as f64) > -80.0 {
        reach += 1;
    }
    let list: Vec<f64> = (-reach..=reach + shift).map(|x| x as f64).collect();
    let sum = |away: f64| list.iter().map(|x| log_density(x - away).exp()).sum::<f64>();
    let (p_sum, q_sum) = (sum(0.0), sum(shift as f64));
    let mut all: Vec<(f64, f64)> = Vec::new();
    let mut last_ratio = f64::INFINITY;
    for x in &list {
        let (p, q) = (log_density(*x).exp() / p_sum, log_density(x - shift as f64).exp() / q_sum);
        // Laplace noise has long runs of outcomes that tell the same.
        let ratio = log_density(*x) - log_density(x - shift as f64);
        match all.last_mut() {
            Some(same) if (ratio - last_ratio).abs() < 1e-11 => *same = (same.0 + p, same.1 + q),
            _ => all.push((p, q)),
        }
        last_ratio = ratio;
    }
    all
}

/// Independent cells together, outcome by outcome.
fn product(cells: &[Vec<(f64, f64)>]) -> Vec<(f64, f64)> {
    cells.iter().fold(vec![(1.0, 1.0)], |all, cell| {
        all.iter()
            .flat_map(|(p, q)| cell.iter().map(move |(a, b)| (p * a, q * b)))
            .filter(|(p, q)| p.max(*q) > 1e-30)
            .collect()
    })
}

fn delta_of(outcomes: &[(f64, f64)], epsilon: f64) -> f64 {
    outcomes.iter().map(|(p, q)| (p - epsilon.exp() * q).max(0.0)).sum()
}

/// The claim is true, and a slightly smaller one would not be.
fn sound_and_tight(steps: &[Step], outcomes: &[(f64, f64)], delta: f64) {
    let claim = exact(steps, delta);
    let swapped: Vec<_> = outcomes.iter().map(|(p, q)| (*q, *p)).collect();
    for pair in [outcomes, &swapped] {
        assert!(delta_of(pair, claim) <= delta * (1.0 + 1e-9), "{steps:?} {delta}: {claim} is too small");
        let less = claim * (1.0 - 1e-4) - 1e-9;
        assert!(delta_of(pair, less) > delta, "{steps:?} {delta}: {claim} is too large");
    }
}

#[test]
fn one_noisy_cell_agrees_with_enumeration() {
    for delta in [1e-3, 1e-6, 1e-12, 1e-15] {
        for shift in 1..=4u32 {
            for sigma in [0.3, 0.5, 0.9, 1.7, 3.09] {
                let step = gaussian(sigma, rows(shift));
                sound_and_tight(std::slice::from_ref(&step), &outcomes(&step, i64::from(shift)), delta);
            }
            for scale in [0.2, 0.7, 3.3, 20.0] {
                let step = laplace(scale, rows(shift));
                sound_and_tight(std::slice::from_ref(&step), &outcomes(&step, i64::from(shift)), delta);
            }
        }
        for sigma in [0.2, 12.3, 150.0] {
            let step = gaussian(sigma, rows(1));
            sound_and_tight(std::slice::from_ref(&step), &outcomes(&step, 1), delta);
        }
    }
}

#[test]
fn replace_one_is_two_cells_shifted_by_one() {
    let neighbours = Neighbours::new(Relation::ReplaceOne, 1).unwrap();
    for delta in [1e-3, 1e-9] {
        for step in [gaussian(0.8, neighbours), gaussian(2.6, neighbours), laplace(1.9, neighbours)] {
            sound_and_tight(std::slice::from_ref(&step), &product(&[outcomes(&step, 1), outcomes(&step, -1)]), delta);
        }
    }
}

#[test]
fn different_noises_compose_as_enumerated() {
    // Lattices that do not fit each other, few steps: the hardest case for a grid.
    let steps = [gaussian(0.77, rows(1)), gaussian(1.3, rows(1)), laplace(1.37, rows(1)), laplace(0.61, rows(1))];
    let all = product(&steps.clone().map(|step| outcomes(&step, 1)));
    for delta in [1e-2, 1e-5, 1e-10] {
        sound_and_tight(&steps, &all, delta);
    }
}

/// One step of the recursion by brute force over t, on a table with linear interpolation: no part
/// of the product's code.
struct SlowProfile {
    low: f64,
    step: f64,
    values: Vec<f64>,
}

impl SlowProfile {
    fn nothing() -> Self {
        let (low, step) = (-6.0, 5e-4);
        Self { low, step, values: (0..24_000).map(|i| (1.0 - (low + i as f64 * step).exp()).max(0.0)).collect() }
    }

    fn at(&self, s: f64) -> f64 {
        let place = (s - self.low) / self.step;
        if place < 0.0 {
            return 1.0 - s.exp();
        }
        let index = place as usize;
        if index + 1 >= self.values.len() {
            return 0.0;
        }
        let share = place - index as f64;
        self.values[index] * (1.0 - share) + self.values[index + 1] * share
    }

    fn before(&self, epsilon: f64) -> Self {
        let value = |s: f64| {
            (0..=200)
                .map(|i| {
                    let t = epsilon * f64::from(i) / 200.0;
                    let p = (1.0 - (t - epsilon).exp()) / (1.0 - (-epsilon).exp());
                    p * self.at(s - t) + (1.0 - p) * self.at(s - t + epsilon)
                })
                .fold(0.0, f64::max)
        };
        let values = (0..self.values.len()).map(|i| value(self.low + i as f64 * self.step)).collect();
        Self { low: self.low, step: self.step, values }
    }
}

/// A run of noisy cells and selections, by enumeration of the cells and brute force over the
/// selections.
fn mixed_row(cells: &[Step], selections: &[f64], order: &[Step], delta: f64) {
    let rest = selections.iter().rev().fold(SlowProfile::nothing(), |profile, &epsilon| profile.before(epsilon));
    let all = product(&cells.iter().map(|step| outcomes(step, 1)).collect::<Vec<_>>());
    let slow = |epsilon: f64| all.iter().map(|(p, q)| p * rest.at(epsilon - (p / q).ln())).sum::<f64>();
    let (mut low, mut high) = (0.0, 20.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if slow(middle) > delta { low = middle } else { high = middle }
    }
    at_reference(exact(order, delta), high);
}

#[test]
fn first_mixed_row() {
    let cells = [gaussian(1.5, rows(1)), gaussian(1.5, rows(1)), laplace(2.0, rows(1))];
    let order = [cells[0].clone(), selection(0.7), cells[2].clone(), selection(0.7), cells[1].clone()];
    mixed_row(&cells, &[0.7, 0.7], &order, 1e-5);
}

#[test]
fn second_mixed_row() {
    let cells = [gaussian(3.7, rows(1)), laplace(4.0, rows(1)), laplace(9.0, rows(1))];
    let order = [selection(0.5), cells[1].clone(), selection(0.2), cells[2].clone(), cells[0].clone(), selection(0.33)];
    mixed_row(&cells, &[0.5, 0.2, 0.33], &order, 1e-6);
}

#[test]
fn large_sigmas_and_long_plans_come_close_to_the_continuous_formula() {
    // From sigma 30 on the two agree to far below the tolerance unless the loss of a single step is
    // resolved.
    for (sigma, count, delta) in [
        (1e6, 1, 1e-9),
        (1e6, 10_000, 1e-15),
        (1001.0, 100, 1e-6),
        (999.0, 100, 1e-6),
        (250.0, 10_000, 1e-15),
        (100.0, 10_000, 1e-3),
        (31.6, 2_000, 1e-15),
    ] {
        let found = exact(&vec![gaussian(sigma, rows(1)); count as usize], delta);
        let continuous = analytic::continuous_epsilon(sigma, count, delta);
        assert!(found > continuous * (1.0 - 1e-6) && found < continuous * (1.0 + 1.5e-4), "{found} {continuous}");
    }
    // Nothing is claimed where delta covers all.
    assert_eq!(exact(&[gaussian(1e6, rows(1))], 1e-3), 0.0);
}

#[test]
fn a_mixture_of_scales_far_apart_is_between_its_parts() {
    let large = exact(&[gaussian(2.0, rows(1))], 1e-9);
    let mut steps = vec![gaussian(2.0, rows(1))];
    steps.extend(vec![gaussian(3000.0, rows(1)); 50]);
    steps.extend(vec![laplace(500.0, rows(1)); 3]);
    let found = exact(&steps, 1e-9);
    assert!(found > large && found < large * 1.001, "{large} {found}");
}

#[test]
fn one_selection_is_the_worst_two_point_loss() {
    // delta(s) of a single selection is the envelope (1 - exp(-(eps - s)/2))^2 / (1 - exp(-eps)).
    for epsilon in [0.1, 1.0, 4.0] {
        for delta in [1e-2, 1e-5, 1e-9] {
            let claim = exact(&[selection(epsilon)], delta);
            let envelope = |s: f64| (1.0 - (-(epsilon - s) / 2.0).exp()).powi(2) / (1.0 - (-epsilon).exp());
            assert!(claim >= epsilon || envelope(claim) <= delta * (1.0 + 1e-6), "{epsilon} {delta} {claim}");
            if claim > 0.0 {
                assert!(envelope(claim * (1.0 - 1e-4)) > delta, "{epsilon} {delta} {claim}");
            }
        }
    }
}

#[test]
fn the_exponential_mechanism_on_small_inputs_keeps_the_claim() {
    // All score vectors with three candidates and scores 0..=2, all neighbours that move each score
    // by at most 1.
    let vectors: Vec<[i32; 3]> = (0..27).map(|code| [code % 3, code / 3 % 3, code / 9]).collect();
    let epsilon = 1.25;
    let chances = |scores: &[i32; 3]| {
        let powers = scores.map(|score| (epsilon * f64::from(score) / 2.0).exp());
        powers.map(|power| power / powers.iter().sum::<f64>())
    };
    for delta in [0.2, 0.05, 1e-3] {
        let claim = exact(&[selection(epsilon)], delta);
        let mut worst: f64 = 0.0;
        for a in &vectors {
            for b in vectors.iter().filter(|b| a.iter().zip(*b).all(|(x, y)| (x - y).abs() <= 1)) {
                let pair: Vec<_> = chances(a).into_iter().zip(chances(b)).collect();
                worst = worst.max(delta_of(&pair, claim));
            }
        }
        assert!(worst <= delta, "{worst} at {claim}");
    }
}

#[test]
fn no_split_of_a_persons_rows_is_worse_than_one_cell() {
    for rows_of_one in 2..=4i64 {
        for noise in [
            gaussian(0.3, rows(1)),
            gaussian(0.8, rows(1)),
            gaussian(3.1, rows(1)),
            laplace(0.4, rows(1)),
            laplace(2.5, rows(1)),
        ] {
            let whole = outcomes(&noise, rows_of_one);
            for first in 1..=rows_of_one / 2 {
                let split = product(&[outcomes(&noise, first), outcomes(&noise, rows_of_one - first)]);
                for step in 0..80 {
                    let epsilon = f64::from(step) * 0.25;
                    let (one, two) = (delta_of(&whole, epsilon), delta_of(&split, epsilon));
                    assert!(two <= one + 1e-12, "{noise:?} {first} of {rows_of_one}: {two} above {one} at {epsilon}");
                }
            }
        }
    }
}

#[test]
fn what_has_no_proof_is_refused() {
    let allowed = |step: Step| check(&step).is_ok();
    assert!(allowed(gaussian(1000.0, rows(1))));
    assert!(allowed(gaussian(0.3, rows(4))) && allowed(gaussian(3.0999, rows(2))));
    assert!(!allowed(gaussian(0.29, rows(2))) && !allowed(gaussian(3.11, rows(2))) && !allowed(gaussian(1.0, rows(5))));
    assert!(allowed(laplace(7.0, rows(1000))) && !allowed(laplace(7.0, rows(1_000_000))));
    let refused = accounting::epsilon(&[gaussian(9.0, rows(2))], Delta::new(1e-9).unwrap(), Composition::Exact);
    assert!(refused.is_err());
    assert!(accounting::epsilon(&[selection(0.1)], Delta::new(0.0).unwrap(), Composition::Exact).is_err());
}

#[test]
fn coarse_grids_are_sound_too() {
    let steps =
        [vec![gaussian(12.0, rows(1)); 40], vec![selection(0.05); 20], vec![laplace(30.0, rows(1)); 7]].concat();
    let fine = epsilon(&steps, 1e-9, Quality::FINE).unwrap();
    let coarse = epsilon(&steps, 1e-9, Quality::COARSE).unwrap();
    assert!(coarse >= fine * (1.0 - 1e-7) && coarse < fine * 1.02, "{fine} {coarse}");
    let summed = accounting::epsilon(&steps, Delta::new(1e-9).unwrap(), Composition::Zcdp).unwrap();
    assert!(fine < 0.97 * summed, "{fine} {summed}");
}
