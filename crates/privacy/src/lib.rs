//! The promise and the arithmetic behind it: units, neighbours, exact noise, accountants, plans and
//! the ledger.
//!
//! Nothing in this crate knows about columns or rows. Nothing outside it decides what a query
//! costs.
//!
//! ```
//! use lookalike_privacy::accounting;
//! use lookalike_privacy::{Budget, MechanismKind, Neighbours, Plan, PlanItem, Relation};
//!
//! let neighbours = Neighbours::new(Relation::AddRemove, 1)?;
//! let marginals = PlanItem {
//!     label: "one-way marginals".into(),
//!     kind: MechanismKind::Gaussian,
//!     sensitivity: neighbours.marginal(),
//!     share: 1.0,
//!     copies: 10,
//! };
//! let budget = Budget::new(1.0, 1e-9)?;
//! let plan = Plan { items: vec![marginals] }.calibrate(budget)?;
//! assert_eq!((plan.steps().len(), plan.cap()), (10, budget));
//! // The guarantee once more, from the noise that the steps will use.
//! let steps: Vec<_> = plan.steps().iter().map(|planned| planned.step.clone()).collect();
//! let epsilon = accounting::epsilon(&steps, budget.delta, plan.composition())?;
//! assert!((0.999..=1.0).contains(&epsilon));
//! # Ok::<(), lookalike_privacy::PrivacyError>(())
//! ```

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
pub mod threshold;
pub mod units;

pub use accounting::Composition;
pub use error::PrivacyError;
pub use histogram::SmoothedHistogram;
pub use ledger::{ChargedQuery, DiscoveryCost, JournalStore, Ledger, LedgerStore, MemoryStore, Receipt, Stage};
pub use neighbours::{Neighbours, Relation};
#[cfg(any(test, feature = "test-noise"))]
pub use noise::testing::SeededNoise;
pub use noise::{DiscreteGaussian, DiscreteLaplace, NoiseBits, NoiseRng, exponential_mechanism};
pub use plan::{CalibratedPlan, MechanismKind, Plan, PlanItem, PlannedStep};
pub use rational::Rational;
pub use score::{NoisedScore, SCORE_GRID, ScoreKind};
pub use sensitivity::CountSensitivity;
pub use step::{Step, StepParts};
pub use threshold::{threshold_for, with_tau};
pub use units::{Budget, Delta, Epsilon, Rho};

/// Whether this build has the seeded noise of tests. The shipped program refuses to run with it.
pub const HAS_TEST_NOISE: bool = cfg!(any(test, feature = "test-noise"));
