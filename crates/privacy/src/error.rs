//! What the privacy arithmetic refuses.

/// Why a unit, a plan or a charge was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PrivacyError {
    /// A number that is not a legal value of its unit.
    #[error("{unit} must be {rule}, but {given} was given")]
    Unit {
        /// The unit's name, as the user writes it.
        unit: &'static str,
        /// What is allowed.
        rule: &'static str,
        /// What was given.
        given: f64,
    },
    /// A plan that cannot be run or calibrated.
    #[error("plan: {what}")]
    Plan {
        /// What is wrong with it.
        what: String,
    },
    /// The budget does not allow the charge. Nothing was looked at.
    #[error("budget: {what}")]
    Refused {
        /// What was asked and what is left.
        what: String,
    },
    /// The ledger could not be written durably. Nothing was looked at.
    #[error("ledger: {0}")]
    Store(#[from] std::io::Error),
    /// The ledger's own records are damaged.
    #[error("ledger: {what}")]
    Damaged {
        /// What is wrong, and where.
        what: String,
    },
    /// The operating system gave no entropy.
    #[error("no entropy from the operating system: {0}")]
    Entropy(String),
}
