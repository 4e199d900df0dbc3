//! Why the door gave no answer.

use lookalike_privacy::PrivacyError;

/// Why the curator refused or failed. Never says anything about the rows.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CuratorError {
    /// The budget, the plan or the ledger refused.
    #[error(transparent)]
    Privacy(#[from] PrivacyError),
    /// A query that makes no sense for the schema (unknown attribute, too many cells).
    #[error("query: {what}")]
    Query {
        /// What is wrong with it.
        what: String,
    },
    /// The engine failed.
    #[error("engine: {what}")]
    Engine {
        /// Its own word, free of data.
        what: String,
    },
    /// The run was cancelled.
    #[error("interrupted")]
    Cancelled,
}
