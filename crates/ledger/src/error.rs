//! What a ledger refuses.

/// Why a ledger could not be used, or refused. Messages are one line and never tell of rows.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerError {
    /// A mistake that the user can help: a name, a flag, a file that is no ledger or is damaged.
    /// Nothing was spent.
    #[error("{what}; {help}")]
    Usage {
        /// What is wrong, and where.
        what: String,
        /// What to do.
        help: String,
    },
    /// The budget does not allow the run. Nothing was spent, and nothing was answered.
    #[error("budget: {what}")]
    Refused {
        /// What was asked and what is left.
        what: String,
    },
    /// The machine failed: nothing may be looked at.
    #[error("{what}: {why}")]
    Fault {
        /// What was being done.
        what: String,
        /// The system's word.
        why: String,
    },
}

impl LedgerError {
    pub(crate) fn usage(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Usage { what: what.into(), help: help.into() }
    }

    pub(crate) fn refused(what: impl Into<String>) -> Self {
        Self::Refused { what: what.into() }
    }

    pub(crate) fn fault(what: impl Into<String>, why: impl ToString) -> Self {
        Self::Fault { what: what.into(), why: why.to_string() }
    }
}
