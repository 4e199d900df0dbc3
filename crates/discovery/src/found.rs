//! What was found of columns, and what was not.

use lookalike_schema::{Discovered, FoundColumn};

use crate::prices::FactNoise;

/// What was found of a column, and how exactly.
pub(crate) type Found = Option<(FoundColumn, Discovered)>;

/// A range with the part of the rows that lies beyond it, as far as the noise tells.
pub(crate) struct FoundRange {
    pub column: FoundColumn,
    pub beyond: Beyond,
}

/// Rows beyond a range are told from this many deviations of the noise on: one column in four
/// thousand has as many by noise alone. With fewer, those of many columns that the noise made
/// large would be told.
const TOLD: f64 = 3.5;

/// What is beyond a range, as parts of the rows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Beyond {
    /// About this part; 0 where nothing stands out of the noise.
    pub about: f64,
    /// At most this part, with two deviations of the noise.
    pub most: f64,
    /// Whether nothing at all stood out, so that the range is a fixed one.
    pub is_fixed: bool,
}

impl Beyond {
    /// Beyond the cells from the first to before the last of a look.
    pub fn of(counts: &[i64], (from, to): (usize, usize), noise: &FactNoise, is_fixed: bool) -> Self {
        let sum = |cells: &[i64]| cells.iter().map(|&count| count as f64).sum::<f64>();
        let outside = sum(&counts[..from]) + sum(&counts[to..]);
        let deviation = noise.deviation * ((counts.len() - (to - from)) as f64).sqrt();
        let all = (outside.max(0.0) + sum(&counts[from..to])).max(1.0);
        let about = if outside > TOLD * deviation { outside } else { 0.0 };
        Self { about: about / all, most: (outside.max(0.0) + 2.0 * deviation) / all, is_fixed }
    }
}
