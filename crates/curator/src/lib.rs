//! The only door. Pays, then looks, then adds noise; exact counts never leave this crate.
//!
//! [`Curator`] owns an engine that can count ([`Counts`]) and a ledger. The one order of every
//! answer is in `curator.rs`: check (public facts only), charge (durable), look (with a [`Permit`]
//! that only a charge can make), noise or exact selection. `paid.rs` ties looks to the charge,
//! `kept/` holds exact tables for later looks,
//! `noisy.rs` turns counts into noisy integers, and `scores/` holds what may be computed on exact
//! counts on the way to a selection or a noisy score.
//!
//! ```
//! use lookalike_curator::{Cancel, CountTable, Counts, Curator, CuratorError, MarginalQuery};
//! use lookalike_curator::{Noise, Permit};
//! use lookalike_privacy::{Budget, Ledger, MemoryStore, Neighbours, NoiseRng, Rational, Relation};
//! use lookalike_schema::{Category, Clique, Derived, Schema};
//!
//! /// An engine with one column of two values.
//! struct Coins(u64, u64);
//!
//! impl Counts for Coins {
//!     fn count(
//!         &self,
//!         cliques: &[Clique],
//!         _: &[Derived],
//!         _: Permit,
//!         _: &Cancel,
//!     ) -> Result<Vec<CountTable>, CuratorError> {
//!         let table = |clique: &Clique| match clique.len() {
//!             0 => CountTable::Dense(vec![self.0 + self.1]),
//!             _ => CountTable::Dense(vec![self.0, self.1]),
//!         };
//!         Ok(cliques.iter().map(table).collect())
//!     }
//! }
//!
//! let schema = Schema::builder().column("coin", Category::of(["heads", "tails"])).build()?;
//! let coin = schema.attribute("coin").expect("a column of that name");
//! let neighbours = Neighbours::new(Relation::AddRemove, 1)?;
//! let ledger = Ledger::open(Box::new(MemoryStore::new()), Budget::new(1.0, 0.0)?, neighbours)?;
//! let (engine, noise) = (Box::new(Coins(700, 300)), Box::new(NoiseRng::from_os()?));
//! let mut curator = Curator::new(schema, engine, ledger, noise, Cancel::new());
//! curator.commit_filter()?;
//! let noise = Noise::Laplace(Rational::new(4, 3)?);
//! let clique = Clique::single(coin);
//! let answers = curator.marginals(&[MarginalQuery { clique: clique.clone(), noise }])?;
//! assert!((answers[0].values[0] - 700).abs() < 100);
//! // Three quarters of the budget are spent: whoever asks again is refused, before any look.
//! assert!(curator.marginals(&[MarginalQuery { clique, noise }]).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cancel;
pub mod cells;
pub mod check;
pub mod counts;
pub mod curator;
pub mod error;
mod kept;
mod narrowed;
mod noisy;
mod paid;
pub mod query;
#[cfg(any(test, feature = "test-noise"))]
pub mod recording;
pub mod scores;
mod station;
mod unprintable;

#[cfg(test)]
mod tests;

pub use cancel::Cancel;
pub use cells::{CellCurator, CellQuery, Cells, FoundValues, KnownValues, NoisyCells, RareQuery, ValuesQuery};
pub use check::{MAX_BATCH_CELLS, MAX_CELLS};
pub use counts::{CountTable, Counts, Permit};
pub use curator::{Curator, DOOR_MEMORY, HistogramQuery, MAX_DRAWS, MAX_HISTOGRAM_CELLS, histogram_cells};
pub use error::CuratorError;
pub use query::{Candidate, CountQuery, Expected, MarginalQuery, Noise, Score, ScoreQuery, SelectQuery};
#[cfg(any(test, feature = "test-noise"))]
pub use recording::Recording;
