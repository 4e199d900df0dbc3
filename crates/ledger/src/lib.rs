//! The budget ledger: what all releases of a data set may cost together, kept in a file across
//! runs, processes and crashes.
//!
//! A data set is opened once, with its [`Terms`]: a total (epsilon, delta), the [`PrivacyFilter`]
//! that says how costs add up, and whose rows are protected. Every release reserves its whole cost
//! here before its first look at the rows. What would pass the total is refused, and what was
//! reserved is never given back: not when the run fails, and not when it is killed.
//!
//! ```
//! use lookalike_ledger::{LedgerFile, PrivacyFilter, ReservationRequest, RowDigests, Terms};
//! use lookalike_privacy::{Budget, Neighbours, Relation};
//!
//! # let folder = tempfile::tempdir()?;
//! let mut ledger = LedgerFile::open_or_create(&folder.path().join("people.db"))?;
//! let neighbours = Neighbours::new(Relation::AddRemove, 1)?;
//! let terms = Terms::new(Budget::new(2.0, 1e-6)?, PrivacyFilter::EpsilonDelta, neighbours, None)?;
//! ledger.open_data_set("people", &terms)?;
//! let budget = Budget::new(1.5, 1e-9)?;
//! let (method, folder) = ("auto", "out");
//! let (dataset, unit) = ("people", None);
//! let discovers = false;
//! let run = ReservationRequest { dataset, budget, neighbours, unit, discovers, method, folder };
//! let rows = RowDigests { records: [7; 32], older: None };
//! let reservation = ledger.reserve(&run, &rows)?;
//! ledger.end(&reservation, true)?;
//! // Another run of the same size would pass the total.
//! assert!(ledger.reserve(&run, &rows).is_err());
//! assert!(ledger.close_data_set("people")?.closed().is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Privacy
//! The neighbours are the terms': relation, unit and contribution. A run under others is refused.
//! - [`PrivacyFilter::Rho`]: all releases together are R-zCDP, where R is the largest rho that is
//!   (epsilon, delta) at the total. Each run keeps to a rho that follows from its own (epsilon,
//!   delta) before its first look: see "Runs that are counted in rho" in
//!   [`lookalike_privacy::ledger`]. Sums of rho hold for sequences in which each budget depends on
//!   all earlier answers, as long as the sum may not pass a total that was fixed first: a privacy
//!   filter (Feldman, Zrnic 2021; Whitehouse, Ramdas, Rogers, Wu 2023). So the data set as a whole
//!   is (epsilon, delta)-private.
//! - [`PrivacyFilter::RhoTau`]: the same with two totals fixed at opening, tau and the rho of
//!   (epsilon, delta - tau). A run that discovers values is tau-approximate rho-zCDP
//!   ([`lookalike_privacy::threshold`]), and both sums are filters; others have no tau.
//! - [`PrivacyFilter::EpsilonDelta`]: epsilons and deltas add up (basic composition), which is a
//!   filter as well (Rogers, Roth, Ullman, Vadhan 2016). A run may then use exact composition
//!   inside.
//!
//! Amounts are decimals, summed up exactly ([`Amount`]): what is added up are the numbers that
//! releases print.
//!
//! # Whose budget
//! The budget belongs to the name: whatever rows come under a name draw on it. A keyed digest of
//! the rows besides tells when rows are known under another name: the run is then charged there
//! too, and must fit there. So a new name gives no new budget for old rows, and each name's total
//! covers all that was made under it and of its rows. A copy with another schema, with other
//! values, or with one row more has another digest and is not recognized. How a run is accounted
//! shows in its release, so it follows from the name that was asked for, never from whether the
//! rows are known: that only refuses.
//!
//! # The files
//! `L.db` is an SQLite database (WAL, every commit synced to the disk) with one table of entries;
//! `L.key` holds 32 random bytes. Both are secret (mode 0600), and useless apart. Each entry
//! carries an HMAC over itself and its predecessor, so a damaged, changed or removed entry is
//! noticed. Only a file that was put back from an earlier copy is not: nothing in the file can
//! tell. State is what the entries say, in their order; they are read under the lock that the next
//! one is written under, so of two runs that fit only one by one, one is refused.

#![forbid(unsafe_code)]

mod amount;
mod book;
mod chain;
mod entry;
mod error;
mod file;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod key;
mod request;
mod terms;

#[cfg(test)]
mod tests;

pub use amount::Amount;
pub use book::{DataSet, RunState, Withdrawal};
pub use error::LedgerError;
pub use file::{LedgerFile, Reservation, RowDigests};
pub use request::ReservationRequest;
pub use terms::{Cost, PrivacyFilter, Terms};
