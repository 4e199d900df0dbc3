//! Derived columns, made a block at a time: one lookup for each row and column that a pass needs.
//! There is no second copy of the table.

use lookalike_schema::{AttrId, Derived};
use rayon::prelude::*;

use crate::block::{Block, Codes, Width};

/// What stands in for the derived columns that a pass does not need.
static NOT_NEEDED: Codes = Codes::U8(Vec::new());

/// The derived columns that one pass needs, and their codes in the block in hand. Private rows may
/// be inside: no `Debug`, no `Clone`.
pub(crate) struct DerivedCodes {
    /// In attribute order; `None` where no tally asks.
    columns: Vec<Option<Lookup>>,
}

struct Lookup {
    base: usize,
    /// The group of each code.
    groups: Codes,
    /// The groups of the block's rows.
    out: Codes,
}

impl DerivedCodes {
    /// Prepares the columns that `needed` names among the derived ones, which stand behind `own`
    /// others.
    pub(crate) fn new(derived: &[Derived], own: usize, needed: impl Iterator<Item = AttrId>) -> Self {
        let mut columns: Vec<Option<Lookup>> = derived.iter().map(|_| None).collect();
        for attribute in needed {
            if let Some(place) = attribute.index().checked_sub(own) {
                columns[place].get_or_insert_with(|| Lookup::new(&derived[place]));
            }
        }
        Self { columns }
    }

    /// The blocks' own columns that are looked up.
    pub(crate) fn bases(&self) -> impl Iterator<Item = usize> + '_ {
        self.columns.iter().flatten().map(|lookup| lookup.base)
    }

    /// Looks the groups of a block's rows up, and gives the columns of the block with the derived
    /// ones behind them.
    pub(crate) fn of<'a>(&'a mut self, block: &'a Block) -> Vec<&'a Codes> {
        self.columns.par_iter_mut().flatten().for_each(|lookup| lookup.fill(block));
        let derived = self.columns.iter().map(|lookup| lookup.as_ref().map_or(&NOT_NEEDED, |lookup| &lookup.out));
        block.columns().iter().chain(derived).collect()
    }
}

impl Lookup {
    fn new(derived: &Derived) -> Self {
        let grouping = &derived.grouping;
        let width = Width::of(grouping.groups());
        // Codes of one byte then need no bounds check.
        let padding = 256usize.saturating_sub(grouping.codes());
        let mut groups = Codes::with_capacity(width, grouping.codes() + padding);
        groups.extend(grouping.group_of().iter().copied().chain(std::iter::repeat_n(0, padding)));
        Self { base: derived.base.index(), groups, out: Codes::with_capacity(width, 0) }
    }

    fn fill(&mut self, block: &Block) {
        let codes = &block.columns()[self.base];
        match (&self.groups, &mut self.out) {
            (Codes::U8(groups), Codes::U8(out)) => look_up(codes, groups, out),
            (Codes::U16(groups), Codes::U16(out)) => look_up(codes, groups, out),
            (Codes::U32(groups), Codes::U32(out)) => look_up(codes, groups, out),
            _ => unreachable!("groups and output were made with one width"),
        }
    }
}

fn look_up<T: Copy>(codes: &Codes, groups: &[T], out: &mut Vec<T>) {
    out.clear();
    match codes {
        Codes::U8(codes) => match groups.first_chunk::<256>() {
            Some(groups) => out.extend(codes.iter().map(|&code| groups[usize::from(code)])),
            None => unreachable!("groups are padded to 256"),
        },
        Codes::U16(codes) => out.extend(codes.iter().map(|&code| groups[usize::from(code)])),
        Codes::U32(codes) => out.extend(codes.iter().map(|&code| groups[code as usize])),
    }
}
