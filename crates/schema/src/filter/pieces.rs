//! The codes of a column, cut at the values that comparisons name.
//!
//! A value inside a bin is drawn by 64 uniform bits, and larger bits never give a smaller value. So
//! the values of a bin between two points are those of a run of bits, their *places*, and their
//! share of the bin is that run's share of all bits: of whole numbers and days their number, of
//! numbers the width on the axis, in the decimals that the column writes.

use std::ops::Range;

use crate::Codec;
use crate::compare::AxisPoint;

/// The bits that draw a value inside a bin.
const BITS: u32 = 64;

/// A run of the bits by which values inside a bin are drawn, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Places {
    first: u64,
    last: u64,
}

impl Places {
    fn count(self) -> u128 {
        u128::from(self.last - self.first) + 1
    }

    /// Whether these are all places of a bin.
    pub fn is_all(runs: &[Self]) -> bool {
        runs.iter().map(|run| run.count()).sum::<u128>() == 1 << BITS
    }

    /// The share that these runs, which do not overlap, have of a bin.
    pub fn share(runs: &[Self]) -> f64 {
        runs.iter().map(|run| run.count()).sum::<u128>() as f64 / (1u128 << BITS) as f64
    }

    /// Whether these bits are among them.
    #[cfg(test)]
    pub fn holds(self, bits: u64) -> bool {
        self.first <= bits && bits <= self.last
    }

    /// The uniform bits brought into the runs, uniform there.
    pub fn squeezed(runs: &[Self], bits: u64) -> u64 {
        let mut at = (u128::from(bits) * runs.iter().map(|run| run.count()).sum::<u128>()) >> BITS;
        for run in runs {
            if at < run.count() {
                return run.first + at as u64;
            }
            at -= run.count();
        }
        bits
    }
}

/// A column's codes in ascending pieces, each with all of a code's places or some.
pub(super) struct ColumnPieces {
    /// Where each piece begins: its code, and behind it the first of its places.
    starts: Vec<u128>,
    codes: u32,
}

impl ColumnPieces {
    /// The codes of a column, cut at the ends of these spans of values.
    pub fn new<'a>(codec: &Codec, spans: impl Iterator<Item = &'a (AxisPoint, AxisPoint)>) -> Self {
        let codes = codec.size();
        let mut starts: Vec<u128> = (0..codes).map(|code| u128::from(code) << BITS).collect();
        starts.extend(spans.flat_map(|&(low, high)| [start(low, codec), start(high.after(), codec)]));
        starts.sort_unstable();
        starts.dedup();
        // A column without a missing code ends where nothing begins any more.
        starts.retain(|start| start >> BITS < u128::from(codes));
        Self { starts, codes }
    }

    /// The number of pieces.
    pub fn len(&self) -> u32 {
        self.starts.len() as u32
    }

    /// Whether some code is in several pieces.
    pub fn is_cut(&self) -> bool {
        self.len() > self.codes
    }

    /// The piece that begins where a code does.
    pub fn of_code(&self, code: u32) -> u32 {
        self.place(u128::from(code) << BITS)
    }

    /// The pieces of the values of a span at whose ends the codes were cut.
    pub fn of_span(&self, (low, high): (AxisPoint, AxisPoint), codec: &Codec) -> Range<u32> {
        self.place(start(low, codec))..self.place(start(high.after(), codec))
    }

    fn place(&self, start: u128) -> u32 {
        self.starts.partition_point(|one| *one < start) as u32
    }

    /// The code of a piece and its places.
    pub fn piece(&self, piece: u32) -> (u32, Places) {
        let start = self.starts[piece as usize];
        let end = self.starts.get(piece as usize + 1).copied().unwrap_or(u128::from(self.codes) << BITS);
        ((start >> BITS) as u32, Places { first: start as u64, last: (end - 1) as u64 })
    }
}

/// Where the values begin that are not below a point.
fn start(point: AxisPoint, codec: &Codec) -> u128 {
    let ends_below = |code| AxisPoint::of_code(codec, code).is_some_and(|(_, last)| last < point);
    let code = first_without(u64::from(codec.present()), |code| ends_below(code as u32)) as u32;
    let begin = u128::from(code) << BITS;
    let Some((first, _)) = AxisPoint::of_code(codec, code) else { return begin };
    if first >= point {
        return begin;
    }
    let is_below = |bits| AxisPoint::of_cell(&codec.decode(code, bits)).is_some_and(|value| value < point);
    match is_below(u64::MAX) {
        true => begin + (1 << BITS),
        false => begin + u128::from(first_without(u64::MAX, is_below)),
    }
}

/// The first number below `end` that does not have what all smaller ones have; `end` itself without
/// one.
fn first_without(end: u64, has: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, end);
    while low < high {
        let middle = low + (high - low) / 2;
        if has(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
