//! Noisy R-scores of pairs of columns.

use lookalike_schema::{AttrId, Clique};

/// A pair with more cells than this is never scored: counting it would cost more than it could
/// tell. Judged from sizes that are public or paid for.
pub(super) const MOST_PAIR_CELLS: u64 = 1 << 22;

/// The scores that there are, in rows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scores {
    columns: usize,
    /// Both halves; `None` for a pair that was not scored.
    values: Vec<Option<f64>>,
}

impl Scores {
    /// No scores yet.
    pub fn new(columns: usize) -> Self {
        Self { columns, values: vec![None; columns * columns] }
    }

    /// The scores of some pairs.
    pub fn of(columns: usize, pairs: &[Clique], values: impl IntoIterator<Item = f64>) -> Self {
        let mut scores = Self::new(columns);
        for (pair, value) in pairs.iter().zip(values) {
            if let [a, b] = pair.attributes() {
                scores.values[a.index() * columns + b.index()] = Some(value);
                scores.values[b.index() * columns + a.index()] = Some(value);
            }
        }
        scores
    }

    /// The score of a pair; 0 when it was not scored, as if its columns were independent.
    pub fn get(&self, a: AttrId, b: AttrId) -> f64 {
        self.values[a.index() * self.columns + b.index()].unwrap_or(0.0)
    }

    /// The scored pairs, best first, ties by index.
    pub fn ranked(&self) -> Vec<Clique> {
        let attribute = |index: usize| AttrId(index as u32);
        let mut pairs: Vec<(f64, AttrId, AttrId)> = Vec::new();
        for a in 0..self.columns {
            for b in a + 1..self.columns {
                if let Some(score) = self.values[a * self.columns + b] {
                    pairs.push((score, attribute(a), attribute(b)));
                }
            }
        }
        pairs.sort_by(|one, two| two.0.total_cmp(&one.0).then((one.1, one.2).cmp(&(two.1, two.2))));
        pairs.into_iter().map(|(_, a, b)| Clique::new([a, b])).collect()
    }
}
