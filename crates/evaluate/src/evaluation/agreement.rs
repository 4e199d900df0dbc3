//! Whether researchers with the synthetic table would come to the same conclusions about pairs of
//! columns.

use lookalike_schema::AttrId;

use crate::pairs::{PairComparison, PairStatistics};

/// The level at which a test claims dependence.
pub const LEVEL: f64 = 0.05;

/// One test on all pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// Which test.
    pub test: &'static str,
    /// The name for programs.
    pub key: &'static str,
    /// Pairs on which the real table can be tested.
    pub pairs: usize,
    /// Both tables claim dependence.
    pub both: usize,
    /// Neither does.
    pub neither: usize,
    /// Only the real table does: a finding is lost.
    pub lost: usize,
    /// Only the synthetic table does: a finding is invented.
    pub invented: usize,
}

impl Agreement {
    /// The share of pairs with the same conclusion; nothing without pairs.
    pub fn share(&self) -> Option<f64> {
        (self.pairs > 0).then(|| (self.both + self.neither) as f64 / self.pairs as f64)
    }
}

/// Whether a pair can be tested, and whether dependence is claimed.
type Claim = fn(&PairStatistics) -> Option<bool>;

/// The agreement of three tests, at a level of 5%, without correction for their number.
pub fn agreements(pairs: &[PairComparison]) -> [Agreement; 3] {
    let tests: [(&str, &str, Claim); 3] = [
        ("chi-square", "chi_square", |pair| (pair.chi_square.degrees > 0).then(|| pair.chi_square.rejects(LEVEL))),
        ("chi-square (Yates)", "chi_square_yates", |pair| (pair.yates.degrees > 0).then(|| pair.yates.rejects(LEVEL))),
        ("Spearman", "spearman", |pair| pair.spearman.map(|found| found.rejects(LEVEL))),
    ];
    tests.map(|(test, key, claim)| {
        let mut found = Agreement { test, key, pairs: 0, both: 0, neither: 0, lost: 0, invented: 0 };
        for pair in pairs {
            let Some(real) = claim(&pair.real) else { continue };
            found.pairs += 1;
            // Where the synthetic column is constant nobody can claim anything.
            match (real, claim(&pair.synthetic).unwrap_or(false)) {
                (true, true) => found.both += 1,
                (false, false) => found.neither += 1,
                (true, false) => found.lost += 1,
                (false, true) => found.invented += 1,
            }
        }
        found
    })
}

/// One measure of dependence over all pairs that have it in both tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correlation {
    /// Which measure.
    pub measure: &'static str,
    /// The name for programs.
    pub key: &'static str,
    /// Pairs that have it.
    pub pairs: usize,
    /// The mean absolute difference.
    pub mean_difference: f64,
    /// The pair that differs most: its columns, the real and the synthetic value.
    pub worst: (AttrId, AttrId, f64, f64),
}

/// A measure's names for people and programs, and the measure.
type DependenceMeasure = (&'static str, &'static str, fn(&PairStatistics) -> Option<f64>);

/// The measures that at least one pair has.
pub fn correlations(pairs: &[PairComparison]) -> Vec<Correlation> {
    let measures: [DependenceMeasure; 4] = [
        ("Pearson", "pearson", |pair| pair.pearson),
        ("Spearman", "spearman", |pair| pair.spearman.map(|found| found.rho)),
        ("Cramer's V", "cramers_v", |pair| pair.cramers_v),
        ("mutual information", "mutual_information", |pair| Some(pair.mutual_information)),
    ];
    let one = |(measure, key, of): DependenceMeasure| {
        let both =
            pairs.iter().filter_map(|pair| Some((pair.first, pair.second, of(&pair.real)?, of(&pair.synthetic)?)));
        let both: Vec<(AttrId, AttrId, f64, f64)> = both.collect();
        let apart = |entry: &(AttrId, AttrId, f64, f64)| (entry.2 - entry.3).abs();
        // The first of equals.
        let worst = both.iter().rev().max_by(|a, b| apart(a).total_cmp(&apart(b)))?;
        let mean_difference = both.iter().map(apart).sum::<f64>() / both.len() as f64;
        Some(Correlation { measure, key, pairs: both.len(), mean_difference, worst: *worst })
    };
    measures.into_iter().filter_map(one).collect()
}
