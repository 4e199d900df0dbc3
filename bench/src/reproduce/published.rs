//! PrivBayes as the Aalborg report's appendix codes it, and as its text has it. The code is NOT
//! PRIVATE: it noises conditional probabilities with the noise of joint ones. It is here to show
//! where the report's curves come from; nothing outside of this study may use it.

use anyhow::Result;
use lookalike_privacy::Epsilon;
use lookalike_table::Table;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::binary::{BinaryCounts, information_sensitivity, parent_sets, select};
use crate::baselines::aau_text_noise::aau_text_network;
use crate::run::study_noise;
use crate::simulate::BooleanNetwork;
use crate::simulate::draw::uniform;

/// The most parents.
const DEGREE: usize = 3;

/// The pair counts of column 0 with each other column of `rows` synthetic rows. NOT PRIVATE.
pub(super) fn not_private_pairs<R: Rng>(
    counts: &BinaryCounts,
    alpha: f64,
    beta: f64,
    rows: usize,
    rng: &mut R,
) -> Vec<[f64; 4]> {
    let columns = counts.columns();
    let mut network: Vec<(Vec<usize>, Vec<f64>)> = Vec::with_capacity(columns);
    for child in 0..columns {
        // The code's entropies are in nats, its sensitivity in bits.
        let parents = parents(counts, child, beta * alpha, std::f64::consts::LN_2, rng);
        let ones = conditionals(counts, child, &parents, (1.0 - beta) * alpha, rng);
        network.push((parents, ones));
    }
    let mut pairs = vec![[0.0; 4]; columns - 1];
    let mut row = vec![0usize; columns];
    for _ in 0..rows {
        for (child, (parents, ones)) in network.iter().enumerate() {
            let cell = parents.iter().fold(0, |cell, &parent| cell * 2 + row[parent]);
            row[child] = usize::from(uniform(rng) < ones[cell]);
        }
        pairs.iter_mut().zip(&row[1..]).for_each(|(pair, &other)| pair[row[0] * 2 + other] += 1.0);
    }
    pairs
}

/// The parents of a column in the given order, by the exponential mechanism on mutual information
/// in bits times `unit`.
fn parents<R: Rng>(counts: &BinaryCounts, child: usize, alpha: f64, unit: f64, rng: &mut R) -> Vec<usize> {
    if child == 0 {
        return Vec::new();
    }
    let sets = parent_sets(child, DEGREE);
    let scores: Vec<f64> = sets.iter().map(|set| counts.information(child, set) * unit).collect();
    let share = alpha / (counts.columns() - 1) as f64;
    sets[select(&scores, share, information_sensitivity(counts.total()), rng)].clone()
}

/// The pair counts of column 0 with each other column of rows from a network as the report's text
/// has it: the same choice of parents, and noise on joint tables, scaled by 2^(1+q) for q parents.
pub(super) fn pairs_of_the_text(table: &Table, alpha: f64, beta: f64, seed: u64) -> Result<Vec<[f64; 4]>> {
    let counts = BinaryCounts::of(table)?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let parents = (0..counts.columns()).map(|child| parents(&counts, child, beta * alpha, 1.0, &mut rng)).collect();
    let network = BooleanNetwork::with_parents(parents);
    let noisy = aau_text_network(&network, table, Epsilon::new((1.0 - beta) * alpha)?, study_noise(seed)?.as_mut())?;
    let rows = BinaryCounts::of(&noisy.table(table.rows() as usize, seed ^ 0x31)?)?;
    Ok((1..counts.columns()).map(|other| rows.pair(0, other)).collect())
}

/// P(child = 1 | parents): noise of scale 2d/(n alpha) on both *conditional* probabilities (the
/// branch of the code that scales it by the table's size is never taken), cut at 0 and normalized;
/// 0 where nothing is left.
fn conditionals<R: Rng>(counts: &BinaryCounts, child: usize, parents: &[usize], alpha: f64, rng: &mut R) -> Vec<f64> {
    let scale = 2.0 * counts.columns() as f64 / (counts.total() * alpha);
    let columns: Vec<usize> = parents.iter().copied().chain([child]).collect();
    let joint = counts.marginal(&columns);
    let one = |pair: &[f64]| {
        let sum = pair[0] + pair[1];
        let mut noisy = |count: f64| (if sum > 0.0 { count / sum } else { 0.0 } + laplace(scale, rng)).max(0.0);
        let (zero, one) = (noisy(pair[0]), noisy(pair[1]));
        if zero + one > 0.0 { one / (zero + one) } else { 0.0 }
    };
    joint.chunks_exact(2).map(one).collect()
}

fn laplace<R: Rng>(scale: f64, rng: &mut R) -> f64 {
    let centred = uniform(rng) - 0.5;
    -scale * centred.signum() * (1.0 - 2.0 * centred.abs()).max(f64::MIN_POSITIVE).ln()
}
