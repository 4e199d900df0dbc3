//! Which kept tables have which columns.

use std::collections::BTreeMap;

use lookalike_schema::{AttrId, Clique, View};

use super::refine::base;

/// Places of tables, and for each of the schema's own columns a bit for each place whose table has
/// it or is made from it.
///
/// Tens of thousands of tables may be kept, and as many asked for. Comparing each with each took
/// nine tenths of the time of choosing a network among 23 columns; a few words a column settle it.
#[derive(Default)]
pub(super) struct ColumnIndex {
    /// The clique at each place; `None` where a table was let go.
    places: Vec<Option<Clique>>,
    free: Vec<usize>,
    held: Vec<u64>,
    by_column: BTreeMap<AttrId, Vec<u64>>,
}

impl ColumnIndex {
    /// Takes in a table, and says where.
    pub fn add(&mut self, clique: &Clique, view: &View) -> usize {
        let place = self.free.pop().unwrap_or(self.places.len());
        if place == self.places.len() {
            self.places.push(None);
        }
        self.places[place] = Some(clique.clone());
        set(&mut self.held, place);
        for &attribute in clique.attributes() {
            set(self.by_column.entry(base(attribute, view).0).or_default(), place);
        }
        place
    }

    /// Lets the table at a place go.
    pub fn remove(&mut self, place: usize) {
        self.places[place] = None;
        self.free.push(place);
        for bits in self.by_column.values_mut().chain([&mut self.held]) {
            if let Some(word) = bits.get_mut(place / 64) {
                *word &= !(1 << (place % 64));
            }
        }
    }

    /// The tables that have a form of every column of the clique, in no order that matters.
    pub fn with_columns_of<'a>(&'a self, clique: &Clique, view: &View) -> impl Iterator<Item = &'a Clique> {
        let mut found = self.held.clone();
        for &attribute in clique.attributes() {
            let bits = self.by_column.get(&base(attribute, view).0).map_or(&[][..], Vec::as_slice);
            found.truncate(bits.len());
            found.iter_mut().zip(bits).for_each(|(word, bits)| *word &= bits);
        }
        let ones = |(word, bits): (usize, u64)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| 64 * word + bit)
        };
        let places = found.into_iter().enumerate().filter(|(_, bits)| *bits != 0).flat_map(ones);
        places.filter_map(|place| self.places[place].as_ref())
    }
}

fn set(bits: &mut Vec<u64>, place: usize) {
    if bits.len() <= place / 64 {
        bits.resize(place / 64 + 1, 0);
    }
    bits[place / 64] |= 1 << (place % 64);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lookalike_schema::{Derived, Grouping, Schema};

    use super::*;

    fn clique(attributes: &[u32]) -> Clique {
        Clique::new(attributes.iter().map(|&attribute| AttrId(attribute)))
    }

    /// As many tables as take several words, half of them let go and others put in their places:
    /// what is found is what a walk over all of them finds.
    #[test]
    fn tables_are_found_by_their_columns() {
        let columns: String = (0..9).map(|k| format!("[columns.c{k}]\ntype = 'integer'\nrange = [0, 2]\n")).collect();
        let mut view = View::new(&Schema::parse(&columns, "test").unwrap());
        let grouping = Arc::new(Grouping::new(vec![0, 0, 1]).unwrap());
        view.derive(&[Derived { base: AttrId(4), grouping, name: "d".into() }]).unwrap();
        let all: Vec<Clique> = (0..10u32)
            .flat_map(|a| (0..10).flat_map(move |b| (0..10).map(move |c| clique(&[a, b, c]))))
            .filter(|set| !(set.contains(AttrId(4)) && set.contains(AttrId(9))))
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .collect();
        let (first, later) = all.split_at(all.len() / 2);
        assert!(first.len() > 64);
        let mut index = ColumnIndex::default();
        let places: Vec<usize> = first.iter().map(|set| index.add(set, &view)).collect();
        for place in places.iter().step_by(2) {
            index.remove(*place);
        }
        later.iter().for_each(|set| _ = index.add(set, &view));
        let kept: Vec<&Clique> = first.iter().skip(1).step_by(2).chain(later).collect();
        let own = |attribute: AttrId| if attribute == AttrId(9) { AttrId(4) } else { attribute };
        let has = |kept: &Clique, asked: AttrId| kept.attributes().iter().any(|&it| own(it) == own(asked));
        for asked in all.iter().chain([&clique(&[])]) {
            let mut found: Vec<&Clique> = index.with_columns_of(asked, &view).collect();
            found.sort();
            let mut wanted = kept.clone();
            wanted.retain(|kept| asked.attributes().iter().all(|&column| has(kept, column)));
            wanted.sort();
            assert_eq!(found, wanted, "{asked:?}");
        }
    }
}
