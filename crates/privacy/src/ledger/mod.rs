//! The ledger: what was promised, what was charged, durably and before each look.
//!
//! A run is a list of stages. Each stage but the last must be pure (delta = 0), and their caps sum
//! to at most the budget. A stage follows a plan that was fixed before its first look, or, as the
//! last one, filters whatever is asked. A run with discovery ([`Ledger::open_for_discovery`]) has a
//! stage before all others, in which facts of the schema are bought.
//!
//! # Privacy
//! The stages are run one after another, so their guarantees add (basic composition: epsilons and
//! deltas). A plan of a later stage may depend on the answers of the earlier ones: given those
//! answers it is fixed. At most one stage has a delta above 0, and it is the last: this is the form
//! that the specification allows ("buy n-hat by discrete Laplace at a fixed epsilon; the rest may
//! then be a plan fixed after n-hat"). Within a plan, steps may be skipped but never exchanged, and
//! what is skipped is not spent again: exact composition holds only for a sequence that was fixed.
//!
//! ## Runs that are counted in rho
//! A ledger across releases may sum up rho, and must know what a run costs there before the run's
//! first look, when most plans are not made yet. So such a run ([`Ledger::open_in_rho`]) keeps a
//! second promise beside its (epsilon, delta): all of it is rho-zCDP for the rho of
//! [`rho_reserve`](crate::accounting::rho_reserve), which follows from (epsilon, delta) alone.
//! - delta = 0: every stage is pure, and the ledger keeps the sum of all epsilons within epsilon. A
//!   step of epsilon e is e^2/2-zCDP (Bun, Steinke 2016, proposition 1.4), zCDP adds up adaptively,
//!   and the sum of the squares of numbers that are not negative is at most the square of their
//!   sum: the run is epsilon^2/2-zCDP. Nothing else has to be kept.
//! - delta > 0: the total is the largest rho that is (epsilon, delta). A stage is refused unless
//!   the rho of all planned steps (the filter's total for a filter), with those of the stages
//!   before it, stays within the total. Skipped steps cost no more than planned ones.
//!   [`Ledger::calibrate`] leaves exact composition out, because a plan that is (epsilon, delta) by
//!   it may have a larger rho than the total; [`Ledger::remaining`] gives no more than what is left
//!   of both promises.

//!
//! ## Runs with discovery
//! Facts of the schema are answers, and whatever comes after them may depend on them, the lengths
//! of plans too. So with delta > 0 the whole run is summed up in rho, with two totals fixed at
//! opening: tau, which threshold queries take off delta, and the rho of (epsilon, delta - tau)
//! ([`with_tau`](crate::with_tau)). Discovery is a filter over both, and the stages behind it keep
//! to what is left of rho as above. Filters of (approximate) zCDP hold for adaptively chosen
//! queries (Whitehouse et al. 2023), so the run is tau-approximate rho-zCDP, which is (epsilon,
//! delta). With delta = 0 discovery is a stage of pure epsilon, and stages add up as everywhere.

mod charged;
mod journal;
mod record;
mod stage;
mod store;

#[cfg(test)]
mod tests;

pub use charged::ChargedQuery;
pub use journal::{JournalRun, JournalStore};
pub use stage::{DiscoveryCost, Stage};
pub use store::{LedgerStore, MemoryStore};

use record::{ChargeRecord, OpenRecord, Record, RecordBody, StageRecord};

use crate::accounting::{self, directed};
use crate::{Budget, CalibratedPlan, Composition, Delta, Epsilon, Neighbours, Plan, PrivacyError, Rho, Step};

/// Proof that a batch was charged durably. Only the ledger makes one; it is used up by the look it
/// pays for.
#[derive(Debug)]
pub struct Receipt {
    queries: usize,
}

impl Receipt {
    /// How many queries were paid for.
    pub fn queries(&self) -> usize {
        self.queries
    }
}

/// The account of one run.
pub struct Ledger {
    store: Box<dyn LedgerStore>,
    run: String,
    records: u64,
    budget: Budget,
    neighbours: Neighbours,
    stages: Vec<Stage>,
    charged: Vec<ChargedQuery>,
    /// The total of rho that the run promises too, when it is counted in rho and delta is above 0.
    rho: Option<f64>,
    /// The part of delta that is kept for threshold queries; 0 in a run without discovery.
    tau: f64,
    /// Set when a record could not be written: part of it may be on the disk, so nothing may
    /// follow.
    broken: bool,
}

impl Ledger {
    /// Opens the account: writes relation and total durably.
    pub fn open(store: Box<dyn LedgerStore>, budget: Budget, neighbours: Neighbours) -> Result<Self, PrivacyError> {
        let mut name = [0u8; 16];
        getrandom::fill(&mut name).map_err(|error| PrivacyError::Entropy(error.to_string()))?;
        let run = name.iter().map(|byte| format!("{byte:02x}")).collect();
        let (stages, charged) = (Vec::new(), Vec::new());
        let mut ledger =
            Self { store, run, records: 0, budget, neighbours, stages, charged, rho: None, tau: 0.0, broken: false };
        ledger.write(RecordBody::Open(OpenRecord::of(budget, neighbours)))?;
        Ok(ledger)
    }

    /// Opens the account of a run that is counted in rho: all of it costs at most
    /// [`rho_reserve`](crate::accounting::rho_reserve) of its budget. See the head of this module
    /// for the proof.
    pub fn open_in_rho(
        store: Box<dyn LedgerStore>,
        budget: Budget,
        neighbours: Neighbours,
    ) -> Result<Self, PrivacyError> {
        let rho = if budget.is_pure() { None } else { Some(accounting::rho_reserve(budget)?.get()) };
        Ok(Self { rho, ..Self::open(store, budget, neighbours)? })
    }

    /// Opens the account of a run that buys facts of its schema first. With delta above 0 it is
    /// counted in rho, whatever its plans will be, and a part of delta is kept for threshold
    /// queries: all of it costs at most the rho and the tau of [`with_tau`](crate::with_tau).
    pub fn open_for_discovery(
        store: Box<dyn LedgerStore>,
        budget: Budget,
        neighbours: Neighbours,
    ) -> Result<Self, PrivacyError> {
        if budget.is_pure() {
            return Self::open(store, budget, neighbours);
        }
        let (left, tau) = crate::with_tau(budget)?;
        let rho = Some(accounting::rho_of(left)?.get());
        Ok(Self { rho, tau, ..Self::open(store, budget, neighbours)? })
    }

    /// Begins discovery, as the first stage: a filter over this share of the run's rho, and over
    /// all of its tau; at delta = 0 over a share of epsilon. Gives what it may cost.
    pub fn commit_discovery(&mut self, share: f64) -> Result<DiscoveryCost, PrivacyError> {
        let refused = |what: &str| Err(PrivacyError::Refused { what: what.into() });
        if !self.stages.is_empty() || !self.charged.is_empty() {
            return refused("discovery comes before everything else");
        }
        if !(share > 0.0 && share < 1.0) {
            return refused("discovery takes a share between 0 and 1");
        }
        let (cap, total) = match self.rho {
            _ if self.budget.is_pure() => {
                let epsilon = Epsilon::new(directed::down(self.budget.epsilon.get() * share))?;
                (Budget { epsilon, ..self.budget }, DiscoveryCost { amount: epsilon.get(), tau: 0.0 })
            }
            Some(rho) if self.tau > 0.0 => {
                let amount = directed::down(rho * share);
                let left = Delta::new(directed::sub_down(self.budget.delta.get(), self.tau))?;
                let epsilon = Epsilon::new(accounting::epsilon_of_rho(Rho::new(amount)?, left)?)?;
                (Budget { epsilon, ..self.budget }, DiscoveryCost { amount, tau: self.tau })
            }
            _ => return refused("the account was not opened for discovery"),
        };
        let stage = Stage::discovery(cap, total);
        self.write(RecordBody::Stage(StageRecord::discovery(cap, total)))?;
        self.stages.push(stage);
        Ok(total)
    }

    /// The total of the run: the guarantee.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// The relation of the run.
    pub fn neighbours(&self) -> Neighbours {
        self.neighbours
    }

    /// The random name under which this run stands in its journal.
    pub fn run(&self) -> &str {
        &self.run
    }

    /// What no stage has claimed yet, rounded down: the largest cap that the next stage may have.
    ///
    /// Refused when nothing is left. Callers that want "the rest" should ask here and not subtract
    /// floats themselves: a difference rounded up by one bit would be refused.
    pub fn remaining(&self) -> Result<Budget, PrivacyError> {
        let (epsilon, delta) = self.claimed();
        let left = directed::sub_down(self.budget.epsilon.get(), epsilon);
        let refused = |_| PrivacyError::Refused { what: "the stages have claimed the whole epsilon".into() };
        let left_delta = directed::sub_down(self.budget.delta.get(), directed::add_up(delta, self.tau)).max(0.0);
        let left = Budget { epsilon: Epsilon::new(left).map_err(refused)?, delta: Delta::new(left_delta)? };
        match self.rho {
            // Before the first stage the two promises are one.
            Some(total) if !self.stages.is_empty() && !left.is_pure() => {
                within_rho(left, directed::sub_down(total, self.claimed_rho()))
            }
            _ => Ok(left),
        }
    }

    /// Calibrates a plan for this account: by the composition with the least noise, or, when the
    /// run is counted in rho, by the sum of rho.
    pub fn calibrate(&self, plan: &Plan, cap: Budget) -> Result<CalibratedPlan, PrivacyError> {
        if self.rho.is_some() { plan.calibrate_quickly(cap) } else { plan.calibrate(cap) }
    }

    /// Begins a stage with a fixed plan: its charges must follow the plan's steps in order
    /// (skipping is allowed, exchanging is not). Earlier stages must be pure (cap delta 0); the
    /// caps of all stages sum to at most the budget.
    pub fn commit(&mut self, plan: CalibratedPlan) -> Result<(), PrivacyError> {
        self.check_cap(plan.cap())?;
        if let Some(planned) = plan.steps().iter().find(|planned| !planned.step.belongs_to(self.neighbours)) {
            return Err(foreign(&planned.label));
        }
        self.check_rho(accounting::total_rho(plan.steps().iter().map(|planned| &planned.step)))?;
        let steps = plan.steps().iter().map(|planned| (planned.label.as_str(), &planned.step));
        self.write(RecordBody::Stage(StageRecord::of(plan.cap(), plan.composition(), Some(steps))))?;
        self.stages.push(Stage::plan(plan));
        Ok(())
    }

    /// Begins the last stage as a filter over whatever is asked: sums of rho when delta > 0, of
    /// epsilon when delta = 0.
    pub fn commit_filter(&mut self, cap: Budget) -> Result<(), PrivacyError> {
        self.check_cap(cap)?;
        let stage = Stage::filter(cap)?;
        self.check_rho(stage.most_rho())?;
        let no_steps = None::<std::iter::Empty<(&str, &Step)>>;
        self.write(RecordBody::Stage(StageRecord::of(cap, stage.composition(), no_steps)))?;
        self.stages.push(stage);
        Ok(())
    }

    /// Charges a batch: one durable record that lists every query, then the receipt. Refuses before
    /// anything is written.
    ///
    /// Refused: before a stage is committed (except public counts, which are free); a query that is
    /// none of the plan's next steps, or would pass the filter's total; Gaussian noise with delta =
    /// 0; a sensitivity of another relation. A batch is charged whole or not at all.
    pub fn charge_batch(&mut self, queries: &[ChargedQuery]) -> Result<Receipt, PrivacyError> {
        if let Some(query) = queries.iter().find(|query| !query.step.belongs_to(self.neighbours)) {
            return Err(foreign(&query.label));
        }
        let advance = match self.stages.last() {
            Some(stage) => Some(stage.check(queries)?),
            // A public count costs nothing, so it needs no stage: a plan may depend on it.
            None if queries.iter().all(|query| query.step.is_free()) => None,
            None => return Err(PrivacyError::Refused { what: "no plan or filter has been committed".into() }),
        };
        self.write(RecordBody::Charge(ChargeRecord::of(queries)))?;
        if let (Some(stage), Some(advance)) = (self.stages.last_mut(), advance) {
            stage.advance(advance, queries);
        }
        self.charged.extend_from_slice(queries);
        Ok(Receipt { queries: queries.len() })
    }

    /// Everything charged so far.
    pub fn charged(&self) -> &[ChargedQuery] {
        &self.charged
    }

    /// The stages so far, with what was charged to each.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// What part of the budget has been spent, between 0 and 1, for progress.
    pub fn share_spent(&self) -> f64 {
        let spent: f64 = self.stages.iter().map(|stage| stage.share_spent() * stage.cap().epsilon.get()).sum();
        (spent / self.budget.epsilon.get()).min(1.0)
    }

    /// The epsilon at the budget's delta recomputed from the scales charged: a check (at most the
    /// cap), never the guarantee.
    pub fn used(&self) -> Result<f64, PrivacyError> {
        if self.tau > 0.0 {
            // One sum over all stages, at the run's own delta.
            let steps: Vec<Step> = self.charged.iter().map(|query| query.step.clone()).collect();
            return accounting::epsilon(&steps, self.budget.delta, Composition::Zcdp);
        }
        let mut sum = 0.0;
        for stage in &self.stages {
            sum = directed::add_up(sum, stage.used()?);
        }
        Ok(sum)
    }

    /// The sums of the caps so far, rounded up. What discovery costs in rho is in no cap.
    fn claimed(&self) -> (f64, f64) {
        let in_rho = |stage: &&Stage| stage.discovery_total().is_some() && !stage.cap().is_pure();
        let caps = || self.stages.iter().filter(|stage| !in_rho(stage)).map(Stage::cap);
        (directed::sum_up(caps().map(|cap| cap.epsilon.get())), directed::sum_up(caps().map(|cap| cap.delta.get())))
    }

    /// The most rho that the stages so far may cost, rounded up.
    fn claimed_rho(&self) -> f64 {
        directed::sum_up(self.stages.iter().map(Stage::most_rho))
    }

    /// Whether another stage of so much rho keeps the promise of a run that is counted in rho.
    fn check_rho(&self, rho: f64) -> Result<(), PrivacyError> {
        let Some(total) = self.rho else { return Ok(()) };
        let sum = directed::add_up(self.claimed_rho(), rho);
        if sum > total {
            let what = format!("the stages would cost rho {sum:.6}, above the {total:.6} that the run may cost");
            return Err(PrivacyError::Refused { what });
        }
        Ok(())
    }

    /// Whether another stage may begin, with this cap.
    fn check_cap(&self, cap: Budget) -> Result<(), PrivacyError> {
        if let Some(last) = self.stages.last()
            && last.discovery_total().is_none()
            && (last.is_filter() || !last.cap().is_pure())
        {
            let what = "a filter, or a stage with a delta above 0, is the last one".into();
            return Err(PrivacyError::Refused { what });
        }
        let (epsilon, delta) = self.claimed();
        let epsilon = directed::add_up(epsilon, cap.epsilon.get());
        let delta = directed::add_up(directed::add_up(delta, self.tau), cap.delta.get());
        if epsilon > self.budget.epsilon.get() || delta > self.budget.delta.get() {
            let what = format!(
                "the stages would sum to ({epsilon}, {delta}), above the budget of ({}, {})",
                self.budget.epsilon.get(),
                self.budget.delta.get()
            );
            return Err(PrivacyError::Refused { what });
        }
        Ok(())
    }

    /// Appends one record, or breaks the ledger.
    fn write(&mut self, body: RecordBody) -> Result<(), PrivacyError> {
        if self.broken {
            let what = "an earlier record could not be written, so nothing more can be charged".into();
            return Err(PrivacyError::Refused { what });
        }
        let text = Record::new(&self.run, self.records, body).to_text()?;
        // Set first, so that a panic inside the store leaves the ledger broken too.
        self.broken = true;
        self.store.append(&text)?;
        self.broken = false;
        self.records += 1;
        Ok(())
    }
}

/// The largest budget at the same delta, and no larger, whose sum of rho is at most `rho`.
fn within_rho(left: Budget, rho: f64) -> Result<Budget, PrivacyError> {
    let refused = |_| PrivacyError::Refused { what: "the stages have claimed the whole rho of the run".into() };
    let most = accounting::epsilon_of_rho(Rho::new(rho).map_err(refused)?, left.delta)?;
    let mut budget = Budget { epsilon: Epsilon::new(most.min(left.epsilon.get())).map_err(refused)?, ..left };
    // Each direction of the conversion is rounded to its own safe side, so going there and back may
    // gain a bit.
    while accounting::rho_of(budget)?.get() > rho {
        budget.epsilon = Epsilon::new(budget.epsilon.get() * (1.0 - 1e-12)).map_err(refused)?;
    }
    Ok(budget)
}

fn foreign(label: &str) -> PrivacyError {
    let what = format!("the sensitivity of \"{label}\" does not come from this run's relation and contribution");
    PrivacyError::Refused { what }
}
