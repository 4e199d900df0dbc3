//! Who counts as a neighbour.

use crate::PrivacyError;

/// Which tables are neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// One table has one record more. The row count is private.
    AddRemove,
    /// One record has other values. The row count is public.
    ReplaceOne,
}

impl Relation {
    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::AddRemove => "add-remove",
            Self::ReplaceOne => "replace-one",
        }
    }

    /// The relation of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::AddRemove, Self::ReplaceOne].into_iter().find(|relation| relation.name() == name)
    }
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
}
