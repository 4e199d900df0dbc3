//! Cells that are equally noisy, so that one of them can be worked out for all.
//!
//! The noise of a cell depends on how the families group the codes of its columns and on which
//! boxes of the condition hold them, and on nothing else: precisions are the same along a column
//! but for how many noisy cells were added up, by which codes are told apart first. Two codes of a
//! column that can change places without changing any grouping, with all other codes of their
//! groups, are equally noisy in every cell. Codes are told apart by colours, as graphs are: a code
//! by the colours of its groups, a group by the colours of its codes, until no colour splits. For
//! groupings that lie inside each other, as levels do, codes of one colour can always change
//! places. Where groups overlap they cannot, and every code is a class of its own.

use super::family::AnswerFamily;
use super::question::{MarginalQuestion, class_count, numbered, refine};

/// For each asked column, the class of each code, and how many there are.
pub(super) struct Classes {
    of: Vec<Vec<u32>>,
    counts: Vec<usize>,
}

impl Classes {
    pub fn new(question: &MarginalQuestion, families: &[AnswerFamily]) -> Self {
        let of: Vec<Vec<u32>> = (0..question.asked).map(|place| colours(question, families, place)).collect();
        let counts = of.iter().map(|classes| class_count(classes)).collect();
        Self { of, counts }
    }

    /// The number of classes of cells, saturating.
    pub fn len(&self) -> usize {
        self.counts.iter().fold(1, |product: usize, &count| product.saturating_mul(count))
    }

    /// The class of a cell, from its codes.
    pub fn of(&self, codes: &[u32]) -> usize {
        let columns = self.of.iter().zip(&self.counts).zip(codes);
        columns.fold(0, |class, ((classes, &count), &code)| class * count + classes[code as usize] as usize)
    }
}

fn colours(question: &MarginalQuestion, families: &[AnswerFamily], place: usize) -> Vec<u32> {
    let mut partitions: Vec<&[u32]> =
        families.iter().filter_map(|family| Some(family.parts[place].as_ref()?.group_of.as_slice())).collect();
    partitions.sort_unstable();
    partitions.dedup();
    let apart = |(at, one): (usize, &&[u32])| partitions[..at].iter().any(|other| overlap(one, other));
    if partitions.iter().enumerate().any(apart) {
        return (0..question.blocks[place].sizes.len() as u32).collect();
    }
    let mut colours = question.profile(place);
    for family in families {
        let Some(part) = &family.parts[place] else { continue };
        for (_, spread) in family.spreads.iter().filter(|(column, _)| *column == place) {
            let of_block: Vec<u32> = part.group_of.iter().map(|&group| spread[group as usize] as u32).collect();
            refine(&mut colours, &of_block);
        }
    }
    let mut known = class_count(&colours);
    loop {
        let before = colours.clone();
        for partition in &partitions {
            let mut members: Vec<Vec<u32>> = vec![Vec::new(); class_count(partition)];
            partition.iter().zip(&before).for_each(|(&group, &colour)| members[group as usize].push(colour));
            members.iter_mut().for_each(|colours| colours.sort_unstable());
            let names = numbered(members.into_iter());
            let of_code: Vec<u32> = partition.iter().map(|&group| names[group as usize]).collect();
            refine(&mut colours, &of_code);
        }
        let now = class_count(&colours);
        if now == known {
            return colours;
        }
        known = now;
    }
}

/// Whether a group of one partition shares some codes with a group of the other, and each has codes
/// that the other lacks.
fn overlap(one: &[u32], other: &[u32]) -> bool {
    let common = numbered(one.iter().zip(other));
    let sizes = |partition: &[u32]| {
        let mut sizes = vec![0u32; class_count(partition)];
        partition.iter().for_each(|&group| sizes[group as usize] += 1);
        sizes
    };
    let (all, ones, others) = (sizes(&common), sizes(one), sizes(other));
    let least = |code: usize| ones[one[code] as usize].min(others[other[code] as usize]);
    (0..one.len()).any(|code| all[common[code] as usize] < least(code))
}
