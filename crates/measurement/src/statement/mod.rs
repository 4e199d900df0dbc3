//! The statement: `privacy.json`, which lets anyone recompute the total.
//!
//! Its figures come from a [`Ledger`] and from nowhere else. The file has structs of its own
//! (`v1.rs`); golden files of every version are read for ever, and a newer version is refused in
//! one line.

mod error;
mod recompute;
mod v1;
mod words;

#[cfg(test)]
mod tests;

use lookalike_privacy::{Budget, ChargedQuery, Composition, Ledger, Neighbours, Rational, Step, ledger};
use lookalike_schema::Schema;
use serde_json::{Map, Value};

pub use error::StatementError;
pub use recompute::Used;
pub use words::{NO_GUARANTEE, NOT_PRIVATE, delta_warning};

/// The statement of one release: what is promised, what was planned, what was charged, and what it
/// adds up to.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    guarantee: Guarantee,
    is_private: bool,
    sentence: String,
    neighbours: Neighbours,
    stages: Vec<StatedStage>,
    charges: Vec<Charge>,
    used: Used,
    facts: ReleaseFacts,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageComposition {
    /// A fixed plan.
    Plan(Composition),
    /// A filter: sums of rho (of epsilon at delta 0), refused before they pass the cap.
    Filter,
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

impl Statement {
    /// The statement of a closed account. `is_private` is the curator's word: whether real noise
    /// was used.
    ///
    /// There is a guarantee only when nothing in the schema waits for review and the noise was
    /// real. The use is recomputed here from the charges, and must agree with the ledger's own sum.
    pub fn from_ledger(
        ledger: &Ledger,
        schema: &Schema,
        is_private: bool,
        facts: ReleaseFacts,
    ) -> Result<Self, StatementError> {
        let neighbours = ledger.neighbours();
        let unreviewed = words::unreviewed_reason(&schema.unreviewed());
        let seeded = (!is_private).then(|| format!("{NOT_PRIVATE}: the noise came from a test stream"));
        let reasons: Vec<String> = unreviewed.into_iter().chain(seeded).collect();
        let (guarantee, sentence) = if reasons.is_empty() {
            (
                Guarantee::Holds(ledger.budget()),
                words::sentence(ledger.budget(), neighbours, person(&facts, neighbours).as_deref()),
            )
        } else {
            let sentence = words::no_guarantee_sentence(&reasons);
            (Guarantee::None { reasons }, sentence)
        };
        let stages = ledger.stages().iter().map(StatedStage::of).collect();
        let used =
            Used { epsilon: ledger.used()?, delta: ledger.stages().iter().map(|stage| stage.cap().delta.get()).sum() };
        let charges = charges(ledger)?;
        let statement = Self { guarantee, is_private, sentence, neighbours, stages, charges, used, facts };
        statement.recompute()?;
        Ok(statement)
    }

    /// What is promised.
    pub fn guarantee(&self) -> &Guarantee {
        &self.guarantee
    }

    /// The promise, or its absence, in plain words.
    pub fn sentence(&self) -> &str {
        &self.sentence
    }

    /// Whether real noise was used. False only in test builds.
    pub fn is_private(&self) -> bool {
        self.is_private
    }

    /// What must be printed wherever the release is named: "NO GUARANTEE", "NOT PRIVATE", or
    /// nothing.
    pub fn marks(&self) -> Vec<&'static str> {
        let no_guarantee = matches!(self.guarantee, Guarantee::None { .. });
        let marks = [(no_guarantee, NO_GUARANTEE), (!self.is_private, NOT_PRIVATE)];
        marks.into_iter().filter_map(|(applies, mark)| applies.then_some(mark)).collect()
    }

    /// The relation and the contribution of the run.
    pub fn neighbours(&self) -> Neighbours {
        self.neighbours
    }

    /// The unit that is protected when it is a person: "person (column "pid", at most 3 rows)".
    /// `None` for a record.
    pub fn unit_in_words(&self) -> Option<String> {
        person(&self.facts, self.neighbours)
    }

    /// What whoever reads the release can hardly tell: the end of a sentence that says they learn
    /// almost the same, and what is not hidden where that has to be said.
    pub fn hidden_in_words(&self) -> String {
        words::hidden(self.neighbours, self.unit_in_words().as_deref())
    }

    /// The stages, in order.
    pub fn stages(&self) -> &[StatedStage] {
        &self.stages
    }

    /// Every charged query, in order.
    pub fn charges(&self) -> &[Charge] {
        &self.charges
    }

    /// What the charges add up to: a check, never the guarantee.
    pub fn used(&self) -> Used {
        self.used
    }

    /// What else the statement says.
    pub fn facts(&self) -> &ReleaseFacts {
        &self.facts
    }

    /// The text of `privacy.json`.
    pub fn to_json(&self) -> String {
        v1::write(self)
    }

    /// Reads a statement of any known version. Hostile text gives an error, never a panic; whether
    /// the figures are true is [`recompute`](Self::recompute)'s question.
    pub fn parse(text: &str) -> Result<Self, StatementError> {
        v1::read(text)
    }
}

/// The person that the job protects, by the column that it names.
fn person(facts: &ReleaseFacts, neighbours: Neighbours) -> Option<String> {
    let column = facts.job.get("unit")?.as_str()?;
    Some(words::person(column, neighbours.contribution()))
}

/// Every charge with the number of its stage. What was charged before the first stage was free.
fn charges(ledger: &Ledger) -> Result<Vec<Charge>, StatementError> {
    let staged: usize = ledger.stages().iter().map(|stage| stage.charged().len()).sum();
    let before = ledger.charged().len().saturating_sub(staged);
    let numbers = ledger
        .stages()
        .iter()
        .enumerate()
        .flat_map(|(number, stage)| stage.charged().iter().map(move |_| Some(number)));
    let numbers = std::iter::repeat_n(None, before).chain(numbers);
    let charge = |(query, stage): (&ChargedQuery, Option<usize>)| {
        let step = if query.step.is_free() { public_step(ledger.neighbours()) } else { Some(query.step.clone()) };
        let step = step.ok_or_else(|| error::damaged("a free charge under a relation that has none"))?;
        Ok(Charge { label: query.label.clone(), step, stage })
    };
    ledger.charged().iter().zip(numbers).map(charge).collect()
}

/// How a public count stands in a statement: no sensitivity, and a scale that means nothing.
fn public_step(neighbours: Neighbours) -> Option<Step> {
    let scale = Rational::new(1, 1).ok()?;
    let step = Step::Laplace { scale, sensitivity: neighbours.row_count() };
    step.is_free().then_some(step)
}

impl StatedStage {
    fn of(stage: &ledger::Stage) -> Self {
        let steps = stage.planned().into_iter().flat_map(|plan| plan.steps());
        let planned = Planned::grouped(steps.map(|planned| (planned.label.as_str(), &planned.step)));
        let composition = match stage.is_filter() {
            true => StageComposition::Filter,
            false => StageComposition::Plan(stage.composition()),
        };
        Self { cap: stage.cap(), composition, planned }
    }
}

impl Planned {
    /// Equal steps in a row become one entry.
    fn grouped<'a>(steps: impl Iterator<Item = (&'a str, &'a Step)>) -> Vec<Self> {
        let mut list: Vec<Self> = Vec::new();
        for (label, step) in steps {
            match list.last_mut() {
                Some(last) if last.label == label && last.step == *step => last.copies += 1,
                _ => list.push(Self { label: label.into(), step: step.clone(), copies: 1 }),
            }
        }
        list
    }
}
