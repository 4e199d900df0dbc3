//! The curator: owns the rows, offers noisy answers and private selections, nothing else.

mod histogram;
mod scores;

pub use histogram::{HistogramQuery, MAX_DRAWS, MAX_HISTOGRAM_CELLS, histogram_cells};

use lookalike_measurement::{AnsweredMarginals, NoisyCount, NoisyMarginal, Selection};
use lookalike_privacy::noise::exponential_mechanism;
use lookalike_privacy::{
    Budget, CalibratedPlan, ChargedQuery, DiscoveryCost, Ledger, Neighbours, NoiseBits, Plan, Receipt, Step,
};
use lookalike_schema::{AttrId, Clique, Derived, Domain, Schema, View};

use crate::check::{self, MAX_BATCH_CELLS};
use crate::kept::KeptTables;
use crate::narrowed::Narrowed;
use crate::noisy::Sampler;
use crate::paid::{Lookout, PaidBatch};
#[cfg(any(test, feature = "test-noise"))]
use crate::recording::Recording;
use crate::scores::known::KnownScores;
use crate::scores::prepared::PreparedSelection;
use crate::station::{LastStation, charge};
use crate::{Cancel, CountQuery, CountTable, Counts, CuratorError, MarginalQuery, SelectQuery};

/// Selections are counted in pieces of at most this many cells, so that ten thousand candidates
/// need no more memory than the largest piece. A piece is one pass over the rows.
const PIECE_CELLS: u64 = 1 << 24;
/// The bytes of exact tables that are kept for later looks, unless another bound is set.
pub const DOOR_MEMORY: u64 = 256 << 20;
/// Draws of noise between two looks at the stop flag, and the steps that one draw takes.
const DRAWS_BETWEEN_LOOKS: usize = 1 << 20;
const STEPS_A_DRAW: usize = 16;

/// The only door to private rows.
///
/// Every answer takes the same way: the query is checked against the schema, its cost is computed
/// from the query itself, the ledger is charged durably, and only then are rows counted. Exact
/// counts end inside as noisy integers, as the index of a selection, or as rows of a smoothed
/// histogram. Exact tables and scores may be kept inside for later looks, which pay again. A charge
/// is never refunded, whatever happens after it.
///
/// # Privacy
/// Neighbours are the ledger's ([`Neighbours`]); every sensitivity is computed from them. What
/// leaves the door is covered by the caps of the ledger's stages, which sum to at most its budget.
///
/// It cannot be printed or copied:
/// ```compile_fail,E0277
/// fn show(curator: lookalike_curator::Curator) -> String {
///     format!("{curator:?}")
/// }
/// ```
/// ```compile_fail,E0599
/// fn copy(curator: &lookalike_curator::Curator) -> lookalike_curator::Curator {
///     curator.clone()
/// }
/// ```
pub struct Curator {
    schema: Schema,
    view: View,
    counts: Box<dyn Counts>,
    ledger: Ledger,
    noise: Box<dyn NoiseBits>,
    cancel: Cancel,
    known: KnownScores,
    kept: KeptTables,
    passes: u64,
    /// All tables that have left the door, for the error bars of what is made from them.
    answers: AnsweredMarginals,
    station: LastStation,
}

impl Curator {
    /// Takes the rows (behind an engine), the account that pays for looks, and the noise.
    pub fn new(
        schema: Schema,
        counts: Box<dyn Counts>,
        ledger: Ledger,
        noise: Box<dyn NoiseBits>,
        cancel: Cancel,
    ) -> Self {
        Self {
            view: View::new(&schema),
            schema,
            counts,
            ledger,
            noise,
            cancel,
            known: KnownScores::default(),
            kept: KeptTables::new(DOOR_MEMORY),
            passes: 0,
            answers: AnsweredMarginals::default(),
            station: LastStation::default(),
        }
    }

    /// The public schema.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The sizes of all columns that can be asked for: the schema's own, then the derived ones.
    pub fn domain(&self) -> &Domain {
        self.view.domain()
    }

    /// All columns that can be asked for, with their names.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Appends columns that are made from others record by record, free of charge, and says which
    /// attributes they got. From here on every query may use them, beside the schema's own and
    /// beside the columns that they are made from.
    ///
    /// A base may itself be derived. Nothing is counted or copied here: an engine looks groups up
    /// when it counts.
    ///
    /// # Privacy
    /// Let f append to each record the groups of its own codes, and let D and D' be neighbours: D'
    /// is D with records of one person added or removed, or with one record replaced. Then f(D') is
    /// f(D) with the images of those records added, removed or replaced: as many records, of the
    /// same person. So f(D) and f(D') are neighbours in the same relation with the same
    /// contribution, and whatever is (epsilon, delta)-private on f(D) is so on D. Every sensitivity
    /// is a bound over all neighbouring tables of the wider domain, of which the images of f are
    /// some, so it stands for cliques of own and derived columns together. f may depend on answers
    /// that were paid for: given them it is fixed, and composition is adaptive. The brute-force
    /// test is `scores/tests/derived.rs`.
    ///
    /// # Errors
    /// A base that does not exist, or a grouping of more or fewer codes than the base has. Nothing
    /// is then appended.
    pub fn derive(&mut self, columns: &[Derived]) -> Result<Vec<AttrId>, CuratorError> {
        self.view.derive(columns).map_err(|error| check::query(error.to_string()))
    }

    /// Bounds what is kept inside the door for later looks, in bytes.
    pub fn set_door_memory(&mut self, bytes: u64) {
        self.kept.set_bytes(bytes);
    }

    /// Says which tables are likely to be asked for soon, free of charge. They are counted in the
    /// same pass as the next look that needs one, as far as there is room for them, and stay inside
    /// the door: whoever asks for one pays for it as if nobody had foreseen it.
    ///
    /// # Privacy
    /// Nothing leaves here: [`select`](Self::select) and the others have the same distribution with
    /// and without it. It may depend on all that is public, as the queries themselves.
    pub fn foresee(&mut self, cliques: &[Clique]) {
        let is_known = |clique: &&Clique| check::cells(&self.view, clique).is_ok();
        let known: Vec<Clique> = cliques.iter().filter(is_known).cloned().collect();
        self.kept.foresee(&known);
    }

    /// How often all rows were passed over so far.
    pub fn passes(&self) -> u64 {
        self.passes
    }

    /// The total for everything.
    pub fn budget(&self) -> Budget {
        self.ledger.budget()
    }

    /// The relation and the contribution of the run.
    pub fn neighbours(&self) -> Neighbours {
        self.ledger.neighbours()
    }

    /// Calibrates the plan to all that is left of the budget and commits it as the last stage.
    pub fn commit(&mut self, plan: &Plan) -> Result<CalibratedPlan, CuratorError> {
        let left = self.ledger.remaining()?;
        self.commit_part(plan, left)
    }

    /// Like [`commit`](Self::commit), for a part of what is left. All stages but the last must be
    /// pure (delta 0).
    pub fn commit_part(&mut self, plan: &Plan, cap: Budget) -> Result<CalibratedPlan, CuratorError> {
        let calibrated = self.calibrate(plan, cap)?;
        self.ledger.commit(calibrated.clone())?;
        Ok(calibrated)
    }

    /// The scales that the plan would have in this account, without committing it.
    pub fn calibrate(&self, plan: &Plan, cap: Budget) -> Result<CalibratedPlan, CuratorError> {
        Ok(self.ledger.calibrate(plan, cap)?)
    }

    /// What no stage has claimed yet: the largest cap that the next one may have.
    pub fn remaining(&self) -> Result<Budget, CuratorError> {
        Ok(self.ledger.remaining()?)
    }

    /// Commits a plan that was calibrated beforehand, for methods whose queries depend on how much
    /// noise there will be.
    pub fn commit_calibrated(&mut self, plan: &CalibratedPlan) -> Result<(), CuratorError> {
        Ok(self.ledger.commit(plan.clone())?)
    }

    /// Begins the last stage as a filter over all that is left.
    pub fn commit_filter(&mut self) -> Result<(), CuratorError> {
        let left = self.ledger.remaining()?;
        Ok(self.ledger.commit_filter(left)?)
    }

    /// Begins the run with a stage in which facts of the schema are bought: a filter over this
    /// share of the account. Gives what it may cost.
    ///
    /// # Errors
    /// An account that was not opened for discovery, or a share that is none.
    pub fn commit_discovery(&mut self, share: f64) -> Result<DiscoveryCost, CuratorError> {
        Ok(self.ledger.commit_discovery(share)?)
    }

    /// The same rows, account and noise behind a schema that has only some of the columns, in the
    /// same order and with the same codes. What was answered before stays charged, and is no
    /// answer about these columns.
    ///
    /// # Privacy
    /// Let f leave out cells of a record. Neighbours stay neighbours under f, in the same relation
    /// with the same contribution, so every sensitivity stands. Which columns are left may depend
    /// on answers that were paid for.
    ///
    /// # Errors
    /// A schema of other columns.
    pub fn narrowed(self, schema: Schema) -> Result<Self, CuratorError> {
        let Self { counts, schema: whole, ledger, noise, cancel, passes, station, .. } = self;
        let counts = Box::new(Narrowed::new(counts, &whole, &schema)?);
        Ok(Self { passes, station, ..Self::new(schema, counts, ledger, noise, cancel) })
    }

    /// Noisy marginals: one durable charge that lists every query, then one pass. A query that
    /// stands twice in the batch is paid twice and answered with fresh noise.
    ///
    /// # Privacy
    /// Discrete Gaussian or Laplace noise on every cell of the dense table. Sensitivity of one
    /// marginal, at contribution c: L1 = L2 = c (add/remove); L1 = 2, L2 = sqrt 2 (replace-one).
    /// The cost is the ledger's sum over the steps of the queries.
    ///
    /// # Errors
    /// Before the charge: an unknown attribute, more than [`MAX_CELLS`](crate::MAX_CELLS) cells, a
    /// refusal of the ledger, a stop. After it: a fault of the engine, or a stop; the charge stays.
    pub fn marginals(&mut self, queries: &[MarginalQuery]) -> Result<Vec<NoisyMarginal>, CuratorError> {
        if queries.is_empty() {
            return Ok(Vec::new());
        }
        let neighbours = self.neighbours();
        let mut cells = 0u64;
        let mut charges = Vec::with_capacity(queries.len());
        let mut samplers = Vec::with_capacity(queries.len());
        for query in queries {
            cells += check::cells(&self.view, &query.clique)?;
            if cells > MAX_BATCH_CELLS {
                return Err(check::query(format!("a batch of marginals has more than {MAX_BATCH_CELLS} cells")));
            }
            let step = query.step(neighbours);
            samplers.push(Sampler::new(&step)?);
            charges.push(ChargedQuery { label: check::marginal_label(&self.view, &query.clique), step });
        }
        let cliques: Vec<Clique> = queries.iter().map(|query| query.clique.clone()).collect();
        let receipt = self.charge(&charges)?;
        let tables = self.look_at_all(receipt, &cliques)?;
        let mut answers = Vec::with_capacity(tables.len());
        for (((table, sampler), clique), charge) in tables.into_iter().zip(&samplers).zip(cliques).zip(charges) {
            let values = self.release(sampler, table)?;
            answers.push(NoisyMarginal { clique, values, step: charge.step });
        }
        let answers = self.station.hand_over(answers, &self.ledger)?;
        answers.iter().for_each(|answer| self.answers.add(answer));
        Ok(answers)
    }

    /// The noisy row count. Under replace-one the count is public: it is exact, free, and still
    /// recorded in the ledger.
    ///
    /// # Privacy
    /// Sensitivity c (add/remove, contribution c), 0 (replace-one). The cost is the ledger's for
    /// the query's step.
    pub fn row_count(&mut self, query: &CountQuery) -> Result<NoisyCount, CuratorError> {
        let step = query.step(self.neighbours());
        let sampler = if step.is_free() { None } else { Some(Sampler::new(&step)?) };
        let label = if step.is_free() { check::PUBLIC_ROW_COUNT } else { check::ROW_COUNT };
        let receipt = self.charge(&[ChargedQuery { label: label.into(), step: step.clone() }])?;
        let mut tables = self.look_at_all(receipt, &[Clique::new([])])?;
        // The form was checked: one table of one cell.
        let table = tables.pop().unwrap_or(CountTable::Dense(vec![0]));
        let values = match &sampler {
            Some(sampler) => sampler.release(table, self.noise.as_mut()),
            None => table.into_integers(),
        };
        let value = values.first().copied().unwrap_or(0);
        let count = self.station.hand_over(NoisyCount { value, step: sampler.map(|_| step) }, &self.ledger)?;
        self.answers.add_count(&count);
        Ok(count)
    }

    /// A private selection: the exponential mechanism, drawn exactly, on scores of exact counts.
    /// One durable charge, then as many passes as the candidates' tables need memory for.
    /// Candidates that an earlier selection scored in the same way are not counted again, so rounds
    /// that share candidates cost time only for the new ones.
    ///
    /// # Privacy
    /// The cost is the query's epsilon, pure. P(i) is proportional to exp(epsilon q_i / (2
    /// sensitivity)); scores and sensitivity are integers on a public grid, see
    /// [`scores`](crate::scores). The score sensitivity is computed from the relation and the
    /// contribution (and, under replace-one, from the public n), never from the answers.
    ///
    /// # Errors
    /// Before the charge: no candidates, scores of two kinds, unknown attributes, too many cells,
    /// parameters that are not finite or have the wrong length, a refusal of the ledger, a stop.
    /// After it: a fault of the engine, or a stop; the charge stays.
    pub fn select(&mut self, query: &SelectQuery) -> Result<Selection, CuratorError> {
        let neighbours = self.neighbours();
        let mut prepared = PreparedSelection::new(query, &self.view, neighbours)?;
        let step = Step::Exponential { epsilon: query.epsilon };
        let receipt = self.charge(&[ChargedQuery { label: prepared.label(), step }])?;
        // Kept scores are exact: using one is a look like any other, so it too comes after the
        // charge.
        prepared.take_known(&self.known);
        let mut batch = PaidBatch::new(receipt, prepared.cliques());
        let mut tally = prepared.tally();
        while let Some(piece) = batch.look(&mut self.lookout(), PIECE_CELLS)? {
            for (place, table) in piece.tables.into_iter().enumerate() {
                self.check_before(table.cells())?;
                // The table ends here: only scores go on.
                tally.score(piece.first + place, table, self.view.domain())?;
            }
        }
        tally.keep_in(&mut self.known);
        let (scores, sensitivity) = tally.finish()?;
        let index = exponential_mechanism(&scores, sensitivity, query.epsilon, self.noise.as_mut())?;
        self.station.hand_over(Selection { index }, &self.ledger)
    }

    /// The share of the budget spent so far, for progress.
    pub fn share_spent(&self) -> f64 {
        self.ledger.share_spent()
    }

    /// The flag that says "stop", for long fits.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Refuses when somebody asked to stop: for methods to look at between rounds of long fits.
    pub fn check_cancelled(&self) -> Result<(), CuratorError> {
        if self.cancel.is_cancelled() { Err(CuratorError::Cancelled) } else { Ok(()) }
    }

    fn check_before(&self, steps: u64) -> Result<(), CuratorError> {
        if self.cancel.before(steps) { Err(CuratorError::Cancelled) } else { Ok(()) }
    }

    /// Fresh noise on every count, a piece at a time.
    fn release(&mut self, sampler: &Sampler, exact: CountTable) -> Result<Vec<i64>, CuratorError> {
        let mut values = exact.into_integers();
        for piece in values.chunks_mut(DRAWS_BETWEEN_LOOKS) {
            self.check_before((piece.len() * STEPS_A_DRAW) as u64)?;
            sampler.add_to(piece, self.noise.as_mut());
        }
        Ok(values)
    }

    /// Whether the answers are private: false with the seeded test stream or a recording, which
    /// only test builds have.
    pub fn is_private(&self) -> bool {
        self.station.is_private() && self.noise.is_private()
    }

    /// The noisy tables and counts that were answered so far, over the columns of
    /// [`view`](Self::view).
    pub fn answers(&self) -> &AnsweredMarginals {
        &self.answers
    }

    /// Closes the door: drops the rows and gives back the ledger for the statement.
    pub fn close(self) -> Ledger {
        self.ledger
    }

    /// The durable charge. A stop that was asked for before it costs nothing.
    fn charge(&mut self, charges: &[ChargedQuery]) -> Result<Receipt, CuratorError> {
        charge(&mut self.ledger, &self.cancel, charges)
    }

    fn lookout(&mut self) -> Lookout<'_> {
        let Self { counts, view, kept, passes, cancel, .. } = self;
        Lookout { counts: &**counts, view, kept, passes, cancel }
    }

    /// All cliques of a paid batch in one pass.
    fn look_at_all(&mut self, receipt: Receipt, cliques: &[Clique]) -> Result<Vec<CountTable>, CuratorError> {
        let mut batch = PaidBatch::new(receipt, cliques);
        let piece = batch.look(&mut self.lookout(), u64::MAX)?;
        Ok(piece.map_or_else(Vec::new, |piece| piece.tables))
    }

    /// Test builds only: every answer from here on is also written on the recording. What is made
    /// is NOT PRIVATE.
    #[cfg(any(test, feature = "test-noise"))]
    pub fn record_on(&mut self, recording: &Recording) {
        self.station.record_on(recording, &self.ledger);
    }

    /// Test builds only: every answer from here on is the recording's, whatever the counts. What is
    /// made is NOT PRIVATE.
    #[cfg(any(test, feature = "test-noise"))]
    pub fn replay_from(&mut self, recording: &Recording) {
        self.station.replay_from(recording, &self.ledger);
    }
}
