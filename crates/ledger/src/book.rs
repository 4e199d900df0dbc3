//! What the entries say together.

use std::collections::{BTreeSet, HashSet};

use lookalike_privacy::Budget;

use crate::entry::{self, LedgerEntry, OpenEntry, ReserveEntry, VERSION};
use crate::terms::short;
use crate::{Cost, LedgerError, ReservationRequest, Terms};

/// A data set as the ledger knows it. Steward-only.
#[derive(Clone, Debug, PartialEq)]
pub struct DataSet {
    name: String,
    terms: Terms,
    total: Cost,
    reserved: Cost,
    opened: String,
    closed: Option<String>,
    drawn: Vec<Withdrawal>,
    /// The digests of rows that were drawn on under this name.
    digests: HashSet<String>,
}

/// What one run drew on a data set.
#[derive(Clone, Debug, PartialEq)]
pub struct Withdrawal {
    /// When, in UTC.
    pub at: String,
    /// The random name of the run.
    pub run: String,
    /// The name that the run was asked under: another than the data set's when its rows were
    /// recognized.
    pub asked: String,
    /// The method.
    pub method: String,
    /// The folder that the run was to make.
    pub folder: String,
    /// The run's own (epsilon, delta).
    pub budget: Budget,
    /// What it costs here.
    pub cost: Cost,
    /// What became of it.
    pub state: RunState,
}

/// What became of a run. It has no part in the sums: a reservation stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// It runs, or was killed.
    Reserved,
    /// It made a release.
    Released,
    /// It ended without one.
    Failed,
}

impl RunState {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reserved => "reserved",
            Self::Released => "released",
            Self::Failed => "failed",
        }
    }
}

impl DataSet {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it was opened with.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// All that there was.
    pub fn total(&self) -> Cost {
        self.total
    }

    /// What runs have reserved.
    pub fn reserved(&self) -> Cost {
        self.reserved
    }

    /// What is left.
    pub fn left(&self) -> Cost {
        self.total.minus(self.reserved)
    }

    /// When it was opened, in UTC.
    pub fn opened(&self) -> &str {
        &self.opened
    }

    /// When it was closed, if it was.
    pub fn closed(&self) -> Option<&str> {
        self.closed.as_deref()
    }

    /// Every run that drew on it, in order.
    pub fn drawn(&self) -> &[Withdrawal] {
        &self.drawn
    }

    /// What is left, in words.
    pub fn left_in_words(&self) -> String {
        let (left, delta) = (self.left(), short(self.terms.budget().delta.get()));
        match left {
            Cost::Rho(_) | Cost::RhoTau(..) => {
                format!("{left} (epsilon {} at delta {delta})", short(left.epsilon(&self.terms)))
            }
            Cost::EpsilonDelta(..) => left.to_string(),
        }
    }

    /// What a run of this budget costs here, or the refusal.
    fn cost_of(&self, run: Budget, discovers: bool) -> Result<Cost, LedgerError> {
        if self.closed.is_some() {
            return Err(LedgerError::refused(format!("the data set {:?} is closed", self.name)));
        }
        let cost = self.terms.cost(run, discovers)?;
        match self.reserved.plus(cost) {
            Some(sum) if sum.fits(self.total) => Ok(cost),
            _ => Err(LedgerError::refused(self.too_little(run, cost))),
        }
    }

    fn too_little(&self, run: Budget, cost: Cost) -> String {
        let hint = match cost {
            Cost::Rho(_) | Cost::RhoTau(..) if run.is_pure() => {
                "; a run with delta 0 costs epsilon^2/2 of rho, so take a method with a delta above 0, or open with the filter epsilon-delta"
            }
            // Each run that discovers values takes a share of delta, and the first may take it all.
            Cost::RhoTau(_, tau) if self.left().lacks_tau(tau) => {
                "; what delta keeps for values that are discovered (tau) is spent, so state the schema, for which the schema of an earlier release can be used"
            }
            Cost::RhoTau(..) if self.drawn.is_empty() => {
                "; a part of delta (tau) is kept for values that are discovered, so that a little less than the whole epsilon fits: ask for less, or open with the filter rho"
            }
            _ => "",
        };
        format!("the data set {:?} has {} left, and this run costs {cost}{hint}", self.name, self.left_in_words())
    }
}

/// All data sets of a ledger, by replaying its entries.
#[derive(Default)]
pub(crate) struct Book {
    version: Option<i64>,
    pub(crate) sets: Vec<DataSet>,
    /// Every run with the places of the sets that it drew on.
    runs: Vec<(String, Vec<usize>)>,
}

impl Book {
    /// Takes an entry in. `None` when it cannot stand behind the earlier ones.
    pub(crate) fn apply(&mut self, entry: &LedgerEntry) -> Option<()> {
        match (self.version, entry) {
            (None, &LedgerEntry::Ledger { version }) if (1..=VERSION).contains(&version) => {
                self.version = Some(version)
            }
            (None, _) | (Some(_), LedgerEntry::Ledger { .. }) => return None,
            (_, LedgerEntry::Open(open)) => self.open(open)?,
            (_, LedgerEntry::Reserve(reserve)) => self.reserve(reserve)?,
            (_, LedgerEntry::End { run: ended, released, .. }) => {
                let (_, places) = self.runs.iter().find(|(run, _)| run == ended)?;
                let state = if *released { RunState::Released } else { RunState::Failed };
                for &place in places {
                    let drawn = self.sets[place].drawn.iter_mut().filter(|drawn| drawn.run == *ended);
                    drawn.for_each(|drawn| drawn.state = state);
                }
            }
            (_, LedgerEntry::Close { at, name }) => {
                let place = self.place(name)?;
                self.sets[place].closed = Some(at.clone());
            }
        }
        Some(())
    }

    fn open(&mut self, open: &OpenEntry) -> Option<()> {
        let (terms, total) = open.terms()?;
        if self.place(&open.name).is_some() {
            return None;
        }
        self.sets.push(DataSet {
            name: open.name.clone(),
            terms,
            total,
            reserved: total.minus(total),
            opened: open.at.clone(),
            closed: None,
            drawn: Vec::new(),
            digests: HashSet::new(),
        });
        Some(())
    }

    fn reserve(&mut self, reserve: &ReserveEntry) -> Option<()> {
        let mut places = Vec::new();
        for charge in &reserve.charges {
            let place = self.place(&charge.name)?;
            let cost = Cost::from_texts(&charge.cost)?;
            let set = &mut self.sets[place];
            set.reserved = set.reserved.plus(cost)?;
            set.digests.insert(reserve.digest.clone());
            set.drawn.push(Withdrawal {
                at: reserve.at.clone(),
                run: reserve.run.clone(),
                asked: reserve.asked.clone(),
                method: reserve.method.clone(),
                folder: reserve.folder.clone(),
                budget: Budget::new(reserve.epsilon, reserve.delta).ok()?,
                cost,
                state: RunState::Reserved,
            });
            places.push(place);
        }
        self.runs.push((reserve.run.clone(), places));
        Some(())
    }

    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.sets.iter().position(|set| set.name == name)
    }

    /// The data set of that name, or what to do about it.
    pub(crate) fn find(&self, name: &str) -> Result<&DataSet, LedgerError> {
        self.place(name).map(|place| &self.sets[place]).ok_or_else(|| {
            let known: Vec<String> = self.sets.iter().take(5).map(|set| format!("{:?}", set.name)).collect();
            let known = if known.is_empty() { "none yet".to_owned() } else { known.join(", ") };
            LedgerError::usage(
                format!("the ledger has no data set {name:?}"),
                format!("open it with `lookalike ledger open`; those in it are: {known}"),
            )
        })
    }

    /// Every data set that pays for a run of these rows, with its cost: the one asked for, and
    /// those that know the rows. Without digests only the one asked for.
    ///
    /// # Errors
    /// The first one that refuses.
    pub(crate) fn payers(
        &self,
        request: &ReservationRequest<'_>,
        digests: &[String],
    ) -> Result<Vec<(&DataSet, Cost)>, LedgerError> {
        let asked = self.find(request.dataset)?;
        let knowing = self.sets.iter().filter(|set| digests.iter().any(|digest| set.digests.contains(digest)));
        let others = knowing.filter(|set| set.name != asked.name);
        let mut paid = Vec::new();
        for set in std::iter::once(asked).chain(others) {
            let known = |error| if set.name == asked.name { error } else { recognized(&set.name, error) };
            set.terms.check_run(&set.name, request.neighbours, request.unit).map_err(known)?;
            // How the run is accounted shows in the release, so it may depend on the name, never on
            // whether rows are known.
            if set.terms.filter().is_in_rho() && !asked.terms.filter().is_in_rho() {
                let what = format!("{:?} sums up rho, and {:?} does not", set.name, asked.name);
                return Err(known(LedgerError::usage(
                    what,
                    "draw under a name that was opened with the filter rho-tau",
                )));
            }
            paid.push((set, set.cost_of(request.budget, request.discovers).map_err(known)?));
        }
        Ok(paid)
    }

    /// Whether rows are known by a digest of the older kind.
    pub(crate) fn knows_older(&self) -> bool {
        self.sets.iter().flat_map(|set| &set.digests).any(|digest| entry::is_older(digest))
    }

    /// How many runs were asked for under a name, whatever they drew on. It depends on names alone,
    /// not on rows.
    pub(crate) fn asked_under(&self, name: &str) -> u64 {
        let drawn = self.sets.iter().flat_map(|set| &set.drawn).filter(|drawn| drawn.asked == name);
        drawn.map(|drawn| drawn.run.as_str()).collect::<BTreeSet<_>>().len() as u64
    }
}

/// A refusal by a data set that was not asked for.
fn recognized(name: &str, error: LedgerError) -> LedgerError {
    let before = format!("these rows are known as {name:?}, whose budget they draw on too: ");
    match error {
        LedgerError::Usage { what, help } => LedgerError::Usage { what: format!("{before}{what}"), help },
        LedgerError::Refused { what } => LedgerError::Refused { what: format!("{before}{what}") },
        other => other,
    }
}
