//! One coarser level, and all that a column has.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::Grouping;
use crate::entries::Entries;
use crate::plain_value::PlainValue;

/// One level as a schema file words it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "neither a list of plain values nor a table of groups, each named once")]
pub(crate) enum LevelFile {
    /// Where groups begin, in a column with an order.
    Cuts(Vec<PlainValue>),
    /// Named groups of values, or of groups of the level before.
    Groups(Entries<Vec<PlainValue>>),
}

/// One coarser level of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    pub(super) grouping: Arc<Grouping>,
    pub(super) labels: Vec<String>,
}

impl Level {
    /// The group of each of the column's codes.
    pub fn grouping(&self) -> &Arc<Grouping> {
        &self.grouping
    }

    /// What each group is called, for people.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }
}

/// The levels that a column's entry gives, the finest first; each groups the one before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Levels {
    /// As the file words them.
    pub(super) source: Vec<LevelFile>,
    pub(super) levels: Vec<Level>,
}

impl Levels {
    /// The levels, the finest first.
    pub fn as_slice(&self) -> &[Level] {
        &self.levels
    }

    /// Whether the entry gives none.
    pub fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    pub(crate) fn source(&self) -> &[LevelFile] {
        &self.source
    }
}
