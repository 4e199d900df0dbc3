//! What can be wrong with a model or its file.

/// Why a model was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The file is not a model that this version reads.
    #[error("model file: {what}; {mend}")]
    File {
        /// What is wrong.
        what: String,
        /// What to do.
        mend: String,
    },
    /// Parts that do not fit together.
    #[error("model: {what}")]
    Shape {
        /// What is wrong.
        what: String,
    },
}
