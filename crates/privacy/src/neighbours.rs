//! Who counts as a neighbour, and what one neighbour step can do to counts.

use crate::PrivacyError;

/// Which tables are neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// One table has one record more. The row count is private.
    AddRemove,
    /// One record has other values. The row count is public.
    ReplaceOne,
}

/// The relation of a run, with the number of rows one person may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbours {
    relation: Relation,
    contribution: u32,
}

impl Neighbours {
    /// Contribution above 1 is defined for add/remove only.
    pub fn new(relation: Relation, contribution: u32) -> Result<Self, PrivacyError> {
        if contribution == 0 {
            return Err(PrivacyError::Unit { unit: "contribution", rule: "1 or more", given: 0.0 });
        }
        if relation == Relation::ReplaceOne && contribution > 1 {
            return Err(PrivacyError::Plan {
                what: "replace-one is defined for one row a person; use add-remove with a contribution".into(),
            });
        }
        Ok(Self { relation, contribution })
    }

    /// The relation.
    pub fn relation(self) -> Relation {
        self.relation
    }

    /// The most rows one person may have.
    pub fn contribution(self) -> u32 {
        self.contribution
    }

    /// The worst change of the counts of one marginal.
    pub fn marginal(self) -> CountSensitivity {
        match self.relation {
            Relation::AddRemove => CountSensitivity { shifts: vec![self.contribution] },
            Relation::ReplaceOne => CountSensitivity { shifts: vec![1, 1] },
        }
    }

    /// The worst change of the row count.
    pub fn row_count(self) -> CountSensitivity {
        match self.relation {
            Relation::AddRemove => CountSensitivity { shifts: vec![self.contribution] },
            Relation::ReplaceOne => CountSensitivity { shifts: vec![] },
        }
    }

    /// The sensitivity with these shifts, if it is one of this relation's: for readers of journals and statements.
    pub fn with_shifts(self, shifts: &[u32]) -> Option<CountSensitivity> {
        [self.marginal(), self.row_count()].into_iter().find(|known| known.shifts == shifts)
    }
}

/// The worst pair of neighbouring count vectors: they differ in these many coordinates, by these amounts.
///
/// It is made by [`Neighbours`] only, so that a sensitivity always comes from the relation and the contribution.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CountSensitivity {
    pub(crate) shifts: Vec<u32>,
}

impl CountSensitivity {
    /// The amounts by which single cells differ.
    pub fn shifts(&self) -> &[u32] {
        &self.shifts
    }

    /// The L1 sensitivity.
    pub fn l1(&self) -> u64 {
        self.shifts.iter().map(|&shift| u64::from(shift)).sum()
    }

    /// The square of the L2 sensitivity.
    pub fn l2_squared(&self) -> u64 {
        self.shifts.iter().map(|&shift| u64::from(shift) * u64::from(shift)).sum()
    }
}
