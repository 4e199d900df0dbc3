//! Codes put together into fewer: a coarser level of a column, one of its bits, a list of merged
//! values.

use std::sync::Arc;

use crate::error::refuse_if;
use crate::{AttrId, SchemaError};

/// Which group each code of a column belongs to. Groups are numbered from 0 and none is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouping {
    group_of: Vec<u32>,
    groups: u32,
}

impl Grouping {
    /// The group of each code, in code order. Refuses an empty list, and a group number that is
    /// skipped.
    pub fn new(group_of: Vec<u32>) -> Result<Self, SchemaError> {
        let groups = group_of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut seen = vec![false; groups.min(group_of.len())];
        for &group in &group_of {
            if let Some(seen) = seen.get_mut(group as usize) {
                *seen = true;
            }
        }
        let empty = groups == 0 || groups > group_of.len() || seen.contains(&false);
        refuse_if(empty, "a grouping of codes has an empty group", "number the groups from 0")?;
        Ok(Self { group_of, groups: groups as u32 })
    }

    /// Groups that are known to be numbered from 0, none of them empty.
    pub(crate) fn known(group_of: Vec<u32>, groups: u32) -> Self {
        Self { group_of, groups }
    }

    /// This grouping and then one of its groups. Refuses a second step that groups another number
    /// of codes than this one has groups.
    pub fn then(&self, next: &Self) -> Result<Self, SchemaError> {
        let what = format!("a grouping of {} codes cannot follow one with {} groups", next.codes(), self.groups);
        let misfit = next.codes() != self.groups as usize;
        refuse_if(misfit, what, "give each group of the first its group in the second")?;
        let group_of = self.group_of.iter().map(|&group| next.group(group)).collect();
        Ok(Self { group_of, groups: next.groups })
    }

    /// The number of codes that are grouped.
    pub fn codes(&self) -> usize {
        self.group_of.len()
    }

    /// The number of groups.
    pub fn groups(&self) -> u32 {
        self.groups
    }

    /// The group of a code.
    pub fn group(&self, code: u32) -> u32 {
        self.group_of[code as usize]
    }

    /// The group of each code, in code order.
    pub fn group_of(&self) -> &[u32] {
        &self.group_of
    }
}

/// A column made from another one, record by record: the group instead of the code.
///
/// A table with derived columns has as many records as before, and each depends on its own record
/// alone, so neighbours stay neighbours and every sensitivity stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The column it is made from: one of the schema's own, or one that was derived before.
    pub base: AttrId,
    /// What becomes of its codes. Public knowledge, or made from answers that were paid for.
    pub grouping: Arc<Grouping>,
    /// What the ledger calls it: "age by tens".
    pub name: String,
}

#[cfg(test)]
mod tests {
    use super::Grouping;

    #[test]
    fn groups_are_numbered_without_gaps() {
        let grouping = Grouping::new(vec![1, 0, 1]).unwrap();
        assert_eq!((grouping.codes(), grouping.groups(), grouping.group(2)), (3, 2, 1));
        assert!(Grouping::new(vec![]).is_err());
        assert!(Grouping::new(vec![0, 2, 2]).is_err());
        assert!(Grouping::new(vec![u32::MAX]).is_err());
    }
}
