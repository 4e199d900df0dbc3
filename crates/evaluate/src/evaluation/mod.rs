//! The whole evaluation of a synthetic table against the real one.

mod agreement;
mod json;
mod raw;
mod raw_json;
mod words;

pub use agreement::{Agreement, Correlation, LEVEL, agreements, correlations};
pub use raw::{RawEvaluation, RawLimits, evaluate_raw};

use lookalike_schema::{AttrId, Schema};
use lookalike_table::{Table, TableError};

use crate::columns::{ColumnDetail, column_details};
use crate::compare::{PairDistance, TableComparison, compare_columns};
use crate::disclosure::{Closeness, Guesses, Membership, NearestLimits, NearestRows, Space, Twins, twins};
use crate::distance::{Cancelled, check, mean};
use crate::marginals::{Ways, compare_marginals, sample_cliques};
use crate::nist::{NistColumns, NistScores, NistSettings, nist_scores, regression_score};
use crate::pairs::{PairComparisons, compare_pairs};
use crate::predict::{PredictLimits, Predicting, Prediction, narrowed};
use crate::propensity::{Propensity, propensity};
use crate::{CodedRows, EvaluateError, EvaluationRng, MarginalLists, ordered_columns};

/// What is evaluated, and how much of it.
#[derive(Clone, Debug)]
pub struct EvaluationSettings {
    /// The seed of all samples.
    pub seed: u64,
    /// Columns to predict; left out: all, or a random choice of them when there are more than
    /// `targets_at_most`.
    pub targets: Option<Vec<AttrId>>,
    /// Targets when none are named, at most.
    pub targets_at_most: usize,
    /// Columns of the NIST regression score.
    pub nist: Option<NistColumns>,
    /// Marginals of three and more columns; left out: random ones.
    pub lists: Option<MarginalLists>,
    /// Random marginals of each number of columns.
    pub marginals: usize,
    /// Rows of each table that marginals of three and more columns are counted on, at most.
    pub wide_rows: usize,
    /// Rows of each table that models and distances draw from, at most.
    pub sampled_rows: usize,
    /// Rows of each table that propensity models are trained on, at most.
    pub propensity_rows: usize,
    /// The classifiers' limits.
    pub predict: PredictLimits,
    /// The limits of distances between rows.
    pub nearest: NearestLimits,
}

impl Default for EvaluationSettings {
    fn default() -> Self {
        Self {
            seed: 0,
            targets: None,
            targets_at_most: 16,
            nist: None,
            lists: None,
            marginals: 300,
            wide_rows: 500_000,
            sampled_rows: 40_000,
            propensity_rows: 10_000,
            predict: PredictLimits::default(),
            nearest: NearestLimits::default(),
        }
    }
}

/// Everything that was found. Steward-only: it was not paid for.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The schema, in the order of the real table's columns.
    pub schema: Schema,
    /// The seed of all samples.
    pub seed: u64,
    /// Shares of all columns and distances of all pairs.
    pub comparison: TableComparison,
    /// Details of all columns.
    pub columns: Vec<ColumnDetail>,
    /// Details of all pairs.
    pub pairs: PairComparisons,
    /// Marginals of three and more columns.
    pub wide: Vec<Ways>,
    /// The NIST 2018 scores.
    pub nist: NistScores,
    /// Rows of each table that the NIST classification score looked at.
    pub nist_rows: [u64; 2],
    /// Telling synthetic from real rows.
    pub propensity: Option<Propensity>,
    /// Training on synthetic, testing on real rows.
    pub prediction: Option<Prediction>,
    /// Equal rows.
    pub twins: Twins,
    /// Distances to the closest record.
    pub closeness: Option<Closeness>,
    /// Guesses of hidden cells.
    pub guesses: Option<Guesses>,
    /// Membership, where fresh rows were given.
    pub membership: Option<Membership>,
    /// Real rows that the release was not made from, where they were given.
    pub holdout_rows: Option<u64>,
    /// Both tables in their own numbers: [`evaluate_raw`] makes it, where there are files to read
    /// it from.
    pub raw: Option<RawEvaluation>,
}

/// Evaluates a synthetic table against the real one, and, where they are given, real rows that the
/// release has not seen. `phase` is told what is being done; `cancelled` is asked whether to stop.
///
/// # Errors
/// When a table has no rows, when the tables differ in shape, when rows cannot be read back, or
/// when cancelled.
pub fn evaluate(
    real: &Table,
    synthetic: &Table,
    holdout: Option<&Table>,
    settings: &EvaluationSettings,
    phase: &dyn Fn(&str),
    cancelled: Cancelled<'_>,
) -> Result<Evaluation, EvaluateError> {
    let given = [("real", Some(real)), ("synthetic", Some(synthetic)), ("held-out", holdout)];
    if let Some((which, _)) = given.iter().find(|(_, table)| table.is_some_and(|table| table.rows() == 0)) {
        return Err(EvaluateError::Empty { which: (*which).to_owned() });
    }
    if let Some(holdout) = holdout {
        check(real, holdout, &[])?;
    }
    phase("comparing columns and pairs");
    let columns = compare_columns(real, synthetic, cancelled)?;
    let pairs = compare_pairs(real, synthetic, cancelled)?;
    let rows = [real.rows(), synthetic.rows()];
    let details = column_details(real.schema(), &columns, rows);
    let distances =
        pairs.pairs.iter().map(|pair| PairDistance { first: pair.first, second: pair.second, distance: pair.distance });
    let comparison =
        TableComparison { real_rows: rows[0], synthetic_rows: rows[1], columns, pairs: distances.collect() };
    phase("comparing sets of columns");
    let (wide, nist) = sets_of_columns(real, synthetic, settings, cancelled)?;
    phase("looking for equal rows");
    let twins = twins(real, synthetic)?;
    let mut found = Evaluation {
        schema: real.schema().clone(),
        seed: settings.seed,
        comparison,
        columns: details,
        pairs,
        wide,
        nist,
        nist_rows: rows.map(|rows| rows.min(settings.wide_rows as u64)),
        propensity: None,
        prediction: None,
        twins,
        closeness: None,
        guesses: None,
        membership: None,
        holdout_rows: holdout.map(Table::rows),
        raw: None,
    };
    found.add_models(real, synthetic, holdout, settings, phase, cancelled)?;
    Ok(found)
}

/// A random part of a table that is too large to count wide marginals on.
fn reduced(table: &Table, settings: &EvaluationSettings, stream: u64) -> Result<Option<Table>, TableError> {
    if table.rows() <= settings.wide_rows as u64 {
        return Ok(None);
    }
    let mut rng = EvaluationRng::new(settings.seed, "wide rows", stream);
    let rows = CodedRows::sample(table, settings.wide_rows, &mut rng)?;
    Ok(Some(Table::from_columns(table.schema(), rows.into_columns())))
}

/// Distances of sets of three columns: all of them, or as many random ones as a full evaluation
/// takes, on random rows of tables that are too large. For the steward's report, which has no
/// settings.
///
/// # Errors
/// When the tables differ in shape, cannot be read back, or the work was cancelled.
pub fn compare_triples(real: &Table, synthetic: &Table, cancelled: Cancelled<'_>) -> Result<Ways, TableError> {
    let settings = EvaluationSettings::default();
    check(real, synthetic, &[])?;
    let parts = (reduced(real, &settings, 0)?, reduced(synthetic, &settings, 1)?);
    let (left, right) = (parts.0.as_ref().unwrap_or(real), parts.1.as_ref().unwrap_or(synthetic));
    let (cliques, all) = sample_cliques(real.domain(), 3, settings.marginals, settings.seed);
    compare_marginals(left, right, 3, &cliques, all, cancelled)
}

/// Wide marginals and the NIST scores, on parts of tables that are too large.
fn sets_of_columns(
    real: &Table,
    synthetic: &Table,
    settings: &EvaluationSettings,
    cancelled: Cancelled<'_>,
) -> Result<(Vec<Ways>, NistScores), TableError> {
    let parts = (reduced(real, settings, 0)?, reduced(synthetic, settings, 1)?);
    let (left, right) = (parts.0.as_ref().unwrap_or(real), parts.1.as_ref().unwrap_or(synthetic));
    let mut wide = Vec::new();
    match &settings.lists {
        Some(lists) => {
            for (&ways, cliques) in lists.by_ways.iter().filter(|(ways, _)| **ways > 2) {
                wide.push(compare_marginals(left, right, ways, cliques, false, cancelled)?);
            }
        }
        None => {
            for ways in 3..=5usize.min(real.domain().len()) {
                let (cliques, all) = sample_cliques(real.domain(), ways, settings.marginals, settings.seed);
                wide.push(compare_marginals(left, right, ways, &cliques, all, cancelled)?);
            }
        }
    }
    wide.retain(|ways| !ways.marginals.is_empty());
    let sets = NistSettings { seed: settings.seed, rows: settings.wide_rows, ..NistSettings::default() };
    let mut nist = nist_scores(left, right, None, &sets, cancelled)?;
    // One marginal: all rows can be afforded.
    if let Some(columns) = settings.nist {
        nist.regression = regression_score(real, synthetic, columns)?;
    }
    Ok((wide, nist))
}

fn targets(real: &Table, settings: &EvaluationSettings) -> Vec<AttrId> {
    match &settings.targets {
        Some(targets) => targets.clone(),
        None => {
            let mut rng = EvaluationRng::new(settings.seed, "targets", 0);
            let chosen = rng.choose(real.domain().len() as u64, settings.targets_at_most);
            chosen.into_iter().map(|column| AttrId(column as u32)).collect()
        }
    }
}

impl Evaluation {
    /// What is done on samples of rows.
    fn add_models(
        &mut self,
        real: &Table,
        synthetic: &Table,
        holdout: Option<&Table>,
        settings: &EvaluationSettings,
        phase: &dyn Fn(&str),
        cancelled: Cancelled<'_>,
    ) -> Result<(), EvaluateError> {
        let (seed, limits) = (settings.seed, &settings.predict);
        let sample = |table: &Table, stream: u64| {
            CodedRows::sample(table, settings.sampled_rows, &mut EvaluationRng::new(seed, "rows", stream))
        };
        let (left, right) = (sample(real, 0)?, sample(synthetic, 1)?);
        let fresh = holdout.map(|table| sample(table, 2)).transpose()?;
        let fresh = fresh.as_ref();
        let ordered = ordered_columns(real.schema());
        let stop = || if cancelled() { Err(EvaluateError::Table(TableError::Cancelled)) } else { Ok(()) };
        stop()?;
        phase("telling synthetic rows from real ones");
        let narrow = |rows: &CodedRows| narrowed(&left, rows, &ordered, limits.codes);
        let (few_real, few_synthetic) = (narrow(&left), narrow(&right));
        self.propensity = propensity(&few_real, &few_synthetic, &ordered, settings.propensity_rows, limits.trees, seed);
        stop()?;
        phase("training models on synthetic rows");
        let few_fresh = fresh.map(narrow);
        let targets = targets(real, settings);
        let predicting = Predicting { ordered: &ordered, limits, seed };
        self.prediction = predicting.predict(&few_real, &few_synthetic, few_fresh.as_ref(), &targets);
        stop()?;
        phase("looking for disclosure");
        let space = Space::new(real.schema());
        let rows = NearestRows { space: &space, real: &left, synthetic: &right, limits: &settings.nearest, seed };
        self.closeness = rows.closeness(fresh);
        stop()?;
        self.guesses = rows.guesses();
        stop()?;
        self.membership = fresh.and_then(|fresh| rows.membership(fresh));
        Ok(())
    }

    /// The name of a column.
    pub fn name(&self, attribute: AttrId) -> &str {
        &self.schema.column(attribute).name
    }

    /// The names of some columns, with crosses between them.
    pub fn names(&self, attributes: &[AttrId]) -> String {
        attributes.iter().map(|&attribute| self.name(attribute)).collect::<Vec<_>>().join(" × ")
    }

    /// The mean distance that sampling alone gives single columns, and pairs.
    pub fn floors(&self) -> (f64, f64) {
        (mean(self.columns.iter().map(|column| column.floor)), mean(self.pairs.pairs.iter().map(|pair| pair.floor)))
    }
}
