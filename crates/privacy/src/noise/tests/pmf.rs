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

    /// The smallest delta for which adding this noise to every cell of counts that differ by
    /// `shifts` is (epsilon, delta)-private: what the output has above e^epsilon times its
    /// neighbour's, summed over all outputs of the cells that differ (one or two).
    pub(super) fn delta(&self, shifts: &[u32], epsilon: f64) -> f64 {
        // What is further out than this has a total probability far below any delta asked for.
        let reach = self.reach.min((self.moment(2).sqrt() * 40.0) as i64 + 10);
        let cells = |shift: u32| (-reach..=reach).map(move |x| (self.at(x), self.at(x - i64::from(shift))));
        match *shifts {
            [shift] => cells(shift).map(|(p, q)| excess(p, q, epsilon)).sum(),
            [first, second] => {
                cells(first).map(|(p, q)| cells(second).map(|(r, s)| excess(p * r, q * s, epsilon)).sum::<f64>()).sum()
            }
            _ => panic!("only one or two cells are enumerated"),
        }
    }
}

/// What p has above e^epsilon q.
pub(super) fn excess(p: f64, q: f64, epsilon: f64) -> f64 {
    (p - epsilon.exp() * q).max(0.0)
}
