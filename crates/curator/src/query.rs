//! What can be asked. The cost of a query is computed from the query itself.

use std::sync::Arc;

use lookalike_privacy::{Neighbours, PrivacyError, Rational, Step};
use lookalike_schema::{AttrId, Clique, Domain};

/// The noise of a count query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noise {
    /// Discrete Gaussian with this sigma squared.
    Gaussian(Rational),
    /// Discrete Laplace with this scale.
    Laplace(Rational),
}

/// The counts of one marginal.
#[derive(Clone, Debug)]
pub struct MarginalQuery {
    /// The attributes.
    pub clique: Clique,
    /// The noise.
    pub noise: Noise,
}

/// The row count.
#[derive(Clone, Debug)]
pub struct CountQuery {
    /// The noise; not used when the relation makes the count public.
    pub noise: Noise,
}

/// A score that may be computed on exact counts inside the door.
#[derive(Clone, Debug)]
pub enum Score {
    /// R in count form between an attribute and a set: how far from independent.
    Dependence {
        /// The attribute.
        child: AttrId,
        /// The set, which may be empty (then the score is 0).
        parents: Clique,
    },
    /// F of PrivBayes in count form: minus the distance to the nearest distribution in which the
    /// set tells the attribute.
    MaximumJoint {
        /// The attribute, of two values.
        child: AttrId,
        /// The set.
        parents: Clique,
    },
    /// Mutual information between an attribute and a set, in bits times n. Replace-one only.
    Information {
        /// The attribute.
        child: AttrId,
        /// The set, which may be empty (then the score is 0).
        parents: Clique,
    },
    /// L1 distance of the clique's counts to a fixed vector (a model's answer scaled by the noisy
    /// n).
    DistanceToModel {
        /// The clique.
        clique: Clique,
        /// The fixed vector.
        expected: Expected,
    },
}

/// A fixed vector that counts are compared with: one entry a cell, row-major. Copies share their
/// memory, so that rounds of selections may hand in the same vectors again.
#[derive(Clone, Debug)]
pub struct Expected {
    values: Arc<[f64]>,
    fingerprint: u128,
}

impl Expected {
    /// The entries.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The same for vectors with the same bits; for others never, for all that chance can do.
    pub(crate) fn fingerprint(&self) -> u128 {
        self.fingerprint
    }
}

impl From<Vec<f64>> for Expected {
    fn from(values: Vec<f64>) -> Self {
        // Two lanes of 64 bits, each a bijection of what it was before for every entry: one changed
        // entry always shows.
        let (mut one, mut two) = (0x9e37_79b9_7f4a_7c15u64, values.len() as u64);
        for value in &values {
            let bits = value.to_bits();
            one = (one ^ bits).wrapping_mul(0xff51_afd7_ed55_8ccd);
            one ^= one >> 32;
            two = (two.rotate_left(23) ^ bits).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
            two ^= two >> 29;
        }
        let fingerprint = (u128::from(one) << 64) | u128::from(two);
        Self { values: values.into(), fingerprint }
    }
}

/// A score with noise.
#[derive(Clone, Debug)]
pub struct ScoreQuery {
    /// The score.
    pub score: Score,
    /// The noise, whose scale is in steps of [`SCORE_GRID`](lookalike_privacy::SCORE_GRID): as a
    /// plan calibrates it from [`Neighbours::score`].
    pub noise: Noise,
}

/// One candidate of a selection.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its score.
    pub score: Score,
    /// A public weight, 0 or above.
    pub weight: f64,
    /// A public number added to the score before weighting (such as minus the expected noise).
    pub offset: f64,
}

/// A private selection by the exponential mechanism.
#[derive(Clone, Debug)]
pub struct SelectQuery {
    /// What is selected, for the statement.
    pub label: String,
    /// The candidates. All scores are of one kind.
    pub candidates: Vec<Candidate>,
    /// Its pure epsilon.
    pub epsilon: Rational,
}

impl MarginalQuery {
    /// What the query costs.
    pub fn step(&self, neighbours: Neighbours) -> Step {
        self.noise.step(neighbours.marginal())
    }
}

impl CountQuery {
    /// What the query costs: nothing where the row count is public. A public count gets no noise,
    /// so its kind of noise does not matter either, and a pure budget takes it whatever the query
    /// says.
    pub fn step(&self, neighbours: Neighbours) -> Step {
        let step = self.noise.step(neighbours.row_count());
        match step {
            Step::Gaussian { sigma_squared, sensitivity } if sensitivity.shifts().is_empty() => {
                Step::Laplace { scale: sigma_squared, sensitivity }
            }
            step => step,
        }
    }
}

impl ScoreQuery {
    /// What the query costs. `rows` is the public n under replace-one and is not used under
    /// add/remove.
    pub fn step(&self, neighbours: Neighbours, domain: &Domain, rows: u64) -> Result<Step, PrivacyError> {
        Ok(self.noise.step(neighbours.score(self.score.kind(domain), rows)?))
    }
}

impl Noise {
    fn step(self, sensitivity: lookalike_privacy::CountSensitivity) -> Step {
        match self {
            Noise::Gaussian(sigma_squared) => Step::Gaussian { sigma_squared, sensitivity },
            Noise::Laplace(scale) => Step::Laplace { scale, sensitivity },
        }
    }
}
