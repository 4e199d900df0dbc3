//! What a statement says.

use lookalike_privacy::{Budget, Composition, DiscoveryCost, Neighbours, Rational, Step};
use serde_json::{Map, Value};

/// The statement of one release: what is promised, what was planned, what was charged, and what it
/// adds up to.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    pub(super) guarantee: Guarantee,
    pub(super) is_private: bool,
    pub(super) sentence: String,
    pub(super) assumed_public: Vec<String>,
    pub(super) neighbours: Neighbours,
    pub(super) stages: Vec<StatedStage>,
    pub(super) charges: Vec<Charge>,
    pub(super) used: Used,
    pub(super) facts: ReleaseFacts,
}

/// What a release promises.
#[derive(Clone, Debug, PartialEq)]
pub enum Guarantee {
    /// This (epsilon, delta) covers everything in the release: the cap that was fixed before the
    /// first look.
    Holds(Budget),
    /// Nothing, for these reasons.
    None {
        /// One line each.
        reasons: Vec<String>,
    },
}

/// A stage of the account, as it was committed.
#[derive(Clone, Debug, PartialEq)]
pub struct StatedStage {
    /// The stage's guarantee.
    pub cap: Budget,
    /// How its charges are summed up.
    pub composition: StageComposition,
    /// What was planned, in order; empty for a filter.
    pub planned: Vec<Planned>,
}

/// How a stage's charges are summed up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StageComposition {
    /// A fixed plan.
    Plan(Composition),
    /// A filter: sums of rho (of epsilon at delta 0), refused before they pass the cap.
    Filter,
    /// Facts of the schema, bought before everything else: a filter over rho and tau, which counts
    /// with all other stages in one sum; at delta 0 over epsilon.
    Discovery(DiscoveryCost),
}

/// Planned queries that share a label and a step, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The plan's word for them.
    pub label: String,
    /// Mechanism, scale and sensitivity of each.
    pub step: Step,
    /// How many.
    pub copies: u64,
}

/// One charged query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    /// What was asked.
    pub label: String,
    /// Mechanism, scale and sensitivity.
    pub step: Step,
    /// The number of its stage, from 0; `None` for a free query outside all stages.
    pub stage: Option<usize>,
}

/// What the statement says besides privacy figures. Public facts of the release alone: no input
/// path, no row count, no hash of the input.
#[derive(Clone, Debug, PartialEq)]
pub struct ReleaseFacts {
    /// How many charged runs the journal beside the output knows of, or the ledger under the data
    /// set's name, whichever is more; this one included.
    pub charged_runs: u64,
    /// `(name, version)` of the software that made it.
    pub software: Vec<(String, String)>,
    /// The job as it was asked for, without input paths.
    pub job: Map<String, Value>,
    /// The release's own other files.
    pub files: Vec<ReleaseFile>,
}

/// A file of the release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseFile {
    /// Its name inside the release folder: no path.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its SHA-256, 64 lowercase hexadecimal digits.
    pub sha256: String,
}

/// What the charges add up to: a check (at most the cap), never the guarantee.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Used {
    /// The sum of the stages' epsilons, each at its cap's delta.
    pub epsilon: f64,
    /// The sum of the stages' deltas.
    pub delta: f64,
}

impl StatedStage {
    /// The composition that its charges are summed with.
    pub(super) fn composed(&self) -> Composition {
        match self.composition {
            StageComposition::Plan(composition) => composition,
            StageComposition::Filter | StageComposition::Discovery(_) if self.cap.is_pure() => Composition::Pure,
            StageComposition::Filter | StageComposition::Discovery(_) => Composition::Zcdp,
        }
    }
}

/// What one charge costs by itself.
pub(super) struct ChargeCost {
    /// "epsilon" where epsilons add, else "rho".
    pub unit: &'static str,
    pub amount: f64,
}

impl ChargeCost {
    pub fn of(charge: &Charge, stages: &[StatedStage]) -> Self {
        let pure =
            charge.stage.and_then(|stage| stages.get(stage)).is_none_or(|stage| stage.composed() == Composition::Pure);
        // In a pure stage there is no Gaussian step; were there one, its rho would show it.
        match charge.step.pure_epsilon().filter(|_| pure) {
            Some(epsilon) => Self { unit: "epsilon", amount: epsilon },
            None => Self { unit: "rho", amount: charge.step.rho() },
        }
    }
}

impl std::fmt::Display for ChargeCost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.unit, self.amount)
    }
}

/// Equal up to the rounding of a decimal.
pub(super) fn close(stated: f64, exact: f64) -> bool {
    (stated - exact).abs() <= 1e-9 * exact.abs()
}

/// How a public count stands in a statement: no sensitivity, and a scale that means nothing.
pub(super) fn public_step(neighbours: Neighbours) -> Option<Step> {
    let scale = Rational::new(1, 1).ok()?;
    let step = Step::Laplace { scale, sensitivity: neighbours.row_count() };
    step.is_free().then_some(step)
}
