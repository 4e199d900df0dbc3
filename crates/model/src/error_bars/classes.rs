//! Cells that are equally noisy, so that one of them can be worked out for all.
//!
//! The noise of a cell depends on how the families group the codes of its columns and on which
//! boxes of the condition hold them, and on nothing else: precisions are the same along a column
//! but for the sizes of blocks, and asked columns have none. Two codes of a column that can change
//! places without changing any grouping, with all other codes of their groups, are equally noisy in
//! every cell. Codes are told apart by colours, as graphs are: a code by the colours of its groups,
//! a group by the colours of its codes, until no colour splits. For groupings that lie inside each
//! other, as levels do, codes of one colour can always change places.

use super::family::AnswerFamily;
use super::question::{MarginalQuestion, class_count, numbered, refine};

/// Rounds of colouring: more than the depth of any hierarchy of levels.
const MOST_ROUNDS: usize = 16;

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
    let mut colours = question.profile(place);
    let mut known = class_count(&colours);
    for _ in 0..MOST_ROUNDS {
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
            break;
        }
        known = now;
    }
    colours
}
