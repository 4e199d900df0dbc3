//! Everything that is asked of a pair of columns, from one count of it: distance, correlations and
//! tests.

use lookalike_schema::{AttrId, Clique};
use lookalike_table::{CellCounts, Table, TableError};

use crate::distance::{Cancelled, all_pairs, each_count};
use crate::hypothesis::{ChiSquare, CrossTable, Spearman, chi_square_of, middle_ranks, spearman_of_sums};
use crate::marginals::{KMarginal, MarginalDistance, compare_with};
use crate::values::code_values;

/// A pair of columns in one table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairStatistics {
    /// Pearson's correlation of the values, for ordered columns; missing ones left out.
    pub pearson: Option<f64>,
    /// Spearman's, with its test.
    pub spearman: Option<Spearman>,
    /// Cramer's V, from 0 (independent) to 1; nothing when a column is constant.
    pub cramers_v: Option<f64>,
    /// Mutual information, in nats.
    pub mutual_information: f64,
    /// Pearson's chi-square test of independence.
    pub chi_square: ChiSquare,
    /// The same with Yates' correction; differs for two by two tables only.
    pub yates: ChiSquare,
}

/// A pair of columns in both tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairComparison {
    /// The first column.
    pub first: AttrId,
    /// The second column.
    pub second: AttrId,
    /// Total variation distance.
    pub distance: f64,
    /// What sampling alone would give.
    pub floor: f64,
    /// In the real table.
    pub real: PairStatistics,
    /// In the synthetic table.
    pub synthetic: PairStatistics,
}

/// All pairs, and the SDNist score of them.
#[derive(Clone, Debug, PartialEq)]
pub struct PairComparisons {
    /// In column order.
    pub pairs: Vec<PairComparison>,
    /// The score.
    pub score: KMarginal,
}

/// What the numbers of a column's codes are, where it is ordered.
struct ColumnValues {
    size: usize,
    values: Option<Vec<Option<f64>>>,
}

/// Compares every pair of columns, each counted once over all rows.
///
/// # Errors
/// When the tables differ in shape, cannot be read back, or the work was cancelled.
pub fn compare_pairs(real: &Table, synthetic: &Table, cancelled: Cancelled<'_>) -> Result<PairComparisons, TableError> {
    let axis = |attribute| ColumnValues {
        size: real.domain().size(attribute) as usize,
        values: code_values(real.schema().codec(attribute)),
    };
    let axes: Vec<ColumnValues> = real.domain().attributes().map(axis).collect();
    let both = |clique: &Clique, left: &CellCounts, right: &CellCounts| {
        let [a, b] = [0, 1].map(|place| &axes[clique.attributes()[place].index()]);
        (statistics(left, a, b), statistics(right, a, b))
    };
    let (marginals, score, made) = compare_with(real, synthetic, &all_pairs(real.domain()), cancelled, both)?;
    let pair = |(found, (real, synthetic)): (MarginalDistance, (PairStatistics, PairStatistics))| {
        let [first, second] = [0, 1].map(|place| found.clique.attributes()[place]);
        PairComparison { first, second, distance: found.distance, floor: found.floor, real, synthetic }
    };
    Ok(PairComparisons { pairs: marginals.into_iter().zip(made).map(pair).collect(), score })
}

fn statistics(counts: &CellCounts, first: &ColumnValues, second: &ColumnValues) -> PairStatistics {
    let mut cells = Vec::new();
    each_count(counts, |cell, count| cells.push((cell / second.size, cell % second.size, count)));
    let table = CrossTable::new(cells, first.size, second.size);
    let chi_square = chi_square_of(&table, false);
    let [rows, columns] = table.used();
    let least = rows.min(columns) as f64 - 1.0;
    let cramers_v =
        (least > 0.0 && table.total > 0).then(|| (chi_square.statistic / (table.total as f64 * least)).sqrt().min(1.0));
    let (mutual_information, yates) = (mutual_information(&table), chi_square_of(&table, true));
    let (pearson, spearman) = correlations(table, first, second);
    PairStatistics { pearson, spearman, cramers_v, mutual_information, chi_square, yates }
}

fn mutual_information(table: &CrossTable) -> f64 {
    let total = table.total as f64;
    let one = |&(a, b, count): &(usize, usize, u64)| {
        let (count, row, column) = (count as f64, table.rows[a] as f64, table.columns[b] as f64);
        count / total * (count * total / (row * column)).ln()
    };
    table.cells.iter().map(one).sum::<f64>().max(0.0)
}

/// Pearson's and Spearman's correlation over the rows where both columns have values.
fn correlations(table: CrossTable, first: &ColumnValues, second: &ColumnValues) -> (Option<f64>, Option<Spearman>) {
    let (Some(x), Some(y)) = (&first.values, &second.values) else { return (None, None) };
    let there = table.cells.into_iter().filter(|&(a, b, _)| x[a].is_some() && y[b].is_some()).collect();
    let table = CrossTable::new(there, first.size, second.size);
    let values = |values: &[Option<f64>]| values.iter().map(|value| value.unwrap_or(0.0)).collect::<Vec<f64>>();
    let pearson = correlation(&table, &values(x), &values(y));
    let ranked = correlation(&table, &middle_ranks(&table.rows), &middle_ranks(&table.columns));
    (pearson, ranked.and_then(|rho| spearman_of_sums(rho, table.total)))
}

/// The correlation of two columns whose codes have these values.
fn correlation(table: &CrossTable, first: &[f64], second: &[f64]) -> Option<f64> {
    // The mean of a column, and the sum of squared distances from it.
    let moments = |sums: &[u64], values: &[f64]| {
        let weighted = || sums.iter().zip(values).map(|(&sum, value)| (sum as f64, value));
        let mean = weighted().map(|(sum, value)| sum * value).sum::<f64>() / table.total as f64;
        (mean, weighted().map(|(sum, value)| sum * (value - mean).powi(2)).sum::<f64>())
    };
    let ((a, left), (b, right)) = (moments(&table.rows, first), moments(&table.columns, second));
    let product: f64 = table.cells.iter().map(|&(i, j, count)| count as f64 * (first[i] - a) * (second[j] - b)).sum();
    let found = product / (left * right).sqrt();
    let [rows, columns] = table.used();
    (rows > 1 && columns > 1 && found.is_finite()).then(|| found.clamp(-1.0, 1.0))
}
