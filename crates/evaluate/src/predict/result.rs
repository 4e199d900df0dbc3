//! How much is trained and tested on, and what was found.

use lookalike_schema::AttrId;
use serde::Serialize;

use super::kind::ModelKind;

/// How much is trained and tested on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PredictLimits {
    /// Rows to train on, at most.
    pub train: usize,
    /// Rows to test on, at most.
    pub test: usize,
    /// Rows that the RBF machine is trained on, at most: its time grows with their square.
    pub rbf: usize,
    /// Classes of a target; wider columns are grouped.
    pub classes: usize,
    /// Codes of a feature; wider columns are grouped.
    pub codes: usize,
    /// The trees of a forest.
    pub trees: usize,
}

impl Default for PredictLimits {
    fn default() -> Self {
        Self { train: 4000, test: 4000, rbf: 1500, classes: 10, codes: 64, trees: 40 }
    }
}

/// One model, trained twice: shares of wrong answers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ModelResult {
    /// Which model.
    #[serde(skip)]
    pub model: ModelKind,
    /// Trained on real rows, tested on real rows.
    pub real: f64,
    /// Trained on synthetic rows, tested on the same real rows.
    pub synthetic: f64,
    /// Trained and tested on synthetic rows: all that somebody without real rows can see.
    pub synthetic_alone: f64,
    /// TH's risk gap U: the difference of both trainings' shares of wrong answers on the real
    /// training rows.
    pub risk_gap: f64,
    /// The same with the log loss, for the model that minimizes it.
    pub log_risk_gap: Option<f64>,
}

/// One target column.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetResult {
    /// The column that is predicted from all others.
    pub target: AttrId,
    /// Its classes, after grouping.
    pub classes: usize,
    /// Whether codes were grouped into classes.
    pub grouped: bool,
    /// Always answering the commonest class of the real training rows.
    pub majority: f64,
    /// The models.
    pub models: Vec<ModelResult>,
}

impl TargetResult {
    /// The least share of wrong answers of the synthetic-trained models, and of the real-trained
    /// ones.
    pub fn best(&self) -> Option<(f64, f64)> {
        let least = |of: fn(&ModelResult) -> f64| self.models.iter().map(of).reduce(f64::min);
        Some((least(|model| model.synthetic)?, least(|model| model.real)?))
    }
}

/// All targets.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Rows trained on: real and synthetic.
    pub train: [usize; 2],
    /// Real rows tested on.
    pub test: usize,
    /// Rows that the RBF machine was trained on.
    pub rbf: usize,
    /// Whether the test rows come from a table that the release was not made from.
    pub fresh: bool,
    /// The targets that have at least two classes.
    pub targets: Vec<TargetResult>,
    /// Targets that were left out, having fewer than two classes in the real training rows.
    pub constant: Vec<AttrId>,
    /// The share of pairs of models that real and synthetic rows rank alike (SRA), over all
    /// targets.
    pub ranking: Option<f64>,
}
