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

/// How models are trained and tested.
#[derive(Clone, Copy)]
pub struct Predicting<'a> {
    /// Whether each column is ordered.
    pub ordered: &'a [bool],
    /// How much is trained and tested on.
    pub limits: &'a PredictLimits,
    /// The seed of samples and models.
    pub seed: u64,
}

impl Predicting<'_> {
    /// Trains and tests all models for the targets. `holdout`: real rows that the release has not
    /// seen, to test on. Nothing when there are too few rows to split: fewer than ten on one side.
    pub fn predict(
        &self,
        real: &CodedRows,
        synthetic: &CodedRows,
        holdout: Option<&CodedRows>,
        targets: &[AttrId],
    ) -> Option<Prediction> {
        let few = real.len() < 10 || synthetic.len() < 10 || holdout.is_some_and(|rows| rows.len() < 2);
        if few || real.sizes().len() < 2 {
            return None;
        }
        let parts = self.split(real, synthetic, holdout);
        let found: Vec<Result<TargetResult, AttrId>> =
            targets.par_iter().map(|&target| self.one_target(&parts, target)).collect();
        let constant = found.iter().filter_map(|result| result.as_ref().err().copied()).collect();
        let targets: Vec<TargetResult> = found.into_iter().filter_map(Result::ok).collect();
        Some(Prediction {
            train: [parts.real_train.len(), parts.synthetic_train.len()],
            test: parts.real_test.len(),
            rbf: self.limits.rbf.min(parts.real_train.len()),
            fresh: holdout.is_some(),
            ranking: ranking_agreement(&targets),
            targets,
            constant,
        })
    }

    fn split(&self, real: &CodedRows, synthetic: &CodedRows, holdout: Option<&CodedRows>) -> Parts {
        let mut rng = EvaluationRng::new(self.seed, "predict", 0);
        let cut = |rows: &CodedRows, rng: &mut EvaluationRng| {
            let (train, test) = rows.split(0.8, rng);
            (first(&train, self.limits.train), first(&test, self.limits.test))
        };
        let (real_train, own_test) = cut(real, &mut rng);
        let (synthetic_train, synthetic_test) = cut(synthetic, &mut rng);
        // As many on both sides: a larger training set would be an advantage of its own.
        let least = real_train.len().min(synthetic_train.len());
        let (real_train, synthetic_train) = (first(&real_train, least), first(&synthetic_train, least));
        let real_test = match holdout {
            Some(rows) => {
                let mut order: Vec<usize> = (0..rows.len()).collect();
                rng.shuffle(&mut order);
                order.truncate(self.limits.test);
                rows.pick(&order)
            }
            None => own_test,
        };
        Parts { real_train, real_test, synthetic_train, synthetic_test }
    }

    fn one_target(&self, parts: &Parts, target: AttrId) -> Result<TargetResult, AttrId> {
        let prepared = prepare(&parts.real_train, self.ordered, target, self.limits);
        let real = prepared.apply(&parts.real_train);
        let classes = prepared.classes();
        let mut counts = vec![0.0; classes];
        real.labels.iter().for_each(|&class| counts[class as usize] += 1.0);
        if counts.iter().filter(|&&count| count > 0.0).count() < 2 {
            return Err(target);
        }
        let [test, synthetic, synthetic_test] =
            [&parts.real_test, &parts.synthetic_train, &parts.synthetic_test].map(|rows| prepared.apply(rows));
        let common = crate::learn::largest(&counts);
        let majority =
            test.labels.iter().filter(|&&class| class != common).count() as f64 / test.labels.len().max(1) as f64;
        let one = |&model: &ModelKind| {
            let tests = [&test, &real, &synthetic_test];
            let from_real = train(model, &real, classes, self.limits, self.seed, &tests[..2]);
            let from_synthetic = train(model, &synthetic, classes, self.limits, self.seed, &tests);
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
}

/// The first rows; they are in random order already.
fn first(rows: &CodedRows, most: usize) -> CodedRows {
    rows.pick(&(0..rows.len().min(most)).collect::<Vec<_>>())
}
