//! A genetic algorithm whose survivors are chosen by the exponential mechanism.
//!
//! Zhang, Xiao, Yang, Zhang and Winslett 2013, "PrivGene: differentially private model fitting
//! using genetic algorithms". Its text could not be had: this follows its abstract and what is well
//! known of it. The sizes below are the remembered ones (200 candidates, 10 survivors, at least
//! eight rounds, more for larger n epsilon); the bound of the enhanced mechanism is derived here.

use anyhow::{Result, ensure};
use lookalike_evaluate::learn::Examples;
use lookalike_privacy::{Epsilon, NoiseBits, Rational, exponential_mechanism};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use rayon::prelude::*;

use crate::simulate::draw::{below, uniform};

/// Candidates of a round.
const CANDIDATES: usize = 200;
/// Candidates that survive a round.
const SURVIVORS: usize = 10;
/// Fewest and most rounds; the most only bounds the time at huge budgets.
const ROUNDS: [usize; 2] = [8, 60];
/// Rounds for each unit of n epsilon a survivor.
const ROUNDS_A_UNIT: f64 = 5e-3;
/// Weights begin within this of 0: rows have length 1, so margins of about 1 need weights of a few.
const FIRST_SPREAD: f64 = 2.0;
/// What the spread of a mutation is multiplied by from round to round.
const SHRINK: f64 = 0.93;
/// The share of weights that a mutation moves.
const MUTATED: f64 = 0.1;
/// Losses are whole multiples of one over this.
const GRID: f64 = (1u32 << 20) as f64;

/// PrivGene for the hinge-loss support vector machine with C = 1.
///
/// # Privacy
/// Replace-one, n public, rows of length at most 1 (checked). Pure epsilon, an equal share for each
/// of the 10 (r - 1) + 1 selections of r rounds. Candidates follow from earlier selections and
/// random numbers, so they are public.
///
/// A candidate's score is minus its hinge loss over all rows and minus half its squared length,
/// which no row changes. The enhanced exponential mechanism: a row's loss is 1-Lipschitz in the
/// weights, so over candidates of diameter R its losses lie within R of each other. To replace the
/// row moves the difference of two scores by at most 2 R, whatever the scores are. With chances
/// proportional to exp(share score / (2 R)), the ratio of chances moves by at most e^share. R falls
/// as the candidates draw together, and the selection sharpens.
///
/// Losses are rounded to a grid of 2^-20 row by row, which adds one step of it to R; selection is
/// exact on integers.
pub(super) fn priv_gene(examples: &Examples, epsilon: Epsilon, bits: &mut dyn NoiseBits) -> Result<Vec<f64>> {
    let longest = (0..examples.len()).map(|index| examples.square(index)).fold(0.0, f64::max);
    ensure!(longest <= 1.0 + 1e-9, "PrivGene needs rows of length at most 1");
    let rounds = rounds(examples.len(), epsilon.get());
    let share = Rational::at_most(epsilon.get() / (SURVIVORS * (rounds - 1) + 1) as f64)?;
    let mut rng = ChaCha20Rng::from_seed(std::array::from_fn(|_| bits.next_u64() as u8));
    let mut spread = FIRST_SPREAD;
    let free = |rng: &mut ChaCha20Rng| (0..examples.features()).map(|_| symmetric(spread, rng)).collect();
    let mut candidates: Vec<Vec<f64>> = (0..CANDIDATES).map(|_| free(&mut rng)).collect();
    for _ in 1..rounds {
        let chosen = select(examples, &candidates, SURVIVORS, share, bits)?;
        spread *= SHRINK;
        candidates = offspring(&candidates, &chosen, spread, &mut rng);
    }
    let best = select(examples, &candidates, 1, share, bits)?;
    Ok(candidates.swap_remove(best[0]))
}

/// Rounds for this many rows and budget.
fn rounds(rows: usize, epsilon: f64) -> usize {
    let wanted = (ROUNDS_A_UNIT * rows as f64 * epsilon / SURVIVORS as f64) as usize;
    wanted.clamp(ROUNDS[0], ROUNDS[1])
}

/// Uniform within the spread of 0.
fn symmetric(spread: f64, rng: &mut ChaCha20Rng) -> f64 {
    spread * (2.0 * uniform(rng) - 1.0)
}

/// This many candidates, each chosen by the enhanced exponential mechanism among those left.
pub fn select(
    examples: &Examples,
    candidates: &[Vec<f64>],
    survivors: usize,
    share: Rational,
    bits: &mut dyn NoiseBits,
) -> Result<Vec<usize>> {
    let sensitivity = (diameter(candidates) * GRID).ceil() as u64 + 1;
    let fitness = |weights: &Vec<f64>| {
        let loss = |(index, label): (usize, &f64)| {
            ((1.0 - label * examples.dot(index, weights)).max(0.0) * GRID).round() as i128
        };
        let losses: i128 = examples.labels().iter().enumerate().map(loss).sum();
        let square: f64 = weights.iter().map(|weight| weight * weight).sum();
        -losses - (0.5 * square * GRID) as i128
    };
    let mut left: Vec<(usize, i128)> = candidates.par_iter().map(fitness).enumerate().collect();
    let mut chosen = Vec::with_capacity(survivors);
    while chosen.len() < survivors && !left.is_empty() {
        let scores: Vec<i128> = left.iter().map(|&(_, score)| score).collect();
        chosen.push(left.remove(exponential_mechanism(&scores, sensitivity, share, bits)?).0);
    }
    Ok(chosen)
}

/// The largest distance between two candidates.
fn diameter(candidates: &[Vec<f64>]) -> f64 {
    let square = |a: &Vec<f64>, b: &Vec<f64>| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    let pairs = candidates.iter().enumerate().flat_map(|(i, a)| candidates[..i].iter().map(move |b| square(a, b)));
    pairs.fold(0.0, f64::max).sqrt()
}

/// The survivors, and children of two of them each: the first weights of one, the last of the
/// other, and some weights moved.
fn offspring(candidates: &[Vec<f64>], chosen: &[usize], spread: f64, rng: &mut ChaCha20Rng) -> Vec<Vec<f64>> {
    let mut next: Vec<Vec<f64>> = chosen.iter().map(|&index| candidates[index].clone()).collect();
    while next.len() < CANDIDATES {
        let [one, two] = [0, 1].map(|_| &candidates[chosen[below(rng, chosen.len() as u32) as usize]]);
        let cut = below(rng, one.len() as u32 + 1) as usize;
        let mut child = [&one[..cut], &two[cut..]].concat();
        for weight in &mut child {
            if uniform(rng) < MUTATED {
                *weight += symmetric(spread, rng);
            }
        }
        next.push(child);
    }
    next
}
