//! What can be wrong with a statement.

use lookalike_privacy::PrivacyError;

/// Why a statement could not be made, read or confirmed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StatementError {
    /// The file is not a statement, or is damaged.
    #[error("statement: {what}")]
    Format {
        /// What is wrong, and where.
        what: String,
    },
    /// The file was written by a newer program.
    #[error("statement: format version {found}, but this program reads up to {known}; use a newer lookalike")]
    Newer {
        /// The file's version.
        found: u64,
        /// The newest version that this program knows.
        known: u64,
    },
    /// The statement's figures do not follow from its charges.
    #[error("statement: {}", reasons.join("; "))]
    Disagrees {
        /// One line each.
        reasons: Vec<String>,
    },
    /// The accountant refused.
    #[error(transparent)]
    Privacy(#[from] PrivacyError),
}

/// A damaged file.
pub(crate) fn damaged(what: impl Into<String>) -> StatementError {
    StatementError::Format { what: what.into() }
}

/// A figure that does not follow from the others.
pub(crate) fn disagrees(place: &str, what: String) -> StatementError {
    StatementError::Disagrees { reasons: vec![format!("{place}: {what}")] }
}
