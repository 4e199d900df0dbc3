//! Seeds, what becomes of them, and the test that a record must pass.

use std::collections::HashMap;

use anyhow::{Result, bail, ensure};
use lookalike_privacy::{DiscreteLaplace, NoiseBits, Rational};
use rand_chacha::ChaCha20Rng;

use super::conditional::Conditional;
use super::settings::BsgSettings;
use super::structure::Network;
use crate::baselines::synthesizers::draws::pick;
use crate::simulate::draw::below;

/// Records tried for each one released, on average, before the release is given up.
const MOST_TRIES: usize = 200;

/// The records that are rewritten. A record keeps the first columns of its seed in the network's
/// order, between none and half of them, and the others are drawn again.
pub struct Seeds<'a> {
    records: Vec<Vec<u32>>,
    order: &'a [usize],
    tables: Vec<Conditional>,
    settings: &'a BsgSettings,
    /// The most columns that are kept.
    most_kept: usize,
    /// The next node of a node and a code; node 0 is the root, and a node's level is a column of
    /// the order.
    next: HashMap<(usize, u32), usize>,
    /// Seeds that begin like each node.
    counts: Vec<u64>,
}

impl<'a> Seeds<'a> {
    /// Seeds of these columns.
    pub fn new(
        columns: &[Vec<u32>],
        network: &'a Network,
        tables: Vec<Conditional>,
        settings: &'a BsgSettings,
    ) -> Result<Self> {
        let rows = columns.first().map_or(0, Vec::len);
        ensure!(rows > 0, "BSG needs more rows");
        let records: Vec<Vec<u32>> = (0..rows).map(|row| columns.iter().map(|codes| codes[row]).collect()).collect();
        let (mut next, mut counts, most_kept) = (HashMap::new(), vec![rows as u64], columns.len() / 2);
        for record in &records {
            let mut node = 0;
            for &column in &network.order[..most_kept] {
                node = *next.entry((node, record[column])).or_insert_with(|| {
                    counts.push(0);
                    counts.len() - 1
                });
                counts[node] += 1;
            }
        }
        Ok(Self { records, order: &network.order, tables, settings, most_kept, next, counts })
    }

    /// Columns of this many records that pass the test.
    pub fn release(&self, rows: usize, rng: &mut ChaCha20Rng, bits: &mut dyn NoiseBits) -> Result<Vec<Vec<u32>>> {
        let noise = DiscreteLaplace::new(Rational::at_least(1.0 / self.settings.test_epsilon)?)?;
        let mut made = vec![Vec::with_capacity(rows); self.order.len()];
        for _ in 0..rows.saturating_mul(MOST_TRIES) {
            if made[0].len() == rows {
                break;
            }
            let seed = &self.records[below(rng, self.records.len() as u32) as usize];
            let mut record = seed.clone();
            for &column in &self.order[below(rng, self.most_kept as u32 + 1) as usize..] {
                record[column] = pick(self.tables[column].sums(&record), rng) as u32;
            }
            let threshold = self.settings.plausible as i64 + noise.sample(bits);
            if self.alike(seed, &record) as i64 >= threshold {
                made.iter_mut().zip(record).for_each(|(out, code)| out.push(code));
            }
        }
        if made[0].len() < rows {
            bail!("BSG finds too few records that {} others could have led to", self.settings.plausible);
        }
        Ok(made)
    }

    /// How many seeds are about as likely as this one to have led to the record.
    fn alike(&self, seed: &[u32], record: &[u32]) -> u64 {
        // How likely a seed is depends on how many columns it begins alike.
        let begins = self.order[..self.most_kept].iter().take_while(|&&column| seed[column] == record[column]).count();
        let mut nodes = vec![0];
        for &column in &self.order[..self.most_kept] {
            let Some(&node) = self.next.get(&(nodes[nodes.len() - 1], record[column])) else { break };
            nodes.push(node);
        }
        let counts: Vec<u64> =
            (0..=self.most_kept).map(|kept| nodes.get(kept).map_or(0, |&n| self.counts[n])).collect();
        alike(&counts, &self.chances(record), begins, self.settings.gamma)
    }

    /// The chance that a seed leads to the record when it begins alike in 0, 1, ... columns: the
    /// number of columns that are kept is even over all that can be.
    fn chances(&self, record: &[u32]) -> Vec<f64> {
        let chance = |&column: &usize| self.tables[column].chance(record, record[column]);
        let mut rest: f64 = self.order[self.most_kept..].iter().map(chance).product();
        let mut from = vec![rest];
        for column in self.order[..self.most_kept].iter().rev() {
            rest *= chance(column);
            from.push(rest);
        }
        from.reverse();
        let mut sum = 0.0;
        let add = |chance: f64| {
            sum += chance / (self.most_kept + 1) as f64;
            sum
        };
        from.into_iter().map(add).collect()
    }
}

/// Seeds in the same power of 1 / gamma as one that begins like the record in `own` columns.
/// `counts` are the seeds that begin alike in at least 0, 1, ... columns, and `chances` how likely
/// such a seed is to lead to the record when no further column is alike.
pub fn alike(counts: &[u64], chances: &[f64], own: usize, gamma: f64) -> u64 {
    let power = |chance: f64| (-chance.ln() / gamma.ln()).floor();
    let exactly = |kept: usize| counts[kept] - counts.get(kept + 1).copied().unwrap_or(0);
    (0..counts.len()).filter(|&kept| power(chances[kept]) == power(chances[own])).map(exactly).sum()
}

/// What one released record and a table of them cost the seeds by the paper's theorem 1, at this
/// delta in all: the best t, and plain composition, which is better than the advanced one at an
/// epsilon above 1 each. Records that fail the test are not counted, though they cost as much.
pub fn seed_cost(settings: &BsgSettings, rows: usize, delta: f64) -> [f64; 2] {
    let one = |delta: f64| {
        let t = (settings.plausible as f64 + delta.ln() / settings.test_epsilon).floor();
        if t < 1.0 { f64::INFINITY } else { settings.test_epsilon + (settings.gamma / t).ln_1p() }
    };
    [one(delta), rows as f64 * one(delta / rows as f64)]
}
