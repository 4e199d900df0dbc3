//! Means by table and method.

use super::figures::RawFigures;
use crate::grid::summary::{Mean, Metric, Summary, shown};
use crate::text_table::TextTable;

/// A figure of a summary, and whether more of it is better.
struct RankedMetric {
    metric: Metric<RawFigures>,
    more_is_better: bool,
}

const fn ranked(
    name: &'static str,
    words: &'static str,
    more_is_better: bool,
    of: fn(&RawFigures) -> Option<f64>,
) -> RankedMetric {
    RankedMetric { metric: Metric { name, words, digits: 3, index: None, of }, more_is_better }
}

/// The figures of the table.
static RANKED: [RankedMetric; 8] = [
    ranked("kept_spearman", "kS", true, |run| run.kept_spearman),
    ranked("kept_pearson", "kP", true, |run| run.kept_pearson),
    ranked("spearman_mae", "sMAE", false, |run| run.spearman_mae),
    ranked("group_means", "group means", false, |run| run.group_means),
    ranked("ks", "KS", false, |run| run.ks),
    ranked("tvd", "TVD", false, |run| run.tvd),
    ranked("ml_gap", "ml gap", false, |run| run.ml_gap),
    ranked("seconds", "seconds", false, |run| Some(run.seconds)),
];

/// One line a cell and method: mean and standard error of each figure, the best of a cell marked.
pub fn by_method(summary: &Summary<'_, RawFigures>) -> TextTable {
    let has = |ranked: &&RankedMetric| {
        let all = || summary.cells.iter().flat_map(|cell| summary.variants.iter().map(move |variant| (cell, variant)));
        all().any(|(cell, variant)| summary.mean(cell, variant, &ranked.metric).is_some())
    };
    let shown_metrics: Vec<&RankedMetric> = RANKED.iter().filter(has).collect();
    let mut head: Vec<String> = ["table", "epsilon", "method"].map(str::to_owned).to_vec();
    head.extend(shown_metrics.iter().map(|ranked| ranked.metric.words.to_owned()));
    let mut rows = Vec::new();
    for cell in &summary.cells {
        let variants: Vec<&String> =
            summary.variants.iter().filter(|variant| summary.of(cell, variant).next().is_some()).collect();
        let means: Vec<Vec<Option<Mean>>> = variants
            .iter()
            .map(|variant| shown_metrics.iter().map(|ranked| summary.mean(cell, variant, &ranked.metric)).collect())
            .collect();
        for (variant, own) in variants.iter().zip(&means) {
            let mut row = vec![cell.table.clone(), cell.epsilon.to_string(), (*variant).clone()];
            for (place, ranked) in shown_metrics.iter().enumerate() {
                row.push(own[place].as_ref().map_or("-".into(), |mean| {
                    let others = means.iter().filter_map(|means| means[place].as_ref());
                    format!("{}{}", shown(mean, &ranked.metric), if ranked.is_best(mean, others) { " *" } else { "" })
                }));
            }
            rows.push(row);
        }
    }
    TextTable { head, rows }
}

impl RankedMetric {
    fn is_best<'m>(&self, mean: &Mean, mut all: impl Iterator<Item = &'m Mean>) -> bool {
        let better = |other: f64| if self.more_is_better { other > mean.mean } else { other < mean.mean };
        !all.any(|other| better(other.mean))
    }
}

/// How far standard deviations are off: over all columns of all tables, by method and epsilon.
pub fn spreads(summary: &Summary<'_, RawFigures>) -> TextTable {
    let mut table = TextTable::new("method, epsilon, columns, median |log sd ratio|, worst, column");
    let mut epsilons: Vec<f64> = summary.cells.iter().map(|cell| cell.epsilon).collect();
    epsilons.sort_by(f64::total_cmp);
    epsilons.dedup();
    for variant in &summary.variants {
        for &epsilon in &epsilons {
            let mut found: Vec<(f64, String)> = Vec::new();
            for cell in summary.cells.iter().filter(|cell| cell.epsilon == epsilon) {
                for figures in summary.of(cell, variant).filter_map(|line| line.result.as_ref()) {
                    let ratios = figures.columns.iter().filter_map(|(name, column)| Some((name, column.sd_ratio?)));
                    found.extend(ratios.map(|(name, ratio)| (ratio.ln().abs(), format!("{}.{name}", cell.table))));
                }
            }
            found.sort_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((worst, column)) = found.last() {
                let median = format!("{:.3}", found[found.len() / 2].0);
                table.push(&[variant, &epsilon, &found.len(), &median, &format!("{worst:.3}"), column]);
            }
        }
    }
    table
}
