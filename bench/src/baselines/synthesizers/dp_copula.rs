//! DP-Copula: a Gaussian copula of noisy margins and noisy rank correlations.
//!
//! Li, Xiong and Jiang 2014, "Differentially private synthesization of multi-dimensional data using
//! copula functions", the variant with Kendall's tau. Read: its algorithms 1 and 4 and the Python
//! program that the PrivMRF paper ran (`thierryr/dpcopula_kendall`, for its histograms). The rest
//! is from what is well known of the paper.
//!
//! Codes are taken in their order, also those of words: what has no order is lost.

use anyhow::Result;
use lookalike_privacy::{DiscreteLaplace, NoiseBits, Rational};
use lookalike_schema::{AttrId, Clique};
use rand_chacha::ChaCha20Rng;
use statrs::distribution::{ContinuousCDF, Normal};

use super::draws::{cumulative, floats};
use super::task::SynthesisTask;
use crate::marginal::{exact, subsets};
use crate::raw::copula::rooted;
use crate::simulate::draw::normal_pair;

/// The share of epsilon that the margins get; the correlations get the rest.
const MARGIN_SHARE: f64 = 0.5;

/// Columns of a synthetic table.
///
/// # Privacy
/// Replace-one, n public: tau is a share of the n (n - 1) / 2 pairs of rows. Pure epsilon, half for
/// each part, drawn exactly on integers.
/// - Margins of d columns: a row leaves one count and enters another in each, an L1 distance of at
///   most 2 d.
/// - Kendall's tau-a of a pair of columns is S / (n (n - 1) / 2), where S adds up the sign of
///   agreement (1, -1, or 0 for a tie) of every pair of rows. One row is in n - 1 pairs and each
///   sign moves by at most 2, so S moves by at most 2 (n - 1) and tau by 4 / n. The bound of the
///   paper, 4 / (n + 1), is that for a row which is added to n others. Noise goes to S, with the
///   budget divided over the d (d - 1) / 2 pairs.
pub(super) fn dp_copula(task: &SynthesisTask, bits: &mut dyn NoiseBits) -> Result<Vec<Vec<u32>>> {
    let columns = task.table.domain().len();
    let margins = noisy_margins(task, task.epsilon * MARGIN_SHARE, bits)?;
    let correlations = noisy_correlations(task, task.epsilon * (1.0 - MARGIN_SHARE), bits)?;
    let normal = Normal::standard();
    let ends: Vec<Vec<f64>> = margins
        .iter()
        .map(|counts| {
            let sums = cumulative(counts);
            let total = sums.last().copied().unwrap_or(1.0);
            sums.iter().map(|sum| normal.inverse_cdf((sum / total).clamp(0.0, 1.0))).collect()
        })
        .collect();
    let mut rng = floats(bits);
    let root = rooted(correlations);
    let mut made = vec![Vec::with_capacity(task.rows); columns];
    for _ in 0..task.rows {
        let scores = scores(&root, &mut rng);
        for ((out, ends), score) in made.iter_mut().zip(&ends).zip(scores) {
            out.push(ends.partition_point(|&end| end <= score).min(ends.len() - 1) as u32);
        }
    }
    Ok(made)
}

/// Noisy counts of every column.
fn noisy_margins(task: &SynthesisTask, epsilon: f64, bits: &mut dyn NoiseBits) -> Result<Vec<Vec<f64>>> {
    let cliques: Vec<Clique> = task.table.domain().attributes().map(Clique::single).collect();
    let noise = DiscreteLaplace::new(Rational::at_least(2.0 * cliques.len() as f64 / epsilon)?)?;
    let mut counts = exact(task.table, &cliques)?;
    counts.iter_mut().for_each(|counts| noise.add_to(counts, bits));
    Ok(counts.into_iter().map(|counts| counts.into_iter().map(|count| count as f64).collect()).collect())
}

/// The matrix of sin(pi tau / 2), tau noisy: the correlation of normal scores of that tau.
fn noisy_correlations(task: &SynthesisTask, epsilon: f64, bits: &mut dyn NoiseBits) -> Result<Vec<Vec<f64>>> {
    let domain = task.table.domain();
    let attributes: Vec<AttrId> = domain.attributes().collect();
    let mut matrix: Vec<Vec<f64>> =
        (0..attributes.len()).map(|i| (0..attributes.len()).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let pairs = subsets(&attributes, 2);
    if pairs.is_empty() {
        return Ok(matrix);
    }
    let rows = task.table.rows() as f64;
    let noise = DiscreteLaplace::new(Rational::at_least(2.0 * (rows - 1.0) * pairs.len() as f64 / epsilon)?)?;
    for pair in &pairs {
        let clique = Clique::new(pair.iter().copied());
        let counts = exact(task.table, std::slice::from_ref(&clique))?.pop().unwrap_or_default();
        let noisy = agreement(&counts, domain.size(pair[1]) as usize).saturating_add(noise.sample(bits));
        let tau = (noisy as f64 / (rows * (rows - 1.0) / 2.0)).clamp(-1.0, 1.0);
        let correlation = (std::f64::consts::FRAC_PI_2 * tau).sin();
        let (i, j) = (pair[0].index(), pair[1].index());
        matrix[i][j] = correlation;
        matrix[j][i] = correlation;
    }
    Ok(matrix)
}

/// Kendall's S of a contingency table with this many columns: the pairs of rows that agree in order
/// less those that disagree. Ties count for nothing.
///
/// One pass over the cells from the last line up. A row of line i agrees with those below it and to
/// its right, and disagrees with those below and to its left.
pub fn agreement(counts: &[i64], width: usize) -> i64 {
    let mut below = vec![0i64; width];
    let mut sum = 0i64;
    for line in counts.chunks(width).rev() {
        let total: i64 = below.iter().sum();
        let mut left = 0;
        for (count, below) in line.iter().zip(&below) {
            sum += count * (total - left - below - left);
            left += below;
        }
        below.iter_mut().zip(line).for_each(|(below, count)| *below += count);
    }
    sum
}

/// One row of correlated normal scores.
fn scores(root: &[Vec<f64>], rng: &mut ChaCha20Rng) -> Vec<f64> {
    let normals: Vec<f64> = (0..root.len().div_ceil(2)).flat_map(|_| normal_pair(rng)).collect();
    let product = |row: &Vec<f64>| row.iter().zip(&normals).map(|(weight, normal)| weight * normal).sum();
    root.iter().map(product).collect()
}
