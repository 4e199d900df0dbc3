//! Train on synthetic rows, test on real ones: what a researcher's models are worth who only has
//! the release.

mod kind;
mod models;
mod prepare;
mod ranking;
mod result;

pub use kind::ModelKind;
pub use prepare::{Prepared, narrowed, prepare};
pub use ranking::ranking_agreement;
pub use result::{ModelResult, PredictLimits, Prediction, TargetResult};

use lookalike_schema::AttrId;
use rayon::prelude::*;

use crate::{CodedRows, EvaluationRng};
use models::{TestScores, train};

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
