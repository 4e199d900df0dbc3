//! What a round may choose from: drawn from a fixed stream of numbers, before any look.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_model::SampleRng;
use lookalike_schema::{AttrId, Clique};

use super::params::AutoParams;
use crate::MethodError;
use crate::graphical::{Columns, GrowingModel};

/// Attempts for each candidate that is wanted: most fail when the tree is nearly full.
const ATTEMPTS: usize = 20;
/// Draws that find no attribute before a set is taken as it is.
const MISSES: usize = 12;

/// The most cells of all sets that are listed whole.
const MOST_CELLS: f64 = 4e6;

/// The most cells of a table of all columns that is counted for the sake of its parts.
const MOST_WHOLE_CELLS: f64 = 131_072.0;

/// What limits a round's choice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The round's number, which picks among too many.
    pub round: u64,
    /// The most candidates.
    pub candidates: usize,
    /// The most columns of a table.
    pub width: usize,
    /// The most cells of a table of two columns.
    pub pair: f64,
    /// The most cells of a table of three columns.
    pub triple: f64,
    /// The most cells of a larger table.
    pub table: f64,
    /// The most cells of the tree.
    pub tree: u64,
}

/// Sets of two and more of the model's attributes, no two of them of one column, that are not
/// inside a measured set.
pub(super) fn candidates(
    model: &GrowingModel,
    measured: &[Clique],
    bounds: &Bounds,
) -> Result<Vec<Clique>, MethodError> {
    let rng = SampleRng::new(0, "auto candidates", bounds.round);
    let mut drawer = Drawer { columns: model.columns(), bounds, rng };
    let mut found = BTreeSet::new();
    for _ in 0..ATTEMPTS * bounds.candidates {
        if found.len() >= bounds.candidates {
            break;
        }
        let set = drawer.draw();
        let known = |set: &Clique| measured.iter().any(|measured| set.is_subset(measured));
        if set.len() < 2 || found.contains(&set) || known(&set) || !model.has_room_for(&set, bounds.tree)? {
            continue;
        }
        found.insert(set);
    }
    Ok(found.into_iter().collect())
}

/// Sets that were drawn before, as far as they are still candidates.
pub(super) fn still(
    model: &GrowingModel,
    measured: &[Clique],
    bounds: &Bounds,
    sets: Vec<Clique>,
) -> Result<Vec<Clique>, MethodError> {
    let mut found = Vec::with_capacity(sets.len());
    for set in sets {
        let known = measured.iter().any(|measured| set.is_subset(measured));
        let cells: f64 = set.attributes().iter().map(|&it| f64::from(model.columns().domain().size(it))).product();
        if !known && cells <= bounds.most(set.len()) && model.has_room_for(&set, bounds.tree)? {
            found.push(set);
        }
    }
    Ok(found)
}

/// All sets of two and more attributes, no two of them of one column, that are within the bounds of
/// cells; `None` if there are more than `most`, or if they have more than [`MOST_CELLS`] together.
pub(super) fn all(columns: &Columns, bounds: &Bounds, most: usize) -> Option<Vec<Clique>> {
    let sizes = columns.domain().sizes();
    let (mut found, mut together) = (Vec::new(), 0.0);
    // Sets in the order of their last attribute, longer ones from shorter ones.
    let mut open: Vec<(Vec<usize>, f64)> = vec![(Vec::new(), 1.0)];
    while let Some((set, cells)) = open.pop() {
        let first = set.last().map_or(0, |last| last + 1);
        for (next, &size) in sizes.iter().enumerate().skip(first) {
            let larger = cells * f64::from(size);
            let column = columns.column_of(next);
            let fits = larger <= bounds.pair.max(bounds.triple).max(bounds.table);
            if size < 2 || !fits || set.iter().any(|&held| columns.column_of(held) == column) {
                continue;
            }
            let longer: Vec<usize> = set.iter().copied().chain([next]).collect();
            if longer.len() > 1 && larger <= bounds.most(longer.len()) {
                found.push(Clique::new(longer.iter().map(|&attribute| AttrId(attribute as u32))));
                together += larger;
            }
            if longer.len() < bounds.width {
                open.push((longer, larger));
            }
            if found.len() > most || open.len() > most || together > MOST_CELLS {
                return None;
            }
        }
    }
    Some(found)
}

/// The table of all columns, where it has fewer cells than there are rows: every set can then be
/// summed out of it sooner than it is counted.
pub(super) fn whole(columns: &Columns, rows: f64) -> Option<Clique> {
    let sizes = columns.domain().sizes();
    let mut finest: BTreeMap<usize, usize> = BTreeMap::new();
    for attribute in 0..sizes.len() {
        let held = finest.entry(columns.column_of(attribute)).or_insert(attribute);
        if sizes[attribute] > sizes[*held] {
            *held = attribute;
        }
    }
    let cells: f64 = finest.values().map(|&attribute| f64::from(sizes[attribute])).product();
    let all = || Clique::new(finest.values().map(|&attribute| AttrId(attribute as u32)));
    (cells <= rows.min(MOST_WHOLE_CELLS)).then(all)
}

/// The sets that differ from this one by an attribute more, an attribute less or another attribute,
/// and itself; of too many, as many as are allowed, by the fixed stream.
pub(super) fn around(
    model: &GrowingModel,
    measured: &[Clique],
    bounds: &Bounds,
    set: &Clique,
) -> Result<Vec<Clique>, MethodError> {
    let columns = model.columns();
    let sizes = columns.domain().sizes();
    let own: Vec<usize> = set.attributes().iter().map(|attribute| attribute.index()).collect();
    let mut found = BTreeSet::new();
    // Leaving one out, or none (the last), and taking another in, or none (the last).
    for left_out in 0..=own.len() {
        let mut kept = own.clone();
        if left_out < own.len() {
            kept.remove(left_out);
        }
        for taken in 0..=sizes.len() {
            let mut sides = kept.clone();
            if taken < sizes.len() {
                let column = columns.column_of(taken);
                if sizes[taken] < 2 || kept.iter().any(|&held| columns.column_of(held) == column) {
                    continue;
                }
                sides.push(taken);
            }
            if sides.len() < 2 || sides.len() > bounds.width {
                continue;
            }
            let cells: f64 = sides.iter().map(|&side| f64::from(sizes[side])).product();
            let set = Clique::new(sides.into_iter().map(|side| AttrId(side as u32)));
            let known = measured.iter().any(|measured| set.is_subset(measured));
            if cells > bounds.most(set.len()) || known || !model.has_room_for(&set, bounds.tree)? {
                continue;
            }
            found.insert(set);
        }
    }
    found.remove(set);
    let mut rng = SampleRng::new(1, "auto candidates", bounds.round);
    let mut kept: Vec<(u64, Clique)> = found.into_iter().map(|set| (rng.next_u64(), set)).collect();
    kept.sort_unstable();
    kept.truncate(bounds.candidates);
    Ok(std::iter::once(set.clone()).chain(kept.into_iter().map(|(_, set)| set)).collect())
}

impl Bounds {
    /// The most cells of a table of this many columns.
    fn most(&self, columns: usize) -> f64 {
        match columns {
            0..=2 => self.pair,
            3 => self.triple,
            _ => self.table,
        }
    }
}

/// The most cells of a table where there were answers and none has stood out of its noise (the
/// largest error is 0 before the first). All that there is to learn may then be how these very rows
/// differ by chance from others that are drawn alike: by the root of a cell's count, so that small
/// tables show it and large ones do not. Where noise would hide even that, relations are still
/// looked for in tables of any size.
pub(super) fn most_by_chance(params: &AutoParams, total: f64, noise: f64, largest_error: f64) -> f64 {
    let shows = total / (params.chance_shows * noise).powi(2);
    let none_stood_out = largest_error > 0.0 && largest_error <= params.signal_known;
    if none_stood_out && shows >= params.least_cells { shows } else { f64::INFINITY }
}

/// Draws sets at random.
struct Drawer<'a> {
    columns: &'a Columns,
    bounds: &'a Bounds,
    rng: SampleRng,
}

impl Drawer<'_> {
    fn draw(&mut self) -> Clique {
        let sizes = self.columns.domain().sizes();
        let most = self.bounds.width.min(self.columns.len());
        let wanted = 2 + self.rng.below(most - 1);
        let mut used = vec![false; self.columns.len()];
        let mut set: Vec<AttrId> = Vec::new();
        let (mut product, mut misses) = (1.0, 0);
        while set.len() < wanted && misses < MISSES {
            let attribute = self.rng.below(sizes.len());
            let column = self.columns.column_of(attribute);
            let larger = product * f64::from(sizes[attribute]);
            let most = self.bounds.most(set.len() + 1);
            if used[column] || larger > most || sizes[attribute] < 2 {
                misses += 1;
                continue;
            }
            used[column] = true;
            product = larger;
            set.push(AttrId(attribute as u32));
        }
        Clique::new(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cell of so large a table has a count whose root is twice the noise; one cell more and it
    /// is less.
    #[test]
    fn chance_shows_in_small_tables_only() {
        let (params, total, noise) = (AutoParams::default(), 50_000.0, 8.0);
        let shown = params.chance_shows * noise;
        let most_by_chance = |noise: f64, error: f64| most_by_chance(&params, total, noise, error);
        let most = most_by_chance(noise, 1.0);
        assert!((total / most).sqrt() >= shown && (total / (most + 1.0)).sqrt() < shown);
        assert!(most_by_chance(3.0 * noise, 1.0) == f64::INFINITY, "too few cells to be worth a bound");
        assert!(most_by_chance(noise, 0.0) == f64::INFINITY, "nothing has been asked");
        assert!(most_by_chance(noise, params.signal_known + 0.1) == f64::INFINITY, "something has stood out");
    }
}
