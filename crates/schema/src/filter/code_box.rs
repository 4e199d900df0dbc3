//! Sets of rows as boxes of codes.

use crate::AttrId;

/// Rows in which **every** listed attribute has one of its listed codes. Without parts: all rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeBox {
    /// For each attribute (ascending), the codes (ascending, at least one) that are meant.
    pub parts: Vec<(AttrId, Vec<u32>)>,
}

impl CodeBox {
    /// Whether a full row of codes lies in the box.
    pub fn holds(&self, row: &[u32]) -> bool {
        self.holds_where(&|attribute| row[attribute.index()])
    }

    /// The same with the codes of a row looked up one by one.
    pub(super) fn holds_where(&self, code: &dyn Fn(AttrId) -> u32) -> bool {
        self.parts.iter().all(|(attribute, codes)| codes.binary_search(&code(*attribute)).is_ok())
    }

    /// The codes that the box allows of an attribute; `None`: all of them.
    pub fn codes(&self, attribute: AttrId) -> Option<&[u32]> {
        let found = self.parts.binary_search_by_key(&attribute, |part| part.0);
        found.ok().map(|at| self.parts[at].1.as_slice())
    }
}
