//! Sets of rows as boxes of codes.

use crate::{AttrId, Clique};

/// A set of possible rows: the rows of any of its boxes. Boxes do not overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    boxes: Vec<CodeBox>,
}

/// Rows in which **every** listed attribute has one of its listed codes. Without parts: all rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeBox {
    /// For each attribute (ascending), the codes (ascending, at least one) that are meant.
    pub parts: Vec<(AttrId, Vec<u32>)>,
}

impl Filter {
    /// Takes boxes that do not overlap.
    pub fn from_boxes(boxes: Vec<CodeBox>) -> Self {
        Self { boxes }
    }

    /// Every row.
    pub fn everything() -> Self {
        Self { boxes: vec![CodeBox { parts: vec![] }] }
    }

    /// The boxes. None: no row is meant.
    pub fn boxes(&self) -> &[CodeBox] {
        &self.boxes
    }

    /// The columns that the condition depends on.
    pub fn attributes(&self) -> Clique {
        Clique::new(self.boxes.iter().flat_map(|one| one.parts.iter().map(|part| part.0)))
    }

    /// Whether a full row of codes (one a modelled column) is meant.
    pub fn holds(&self, row: &[u32]) -> bool {
        self.boxes.iter().any(|one| one.holds(row))
    }
}

impl CodeBox {
    /// Whether a full row of codes lies in the box.
    pub fn holds(&self, row: &[u32]) -> bool {
        self.parts.iter().all(|(attribute, codes)| codes.binary_search(&row[attribute.index()]).is_ok())
    }

    /// The codes that the box allows of an attribute; `None`: all of them.
    pub fn codes(&self, attribute: AttrId) -> Option<&[u32]> {
        let found = self.parts.binary_search_by_key(&attribute, |part| part.0);
        found.ok().map(|at| self.parts[at].1.as_slice())
    }
}
