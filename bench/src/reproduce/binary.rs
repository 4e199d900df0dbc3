//! A few binary columns: counts, networks on them, and the tests of the Aalborg report.

use anyhow::{Result, ensure};
use lookalike_evaluate::hypothesis::{ChiSquare, chi_square, goodness_of_fit};
use lookalike_schema::Clique;
use lookalike_table::Table;
use rand_core::Rng;

use crate::marginal::masses;
use crate::network_score::mutual_information;
use crate::simulate::draw::uniform;

/// The level of the tests.
const LEVEL: f64 = 0.05;

/// The counts of all combinations of some binary columns; column 0 is the highest bit.
pub(super) struct BinaryCounts {
    columns: usize,
    cells: Vec<f64>,
}

impl BinaryCounts {
    /// Of a table of at most 16 binary columns.
    pub(super) fn of(table: &Table) -> Result<Self> {
        let columns = table.domain().len();
        ensure!(
            columns <= 16 && table.domain().sizes().iter().all(|&size| size == 2),
            "a few binary columns are needed"
        );
        Ok(Self { columns, cells: masses(table, &Clique::new(table.domain().attributes()))? })
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    pub(super) fn total(&self) -> f64 {
        self.cells.iter().sum()
    }

    /// The counts of some columns in the order given, the last fastest.
    pub(super) fn marginal(&self, columns: &[usize]) -> Vec<f64> {
        let mut out = vec![0.0; 1 << columns.len()];
        for (cell, &count) in self.cells.iter().enumerate() {
            let place = columns.iter().fold(0, |place, &column| place * 2 + (cell >> (self.columns - 1 - column) & 1));
            out[place] += count;
        }
        out
    }

    /// The counts of a pair of columns, in the order 00, 01, 10, 11.
    pub(super) fn pair(&self, first: usize, second: usize) -> [f64; 4] {
        let cells = self.marginal(&[first, second]);
        std::array::from_fn(|cell| cells[cell])
    }

    /// The mutual information of a column and its parents, in bits.
    pub(super) fn information(&self, child: usize, parents: &[usize]) -> f64 {
        let columns: Vec<usize> = parents.iter().copied().chain([child]).collect();
        mutual_information(&self.marginal(&columns), 2)
    }
}

/// All subsets of 0..`below` with 1 to `most` members, as the report's code lists them.
pub(super) fn parent_sets(below: usize, most: usize) -> Vec<Vec<usize>> {
    let sets = (1usize..1 << below).map(|bits| (0..below).filter(|place| bits >> place & 1 == 1).collect::<Vec<_>>());
    sets.filter(|set| set.len() <= most).collect()
}

/// The sensitivity of mutual information in bits with a binary child, replace-one (PB14, lemma
/// 4.1).
pub(super) fn information_sensitivity(rows: f64) -> f64 {
    rows.log2() / rows + (rows - 1.0) / rows * (rows / (rows - 1.0)).log2()
}

/// The exponential mechanism in floating point: one of the scores, with weights exp(epsilon * score
/// / (2 sensitivity)).
pub(super) fn select<R: Rng>(scores: &[f64], epsilon: f64, sensitivity: f64, rng: &mut R) -> usize {
    // The largest of weights times exponential variables, in logarithms.
    let key = |score: f64, rng: &mut R| epsilon * score / (2.0 * sensitivity) - (-(1.0 - uniform(rng)).ln()).ln();
    let keys: Vec<f64> = scores.iter().map(|&score| key(score, rng)).collect();
    (0..keys.len()).max_by(|&one, &other| keys[one].total_cmp(&keys[other])).unwrap_or(0)
}

/// What a test of independence of two binary columns says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TestResult {
    Rejected,
    Kept,
    /// The test cannot be made.
    Failed,
}

impl TestResult {
    fn of(found: ChiSquare) -> Self {
        if found.rejects(LEVEL) { Self::Rejected } else { Self::Kept }
    }
}

/// Pearson's test with Yates' correction, at level 0.05. A constant column says nothing:
/// independence is kept.
pub(super) fn independence(cells: [f64; 4]) -> TestResult {
    TestResult::of(chi_square(&cells.map(|count| count as u64), 2, true))
}

/// What `chisq.test(table(x, y))` of R says: a table with one row or column left is tested against
/// equal shares, and a table of a single cell is an error.
pub(super) fn as_r_tests(cells: [f64; 4]) -> TestResult {
    let counts: Vec<u64> = cells.iter().map(|&count| count as u64).filter(|&count| count > 0).collect();
    let [a, b, c, d] = cells;
    let is_line = a + b == 0.0 || c + d == 0.0 || a + c == 0.0 || b + d == 0.0;
    match counts.len() {
        0 | 1 => TestResult::Failed,
        _ if is_line => TestResult::of(goodness_of_fit(&counts)),
        _ => independence(cells),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_those_of_r() {
        // chisq.test(matrix(c(30,20,20,30),2)): X-squared = 3.24, p = 0.07186; with 32, 18: 6.76, p
        // = 0.009322.
        assert_eq!(independence([30.0, 20.0, 20.0, 30.0]), TestResult::Kept);
        assert_eq!(independence([32.0, 18.0, 18.0, 32.0]), TestResult::Rejected);
        // chisq.test(c(600, 400)): X-squared = 40; chisq.test(c(500, 500)): 0; a single number is
        // an error.
        assert_eq!(as_r_tests([600.0, 400.0, 0.0, 0.0]), TestResult::Rejected);
        assert_eq!(as_r_tests([500.0, 0.0, 500.0, 0.0]), TestResult::Kept);
        assert_eq!(as_r_tests([0.0, 1000.0, 0.0, 0.0]), TestResult::Failed);
        assert_eq!(independence([600.0, 400.0, 0.0, 0.0]), TestResult::Kept);
    }

    #[test]
    fn subsets_and_counts() {
        assert_eq!(parent_sets(3, 2).len(), 6);
        assert_eq!(parent_sets(4, 3).len(), 14);
        let counts = BinaryCounts { columns: 2, cells: vec![40.0, 10.0, 10.0, 40.0] };
        assert_eq!(counts.marginal(&[1]), [50.0, 50.0]);
        assert_eq!(counts.marginal(&[1, 0]), [40.0, 10.0, 10.0, 40.0]);
        assert!((counts.information(1, &[0]) - 0.278_071_905_112_637_7).abs() < 1e-12);
    }
}
