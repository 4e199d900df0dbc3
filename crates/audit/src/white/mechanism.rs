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
pub enum Form {
    /// So many one-way marginals in one batch.
    Marginals(u32, NoiseKind),
    /// The row count.
    RowCount(NoiseKind),
    /// A selection by a score.
    Selection(ScoreKind),
    /// One score with noise.
    Score(ScoreKind, NoiseKind),
    /// Rows of a smoothed histogram.
    Histogram,
}

/// A mechanism under a relation, as the product would use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mechanism {
    /// What is asked.
    pub form: Form,
    /// Who counts as a neighbour.
    pub relation: Relation,
    /// Rows a person.
    pub contribution: u32,
}

impl Mechanism {
    const fn new(form: Form, relation: Relation, contribution: u32) -> Self {
        Self { form, relation, contribution }
    }

    /// The name without the relation: what `--mechanism` takes.
    pub fn name(self) -> String {
        match self.form {
            Form::Marginals(1, noise) => format!("marginal-{}", noise.word()),
            Form::Marginals(many, noise) => format!("{many}-marginals-{}", noise.word()),
            Form::RowCount(noise) => format!("row-count-{}", noise.word()),
            Form::Selection(kind) => format!("select-{}", kind.name()),
            Form::Score(kind, noise) => format!("score-{}-{}", kind.name(), noise.word()),
            Form::Histogram => "histogram-rows".into(),
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
            Form::Marginals(_, NoiseKind::Gaussian)
                | Form::RowCount(NoiseKind::Gaussian)
                | Form::Score(_, NoiseKind::Gaussian)
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
            list.push(Mechanism::new(Form::Marginals(1, noise), relation, contribution));
        }
        // The events that tell Laplace noise on many cells apart are rare, so that batch is a small
        // one.
        let batch = if noise == Gaussian { 4 } else { 2 };
        for relation in [AddRemove, ReplaceOne] {
            list.push(Mechanism::new(Form::Marginals(batch, noise), relation, 1));
        }
        for contribution in [1, 3] {
            list.push(Mechanism::new(Form::RowCount(noise), AddRemove, contribution));
        }
    }
    for kind in ScoreKind::ALL {
        let add_remove = !matches!(kind, ScoreKind::Information | ScoreKind::BinaryInformation);
        if add_remove {
            list.push(Mechanism::new(Form::Selection(kind), AddRemove, 1));
            list.push(Mechanism::new(Form::Selection(kind), AddRemove, 3));
        }
        list.push(Mechanism::new(Form::Selection(kind), ReplaceOne, 1));
        let relation = if add_remove { AddRemove } else { ReplaceOne };
        for noise in [Gaussian, Laplace] {
            list.push(Mechanism::new(Form::Score(kind, noise), relation, 1));
        }
    }
    list.push(Mechanism::new(Form::Histogram, ReplaceOne, 1));
    list
}
