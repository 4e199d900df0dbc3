use super::*;
use crate::{Neighbours, Relation};

/// The noise's probabilities from `-reach` to `reach`, by plain sums.
fn masses(sigma_squared: f64, reach: i64) -> Vec<f64> {
    let density = |y: i64| (-(y * y) as f64 / (2.0 * sigma_squared)).exp();
    let all: f64 = (-reach..=reach).map(density).sum();
    (-reach..=reach).map(|y| density(y) / all).collect()
}

fn neighbours(relation: Relation, rows: u32) -> Neighbours {
    Neighbours::new(relation, rows).unwrap()
}

#[test]
fn tails_are_bounded_from_above_and_closely() {
    for (numerator, denominator) in [(1, 4), (1, 1), (9, 2), (100, 1), (14_641, 1)] {
        let sigma_squared = Rational::new(numerator, denominator).unwrap();
        let value = sigma_squared.to_f64();
        let reach = (40.0 * value.sqrt()) as i64 + 10;
        let masses = masses(value, reach);
        for sigmas in [0.1, 0.7, 1.0, 2.5, 4.0, 6.0] {
            let from = ((value.sqrt() * sigmas) as u64).max(1);
            let exact: f64 = masses[(reach + from as i64) as usize..].iter().sum();
            let found = tail(sigma_squared, from);
            assert!(found >= exact, "{value} {from}: {found} below {exact}");
            // The first term is counted twice, which is little where sigma is large.
            assert!(found <= exact * (1.0 + 8.0 / value.sqrt().max(1.0)) + 1e-300, "{value} {from}: {found} {exact}");
        }
    }
}

#[test]
fn thresholds_are_the_smallest_that_do() {
    for (relation, rows) in [(Relation::AddRemove, 1), (Relation::AddRemove, 3), (Relation::ReplaceOne, 1)] {
        let sensitivity = neighbours(relation, rows).marginal();
        let sigma_squared = Rational::new(3721, 1).unwrap();
        for most in [1e-3, 1e-9, 1e-14] {
            let threshold = threshold_for(sigma_squared, &sensitivity, most).unwrap();
            assert!(tau(sigma_squared, threshold, &sensitivity) <= most);
            assert!(tau(sigma_squared, threshold - 1, &sensitivity) > most);
        }
        assert_eq!(tau(sigma_squared, u64::from(rows), &sensitivity), 1.0);
        assert!(threshold_for(sigma_squared, &sensitivity, 0.0).is_err());
    }
}

/// The loss of one value: for each outcome (not released, or a count from T on), its probability.
fn outcomes(rows: i64, masses: &[f64], threshold: i64) -> Vec<f64> {
    let reach = (masses.len() / 2) as i64;
    let mut out = vec![0.0; (2 * reach) as usize];
    for (place, mass) in masses.iter().enumerate() {
        let noisy = rows + place as i64 - reach;
        // A value that does not occur is not released.
        let cell = if rows > 0 && noisy >= threshold { (1 + noisy - threshold) as usize } else { 0 };
        if cell < out.len() { out[cell] += mass } else { out[0] += mass }
    }
    out
}

/// All outcomes of several values.
fn joint(tables: &[Vec<f64>]) -> Vec<f64> {
    tables.iter().fold(vec![1.0], |all, one| all.iter().flat_map(|a| one.iter().map(move |b| a * b)).collect())
}

fn excess(p: &[f64], q: &[f64], epsilon: f64) -> f64 {
    p.iter().zip(q).map(|(p, q)| (p - epsilon.exp() * q).max(0.0)).sum()
}

/// Exact loss by enumeration, both relations, several contributions, both directions: what the
/// account says of one query is never passed, and a smaller tau would be.
#[test]
fn the_account_covers_every_pair_of_tiny_tables() {
    let sigma_squared = Rational::new(1, 1).unwrap();
    let masses = masses(1.0, 12);
    let gaussian = |shift: usize, epsilon: f64| {
        let wide = |from: usize| {
            let mut cells = vec![0.0; masses.len() + 6];
            cells[from..from + masses.len()].copy_from_slice(&masses);
            cells
        };
        let (p, q) = (wide(0), wide(shift));
        excess(&p, &q, epsilon).max(excess(&q, &p, epsilon))
    };
    for rows in 1..=3usize {
        let sensitivity = neighbours(Relation::AddRemove, rows as u32).marginal();
        for threshold in rows as i64 + 2..rows as i64 + 5 {
            let tau = tau(sigma_squared, threshold as u64, &sensitivity);
            let mut closest: f64 = 0.0;
            for before in [[0i64, 0], [0, 1], [1, 2], [0, 4], [3, 4], [2, 2]] {
                for first in 0..=rows as i64 {
                    let after = [before[0] + first, before[1] + rows as i64 - first];
                    let table = |counts: [i64; 2]| joint(&counts.map(|rows| outcomes(rows, &masses, threshold)));
                    let (p, q) = (table(before), table(after));
                    for epsilon in [0.0, 0.5, 1.0, 2.0, 4.0] {
                        let claimed = tau + (1.0 - tau) * gaussian(rows, epsilon + (1.0 - tau).ln());
                        let found = excess(&p, &q, epsilon).max(excess(&q, &p, epsilon));
                        assert!(found <= claimed + 1e-12, "{before:?} {after:?} at {epsilon}: {found} > {claimed}");
                        closest = closest.max(found / claimed);
                    }
                }
            }
            assert!(closest > 0.5, "the account is no more than twice the loss: {closest}");
        }
    }
}

/// Two values of one row each show more often than one value of two rows, where the noise is large.
#[test]
fn several_values_of_one_person_count() {
    let sigma_squared = Rational::new(100, 1).unwrap();
    let (threshold, masses) = (41usize, masses(100.0, 400));
    let shows: f64 = masses[400 + threshold - 1..].iter().sum();
    let either = 1.0 - (1.0 - shows) * (1.0 - shows);
    let together: f64 = masses[400 + threshold - 2..].iter().sum();
    assert!(either > together, "this is the worse case here");
    let tau = tau(sigma_squared, threshold as u64, &neighbours(Relation::AddRemove, 2).marginal());
    assert!(tau >= either && tau < 1.2 * either, "{tau} of {either}");
}

#[test]
fn the_account_covers_replaced_records() {
    let sigma_squared = Rational::new(1, 1).unwrap();
    let masses = masses(1.0, 12);
    let sensitivity = neighbours(Relation::ReplaceOne, 1).marginal();
    let single = |epsilon: f64| {
        // Two cells that shift by one each, in opposite directions.
        let (mut p, mut q) = (vec![0.0; masses.len() + 1], vec![0.0; masses.len() + 1]);
        p[..masses.len()].copy_from_slice(&masses);
        q[1..].copy_from_slice(&masses);
        excess(&joint(&[p.clone(), q.clone()]), &joint(&[q, p]), epsilon)
    };
    for threshold in 3..6i64 {
        let tau = tau(sigma_squared, threshold as u64, &sensitivity);
        for before in [[1i64, 0], [1, 1], [2, 0], [4, 3], [1, 4], [5, 0]] {
            let after = [before[0] - 1, before[1] + 1];
            let table = |counts: [i64; 2]| joint(&counts.map(|rows| outcomes(rows, &masses, threshold)));
            let (p, q) = (table(before), table(after));
            for epsilon in [0.0, 0.5, 1.0, 2.0, 4.0] {
                let claimed = tau + (1.0 - tau) * single(epsilon + (1.0 - tau).ln());
                let found = excess(&p, &q, epsilon).max(excess(&q, &p, epsilon));
                assert!(found <= claimed + 1e-12, "{before:?} at {epsilon}: {found} > {claimed}");
            }
        }
    }
}

#[test]
fn a_quarter_of_delta_is_set_apart() {
    let (left, tau) = with_tau(Budget::new(1.0, 1e-9).unwrap()).unwrap();
    assert_eq!(tau, 2.5e-10);
    assert!(left.delta.get() + tau <= 1e-9 && left.delta.get() > 0.7499e-9);
    let (left, tau) = with_tau(Budget::new(1.0, 0.0).unwrap()).unwrap();
    assert_eq!((left.delta.get(), tau), (0.0, 0.0));
}

/// Tau is what happens: of ten million draws at a threshold with a tau of about 1e-3, as many are
/// released. Five standard deviations are passed by chance once in a million runs.
#[test]
fn tau_is_seen_in_draws() {
    let sigma_squared = Rational::new(400, 1).unwrap();
    let sensitivity = neighbours(Relation::AddRemove, 1).marginal();
    let threshold = threshold_for(sigma_squared, &sensitivity, 1e-3).unwrap();
    let expected = tau(sigma_squared, threshold, &sensitivity);
    let gaussian = crate::DiscreteGaussian::new(sigma_squared).unwrap();
    let mut bits = crate::SeededNoise::new(7);
    let (draws, mut released) = (10_000_000u64, 0u64);
    let mut noisy = vec![1i64; 100_000];
    for _ in 0..draws / noisy.len() as u64 {
        noisy.fill(1);
        gaussian.add_to(&mut noisy, &mut bits);
        released += noisy.iter().filter(|&&count| count >= threshold as i64).count() as u64;
    }
    let mean = expected * draws as f64;
    assert!((released as f64 - mean).abs() < 5.0 * mean.sqrt() + 0.05 * mean, "{released} of about {mean}");
    assert!((released as f64) < mean + 5.0 * mean.sqrt(), "{released} above {mean}");
    // The control: two deviations lower, it is seen far more often.
    let lower = tau(sigma_squared, threshold - 40, &sensitivity);
    assert!(lower > 20.0 * expected);
}
