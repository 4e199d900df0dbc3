//! Bins of which a condition means a part. Their rows are taken to be spread evenly over the values
//! of the bin, as they are when rows are drawn.

use super::code_box::CodeBox;
use super::pieces::Places;
use crate::AttrId;

/// What a condition that cuts bins means beside its boxes of whole codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SplitBins {
    /// For each box its codes of which only some values are meant, by attribute and code.
    pub boxes: Vec<Vec<SplitCode>>,
    /// The rows that are meant wherever their values lie inside bins.
    pub surely: Vec<CodeBox>,
    /// The rows that are meant or may be.
    pub possibly: Vec<CodeBox>,
    /// The rows that may be meant or not.
    pub doubtful: Vec<CodeBox>,
    /// The bins that are cut, each once.
    pub bins: Vec<(AttrId, u32)>,
}

/// A code of which a box means some values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SplitCode {
    pub attribute: AttrId,
    pub code: u32,
    pub places: Vec<Places>,
}

impl SplitBins {
    /// Brings the bits of a row's cells into the values that are meant. Where several boxes hold
    /// the row's codes, one is taken by its share of them; `more` then gives bits for the choice.
    ///
    /// `bits` tells the place of a column's word among the words.
    pub fn settle(
        &self,
        boxes: &[CodeBox],
        code: &dyn Fn(AttrId) -> u32,
        words: &mut [u64],
        word_of: &dyn Fn(AttrId) -> usize,
        more: &mut dyn FnMut() -> u64,
    ) {
        if !self.bins.iter().any(|&(attribute, cut)| code(attribute) == cut) {
            return;
        }
        let meant: Vec<(&Vec<SplitCode>, f64)> = boxes
            .iter()
            .zip(&self.boxes)
            .filter(|(one, _)| one.holds_where(code))
            .map(|(_, split)| {
                let here = split.iter().filter(|one| code(one.attribute) == one.code);
                (split, here.map(|one| Places::share(&one.places)).product())
            })
            .collect();
        let chosen = match meant.as_slice() {
            [] => return,
            [only] => only.0,
            several => {
                let all: f64 = several.iter().map(|one| one.1).sum();
                let mut left = (more() >> 11) as f64 / (1u64 << 53) as f64 * all;
                let hit = several.iter().find(|one| {
                    left -= one.1;
                    left < 0.0
                });
                hit.unwrap_or(&several[several.len() - 1]).0
            }
        };
        for one in chosen.iter().filter(|one| code(one.attribute) == one.code) {
            let word = &mut words[word_of(one.attribute)];
            *word = Places::squeezed(&one.places, *word);
        }
    }
}
