//! What is kept of a run on a raw table, in raw units.

use std::collections::BTreeMap;

use anyhow::Result;
use lookalike_evaluate::raw::{QUANTILES, RawColumn, RawTable, compare_raw};
use lookalike_schema::{AttrId, CodecKind};
use serde::{Deserialize, Serialize};

use super::average::mean;
use super::calendar::calendar_distances;
use super::categories::{category_distance, cramers_difference};
use super::tables::OpenRaw;
use crate::grid::record::Figures;

/// The commonest real values that are looked for again.
const COMMONEST: usize = 10;
/// The quantiles that are kept, by their places in [`QUANTILES`]: 1, 50, 95 and 99%.
const KEPT_QUANTILES: [usize; 4] = [0, 3, 5, 6];

/// What a run reached, and what it took. A mean over nothing is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RawFigures {
    /// Synthetic rows.
    pub rows: u64,
    /// The epsilon recomputed from the scales used; the epsilon asked for where a tool does not
    /// tell.
    pub used_epsilon: f64,
    /// Wall seconds from the file to the synthetic rows.
    pub seconds: f64,
    /// CPU seconds of this process for the same.
    pub cpu_seconds: f64,
    /// The share of Spearman's correlation that is kept, over strong pairs.
    pub kept_spearman: Option<f64>,
    /// The share of Pearson's.
    pub kept_pearson: Option<f64>,
    /// The mean absolute difference of Spearman's correlation over all pairs.
    pub spearman_mae: Option<f64>,
    /// Of Pearson's.
    pub pearson_mae: Option<f64>,
    /// The mean error of group means, in real standard deviations.
    pub group_means: Option<f64>,
    /// The mean Kolmogorov-Smirnov distance of numbers.
    pub ks: Option<f64>,
    /// The mean total variation distance of categories.
    pub tvd: Option<f64>,
    /// The mean absolute difference of correlation ratios.
    pub eta_mae: Option<f64>,
    /// Of Cramér's V.
    pub cramers_mae: Option<f64>,
    /// Of the shares of missing cells.
    pub missing: Option<f64>,
    /// Of the shares of rows in which two cells are missing.
    pub missing_joint: Option<f64>,
    /// The mean absolute difference of the mass of the ten commonest real values.
    pub commonest: Option<f64>,
    /// The mean absolute difference of the share of zeros, over columns that have some.
    pub zeros: Option<f64>,
    /// The mean total variation distance of the months of dates.
    pub months: Option<f64>,
    /// Of their weekdays.
    pub weekdays: Option<f64>,
    /// The median of |ln(synthetic / real)| of standard deviations.
    pub log_sd_median: Option<f64>,
    /// The largest of them.
    pub log_sd_worst: Option<f64>,
    /// The share of what real-trained models know that synthetic-trained ones do not; only with
    /// `--ml`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ml_gap: Option<f64>,
    /// Columns of numbers and dates, by name.
    pub columns: BTreeMap<String, ColumnFigures>,
}

impl Figures for RawFigures {
    const BENCH: &'static str = "raw";
}

/// One column of numbers or dates; of a pair of figures, the real one stands first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ColumnFigures {
    /// The Kolmogorov-Smirnov distance.
    pub ks: Option<f64>,
    /// The synthetic standard deviation over the real one.
    pub sd_ratio: Option<f64>,
    /// The quantiles 1, 50, 95 and 99%; absent when a table has no values.
    pub quantiles: Option<[[f64; 4]; 2]>,
    /// The mass of the ten commonest real values.
    pub commonest: [f64; 2],
    /// The share of zeros.
    pub zeros: [f64; 2],
    /// The distance of months, for dates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub months: Option<f64>,
    /// The distance of weekdays, for dates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weekdays: Option<f64>,
}

/// Compares synthetic rows with the real ones; what they cost is left open.
pub fn judge(table: &OpenRaw, synthetic: &RawTable) -> Result<RawFigures> {
    let tables = [&table.cells, synthetic];
    let found = compare_raw(&table.schema, tables[0], tables[1], &|| false)?;
    let summary = found.summary();
    let one = |(attribute, figures): &(AttrId, RawColumn)| {
        let cells = tables.map(|table| &table.columns()[attribute.index()][..]);
        let is_date = matches!(table.schema.codec(*attribute).kind(), CodecKind::Date(..));
        (table.schema.column(*attribute).name.clone(), column_figures(figures, cells, is_date))
    };
    let columns: BTreeMap<String, ColumnFigures> = found.columns.iter().map(one).collect();
    let apart = |both: [f64; 2]| (both[0] - both[1]).abs();
    Ok(RawFigures {
        rows: synthetic.rows() as u64,
        kept_spearman: summary.spearman.share,
        kept_pearson: summary.pearson.share,
        spearman_mae: summary.spearman.mean_difference,
        pearson_mae: summary.pearson.mean_difference,
        group_means: summary.group_means,
        ks: summary.kolmogorov,
        tvd: category_distance(&table.schema, tables, &found),
        eta_mae: summary.eta_difference,
        cramers_mae: cramers_difference(&table.schema, tables, &found),
        missing: summary.missing,
        missing_joint: summary.missing_together,
        commonest: mean(columns.values().map(|column| apart(column.commonest))),
        zeros: mean(columns.values().filter(|column| column.zeros[0] > 0.0).map(|column| apart(column.zeros))),
        months: mean(columns.values().filter_map(|column| column.months)),
        weekdays: mean(columns.values().filter_map(|column| column.weekdays)),
        log_sd_median: summary.deviation_median,
        log_sd_worst: summary.deviation_worst.map(|worst| worst.1),
        columns,
        ..RawFigures::default()
    })
}

fn column_figures(found: &RawColumn, cells: [&[f64]; 2], is_date: bool) -> ColumnFigures {
    let quantiles = match found.spread {
        [Some(real), Some(other)] => Some([real, other].map(|side| KEPT_QUANTILES.map(|place| side.quantiles[place]))),
        _ => None,
    };
    let calendar = if is_date { calendar_distances(cells[0], cells[1]) } else { None };
    let values = commonest(cells[0]);
    ColumnFigures {
        ks: found.kolmogorov,
        sd_ratio: found.deviation_ratio(),
        quantiles,
        commonest: cells.map(|cells| share(cells, |cell| values.binary_search_by(|x| x.total_cmp(&cell)).is_ok())),
        zeros: cells.map(|cells| share(cells, |cell| cell == 0.0)),
        months: calendar.map(|distances| distances[0]),
        weekdays: calendar.map(|distances| distances[1]),
    }
}

/// The commonest values, ascending; of equals the smaller ones.
fn commonest(cells: &[f64]) -> Vec<f64> {
    let mut ascending: Vec<f64> = cells.iter().copied().filter(|cell| !cell.is_nan()).collect();
    ascending.sort_unstable_by(f64::total_cmp);
    let mut runs: Vec<(f64, usize)> = ascending.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect();
    runs.sort_by_key(|run| std::cmp::Reverse(run.1));
    let mut values: Vec<f64> = runs.into_iter().take(COMMONEST).map(|run| run.0).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The share of the cells that are there of which something holds; 0 of none.
fn share(cells: &[f64], holds: impl Fn(f64) -> bool) -> f64 {
    let there = cells.iter().filter(|cell| !cell.is_nan());
    let count = there.clone().filter(|&&cell| holds(cell)).count();
    count as f64 / there.count().max(1) as f64
}

const _: () = assert!(QUANTILES[KEPT_QUANTILES[0]] == 0.01 && QUANTILES[KEPT_QUANTILES[3]] == 0.99);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commonest_values_are_looked_for_again() {
        let mut real: Vec<f64> = (0..20).map(f64::from).collect();
        real.extend([19.0, 19.0, 18.0, f64::NAN]);
        let values = commonest(&real);
        assert_eq!(values.len(), COMMONEST);
        assert!(values.contains(&19.0) && values.contains(&18.0) && values.contains(&0.0) && !values.contains(&9.0));
        assert_eq!(share(&[19.0, 9.0, f64::NAN, 9.0, 18.0], |cell| values.contains(&cell)), 0.5);
        assert_eq!(share(&[f64::NAN], |_| true), 0.0);
    }
}
