//! Which columns of a table are worth predicting.

use serde::{Deserialize, Serialize};

/// The file `NAME.hints.json`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct TargetHints {
    /// A column to classify.
    #[serde(default)]
    pub class: Option<String>,
    /// Columns of numbers to predict.
    #[serde(default)]
    pub reg: Vec<String>,
}

impl TargetHints {
    /// All columns that it names.
    pub fn targets(&self) -> impl Iterator<Item = &str> {
        self.class.iter().chain(&self.reg).map(String::as_str)
    }
}
