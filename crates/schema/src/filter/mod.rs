//! Which rows are meant: the `--where` of `query` and `sample`.

use crate::AttrId;

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

    /// The boxes. None: no row is meant.
    pub fn boxes(&self) -> &[CodeBox] {
        &self.boxes
    }
}
