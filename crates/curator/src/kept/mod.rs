//! Exact tables that a paid look counted, kept inside the door for later looks.
//!
//! A method that works round by round asks for many tables again, and for tables that can be summed
//! out of others: fewer columns, coarser groups. What is kept need not be counted again, so that a
//! round passes over the rows only for what is new. A method may also say what it is likely to ask
//! for soon; that is counted in the same pass as the next look.
//!
//! # Privacy
//! What is taken from here is the very table that would be counted again, and it is taken only for
//! a batch that was charged like any other; a table that was foreseen and never asked for goes
//! nowhere. What is kept, what is let go and whether there is a pass follow from the queries and
//! from the sizes of columns, never from counts: only dense tables are kept, and they are as large
//! as the schema says.

mod index;
mod refine;
mod sum_out;

use std::collections::{BTreeMap, HashSet};

use lookalike_schema::{Clique, Domain, View};

use self::index::ColumnIndex;
use self::refine::Refinements;
use crate::CountTable;

/// What a kept table takes for each of its cells.
const CELL_BYTES: u64 = 8;
/// Kept tables of more cells are not summed out for smaller ones: a pass is faster.
const MOST_SUMMED_OUT: u64 = 1 << 20;

/// Tables by their cliques. Unprintable, as they are exact.
pub(crate) struct KeptTables {
    tables: BTreeMap<Clique, KeptTable>,
    index: ColumnIndex,
    /// The most cells of all tables together.
    most: u64,
    cells: u64,
    /// Counts uses, so that what was not used for longest is let go first.
    clock: u64,
    /// What is likely to be asked for soon.
    soon: Vec<Clique>,
    refinements: Refinements,
}

struct KeptTable {
    counts: Vec<u64>,
    /// Where the index has it.
    place: usize,
    used: u64,
}

crate::unprintable::assert_lacks!(KeptTables: std::fmt::Debug, Clone);

impl KeptTables {
    /// Keeps tables of at most `bytes` bytes together.
    pub fn new(bytes: u64) -> Self {
        let (tables, index, refinements) = (BTreeMap::new(), ColumnIndex::default(), Refinements::default());
        Self { tables, index, most: bytes / CELL_BYTES, cells: 0, clock: 0, soon: Vec::new(), refinements }
    }

    /// Another bound. What does not fit any more is let go.
    pub fn set_bytes(&mut self, bytes: u64) {
        self.most = bytes / CELL_BYTES;
        self.make_room(0);
    }

    /// Notes what is likely to be asked for soon, in the place of what was noted before.
    pub fn foresee(&mut self, cliques: &[Clique]) {
        self.soon = cliques.to_vec();
    }

    /// The cliques that have to be counted so that all of these are there: those of them that are
    /// not kept, once each; and, where there are any, what was foreseen and has room.
    pub fn missing(&mut self, asked: &[Clique], view: &View) -> Vec<Clique> {
        let mut missing: Vec<Clique> = Vec::new();
        let mut seen = HashSet::new();
        for clique in asked {
            if seen.insert(clique.clone()) && !self.has(clique, view) {
                missing.push(clique.clone());
            }
        }
        if missing.is_empty() {
            return missing;
        }
        // All that is asked for comes first, then as much of the rest as can be kept with it.
        let mut cells: u64 = missing.iter().map(|clique| cells_of(view.domain(), clique)).fold(0, u64::saturating_add);
        for clique in std::mem::take(&mut self.soon) {
            let more = cells_of(view.domain(), &clique);
            if cells.saturating_add(more) <= self.most && seen.insert(clique.clone()) && !self.has(&clique, view) {
                cells += more;
                missing.push(clique);
            }
        }
        missing
    }

    /// Whether the table is kept, or can be summed out of one that is.
    fn has(&mut self, clique: &Clique, view: &View) -> bool {
        self.tables.contains_key(clique) || self.wider(clique, view).is_some()
    }

    /// The kept table with the fewest cells from which this one can be summed out.
    fn wider(&mut self, clique: &Clique, view: &View) -> Option<Clique> {
        let Self { tables, index, refinements, .. } = self;
        let small = |kept| Some((tables.get(kept)?.counts.len(), kept)).filter(|it| it.0 as u64 <= MOST_SUMMED_OUT);
        let wide = index.with_columns_of(clique, view).filter_map(small);
        wide.filter(|(_, kept)| refinements.all(kept, clique, view)).min().map(|(_, kept)| kept.clone())
    }

    /// A copy of the table, if it is kept or can be summed out of one that is.
    pub fn get(&mut self, clique: &Clique, view: &View) -> Option<CountTable> {
        self.clock += 1;
        let from = if self.tables.contains_key(clique) { clique.clone() } else { self.wider(clique, view)? };
        let table = self.tables.get_mut(&from)?;
        table.used = self.clock;
        if from == *clique {
            return Some(CountTable::Dense(table.counts.clone()));
        }
        let maps = self.refinements.maps(&from, clique, view)?;
        let counts = sum_out::sum_out(&table.counts, &from, clique, &maps, view.domain());
        Some(CountTable::Dense(counts))
    }

    /// Keeps a copy of a dense table that has room; others are let go for it.
    pub fn keep(&mut self, clique: &Clique, table: &CountTable, view: &View) {
        let CountTable::Dense(counts) = table else { return };
        let cells = counts.len() as u64;
        if cells > self.most || self.tables.contains_key(clique) {
            return;
        }
        self.make_room(cells);
        self.clock += 1;
        self.cells += cells;
        let place = self.index.add(clique, view);
        self.tables.insert(clique.clone(), KeptTable { counts: counts.clone(), place, used: self.clock });
    }

    fn make_room(&mut self, cells: u64) {
        if self.cells + cells <= self.most {
            return;
        }
        // A quarter at a time, so that not every table looks for the oldest anew.
        let aim = (self.most - self.most / 4).min(self.most.saturating_sub(cells));
        let mut by_age: Vec<(u64, Clique)> = self.tables.iter().map(|(clique, it)| (it.used, clique.clone())).collect();
        by_age.sort_unstable();
        for (_, clique) in by_age {
            if self.cells <= aim {
                break;
            }
            if let Some(gone) = self.tables.remove(&clique) {
                self.cells -= gone.counts.len() as u64;
                self.index.remove(gone.place);
            }
        }
    }
}

fn cells_of(domain: &Domain, clique: &Clique) -> u64 {
    domain.cells(clique).unwrap_or(u64::MAX)
}
