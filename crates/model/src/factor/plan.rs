//! How the cells of a table map to the cells of a table over some of its axes, worked out once.

use lookalike_schema::AttrId;

/// More runs than this would mean a table of over 2^32 cells.
const MAX_OUTER: usize = 40;

/// The map from the cells of a large table to those of a small one over a subset of its axes, in the same order.
///
/// Neighbouring axes that are both kept, or both dropped, behave as one long axis. What is left alternates between kept
/// and dropped. The two innermost such runs are left to the kernels as `rows` times `len` contiguous cells; the runs
/// outside them are stepped through by a counter.
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
    /// The plan for a large table with the given axes and a small one with the axes for which `kept` holds.
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

    /// Calls `visit` for every piece of the cells `start..end` of the large table, in order.
    #[inline(always)]
    pub(super) fn pieces(&self, start: usize, end: usize, mut visit: impl FnMut(Piece)) {
        let (rows, len) = (self.rows, self.len);
        let pair = rows * len;
        let mut digits = [0usize; MAX_OUTER];
        let mut base = 0;
        let mut inside = start;
        if start >= pair {
            let mut rest = start / pair;
            inside = start % pair;
            for (axis, &(length, stride)) in self.outer.iter().enumerate().rev() {
                digits[axis] = rest % length;
                rest /= length;
                base += digits[axis] * stride;
            }
        }
        let mut at = start;
        while at < end {
            let stop = (at + pair - inside).min(end);
            if inside == 0 && stop - at == pair {
                visit(Piece { large: at, small: base, rows, len });
            } else {
                self.part(at, inside, stop - at, base, &mut visit);
            }
            at = stop;
            inside = 0;
            for (axis, &(length, stride)) in self.outer.iter().enumerate().rev() {
                digits[axis] += 1;
                base += stride;
                if digits[axis] < length {
                    break;
                }
                base -= stride * length;
                digits[axis] = 0;
            }
        }
    }

    /// A part of one pair of runs: a row's tail, whole rows, a row's head.
    #[inline(always)]
    fn part(&self, mut at: usize, mut inside: usize, mut left: usize, base: usize, visit: &mut impl FnMut(Piece)) {
        while left > 0 {
            let (row, place) = (inside / self.len, inside % self.len);
            let (rows, len) = if place == 0 && left >= self.len {
                (left / self.len, self.len)
            } else {
                (1, left.min(self.len - place))
            };
            let small = base + if self.inner_kept { place } else { row };
            visit(Piece { large: at, small, rows, len });
            at += rows * len;
            inside += rows * len;
            left -= rows * len;
        }
    }
}

/// The values of a table with its axes put into another order: `order[i]` is the old place of new axis `i`.
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
