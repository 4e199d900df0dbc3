//! The only door. Pays, then looks, then adds noise; exact counts never leave this crate.
//!
//! [`Curator`] owns an engine that can count ([`Counts`]) and a ledger. The one order of every
//! answer is in `curator.rs`: check (public facts only), charge (durable), look (with a [`Permit`]
//! that only a charge can make), noise or exact selection. `paid.rs` ties looks to the charge,
//! `noisy.rs` turns counts into noisy integers, and `scores/` holds what may be computed on exact
//! counts on the way to a selection or a noisy score.

pub mod cancel;
pub mod check;
pub mod counts;
pub mod curator;
pub mod error;
mod noisy;
mod paid;
pub mod query;
#[cfg(any(test, feature = "test-noise"))]
pub mod recording;
pub mod scores;
mod unprintable;

#[cfg(test)]
mod tests;

pub use cancel::Cancel;
pub use check::{MAX_BATCH_CELLS, MAX_CELLS};
pub use counts::{CountTable, Counts, Permit};
pub use curator::{Curator, HistogramQuery, MAX_DRAWS, MAX_HISTOGRAM_CELLS, histogram_cells};
pub use error::CuratorError;
pub use query::{Candidate, CountQuery, Expected, MarginalQuery, Noise, Score, ScoreQuery, SelectQuery};
#[cfg(any(test, feature = "test-noise"))]
pub use recording::Recording;
