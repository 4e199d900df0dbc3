//! The entries: one JSON object each. These structs are the file format; other types are never
//! serialized themselves.

use lookalike_privacy::{Budget, Neighbours, Relation};
use serde::{Deserialize, Serialize};

use crate::{Cost, PrivacyFilter, Terms};

/// The version that is written, and the newest that is read. Since version 2 rows are known by the
/// digest of their records; a program of version 1 would not recognize them, so it must not draw on
/// such a ledger.
pub(crate) const VERSION: i64 = 2;

/// What stands before the digest of records. Before version 2 there was none, and the digest was of
/// coded rows.
const RECORDS: &str = "records:";

/// What an entry says of the digest of records.
pub(crate) fn of_records(digest: &str) -> String {
    format!("{RECORDS}{digest}")
}

/// Whether an entry's digest is of the older kind.
pub(crate) fn is_older(digest: &str) -> bool {
    !digest.starts_with(RECORDS)
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum LedgerEntry {
    /// The first entry of every ledger.
    Ledger { version: i64 },
    /// A data set with its terms.
    Open(OpenEntry),
    /// The whole cost of a run, before its first look.
    Reserve(ReserveEntry),
    /// What became of a run. It changes no sum.
    End {
        at: String,
        run: String,
        /// Whether a release was made.
        released: bool,
    },
    /// Nothing more may be drawn.
    Close { at: String, name: String },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpenEntry {
    pub at: String,
    pub name: String,
    pub epsilon: f64,
    pub delta: f64,
    pub filter: String,
    pub relation: String,
    pub contribution: u32,
    pub unit: Option<String>,
    /// The total in the filter's currency, as exact decimals.
    pub total: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReserveEntry {
    pub at: String,
    /// A random name.
    pub run: String,
    /// The name that the run was asked under.
    pub asked: String,
    /// The keyed digest of its rows: `records:` and hexadecimal digits; of the older kind the
    /// digits alone.
    pub digest: String,
    pub method: String,
    /// The folder that it was to make.
    pub folder: String,
    pub epsilon: f64,
    pub delta: f64,
    /// Every data set that pays, the one asked for first.
    pub charges: Vec<EntryCharge>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EntryCharge {
    pub name: String,
    pub cost: Vec<String>,
}

impl OpenEntry {
    pub(crate) fn new(at: String, name: &str, terms: &Terms, total: Cost) -> Self {
        Self {
            at,
            name: name.to_owned(),
            epsilon: terms.budget().epsilon.get(),
            delta: terms.budget().delta.get(),
            filter: terms.filter().name().to_owned(),
            relation: terms.neighbours().relation().name().to_owned(),
            contribution: terms.neighbours().contribution(),
            unit: terms.unit().map(str::to_owned),
            total: total.to_texts(),
        }
    }

    /// The terms and the total; `None` where they cannot be read.
    pub(crate) fn terms(&self) -> Option<(Terms, Cost)> {
        let neighbours = Neighbours::new(Relation::from_name(&self.relation)?, self.contribution).ok()?;
        let terms = Terms::new(
            Budget::new(self.epsilon, self.delta).ok()?,
            PrivacyFilter::named(&self.filter)?,
            neighbours,
            self.unit.clone(),
        );
        Some((terms.ok()?, Cost::from_texts(&self.total)?))
    }
}
