//! Canaries for scores: pairs of columns whose score one neighbour step moves as far as we know
//! how.
//!
//! Each table below was worked out, or found by a search over tables; `tests.rs` states how much of
//! the declared sensitivity each of them reaches.

use lookalike_privacy::{Neighbours, Relation, ScoreKind};

/// Two columns, without and with the canary.
#[derive(Clone, Debug)]
pub(crate) struct ScoreCanary {
    /// How many codes the two columns have.
    pub sizes: [u32; 2],
    /// Rows that both tables have, and how often.
    base: Vec<([u32; 2], u64)>,
    /// What the canary row was before; `None` when it was not there.
    old: Option<[u32; 2]>,
    /// What it is, and how often.
    new: ([u32; 2], u32),
    /// For the distance: the fixed vector.
    pub expected: Vec<f64>,
}

impl ScoreCanary {
    fn added(sizes: [u32; 2], base: &[([u32; 2], u64)], new: [u32; 2], copies: u32) -> Self {
        Self { sizes, base: base.to_vec(), old: None, new: (new, copies), expected: Vec::new() }
    }

    fn replaced(sizes: [u32; 2], base: &[([u32; 2], u64)], old: [u32; 2], new: [u32; 2]) -> Self {
        Self { sizes, base: base.to_vec(), old: Some(old), new: (new, 1), expected: Vec::new() }
    }

    fn expecting(self, expected: &[f64]) -> Self {
        Self { expected: expected.to_vec(), ..self }
    }

    /// The same step the other way round.
    fn reversed(self) -> Self {
        match self.old {
            Some(old) => Self { old: Some(self.new.0), new: (old, 1), ..self },
            None => self,
        }
    }

    /// The rows, without the canary or with it. The canary comes last, so that pairs stand beside
    /// each other in one table.
    pub fn rows(&self, with: bool) -> Vec<[u32; 2]> {
        let mut rows = Vec::new();
        for &(row, times) in &self.base {
            rows.extend(std::iter::repeat_n(row, times as usize));
        }
        if with {
            rows.extend(std::iter::repeat_n(self.new.0, self.new.1 as usize));
        } else {
            rows.extend(self.old);
        }
        rows
    }

    /// The score in rows, computed plainly: to place the canary, never to judge the curator.
    pub fn score(&self, kind: ScoreKind, with: bool) -> f64 {
        let rows = self.rows(with);
        let mut counts = vec![vec![0.0; self.sizes[1] as usize]; self.sizes[0] as usize];
        rows.iter().for_each(|row| counts[row[0] as usize][row[1] as usize] += 1.0);
        match kind {
            ScoreKind::Dependence => dependence(&counts, rows.len() as f64),
            ScoreKind::Information | ScoreKind::BinaryInformation => information(&counts, rows.len() as f64),
            ScoreKind::MaximumJoint => maximum_joint(&counts, rows.len() as f64),
            ScoreKind::Distance => {
                counts.iter().flatten().zip(&self.expected).map(|(count, value)| (count - value).abs()).sum()
            }
        }
    }
}

/// A pair whose score rises with the canary and one whose score falls; `None` where the relation
/// has no such score.
pub(crate) fn pairs(kind: ScoreKind, neighbours: Neighbours) -> Option<[ScoreCanary; 2]> {
    match neighbours.relation() {
        Relation::AddRemove => added(kind, neighbours.contribution()),
        Relation::ReplaceOne => {
            let pair = replaced(kind);
            let rises = pair.score(kind, true) > pair.score(kind, false);
            let (up, down) = if rises { (pair.clone(), pair.reversed()) } else { (pair.clone().reversed(), pair) };
            // The distance has its own vector for each way.
            Some(if kind == ScoreKind::Distance { distances_replaced() } else { [up, down] })
        }
    }
}

fn added(kind: ScoreKind, c: u32) -> Option<[ScoreCanary; 2]> {
    let canary = [1, 1];
    match kind {
        ScoreKind::Dependence => {
            // All rows alike, then one unlike in both columns: R goes from 0 to 2n/(n+1). Many (0,
            // 0) and k each of (0, 1) and (1, 0) with k^2 near c times the many: (1, 1) makes it
            // independent.
            let (many, k) = (2500, f64::from(2500 * c).sqrt() as u64);
            let up = ScoreCanary::added([2, 2], &[([0, 0], many + 2 * k)], canary, c);
            let down = ScoreCanary::added([2, 2], &[([0, 0], many), ([0, 1], k), ([1, 0], k)], canary, c);
            Some([up, down])
        }
        ScoreKind::MaximumJoint => {
            let up = ScoreCanary::added([2, 2], &[([0, 0], 40)], canary, c);
            let down = ScoreCanary::added([2, 2], &[([0, 0], 20), ([1, 1], 20)], [1, 0], c);
            Some([up, down])
        }
        ScoreKind::Distance => {
            let pair = ScoreCanary::added([2, 2], &[], canary, c);
            Some([pair.clone().expecting(&[0.0; 4]), pair.expecting(&[0.0, 0.0, 0.0, 100.0])])
        }
        ScoreKind::Information | ScoreKind::BinaryInformation => None,
    }
}

fn replaced(kind: ScoreKind) -> ScoreCanary {
    match kind {
        // Found by a search over tables of 200 rows: 2.85 of 3.01.
        ScoreKind::Dependence => {
            ScoreCanary::replaced([3, 3], &[([0, 1], 172), ([0, 2], 16), ([1, 1], 11)], [2, 0], [1, 2])
        }
        ScoreKind::MaximumJoint => ScoreCanary::replaced([2, 2], &[([0, 0], 20), ([1, 1], 19)], [1, 0], [1, 1]),
        // Found by a search over tables of 40 rows: all but a thousandth.
        ScoreKind::Information => ScoreCanary::replaced([3, 3], &[([0, 1], 20), ([1, 2], 19)], [0, 2], [2, 0]),
        ScoreKind::BinaryInformation => ScoreCanary::replaced([2, 2], &[([0, 0], 39)], [0, 0], [1, 1]),
        ScoreKind::Distance => ScoreCanary::replaced([2, 2], &[], [0, 0], [1, 1]).expecting(&[10.0, 0.0, 0.0, 0.0]),
    }
}

fn distances_replaced() -> [ScoreCanary; 2] {
    let pair = replaced(ScoreKind::Distance);
    [pair.clone(), pair.expecting(&[0.0, 0.0, 0.0, 10.0])]
}

fn sums(counts: &[Vec<f64>]) -> (Vec<f64>, Vec<f64>) {
    let first = counts.iter().map(|row| row.iter().sum()).collect();
    let second = (0..counts[0].len()).map(|place| counts.iter().map(|row| row[place]).sum()).collect();
    (first, second)
}

fn dependence(counts: &[Vec<f64>], n: f64) -> f64 {
    let (first, second) = sums(counts);
    let each = counts
        .iter()
        .zip(&first)
        .flat_map(|(row, a)| row.iter().zip(&second).map(move |(count, b)| 0.5 * (count - a * b / n.max(1.0)).abs()));
    each.sum()
}

fn information(counts: &[Vec<f64>], n: f64) -> f64 {
    let (first, second) = sums(counts);
    let each = counts.iter().zip(&first).flat_map(|(row, a)| {
        row.iter()
            .zip(&second)
            .filter(|(count, _)| **count > 0.0)
            .map(move |(count, b)| count * (n * count / (a * b)).log2())
    });
    each.sum()
}

/// The first column is the attribute, of two values; every way to give its values to those of the
/// second is tried.
fn maximum_joint(counts: &[Vec<f64>], n: f64) -> f64 {
    let parents = counts[0].len();
    let splits = (0..1usize << parents).map(|split| {
        let side = |value: usize| -> f64 {
            (0..parents).filter(|parent| (split >> parent) & 1 == value).map(|parent| counts[value][parent]).sum()
        };
        side(0).min(n / 2.0) + side(1).min(n / 2.0) - n
    });
    splits.fold(f64::NEG_INFINITY, f64::max)
}
