//! Why a method cannot be set up or run.

use lookalike_curator::CuratorError;
use lookalike_model::ModelError;

/// Why a method was refused or failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MethodError {
    /// No such method, parameter, or value. The user's mistake.
    #[error("{what}; {help}")]
    Setting {
        /// What is wrong.
        what: String,
        /// What to do.
        help: String,
    },
    /// The door refused or failed.
    #[error(transparent)]
    Curator(#[from] CuratorError),
    /// The model could not be made.
    #[error(transparent)]
    Model(ModelError),
}

impl From<ModelError> for MethodError {
    fn from(error: ModelError) -> Self {
        match error {
            // Whoever was told to stop, the door or a fit, the run ends in the same words.
            ModelError::Halted => Self::Curator(CuratorError::Cancelled),
            other => Self::Model(other),
        }
    }
}
