//! One-way counts of a column with many ordered values, slot by slot: cells that stand out of their
//! noise are cut further, down to single values.
//!
//! Each slot is a partition of the column and refines the one before, so that all answers form a
//! tree. Least squares over the tree puts them together. Cells that stand out stay as they are,
//! neighbours that stand out together become a run, and what lies beyond the last of them is a
//! tail that falls off from there: noise must not put people where nobody is.
//!
//! # Privacy
//! Cuts follow from the schema and from answers that were paid for: free of charge.

use std::ops::Range;
use std::sync::Arc;

use lookalike_schema::{Codec, CodecKind, Grouping};

use super::Season;

/// The first slot has this many cells of equal width.
const EVEN_CELLS: u32 = 8;
/// Around 0 cells of the first slot are this many times as wide as the next nearer one: the scale
/// of a column is seldom that of its range.
const RATIO: f64 = 4.0;
/// A cell is cut when its count is this many standard deviations of an answer.
const CUT: f64 = 3.0;
/// It is cut into parts that have a mean count of this many of them; there are at most
/// [`MOST_PARTS`].
const PART: f64 = 1.0;
const MOST_PARTS: u32 = 64;

/// A range of codes, and what was answered about it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) codes: Range<u32>,
    /// The places of its parts, behind its own; none of a cell that is not cut.
    parts: Range<usize>,
    /// Answers weighted by their precision, and their precision.
    weighted: f64,
    precision: f64,
}

/// A column's cells, and what was answered about them.
#[derive(Clone, Debug, PartialEq)]
pub struct Descent {
    pub(super) cells: Vec<Cell>,
    /// The codes that have an order; those behind are cells of their own.
    pub(super) ordered: u32,
    /// The finest cells, in the order of their codes.
    pub(super) leaves: Vec<usize>,
    /// The variance of the last answer.
    variance: f64,
    /// Where each code begins, when codes are not equally wide.
    uneven: Option<Arc<[f64]>>,
    /// Counts of what comes again in a calendar.
    pub seasons: Vec<Season>,
}

impl Descent {
    /// The first partition of a column.
    pub fn new(codec: &Codec) -> Self {
        let (codes, ordered) = (codec.size(), codec.present());
        let mut cuts: Vec<u32> =
            (0..EVEN_CELLS).map(|cell| (u64::from(cell) * u64::from(ordered) / u64::from(EVEN_CELLS)) as u32).collect();
        if let Some(zero) = zero(codec) {
            cuts.extend([zero, zero + 1]);
            for (end, side) in [(ordered, 1.0), (0, -1.0)] {
                let mut away = RATIO / f64::from(EVEN_CELLS) * f64::from(end.abs_diff(zero));
                while away >= 1.0 {
                    cuts.push((f64::from(zero) + side * away).max(0.0) as u32);
                    away /= RATIO;
                }
            }
        }
        let (outer, below) = outer(codec);
        cuts.extend((0..=below).filter(|_| outer > 0).chain(ordered - (outer - below)..ordered));
        cuts.retain(|&cut| cut < ordered);
        cuts.extend(ordered..codes);
        cuts.sort_unstable();
        cuts.dedup();
        let whole = Cell { codes: 0..codes, parts: 0..0, weighted: 0.0, precision: 0.0 };
        let seasons = codec.recurring().into_iter().map(Season::new).collect();
        let mut made =
            Self { cells: vec![whole], ordered, leaves: Vec::new(), variance: 0.0, uneven: uneven(codec), seasons };
        made.cut(0, &cuts);
        made.find_leaves();
        made
    }

    fn cut(&mut self, cell: usize, starts: &[u32]) {
        let (first, end) = (self.cells.len(), self.cells[cell].codes.end);
        for (place, &start) in starts.iter().enumerate() {
            let codes = start..starts.get(place + 1).copied().unwrap_or(end);
            self.cells.push(Cell { codes, parts: 0..0, weighted: 0.0, precision: 0.0 });
        }
        self.cells[cell].parts = first..self.cells.len();
    }

    fn find_leaves(&mut self) {
        self.leaves = (0..self.cells.len()).filter(|&cell| self.cells[cell].parts.is_empty()).collect();
        self.leaves.sort_by_key(|&leaf| self.cells[leaf].codes.start);
    }

    /// Where a code begins, on the scale of the column's values.
    pub(super) fn begins(&self, code: u32) -> f64 {
        self.uneven.as_ref().map_or(f64::from(code), |begins| begins[code as usize])
    }

    /// The partition that the next answer is about; `None` when it is the codes themselves.
    pub fn partition(&self) -> Option<Grouping> {
        let codes = self.cells[0].codes.end as usize;
        let mut group_of = vec![0; codes];
        for (number, &leaf) in self.leaves.iter().enumerate() {
            let Range { start, end } = self.cells[leaf].codes;
            group_of[start as usize..end as usize].fill(number as u32);
        }
        Grouping::new(group_of).ok().filter(|_| self.leaves.len() < codes)
    }

    /// How many cells the partition has.
    pub fn cells(&self) -> usize {
        self.leaves.len()
    }

    /// How many codes the column has.
    pub fn codes(&self) -> usize {
        self.cells[0].codes.end as usize
    }

    /// The variance that a cell of the first slot is known with.
    pub fn variance(&self) -> f64 {
        let first = &self.known()[self.cells[0].parts.clone()];
        first.iter().map(|cell| cell.1).fold(0.0, f64::max)
    }

    /// Takes an answer about the partition.
    pub fn take(&mut self, values: &[f64], variance: f64) {
        let precision = variance.max(1e-300).recip();
        for (&leaf, value) in self.leaves.iter().zip(values) {
            self.cells[leaf].weighted += precision * value;
            self.cells[leaf].precision += precision;
        }
        self.variance = variance;
    }

    /// Cuts cells that stand out, for the next slot.
    pub fn refine(&mut self, rows: f64) {
        let noise = self.variance.sqrt().max(1e-9);
        for ((count, _), leaf) in self.fitted(rows).into_iter().zip(self.leaves.clone()) {
            let Range { start, end } = self.cells[leaf].codes;
            let width = end - start;
            if width < 2 || start >= self.ordered || count < CUT * noise {
                continue;
            }
            let parts = ((count / (PART * noise)) as u32).clamp(2, MOST_PARTS.min(width));
            let cuts: Vec<u32> =
                (0..parts).map(|part| start + (u64::from(part) * u64::from(width) / u64::from(parts)) as u32).collect();
            self.cut(leaf, &cuts);
        }
        self.find_leaves();
    }

    /// The row count that all answers speak for, and its variance.
    pub fn rows(&self) -> (f64, f64) {
        self.known().swap_remove(0)
    }

    /// What was answered about a code without an order, and the variance of that; `None` of others,
    /// and before there is an answer.
    pub fn answered(&self, code: u32) -> Option<(f64, f64)> {
        let is_own = |&&leaf: &&usize| code >= self.ordered && self.cells[leaf].codes.start == code;
        let cell = &self.cells[*self.leaves.iter().find(is_own)?];
        (cell.precision > 0.0).then(|| (cell.weighted / cell.precision, cell.precision.recip()))
    }

    /// The variance of the sum of these codes, which begin and end where cells do: cells that lie
    /// inside as a whole are known better than the sum of their parts.
    pub(super) fn variance_of(&self, codes: &Range<u32>, known: &[(f64, f64)]) -> f64 {
        let mut open = vec![0];
        let mut sum = 0.0;
        while let Some(place) = open.pop() {
            let cell = &self.cells[place];
            if cell.codes.start >= codes.start && cell.codes.end <= codes.end {
                sum += known[place].1;
            } else if cell.codes.start < codes.end && cell.codes.end > codes.start {
                open.extend(cell.parts.clone());
            }
        }
        sum
    }

    /// For each cell what it and all below it say, and the variance of that.
    pub(super) fn known(&self) -> Vec<(f64, f64)> {
        let mut known = vec![(0.0, f64::INFINITY); self.cells.len()];
        // Parts stand behind their cell.
        for (place, cell) in self.cells.iter().enumerate().rev() {
            let (mut weighted, mut precision) = (cell.weighted, cell.precision);
            if !cell.parts.is_empty() {
                let parts = &known[cell.parts.clone()];
                let sum = parts.iter().fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
                weighted += sum.0 / sum.1;
                precision += 1.0 / sum.1;
            }
            known[place] = (weighted / precision.max(1e-300), precision.max(1e-300).recip());
        }
        known
    }

    /// Least squares of all answers for the finest cells, with their variances. The row count is
    /// given.
    pub(super) fn fitted(&self, rows: f64) -> Vec<(f64, f64)> {
        let mut known = self.known();
        known[0].0 = rows;
        for (place, cell) in self.cells.iter().enumerate().filter(|(_, cell)| !cell.parts.is_empty()) {
            let whole = known[place].0;
            let parts = &mut known[cell.parts.clone()];
            let sum = parts.iter().fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
            parts.iter_mut().for_each(|part| part.0 += (whole - sum.0) * part.1 / sum.1);
        }
        self.leaves.iter().map(|&leaf| known[leaf]).collect()
    }
}

/// The code of the number 0.
fn zero(codec: &Codec) -> Option<u32> {
    match codec.kind() {
        CodecKind::Integer(axis) => axis.contains(0).then(|| axis.bin(0)),
        CodecKind::Number(axis) => axis.contains(0.0).then(|| axis.bin(0.0)),
        _ => None,
    }
}

/// How many codes are values outside of the column's range, and how many of these are below it.
fn outer(codec: &Codec) -> (u32, u32) {
    match codec.kind() {
        CodecKind::Integer(axis) => axis.outer(),
        CodecKind::Number(axis) => axis.outer(),
        _ => (0, 0),
    }
}

/// Where codes begin, and the last one ends; `None` when they are equally wide. Values outside of
/// the range stand next to it, as wide as the code there.
fn uneven(codec: &Codec) -> Option<Arc<[f64]>> {
    let (outer, below) = outer(codec);
    let codes = codec.present() - outer;
    let bounds = |code: u32| match codec.kind() {
        CodecKind::Integer(axis) => {
            let (first, last) = axis.bounds(below + code);
            Some((first as f64, last as f64 + axis.step() as f64))
        }
        CodecKind::Number(axis) => Some(axis.bounds(below + code)),
        _ => None,
    };
    // A third and not the middle, which is where it should be on ranges around 0.
    let last = bounds(codes.checked_sub(1)?)?;
    let (low, high, third) = (bounds(0)?.0, last.1, bounds(codes / 3)?.0);
    let even = low + (high - low) * f64::from(codes / 3) / f64::from(codes);
    if (third - even).abs() <= 1e-3 * (high - low) {
        return None;
    }
    let widths = (bounds(0)?.1 - low, last.1 - last.0);
    let before = (1..=below).rev().map(|place| low - widths.0 * f64::from(place));
    let begins = (0..codes).filter_map(|code| Some(bounds(code)?.0));
    let behind = (1..=outer - below).map(|place| high + widths.1 * f64::from(place));
    Some(before.chain(begins).chain([high]).chain(behind).collect())
}
