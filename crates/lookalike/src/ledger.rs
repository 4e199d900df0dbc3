//! The ledger across releases: opened, shown and closed by the steward, drawn on by runs.

use std::path::Path;

use lookalike_ledger::{Cost, DataSet, LedgerFile, PrivacyFilter, Reservation, ReservationRequest, RowDigests, Terms};
use lookalike_privacy::{Budget, Relation};
use lookalike_table::{DigestWish, Digests};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::error::{Error, SettingError};
use crate::protect::{neighbours, relation};

/// The delta of a data set when none is named.
const DEFAULT_DELTA: f64 = 1e-9;

/// A data set to open, as typed.
#[derive(Clone, Debug, Default)]
pub struct LedgerSpec {
    /// Its name.
    pub name: String,
    /// The epsilon of all releases together.
    pub epsilon: f64,
    /// Their delta; left out: 1e-9.
    pub delta: Option<f64>,
    /// `add-remove` (the default) or `replace-one`.
    pub relation: Option<String>,
    /// The column that tells whose row it is.
    pub unit: Option<String>,
    /// The most rows of a person; with `unit`.
    pub contribution: Option<u32>,
    /// `rho-tau` (the default), `rho` or `epsilon-delta` (the default with delta 0).
    pub filter: Option<String>,
}

/// Opens a data set in a ledger. The ledger and its key are made when they are not there.
pub fn open_in_ledger(file: &Path, spec: &LedgerSpec) -> Result<DataSet, Error> {
    let budget = Budget::new(spec.epsilon, spec.delta.unwrap_or(DEFAULT_DELTA))?;
    let filter = match spec.filter.as_deref() {
        None if budget.is_pure() => PrivacyFilter::EpsilonDelta,
        None => PrivacyFilter::RhoTau,
        Some(name) => PrivacyFilter::named(name).ok_or_else(|| SettingError::UnknownWord {
            setting: "filter",
            word: name.to_owned(),
            known: "rho-tau, rho or epsilon-delta",
        })?,
    };
    let neighbours = neighbours(relation(spec.relation.as_deref())?, spec.unit.as_deref(), spec.contribution)?;
    let terms = Terms::new(budget, filter, neighbours, spec.unit.clone())?;
    Ok(LedgerFile::open_or_create(file)?.open_data_set(&spec.name, &terms)?)
}

/// The data set of that name, or all of them. Steward-only.
pub fn show_ledger(file: &Path, name: Option<&str>) -> Result<Vec<DataSet>, Error> {
    let mut ledger = LedgerFile::open(file)?;
    Ok(match name {
        Some(name) => vec![ledger.data_set(name)?],
        None => ledger.data_sets()?,
    })
}

/// Closes a data set for ever.
pub fn close_in_ledger(file: &Path, name: &str) -> Result<DataSet, Error> {
    Ok(LedgerFile::open(file)?.close_data_set(name)?)
}

/// A run's account in a ledger: first checked, then reserved, then ended.
pub(crate) struct Account {
    file: LedgerFile,
    dataset: String,
}

/// A run whose cost is reserved.
pub(crate) struct Draw {
    account: Account,
    reservation: Reservation,
}

impl Account {
    /// Refuses by the name alone what can be refused before any row is read.
    pub(crate) fn open(mut file: LedgerFile, request: &ReservationRequest<'_>) -> Result<Self, Error> {
        file.check(request)?;
        Ok(Self { file, dataset: request.dataset.to_owned() })
    }

    /// The data set's name.
    pub(crate) fn dataset(&self) -> &str {
        &self.dataset
    }

    /// What tells this data set of this ledger from others, for whoever keeps coded rows: the name,
    /// and a digest of the ledger's key.
    pub(crate) fn id(&self) -> String {
        let key = self.file.digest_key();
        crate::hash::sha256(&[b"coded rows of ", self.dataset.as_bytes(), &[0], &key[..]].concat())
    }

    /// Rows' digest in a form that only this ledger can read, and back again: coded rows that are
    /// kept have it so. `place` is never the same twice.
    pub(crate) fn sealed(&self, place: &[u8; 17], digest: [u8; 32]) -> [u8; 32] {
        let key = self.file.digest_key();
        let pad = Sha256::digest([&key[..], b"digest of kept rows", place].concat());
        std::array::from_fn(|at| digest[at] ^ pad[at])
    }

    /// What the ledger wants to know of the rows: their digests, of which nothing leaves but to the
    /// ledger.
    pub(crate) fn digest_wish(&mut self) -> Result<DigestWish<'_>, Error> {
        let older = self.file.knows_older()?;
        Ok(DigestWish { key: self.file.digest_key(), older, second: None })
    }

    /// Reserves the whole cost of the run, durably. Which data sets pay depends on the rows'
    /// digests: a refusal is for the steward alone.
    pub(crate) fn reserve(mut self, request: &ReservationRequest<'_>, rows: Digests) -> Result<Draw, Error> {
        let rows = RowDigests { records: rows.records, older: rows.older };
        let reservation = self.file.reserve(request, &rows)?;
        Ok(Draw { account: self, reservation })
    }
}

impl Draw {
    /// Whether the run's own account is to be opened in rho.
    pub(crate) fn in_rho(&self) -> bool {
        self.reservation.in_rho()
    }

    /// How many runs were asked for under the name.
    pub(crate) fn asked_runs(&self) -> u64 {
        self.reservation.asked_runs()
    }

    /// Notes what became of the run, and says for the steward's eyes what is left. A note that
    /// cannot be written changes nothing: the sums have the run already.
    pub(crate) fn end(mut self, released: bool) -> Vec<String> {
        let _ = self.account.file.end(&self.reservation, released);
        let names = std::iter::once(&self.account.dataset).chain(self.reservation.known_as());
        let mut lines = Vec::new();
        for name in names {
            if let Ok(set) = self.account.file.data_set(name) {
                let known = if *name == self.account.dataset { "" } else { ", under which these rows are known," };
                lines.push(format!("the data set {name:?}{known} has {} left", set.left_in_words()));
            }
        }
        lines
    }
}

/// A data set for programs. Steward-only.
pub fn data_set_json(set: &DataSet) -> Value {
    let terms = set.terms();
    let drawn = set.drawn().iter().map(|drawn| {
        json!({
            "at": drawn.at,
            "state": drawn.state.name(),
            "method": drawn.method,
            "asked": drawn.asked,
            "folder": drawn.folder,
            "epsilon": drawn.budget.epsilon.get(),
            "delta": drawn.budget.delta.get(),
            "cost": amounts(drawn.cost),
        })
    });
    json!({
        "name": set.name(),
        "epsilon": terms.budget().epsilon.get(),
        "delta": terms.budget().delta.get(),
        "filter": terms.filter().name(),
        "relation": match terms.neighbours().relation() {
            Relation::AddRemove => "add-remove",
            Relation::ReplaceOne => "replace-one",
        },
        "unit": terms.unit(),
        "contribution": terms.neighbours().contribution(),
        "total": amounts(set.total()),
        "reserved": amounts(set.reserved()),
        "left": amounts(set.left()),
        "left_epsilon": set.left().epsilon(terms),
        "opened": set.opened(),
        "closed": set.closed(),
        "releases": drawn.collect::<Vec<_>>(),
    })
}

fn amounts(cost: Cost) -> Value {
    match cost {
        Cost::Rho(rho) => json!({ "rho": rho.to_f64() }),
        Cost::RhoTau(rho, tau) => json!({ "rho": rho.to_f64(), "tau": tau.to_f64() }),
        Cost::EpsilonDelta(epsilon, delta) => json!({ "epsilon": epsilon.to_f64(), "delta": delta.to_f64() }),
    }
}
