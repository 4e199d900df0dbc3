//! Which rows a condition means.

use super::code_box::CodeBox;
use super::pieces::Places;
use super::split::SplitBins;
use crate::{AttrId, Clique, Schema};

/// A set of possible rows: the rows of any of its boxes. Boxes do not overlap, but for bins that
/// the condition cuts: of those each box means values of its own ([`Filter::is_split`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    boxes: Vec<CodeBox>,
    pub(super) split: Option<Box<SplitBins>>,
}

impl Filter {
    /// Takes boxes that do not overlap.
    pub fn from_boxes(boxes: Vec<CodeBox>) -> Self {
        Self { boxes, split: None }
    }

    pub(super) fn with_split(boxes: Vec<CodeBox>, split: SplitBins) -> Self {
        Self { boxes, split: Some(Box::new(split)) }
    }

    /// Every row.
    pub fn everything() -> Self {
        Self::from_boxes(vec![CodeBox { parts: vec![] }])
    }

    /// The boxes. None: no row is meant.
    pub fn boxes(&self) -> &[CodeBox] {
        &self.boxes
    }

    /// The columns that the condition depends on.
    pub fn attributes(&self) -> Clique {
        Clique::new(self.boxes.iter().flat_map(|one| one.parts.iter().map(|part| part.0)))
    }

    /// Whether a full row of codes (one a modelled column) is meant, or may be.
    pub fn holds(&self, row: &[u32]) -> bool {
        self.boxes.iter().any(|one| one.holds(row))
    }

    /// Whether some bins are cut: codes then do not tell which rows are meant.
    pub fn is_split(&self) -> bool {
        self.split.is_some()
    }

    /// The bins that the condition cuts.
    pub fn split_bins(&self) -> &[(AttrId, u32)] {
        self.split.as_ref().map_or(&[], |split| &split.bins)
    }

    /// The codes of which a box means some values only, and their shares of the codes' values.
    pub fn shares(&self, place: usize) -> impl Iterator<Item = (AttrId, u32, f64)> {
        let split = self.split.iter().flat_map(move |split| &split.boxes[place]);
        split.map(|one| (one.attribute, one.code, Places::share(&one.places)))
    }

    /// The rows that are meant wherever their values lie inside bins.
    pub fn surely(&self) -> Self {
        Self::from_boxes(self.split.as_ref().map_or(&self.boxes, |split| &split.surely).clone())
    }

    /// The rows that are meant, or that may be: those in cut bins.
    pub fn possibly(&self) -> Self {
        Self::from_boxes(self.split.as_ref().map_or(&self.boxes, |split| &split.possibly).clone())
    }

    /// The rows of which their codes do not tell.
    pub fn doubtful(&self) -> Self {
        Self::from_boxes(self.split.as_ref().map_or(vec![], |split| split.doubtful.clone()))
    }

    /// Brings the bits by which values inside bins are drawn to values that are meant, for rows
    /// whose codes were drawn among those of the boxes, with the weights of their shares.
    ///
    /// `columns` has one slice of codes for each modelled column, and `words` the bits of their
    /// cells: all of the first column, then all of the second. `more` gives further bits.
    pub fn settle(&self, columns: &[Vec<u32>], words: &mut [u64], more: &mut dyn FnMut() -> u64) {
        let Some(split) = &self.split else { return };
        let rows = columns.first().map_or(0, Vec::len);
        (0..rows).for_each(|row| {
            let code = |attribute: AttrId| columns[attribute.index()][row];
            split.settle(&self.boxes, &code, words, &|attribute| attribute.index() * rows + row, more);
        });
    }

    /// One sentence for each column of which the condition cuts bins.
    pub fn notes(&self, schema: &Schema) -> Vec<String> {
        const SHOWN: usize = 4;
        let bins = self.split_bins();
        let told = bins.chunk_by(|one, next| one.0 == next.0).map(|bins| {
            let (attribute, codec) = (bins[0].0, schema.codec(bins[0].0));
            let labels = bins.iter().take(SHOWN).map(|bin| format!("{:?}", codec.label(bin.1)));
            let mut shown: Vec<String> = labels.collect();
            if bins.len() > SHOWN {
                shown.push(format!("{} more", bins.len() - SHOWN));
            }
            let (which, whose) = if bins.len() == 1 { ("bin", "its") } else { ("bins", "their") };
            let (shown, name) = (shown.join(", "), &schema.column(attribute).name);
            format!("The condition cuts the {which} {shown} of {name:?}: {whose} rows are taken to be spread evenly.")
        });
        told.collect()
    }
}
