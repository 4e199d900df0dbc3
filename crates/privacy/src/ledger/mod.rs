//! The ledger: what was promised, what was charged, durably and before each look.
// SKELETON: the accounting owner fills this in (store.rs, journal.rs, records as v1 structs).

use crate::{Budget, CalibratedPlan, Neighbours, PrivacyError, Step};

/// Where records are kept. `append` returns only when the record would survive a power cut.
pub trait LedgerStore: Send {
    /// Durably adds one record.
    fn append(&mut self, record: &str) -> std::io::Result<()>;
}

/// One query with its label and cost, as charged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChargedQuery {
    /// What was asked, in the steward's words ("marginal of age, sex"). From schema and plan only.
    pub label: String,
    /// Mechanism, scale, sensitivity.
    pub step: Step,
}

/// Proof that a batch was charged durably. Only the ledger makes one; it is used up by the look it pays for.
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
}

#[allow(missing_docs, unused_variables)]
impl Ledger {
    /// Opens the account: writes relation and total durably.
    pub fn open(store: Box<dyn LedgerStore>, budget: Budget, neighbours: Neighbours) -> Result<Self, PrivacyError> {
        todo!()
    }
    pub fn budget(&self) -> Budget {
        todo!()
    }
    pub fn neighbours(&self) -> Neighbours {
        todo!()
    }
    /// Begins a stage with a fixed plan: its charges must follow the plan's steps in order (skipping is allowed, exchanging is not).
    /// Earlier stages must be pure (cap delta 0); the caps of all stages sum to at most the budget.
    pub fn commit(&mut self, plan: CalibratedPlan) -> Result<(), PrivacyError> {
        todo!()
    }
    /// Begins the last stage as a filter over whatever is asked: sums of rho when delta > 0, of epsilon when delta = 0.
    pub fn commit_filter(&mut self, cap: Budget) -> Result<(), PrivacyError> {
        todo!()
    }
    /// Charges a batch: one durable record that lists every query, then the receipt. Refuses before anything is written.
    pub fn charge_batch(&mut self, queries: &[ChargedQuery]) -> Result<Receipt, PrivacyError> {
        let _ = &mut self.store;
        todo!()
    }
    /// Everything charged so far.
    pub fn charged(&self) -> &[ChargedQuery] {
        todo!()
    }
    /// What part of the budget has been spent, between 0 and 1, for progress.
    pub fn share_spent(&self) -> f64 {
        todo!()
    }
    /// The epsilon at the budget's delta recomputed from the scales charged: a check (at most the cap), never the guarantee.
    pub fn used(&self) -> Result<f64, PrivacyError> {
        todo!()
    }
}
