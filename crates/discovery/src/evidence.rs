//! What noisy counts of readings speak for.

use std::sync::LazyLock;

use lookalike_curator::Noise;
use lookalike_schema::Reading;
use lookalike_schema::discover::READINGS;

use crate::prices::FactNoise;

/// Counts below this many deviations are taken for nothing.
const NOTHING: f64 = 2.5;
/// No reading of a hundred has a count of more deviations by noise alone, but for one column in a
/// hundred.
const ANYWHERE: f64 = 3.6;
/// Any of the thousands of readings of numbers with something around them passes its level by noise
/// in this many columns.
const ANYWHERE_DRESSED: f64 = 0.01;

/// How many readings there are without numbers that have something around them, which stand behind
/// these: what is held against them is not held against thousands more.
pub(crate) static BASIC: LazyLock<usize> =
    LazyLock::new(|| READINGS.iter().filter(|reading| !matches!(reading, Reading::Dressed(..))).count());

/// The noisy counts of one column's readings.
pub(crate) struct Readings<'a> {
    pub counts: &'a [i64],
    deviation: f64,
    /// Whether noise has long tails, as where it costs epsilon.
    is_laplace: bool,
    pub level: f64,
    dressed_level: f64,
}

impl<'a> Readings<'a> {
    pub fn new(counts: &'a [i64], noise: &FactNoise) -> Self {
        // Where nothing stands out, the largest count has to do.
        let basic = || READINGS.iter().zip(&counts[..*BASIC]);
        let all = || basic().filter(|(reading, _)| !matches!(reading, Reading::Missing(_)));
        let largest = all().map(|(_, &count)| count as f64).fold(f64::NEG_INFINITY, f64::max);
        let many = (READINGS.len() - *BASIC) as f64;
        Self {
            counts,
            deviation: noise.deviation,
            is_laplace: matches!(noise.noise, Noise::Laplace(_)),
            level: (NOTHING * noise.deviation).min(largest),
            dressed_level: noise.level(ANYWHERE_DRESSED / many),
        }
    }

    /// The counts of some readings.
    pub fn of(&self, wanted: impl Fn(&Reading) -> bool) -> impl Iterator<Item = f64> {
        let some = READINGS.iter().zip(self.counts).filter(move |(reading, _)| wanted(reading));
        some.map(|(_, &count)| count as f64)
    }

    /// The sum of the counts of some readings that are not taken for nothing.
    pub fn sum(&self, wanted: impl Fn(&Reading) -> bool) -> f64 {
        self.of(wanted).filter(|count| *count >= self.level).sum()
    }

    /// Whether some readings are this part of all cells that are not missing. Others count where
    /// they are more than what the noise brings up anywhere.
    pub fn explain(&self, part: f64, wanted: impl Fn(&Reading) -> bool) -> bool {
        let is_other = |reading: &Reading| !matches!(reading, Reading::Missing(_)) && !wanted(reading);
        let is_dressed = |reading: &Reading| matches!(reading, Reading::Dressed(..));
        let basic = self.of(|reading| is_other(reading) && !is_dressed(reading));
        let basic: f64 = basic.filter(|count| *count > ANYWHERE * self.deviation).sum();
        let dressed = self.of(|reading| is_other(reading) && is_dressed(reading));
        let others = basic + dressed.filter(|count| *count > self.dressed_level).sum::<f64>();
        let own = self.sum(wanted);
        own > 0.0 && own >= part * (own + others)
    }

    /// How much likelier a count of this many deviations is where somebody may be: a logarithm.
    fn likelihood(&self, count: f64) -> f64 {
        if self.is_laplace { std::f64::consts::SQRT_2 * count } else { count * count / 2.0 }
    }

    /// How much likelier the counts are where some of these readings, a few or all, have cells and
    /// all others have none, than where none has any: a logarithm, less that of the number of ways
    /// to choose them. A reading that the noise brought up does not win over two of one type that
    /// have half of the cells each.
    pub fn evidence(&self, wanted: impl Fn(&Reading) -> bool) -> f64 {
        let mut counts: Vec<f64> = self.of(wanted).map(|count| count.max(0.0) / self.deviation).collect();
        counts.sort_by(|one, two| two.total_cmp(one));
        let all = counts.len() as f64;
        let (mut best, mut sum) = (f64::NEG_INFINITY, 0.0);
        for (place, count) in counts.iter().enumerate() {
            let place = place as f64;
            sum += self.likelihood(*count) - ((all - place) / (place + 1.0)).ln() - f64::from(u8::from(place > 0.0));
            best = best.max(sum);
        }
        best
    }
}
