//! Values that nobody listed: a canary that one person alone has, before a threshold.

use lookalike_curator::{
    Cancel, CellCurator, Cells, CuratorError, FoundValues, KnownValues, Permit, RareQuery, ValuesQuery,
};
use lookalike_privacy::accounting::rho_of;
use lookalike_privacy::{
    Budget, Ledger, MemoryStore, Neighbours, NoiseRng, Rational, Relation, threshold_for, with_tau,
};
use lookalike_schema::CellReader;

use super::NoiseFault;
use super::setup::DELTA;
use crate::AuditError;
use crate::attack::{Auditable, Side};

/// What one door may be asked: its account has room for this many answers.
const ANSWERS: usize = 1000;
/// The value that both tables have.
const COMMON: &str = "common";

/// A threshold query for a claim. The canary is a value for each of a person's rows, which the
/// other table lacks; the score is how many of them are released.
pub struct UnlistedValues {
    neighbours: Neighbours,
    sigma_squared: Rational,
    threshold: u64,
    /// Rows that the engine adds to every count: the same as a lower threshold, which the account
    /// would not take.
    added: u64,
    /// Whether rare values beside a known one are asked for.
    is_rare: bool,
}

impl UnlistedValues {
    /// Noise and threshold for one query at `epsilon`, as the product makes them.
    pub fn new(neighbours: Neighbours, epsilon: f64, fault: NoiseFault) -> Result<Self, AuditError> {
        let (left, tau) = with_tau(Budget::new(epsilon, DELTA)?)?;
        let sensitivity = neighbours.marginal();
        let sigma_squared = Rational::at_least(sensitivity.l2_squared() as f64 / (2.0 * rho_of(left)?.get()))?;
        let threshold = threshold_for(sigma_squared, &sensitivity, tau)?;
        let lower = 2.0 * sigma_squared.to_f64().sqrt();
        let added = if fault == NoiseFault::LowThreshold { lower.round() as u64 } else { 0 };
        Ok(Self { neighbours, sigma_squared, threshold, added, is_rare: false })
    }

    /// The same through the query for rare values, which knows the common one.
    pub fn among_rare_ones(self) -> Self {
        Self { is_rare: true, ..self }
    }

    /// The same question several times.
    fn ask(&self, door: &mut CellCurator<TinyValues>, times: usize) -> Result<Vec<FoundValues>, CuratorError> {
        let Self { sigma_squared, threshold, .. } = *self;
        let (most, skipped) = (10, Vec::new());
        if self.is_rare {
            let columns = vec![KnownValues { column: 0, values: vec![COMMON.to_owned()] }];
            let query = RareQuery { columns, sigma_squared, threshold, most, skipped };
            let answers = (0..times).map(|_| door.rare_values(&query)).collect::<Result<Vec<_>, _>>()?;
            return Ok(answers.concat());
        }
        door.values(&vec![ValuesQuery { column: 0, sigma_squared, threshold, most, skipped }; times])
    }

    /// The values that occur, with their counts.
    fn values(&self, side: Side) -> Vec<(String, u64)> {
        // Far above the threshold, so that both tables release it.
        let common = 10 * self.threshold;
        let canaries = match side {
            Side::Before => 0,
            Side::After => self.neighbours.contribution() as usize,
        };
        let replaced = u64::from(self.neighbours.relation() == Relation::ReplaceOne && canaries > 0);
        let common = [(COMMON.to_owned(), common - replaced + self.added)];
        let canaries = (0..canaries).map(|canary| (format!("canary {canary}"), 1 + self.added));
        common.into_iter().chain(canaries).collect()
    }
}

impl Auditable for UnlistedValues {
    fn scores(&self, side: Side, runs: usize, cancel: &Cancel) -> Result<Vec<i64>, AuditError> {
        let mut scores = Vec::with_capacity(runs);
        while scores.len() < runs {
            let cells = TinyValues { names: vec!["value".to_owned()], values: self.values(side) };
            // An account with room: what each answer costs is what is audited, not their sum.
            let room = Budget::new(1e6, 0.5)?;
            let ledger = Ledger::open_for_discovery(Box::new(MemoryStore::new()), room, self.neighbours)?;
            let noise = Box::new(NoiseRng::from_os()?);
            let (mut door, _) = CellCurator::begin(cells, ledger, noise, cancel.clone(), 0.9)?;
            let answers = self.ask(&mut door, ANSWERS.min(runs - scores.len()))?;
            let canaries = |values: &[(String, i64)]| values.iter().filter(|(value, _)| value != COMMON).count();
            scores.extend(answers.iter().map(|found| canaries(&found.values) as i64));
        }
        Ok(scores)
    }

    fn delta(&self) -> f64 {
        DELTA
    }
}

/// A column of a few values.
struct TinyValues {
    names: Vec<String>,
    values: Vec<(String, u64)>,
}

impl Cells for TinyValues {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn count(&self, _: &[(usize, CellReader)], _: Permit, _: &Cancel) -> Result<Vec<Vec<u64>>, CuratorError> {
        Ok(Vec::new())
    }

    fn for_each_value(
        &self,
        _: usize,
        _: &[String],
        _: Permit,
        _: &Cancel,
        each: &mut dyn FnMut(&str, u64),
    ) -> Result<(), CuratorError> {
        self.values.iter().for_each(|(value, count)| each(value, *count));
        Ok(())
    }

    fn for_each_rare_value(
        &self,
        columns: &[KnownValues],
        _: &[String],
        _: Permit,
        _: &Cancel,
        each: &mut dyn FnMut(usize, &str, u64),
    ) -> Result<(), CuratorError> {
        let rare = self.values.iter().filter(|(value, _)| !columns[0].values.contains(value));
        rare.for_each(|(value, count)| each(0, value, *count));
        Ok(())
    }
}
