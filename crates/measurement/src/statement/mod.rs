//! The statement: `privacy.json`, which lets anyone recompute the total.
//!
//! Its figures come from a [`Ledger`] and from nowhere else. The file has structs of its own
//! (`v1.rs`); golden files of every version are read for ever, and a newer version is refused in
//! one line.

mod content;
mod error;
mod recompute;
mod v1;
mod words;

#[cfg(test)]
mod tests;

use lookalike_privacy::{ChargedQuery, Ledger, Neighbours, Step, ledger};
use lookalike_schema::Schema;

pub use content::{
    Charge, Guarantee, Planned, ReleaseFacts, ReleaseFile, StageComposition, StatedStage, Statement, Used,
};
pub use error::StatementError;
pub use words::{NO_GUARANTEE, NOT_PRIVATE, delta_warning};

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
        let assumed_public = schema.assumed_public();
        let (guarantee, sentence) = if reasons.is_empty() {
            let sentence = words::sentence(ledger.budget(), neighbours, person(&facts, neighbours).as_deref());
            (Guarantee::Holds(ledger.budget()), sentence + &words::assumption(assumed_public.len()))
        } else {
            let sentence = words::no_guarantee_sentence(&reasons);
            (Guarantee::None { reasons }, sentence)
        };
        let stages = ledger.stages().iter().map(StatedStage::of).collect();
        let used =
            Used { epsilon: ledger.used()?, delta: ledger.stages().iter().map(|stage| stage.cap().delta.get()).sum() };
        let charges = charges(ledger)?;
        let mut statement =
            Self { guarantee, is_private, sentence, assumed_public, neighbours, stages, charges, used, facts };
        if statement.discovery_in_rho().is_some() {
            statement.used.delta = ledger.budget().delta.get();
        }
        statement.recompute()?;
        Ok(statement)
    }

    /// The same statement with facts that are known later: its files and their form, and runs that
    /// a journal knows of. What is promised and what was charged stay as they are.
    pub fn with_facts(mut self, change: impl FnOnce(&mut ReleaseFacts)) -> Self {
        change(&mut self.facts);
        self
    }

    /// What is promised.
    pub fn guarantee(&self) -> &Guarantee {
        &self.guarantee
    }

    /// The promise, or its absence, in plain words.
    pub fn sentence(&self) -> &str {
        &self.sentence
    }

    /// Facts of the schema that were read from the rows and accepted in bulk, as "age: type": the
    /// guarantee assumes that they are public.
    pub fn assumed_public(&self) -> &[String] {
        &self.assumed_public
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
        let step =
            if query.step.is_free() { content::public_step(ledger.neighbours()) } else { Some(query.step.clone()) };
        let step = step.ok_or_else(|| error::damaged("a free charge under a relation that has none"))?;
        Ok(Charge { label: query.label.clone(), step, stage })
    };
    ledger.charged().iter().zip(numbers).map(charge).collect()
}

impl StatedStage {
    fn of(stage: &ledger::Stage) -> Self {
        let steps = stage.planned().into_iter().flat_map(|plan| plan.steps());
        let planned = Planned::grouped(steps.map(|planned| (planned.label.as_str(), &planned.step)));
        let composition = match stage.discovery_total() {
            Some(total) => StageComposition::Discovery(total),
            None if stage.is_filter() => StageComposition::Filter,
            None => StageComposition::Plan(stage.composition()),
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
