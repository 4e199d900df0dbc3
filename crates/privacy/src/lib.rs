//! The promise and the arithmetic behind it: units, neighbours, exact noise, accountants, plans and
//! the ledger.
//!
//! Nothing in this crate knows about columns or rows. Nothing outside it decides what a query
//! costs.

pub mod accounting;
pub mod error;
pub mod histogram;
pub mod ledger;
pub mod neighbours;
pub mod noise;
pub mod plan;
pub mod rational;
pub mod score;
pub mod sensitivity;
pub mod step;
pub mod units;

pub use accounting::Composition;
pub use error::PrivacyError;
pub use histogram::SmoothedHistogram;
pub use ledger::{ChargedQuery, JournalStore, Ledger, LedgerStore, MemoryStore, Receipt, Stage};
pub use neighbours::{Neighbours, Relation};
#[cfg(any(test, feature = "test-noise"))]
pub use noise::testing::SeededNoise;
pub use noise::{DiscreteGaussian, DiscreteLaplace, NoiseBits, NoiseRng, exponential_mechanism};
pub use plan::{CalibratedPlan, MechanismKind, Plan, PlanItem, PlannedStep};
pub use rational::Rational;
pub use score::{NoisedScore, SCORE_GRID, ScoreKind};
pub use sensitivity::CountSensitivity;
pub use step::{Step, StepParts};
pub use units::{Budget, Delta, Epsilon, Rho};

/// Whether this build has the seeded noise of tests. The shipped program refuses to run with it.
pub const HAS_TEST_NOISE: bool = cfg!(any(test, feature = "test-noise"));
