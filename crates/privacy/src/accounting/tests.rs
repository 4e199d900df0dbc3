//! Exact loss: the output distributions of whole mechanisms on tiny tables, against what the
//! accountants claim.

use super::*;
use crate::{CountSensitivity, Neighbours, Rational, Relation};

/// The noisy counts of a table with two cells: every outcome's probability on two neighbouring
/// tables.
fn noisy_counts(noise: &dyn Fn(i64) -> f64, a: [i64; 2], b: [i64; 2], reach: i64) -> Vec<(f64, f64)> {
    let sum: f64 = (-reach..=reach).map(noise).sum();
    let chance = |x: i64| noise(x) / sum;
    let mut all = Vec::new();
    for x in -reach..=reach {
        for y in -reach..=reach {
            let p = chance(x - a[0]) * chance(y - a[1]);
            let q = chance(x - b[0]) * chance(y - b[1]);
            all.push((p, q));
        }
    }
    all
}

fn delta_of(outcomes: &[(f64, f64)], epsilon: f64) -> f64 {
    outcomes.iter().map(|(p, q)| (p - epsilon.exp() * q).max(0.0)).sum()
}

/// Pairs of neighbouring tables with two cells, up to the common rows, which noise does not see.
fn pairs(neighbours: Neighbours) -> Vec<([i64; 2], [i64; 2])> {
    let c = i64::from(neighbours.contribution());
    match neighbours.relation() {
        Relation::ReplaceOne => vec![([1, 0], [0, 1]), ([0, 1], [1, 0]), ([0, 0], [0, 0])],
        Relation::AddRemove => (0..=c)
            .flat_map(|first| (0..=c - first).map(move |second| [first, second]))
            .flat_map(|rows| [([0, 0], rows), (rows, [0, 0])])
            .collect(),
    }
}

fn claims_hold(step: &Step, noise: &dyn Fn(i64) -> f64, neighbours: Neighbours, reach: i64) {
    let steps = std::slice::from_ref(step);
    for (a, b) in pairs(neighbours) {
        let outcomes = noisy_counts(noise, a, b, reach);
        for delta in [0.3, 0.05, 1e-3, 1e-6] {
            let delta_unit = Delta::new(delta).unwrap();
            let mut claims = vec![epsilon(steps, delta_unit, Composition::Zcdp).unwrap()];
            claims.extend(epsilon(steps, delta_unit, Composition::Exact).ok());
            for claim in claims {
                let found = delta_of(&outcomes, claim);
                assert!(found <= delta + 1e-9, "{step:?} on {a:?} and {b:?}: {found} above {delta} at {claim}");
            }
        }
        if let Some(pure) = step.pure_epsilon() {
            assert!(delta_of(&outcomes, pure) < 1e-9, "{step:?}: more than its pure epsilon");
        }
    }
}

fn all_neighbours() -> [Neighbours; 3] {
    [
        Neighbours::new(Relation::AddRemove, 1).unwrap(),
        Neighbours::new(Relation::AddRemove, 2).unwrap(),
        Neighbours::new(Relation::ReplaceOne, 1).unwrap(),
    ]
}

#[test]
fn gaussian_counts_keep_the_claims() {
    for neighbours in all_neighbours() {
        for (numerator, denominator) in [(1, 4), (1, 1), (7, 2), (9, 1), (30, 1)] {
            let sigma_squared = Rational::new(numerator, denominator).unwrap();
            let step = Step::Gaussian { sigma_squared, sensitivity: neighbours.marginal() };
            let s = sigma_squared.to_f64();
            let reach = (8.0 * s.sqrt()) as i64 + 4;
            claims_hold(&step, &|x| (-(x as f64).powi(2) / (2.0 * s)).exp(), neighbours, reach);
        }
    }
}

#[test]
fn laplace_counts_keep_the_claims() {
    for neighbours in all_neighbours() {
        for (numerator, denominator) in [(1, 3), (1, 1), (5, 2)] {
            let scale = Rational::new(numerator, denominator).unwrap();
            let step = Step::Laplace { scale, sensitivity: neighbours.marginal() };
            let b = scale.to_f64();
            claims_hold(&step, &|x| (-(x as f64).abs() / b).exp(), neighbours, (25.0 * b) as i64 + 4);
        }
    }
}

#[test]
fn half_the_noise_breaks_the_claim() {
    // The negative control of the two tests above.
    let neighbours = all_neighbours()[0];
    let step = Step::Gaussian { sigma_squared: Rational::new(4, 1).unwrap(), sensitivity: neighbours.marginal() };
    let half = |x: i64| (-(x as f64).powi(2) / 2.0).exp();
    let outcomes = noisy_counts(&half, [0, 0], [1, 0], 20);
    let delta = Delta::new(1e-3).unwrap();
    let claim = epsilon(&[step], delta, Composition::Exact).unwrap();
    assert!(delta_of(&outcomes, claim) > 10.0 * delta.get());
}

#[test]
fn costs_of_single_steps() {
    let neighbours = Neighbours::new(Relation::AddRemove, 3).unwrap();
    let sensitivity: CountSensitivity = neighbours.marginal();
    let rational = |numerator, denominator| Rational::new(numerator, denominator).unwrap();
    let close = |found: f64, expected: f64| assert!(found >= expected && found < expected * (1.0 + 1e-14));
    let gaussian = Step::Gaussian { sigma_squared: rational(50, 1), sensitivity: sensitivity.clone() };
    close(gaussian.rho(), 0.09);
    assert_eq!(gaussian.pure_epsilon(), None);
    let laplace = Step::Laplace { scale: rational(12, 1), sensitivity };
    close(laplace.pure_epsilon().unwrap(), 0.25);
    close(laplace.rho(), 0.03125);
    let selection = Step::Exponential { epsilon: rational(1, 2) };
    close(selection.pure_epsilon().unwrap(), 0.5);
    close(selection.rho(), 0.03125);
    let free = Step::Laplace {
        scale: rational(1, 1),
        sensitivity: Neighbours::new(Relation::ReplaceOne, 1).unwrap().row_count(),
    };
    assert!(free.is_free() && free.rho() == 0.0 && free.pure_epsilon() == Some(0.0));
}

#[test]
fn pure_composition_adds_and_refuses_gaussians() {
    let neighbours = all_neighbours()[0];
    let laplace = Step::Laplace { scale: Rational::new(10, 1).unwrap(), sensitivity: neighbours.marginal() };
    let gaussian = Step::Gaussian { sigma_squared: Rational::new(10, 1).unwrap(), sensitivity: neighbours.marginal() };
    let zero = Delta::new(0.0).unwrap();
    let found = epsilon(&vec![laplace.clone(); 7], zero, Composition::Pure).unwrap();
    assert!((0.7..0.7 + 1e-12).contains(&found));
    assert!(epsilon(&[laplace, gaussian], zero, Composition::Pure).is_err());
}
