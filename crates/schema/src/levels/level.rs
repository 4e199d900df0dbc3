//! One coarser level, and all that a column has.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::codec::Cached;
use crate::compare::AxisPoint;
use crate::entries::Entries;
use crate::plain_value::PlainValue;
use crate::{Codec, Grouping};

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
    /// Bins that were cut in two where levels begin, as the column has them without its levels.
    pub(super) cut: Cached<Vec<String>>,
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

    /// Bins that were cut in two where levels begin, for people.
    pub(crate) fn cut(&self) -> &[String] {
        &self.cut.0
    }

    /// The same levels of a column that had the codes `before` without them.
    pub(crate) fn added_to(self, before: Option<&Codec>, codec: &Codec) -> Self {
        let cut = before.map(|before| cut_bins(before, codec)).unwrap_or_default();
        Self { cut: Cached(cut), ..self }
    }

    pub(crate) fn source(&self) -> &[LevelFile] {
        &self.source
    }
}

/// Labels of the bins that are several in a codec with further edges.
fn cut_bins(before: &Codec, after: &Codec) -> Vec<String> {
    let last = |codec: &Codec, code: u32| AxisPoint::of_code(codec, code).map(|bounds| bounds.1);
    let (mut at, mut cut) = (0, Vec::new());
    for code in 0..before.present() {
        let first = at;
        while at + 1 < after.present() && last(after, at) < last(before, code) {
            at += 1;
        }
        if at > first {
            cut.push(before.label(code));
        }
        at += 1;
    }
    cut
}
