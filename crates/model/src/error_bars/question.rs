//! What is asked, as a table of its own: the asked columns code by code, and the columns that only
//! the condition speaks of in blocks of codes that nobody tells apart.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::Arc;

use lookalike_schema::{AttrId, Clique, CodeBox, Domain, Filter, Grouping};

use crate::KeptAnswer;

/// Cells of the question's table; with more, the condition's own columns are left out.
const MOST_CELLS: usize = 1 << 22;
/// Codes and boxes looked at to find which combinations of blocks a condition means.
const MOST_WORK: usize = 1 << 27;

/// Columns of a question that are in groups of codes. A condition means all codes of a group or
/// none.
pub(crate) type ColumnsInGroups = BTreeMap<AttrId, Arc<Grouping>>;

/// A marginal under a condition.
pub(super) struct MarginalQuestion {
    /// The asked columns, ascending, then the columns of the condition alone.
    pub columns: Vec<AttrId>,
    /// The number of asked columns.
    pub asked: usize,
    /// For each column its blocks of codes. Asked columns have one for each code, or for each of
    /// the groups that are asked for.
    pub blocks: Vec<CodeBlocks>,
    /// The combinations of codes of the asked columns.
    pub cells: usize,
    /// The combinations of blocks of the other columns.
    pub others: usize,
    /// Whether the condition was too large and is left out, so that the question is about more rows
    /// than were asked for.
    pub is_cut: bool,
    boxes: Vec<Meant>,
}

/// Codes of one column put together.
pub(super) struct CodeBlocks {
    /// The block of each code.
    pub block_of: Vec<u32>,
    /// The number of codes of each block.
    pub sizes: Vec<u32>,
}

/// The rows of one box of the condition.
struct Meant {
    /// For each asked column that the box speaks of, which codes it means.
    asked: Vec<(usize, Vec<bool>)>,
    /// Which combinations of blocks of the other columns it means.
    others: Vec<bool>,
}

impl MarginalQuestion {
    pub fn new(
        domain: &Domain,
        answers: &[KeptAnswer],
        query: &Clique,
        filter: &Filter,
        groups: &ColumnsInGroups,
    ) -> Self {
        let others: Vec<AttrId> =
            filter.attributes().attributes().iter().copied().filter(|&column| !query.contains(column)).collect();
        let whole = Self::with_others((domain, groups), answers, query, filter, &others);
        whole.unwrap_or_else(|| {
            let about = |part: &&(AttrId, Vec<u32>)| query.contains(part.0);
            let cut = |one: &CodeBox| CodeBox { parts: one.parts.iter().filter(about).cloned().collect() };
            // Boxes may overlap from here on, which does no harm: rows are meant or not.
            let filter = Filter::from_boxes(filter.boxes().iter().map(cut).collect());
            let cut = Self::with_others((domain, groups), answers, query, &filter, &[]);
            Self { is_cut: true, ..cut.unwrap_or_else(|| Self::unfiltered(domain, groups, query)) }
        })
    }

    fn unfiltered(domain: &Domain, groups: &ColumnsInGroups, query: &Clique) -> Self {
        let columns = query.attributes().to_vec();
        let blocks = |column: &AttrId| match groups.get(column) {
            Some(grouping) => CodeBlocks::of(grouping.group_of().into_owned()),
            None => CodeBlocks::of((0..domain.size(*column)).collect()),
        };
        let blocks: Vec<CodeBlocks> = columns.iter().map(blocks).collect();
        let cells = blocks.iter().map(|blocks| blocks.sizes.len()).product();
        let all = Meant { asked: Vec::new(), others: vec![true] };
        Self { asked: columns.len(), columns, blocks, cells, others: 1, is_cut: false, boxes: vec![all] }
    }

    fn with_others(
        (domain, groups): (&Domain, &ColumnsInGroups),
        answers: &[KeptAnswer],
        query: &Clique,
        filter: &Filter,
        others: &[AttrId],
    ) -> Option<Self> {
        let mut question = Self::unfiltered(domain, groups, query);
        for &column in others {
            let blocks = match groups.get(&column) {
                Some(grouping) => CodeBlocks::of(grouping.group_of().into_owned()),
                None => CodeBlocks::of_condition(domain.size(column), column, answers, filter),
            };
            question.others = question.others.checked_mul(blocks.sizes.len())?;
            question.columns.push(column);
            question.blocks.push(blocks);
        }
        let all = question.cells.checked_mul(question.others);
        let work = question.others.saturating_mul(filter.boxes().len()).saturating_mul(others.len().max(1));
        if question.others > 1 && (all.is_none_or(|all| all > MOST_CELLS) || work > MOST_WORK) {
            return None;
        }
        question.boxes = filter.boxes().iter().map(|one| question.meant_by(one, domain)).collect();
        Some(question)
    }

    fn meant_by(&self, one: &CodeBox, domain: &Domain) -> Meant {
        // A block is meant with all of its codes, or not at all.
        let listed = |place: usize| {
            let (column, blocks) = (self.columns[place], &self.blocks[place]);
            let codes = one.codes(column)?.iter().filter(|code| **code < domain.size(column));
            let mut taken = vec![false; blocks.sizes.len()];
            codes.for_each(|&code| taken[blocks.block_of[code as usize] as usize] = true);
            Some(taken)
        };
        let asked = (0..self.asked).filter_map(|place| Some((place, listed(place)?))).collect();
        let mut others = vec![true];
        for place in self.asked..self.columns.len() {
            let taken = listed(place).unwrap_or_else(|| vec![true; self.blocks[place].sizes.len()]);
            others = others.iter().flat_map(|&so_far| taken.iter().map(move |&taken| so_far && taken)).collect();
        }
        Meant { asked, others }
    }

    /// The sizes of the asked columns.
    pub fn shape(&self) -> impl Iterator<Item = usize> + '_ {
        self.blocks[..self.asked].iter().map(|blocks| blocks.sizes.len())
    }

    /// Lists which combinations of the other columns are meant beside these codes of the asked
    /// ones.
    pub fn meant(&self, codes: &[u32], list: &mut Vec<u32>) {
        list.clear();
        let here = |one: &&Meant| one.asked.iter().all(|(place, taken)| taken[codes[*place] as usize]);
        let mut boxes = self.boxes.iter().filter(here).peekable();
        let Some(first) = boxes.next() else { return };
        if self.others == 1 {
            list.extend(first.others[0].then_some(0));
            while list.is_empty() {
                let Some(one) = boxes.next() else { return };
                list.extend(one.others[0].then_some(0));
            }
            return;
        }
        let mut meant = first.others.clone();
        boxes.for_each(|one| meant.iter_mut().zip(&one.others).for_each(|(meant, &more)| *meant |= more));
        list.extend((0..self.others as u32).filter(|&other| meant[other as usize]));
    }

    /// For each code of an asked column, which boxes hold it: codes of the same number are treated
    /// alike by the condition.
    pub fn profile(&self, place: usize) -> Vec<u32> {
        let taken: Vec<&Vec<bool>> = self
            .boxes
            .iter()
            .filter_map(|one| one.asked.iter().find(|(asked, _)| *asked == place).map(|(_, taken)| taken))
            .collect();
        let codes = self.blocks[place].sizes.len();
        let profile = |code: usize| taken.iter().map(|taken| taken[code]).collect::<Vec<bool>>();
        numbered((0..codes).map(profile))
    }

    /// Calls `look` with every combination of codes of the asked columns, in order.
    pub fn each_cell(&self, mut look: impl FnMut(usize, &[u32])) {
        let shape: Vec<usize> = self.shape().collect();
        let mut codes = vec![0u32; shape.len()];
        for cell in 0..self.cells {
            look(cell, &codes);
            for (code, &size) in codes.iter_mut().zip(&shape).rev() {
                *code += 1;
                if (*code as usize) < size {
                    break;
                }
                *code = 0;
            }
        }
    }
}

impl CodeBlocks {
    /// From the block of each code.
    fn of(block_of: Vec<u32>) -> Self {
        let mut sizes = vec![0; class_count(&block_of)];
        block_of.iter().for_each(|&block| sizes[block as usize] += 1);
        Self { block_of, sizes }
    }

    /// Codes of a column that no box and no group of an answer tells apart. A table of single codes
    /// says nothing about such a block that its sum does not say, since its noise is the same for
    /// all of them.
    fn of_condition(size: u32, column: AttrId, answers: &[KeptAnswer], filter: &Filter) -> Self {
        let mut block_of = vec![0u32; size as usize];
        for one in filter.boxes() {
            if let Some(codes) = one.codes(column) {
                let mut taken = vec![0u32; size as usize];
                codes.iter().for_each(|&code| taken[code as usize] = 1);
                refine(&mut block_of, &taken);
            }
        }
        let axes = answers.iter().flat_map(KeptAnswer::axes).filter(|axis| axis.column == column);
        let mut seen: Vec<&Grouping> = Vec::new();
        for grouping in axes.filter_map(|axis| axis.grouping.as_ref()) {
            if !seen.contains(&grouping.as_ref()) {
                seen.push(grouping);
            }
        }
        seen.iter().for_each(|grouping| refine(&mut block_of, &grouping.group_of()));
        Self::of(block_of)
    }
}

/// Splits classes further, by a second number; classes are numbered in the order of their first
/// codes.
pub(super) fn refine(classes: &mut [u32], by: &[u32]) {
    let split = numbered(classes.iter().zip(by));
    classes.copy_from_slice(&split);
}

/// A number for each item, equal ones alike, in the order in which they are first met.
pub(super) fn numbered<T: Hash + Eq>(items: impl Iterator<Item = T>) -> Vec<u32> {
    let mut known: HashMap<T, u32> = HashMap::new();
    let number = |item: T| {
        let next = known.len() as u32;
        *known.entry(item).or_insert(next)
    };
    items.map(number).collect()
}

/// How many classes there are.
pub(super) fn class_count(classes: &[u32]) -> usize {
    classes.iter().max().map_or(0, |&last| last as usize + 1)
}
