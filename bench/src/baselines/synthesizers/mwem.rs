//! MWEM: multiplicative weights on the query that the exponential mechanism finds worst.
//!
//! Hardt, Ligett and McSherry 2012, "A simple and practical algorithm for differentially private
//! data release". Read: its abstract and introduction; the algorithm is from what is well known of
//! it. As in its experiments, every round goes over all earlier answers again.
//!
//! The joint distribution is written out, so it is refused beyond 2^24 cells.

use anyhow::{Context, Result};
use lookalike_privacy::{DiscreteLaplace, NoiseBits, Rational, exponential_mechanism};
use lookalike_schema::Clique;

use super::draws::{cumulative, floats, pick};
use super::task::SynthesisTask;
use crate::marginal::{all_marginals, exact};

/// The most cells of a joint distribution.
const MOST_CELLS: u64 = 1 << 24;
/// Columns of a query when nobody says otherwise, as in the papers' figures.
const WAYS: usize = 3;
/// Most passes over all answers in a round.
const MOST_PASSES: u64 = 10;
/// Cells that the passes of a round may go over for each answer, so that a joint of 2^23 cells
/// takes a minute and not an hour. It has one pass then.
const CELLS_A_ROUND: u64 = 1 << 22;
/// Scores are whole multiples of one over this.
const GRID: f64 = 1024.0;
/// Rounds at most: more queries would each be answered with too little of the budget.
const MOST_ROUNDS: usize = 100;
/// Rows times epsilon for each round: the noise of an answer then has a scale of a 200th of all
/// rows. On NLTCS at epsilon 0.8 that is 43 rounds.
const PRICE: f64 = 400.0;

/// Columns of a synthetic table. The queries are the cells of all 3-way marginals.
///
/// # Privacy
/// Replace-one, n public: the weights add up to n. A cell's count moves by at most 1. Each of T
/// rounds spends epsilon / (2 T) on the exponential mechanism, whose score is how far the weights
/// are from a cell's count, and epsilon / (2 T) on discrete Laplace noise for its count. Pure
/// epsilon, both drawn exactly: the weights are rounded to a grid before they are compared.
pub(super) fn mwem(task: &SynthesisTask, bits: &mut dyn NoiseBits) -> Result<Vec<Vec<u32>>> {
    let sizes = task.sizes();
    let cells = sizes.iter().try_fold(1u64, |cells, &size| cells.checked_mul(size as u64));
    let cells =
        cells.filter(|&cells| cells <= MOST_CELLS).context("MWEM needs a joint domain of at most 2^24 cells")?;
    let ways = WAYS.min(sizes.len());
    let marginals = all_marginals(task.table.domain(), ways);
    let counts = exact(task.table, &marginals)?.concat();
    let rows = task.table.rows() as f64;
    let rounds = ((rows * task.epsilon / PRICE) as usize).clamp(1, MOST_ROUNDS);
    let share = task.epsilon / (2 * rounds) as f64;
    let noise = DiscreteLaplace::new(Rational::at_least(1.0 / share)?)?;
    let mut weights = vec![rows / cells as f64; cells as usize];
    let mut answers: Vec<(CellQuery, f64)> = Vec::new();
    let passes = (CELLS_A_ROUND / cells).clamp(1, MOST_PASSES);
    for _ in 0..rounds {
        let mut now = Vec::with_capacity(counts.len());
        project(&weights, 1, &sizes, ways, &mut now);
        let far = |(count, now): (&i64, &f64)| ((now * GRID).round() as i128 - i128::from(*count) * GRID as i128).abs();
        let scores: Vec<i128> = counts.iter().zip(&now).map(far).collect();
        let worst = exponential_mechanism(&scores, GRID as u64, Rational::at_most(share)?, bits)?;
        let answer = counts[worst].saturating_add(noise.sample(bits)) as f64;
        answers.push((CellQuery::new(worst, &marginals, &sizes), answer));
        let mut total = rows;
        for _ in 0..passes {
            answers.iter().for_each(|(query, answer)| query.reweigh(&mut weights, &mut total, *answer, rows));
        }
        let total: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight *= rows / total);
    }
    Ok(drawn(&weights, &sizes, task.rows, bits))
}

/// All marginals of `ways` columns, one after the other in lexicographic order.
///
/// The columns that are kept so far make `kept` lines; each next column is kept, which is free, or
/// summed out, after which all that is left is smaller.
pub fn project(weights: &[f64], kept: usize, rest: &[usize], ways: usize, out: &mut Vec<f64>) {
    if ways == 0 {
        out.extend(weights.chunks(weights.len() / kept).map(|line| line.iter().sum::<f64>()));
        return;
    }
    let Some((&size, after)) = rest.split_first().filter(|_| rest.len() >= ways) else { return };
    project(weights, kept * size, after, ways - 1, out);
    if after.len() < ways {
        return;
    }
    let line = weights.len() / kept;
    let mut summed = Vec::with_capacity(weights.len() / size);
    for lines in weights.chunks(line) {
        let from = summed.len();
        summed.extend_from_slice(&lines[..line / size]);
        for part in lines.chunks(line / size).skip(1) {
            summed[from..].iter_mut().zip(part).for_each(|(sum, weight)| *sum += weight);
        }
    }
    project(&summed, kept, after, ways, out);
}

/// One cell of a marginal: for each of its columns how many cells of the joint make a step of one
/// code, how many codes there are, and the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellQuery {
    columns: Vec<(usize, usize, usize)>,
}

impl CellQuery {
    /// The query at this place among the cells of all marginals.
    fn new(mut place: usize, marginals: &[Clique], sizes: &[usize]) -> Self {
        for marginal in marginals {
            let of: Vec<usize> = marginal.attributes().iter().map(|attribute| attribute.index()).collect();
            let cells: usize = of.iter().map(|&column| sizes[column]).product();
            if place < cells {
                return Self::of(&of, place, sizes);
            }
            place -= cells;
        }
        unreachable!("a query is a cell of a marginal")
    }

    /// A cell of the marginal of these columns, the last fastest.
    pub fn of(columns: &[usize], mut cell: usize, sizes: &[usize]) -> Self {
        let mut found = Vec::with_capacity(columns.len());
        for &column in columns.iter().rev() {
            let step = sizes[column + 1..].iter().product();
            found.push((step, sizes[column], cell % sizes[column]));
            cell /= sizes[column];
        }
        found.reverse();
        Self { columns: found }
    }

    /// Calls with every stretch of joint cells that the query counts.
    fn stretches(&self, cells: usize, mut call: impl FnMut(std::ops::Range<usize>)) {
        fn inner(
            columns: &[(usize, usize, usize)],
            range: std::ops::Range<usize>,
            call: &mut dyn FnMut(std::ops::Range<usize>),
        ) {
            let Some((&(step, size, code), after)) = columns.split_first() else { return call(range) };
            for from in range.step_by(step * size) {
                inner(after, from + code * step..from + (code + 1) * step, call);
            }
        }
        inner(&self.columns, 0..cells, &mut call);
    }

    /// One step of multiplicative weights: cells of the query are multiplied by
    /// exp((answer - now) / (2 n)). Weights count as if they added up to n; `total`, which they do
    /// add up to, is kept instead of rescaling them, so a step touches the query's cells only.
    pub fn reweigh(&self, weights: &mut [f64], total: &mut f64, answer: f64, rows: f64) {
        let mut sum = 0.0;
        self.stretches(weights.len(), |range| sum += weights[range].iter().sum::<f64>());
        let factor = ((answer - sum * rows / *total) / (2.0 * rows)).exp();
        self.stretches(weights.len(), |range| weights[range].iter_mut().for_each(|weight| *weight *= factor));
        *total += sum * (factor - 1.0);
    }
}

/// Rows of the joint distribution.
fn drawn(weights: &[f64], sizes: &[usize], rows: usize, bits: &mut dyn NoiseBits) -> Vec<Vec<u32>> {
    let (sums, mut rng) = (cumulative(weights), floats(bits));
    let mut made = vec![Vec::with_capacity(rows); sizes.len()];
    for _ in 0..rows {
        let mut cell = pick(&sums, &mut rng);
        for (out, size) in made.iter_mut().zip(sizes).rev() {
            out.push((cell % size) as u32);
            cell /= size;
        }
    }
    made
}
