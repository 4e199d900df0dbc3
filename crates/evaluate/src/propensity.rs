//! Can a model tell synthetic rows from real ones?

use crate::learn::{Examples, Forest, Inputs, Logistic};
use crate::{CodedRows, EvaluationRng};

/// The ridge of the logistic model: weak, only there because codes that one table lacks would have
/// infinite weights.
const COST: f64 = 100.0;

/// Propensity scores of two models.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Propensity {
    /// Rows of each table that were used.
    pub rows: [usize; 2],
    /// The mean squared distance of a row's predicted chance to be synthetic from the share of
    /// synthetic rows: logistic regression on single columns. 0: cannot tell.
    pub pmse: f64,
    /// The same over its mean when rows are dealt out at random, (k - 1) c (1 - c) / N for k
    /// weights and a share c of synthetic rows: 1 is chance, far above 1 means that single columns
    /// give the origin away. (Snoke et al. 2018 have one more factor 1 - c, because they take the
    /// real rows as given and only the synthetic ones as random.)
    pub ratio: f64,
    /// The weights k.
    pub weights: usize,
    /// The area under the curve of a random forest on rows that its trees have not seen: 0.5 cannot
    /// tell, 1 tells always. It sees relations between columns, which the logistic model does not.
    pub forest_auc: f64,
    /// The standard error of that area when nothing can be told.
    pub auc_error: f64,
}

/// Propensity scores. Nothing for fewer than ten rows of a table.
pub fn propensity(
    real: &CodedRows,
    synthetic: &CodedRows,
    ordered: &[bool],
    most: usize,
    trees: usize,
    seed: u64,
) -> Option<Propensity> {
    if real.len() < 10 || synthetic.len() < 10 || real.sizes().is_empty() {
        return None;
    }
    let mut rng = EvaluationRng::new(seed, "propensity", 0);
    let (real, synthetic) = (real.thinned(most, &mut rng), synthetic.thinned(most, &mut rng));
    let both = real.joined(&synthetic);
    let labels: Vec<u32> = (0..both.len()).map(|row| u32::from(row >= real.len())).collect();
    let (pmse, ratio, weights) = logistic(&both, &labels, synthetic.len());
    let inputs = Inputs { columns: both.columns(), sizes: both.sizes(), ordered };
    let forest = Forest { trees, least: 5, seed, ..Forest::default() };
    let chances = forest.fit(inputs, &labels, 2).unseen_chances(inputs);
    let side = |origin: u32| -> Vec<f64> {
        chances.iter().zip(&labels).filter(|(_, label)| **label == origin).map(|(chances, _)| chances[1]).collect()
    };
    let (negative, positive) = (side(0), side(1));
    Some(Propensity {
        rows: [real.len(), synthetic.len()],
        pmse,
        ratio,
        weights,
        forest_auc: area_under_curve(&positive, &negative),
        auc_error: area_error(positive.len(), negative.len()),
    })
}

/// The score, its ratio to chance, and the number of weights.
fn logistic(both: &CodedRows, labels: &[u32], synthetic: usize) -> (f64, f64, usize) {
    let examples = Examples::one_hot(both.columns(), both.sizes(), |_| true);
    let weights =
        1 + both.columns().iter().zip(both.sizes()).map(|(codes, &size)| codes_in_use(codes, size)).sum::<usize>();
    let fit = Logistic { cost: COST, tolerance: 1e-6, iterations: 300 }.fit(&examples, labels, 2);
    let count = labels.len() as f64;
    let share = synthetic as f64 / count;
    let square = |row: usize| (fit.chances(&examples, row)[1] - share).powi(2);
    let pmse = (0..examples.len()).map(square).sum::<f64>() / count;
    let chance = (weights as f64 - 1.0) * share * (1.0 - share) / count;
    (pmse, if chance > 0.0 { pmse / chance } else { 0.0 }, weights)
}

/// The weights of a column that count: one a code that occurs, but for one of them.
fn codes_in_use(codes: &[u32], size: u32) -> usize {
    let mut seen = vec![false; size as usize];
    codes.iter().for_each(|&code| seen[code as usize] = true);
    seen.iter().filter(|&&seen| seen).count().saturating_sub(1)
}

/// The chance that a positive scores above a negative, ties counting half. 0.5 when a side is
/// empty.
pub fn area_under_curve(positive: &[f64], negative: &[f64]) -> f64 {
    if positive.is_empty() || negative.is_empty() {
        return 0.5;
    }
    let all: Vec<f64> = positive.iter().chain(negative).copied().collect();
    let ranks = crate::hypothesis::ranks(&all);
    let (n, m) = (positive.len() as f64, negative.len() as f64);
    (ranks[..positive.len()].iter().sum::<f64>() - n * (n + 1.0) / 2.0) / (n * m)
}

/// The standard error of the area when both sides are alike.
pub fn area_error(positive: usize, negative: usize) -> f64 {
    let (n, m) = (positive as f64, negative as f64);
    if n * m == 0.0 { 0.0 } else { ((n + m + 1.0) / (12.0 * n * m)).sqrt() }
}
