//! How the cells of an array map to the cells of an array over some of its axes, worked out once.

use lookalike_schema::AttrId;

/// More runs than this would mean an array of over 2^32 cells.
const MAX_OUTER: usize = 32;

/// The map from the cells of a large array to those of a small one over a subset of its axes, in
/// the same order.
///
/// Neighbouring axes that are both kept, or both dropped, behave as one long axis. What is left
/// alternates between kept and dropped. The two innermost such runs are left to the kernels as
/// `rows` times `len` contiguous cells; the runs outside them are stepped through by a counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxisMap {
    /// Length and stride in the small array (0 when dropped) of each outer run, outermost first.
    outer: Vec<(usize, usize)>,
    pub(super) rows: usize,
    pub(super) len: usize,
    /// Whether the innermost run is kept (then the rows are dropped), or the other way round.
    pub(super) inner_kept: bool,
    large: usize,
    small: usize,
}

/// A contiguous part of the large array that meets one contiguous part of the small one.
#[derive(Clone, Copy)]
pub(super) struct CellBlock {
    /// First cell in the large array.
    pub large: usize,
    /// First cell in the small array.
    pub small: usize,
    /// Rows of the part.
    pub rows: usize,
    /// Cells of each row.
    pub len: usize,
}

impl AxisMap {
    /// The map of a large array with the given axes and a small one with the axes for which
    /// `kept` holds.
    pub fn new(axes: &[(AttrId, usize)], kept: impl Fn(AttrId) -> bool) -> Self {
        let mut runs: Vec<(usize, bool)> = Vec::with_capacity(axes.len());
        for &(attribute, size) in axes.iter().filter(|axis| axis.1 != 1) {
            let keep = kept(attribute);
            match runs.last_mut() {
                Some((length, kind)) if *kind == keep => *length *= size,
                _ => runs.push((size, keep)),
            }
        }
        let large = runs.iter().map(|run| run.0).product();
        let small = runs.iter().filter(|run| run.1).map(|run| run.0).product();
        let (len, inner_kept) = runs.pop().unwrap_or((1, true));
        let rows = runs.pop().map_or(1, |run| run.0);
        let mut stride = if inner_kept { len } else { rows };
        let mut outer: Vec<(usize, usize)> = Vec::with_capacity(runs.len());
        for (length, keep) in runs.into_iter().rev() {
            outer.push((length, if keep { stride } else { 0 }));
            stride *= if keep { length } else { 1 };
        }
        outer.reverse();
        assert!(outer.len() <= MAX_OUTER, "an array of this many axes cannot exist");
        Self { outer, rows, len, inner_kept, large, small }
    }

    /// Cells of the large array.
    #[cfg(test)]
    pub fn large(&self) -> usize {
        self.large
    }

    /// Cells of the small array.
    pub fn small(&self) -> usize {
        self.small
    }

    /// Whether both arrays have the same axes.
    pub fn is_identity(&self) -> bool {
        self.small == self.large
    }

    /// The blocks of the cells `start..end` of the large array, in order.
    #[inline(always)]
    pub(super) fn blocks(&self, start: usize, end: usize) -> CellBlocks<'_> {
        let pair = self.rows * self.len;
        let mut blocks = CellBlocks { map: self, digits: [0; MAX_OUTER], at: start, inside: start, end, base: 0 };
        if start >= pair {
            let mut rest = start / pair;
            blocks.inside = start % pair;
            for (axis, &(length, stride)) in self.outer.iter().enumerate().rev() {
                blocks.digits[axis] = (rest % length) as u32;
                blocks.base += rest % length * stride;
                rest /= length;
            }
        }
        blocks
    }
}

/// A walk over the blocks of a range of cells.
///
/// A loop over this has its body in one place, so that the body is compiled with the vectors of the
/// kernel it stands in. A closure called from several places would become a function of its own,
/// for the oldest processor.
pub(super) struct CellBlocks<'a> {
    map: &'a AxisMap,
    digits: [u32; MAX_OUTER],
    at: usize,
    /// Cells of the present pair of runs that lie before `at`.
    inside: usize,
    end: usize,
    /// The small array's cell of the present pair of runs.
    base: usize,
}

impl Iterator for CellBlocks<'_> {
    type Item = CellBlock;

    #[inline(always)]
    fn next(&mut self) -> Option<CellBlock> {
        if self.at >= self.end {
            return None;
        }
        let (rows, len) = (self.map.rows, self.map.len);
        let left = self.end - self.at;
        let block = if self.inside == 0 && left >= rows * len {
            CellBlock { large: self.at, small: self.base, rows, len }
        } else {
            // A row's tail, whole rows, or a row's head.
            let (row, place) = (self.inside / len, self.inside % len);
            let small = self.base + if self.map.inner_kept { place } else { row };
            if place == 0 && left >= len {
                CellBlock { large: self.at, small, rows: (left / len).min(rows - row), len }
            } else {
                CellBlock { large: self.at, small, rows: 1, len: left.min(len - place) }
            }
        };
        self.at += block.rows * block.len;
        self.inside += block.rows * block.len;
        if self.inside == rows * len {
            self.inside = 0;
            for (axis, &(length, stride)) in self.map.outer.iter().enumerate().rev() {
                self.digits[axis] += 1;
                self.base += stride;
                if (self.digits[axis] as usize) < length {
                    break;
                }
                self.base -= stride * length;
                self.digits[axis] = 0;
            }
        }
        Some(block)
    }
}
