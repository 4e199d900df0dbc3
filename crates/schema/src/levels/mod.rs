//! Coarser levels of a column: trees that the schema gives, and neighbours put together where it
//! gives none.
//!
//! # In a schema file
//! `levels` is a list, the finest level first, each level coarser than the one before. For
//! categories a level is a table of groups; a group lists values, or groups of the level before.
//! What no group lists stays as it is.
//! ```toml
//! [columns.education]
//! type = "category"
//! values = ["none", "primary", "lower secondary", "upper secondary", "bachelor", "master"]
//! [[columns.education.levels]]
//! secondary = ["lower secondary", "upper secondary"]
//! university = ["bachelor", "master"]
//! [[columns.education.levels]]
//! school = ["primary", "secondary"]
//! ```
//! For columns with an order a level is a list of the values at which groups begin, each at the
//! edge of a bin. The first group begins at the lower bound, which need not be listed.
//! ```toml
//! [columns.age]
//! type = "integer"
//! range = [0, 99]
//! levels = [[10, 20, 30, 40, 50, 60, 70, 80, 90], [20, 60]]
//! ```
//! The missing code is a group of its own on every level.

mod automatic;
mod given;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use automatic::GROUP_WIDTH;
pub(crate) use given::{LevelEntry, MOST_GROUPED, build};

use crate::{AttrId, Derived, Grouping, Schema};

/// One coarser level of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    grouping: Arc<Grouping>,
    labels: Vec<String>,
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
    source: Vec<LevelEntry>,
    levels: Vec<Level>,
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

    pub(crate) fn source(&self) -> &[LevelEntry] {
        &self.source
    }
}

impl Schema {
    /// The coarser levels of a column as derived columns, the finest first: those of the schema, or
    /// else neighbours put together [`GROUP_WIDTH`] at a time until at most its square remain. None
    /// for a column that has no more values than that.
    ///
    /// All of them are made from the column itself, not from one another.
    pub fn coarser(&self, attribute: AttrId) -> Vec<Derived> {
        let column = self.column(attribute);
        let groupings: Vec<Arc<Grouping>> = if column.levels.is_empty() {
            self.codec(attribute).neighbour_levels(GROUP_WIDTH).into_iter().map(Arc::new).collect()
        } else {
            column.levels.as_slice().iter().map(|level| level.grouping.clone()).collect()
        };
        let derived = |(place, grouping)| Derived {
            base: attribute,
            grouping,
            name: format!("{} (level {})", column.name, place + 1),
        };
        groupings.into_iter().enumerate().map(derived).collect()
    }
}
