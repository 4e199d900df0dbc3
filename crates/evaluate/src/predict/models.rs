//! How each model is trained and tested.

use rayon::prelude::*;

use super::kind::ModelKind;
use super::prepare::Learnable;
use super::result::PredictLimits;
use crate::learn::{Examples, Forest, Inputs, LinearSvm, Logistic, RbfSvm, Standard};

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
    match kind {
        ModelKind::LinearSvm => {
            let fit = LinearSvm { seed, passes: 200, ..LinearSvm::default() }.fit_classes(
                &rows.one_hot(),
                &rows.labels,
                classes,
            );
            judge(tests, |examples, row| fit.predict(examples, row))
        }
        ModelKind::Logistic => {
            let fit = Logistic::default().fit(&rows.one_hot(), &rows.labels, classes);
            let mut scores = judge(tests, |examples, row| fit.predict(examples, row));
            for (scores, test) in scores.iter_mut().zip(tests) {
                scores.log_loss = Some(fit.log_loss(&test.one_hot(), &test.labels));
            }
            scores
        }
        ModelKind::RbfSvm => rbf(rows, classes, limits, tests),
        ModelKind::Forest => {
            let columns: Vec<&[u32]> = rows.columns.iter().map(Vec::as_slice).collect();
            let forest = Forest { trees: limits.trees, seed, ..Forest::default() };
            let fit = forest.fit(
                Inputs { columns: &columns, sizes: &rows.sizes, ordered: &rows.ordered },
                &rows.labels,
                classes,
            );
            let test = |test: &&Learnable| {
                let columns: Vec<&[u32]> = test.columns.iter().map(Vec::as_slice).collect();
                let found = fit.predict(Inputs { columns: &columns, sizes: &test.sizes, ordered: &test.ordered });
                scores(&found, &test.labels)
            };
            tests.iter().map(test).collect()
        }
    }
}

fn judge(tests: &[&Learnable], answer: impl Fn(&Examples, usize) -> u32 + Sync) -> Vec<TestScores> {
    let test = |test: &&Learnable| {
        let examples = test.one_hot();
        let found: Vec<u32> = (0..examples.len()).map(|row| answer(&examples, row)).collect();
        scores(&found, &test.labels)
    };
    tests.iter().map(test).collect()
}

fn rbf(rows: &Learnable, classes: usize, limits: &PredictLimits, tests: &[&Learnable]) -> Vec<TestScores> {
    let points = rows.points(limits.rbf);
    let standard = Standard::fit(&points);
    let points = standard.apply(&points);
    let fit = RbfSvm { steps: 200_000, ..RbfSvm::default() }.fit(&points, &rows.labels[..points.len()], classes);
    let test = |test: &&Learnable| {
        // A row costs a kernel with every support row: a share of the test rows tells the same.
        let points = standard.apply(&test.points(limits.rbf));
        let found: Vec<u32> = (0..points.len()).into_par_iter().map(|row| fit.predict(points.row(row))).collect();
        scores(&found, &test.labels[..points.len()])
    };
    tests.iter().map(test).collect()
}

fn scores(found: &[u32], wanted: &[u32]) -> TestScores {
    let wrong = found.iter().zip(wanted).filter(|(a, b)| a != b).count();
    TestScores { error: wrong as f64 / wanted.len().max(1) as f64, log_loss: None }
}
