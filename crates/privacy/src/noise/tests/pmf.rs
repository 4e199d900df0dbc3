//! The distributions as numbers, computed apart from the samplers.

/// A distribution on -reach..=reach, beyond which nothing shows in a float.
pub(super) struct Pmf {
    reach: i64,
    weights: Vec<f64>,
}

impl Pmf {
    /// From weights proportional to the probabilities; smallest first, for the sake of the sum.
    fn new(reach: i64, weight: impl Fn(f64) -> f64) -> Self {
        let half: Vec<f64> = (0..=reach).map(|x| weight(x as f64)).collect();
        let total = 2.0 * half[1..].iter().rev().sum::<f64>() + half[0];
        let weights = (-reach..=reach).map(|x| half[x.unsigned_abs() as usize] / total).collect();
        Self { reach, weights }
    }

    /// P(x) proportional to exp(-x^2 / (2 sigma^2)).
    pub(super) fn gaussian(sigma_squared: f64) -> Self {
        let reach = (sigma_squared.sqrt() * 38.0).ceil() as i64 + 2;
        Self::new(reach, |x| (-x * x / (2.0 * sigma_squared)).exp())
    }

    /// P(x) proportional to exp(-|x| / scale).
    pub(super) fn laplace(scale: f64) -> Self {
        let reach = (scale * 700.0).ceil() as i64 + 2;
        Self::new(reach, |x| (-x / scale).exp())
    }

    pub(super) fn at(&self, x: i64) -> f64 {
        if x.abs() > self.reach { 0.0 } else { self.weights[(x + self.reach) as usize] }
    }

    pub(super) fn reach(&self) -> i64 {
        self.reach
    }

    pub(super) fn moment(&self, power: i32) -> f64 {
        (1..=self.reach).rev().map(|x| 2.0 * (x as f64).powi(power) * self.at(x)).sum()
    }

    /// The smallest delta for which adding this noise to counts that differ by `shift` is (epsilon, delta)-private:
    /// the sum of what P(x) has above e^epsilon P(x - shift).
    pub(super) fn delta(&self, shift: i64, epsilon: f64) -> f64 {
        let excess = |x: i64| (self.at(x) - epsilon.exp() * self.at(x - shift)).max(0.0);
        (-self.reach..=self.reach).map(excess).sum()
    }
}
