//! How the cells of a table map to the cells of a table over some of its axes, worked out once.

use lookalike_schema::AttrId;

/// More runs than this would mean a table of over 2^32 cells.
const MAX_OUTER: usize = 32;

/// The map from the cells of a large table to those of a small one over a subset of its axes, in
/// the same order.
///
/// Neighbouring axes that are both kept, or both dropped, behave as one long axis. What is left
/// alternates between kept and dropped. The two innermost such runs are left to the kernels as
/// `rows` times `len` contiguous cells; the runs outside them are stepped through by a counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Length and stride in the small table (0 when dropped) of each outer run, outermost first.
    outer: Vec<(usize, usize)>,
    pub(super) rows: usize,
    pub(super) len: usize,
    /// Whether the innermost run is kept (then the rows are dropped), or the other way round.
    pub(super) inner_kept: bool,
    large: usize,
    small: usize,
}

/// A contiguous part of the large table that meets one contiguous part of the small one.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    /// First cell in the large table.
    pub large: usize,
    /// First cell in the small table.
    pub small: usize,
    /// Rows of the part.
    pub rows: usize,
    /// Cells of each row.
    pub len: usize,
}

impl Plan {
    /// The plan for a large table with the given axes and a small one with the axes for which
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
        assert!(outer.len() <= MAX_OUTER, "a table of this many axes cannot exist");
        Self { outer, rows, len, inner_kept, large, small }
    }

    /// Cells of the large table.
    pub fn large(&self) -> usize {
        self.large
    }

    /// Cells of the small table.
    pub fn small(&self) -> usize {
        self.small
    }

    /// Whether both tables have the same axes.
    pub fn is_identity(&self) -> bool {
        self.small == self.large
    }

    /// The pieces of the cells `start..end` of the large table, in order.
    #[inline(always)]
    pub(super) fn pieces(&self, start: usize, end: usize) -> Pieces<'_> {
        let pair = self.rows * self.len;
        let mut pieces = Pieces { plan: self, digits: [0; MAX_OUTER], at: start, inside: start, end, base: 0 };
        if start >= pair {
            let mut rest = start / pair;
            pieces.inside = start % pair;
            for (axis, &(length, stride)) in self.outer.iter().enumerate().rev() {
                pieces.digits[axis] = (rest % length) as u32;
                pieces.base += rest % length * stride;
                rest /= length;
            }
        }
        pieces
    }
}

/// A walk over the pieces of a range of cells.
///
/// A loop over this has its body in one place, so that the body is compiled with the vectors of the
/// kernel it stands in. A closure called from several places would become a function of its own,
/// for the oldest processor.
pub(super) struct Pieces<'a> {
    plan: &'a Plan,
    digits: [u32; MAX_OUTER],
    at: usize,
    /// Cells of the present pair of runs that lie before `at`.
    inside: usize,
    end: usize,
    /// The small table's cell of the present pair of runs.
    base: usize,
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    #[inline(always)]
    fn next(&mut self) -> Option<Piece> {
        if self.at >= self.end {
            return None;
        }
        let (rows, len) = (self.plan.rows, self.plan.len);
        let left = self.end - self.at;
        let piece = if self.inside == 0 && left >= rows * len {
            Piece { large: self.at, small: self.base, rows, len }
        } else {
            // A row's tail, whole rows, or a row's head.
            let (row, place) = (self.inside / len, self.inside % len);
            let small = self.base + if self.plan.inner_kept { place } else { row };
            if place == 0 && left >= len {
                Piece { large: self.at, small, rows: (left / len).min(rows - row), len }
            } else {
                Piece { large: self.at, small, rows: 1, len: left.min(len - place) }
            }
        };
        self.at += piece.rows * piece.len;
        self.inside += piece.rows * piece.len;
        if self.inside == rows * len {
            self.inside = 0;
            for (axis, &(length, stride)) in self.plan.outer.iter().enumerate().rev() {
                self.digits[axis] += 1;
                self.base += stride;
                if (self.digits[axis] as usize) < length {
                    break;
                }
                self.base -= stride * length;
                self.digits[axis] = 0;
            }
        }
        Some(piece)
    }
}

/// The values of a table with its axes put into another order: `order[i]` is the old place of new
/// axis `i`.
pub(crate) fn permuted(values: &[f64], shape: &[usize], order: &[usize]) -> Vec<f64> {
    let mut out = vec![0.0; values.len()];
    permute_into(values, shape, order, &mut out);
    out
}

/// As [`permuted`], into a buffer.
pub(crate) fn permute_into(values: &[f64], shape: &[usize], order: &[usize], out: &mut [f64]) {
    if order.iter().enumerate().all(|(new, &old)| new == old) {
        out.copy_from_slice(values);
        return;
    }
    let mut strides = vec![1usize; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    let lengths: Vec<usize> = order.iter().map(|&old| shape[old]).collect();
    let steps: Vec<usize> = order.iter().map(|&old| strides[old]).collect();
    let (Some(&inner), Some(&step)) = (lengths.last(), steps.last()) else { return };
    let mut digits = vec![0usize; lengths.len()];
    let mut base = 0;
    for row in out.chunks_exact_mut(inner) {
        for (place, cell) in row.iter_mut().enumerate() {
            *cell = values[base + place * step];
        }
        for axis in (0..lengths.len() - 1).rev() {
            digits[axis] += 1;
            base += steps[axis];
            if digits[axis] < lengths[axis] {
                break;
            }
            base -= steps[axis] * lengths[axis];
            digits[axis] = 0;
        }
    }
}
