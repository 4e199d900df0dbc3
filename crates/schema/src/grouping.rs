//! Codes put together into fewer: a coarser level of a column, one of its bits, a list of merged
//! values.

use std::borrow::Cow;
use std::sync::Arc;

use crate::error::refuse_if;
use crate::{AttrId, SchemaError};

/// Longer lists of groups are kept as runs where that is shorter.
const MOST_LISTED: usize = 1024;

/// Which group each code of a column belongs to. Groups are numbered from 0 and none is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouping {
    groups: u32,
    form: Form,
}

/// A column may have hundreds of thousands of codes in a few dozen groups, and a run dozens of such
/// groupings. Equal groupings have the same form.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    /// The group of each code.
    Listed(Vec<u32>),
    /// Each run's group, and the code behind its last one.
    Runs(Vec<(u32, u32)>),
}

impl Form {
    fn of(group_of: Vec<u32>) -> Self {
        if group_of.len() <= MOST_LISTED {
            return Self::Listed(group_of);
        }
        let runs = group_of.chunk_by(|one, next| one == next).scan(0, |end, run| {
            *end += run.len() as u32;
            Some((run[0], *end))
        });
        let runs: Vec<(u32, u32)> = runs.collect();
        if is_short(runs.len(), group_of.len()) { Self::Runs(runs) } else { Self::Listed(group_of) }
    }
}

fn is_short(runs: usize, codes: usize) -> bool {
    codes > MOST_LISTED && runs <= codes / 4
}

impl Grouping {
    /// The group of each code, in code order. Refuses an empty list, and a group number that is
    /// skipped.
    pub fn new(group_of: Vec<u32>) -> Result<Self, SchemaError> {
        let groups = count(group_of.iter().copied(), group_of.len())?;
        Ok(Self { groups, form: Form::of(group_of) })
    }

    /// Each run's group and how many codes it has: what [`runs`](Self::runs) gives. Takes no more
    /// memory than the list of runs, however many codes they have. Refuses what that never gives,
    /// and groups as [`new`](Self::new) does.
    pub fn from_runs(runs: &[(u32, u32)]) -> Result<Self, SchemaError> {
        let codes: u64 = runs.iter().map(|run| u64::from(run.1)).sum();
        let apart = runs.windows(2).all(|pair| pair[0].0 != pair[1].0) && runs.iter().all(|run| run.1 > 0);
        let sound = apart && codes <= u64::from(u32::MAX) && is_short(runs.len(), codes as usize);
        refuse_if(!sound, "a grouping of codes has runs that are none", "list the group of each code")?;
        let ends = runs.iter().scan(0, |end, &(group, len)| {
            *end += len;
            Some((group, *end))
        });
        let ends = ends.collect();
        let groups = count(runs.iter().map(|run| run.0), runs.len())?;
        Ok(Self { groups, form: Form::Runs(ends) })
    }

    /// Groups that are known to be numbered from 0, none of them empty.
    pub(crate) fn known(group_of: Vec<u32>, groups: u32) -> Self {
        Self { groups, form: Form::of(group_of) }
    }

    /// This grouping and then one of its groups. Refuses a second step that groups another number
    /// of codes than this one has groups.
    pub fn then(&self, next: &Self) -> Result<Self, SchemaError> {
        let what = format!("a grouping of {} codes cannot follow one with {} groups", next.codes(), self.groups);
        let misfit = next.codes() != self.groups as usize;
        refuse_if(misfit, what, "give each group of the first its group in the second")?;
        let group_of = self.group_of().iter().map(|&group| next.group(group)).collect();
        Ok(Self::known(group_of, next.groups))
    }

    /// The number of codes that are grouped.
    pub fn codes(&self) -> usize {
        match &self.form {
            Form::Listed(group_of) => group_of.len(),
            Form::Runs(runs) => runs.last().map_or(0, |run| run.1 as usize),
        }
    }

    /// The number of groups.
    pub fn groups(&self) -> u32 {
        self.groups
    }

    /// The group of a code.
    pub fn group(&self, code: u32) -> u32 {
        match &self.form {
            Form::Listed(group_of) => group_of[code as usize],
            Form::Runs(runs) => runs[runs.partition_point(|run| run.1 <= code)].0,
        }
    }

    /// The group of each code, in code order. Made anew where the grouping is long: ask once.
    pub fn group_of(&self) -> Cow<'_, [u32]> {
        match &self.form {
            Form::Listed(group_of) => Cow::Borrowed(group_of),
            Form::Runs(_) => {
                let mut group_of = Vec::with_capacity(self.codes());
                self.runs().for_each(|(group, len)| group_of.extend(std::iter::repeat_n(group, len as usize)));
                Cow::Owned(group_of)
            }
        }
    }

    /// Whether the grouping is kept as runs: it has many codes in few of them.
    pub fn is_long(&self) -> bool {
        matches!(self.form, Form::Runs(_))
    }

    /// Neighbouring codes of one group: the group of each run, and how many codes it has.
    pub fn runs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let (listed, runs) = match &self.form {
            Form::Listed(group_of) => (group_of.as_slice(), [].as_slice()),
            Form::Runs(runs) => ([].as_slice(), runs.as_slice()),
        };
        let listed = listed.chunk_by(|one, next| one == next).map(|run| (run[0], run.len() as u32));
        let runs = runs.iter().scan(0, |start, &(group, end)| Some((group, end - std::mem::replace(start, end))));
        listed.chain(runs)
    }
}

/// The number of groups, of which at most `most` can be there.
fn count(listed: impl Iterator<Item = u32> + Clone, most: usize) -> Result<u32, SchemaError> {
    let groups = listed.clone().max().map_or(0, |last| last as usize + 1);
    let mut seen = vec![false; groups.min(most)];
    for group in listed {
        if let Some(seen) = seen.get_mut(group as usize) {
            *seen = true;
        }
    }
    let empty = groups == 0 || groups > most || seen.contains(&false);
    refuse_if(empty, "a grouping of codes has an empty group", "number the groups from 0")?;
    Ok(groups as u32)
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

    #[test]
    fn long_groupings_are_runs_of_the_same_groups() {
        let group_of: Vec<u32> = (0..5_000).map(|code| if code < 4_000 { code / 100 } else { 7 }).collect();
        let grouping = Grouping::new(group_of.clone()).unwrap();
        assert!(grouping.is_long());
        assert_eq!((grouping.codes(), grouping.groups(), grouping.runs().count()), (5_000, 40, 41));
        assert_eq!(*grouping.group_of(), group_of);
        assert!((0..5_000).all(|code| grouping.group(code) == group_of[code as usize]));
        assert_eq!(Grouping::from_runs(&grouping.runs().collect::<Vec<_>>()).unwrap(), grouping);
        let halves = Grouping::new((0..40).map(|group| group / 20).collect()).unwrap();
        assert_eq!(grouping.then(&halves).unwrap().group_of()[3_999], 1);
        assert_eq!(halves.runs().collect::<Vec<_>>(), [(0, 20), (1, 20)]);
    }

    #[test]
    fn runs_that_no_grouping_has_are_refused() {
        let refused = |runs: &[(u32, u32)]| Grouping::from_runs(runs).is_err();
        assert!(!refused(&[(0, 2_000), (1, 2_000)]));
        assert!(refused(&[]) && refused(&[(0, 5)]), "short ones are listed");
        assert!(refused(&[(0, 2_000), (2, 2_000)]), "a group is skipped");
        assert!(refused(&[(0, 2_000), (1, 0)]) && refused(&[(0, 2_000), (0, 5)]));
        assert!(refused(&[(0, u32::MAX), (1, 1)]), "more codes than can be");
    }
}
