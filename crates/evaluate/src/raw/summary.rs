//! A raw comparison in a few figures.

use lookalike_schema::AttrId;

use super::comparison::{RawComparison, RawPair};
use super::correlate::Correlations;

/// A correlation above this, either way, is strong.
pub const STRONG: f64 = 0.5;
/// A pair with fewer complete real rows than this does not count in means over pairs.
pub const LEAST_PAIRED: u64 = 30;
/// Slopes of this many of the strongest pairs are told.
pub const SLOPES: usize = 5;

/// How much of the strong correlations is left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptCorrelations {
    /// The mean over strong pairs of the other correlation over the real one, each cut to 0 to 1.
    /// Nothing without strong pairs.
    pub share: Option<f64>,
    /// Strong pairs: above [`STRONG`] in the real table, either way.
    pub pairs: usize,
    /// The mean absolute difference over all pairs. Nothing without pairs.
    pub mean_difference: Option<f64>,
}

/// A least-squares slope in both tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slope {
    /// The pair; the slope is that of the second column on the first.
    pub pair: RawPair,
    /// The other table's slope over the real one.
    pub ratio: f64,
}

/// The figures that a table is judged by. A mean over nothing is absent.
#[derive(Clone, Debug, PartialEq)]
pub struct RawSummary {
    /// The mean Kolmogorov-Smirnov distance of columns of numbers.
    pub kolmogorov: Option<f64>,
    /// Pearson's correlations.
    pub pearson: KeptCorrelations,
    /// Spearman's.
    pub spearman: KeptCorrelations,
    /// The strongest pairs' slopes.
    pub slopes: Vec<Slope>,
    /// The mean of how far these ratios are from 1, each cut to 1.
    pub slope_error: Option<f64>,
    /// The mean absolute difference of correlation ratios.
    pub eta_difference: Option<f64>,
    /// The mean error of group means, in real standard deviations.
    pub group_means: Option<f64>,
    /// The median of |ln(other / real)| of standard deviations.
    pub deviation_median: Option<f64>,
    /// The largest of them, and its column.
    pub deviation_worst: Option<(AttrId, f64)>,
    /// The mean absolute difference of missing shares, over columns with missing real cells.
    pub missing: Option<f64>,
    /// The same for two cells missing together, over pairs of such columns.
    pub missing_together: Option<f64>,
}

impl RawComparison {
    /// Pairs that count in means: enough complete real rows, a correlation, and three different
    /// real values in both columns.
    pub fn counted_pairs(&self) -> impl Iterator<Item = &RawPair> + Clone {
        let counts =
            |attribute: AttrId| self.columns.iter().any(|(column, figures)| *column == attribute && figures.counts());
        self.pairs.iter().filter(move |pair| {
            pair.real.rows >= LEAST_PAIRED && pair.real.pearson.is_some() && counts(pair.first) && counts(pair.second)
        })
    }

    /// The figures that a table is judged by.
    pub fn summary(&self) -> RawSummary {
        let columns = || self.columns.iter().filter(|(_, figures)| figures.counts());
        let slopes = self.slopes();
        let mut ratios: Vec<(AttrId, f64)> = columns()
            .filter_map(|(attribute, figures)| Some((*attribute, figures.deviation_ratio()?.ln().abs())))
            .collect();
        ratios.sort_by(|a, b| a.1.total_cmp(&b.1));
        let holes = self.missing_shares.iter().filter(|shares| shares[0] > 0.0);
        RawSummary {
            kolmogorov: mean(columns().filter_map(|(_, figures)| figures.kolmogorov)),
            pearson: self.kept(|found| found.pearson),
            spearman: self.kept(|found| found.spearman),
            slope_error: mean(slopes.iter().map(|slope| (slope.ratio - 1.0).abs().min(1.0))),
            slopes,
            eta_difference: mean(
                self.groups.iter().map(|group| (group.eta[0].unwrap_or(0.0) - group.eta[1].unwrap_or(0.0)).abs()),
            ),
            group_means: mean(self.groups.iter().filter_map(|group| group.mean_error)),
            deviation_median: median(&ratios),
            deviation_worst: ratios.last().copied(),
            missing: mean(holes.map(|shares| (shares[0] - shares[1]).abs())),
            missing_together: mean(self.missing.iter().filter(|pair| pair.real).map(|pair| pair.apart())),
        }
    }

    /// A correlation that the other table does not have is none: 0.
    fn kept(&self, of: fn(&Correlations) -> Option<f64>) -> KeptCorrelations {
        let both: Vec<(f64, f64)> = self
            .counted_pairs()
            .filter_map(|pair| Some((of(&pair.real)?, other_of(pair, of).unwrap_or(0.0))))
            .collect();
        let strong = both.iter().filter(|(real, _)| real.abs() > STRONG);
        KeptCorrelations {
            share: mean(strong.clone().map(|(real, other)| (other / real).clamp(0.0, 1.0))),
            pairs: strong.count(),
            mean_difference: mean(both.iter().map(|(real, other)| (real - other).abs())),
        }
    }

    /// The strong pairs, those that lost most first: of Pearson's or Spearman's correlation,
    /// whichever lost more.
    pub fn strong_pairs(&self) -> Vec<&RawPair> {
        let strong = |value: Option<f64>| value.is_some_and(|value| value.abs() > STRONG);
        let mut pairs: Vec<&RawPair> =
            self.counted_pairs().filter(|pair| strong(pair.real.pearson) || strong(pair.real.spearman)).collect();
        pairs.sort_by(|a, b| b.lost().total_cmp(&a.lost()));
        pairs
    }

    /// The strongest pairs by Pearson's correlation in the real table, with their slopes.
    fn slopes(&self) -> Vec<Slope> {
        let mut pairs: Vec<&RawPair> = self.counted_pairs().collect();
        let size = |pair: &RawPair| pair.real.pearson.unwrap_or(0.0).abs();
        pairs.sort_by(|a, b| size(b).total_cmp(&size(a)));
        let one = |pair: &&RawPair| {
            let real = pair.real.slope.filter(|slope| *slope != 0.0)?;
            let other = other_of(pair, |found| found.slope).unwrap_or(0.0);
            Some(Slope { pair: **pair, ratio: other / real })
        };
        pairs.iter().filter_map(one).take(SLOPES).collect()
    }
}

impl RawPair {
    /// The larger difference of Pearson's and Spearman's correlation; a correlation that the other
    /// table does not have is 0.
    pub fn lost(&self) -> f64 {
        let apart = |of: fn(&Correlations) -> Option<f64>| {
            of(&self.real).map_or(0.0, |real| (real - of(&self.other).unwrap_or(0.0)).abs())
        };
        apart(|found| found.pearson).max(apart(|found| found.spearman))
    }
}

/// A figure of the other table, if it has enough rows for one.
fn other_of(pair: &RawPair, of: fn(&Correlations) -> Option<f64>) -> Option<f64> {
    if pair.other.rows >= LEAST_PAIRED { of(&pair.other) } else { None }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) =
        values.filter(|value| value.is_finite()).fold((0u64, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / count as f64)
}

fn median(ascending: &[(AttrId, f64)]) -> Option<f64> {
    let values: Vec<f64> = ascending.iter().map(|entry| entry.1).collect();
    (!values.is_empty()).then(|| super::column::quantile(&values, 0.5))
}
