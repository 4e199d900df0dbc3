//! Which columns are coarser forms of others.

use std::collections::HashMap;
use std::sync::Arc;

use lookalike_schema::{AttrId, Clique, Derived, View};

/// What the codes of a finer column become in a coarser one.
pub(super) type CodeMap = Arc<[u32]>;

/// For pairs of columns that were compared: the map, or `None` where the first does not tell the
/// second. Columns never change, so that what was found stands.
#[derive(Default)]
pub(super) struct Refinements(HashMap<(AttrId, AttrId), Option<CodeMap>>);

impl Refinements {
    /// Whether every column of `coarse` can be told from a column of `fine`.
    pub fn all(&mut self, fine: &Clique, coarse: &Clique, view: &View) -> bool {
        let mut attributes = coarse.attributes().iter();
        attributes.all(|&own| fine.attributes().iter().any(|&other| self.tells(other, own, view)))
    }

    /// For each column of `coarse`, the place in `fine` of one that tells it, and the map; the
    /// coarsest such, so that equal columns are preferred.
    pub fn maps(&mut self, fine: &Clique, coarse: &Clique, view: &View) -> Option<Vec<(usize, CodeMap)>> {
        let of = |own: AttrId| {
            let telling = fine.attributes().iter().enumerate();
            let telling = telling.filter_map(|(place, &other)| Some((place, self.map(other, own, view)?)));
            telling.min_by_key(|(_, map)| map.len())
        };
        coarse.attributes().iter().copied().map(of).collect()
    }

    fn tells(&mut self, fine: AttrId, coarse: AttrId, view: &View) -> bool {
        fine == coarse || base(fine, view).0 == base(coarse, view).0 && self.map(fine, coarse, view).is_some()
    }

    fn map(&mut self, fine: AttrId, coarse: AttrId, view: &View) -> Option<CodeMap> {
        self.0.entry((fine, coarse)).or_insert_with(|| map(fine, coarse, view)).clone()
    }
}

/// The schema's own column that a column is made from, and how.
pub(super) fn base(attribute: AttrId, view: &View) -> (AttrId, Option<&Derived>) {
    match attribute.index().checked_sub(view.own()) {
        None => (attribute, None),
        Some(place) => (view.derived()[place].base, Some(&view.derived()[place])),
    }
}

fn map(fine: AttrId, coarse: AttrId, view: &View) -> Option<CodeMap> {
    let size = view.domain().size(fine) as usize;
    if fine == coarse {
        return Some((0..size as u32).collect());
    }
    let ((one, by), (other, to)) = (base(fine, view), base(coarse, view));
    if one != other {
        return None;
    }
    // A column that was made from another never tells all of it, unless the two are the same.
    let to = to?.grouping.group_of();
    let Some(by) = by else { return Some(to.iter().copied().collect()) };
    let mut map: Vec<Option<u32>> = vec![None; size];
    for (&from, &to) in by.grouping.group_of().iter().zip(to.iter()) {
        if *map[from as usize].get_or_insert(to) != to {
            return None;
        }
    }
    map.into_iter().collect()
}
