//! What one audit is, and what it found.

use serde::{Deserialize, Serialize};

/// What makes an audit the same as another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditId {
    /// `white` or `black`.
    pub kind: String,
    /// The mechanism or the method.
    pub name: String,
    /// The relation, with the rows a person may have; for a method with the columns of its tiny
    /// table.
    pub neighbours: String,
    /// How it was broken on purpose; `None` for the product as it is.
    pub control: Option<String>,
    /// The epsilon that is claimed.
    pub claimed: f64,
    /// Test runs on each of the two tables.
    pub runs: usize,
}

/// What one audit found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditResult {
    /// The audit.
    #[serde(flatten)]
    pub audit: AuditId,
    /// The delta that is claimed.
    pub delta: f64,
    /// Runs on each table that the event was picked on.
    pub picked_on: usize,
    /// The lower bound that was found.
    pub found: f64,
    /// The lower bound that uses nothing of the form of the noise.
    pub plain: f64,
    /// The largest bound that this number of runs could have found.
    pub limit: f64,
    /// True positives and false positives of the test.
    pub hits: [u64; 2],
    /// The event: `after` or `before`, and its threshold.
    pub event: (String, i64),
    /// Which of several watched numbers it is about.
    pub feature: usize,
}

impl AuditResult {
    /// Whether a bound lies above the claim: what a control must show, and the product must not.
    pub fn is_above(&self) -> bool {
        self.found > self.audit.claimed || self.plain > self.audit.claimed
    }
}
