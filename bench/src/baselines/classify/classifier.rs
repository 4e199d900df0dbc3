//! What a classifier under a budget is.

use anyhow::Result;
use lookalike_evaluate::learn::Examples;
use lookalike_privacy::{Epsilon, NoiseBits};

/// A trained classifier.
#[derive(Clone, Debug, PartialEq)]
pub enum TrainedClassifier {
    /// The same answer for every row.
    Always(bool),
    /// Positive where the inner product with the features is above 0.
    Linear(Vec<f64>),
}

impl TrainedClassifier {
    /// The share of examples that it gets wrong.
    pub fn misclassified(&self, examples: &Examples) -> f64 {
        match self {
            Self::Always(answer) => examples.wrong(|_| *answer),
            Self::Linear(weights) => examples.misclassified(weights),
        }
    }
}

/// Trains one classifier on public examples as if they were private.
pub trait Classifier {
    /// The name that figures use.
    fn name(&self) -> &'static str;

    /// What one classifier may spend when `classifiers` are trained with `total`: an equal share,
    /// unless the baseline says otherwise.
    fn share(&self, total: Epsilon, classifiers: usize) -> Result<Epsilon> {
        Ok(Epsilon::new(total.get() / classifiers.max(1) as f64)?)
    }

    /// Trains a classifier that costs `epsilon`, without a delta.
    fn train(&self, examples: &Examples, epsilon: Epsilon, bits: &mut dyn NoiseBits) -> Result<TrainedClassifier>;
}
