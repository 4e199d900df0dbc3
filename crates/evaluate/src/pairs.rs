//! Everything that is asked of a pair of columns, from one count of it: distance, correlations and
//! tests.

use lookalike_schema::{AttrId, Clique, Domain, Schema};
use lookalike_table::{RawCounts, Table, TableError};

use crate::distance::{all_pairs, each_count, each_marginal, mean};
use crate::hypothesis::{ChiSquare, Spearman, chi_square, middle_ranks, spearman_of_sums};
use crate::marginals::{CountsOfCounts, KMarginal, dealt_again, distance_and_floor, k_marginal};
use crate::math::chi_square_above;
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
pub fn compare_pairs(
    real: &Table,
    synthetic: &Table,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Result<PairComparisons, TableError> {
    let axes = axes(real.schema(), real.domain());
    let deviations = dealt_again(real.rows(), synthetic.rows());
    let one = |clique: &Clique, left: &RawCounts, right: &RawCounts| {
        let (first, second) = (clique.attributes()[0], clique.attributes()[1]);
        let (a, b) = (&axes[first.index()], &axes[second.index()]);
        let (distance, floor) = distance_and_floor(left, right, &deviations);
        let (real, synthetic) = (statistics(left, a, b), statistics(right, a, b));
        (PairComparison { first, second, distance, floor, real, synthetic }, CountsOfCounts::of(left))
    };
    let (mut pairs, mut counts) = (Vec::new(), CountsOfCounts::default());
    each_marginal(real, synthetic, &all_pairs(real.domain()), cancelled, one, |(pair, own)| {
        pairs.push(pair);
        counts.merge(&own);
    })?;
    let (distance, floor) = (mean(pairs.iter().map(|pair| pair.distance)), mean(pairs.iter().map(|pair| pair.floor)));
    let score = k_marginal(&counts, distance, floor, real.rows(), pairs.len());
    Ok(PairComparisons { pairs, score })
}

fn axes(schema: &Schema, domain: &Domain) -> Vec<ColumnValues> {
    let axis = |attribute| ColumnValues {
        size: domain.size(attribute) as usize,
        values: code_values(schema.codec(attribute)),
    };
    domain.attributes().map(axis).collect()
}

/// A cell that is not empty: both codes and the count.
type PairCell = (usize, usize, u64);

fn cells(counts: &RawCounts, columns: usize) -> Vec<PairCell> {
    let mut cells = Vec::new();
    each_count(counts, |cell, count| cells.push((cell / columns, cell % columns, count)));
    cells
}

struct MarginSums {
    rows: Vec<u64>,
    columns: Vec<u64>,
    total: u64,
}

impl MarginSums {
    fn of(cells: &[PairCell], rows: usize, columns: usize) -> Self {
        let mut sums = Self { rows: vec![0; rows], columns: vec![0; columns], total: 0 };
        for &(a, b, count) in cells {
            sums.rows[a] += count;
            sums.columns[b] += count;
            sums.total += count;
        }
        sums
    }
}

fn statistics(counts: &RawCounts, first: &ColumnValues, second: &ColumnValues) -> PairStatistics {
    let cells = cells(counts, second.size);
    let sums = MarginSums::of(&cells, first.size, second.size);
    let (chi_square, yates) = tests(&cells, &sums);
    let (rows, columns) = (used(&sums.rows), used(&sums.columns));
    let least = rows.min(columns) as f64 - 1.0;
    let cramers_v =
        (least > 0.0 && sums.total > 0).then(|| (chi_square.statistic / (sums.total as f64 * least)).sqrt().min(1.0));
    let (pearson, spearman) = correlations(cells.clone(), first, second);
    PairStatistics {
        pearson,
        spearman,
        cramers_v,
        mutual_information: mutual_information(&cells, &sums),
        chi_square,
        yates,
    }
}

fn used(sums: &[u64]) -> usize {
    sums.iter().filter(|&&sum| sum > 0).count()
}

/// Without and with Yates' correction.
fn tests(cells: &[PairCell], sums: &MarginSums) -> (ChiSquare, ChiSquare) {
    let (rows, columns) = (used(&sums.rows), used(&sums.columns));
    if rows <= 2 && columns <= 2 {
        // Small enough for the plain way, which knows the correction.
        let place = |sums: &[u64], code: usize| sums[..code].iter().filter(|&&sum| sum > 0).count();
        let mut counts = [0; 4];
        cells.iter().for_each(|&(a, b, count)| counts[2 * place(&sums.rows, a) + place(&sums.columns, b)] += count);
        return (chi_square(&counts, 2, false), chi_square(&counts, 2, true));
    }
    if rows < 2 || columns < 2 {
        let nothing = chi_square(&[0, 0], 2, false);
        return (nothing, nothing);
    }
    // N (sum of c^2 / (row column) - 1) needs the cells that are not empty only.
    let total = sums.total as f64;
    let scaled =
        |&(a, b, count): &PairCell| (count as f64 / sums.rows[a] as f64) * (count as f64 / sums.columns[b] as f64);
    let statistic = (total * (cells.iter().map(scaled).sum::<f64>() - 1.0)).max(0.0);
    let degrees = (rows as u64 - 1) * (columns as u64 - 1);
    let least = |sums: &[u64]| sums.iter().copied().filter(|&sum| sum > 0).min().unwrap_or(0) as f64;
    let found = ChiSquare {
        statistic,
        degrees,
        p_value: chi_square_above(statistic, degrees as f64),
        least_expected: least(&sums.rows) * least(&sums.columns) / total,
    };
    (found, found)
}

fn mutual_information(cells: &[PairCell], sums: &MarginSums) -> f64 {
    let total = sums.total as f64;
    let one = |&(a, b, count): &PairCell| {
        let (count, row, column) = (count as f64, sums.rows[a] as f64, sums.columns[b] as f64);
        count / total * (count * total / (row * column)).ln()
    };
    cells.iter().map(one).sum::<f64>().max(0.0)
}

/// Pearson's and Spearman's correlation over the rows where both columns have values.
fn correlations(
    mut cells: Vec<PairCell>,
    first: &ColumnValues,
    second: &ColumnValues,
) -> (Option<f64>, Option<Spearman>) {
    let (Some(x), Some(y)) = (&first.values, &second.values) else { return (None, None) };
    cells.retain(|&(a, b, _)| x[a].is_some() && y[b].is_some());
    let sums = MarginSums::of(&cells, first.size, second.size);
    let value = |values: &[Option<f64>], code: usize| values[code].unwrap_or(0.0);
    let (left, right): (Vec<f64>, Vec<f64>) =
        ((0..first.size).map(|code| value(x, code)).collect(), (0..second.size).map(|code| value(y, code)).collect());
    let pearson = correlation(&cells, &sums, &left, &right);
    let ranked = correlation(&cells, &sums, &middle_ranks(&sums.rows), &middle_ranks(&sums.columns));
    (pearson, ranked.and_then(|rho| spearman_of_sums(rho, sums.total)))
}

/// The correlation of two columns whose codes have these values.
fn correlation(cells: &[PairCell], sums: &MarginSums, first: &[f64], second: &[f64]) -> Option<f64> {
    let total = sums.total as f64;
    let mean = |sums: &[u64], values: &[f64]| {
        sums.iter().zip(values).map(|(&sum, value)| sum as f64 * value).sum::<f64>() / total
    };
    if sums.total == 0 {
        return None;
    }
    let (a, b) = (mean(&sums.rows, first), mean(&sums.columns, second));
    let square = |sums: &[u64], values: &[f64], mean: f64| -> f64 {
        sums.iter().zip(values).map(|(&sum, value)| sum as f64 * (value - mean).powi(2)).sum()
    };
    let scale = square(&sums.rows, first, a) * square(&sums.columns, second, b);
    let product: f64 = cells.iter().map(|&(i, j, count)| count as f64 * (first[i] - a) * (second[j] - b)).sum();
    let found = product / scale.sqrt();
    (used(&sums.rows) > 1 && used(&sums.columns) > 1 && found.is_finite()).then(|| found.clamp(-1.0, 1.0))
}
