//! A private Gaussian copula: what a few lines reach, as a measure to beat. Never offered to a
//! steward.
//!
//! Half of rho buys noisy one-way counts, the other half a noisy matrix of products of normal
//! scores. Words are put in the order of their noisy counts, and missing cells are a code of their
//! own. Relations that do not rise or fall are lost, which is what the comparison is to show.
//!
//! # Privacy
//! Neighbours differ by one row that is added or removed, and rho-zCDP of the total converts to the
//! budget. Noise is the exact discrete Gaussian on integers (Canonne, Kamath, Steinke 2020), for
//! which independent coordinates with shifts `x` and variances `v` cost the sum of `x^2 / (2 v)`.
//! - One-way counts of `d` columns: a row changes one count of each by 1, so `v = d / rho` costs
//!   `rho / 2`.
//! - Products: scores come from the noisy counts, so they are public. A row's scores are whole
//!   numbers cut to a squared norm of at most `B`, which follows from the noisy counts too. The row
//!   changes the sum at `(i, j)` by `q_i q_j`. With variance `w` off the diagonal and `2 w` on it,
//!   that costs `(sum q_i^4 + 2 sum q_i^2 q_j^2) / (4 w) = |q|^4 / (4 w)`, at most `B^2 / (4 w)`;
//!   `w = B^2 / (2 rho)` costs `rho / 2`.
//!
//! All else follows from these answers and the schema.

mod cells;
mod matrix;

use anyhow::Result;
use lookalike_evaluate::raw::RawTable;
use lookalike_model::project::onto_counts;
use lookalike_privacy::accounting::zcdp::rho_of;
use lookalike_privacy::{Budget, DiscreteGaussian, NoiseRng, Rational};
use lookalike_schema::Schema;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use statrs::distribution::{ContinuousCDF, Normal};

use self::cells::CellGrid;
pub use self::matrix::rooted;
use crate::simulate::draw::{normal_pair, uniform};

/// Scores are whole multiples of one over this.
const SCORE_UNITS: f64 = 256.0;
/// Normal scores reach no further than this either way.
const MOST_SCORE: f64 = 3.0;
/// A row's squared norm is cut to a bound between the mean one and this many times it. Cutting
/// bends correlations towards 0, most in tables of few or strongly related columns.
const MOST_BOUND: f64 = 4.0;
/// Within that, the bound is such that a correlation has noise of this standard deviation.
const CORRELATION_NOISE: f64 = 0.03;
/// A column whose spread is below this many standard deviations of its noise is left independent.
const SIGNAL: f64 = 3.0;

/// The noisy distribution of one column.
struct NoisyColumn {
    cells: CellGrid,
    /// Codes in the order of their scores.
    order: Vec<u32>,
    /// Where each of these codes ends, in normal scores.
    ends: Vec<f64>,
    /// The score of each code, in whole units.
    scores: Vec<i64>,
    /// The mean squared score, in squared units.
    spread: f64,
}

/// Synthetic rows of a raw table: fresh noise, rows drawn with the seed.
pub fn copula_rows(schema: &Schema, real: &RawTable, budget: Budget, seed: u64) -> Result<RawTable> {
    let rho = rho_of(budget)?.get();
    let mut noise = NoiseRng::from_os()?;
    let grids = schema.domain().attributes().map(|attribute| CellGrid::of(schema.codec(attribute)));
    let coded: Vec<(CellGrid, Vec<u32>)> = grids
        .zip(real.columns())
        .map(|(grid, cells)| {
            let codes = cells.iter().map(|&cell| grid.code(cell)).collect();
            (grid, codes)
        })
        .collect();
    let counting = DiscreteGaussian::new(Rational::at_least(coded.len() as f64 / rho)?)?;
    let noisy: Vec<Vec<f64>> = coded
        .iter()
        .map(|(grid, codes)| {
            let mut counts = vec![0i64; grid.size() as usize];
            codes.iter().for_each(|&code| counts[code as usize] += 1);
            counts.into_iter().map(|count| (count + counting.sample(&mut noise)) as f64).collect()
        })
        .collect();
    let rows = noisy.iter().map(|counts| counts.iter().sum::<f64>()).sum::<f64>() / noisy.len() as f64;
    let rows = rows.round().max(1.0);
    let (columns, codes): (Vec<NoisyColumn>, Vec<Vec<u32>>) = coded
        .into_iter()
        .zip(noisy)
        .map(|((grid, codes), counts)| (NoisyColumn::new(grid, &counts, rows), codes))
        .unzip();
    let correlations = correlations(&columns, &codes, (rho, rows), &mut noise)?;
    Ok(drawn(&columns, &rooted(correlations), rows as usize, seed))
}

impl NoisyColumn {
    fn new(cells: CellGrid, noisy: &[f64], rows: f64) -> Self {
        let counts = onto_counts(noisy, &|_| true, rows);
        let mut order: Vec<u32> = (0..cells.size()).collect();
        if cells.has_words() {
            order.sort_by(|&a, &b| counts[b as usize].total_cmp(&counts[a as usize]));
        }
        let normal = Normal::standard();
        let (mut below, mut spread) = (0.0, 0.0);
        let (mut ends, mut scores) = (Vec::new(), vec![0; order.len()]);
        for &code in &order {
            let share = counts[code as usize] / rows;
            let score = normal.inverse_cdf((below + share / 2.0).clamp(0.0, 1.0)).clamp(-MOST_SCORE, MOST_SCORE);
            let units = (score * SCORE_UNITS).round();
            scores[code as usize] = units as i64;
            spread += share * units * units;
            below += share;
            ends.push(normal.inverse_cdf(below.clamp(0.0, 1.0)));
        }
        Self { cells, order, ends, scores, spread }
    }

    /// The cell at a normal score, with a uniform number for its place inside.
    fn cell(&self, score: f64, place: f64) -> f64 {
        let at = self.ends.partition_point(|&end| end <= score).min(self.order.len() - 1);
        self.cells.value(self.order[at], place)
    }
}

/// Noisy correlations of normal scores; a column without signal has none.
fn correlations(
    columns: &[NoisyColumn],
    codes: &[Vec<u32>],
    (rho, rows): (f64, f64),
    noise: &mut NoiseRng,
) -> Result<Vec<Vec<f64>>> {
    let mean_norm = columns.iter().map(|column| column.spread).sum::<f64>().max(1.0);
    let affordable = CORRELATION_NOISE * rows * SCORE_UNITS * SCORE_UNITS * (2.0 * rho).sqrt();
    let bound = affordable.clamp(mean_norm, MOST_BOUND * mean_norm).floor();
    let mut sums = products(columns, codes, bound);
    let apart = DiscreteGaussian::new(Rational::at_least(bound * bound / (2.0 * rho))?)?;
    let diagonal = DiscreteGaussian::new(Rational::at_least(bound * bound / rho)?)?;
    for (i, row) in sums.iter_mut().enumerate() {
        let (before, own) = row.split_at_mut(i);
        before.iter_mut().for_each(|sum| *sum += apart.sample(noise));
        own[0] += diagonal.sample(noise);
    }
    let least = SIGNAL * bound / rho.sqrt();
    let spread: Vec<f64> = sums.iter().enumerate().map(|(i, row)| row[i] as f64).collect();
    let one = |i: usize, j: usize| match i == j {
        true => 1.0,
        false if spread[i] < least || spread[j] < least => 0.0,
        false => (sums[i.max(j)][i.min(j)] as f64 / (spread[i] * spread[j]).sqrt()).clamp(-0.999, 0.999),
    };
    Ok((0..columns.len()).map(|i| (0..columns.len()).map(|j| one(i, j)).collect()).collect())
}

/// Sums of products of scores, the lower triangle; every row's squared norm is cut to the bound.
fn products(columns: &[NoisyColumn], codes: &[Vec<u32>], bound: f64) -> Vec<Vec<i64>> {
    let mut sums: Vec<Vec<i64>> = (0..columns.len()).map(|i| vec![0; i + 1]).collect();
    let mut scores = vec![0i64; columns.len()];
    for row in 0..codes.first().map_or(0, Vec::len) {
        for ((score, column), codes) in scores.iter_mut().zip(columns).zip(codes) {
            *score = column.scores[codes[row] as usize];
        }
        let norm = scores.iter().map(|score| score * score).sum::<i64>() as f64;
        if norm > bound {
            // Rounded towards 0, and a little below, so that no rounding reaches beyond the bound.
            let factor = (bound / norm).sqrt() * (1.0 - 1e-9);
            scores.iter_mut().for_each(|score| *score = (*score as f64 * factor) as i64);
        }
        for (i, sums) in sums.iter_mut().enumerate() {
            let score = scores[i];
            sums.iter_mut().zip(&scores).for_each(|(sum, other)| *sum += score * other);
        }
    }
    sums
}

/// Rows of the copula whose normal scores are `root` times independent ones.
fn drawn(columns: &[NoisyColumn], root: &[Vec<f64>], rows: usize, seed: u64) -> RawTable {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut cells = vec![Vec::with_capacity(rows); columns.len()];
    let mut normals = vec![0.0; columns.len() + 1];
    for _ in 0..rows {
        for pair in normals.chunks_mut(2) {
            pair.iter_mut().zip(normal_pair(&mut rng)).for_each(|(out, normal)| *out = normal);
        }
        for ((out, column), weights) in cells.iter_mut().zip(columns).zip(root) {
            let score: f64 = weights.iter().zip(&normals).map(|(weight, normal)| weight * normal).sum();
            out.push(column.cell(score, uniform(&mut rng)));
        }
    }
    RawTable::new(cells)
}

#[cfg(test)]
mod tests;
