//! Marginals of several columns: their distances, what sampling alone would give, and the score
//! that SDNist makes of them.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_schema::{AttrId, Clique, Domain};
use lookalike_table::{CellCounts, Table, TableError};
use serde::Serialize;

use crate::EvaluationRng;
use crate::distance::{Cancelled, each_count, each_marginal, each_pair, mean, total};
use crate::math::Deviations;

/// One marginal of both tables.
#[derive(Clone, Debug, PartialEq)]
pub struct MarginalDistance {
    /// The columns.
    pub clique: Clique,
    /// Total variation distance.
    pub distance: f64,
    /// The mean distance if all rows of both tables were mixed and dealt out again: what sampling
    /// alone does.
    pub floor: f64,
}

/// Marginals of one number of columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Ways {
    /// How many columns each has.
    pub ways: usize,
    /// Whether these are all sets of `ways` columns, or a sample of them.
    pub all: bool,
    /// Rows of the real and the synthetic table that were counted.
    pub rows: [u64; 2],
    /// The marginals.
    pub marginals: Vec<MarginalDistance>,
    /// The SDNist score of these marginals.
    pub score: KMarginal,
}

impl Ways {
    /// The mean distance; 0 without marginals.
    pub fn mean(&self) -> f64 {
        mean(self.marginals.iter().map(|marginal| marginal.distance))
    }

    /// The mean floor; 0 without marginals.
    pub fn floor(&self) -> f64 {
        mean(self.marginals.iter().map(|marginal| marginal.floor))
    }

    /// Those that are furthest apart, the worst first; ties in column order.
    pub fn worst(&self, count: usize) -> Vec<&MarginalDistance> {
        let mut order: Vec<&MarginalDistance> = self.marginals.iter().collect();
        order.sort_by(|a, b| b.distance.total_cmp(&a.distance).then_with(|| a.clique.cmp(&b.clique)));
        // A list may name a marginal twice.
        order.dedup_by(|a, b| a.clique == b.clique);
        order.truncate(count);
        order
    }
}

/// SDNist's k-marginal score, and how to read it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct KMarginal {
    /// 1000 (1 - mean distance): 1000 is the same table.
    pub score: f64,
    /// The score is that of a random subsample of the real rows of this share; 1 when it is as good
    /// as all of them. `None` when even the smallest subsample is better.
    #[serde(rename = "like_subsample")]
    pub subsample: Option<f64>,
    /// The score that two samples of one population would have: 1000 (1 - mean floor).
    pub floor_score: f64,
}

/// Half the L1 distance of both counts, and its mean if the rows were dealt out again.
fn distance_and_floor(left: &CellCounts, right: &CellCounts, deviations: &Deviations) -> (f64, f64) {
    let (n, m) = (total(left) as f64, total(right) as f64);
    if n == 0.0 || m == 0.0 {
        return (if n == m { 0.0 } else { 1.0 }, 0.0);
    }
    let (mut sum, mut stray) = (0.0, 0.0);
    each_pair(left, right, &mut |a, b| {
        if a + b > 0 {
            sum += (a as f64 / n - b as f64 / m).abs();
            stray += deviations.of(a + b);
        }
    });
    // A cell's shares differ by its stray rows over n on one side and over m on the other.
    ((0.5 * sum).min(1.0), (0.5 * stray * (1.0 / n + 1.0 / m)).min(1.0))
}

/// How many cells of the real marginals have each count: all that a subsample's expected score
/// depends on.
#[derive(Clone)]
pub(crate) struct CountsOfCounts {
    /// Cells with each small count: nearly all cells of a wide marginal.
    small: Vec<u64>,
    cells: BTreeMap<u64, u64>,
}

/// Counts below this are small.
const SMALL: usize = 256;

impl Default for CountsOfCounts {
    fn default() -> Self {
        Self { small: vec![0; SMALL], cells: BTreeMap::new() }
    }
}

impl CountsOfCounts {
    pub(crate) fn of(counts: &CellCounts) -> Self {
        let mut found = Self::default();
        each_count(counts, |_, count| match found.small.get_mut(count as usize) {
            Some(cells) => *cells += 1,
            None => *found.cells.entry(count).or_insert(0) += 1,
        });
        found
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.small.iter_mut().zip(&other.small).for_each(|(own, cells)| *own += cells);
        other.cells.iter().for_each(|(&count, &cells)| *self.cells.entry(count).or_insert(0) += cells);
    }

    /// The mean distance of a random subsample of that share from the real table of `rows` rows,
    /// over `marginals` marginals.
    fn distance(&self, share: f64, rows: u64, marginals: usize) -> f64 {
        let deviations = Deviations::new(share, rows);
        let small = self.small.iter().enumerate().map(|(count, &cells)| (count as u64, cells));
        let all = small.chain(self.cells.iter().map(|(&count, &cells)| (count, cells)));
        let stray: f64 = all.map(|(count, cells)| deviations.of(count) * cells as f64).sum();
        0.5 * stray / (share * rows as f64) / marginals.max(1) as f64
    }

    /// The share of the real rows whose random subsample is as far from the table as `distance`.
    pub(crate) fn subsample(&self, distance: f64, rows: u64, marginals: usize) -> Option<f64> {
        if rows < 2 || marginals == 0 {
            return None;
        }
        let (mut low, mut high) = (1.0 / rows as f64, 1.0 - 1e-9);
        if self.distance(high, rows, marginals) >= distance {
            return Some(1.0);
        }
        if self.distance(low, rows, marginals) < distance {
            return None;
        }
        for _ in 0..40 {
            let middle = (low * high).sqrt();
            if self.distance(middle, rows, marginals) > distance { low = middle } else { high = middle }
        }
        Some(high)
    }
}

/// Marginals of both tables with their score, and what `more` makes of the counts of each.
pub(crate) fn compare_with<T: Send>(
    real: &Table,
    synthetic: &Table,
    cliques: &[Clique],
    cancelled: Cancelled<'_>,
    more: impl Fn(&Clique, &CellCounts, &CellCounts) -> T + Sync,
) -> Result<(Vec<MarginalDistance>, KMarginal, Vec<T>), TableError> {
    let (rows, all) = (real.rows(), real.rows() + synthetic.rows());
    // How far rows stray when those of both tables are mixed and dealt out again.
    let deviations = Deviations::new(if all == 0 { 0.5 } else { rows as f64 / all as f64 }, all);
    let (mut marginals, mut counts, mut made) = (Vec::new(), CountsOfCounts::default(), Vec::new());
    let one = |clique: &Clique, left: &CellCounts, right: &CellCounts| {
        let (distance, floor) = distance_and_floor(left, right, &deviations);
        let marginal = MarginalDistance { clique: clique.clone(), distance, floor };
        (marginal, CountsOfCounts::of(left), more(clique, left, right))
    };
    each_marginal(real, synthetic, cliques, cancelled, one, |(marginal, own, more)| {
        marginals.push(marginal);
        counts.merge(&own);
        made.push(more);
    })?;
    let distance = mean(marginals.iter().map(|marginal| marginal.distance));
    let floor = mean(marginals.iter().map(|marginal| marginal.floor));
    let score = KMarginal {
        score: 1000.0 * (1.0 - distance),
        subsample: counts.subsample(distance, rows, marginals.len()),
        floor_score: 1000.0 * (1.0 - floor),
    };
    Ok((marginals, score, made))
}

/// Compares marginals of `ways` columns each. `all` is only passed on.
///
/// # Errors
/// When the tables differ in shape, cannot be read back, or the work was cancelled.
pub fn compare_marginals(
    real: &Table,
    synthetic: &Table,
    ways: usize,
    cliques: &[Clique],
    all: bool,
    cancelled: Cancelled<'_>,
) -> Result<Ways, TableError> {
    let (marginals, score, _) = compare_with(real, synthetic, cliques, cancelled, |_, _, _| ())?;
    Ok(Ways { ways, all, rows: [real.rows(), synthetic.rows()], marginals, score })
}

/// At most `most` random sets of `ways` columns, in order, and whether these are all there are.
/// Sets with more cells than can be numbered are passed over.
pub fn sample_cliques(domain: &Domain, ways: usize, most: usize, seed: u64) -> (Vec<Clique>, bool) {
    let columns = domain.len();
    if ways == 0 || ways > columns {
        return (Vec::new(), true);
    }
    let possible = (0..ways).fold(1.0, |product, k| product * (columns - k) as f64 / (k + 1) as f64);
    let numbered = |clique: &Clique| domain.cells(clique).is_some();
    if possible <= most as f64 {
        let mut found = vec![Clique::new([])];
        for _ in 0..ways {
            let longer = |set: &Clique| {
                let first = set.attributes().last().map_or(0, |last| last.0 + 1);
                let set = set.clone();
                (first..columns as u32).map(move |next| set.union(&Clique::single(AttrId(next))))
            };
            found = found.iter().flat_map(longer).collect();
        }
        let all = found.iter().all(numbered);
        found.retain(numbered);
        return (found, all);
    }
    let mut rng = EvaluationRng::new(seed, "marginals", ways as u64);
    let mut found = BTreeSet::new();
    // Far more tries than are needed unless nearly every set is too large to number.
    for _ in 0..20 * most {
        let clique = Clique::new(rng.choose(columns as u64, ways).into_iter().map(|column| AttrId(column as u32)));
        if found.len() < most && numbered(&clique) {
            found.insert(clique);
        }
    }
    (found.into_iter().collect(), false)
}
