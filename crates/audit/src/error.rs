//! Why an audit could not be made.

use lookalike_curator::CuratorError;
use lookalike_methods::MethodError;
use lookalike_model::ModelError;
use lookalike_privacy::PrivacyError;
use lookalike_schema::SchemaError;

/// Why an audit could not be made. An audit that finds something is no error: it is a row of the
/// table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuditError {
    /// The door refused.
    #[error(transparent)]
    Curator(#[from] CuratorError),
    /// A plan or a scale was refused.
    #[error(transparent)]
    Privacy(#[from] PrivacyError),
    /// A method refused.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// A model could not be sampled.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A schema was refused.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// A request that makes no sense.
    #[error("{what}; {help}")]
    Setting {
        /// What is wrong.
        what: String,
        /// What to do.
        help: String,
    },
    /// The file of results could not be read or written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// Somebody asked to stop. What is finished is in the file of results.
    #[error("interrupted")]
    Interrupted,
}
