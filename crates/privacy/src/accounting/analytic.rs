//! The continuous Gaussian mechanism in closed form, as a yardstick.
//!
//! **Never calibrate with this.** The program draws discrete Gaussians, which cost more: at the
//! sigma that this formula gives for (1, 1e-5) the discrete Gaussian costs 1.0026. These functions
//! exist for tests and comparisons only; nothing in plans, ledgers or statements may call them.

use super::special::normal_below;

/// The delta at `epsilon` of one continuous Gaussian with sensitivity 1 (Balle, Wang 2018).
pub fn continuous_delta(sigma: f64, epsilon: f64) -> f64 {
    let mu = 1.0 / sigma;
    normal_below(mu / 2.0 - epsilon / mu) - epsilon.exp() * normal_below(-mu / 2.0 - epsilon / mu)
}

/// The epsilon at `delta` of `count` continuous Gaussians: together they are one with sigma /
/// sqrt(count).
pub fn continuous_epsilon(sigma: f64, count: u32, delta: f64) -> f64 {
    let single = sigma / f64::from(count).sqrt();
    let top = 1000.0 / single + 1000.0 / (single * single);
    bisect(0.0, top, |epsilon| continuous_delta(single, epsilon) > delta)
}

/// The sigma of the continuous Gaussian that is exactly (epsilon, delta).
pub fn continuous_sigma(epsilon: f64, delta: f64) -> f64 {
    bisect(1e-3, 1e9, |sigma| continuous_delta(sigma, epsilon) > delta)
}

/// Where a condition that holds below stops to hold.
fn bisect(mut low: f64, mut high: f64, below: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found / expected - 1.0).abs() < 1e-6, "found {found}, expected {expected}");
    }

    #[test]
    fn reference_values() {
        for (epsilon, delta, sigma) in [
            (0.1, 1e-5, 30.749566),
            (1.0, 1e-5, 3.730632),
            (3.2, 1e-5, 1.313832),
            (0.1, 1e-9, 50.209818),
            (1.0, 1e-9, 5.495266),
            (3.2, 1e-9, 1.830163),
        ] {
            close(continuous_sigma(epsilon, delta), sigma);
        }
        close(continuous_epsilon(5.0, 10, 1e-5), 2.594383);
        close(continuous_epsilon(20.0, 1000, 1e-5), 7.511276);
        close(continuous_epsilon(10.0, 100, 1e-5), 4.377178);
    }
}
