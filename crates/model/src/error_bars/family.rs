//! What the answers say about a question's columns: each answer summed over the columns that are
//! not asked for, and answers that then speak of the same groups taken together.

use lookalike_schema::{Domain, Grouping};

use super::question::{CodeBlocks, MarginalQuestion, class_count, numbered};
use crate::KeptAnswer;

/// A public count has no noise. It is given this share of the smallest variance there is, so that
/// the equations stay solvable in floats; the error that this adds is a hundredth of any other.
const ALMOST_EXACT: f64 = 1e-4;

/// Noisy sums over the cells of a question's table.
pub(super) struct AnswerFamily {
    /// For each column of the question, how its blocks are grouped; `None`: summed over.
    pub parts: Vec<Option<ColumnGroups>>,
    /// How far apart the groups of each column lie among the cells.
    steps: Vec<usize>,
    /// The noisy sums, row-major.
    pub values: Vec<f64>,
    /// One over the variance of each.
    pub precisions: Vec<f64>,
    /// How many noisy cells were added up for each group of a column, once for each answer.
    pub spreads: Vec<(usize, Vec<f64>)>,
}

/// One column of a family.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct ColumnGroups {
    /// The group of each block, numbered in the order of their first blocks.
    pub group_of: Vec<u32>,
    /// The number of groups.
    pub groups: usize,
}

impl ColumnGroups {
    /// The finest grouping of which both groupings are parts: groups that share a block are one.
    fn common(&self, other: &Self) -> Option<Self> {
        let mut joined: Vec<u32> = (0..self.groups as u32).collect();
        loop {
            // The other's groups take the smallest of what their blocks belong to, and hand it on.
            let mut smallest = vec![u32::MAX; other.groups];
            for (&own, &theirs) in self.group_of.iter().zip(&other.group_of) {
                let place = &mut smallest[theirs as usize];
                *place = (*place).min(joined[own as usize]);
            }
            let before = joined.clone();
            for (&own, &theirs) in self.group_of.iter().zip(&other.group_of) {
                joined[own as usize] = joined[own as usize].min(smallest[theirs as usize]);
            }
            if joined == before {
                break;
            }
        }
        let group_of = numbered(self.group_of.iter().map(|&own| joined[own as usize]));
        let groups = class_count(&group_of);
        (groups > 0).then_some(Self { group_of, groups })
    }
}

/// Blocks and an answer's groups, put together where they overlap: what the blocks are parts of,
/// what each group is a part of, and how many groups each part is.
fn joined(blocks: &CodeBlocks, grouping: &Grouping) -> (ColumnGroups, Vec<u32>, Vec<f64>) {
    let group_of = grouping.group_of();
    let mut pairs: Vec<(u32, u32)> = blocks.block_of.iter().copied().zip(group_of.iter().copied()).collect();
    pairs.dedup();
    let side =
        |of: fn(&(u32, u32)) -> u32, groups: usize| ColumnGroups { group_of: pairs.iter().map(of).collect(), groups };
    let count = grouping.groups() as usize;
    let own = side(|pair| pair.0, blocks.sizes.len());
    let (of_pair, groups) = match own.common(&side(|pair| pair.1, count)) {
        Some(common) => (common.group_of, common.groups),
        None => (vec![0; pairs.len()], 1),
    };
    let (mut of_block, mut of_group) = (vec![0; blocks.sizes.len()], vec![0; count]);
    for (&(block, group), &part) in pairs.iter().zip(&of_pair) {
        (of_block[block as usize], of_group[group as usize]) = (part, part);
    }
    let mut spread = vec![0.0; groups];
    of_group.iter().for_each(|&part| spread[part as usize] += 1.0);
    (ColumnGroups { group_of: of_block, groups }, of_group, spread)
}

impl AnswerFamily {
    /// All that the answers say, one family for each way of grouping the question's columns.
    pub fn all(domain: &Domain, question: &MarginalQuestion, answers: &[KeptAnswer]) -> Vec<Self> {
        let noisy = answers.iter().map(KeptAnswer::variance).filter(|&variance| variance > 0.0);
        let least = noisy.fold(f64::INFINITY, f64::min);
        let least = ALMOST_EXACT * if least.is_finite() { least } else { 1.0 };
        let mut families: Vec<Self> = Vec::new();
        for answer in answers {
            let one = Self::of(domain, question, answer, answer.variance().max(least));
            match families.iter_mut().find(|known| known.parts == one.parts) {
                Some(known) => known.join(&one),
                None => families.push(one),
            }
        }
        families
    }

    fn of(domain: &Domain, question: &MarginalQuestion, answer: &KeptAnswer, variance: f64) -> Self {
        let place_of = |column| question.columns.iter().position(|&known| known == column);
        let mut parts: Vec<Option<ColumnGroups>> = vec![None; question.columns.len()];
        // For each axis of the answer, for each of its codes: the place among the family's groups.
        let mut targets: Vec<(usize, Vec<u32>)> = Vec::with_capacity(answer.axes().len());
        let mut spreads: Vec<Vec<f64>> = vec![Vec::new(); question.columns.len()];
        let mut variance = variance;
        for axis in answer.axes() {
            let Some(place) = place_of(axis.column).filter(|&place| question.blocks[place].sizes.len() > 1) else {
                // Summed over: the noise of all its cells adds up.
                let codes = axis.size(domain);
                variance *= codes as f64;
                targets.push((usize::MAX, vec![0; codes]));
                continue;
            };
            let blocks = &question.blocks[place];
            let (part, target, spread): (ColumnGroups, Vec<u32>, Vec<f64>) = match &axis.grouping {
                // Single codes: a block is the sum of its codes.
                None => {
                    let part =
                        ColumnGroups { group_of: (0..blocks.sizes.len() as u32).collect(), groups: blocks.sizes.len() };
                    (part, blocks.block_of.clone(), blocks.sizes.iter().map(|&size| f64::from(size)).collect())
                }
                Some(grouping) => joined(blocks, grouping),
            };
            if part.groups == 1 {
                variance *= target.len() as f64;
                targets.push((usize::MAX, vec![0; target.len()]));
                continue;
            }
            spreads[place] = spread;
            parts[place] = Some(part);
            targets.push((place, target));
        }
        let mut family = Self::empty(parts);
        family.sum(answer.values(), &targets);
        family.set_precisions(variance, spreads);
        family
    }

    fn empty(parts: Vec<Option<ColumnGroups>>) -> Self {
        let mut steps = vec![0; parts.len()];
        let mut step = 1;
        for (place, part) in parts.iter().enumerate().rev() {
            if let Some(part) = part {
                steps[place] = step;
                step *= part.groups;
            }
        }
        Self { parts, steps, values: vec![0.0; step], precisions: vec![0.0; step], spreads: Vec::new() }
    }

    fn sum(&mut self, values: &[f64], targets: &[(usize, Vec<u32>)]) {
        let step = |place: usize| self.steps.get(place).copied().unwrap_or(0);
        let moves: Vec<(usize, &[u32])> =
            targets.iter().map(|(place, target)| (step(*place), target.as_slice())).collect();
        let mut codes = vec![0usize; moves.len()];
        let mut cell: usize = moves.iter().map(|(step, target)| step * target[0] as usize).sum();
        for value in values {
            self.values[cell] += value;
            for ((step, target), code) in moves.iter().zip(&mut codes).rev() {
                cell -= step * target[*code] as usize;
                *code += 1;
                if *code < target.len() {
                    cell += step * target[*code] as usize;
                    break;
                }
                *code = 0;
                cell += step * target[0] as usize;
            }
        }
    }

    fn set_precisions(&mut self, variance: f64, spreads: Vec<Vec<f64>>) {
        let mut precisions = vec![1.0 / variance];
        for spread in spreads.iter().filter(|spread| !spread.is_empty()) {
            precisions = precisions.iter().flat_map(|so_far| spread.iter().map(move |many| so_far / many)).collect();
        }
        self.precisions = precisions;
        let spread = |(place, spread): (usize, Vec<f64>)| (!spread.is_empty()).then_some((place, spread));
        self.spreads = spreads.into_iter().enumerate().filter_map(spread).collect();
    }

    /// Both together, weighted by precision.
    fn join(&mut self, other: &Self) {
        let own = self.values.iter_mut().zip(&mut self.precisions);
        for ((value, precision), (more, weight)) in own.zip(other.values.iter().zip(&other.precisions)) {
            *value += weight / (*precision + weight) * (more - *value);
            *precision += weight;
        }
        self.spreads.extend(other.spreads.iter().cloned());
    }

    /// The cell of codes of the asked columns, before the others are added.
    pub fn place(&self, codes: &[u32]) -> usize {
        self.digits(codes.iter().copied(), 0)
    }

    /// Where each combination of blocks of the other columns lies.
    pub fn offsets(&self, question: &MarginalQuestion) -> Vec<usize> {
        let mut offsets = vec![0];
        for place in question.asked..question.columns.len() {
            let blocks = question.blocks[place].sizes.len() as u32;
            let along = |block: u32| self.digits([block].into_iter(), place);
            let along: Vec<usize> = (0..blocks).map(along).collect();
            offsets = offsets.iter().flat_map(|so_far| along.iter().map(move |more| so_far + more)).collect();
        }
        offsets
    }

    fn digits(&self, blocks: impl Iterator<Item = u32>, from: usize) -> usize {
        let along = |(place, block): (usize, u32)| match &self.parts[from + place] {
            Some(part) => part.group_of[block as usize] as usize * self.steps[from + place],
            None => 0,
        };
        blocks.enumerate().map(along).sum()
    }

    /// The finest sums that both families determine. They are no answer: they only name sets of
    /// rows, and have no precision of their own.
    pub fn common(&self, other: &Self) -> Self {
        let parts = self.parts.iter().zip(&other.parts).map(|parts| match parts {
            (Some(one), Some(other)) => one.common(other).filter(|part| part.groups > 1),
            _ => None,
        });
        Self::empty(parts.collect())
    }

    /// How many cells of the question's table each cell is a sum of.
    pub fn widths(&self, question: &MarginalQuestion) -> Vec<u64> {
        let mut widths = vec![1u64];
        for (part, blocks) in self.parts.iter().zip(&question.blocks) {
            match part {
                None => widths.iter_mut().for_each(|width| *width *= blocks.sizes.len() as u64),
                Some(part) => {
                    let mut counts = vec![0u64; part.groups];
                    part.group_of.iter().for_each(|&group| counts[group as usize] += 1);
                    widths = widths.iter().flat_map(|width| counts.iter().map(move |count| width * count)).collect();
                }
            }
        }
        widths
    }

    /// Whether every cell of this one is a sum of cells of the other.
    pub fn is_coarser_than(&self, other: &Self) -> bool {
        self.parts.iter().zip(&other.parts).all(|parts| match parts {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(own), Some(finer)) => {
                let mut group_of = vec![u32::MAX; finer.groups];
                finer.group_of.iter().zip(&own.group_of).all(|(&finer, &own)| {
                    let known = &mut group_of[finer as usize];
                    *known = if *known == u32::MAX { own } else { *known };
                    *known == own
                })
            }
        })
    }
}
