//! Cells that are missing together.

use lookalike_schema::AttrId;
use rayon::prelude::*;

/// Two columns, and how often both cells of a row are missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MissingTogether {
    /// The first column.
    pub first: AttrId,
    /// The second column.
    pub second: AttrId,
    /// The share of rows in which both are missing, in the real and the other table.
    pub share: [f64; 2],
    /// Whether both columns have missing cells in the real table.
    pub real: bool,
}

impl MissingTogether {
    /// The difference of both shares.
    pub fn apart(&self) -> f64 {
        (self.share[0] - self.share[1]).abs()
    }
}

/// All pairs of columns that are missing together somewhere, or have missing cells in the real
/// table.
pub fn missing_together(real: &[Vec<f64>], other: &[Vec<f64>]) -> Vec<MissingTogether> {
    let holes = [real, other].map(|columns| columns.par_iter().map(|column| Holes::of(column)).collect::<Vec<_>>());
    let count = real.len();
    let pairs: Vec<(usize, usize)> = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).collect();
    let one = |(a, b): (usize, usize)| {
        let share = [0, 1].map(|side| holes[side][a].both(&holes[side][b]));
        let real = holes[0][a].any && holes[0][b].any;
        let found = MissingTogether { first: AttrId(a as u32), second: AttrId(b as u32), share, real };
        (real || share != [0.0; 2]).then_some(found)
    };
    pairs.into_par_iter().filter_map(one).collect()
}

/// A bit for every row.
struct Holes {
    bits: Vec<u64>,
    rows: usize,
    any: bool,
}

impl Holes {
    fn of(column: &[f64]) -> Self {
        let word = |cells: &[f64]| {
            cells.iter().enumerate().fold(0, |word, (place, cell)| word | u64::from(cell.is_nan()) << place)
        };
        let bits: Vec<u64> = column.chunks(64).map(word).collect();
        Self { any: bits.iter().any(|&word| word != 0), bits, rows: column.len() }
    }

    /// The share of rows that are missing in both.
    fn both(&self, other: &Self) -> f64 {
        if !self.any || !other.any {
            return 0.0;
        }
        let count: u32 = self.bits.iter().zip(&other.bits).map(|(a, b)| (a & b).count_ones()).sum();
        f64::from(count) / self.rows as f64
    }
}
