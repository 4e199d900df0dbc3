//! From comparisons to boxes: codes are cut where comparisons cut them, the boxes are made of the
//! pieces, and pieces are put back to codes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::code_box::CodeBox;
use super::diagram::boxes;
use super::formula::{CodeSet, Formula};
use super::lex::fault;
use super::parse::Comparison;
use super::pieces::{ColumnPieces, Places};
use super::row_set::Filter;
use super::split::{SplitBins, SplitCode};
use crate::compare::complement;
use crate::{AttrId, Schema, SchemaError};

/// The most pieces that all comparisons together may list.
const MOST_LISTED: usize = 1 << 24;

type Pieces = BTreeMap<AttrId, ColumnPieces>;

/// The rows that a formula means.
pub(super) fn filter(formula: Formula, comparisons: &[Comparison], schema: &Schema) -> Result<Filter, SchemaError> {
    let mut pieces = Pieces::new();
    for comparison in comparisons {
        pieces.entry(comparison.attribute).or_insert_with(|| {
            let same = comparisons.iter().filter(|other| other.attribute == comparison.attribute);
            ColumnPieces::new(schema.codec(comparison.attribute), same.flat_map(|other| &other.spans))
        });
    }
    let mut listed = 0;
    let mut sets = Vec::with_capacity(comparisons.len());
    for comparison in comparisons {
        sets.push(set(comparison, &pieces[&comparison.attribute], schema));
        listed += sets[sets.len() - 1].codes.len();
        if listed > MOST_LISTED {
            return Err(fault("", 0, 0, "comparisons with too many codes", "ask for less at a time"));
        }
    }
    let size = |attribute: AttrId| pieces.get(&attribute).map_or(0, ColumnPieces::len);
    let fine = boxes(&formula, &sets, &size)?;
    if !pieces.values().any(ColumnPieces::is_cut) {
        return Ok(Filter::from_boxes(fine));
    }
    let (coarse, split): (Vec<CodeBox>, Vec<Vec<SplitCode>>) = fine.iter().map(|one| put_back(one, &pieces)).unzip();
    let bins: BTreeSet<(AttrId, u32)> = split.iter().flatten().map(|one| (one.attribute, one.code)).collect();
    if bins.is_empty() {
        return Ok(Filter::from_boxes(coarse));
    }
    // Rows of which a part is meant, and rows of which a part is not.
    let others: Vec<CodeBox> =
        boxes(&formula.opposite(), &sets, &size)?.iter().map(|one| put_back(one, &pieces).0).collect();
    let mut known = KnownSets::default();
    let (meant, not_meant) = (known.formula(&coarse), known.formula(&others));
    let of = |formula: &Formula| boxes(formula, &known.sets, &|attribute| schema.domain().size(attribute));
    let split = SplitBins {
        boxes: split,
        surely: of(&not_meant.clone().opposite())?,
        possibly: of(&meant)?,
        doubtful: of(&Formula::all(vec![meant, not_meant]))?,
        bins: bins.into_iter().collect(),
    };
    Ok(Filter::with_split(coarse, split))
}

/// The pieces that a comparison means.
fn set(comparison: &Comparison, pieces: &ColumnPieces, schema: &Schema) -> CodeSet {
    let codec = schema.codec(comparison.attribute);
    let mut codes: Vec<u32> = comparison.codes.iter().map(|&code| pieces.of_code(code)).collect();
    codes.extend(comparison.spans.iter().flat_map(|&span| pieces.of_span(span, codec)));
    codes.sort_unstable();
    codes.dedup();
    let codes = if comparison.wanted { codes } else { complement(&codes, pieces.len()) };
    CodeSet { attribute: comparison.attribute, codes }
}

/// A box of pieces as a box of codes, and the codes of which it has some pieces only.
fn put_back(fine: &CodeBox, pieces: &Pieces) -> (CodeBox, Vec<SplitCode>) {
    let mut parts = Vec::with_capacity(fine.parts.len());
    let mut split = Vec::new();
    for (attribute, listed) in &fine.parts {
        let mut codes: Vec<u32> = Vec::with_capacity(listed.len());
        let found: Vec<(u32, Places)> = listed.iter().map(|&piece| pieces[attribute].piece(piece)).collect();
        for same in found.chunk_by(|one, next| one.0 == next.0) {
            codes.push(same[0].0);
            let places: Vec<Places> = same.iter().map(|one| one.1).collect();
            if !Places::is_all(&places) {
                split.push(SplitCode { attribute: *attribute, code: same[0].0, places });
            }
        }
        parts.push((*attribute, codes));
    }
    (CodeBox { parts }, split)
}

/// Sets of codes, each once.
#[derive(Default)]
struct KnownSets {
    sets: Vec<CodeSet>,
    number: HashMap<CodeSet, usize>,
}

impl KnownSets {
    /// The rows of any of the boxes, which may overlap.
    fn formula(&mut self, boxes: &[CodeBox]) -> Formula {
        let one = |one: &CodeBox| {
            let parts = one.parts.iter().map(|(attribute, codes)| {
                let set = CodeSet { attribute: *attribute, codes: codes.clone() };
                let comparison = *self.number.entry(set).or_insert_with_key(|set| {
                    self.sets.push(set.clone());
                    self.sets.len() - 1
                });
                Formula::Holds { comparison, wanted: true }
            });
            Formula::all(parts.collect())
        };
        Formula::any(boxes.iter().map(one).collect())
    }
}
