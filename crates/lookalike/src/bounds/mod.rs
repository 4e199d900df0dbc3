//! Worst-case error bounds for Bayesian networks on Boolean data, as pure functions of public
//! numbers.
//!
//! They hold for every table and are far above what happens on most: show them beside an estimate
//! from the noise scales, and say which is which. Source: the statistical theory of marginal-based
//! synthesis, theorems 4.1 to 4.4 and 5.1. The upper bounds assume pure epsilon, a network of
//! degree k that is given and that the data obey, and noise Lap(d/(n epsilon)) on the probabilities
//! of each of d marginals, which is right under add/remove. Under replace-one the noise, and so the
//! three upper bounds, double. A method that pays for its network puts its share (1 - beta) epsilon
//! in the place of epsilon.

#[cfg(test)]
mod tests;

use lookalike_privacy::{Epsilon, Relation};

/// The public numbers that the bounds depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BooleanSetting {
    /// Rows, n.
    pub rows: f64,
    /// Boolean columns, d.
    pub columns: u32,
    /// The most parents a column has, k.
    pub degree: u32,
    /// What the marginals may spend.
    pub epsilon: Epsilon,
    /// The chance that a bound fails, delta'; between 0 and 1. Nothing to do with the delta of
    /// privacy.
    pub failure: f64,
    /// Which tables are neighbours.
    pub relation: Relation,
}

impl BooleanSetting {
    /// Theorem 4.1: total variation distance of the network's joint, negative cells clipped and
    /// normalized. 12 d^2 2^(2k) (k+1) / (n epsilon) ln(2d / delta').
    pub fn total_variation_clamp(&self) -> f64 {
        self.network() * f64::from(2 * self.degree).exp2()
    }

    /// Theorem 4.2: L2 distance of the network's joint, noisy marginals projected onto the simplex.
    /// 12 d^2 2^k (k+1) / (n epsilon) ln(2d / delta').
    pub fn l2_projection(&self) -> f64 {
        self.network() * f64::from(self.degree).exp2()
    }

    /// Theorem 4.3: total variation distance when noise is put on the whole domain.
    /// d 2^(2d) / (n epsilon) ln(2 / delta').
    pub fn total_variation_whole_domain(&self) -> f64 {
        let d = f64::from(self.columns);
        d * (2.0 * d).exp2() * (2.0 / self.failure).ln() * self.a_row()
    }

    /// Theorem 5.1 for 2^d cells: see [`lower_bound`].
    pub fn lower_bound(&self) -> f64 {
        lower_bound(f64::from(self.columns) * std::f64::consts::LN_2, self.rows, self.epsilon, self.failure)
    }

    /// The common part of theorems 4.1 and 4.2.
    fn network(&self) -> f64 {
        let (d, k) = (f64::from(self.columns), f64::from(self.degree));
        12.0 * d * d * (k + 1.0) * (2.0 * d / self.failure).ln() * self.a_row()
    }

    /// What one row can do to probabilities, over epsilon.
    fn a_row(&self) -> f64 {
        let sensitivity = match self.relation {
            Relation::AddRemove => 1.0,
            Relation::ReplaceOne => 2.0,
        };
        sensitivity / (self.rows * self.epsilon.get())
    }
}

/// Theorem 5.1: for any synthesizer there is a table of n rows on which the total variation
/// distance is at least ln(delta' |Omega|) / (n epsilon), with probability 1 - 2 delta'. 0 where
/// the formula says nothing.
///
/// `ln_cells` is the logarithm of the number of cells of the whole domain, which itself need not
/// fit in a number.
pub fn lower_bound(ln_cells: f64, rows: f64, epsilon: Epsilon, failure: f64) -> f64 {
    ((failure.ln() + ln_cells) / (rows * epsilon.get())).max(0.0)
}

/// Theorem 4.4 without regularization, for a loss between 0 and 1: how much larger the risk of a
/// model trained on synthetic rows can be. 2 TV + 2 Rademacher + sqrt(ln(1 / delta') / (2 n')),
/// where n' counts synthetic rows.
pub fn risk_gap(total_variation: f64, rademacher: f64, synthetic_rows: f64, failure: f64) -> f64 {
    2.0 * total_variation + 2.0 * rademacher + ((1.0 / failure).ln() / (2.0 * synthetic_rows)).sqrt()
}
