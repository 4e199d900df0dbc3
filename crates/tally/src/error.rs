//! What can go wrong with a count. Nothing here depends on a row.

use lookalike_schema::SchemaError;

/// A request that makes no sense, or a stop.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TallyError {
    /// The sets of columns do not fit the domain.
    #[error(transparent)]
    Request(#[from] SchemaError),
    /// The count was cancelled.
    #[error("interrupted")]
    Cancelled,
}
