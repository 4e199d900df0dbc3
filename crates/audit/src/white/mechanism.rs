//! The mechanisms of the door: every kind of answer that the curator gives.

use lookalike_privacy::{Neighbours, PrivacyError, Relation, ScoreKind};

/// Which noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoiseKind {
    /// Discrete Gaussian.
    Gaussian,
    /// Discrete Laplace.
    Laplace,
}

impl NoiseKind {
    fn word(self) -> &'static str {
        match self {
            NoiseKind::Gaussian => "gaussian",
            NoiseKind::Laplace => "laplace",
        }
    }
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MechanismForm {
    /// This many one-way marginals in one batch.
    Marginals(u32, NoiseKind),
    /// The row count.
    RowCount(NoiseKind),
    /// A selection by a score.
    Selection(ScoreKind),
    /// One score with noise.
    Score(ScoreKind, NoiseKind),
    /// Rows of a smoothed histogram.
    Histogram,
    /// Values that nobody listed, above a threshold.
    Values,
}

/// A mechanism under a relation, as the product would use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mechanism {
    /// What is asked.
    pub form: MechanismForm,
    /// Who counts as a neighbour.
    pub relation: Relation,
    /// Rows a person.
    pub contribution: u32,
}

impl Mechanism {
    const fn new(form: MechanismForm, relation: Relation, contribution: u32) -> Self {
        Self { form, relation, contribution }
    }

    /// The name without the relation: what `--mechanism` takes.
    pub fn name(self) -> String {
        match self.form {
            MechanismForm::Marginals(1, noise) => format!("marginal-{}", noise.word()),
            MechanismForm::Marginals(many, noise) => format!("{many}-marginals-{}", noise.word()),
            MechanismForm::RowCount(noise) => format!("row-count-{}", noise.word()),
            MechanismForm::Selection(kind) => format!("select-{}", kind.name()),
            MechanismForm::Score(kind, noise) => format!("score-{}-{}", kind.name(), noise.word()),
            MechanismForm::Histogram => "histogram-rows".into(),
            MechanismForm::Values => "values-threshold".into(),
        }
    }

    /// The relation in the words of the command line, with the contribution where it is above 1.
    pub fn neighbours_in_words(self) -> String {
        match (self.relation, self.contribution) {
            (Relation::AddRemove, 1) => "add-remove".into(),
            (Relation::AddRemove, c) => format!("add-remove, {c} rows a person"),
            (Relation::ReplaceOne, _) => "replace-one".into(),
        }
    }

    /// The relation as a type.
    pub fn neighbours(self) -> Result<Neighbours, PrivacyError> {
        Neighbours::new(self.relation, self.contribution)
    }

    /// Whether the noise is Gaussian, so that the guarantee has a delta.
    pub fn is_gaussian(self) -> bool {
        matches!(
            self.form,
            MechanismForm::Marginals(_, NoiseKind::Gaussian)
                | MechanismForm::RowCount(NoiseKind::Gaussian)
                | MechanismForm::Score(_, NoiseKind::Gaussian)
        )
    }
}

/// All mechanisms that are audited, under every relation that they are defined for.
pub fn mechanisms() -> Vec<Mechanism> {
    use NoiseKind::{Gaussian, Laplace};
    use Relation::{AddRemove, ReplaceOne};
    let mut list = Vec::new();
    for noise in [Gaussian, Laplace] {
        for (relation, contribution) in [(AddRemove, 1), (AddRemove, 3), (ReplaceOne, 1)] {
            list.push(Mechanism::new(MechanismForm::Marginals(1, noise), relation, contribution));
        }
        // The events that tell Laplace noise on many cells apart are rare, so that batch is a small
        // one.
        let batch = if noise == Gaussian { 4 } else { 2 };
        for relation in [AddRemove, ReplaceOne] {
            list.push(Mechanism::new(MechanismForm::Marginals(batch, noise), relation, 1));
        }
        for contribution in [1, 3] {
            list.push(Mechanism::new(MechanismForm::RowCount(noise), AddRemove, contribution));
        }
    }
    for kind in ScoreKind::ALL {
        let add_remove = !matches!(kind, ScoreKind::Information | ScoreKind::BinaryInformation);
        if add_remove {
            list.push(Mechanism::new(MechanismForm::Selection(kind), AddRemove, 1));
            list.push(Mechanism::new(MechanismForm::Selection(kind), AddRemove, 3));
        }
        list.push(Mechanism::new(MechanismForm::Selection(kind), ReplaceOne, 1));
        let relation = if add_remove { AddRemove } else { ReplaceOne };
        for noise in [Gaussian, Laplace] {
            list.push(Mechanism::new(MechanismForm::Score(kind, noise), relation, 1));
        }
    }
    list.push(Mechanism::new(MechanismForm::Histogram, ReplaceOne, 1));
    for (relation, contribution) in [(AddRemove, 1), (AddRemove, 3), (ReplaceOne, 1)] {
        list.push(Mechanism::new(MechanismForm::Values, relation, contribution));
    }
    list
}
