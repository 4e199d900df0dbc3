//! What can go wrong with a table file as a whole. Cells never cause an error and are never quoted.

use lookalike_schema::SchemaError;
use lookalike_tally::TallyError;

/// A fault of the file as a whole, of the schema against its header, or of the disk.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The file is not a table that we can read. The user's mistake.
    #[error("{file}: {what}; {help}")]
    File {
        /// The file as the user named it.
        file: String,
        /// What is wrong.
        what: String,
        /// What to do.
        help: String,
    },
    /// The header does not fit the schema.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// Reading or writing failed. Not the user's mistake.
    #[error("{what}: {source}")]
    Io {
        /// What was being done.
        what: String,
        /// The system's word.
        source: std::io::Error,
    },
    /// The files were not the same before and after they were read, so that rows might be of two
    /// states of them. One fixed sentence, whatever changed.
    #[error(
        "the table's files changed while they were read, so nothing is made of them; \
         run again when nobody writes to them, or on a copy"
    )]
    Changed,
    /// A server did not hand over all rows. A fixed sentence, whatever happened. Not the user's
    /// mistake.
    #[error("{what}; {help}")]
    Server {
        /// What became of the rows.
        what: &'static str,
        /// What to do.
        help: &'static str,
    },
    /// The run was cancelled.
    #[error("interrupted")]
    Cancelled,
}

/// A fault of a file that its user can help.
pub(crate) fn file_error(name: &str, what: impl Into<String>, help: impl Into<String>) -> TableError {
    TableError::File { file: name.to_owned(), what: what.into(), help: help.into() }
}

impl From<TallyError> for TableError {
    fn from(error: TallyError) -> Self {
        match error {
            TallyError::Request(error) => Self::Schema(error),
            _ => Self::Cancelled,
        }
    }
}
