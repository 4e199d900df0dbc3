//! Train on synthetic rows, test on real ones: what a researcher's models are worth who only has
//! the release.

mod models;
mod prepare;
mod ranking;

pub use models::ModelKind;
pub use prepare::{Prepared, narrowed, prepare};
pub use ranking::ranking_agreement;

use lookalike_schema::AttrId;
use rayon::prelude::*;

use crate::{CodedRows, EvaluationRng};
use models::{TestScores, train};

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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelResult {
    /// Which model.
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

/// The rows of one evaluation, prepared.
struct Parts {
    real_train: CodedRows,
    real_test: CodedRows,
    synthetic_train: CodedRows,
    synthetic_test: CodedRows,
}

/// Trains and tests all models for the targets. `holdout`: real rows that the release has not seen,
/// to test on. Nothing when there are too few rows to split: fewer than ten on one side.
pub fn predict(
    real: &CodedRows,
    synthetic: &CodedRows,
    holdout: Option<&CodedRows>,
    ordered: &[bool],
    targets: &[AttrId],
    limits: &PredictLimits,
    seed: u64,
) -> Option<Prediction> {
    if real.len() < 10 || synthetic.len() < 10 || real.sizes().len() < 2 || holdout.is_some_and(|rows| rows.len() < 2) {
        return None;
    }
    let parts = split(real, synthetic, holdout, limits, seed);
    let one = |&target: &AttrId| one_target(&parts, ordered, target, limits, seed);
    let found: Vec<Result<TargetResult, AttrId>> = targets.par_iter().map(one).collect();
    let constant = found.iter().filter_map(|result| result.as_ref().err().copied()).collect();
    let targets: Vec<TargetResult> = found.into_iter().filter_map(Result::ok).collect();
    Some(Prediction {
        train: [parts.real_train.len(), parts.synthetic_train.len()],
        test: parts.real_test.len(),
        rbf: limits.rbf.min(parts.real_train.len()),
        fresh: holdout.is_some(),
        ranking: ranking_agreement(&targets),
        targets,
        constant,
    })
}

fn split(
    real: &CodedRows,
    synthetic: &CodedRows,
    holdout: Option<&CodedRows>,
    limits: &PredictLimits,
    seed: u64,
) -> Parts {
    let mut rng = EvaluationRng::new(seed, "predict", 0);
    let cut = |rows: &CodedRows, rng: &mut EvaluationRng| {
        let (train, test) = rows.split(0.8, rng);
        (first(&train, limits.train), first(&test, limits.test))
    };
    let (real_train, own_test) = cut(real, &mut rng);
    let (synthetic_train, synthetic_test) = cut(synthetic, &mut rng);
    // As many on both sides: a larger training set would be an advantage of its own.
    let least = real_train.len().min(synthetic_train.len());
    let real_test = match holdout {
        Some(rows) => {
            let mut order: Vec<usize> = (0..rows.len()).collect();
            rng.shuffle(&mut order);
            order.truncate(limits.test);
            rows.pick(&order)
        }
        None => own_test,
    };
    Parts {
        real_train: first(&real_train, least),
        real_test,
        synthetic_train: first(&synthetic_train, least),
        synthetic_test,
    }
}

/// The first rows; they are in random order already.
fn first(rows: &CodedRows, most: usize) -> CodedRows {
    rows.pick(&(0..rows.len().min(most)).collect::<Vec<_>>())
}

fn one_target(
    parts: &Parts,
    ordered: &[bool],
    target: AttrId,
    limits: &PredictLimits,
    seed: u64,
) -> Result<TargetResult, AttrId> {
    let prepared = prepare(&parts.real_train, ordered, target, limits);
    let real = prepared.apply(&parts.real_train);
    let classes = prepared.classes();
    let mut counts = vec![0.0; classes];
    real.labels.iter().for_each(|&class| counts[class as usize] += 1.0);
    if counts.iter().filter(|&&count| count > 0.0).count() < 2 {
        return Err(target);
    }
    let test = prepared.apply(&parts.real_test);
    let synthetic = prepared.apply(&parts.synthetic_train);
    let synthetic_test = prepared.apply(&parts.synthetic_test);
    let common = crate::learn::largest(&counts);
    let majority =
        test.labels.iter().filter(|&&class| class != common).count() as f64 / test.labels.len().max(1) as f64;
    let one = |&model: &ModelKind| {
        let from_real = train(model, &real, classes, limits, seed, &[&test, &real]);
        let from_synthetic = train(model, &synthetic, classes, limits, seed, &[&test, &real, &synthetic_test]);
        let gap = |of: fn(&TestScores) -> Option<f64>| Some((of(&from_real[1])? - of(&from_synthetic[1])?).abs());
        ModelResult {
            model,
            real: from_real[0].error,
            synthetic: from_synthetic[0].error,
            synthetic_alone: from_synthetic[2].error,
            risk_gap: gap(|scores| Some(scores.error)).unwrap_or(0.0),
            log_risk_gap: gap(|scores| scores.log_loss),
        }
    };
    let models = ModelKind::ALL.par_iter().map(one).collect();
    Ok(TargetResult { target, classes, grouped: prepared.groups_classes(), majority, models })
}
