//! What can be wrong with a model or its file.

/// Why a model was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The file is not a model that this version reads.
    #[error("model file: {what}; {help}")]
    File {
        /// What is wrong.
        what: String,
        /// What to do.
        help: String,
    },
    /// Parts that do not fit together. Judged from the schema and the caller's arguments, never
    /// from rows.
    #[error("model: {what}")]
    Shape {
        /// What is wrong.
        what: String,
    },
    /// A filter that no row of the model meets.
    #[error("model: no row of the model meets the condition: its probability is 0; loosen the condition")]
    Impossible,
    /// Somebody asked the work to stop.
    #[error("stopped on request")]
    Halted,
}

impl ModelError {
    pub(crate) fn shape(what: impl Into<String>) -> Self {
        Self::Shape { what: what.into() }
    }

    pub(crate) fn damaged(what: impl Into<String>) -> Self {
        Self::File { what: what.into(), help: "fetch the file again, or make the release again".into() }
    }
}

/// Refuses parts that do not fit together.
pub(crate) fn refuse_if(mistaken: bool, what: &str) -> Result<(), ModelError> {
    if mistaken { Err(ModelError::shape(what)) } else { Ok(()) }
}
