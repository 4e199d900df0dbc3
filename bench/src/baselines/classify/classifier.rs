//! What a classifier under a budget is.

use anyhow::Result;
use lookalike_evaluate::learn::{Examples, LinearSvm};
use lookalike_privacy::{Epsilon, NoiseBits};

use super::majority::majority;
use super::priv_gene::priv_gene;
use super::private_erm::private_erm;
use super::squared_hinge::squared_hinge;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Classifier {
    /// One answer for everybody, by a noisy count.
    Majority,
    /// The hinge-loss support vector machine with C = 1, whatever epsilon says: the best case,
    /// drawn as a flat line. Also what rows of a synthesizer are judged by.
    NoPrivacy,
    /// The same with the square of the hinge loss: not among the papers' baselines, it shows what
    /// of a difference is the loss and not the noise.
    SquaredHinge,
    /// Objective perturbation.
    PrivateErm,
    /// Objective perturbation when each classifier spends the whole budget, which then pays for one
    /// only.
    SinglePrivateErm,
    /// A genetic algorithm whose survivors are chosen by the exponential mechanism.
    PrivGene,
}

impl Classifier {
    /// The five baselines, as PB14 sets them.
    pub const ALL: [Self; 5] =
        [Self::Majority, Self::NoPrivacy, Self::PrivateErm, Self::SinglePrivateErm, Self::PrivGene];

    /// The name that figures use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Majority => "Majority",
            Self::NoPrivacy => "NoPrivacy",
            Self::SquaredHinge => "NoPrivacy, squared hinge",
            Self::PrivateErm => "PrivateERM",
            Self::SinglePrivateErm => "PrivateERM (Single)",
            Self::PrivGene => "PrivGene",
        }
    }

    /// What one classifier may spend when `classifiers` are trained with `total`: an equal share,
    /// or all of it where privacy is not, or not twice, paid for.
    pub fn share(self, total: Epsilon, classifiers: usize) -> Result<Epsilon> {
        let parts =
            if matches!(self, Self::Majority | Self::PrivateErm | Self::PrivGene) { classifiers.max(1) } else { 1 };
        Ok(Epsilon::new(total.get() / parts as f64)?)
    }

    /// Trains a classifier that costs `epsilon`, without a delta.
    pub fn train(self, examples: &Examples, epsilon: Epsilon, bits: &mut dyn NoiseBits) -> Result<TrainedClassifier> {
        Ok(match self {
            Self::Majority => TrainedClassifier::Always(majority(examples, epsilon, bits)?),
            Self::NoPrivacy => TrainedClassifier::Linear(LinearSvm::default().fit(examples).weights),
            Self::SquaredHinge => TrainedClassifier::Linear(squared_hinge(examples, LinearSvm::default().cost)),
            Self::PrivateErm | Self::SinglePrivateErm => {
                TrainedClassifier::Linear(private_erm(examples, epsilon, bits)?)
            }
            Self::PrivGene => TrainedClassifier::Linear(priv_gene(examples, epsilon, bits)?),
        })
    }
}
