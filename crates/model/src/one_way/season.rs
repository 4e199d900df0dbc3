//! What comes again in a calendar, put into the counts of a column of dates.
//!
//! No single day stands out of its noise, but all Sundays together do. Noisy counts of weekdays (or
//! months of the year, or hours) say by how much days of a kind are more or less frequent than
//! their neighbours, and the counts of single days are multiplied by that.

use lookalike_schema::Grouping;

use super::run::CodeRun;

/// Counts of kinds and counts of runs are met in turn, this many times.
const TURNS: usize = 4;

/// Noisy counts of all codes of a kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Season {
    /// The kind of each code; codes without an order are kinds of their own.
    pub kinds: Grouping,
    /// Answers weighted by their precision, and their precision.
    weighted: Vec<f64>,
    precision: f64,
}

impl Season {
    /// Nothing answered yet.
    pub(super) fn new(kinds: Grouping) -> Self {
        Self { weighted: vec![0.0; kinds.groups() as usize], precision: 0.0, kinds }
    }

    /// Takes an answer.
    pub fn take(&mut self, values: &[f64], variance: f64) {
        let precision = variance.max(1e-300).recip();
        self.weighted.iter_mut().zip(values).for_each(|(sum, value)| *sum += precision * value);
        self.precision += precision;
    }

    /// By how much the counts of each kind are to be multiplied. Where kinds differ from what the
    /// counts say by no more than noise explains, by nothing.
    fn factors(&self, counts: &[f64], group_of: &[u32]) -> Vec<f64> {
        let mut held = vec![0.0; self.weighted.len()];
        counts.iter().zip(group_of).for_each(|(count, &kind)| held[kind as usize] += count);
        let missing = |(sum, held): (&f64, &f64)| sum / self.precision.max(1e-300) - held;
        let missing: Vec<f64> = self.weighted.iter().zip(&held).map(missing).collect();
        let squares: f64 = missing.iter().map(|missing| missing * missing).sum();
        let by_noise = missing.len() as f64 / self.precision.max(1e-300);
        let believed = (1.0 - by_noise / squares.max(1e-300)).max(0.0);
        let factor = |(held, missing): (&f64, &f64)| {
            if *held > 0.0 { (1.0 + believed * missing / held).max(0.0) } else { 1.0 }
        };
        held.iter().zip(&missing).map(factor).collect()
    }
}

/// Puts the seasons into the counts of runs.
pub(super) fn season(counts: &mut [f64], runs: &[&CodeRun], seasons: &[Season]) {
    let groups: Vec<_> = seasons.iter().map(|season| season.kinds.group_of()).collect();
    for _ in 0..TURNS {
        for (season, group_of) in seasons.iter().zip(&groups) {
            let factors = season.factors(counts, group_of);
            counts.iter_mut().zip(group_of.iter()).for_each(|(count, &kind)| *count *= factors[kind as usize]);
        }
        // Runs and codes without an order were counted by themselves.
        for run in runs {
            let part = &mut counts[run.codes.start as usize..run.codes.end as usize];
            let sum: f64 = part.iter().sum();
            if sum > 0.0 {
                part.iter_mut().for_each(|count| *count *= run.count / sum);
            } else {
                part.fill(run.density());
            }
        }
    }
}
