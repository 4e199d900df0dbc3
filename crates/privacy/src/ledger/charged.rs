//! A query as it is charged.

use crate::Step;

/// One query with its label and cost, as charged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChargedQuery {
    /// What was asked, in the steward's words ("marginal of age, sex"). From schema and plan only.
    pub label: String,
    /// Mechanism, scale, sensitivity.
    pub step: Step,
}
