//! One-way and pair comparisons for the steward's report.

use lookalike_schema::{AttrId, Clique};
use lookalike_table::{CellCounts, Table, TableError};

use crate::distance::{Cancelled, all_pairs, check, distances, each_count, mean, total_variation};

/// How a synthetic table compares with the real one. Steward-only: it was not paid for.
#[derive(Clone, Debug, PartialEq)]
pub struct TableComparison {
    /// Rows of the real table.
    pub real_rows: u64,
    /// Rows of the synthetic table.
    pub synthetic_rows: u64,
    /// Every modelled column, in attribute order.
    pub columns: Vec<ColumnComparison>,
    /// Every pair of modelled columns, in order.
    pub pairs: Vec<PairDistance>,
}

/// One column of both tables.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnComparison {
    /// The column.
    pub attribute: AttrId,
    /// The share of each code in the real table; all 0 when it is empty.
    pub real: Vec<f64>,
    /// The share of each code in the synthetic table; all 0 when it is empty.
    pub synthetic: Vec<f64>,
    /// Their total variation distance.
    pub distance: f64,
}

/// The distance of a pair of columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairDistance {
    /// The first column.
    pub first: AttrId,
    /// The second column.
    pub second: AttrId,
    /// Total variation distance of their joint counts.
    pub distance: f64,
}

impl TableComparison {
    /// The mean distance of single columns; 0 without columns.
    pub fn mean_column_distance(&self) -> f64 {
        mean(self.columns.iter().map(|column| column.distance))
    }

    /// The mean distance of pairs; 0 without pairs.
    pub fn mean_pair_distance(&self) -> f64 {
        mean(self.pairs.iter().map(|pair| pair.distance))
    }

    /// The pairs that differ most, the worst first; ties in column order.
    pub fn worst_pairs(&self, count: usize) -> Vec<PairDistance> {
        let mut pairs = self.pairs.clone();
        pairs.sort_by(|a, b| b.distance.total_cmp(&a.distance));
        pairs.truncate(count);
        pairs
    }
}

/// Compares every column and every pair of columns. `cancelled` is asked now and then whether to
/// stop.
pub fn compare(real: &Table, synthetic: &Table, cancelled: Cancelled<'_>) -> Result<TableComparison, TableError> {
    let columns = compare_columns(real, synthetic, cancelled)?;
    let cliques = all_pairs(real.domain());
    let found = distances(real, synthetic, &cliques, cancelled)?;
    let pair = |(clique, distance): (&Clique, f64)| {
        let (first, second) = (clique.attributes()[0], clique.attributes()[1]);
        PairDistance { first, second, distance }
    };
    let pairs = cliques.iter().zip(found).map(pair).collect();
    Ok(TableComparison { real_rows: real.rows(), synthetic_rows: synthetic.rows(), columns, pairs })
}

/// Compares every column.
pub(crate) fn compare_columns(
    real: &Table,
    synthetic: &Table,
    cancelled: Cancelled<'_>,
) -> Result<Vec<ColumnComparison>, TableError> {
    check(real, synthetic, &[])?;
    let domain = real.domain();
    let singles: Vec<Clique> = domain.attributes().map(Clique::single).collect();
    let (left, right) = (real.count(&singles, cancelled)?, synthetic.count(&singles, cancelled)?);
    Ok(domain
        .attributes()
        .zip(left.iter().zip(&right))
        .map(|(attribute, (left, right))| ColumnComparison {
            attribute,
            real: shares(left, domain.size(attribute)),
            synthetic: shares(right, domain.size(attribute)),
            distance: total_variation(left, right),
        })
        .collect())
}

fn shares(counts: &CellCounts, size: u32) -> Vec<f64> {
    let mut cells = vec![0.0; size as usize];
    each_count(counts, |cell, count| cells[cell] = count as f64);
    let total: f64 = cells.iter().sum();
    if total > 0.0 {
        cells.iter_mut().for_each(|cell| *cell /= total);
    }
    cells
}
