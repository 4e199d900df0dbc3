//! Exact loss: the output distribution of each mechanism on tiny inputs, enumerated, costs no more
//! than the accountant says.

use super::pmf::{Pmf, excess};
use crate::{
    Composition, CountSensitivity, Delta, Epsilon, Neighbours, Rational, Relation, Step,
    accounting::{self, delta_of_rho},
};

fn marginals() -> [CountSensitivity; 3] {
    let marginal = |relation, contribution| Neighbours::new(relation, contribution).unwrap().marginal();
    [marginal(Relation::AddRemove, 1), marginal(Relation::AddRemove, 3), marginal(Relation::ReplaceOne, 1)]
}

#[test]
fn discrete_gaussians_cost_at_most_what_is_claimed() {
    for (numerator, denominator) in [(1, 4), (1, 1), (7, 3), (139_129, 10_000)] {
        let sigma_squared = Rational::new(numerator, denominator).unwrap();
        let pmf = Pmf::gaussian(sigma_squared.to_f64());
        for sensitivity in marginals() {
            for delta in [1e-2, 1e-5, 1e-9] {
                let steps = [Step::Gaussian { sigma_squared, sensitivity: sensitivity.clone() }];
                for composition in [Composition::Zcdp, Composition::Exact] {
                    let claim = accounting::epsilon(&steps, Delta::new(delta).unwrap(), composition);
                    // Exact composition has no proof for every contribution, and then refuses.
                    let Ok(claim) = claim else {
                        assert!(composition == Composition::Exact && sensitivity.l1() == 3);
                        continue;
                    };
                    let exact = pmf.delta(sensitivity.shifts(), claim);
                    assert!(exact <= delta, "sigma^2 {sigma_squared}, {sensitivity:?}, delta {delta}: {exact}");
                    // The same claim with half the noise is false.
                    let control = Pmf::gaussian(sigma_squared.to_f64() / 4.0);
                    assert!(control.delta(sensitivity.shifts(), claim) > delta);
                }
            }
        }
    }
}

/// Reference values: one discrete Gaussian with sigma 1 costs epsilon 4.430238 at delta 1e-5; the
/// sigma of the continuous Gaussian at (1, 1e-5), 3.730632, costs the discrete one 1.0026.
#[test]
fn discrete_gaussian_reference_values() {
    let epsilon_at = |sigma_squared: f64| {
        let (pmf, mut low, mut high) = (Pmf::gaussian(sigma_squared), 0.0, 50.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if pmf.delta(&[1], middle) > 1e-5 { low = middle } else { high = middle }
        }
        high
    };
    assert!((epsilon_at(1.0) - 4.430_238).abs() < 1e-6);
    assert!((epsilon_at(3.730_632f64.powi(2)) - 1.0026).abs() < 1e-4);
}

#[test]
fn discrete_laplaces_cost_what_is_claimed_and_no_less() {
    for (numerator, denominator) in [(3, 10), (1, 1), (17, 2)] {
        let scale = Rational::new(numerator, denominator).unwrap();
        let pmf = Pmf::laplace(scale.to_f64());
        for sensitivity in marginals() {
            let steps = [Step::Laplace { scale, sensitivity: sensitivity.clone() }];
            let claim = accounting::epsilon(&steps, Delta::new(0.0).unwrap(), Composition::Pure).unwrap();
            // The sums of this test round, by less than 1e-12.
            assert!(pmf.delta(sensitivity.shifts(), claim) < 1e-12, "{scale}, {sensitivity:?}");
            assert!(pmf.delta(sensitivity.shifts(), claim * 0.98) > 1e-4, "{scale}, {sensitivity:?}");
        }
    }
}

/// All pairs of score vectors over 0..=3 with three candidates that differ by at most the
/// sensitivity 1.
#[test]
fn the_exponential_mechanism_costs_at_most_what_is_claimed() {
    let step = Step::Exponential { epsilon: Rational::new(4, 5).unwrap() };
    let epsilon = accounting::pure_epsilon([&step]).unwrap();
    let rho = crate::Rho::new(accounting::total_rho([&step])).unwrap();
    let vectors: Vec<[i32; 3]> = (0..64).map(|n| [n % 4, n / 4 % 4, n / 16]).collect();
    let probabilities = |scores: &[i32; 3]| {
        let weights = scores.map(|score| (0.8 * f64::from(score) / 2.0).exp());
        weights.map(|weight| weight / weights.iter().sum::<f64>())
    };
    let mut worst = 0.0f64;
    for left in &vectors {
        for right in vectors.iter().filter(|right| left.iter().zip(*right).all(|(l, r)| (l - r).abs() <= 1)) {
            let (p, q) = (probabilities(left), probabilities(right));
            worst = (0..3).map(|i| (p[i] / q[i]).ln()).fold(worst, f64::max);
            for at in [0.05, 0.2, 0.4, 0.6, 0.75] {
                let exact: f64 = (0..3).map(|i| excess(p[i], q[i], at)).sum();
                assert!(exact <= delta_of_rho(rho, Epsilon::new(at).unwrap()), "{left:?} {right:?} at {at}");
            }
        }
    }
    assert!(worst <= epsilon && worst > epsilon / 2.0, "{worst}");
}
