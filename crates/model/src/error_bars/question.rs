//! What is asked, as a table of its own: the asked columns code by code, and the columns that only
//! the condition speaks of in blocks of codes that nobody tells apart.

use std::collections::HashMap;
use std::hash::Hash;

use lookalike_schema::{AttrId, Clique, CodeBox, Domain, Filter};

use crate::KeptAnswer;

/// Cells of the question's table; with more, the condition's own columns are left out.
const MOST_CELLS: usize = 1 << 22;
/// Codes and boxes looked at to find which combinations of blocks a condition means.
const MOST_WORK: usize = 1 << 27;

/// A marginal under a condition.
pub(super) struct MarginalQuestion {
    /// The asked columns, ascending, then the columns of the condition alone.
    pub columns: Vec<AttrId>,
    /// The number of asked columns.
    pub asked: usize,
    /// For each column its blocks of codes. Asked columns have one for each code.
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
    pub fn new(domain: &Domain, answers: &[KeptAnswer], query: &Clique, filter: &Filter) -> Self {
        let others: Vec<AttrId> =
            filter.attributes().attributes().iter().copied().filter(|&column| !query.contains(column)).collect();
        let whole = Self::with_others(domain, answers, query, filter, &others);
        whole.unwrap_or_else(|| {
            let about = |part: &&(AttrId, Vec<u32>)| query.contains(part.0);
            let cut = |one: &CodeBox| CodeBox { parts: one.parts.iter().filter(about).cloned().collect() };
            // Boxes may overlap from here on, which does no harm: rows are meant or not.
            let filter = Filter::from_boxes(filter.boxes().iter().map(cut).collect());
            let cut = Self::with_others(domain, answers, query, &filter, &[]);
            Self { is_cut: true, ..cut.unwrap_or_else(|| Self::unfiltered(domain, query)) }
        })
    }

    fn unfiltered(domain: &Domain, query: &Clique) -> Self {
        let columns = query.attributes().to_vec();
        let blocks: Vec<CodeBlocks> = columns.iter().map(|&column| CodeBlocks::codes(domain.size(column))).collect();
        let cells = blocks.iter().map(|blocks| blocks.sizes.len()).product();
        let all = Meant { asked: Vec::new(), others: vec![true] };
        Self { asked: columns.len(), columns, blocks, cells, others: 1, is_cut: false, boxes: vec![all] }
    }

    fn with_others(
        domain: &Domain,
        answers: &[KeptAnswer],
        query: &Clique,
        filter: &Filter,
        others: &[AttrId],
    ) -> Option<Self> {
        let mut question = Self::unfiltered(domain, query);
        for &column in others {
            let blocks = CodeBlocks::of_condition(domain.size(column), column, answers, filter);
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
        let listed = |place: usize| {
            let column = self.columns[place];
            let mut taken = vec![false; domain.size(column) as usize];
            one.codes(column)?.iter().for_each(|&code| taken[code as usize] = true);
            Some(taken)
        };
        let asked = (0..self.asked).filter_map(|place| Some((place, listed(place)?))).collect();
        let mut others = vec![true];
        for place in self.asked..self.columns.len() {
            let blocks = &self.blocks[place];
            let mut taken = vec![true; blocks.sizes.len()];
            if let Some(codes) = listed(place) {
                codes.iter().zip(&blocks.block_of).for_each(|(&taken_code, &block)| taken[block as usize] = taken_code);
            }
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
    /// Every code by itself.
    fn codes(size: u32) -> Self {
        Self { block_of: (0..size).collect(), sizes: vec![1; size as usize] }
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
        let mut seen: Vec<&[u32]> = axes.filter_map(|axis| Some(axis.grouping.as_ref()?.group_of())).collect();
        seen.sort_unstable();
        seen.dedup();
        seen.iter().for_each(|groups| refine(&mut block_of, groups));
        let mut sizes = vec![0; class_count(&block_of)];
        block_of.iter().for_each(|&block| sizes[block as usize] += 1);
        Self { block_of, sizes }
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
