//! Whose variances the weights come from, and how averaging changes them.

use serde::{Deserialize, Serialize};

/// The variances that weigh tables against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variances {
    /// Those of the noise as it was drawn.
    Measured,
    /// As published: equation 3.3 lowers them after every set of columns.
    Updated,
}

/// A table that is averaged over a set: its weight in the mean, how many of its cells one cell of
/// the set holds, and the variance of one of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Share {
    pub weight: f64,
    pub inside: f64,
    pub variance: f64,
}

/// Equation 3.3: the variance of a cell of each table after the average.
///
/// A cell x of table i becomes x + (mean - view) / q, so that it has 1 - (1 - w) / q of itself,
/// -(1 - w) / q of the other q - 1 cells of its view, and w' / q of every other table's view, whose
/// variance is q' s'^2. (In print w stands where 1 - w is meant.) Averages leave cells correlated;
/// the equation takes them as independent the next time too.
pub(crate) fn updated(shares: &[Share]) -> Vec<f64> {
    let views: f64 = shares.iter().map(|one| one.weight.powi(2) * one.inside * one.variance).sum();
    let after = |one: &Share| {
        let (q, given) = (one.inside, (1.0 - one.weight) / one.inside);
        let own = ((1.0 - given).powi(2) + given.powi(2) * (q - 1.0)) * one.variance;
        own + (views - one.weight.powi(2) * q * one.variance) / (q * q)
    };
    shares.iter().map(after).collect()
}
