//! Sums of the discrete Gaussian over blocks of outcomes, for large sigma.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use crate::accounting::special::{ERFC_ERROR, erfc};

/// A discrete Gaussian pair with sigma at least 1000, whose outcomes are summed in blocks.
pub(super) struct Gaussian {
    sigma_squared: f64,
    sigma: f64,
    shift: f64,
    radius: f64,
}

/// A sum with a bound of its error.
#[derive(Clone, Copy)]
struct BoundedSum {
    value: f64,
    error: f64,
}

/// The probabilities of a block of outcomes: P from above, Q from below.
pub(super) struct OutcomeBlock {
    pub p: f64,
    pub q: f64,
}

impl Gaussian {
    pub(super) fn new(sigma_squared: f64, shift: u32, radius: f64) -> Self {
        Self { sigma_squared, sigma: sigma_squared.sqrt(), shift: f64::from(shift), radius }
    }

    /// The outcomes that are not left out: from `-radius` to `radius`.
    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    /// The first outcome whose loss is at least `loss` (up to rounding; the caller's slack covers
    /// it).
    pub(super) fn first_outcome(&self, loss: f64) -> f64 {
        (loss * self.sigma_squared / self.shift - 0.5 * self.shift).ceil()
    }

    /// P and Q of the outcomes from `from` to just before `to`.
    pub(super) fn block(&self, from: f64, to: f64) -> OutcomeBlock {
        // sum over all integers = sigma sqrt(2 pi) (1 + 2 exp(-2 pi^2 sigma^2) + ...): no
        // correction at this sigma.
        let normalizer = self.sigma * (2.0 * PI).sqrt();
        let p = self.sum(from, to);
        let q = self.sum(from + self.shift, to + self.shift);
        OutcomeBlock { p: (p.value + p.error) / normalizer, q: ((q.value - q.error) / normalizer).max(0.0) }
    }

    /// The sum of exp(-y^2 / 2 sigma^2) for `from <= y < to`, from tails on the side where they are
    /// small.
    fn sum(&self, from: f64, to: f64) -> BoundedSum {
        if from >= to {
            BoundedSum { value: 0.0, error: 0.0 }
        } else if from >= 0.0 {
            self.tail(from).minus(self.tail(to))
        } else if to <= 1.0 {
            self.tail(1.0 - to).minus(self.tail(1.0 - from))
        } else {
            let left = self.tail(1.0).minus(self.tail(1.0 - from));
            let right = self.tail(0.0).minus(self.tail(to));
            BoundedSum { value: left.value + right.value, error: left.error + right.error }
        }
    }

    /// The sum of `f(y) = exp(-y^2 / 2 sigma^2)` over the integers `y >= m`, by Euler and
    /// Maclaurin: integral + f/2 - f'/12 + f'''/720 - f^(5)/30240 + R with |R| <= (1/30240)
    /// integral of |f^(6)|.
    ///
    /// With v = m / sigma, f^(n) = (-1)^n He_n(v) f / sigma^n. Beyond the last zero of He_6 (3.4)
    /// the remainder is at most
    /// |He_5(v)| f / (30240 sigma^5) and the tail at least f sigma v / (v^2 + 1), so R is below v^6 / (2e4 sigma^6) of the
    /// tail; before it, the integral of |f^(6)| is at most sqrt(2 pi 720) / sigma^5 and the tail at
    /// least 8e-4 sigma, so R is below 3 / sigma^6 of the tail. To this come the error of erfc and
    /// of f, and the rounding of their arguments: 3 roundings of v^2 / 2, doubled.
    fn tail(&self, m: f64) -> BoundedSum {
        let v = m / self.sigma;
        let density = (-m * m / (2.0 * self.sigma_squared)).exp();
        let (s, v2) = (self.sigma, v * v);
        let third = v * (v2 - 3.0);
        let fifth = v * (v2 * (v2 - 10.0) + 15.0);
        let correction = 0.5 + v / (12.0 * s) - third / (720.0 * s.powi(3)) + fifth / (30240.0 * s.powi(5));
        let value = s * (0.5 * PI).sqrt() * erfc(v * FRAC_1_SQRT_2) + density * correction;
        let remainder = (3.0 + v2 * v2 * v2 / 2e4) / s.powi(6);
        let relative = ERFC_ERROR + 4.0 * f64::EPSILON + f64::EPSILON * 3.0 * v2 + remainder;
        BoundedSum { value, error: value * relative }
    }
}

impl BoundedSum {
    fn minus(self, other: Self) -> Self {
        let value = self.value - other.value;
        Self { value, error: self.error + other.error + f64::EPSILON * value.abs() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds up small terms first, with compensation, so that the reference is good to the last
    /// bits.
    fn slow(gaussian: &Gaussian, from: f64, to: f64) -> f64 {
        let (mut sum, mut lost) = (0.0f64, 0.0f64);
        let mut y = to - 1.0;
        while y >= from {
            let term = (-y * y / (2.0 * gaussian.sigma_squared)).exp() - lost;
            let next = sum + term;
            lost = (next - sum) - term;
            sum = next;
            y -= 1.0;
        }
        sum
    }

    #[test]
    fn blocks_agree_with_plain_sums() {
        for sigma in [1000.0f64, 1234.5, 5000.0] {
            let gaussian = Gaussian::new(sigma * sigma, 1, 12.0 * sigma);
            let at = |sigmas: f64| (sigmas * sigma).round();
            for (from, to) in
                [(0.0, 0.01), (-0.3, 0.2), (-2.0, -1.9), (0.5, 0.6), (3.0, 3.05), (7.0, 7.2), (-9.5, -9.0)]
            {
                let (from, to) = (at(from), at(to));
                let found = gaussian.sum(from, to);
                let expected = slow(&gaussian, from, to);
                assert!((found.value - expected).abs() <= found.error, "{from} {to}: {} {expected}", found.value);
                assert!(found.error < 2e-11 * found.value, "the bound is useful: {}", found.error / found.value);
            }
        }
    }
}
