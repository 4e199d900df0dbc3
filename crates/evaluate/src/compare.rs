//! One-way and pair comparisons for the steward's report.

use lookalike_schema::codec::CodecKind;
use lookalike_schema::{AttrId, Clique, Schema};
use lookalike_table::{CellCounts, Table, TableError};

use crate::distance::{Cancelled, all_pairs, check, distances, each_count, mean, total_variation};
use crate::number::percent;

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

/// What of a column's real cells is in no listed word: they share the word for all others, in both
/// tables, so that distances take them for alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LostCells {
    /// The column.
    pub attribute: AttrId,
    /// The share of the real rows.
    pub share: f64,
    /// Whether the schema lists no word at all: nothing of the column is in the release.
    pub is_all: bool,
}

impl TableComparison {
    /// The columns of `schema`, which is that of both tables, with cells that became the word for
    /// all others: lost columns first, then by the share of their rows.
    pub fn lost_to_other(&self, schema: &Schema) -> Vec<LostCells> {
        let lost = |column: &ColumnComparison| {
            let CodecKind::Category(words) = schema.codec(column.attribute).kind() else { return None };
            // A word that is listed itself has cells of its own, which cannot be told apart.
            let other = words.other_code().filter(|&code| code as usize >= words.values().len())?;
            let share = column.real.get(other as usize).copied().unwrap_or(0.0);
            let is_all = words.values().is_empty();
            (share > 0.0 || is_all).then_some(LostCells { attribute: column.attribute, share, is_all })
        };
        let mut columns: Vec<LostCells> = self.columns.iter().filter_map(lost).collect();
        columns.sort_by(|one, two| two.is_all.cmp(&one.is_all).then(two.share.total_cmp(&one.share)));
        columns
    }

    /// The same in sentences; none where nothing was lost.
    pub fn lost_in_words(&self, schema: &Schema) -> Vec<String> {
        let (all, some): (Vec<_>, Vec<_>) = self.lost_to_other(schema).into_iter().partition(|lost| lost.is_all);
        let name = |lost: &LostCells| schema.column(lost.attribute).name.clone();
        let mut words = Vec::new();
        if !all.is_empty() {
            let names: Vec<String> = all.iter().map(name).collect();
            words.push(format!(
                "LOST: {}. No value is listed, so that every cell became the word for all others and nothing of the \
                 column is in the release.",
                names.join(", ")
            ));
        }
        if !some.is_empty() {
            let shares: Vec<String> =
                some.iter().map(|lost| format!("{} {}", name(lost), percent(lost.share))).collect();
            words.push(format!(
                "Real cells whose value is not listed, and which became the word for all others: {}.",
                shares.join(", ")
            ));
        }
        if !words.is_empty() {
            words.push("Distances take such cells for alike, so they do not show what was lost.".to_owned());
        }
        words
    }

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
