//! Formulas over comparisons.

use crate::AttrId;

/// A set of codes of one column, or of pieces of them: ascending, perhaps none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct CodeSet {
    pub attribute: AttrId,
    pub codes: Vec<u32>,
}

/// Comparisons joined by "and" and "or". "Not" has been moved into them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Formula {
    Constant(bool),
    /// The comparison of that number holds, or does not.
    Holds {
        comparison: usize,
        wanted: bool,
    },
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

impl Formula {
    pub(super) fn all(parts: Vec<Formula>) -> Self {
        Self::join(parts, true)
    }

    pub(super) fn any(parts: Vec<Formula>) -> Self {
        Self::join(parts, false)
    }

    /// Joins parts; `neutral` is the constant that changes nothing: true for "and", false for "or".
    fn join(parts: Vec<Formula>, neutral: bool) -> Self {
        let mut kept = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Self::Constant(value) if value == neutral => {}
                Self::Constant(value) => return Self::Constant(value),
                Self::All(inner) if neutral => kept.extend(inner),
                Self::Any(inner) if !neutral => kept.extend(inner),
                part => kept.push(part),
            }
        }
        // Formulas that say the same in another order should be found again.
        kept.sort_unstable();
        kept.dedup();
        match (kept.len(), neutral) {
            (0, _) => Self::Constant(neutral),
            (1, _) => kept.swap_remove(0),
            (_, true) => Self::All(kept),
            (_, false) => Self::Any(kept),
        }
    }

    pub(super) fn opposite(self) -> Self {
        let turned = |parts: Vec<Formula>| parts.into_iter().map(Self::opposite).collect();
        match self {
            Self::Constant(value) => Self::Constant(!value),
            Self::Holds { comparison, wanted } => Self::Holds { comparison, wanted: !wanted },
            Self::All(parts) => Self::any(turned(parts)),
            Self::Any(parts) => Self::all(turned(parts)),
        }
    }

    pub(super) fn each_comparison(&self, look: &mut impl FnMut(usize)) {
        match self {
            Self::Constant(_) => {}
            Self::Holds { comparison, .. } => look(*comparison),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.each_comparison(look)),
        }
    }

    /// The formula with some comparisons' truth put in.
    pub(super) fn given(&self, truth: &impl Fn(usize) -> Option<bool>) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(*value),
            Self::Holds { comparison, wanted } => match truth(*comparison) {
                Some(truth) => Self::Constant(truth == *wanted),
                None => self.clone(),
            },
            Self::All(parts) => Self::all(parts.iter().map(|part| part.given(truth)).collect()),
            Self::Any(parts) => Self::any(parts.iter().map(|part| part.given(truth)).collect()),
        }
    }
}
