//! Exact loss: the output distribution of each mechanism on tiny inputs, enumerated, costs no more than is claimed.

use super::pmf::Pmf;

/// The zCDP claim: delta(epsilon) <= min over alpha of exp((alpha - 1)(alpha rho - epsilon)) (1 - 1/alpha)^alpha / (alpha - 1).
fn zcdp_delta(rho: f64, epsilon: f64) -> f64 {
    let at =
        |alpha: f64| ((alpha - 1.0) * (alpha * rho - epsilon)).exp() * (1.0 - 1.0 / alpha).powf(alpha) / (alpha - 1.0);
    (1..20_000).map(|step| at(1.0 + f64::from(step) / 100.0)).fold(1.0, f64::min)
}

#[test]
fn discrete_gaussians_cost_at_most_their_rho() {
    for sigma in [0.3, 0.5, 1.0, 2.0, 3.73, 10.0] {
        let pmf = Pmf::gaussian(sigma * sigma);
        for shift in [1i64, 2, 4] {
            let rho = (shift * shift) as f64 / (2.0 * sigma * sigma);
            for epsilon in [0.1, 0.5, 1.0, 2.0, 4.0, 8.0] {
                let (exact, claim) = (pmf.delta(shift, epsilon), zcdp_delta(rho, epsilon));
                assert!(exact <= claim * (1.0 + 1e-9) + 1e-14, "sigma {sigma}, {shift}, {epsilon}: {exact} > {claim}");
            }
        }
    }
    // Half the noise must break the claim.
    assert!(Pmf::gaussian(0.25).delta(1, 1.0) > zcdp_delta(0.5, 1.0));
}

/// Reference values: one discrete Gaussian with sigma 1 costs epsilon 4.430238 at delta 1e-5; the sigma of the continuous
/// Gaussian at (1, 1e-5), 3.730632, costs the discrete one 1.0026.
#[test]
fn discrete_gaussian_reference_values() {
    let epsilon_at = |sigma_squared: f64| {
        let (pmf, mut low, mut high) = (Pmf::gaussian(sigma_squared), 0.0, 50.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if pmf.delta(1, middle) > 1e-5 { low = middle } else { high = middle }
        }
        high
    };
    assert!((epsilon_at(1.0) - 4.430_238).abs() < 1e-6);
    assert!((epsilon_at(3.730_632f64.powi(2)) - 1.0026).abs() < 1e-4);
}

/// A shift of s costs exactly s / scale, no less and no more.
#[test]
fn discrete_laplaces_cost_their_epsilon() {
    for scale in [0.3, 1.0, 8.5] {
        let pmf = Pmf::laplace(scale);
        for shift in [1i64, 2] {
            let epsilon = shift as f64 / scale;
            assert!(pmf.delta(shift, epsilon * (1.0 + 1e-12)) < 1e-12);
            assert!(pmf.delta(shift, epsilon * 0.98) > 1e-4);
        }
    }
}

/// All pairs of score vectors over 0..=3 with three candidates that differ by at most the sensitivity 1.
#[test]
fn the_exponential_mechanism_costs_its_epsilon() {
    let epsilon = 0.8;
    let vectors: Vec<[i32; 3]> = (0..64).map(|n| [n % 4, n / 4 % 4, n / 16]).collect();
    let probabilities = |scores: &[i32; 3]| {
        let weights = scores.map(|score| (epsilon * f64::from(score) / 2.0).exp());
        weights.map(|weight| weight / weights.iter().sum::<f64>())
    };
    let mut worst = 0.0f64;
    for left in &vectors {
        for right in &vectors {
            if left.iter().zip(right).all(|(l, r)| (l - r).abs() <= 1) {
                let (p, q) = (probabilities(left), probabilities(right));
                let losses = [0, 1, 2].map(|i| (p[i] / q[i]).ln());
                let spread =
                    losses.iter().copied().fold(f64::MIN, f64::max) - losses.iter().copied().fold(f64::MAX, f64::min);
                assert!(spread <= epsilon + 1e-12, "bounded range: {left:?} {right:?}");
                worst = losses.iter().copied().fold(worst, f64::max);
            }
        }
    }
    assert!(worst <= epsilon && worst > epsilon / 2.0, "{worst}");
}
