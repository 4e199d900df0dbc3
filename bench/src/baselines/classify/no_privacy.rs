//! What there is to reach.

use anyhow::Result;
use lookalike_privacy::{Epsilon, NoiseBits};

use super::classifier::{Classifier, TrainedClassifier};
use lookalike_evaluate::learn::{Examples, LinearSvm};

/// The hinge-loss support vector machine with C = 1. Also what rows of a synthesizer are judged by.
///
/// # Privacy
/// None, whatever epsilon says: the best case, drawn as a flat line.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPrivacy {
    /// The machine.
    pub svm: LinearSvm,
}

impl Classifier for NoPrivacy {
    fn name(&self) -> &'static str {
        "NoPrivacy"
    }

    fn share(&self, total: Epsilon, _classifiers: usize) -> Result<Epsilon> {
        Ok(total)
    }

    fn train(&self, examples: &Examples, _epsilon: Epsilon, _bits: &mut dyn NoiseBits) -> Result<TrainedClassifier> {
        Ok(TrainedClassifier::Linear(self.svm.fit(examples).weights))
    }
}
