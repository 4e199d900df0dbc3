//! Why tables could not be compared.

use lookalike_table::TableError;

/// A mistake in a list of marginals, or a table that could not be counted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluateError {
    /// A list of marginals that makes no sense. The user's mistake.
    #[error("marginals: {what}; {help}")]
    Lists {
        /// What is wrong.
        what: String,
        /// What to do.
        help: String,
    },
    /// A table without rows: there is nothing to compare. The user's mistake.
    #[error("the {which} table has no rows, only a header; give a table with rows")]
    Empty {
        /// Which table.
        which: String,
    },
    /// The tables could not be counted.
    #[error(transparent)]
    Table(#[from] TableError),
}
