//! Which rows to draw, and how.

use lookalike_schema::Filter;
use serde::{Deserialize, Serialize};

/// Whether rows are drawn one by one, or so that their counts are the model's.
///
/// Model files hold the names of the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Replacement {
    /// Every row by itself: counts scatter around the model's as those of a fresh sample would.
    With,
    /// Counts are the model's, rounded up or down at random so that they are right on average.
    Without,
    /// Without replacement, several times as many, of which those are kept that together are
    /// closest to all. Of large releases all are kept, and more are drawn together.
    Thinned,
}

/// Which rows to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    /// How many rows.
    pub rows: u64,
    /// The seed: same model, same sampling, same rows.
    pub seed: u64,
    /// How to draw; `None`: as the model's file says
    /// ([`Model::replacement`](crate::Model::replacement)).
    pub replacement: Option<Replacement>,
    /// Only rows of this set, as the model has them.
    pub filter: Option<Filter>,
}

impl Sampling {
    /// Rows of a seed, drawn as the model's file says, of all kinds.
    pub fn new(rows: u64, seed: u64) -> Self {
        Self { rows, seed, replacement: None, filter: None }
    }

    /// Drawn this way.
    pub fn with(self, replacement: Replacement) -> Self {
        Self { replacement: Some(replacement), ..self }
    }

    /// Only rows of this set.
    pub fn filtered(self, filter: Filter) -> Self {
        Self { filter: Some(filter), ..self }
    }
}
