//! Rows of the model, which candidates are compared with.
//!
//! They are counted here and not by the kernel of `table`: methods do not see the crate that holds
//! private rows.

use std::ops::{Add, Mul};

use lookalike_curator::Expected;
use lookalike_schema::{AttrId, Clique, Domain};
use rayon::prelude::*;

use crate::MethodError;
use crate::graphical::GrowingModel;

/// So many rows are drawn at least and at most.
pub(super) const FEWEST_DRAWN: f64 = 2e4;
const MOST_DRAWN: f64 = 4e5;
/// Tables of more rows are compared with exact answers of the model: so few rows of it would add
/// more scatter than there is to find, and candidates are few there.
pub(super) const MOST_COMPARED_BY_ROWS: f64 = 4.0 * MOST_DRAWN;

/// Codes and cells below this fit narrow numbers.
const NARROW: u32 = 1 << 16;
/// Rows that are counted at a time: their cells stay in the first-level cache.
const ROWS: usize = 1024;
/// Counts of each cell, which take turns.
const LANES: usize = 4;
/// Sets are counted in this many parts at the same time.
const PARTS: usize = 16;

/// Rows of the model, and how many of the table's rows one of them stands for.
pub(super) struct Drawn {
    codes: Codes,
    scale: f64,
}

/// One vector of codes an attribute. Narrow numbers are counted twice as fast.
enum Codes {
    Narrow(Vec<Vec<u16>>),
    Wide(Vec<Vec<u32>>),
}

impl Codes {
    fn new(codes: Vec<Vec<u32>>, sizes: &[u32]) -> Self {
        if !sizes.iter().all(|&size| size <= NARROW) {
            return Self::Wide(codes);
        }
        Self::Narrow(codes.into_iter().map(|column| column.into_iter().map(|code| code as u16).collect()).collect())
    }

    fn rows(&self) -> usize {
        match self {
            Self::Narrow(codes) => codes.first().map_or(0, Vec::len),
            Self::Wide(codes) => codes.first().map_or(0, Vec::len),
        }
    }
}

impl Drawn {
    /// Rows of the model as it stands; none where exact answers are better.
    pub fn worth_it(model: &GrowingModel, seed: u64) -> Result<Option<Self>, MethodError> {
        (model.total() <= MOST_COMPARED_BY_ROWS).then(|| Self::new(model, seed)).transpose()
    }

    /// Rows of the model as it stands.
    pub fn new(model: &GrowingModel, seed: u64) -> Result<Self, MethodError> {
        let rows = model.total().clamp(FEWEST_DRAWN, MOST_DRAWN) as u64;
        let codes = Codes::new(model.drawn(rows, seed)?, model.columns().domain().sizes());
        Ok(Self { codes, scale: model.total() / rows as f64 })
    }

    /// What the rows say of the sets.
    pub fn expected(&self, model: &GrowingModel, sets: &[Clique]) -> Result<Vec<Expected>, MethodError> {
        let columns = model.columns();
        let part = sets.len().div_ceil(PARTS).max(1);
        let expected = |sets: &[Clique]| -> Vec<Expected> {
            if model.halt().asked(self.codes.rows() * sets.len()) {
                return Vec::new();
            }
            let counts = counts(&self.codes, columns.domain(), sets).into_iter().zip(sets);
            let scaled = |counts: Vec<u32>| counts.into_iter().map(|count| f64::from(count) * self.scale).collect();
            counts.map(|(counts, set)| columns.to_asked(set, scaled(counts)).into()).collect()
        };
        let found = sets.par_chunks(part).flat_map_iter(expected).collect();
        // Those that were told to stop have left some out.
        model.halt().check(0)?;
        Ok(found)
    }
}

/// The counts of sets, in the domain's order of cells.
fn counts(codes: &Codes, domain: &Domain, sets: &[Clique]) -> Vec<Vec<u32>> {
    let cells: Vec<usize> = sets.iter().map(|set| domain.cells(set).unwrap_or(0) as usize).collect();
    let narrow = cells.iter().all(|&cells| cells <= NARROW as usize);
    match codes {
        Codes::Narrow(codes) if narrow => counts_by::<u16, u16>(codes, domain.sizes(), sets, &cells),
        Codes::Narrow(codes) => counts_by::<u16, u32>(codes, domain.sizes(), sets, &cells),
        Codes::Wide(codes) => counts_by::<u32, u32>(codes, domain.sizes(), sets, &cells),
    }
}

/// The same, with numbers of cells of this kind.
///
/// Rows are taken some at a time. Sets come in order, so that most begin with columns of the one
/// before, whose cells are known.
fn counts_by<Code: Copy + Into<Key>, Key: Number>(
    codes: &[Vec<Code>],
    sizes: &[u32],
    sets: &[Clique],
    cells: &[usize],
) -> Vec<Vec<u32>> {
    let rows = codes.first().map_or(0, Vec::len);
    let mut tallies: Vec<Vec<[u32; LANES]>> = cells.iter().map(|&cells| vec![[0; LANES]; cells]).collect();
    let deepest = sets.iter().map(Clique::len).max().unwrap_or(0);
    // The cells of the present rows in the first column of the present set, in its first two, and
    // so on.
    let mut keys = vec![vec![Key::default(); ROWS]; deepest];
    for start in (0..rows).step_by(ROWS) {
        let here = start..(start + ROWS).min(rows);
        let mut before: &[AttrId] = &[];
        for (set, tally) in sets.iter().zip(&mut tallies) {
            let own = set.attributes();
            let same = own.iter().zip(before).take_while(|(one, two)| one == two).count();
            for (depth, attribute) in own.iter().enumerate().skip(same) {
                let codes = codes[attribute.index()][here.clone()].iter().map(|&code| code.into());
                let (known, fresh) = keys.split_at_mut(depth);
                let fresh = fresh[0].iter_mut().zip(codes);
                match known.last() {
                    None => fresh.for_each(|(fresh, code)| *fresh = code),
                    Some(known) => {
                        let size = Key::of(sizes[attribute.index()]);
                        fresh.zip(known).for_each(|((fresh, code), &known)| *fresh = known * size + code);
                    }
                }
            }
            if let Some(depth) = own.len().checked_sub(1) {
                add(&keys[depth][..here.len()], tally);
            }
            before = own;
        }
    }
    tallies.iter().map(|tally| tally.iter().map(|lanes| lanes.iter().sum()).collect()).collect()
}

/// Adds rows to a tally. Neighbours that are in the same cell must not wait for each other, so they
/// have counts of their own.
fn add<Key: Number>(cells: &[Key], tally: &mut [[u32; LANES]]) {
    let parts = cells.chunks_exact(LANES);
    let rest = parts.remainder();
    for some in parts {
        (0..LANES).for_each(|lane| tally[some[lane].into() as usize][lane] += 1);
    }
    rest.iter().for_each(|&cell| tally[cell.into() as usize][0] += 1);
}

/// The number of a cell.
trait Number: Copy + Default + Into<u32> + Mul<Output = Self> + Add<Output = Self> {
    fn of(size: u32) -> Self;
}

impl Number for u16 {
    fn of(size: u32) -> Self {
        size as u16
    }
}

impl Number for u32 {
    fn of(size: u32) -> Self {
        size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of three columns, counted one by one and all at once; wide columns and large tables
    /// among them.
    #[test]
    fn all_sets_are_counted_as_one_by_one() {
        for sizes in [[3, 5, 700, 2], [3, 5, 300, 300], [3, 70_000, 2, 2]] {
            let rows = 2 * ROWS + 3;
            let column = |(number, &size): (usize, &u32)| {
                (0..rows as u32).map(|row| (row * row + row * number as u32) % 7919 % size).collect()
            };
            let codes: Vec<Vec<u32>> = sizes.iter().enumerate().map(column).collect();
            let domain = Domain::new(sizes.to_vec());
            let sets: Vec<Clique> = [&[0][..], &[0, 1], &[0, 1, 3], &[0, 2], &[1], &[1, 3], &[2, 3], &[0, 3]]
                .iter()
                .map(|set| Clique::new(set.iter().map(|&column| AttrId(column))))
                .collect();
            let found = counts(&Codes::new(codes.clone(), &sizes), &domain, &sets);
            for (set, found) in sets.iter().zip(found) {
                let mut expected = vec![0; domain.cells(set).unwrap() as usize];
                let mut cells = vec![0; rows];
                for attribute in set.attributes().iter().map(|attribute| attribute.index()) {
                    let own = cells.iter_mut().zip(&codes[attribute]);
                    own.for_each(|(cell, &code)| *cell = *cell * sizes[attribute] as usize + code as usize);
                }
                cells.into_iter().for_each(|cell: usize| expected[cell] += 1);
                assert_eq!(found, expected, "{set:?} of {sizes:?}");
            }
        }
    }
}
