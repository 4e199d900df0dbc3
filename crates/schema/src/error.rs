//! What can be wrong with a schema.

/// A mistake in a schema, its file, or a flag that speaks of it. Messages say what, where and what to do, and never quote a cell.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaError {
    /// A mistake in one column's entry.
    #[error("schema: column {column:?}: {what}; {mend}")]
    Column {
        /// The column's name.
        column: String,
        /// What is wrong.
        what: String,
        /// What to do about it.
        mend: String,
    },
    /// A mistake that belongs to no single column.
    #[error("schema: {what}; {mend}")]
    Whole {
        /// What is wrong.
        what: String,
        /// What to do about it.
        mend: String,
    },
}
