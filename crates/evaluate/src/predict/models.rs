//! How each model is trained and tested.

use rayon::prelude::*;

use super::kind::ModelKind;
use super::prepare::Learnable;
use super::result::PredictLimits;
use crate::learn::{Examples, Forest, LinearSvm, Logistic, RbfSvm, Standard};

/// How a trained model does on some rows.
#[derive(Clone, Copy, Debug)]
pub struct TestScores {
    /// The share of wrong answers; 0 without rows.
    pub error: f64,
    /// The mean log loss, for models that minimize it.
    pub log_loss: Option<f64>,
}

/// Trains a model and tests it on each of the tables.
pub fn train(
    kind: ModelKind,
    rows: &Learnable,
    classes: usize,
    limits: &PredictLimits,
    seed: u64,
    tests: &[&Learnable],
) -> Vec<TestScores> {
    let model: Box<dyn Fn(&Learnable) -> TestScores> = match kind {
        ModelKind::LinearSvm => {
            let svm = LinearSvm { seed, passes: 200, ..LinearSvm::default() };
            let fit = svm.fit_classes(&rows.one_hot(), &rows.labels, classes);
            Box::new(move |test| judge(test, |examples, row| fit.predict(examples, row)))
        }
        ModelKind::Logistic => {
            let fit = Logistic::default().fit(&rows.one_hot(), &rows.labels, classes);
            Box::new(move |test| TestScores {
                log_loss: Some(fit.log_loss(&test.one_hot(), &test.labels)),
                ..judge(test, |examples, row| fit.predict(examples, row))
            })
        }
        ModelKind::RbfSvm => {
            let points = rows.points(limits.rbf);
            let standard = Standard::fit(&points);
            let points = standard.apply(&points);
            let svm = RbfSvm { steps: 200_000, ..RbfSvm::default() };
            let fit = svm.fit(&points, &rows.labels[..points.len()], classes);
            // A row costs a kernel with every support row: a share of the test rows tells the same.
            let most = limits.rbf;
            Box::new(move |test| {
                let points = standard.apply(&test.points(most));
                let answers = (0..points.len()).into_par_iter().map(|row| fit.predict(points.row(row)));
                scores(&answers.collect::<Vec<u32>>(), &test.labels[..points.len()])
            })
        }
        ModelKind::Forest => {
            let forest = Forest { trees: limits.trees, seed, ..Forest::default() };
            let fit = forest.fit(rows.inputs(), &rows.labels, classes);
            Box::new(move |test| scores(&fit.predict(test.inputs()), &test.labels))
        }
    };
    tests.iter().map(|test| model(test)).collect()
}

fn judge(test: &Learnable, answer: impl Fn(&Examples, usize) -> u32) -> TestScores {
    let examples = test.one_hot();
    let found: Vec<u32> = (0..examples.len()).map(|row| answer(&examples, row)).collect();
    scores(&found, &test.labels)
}

fn scores(found: &[u32], wanted: &[u32]) -> TestScores {
    let wrong = found.iter().zip(wanted).filter(|(a, b)| a != b).count();
    TestScores { error: wrong as f64 / wanted.len().max(1) as f64, log_loss: None }
}
