//! Structural zeros: combinations that cannot occur, as public knowledge.

use crate::AttrId;

/// One rule: a row is impossible when **every** listed attribute has one of its listed codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImpossibleRule {
    /// For each attribute (ascending), the codes (ascending) that the condition covers.
    pub parts: Vec<(AttrId, Vec<u32>)>,
}

impl ImpossibleRule {
    /// Whether a full row of codes (one a modelled column) breaks the rule.
    pub fn forbids(&self, row: &[u32]) -> bool {
        self.parts.iter().all(|(attribute, codes)| codes.binary_search(&row[attribute.index()]).is_ok())
    }
}
