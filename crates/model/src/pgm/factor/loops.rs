//! The bodies of the kernels: plain loops, written so that compilers see whole vectors in them.

use super::axis_map::{AxisMap, CellBlock};
use super::exp::exp;

/// Picks a kernel with a row length known at compile time when rows are short.
macro_rules! by_length {
    ($len:expr, $kernel:ident($($arg:expr),*)) => {
        match $len {
            2 => $kernel::<2>($($arg),*),
            3 => $kernel::<3>($($arg),*),
            4 => $kernel::<4>($($arg),*),
            5 => $kernel::<5>($($arg),*),
            6 => $kernel::<6>($($arg),*),
            7 => $kernel::<7>($($arg),*),
            8 => $kernel::<8>($($arg),*),
            _ => $kernel::<0>($($arg),*),
        }
    };
}

#[inline(always)]
pub(super) fn exponentials_body<const FMA: bool>(cells: &mut [f64], shift: f64) {
    for cell in cells {
        *cell = exp::<FMA>(*cell - shift);
    }
}

#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline(always)]
pub(super) fn largest_body<const FMA: bool>(cells: &[f64]) -> f64 {
    let mut lanes = [f64::NEG_INFINITY; 16];
    let chunks = cells.chunks_exact(16);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, &cell) in lanes.iter_mut().zip(chunk) {
            *lane = larger(*lane, cell);
        }
    }
    rest.iter().chain(&lanes).fold(f64::NEG_INFINITY, |top, &cell| larger(top, cell))
}

#[inline(always)]
pub(super) fn total_body<const FMA: bool>(cells: &[f64]) -> f64 {
    let mut lanes = [0.0; 16];
    let chunks = cells.chunks_exact(16);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, &cell) in lanes.iter_mut().zip(chunk) {
            *lane += cell;
        }
    }
    fold_lanes(lanes) + rest.iter().sum::<f64>()
}

#[inline(always)]
fn fold_lanes(mut lanes: [f64; 16]) -> f64 {
    let mut width = 8;
    while width > 0 {
        for lane in 0..width {
            lanes[lane] += lanes[lane + width];
        }
        width /= 2;
    }
    lanes[0]
}

/// The inner product of numbers of either precision, in double precision.
#[inline(always)]
pub(super) fn dot_body<const FMA: bool>(a: &[impl Copy + Into<f64>], b: &[impl Copy + Into<f64>]) -> f64 {
    let mut lanes = [0.0; 16];
    let (left, right) = (a.chunks_exact(16), b.chunks_exact(16));
    let rest: f64 = left.remainder().iter().zip(right.remainder()).map(|(&x, &y)| x.into() * y.into()).sum();
    for (x, y) in left.zip(right) {
        for lane in 0..16 {
            let (x, y): (f64, f64) = (x[lane].into(), y[lane].into());
            lanes[lane] = if FMA { x.mul_add(y, lanes[lane]) } else { lanes[lane] + x * y };
        }
    }
    fold_lanes(lanes) + rest
}

#[inline(always)]
pub(super) fn add_onto_body<const FMA: bool>(map: &AxisMap, start: usize, large: &[f64], small: &mut [f64]) {
    for CellBlock { large: at, small: place, rows, len } in map.blocks(start, start + large.len()) {
        let cells = &large[at - start..at - start + rows * len];
        if map.inner_kept {
            by_length!(len, add_rows(cells, &mut small[place..place + len]));
        } else {
            by_length!(len, add_within_rows(cells, len, &mut small[place..place + rows]));
        }
    }
}

/// Adds every row, cell by cell.
#[inline(always)]
fn add_rows<const LEN: usize>(cells: &[f64], small: &mut [f64]) {
    if LEN > 0 {
        let mut sums = [0.0; LEN];
        for row in cells.chunks_exact(LEN) {
            for (sum, &cell) in sums.iter_mut().zip(row) {
                *sum += cell;
            }
        }
        for (slot, sum) in small.iter_mut().zip(sums) {
            *slot += sum;
        }
        return;
    }
    let len = small.len();
    // Four rows at a time: the sums are then loaded and stored once for four cells.
    let mut blocks = cells.chunks_exact(4 * len);
    for block in &mut blocks {
        let (front, back) = block.split_at(2 * len);
        let ((a, b), (c, d)) = (front.split_at(len), back.split_at(len));
        for ((((slot, a), b), c), d) in small.iter_mut().zip(a).zip(b).zip(c).zip(d) {
            *slot += (a + b) + (c + d);
        }
    }
    for row in blocks.remainder().chunks_exact(len) {
        for (slot, &cell) in small.iter_mut().zip(row) {
            *slot += cell;
        }
    }
}

/// Adds each row's sum to its own cell.
#[inline(always)]
fn add_within_rows<const LEN: usize>(cells: &[f64], len: usize, small: &mut [f64]) {
    if LEN > 0 {
        for (slot, row) in small.iter_mut().zip(cells.chunks_exact(LEN)) {
            *slot += row.iter().sum::<f64>();
        }
        return;
    }
    for (slot, row) in small.iter_mut().zip(cells.chunks_exact(len)) {
        *slot += total_body::<false>(row);
    }
}

#[inline(always)]
pub(super) fn raise_onto_body<const FMA: bool>(map: &AxisMap, start: usize, large: &[f64], small: &mut [f64]) {
    for CellBlock { large: at, small: place, rows, len } in map.blocks(start, start + large.len()) {
        let cells = &large[at - start..at - start + rows * len];
        if map.inner_kept {
            for row in cells.chunks_exact(len) {
                for (slot, &cell) in small[place..place + len].iter_mut().zip(row) {
                    *slot = larger(*slot, cell);
                }
            }
        } else {
            for (slot, row) in small[place..place + rows].iter_mut().zip(cells.chunks_exact(len)) {
                *slot = larger(*slot, largest_body::<FMA>(row));
            }
        }
    }
}

#[inline(always)]
pub(super) fn multiply_by_body<const FMA: bool>(map: &AxisMap, start: usize, large: &mut [f64], small: &[f64]) {
    for CellBlock { large: at, small: place, rows, len } in map.blocks(start, start + large.len()) {
        let cells = &mut large[at - start..at - start + rows * len];
        if map.inner_kept {
            by_length!(len, multiply_rows(cells, &small[place..place + len]));
        } else {
            by_length!(len, multiply_within_rows(cells, len, &small[place..place + rows]));
        }
    }
}

#[inline(always)]
fn multiply_rows<const LEN: usize>(cells: &mut [f64], small: &[f64]) {
    let len = if LEN > 0 { LEN } else { small.len() };
    let small = &small[..len];
    for row in cells.chunks_exact_mut(len) {
        for (cell, &factor) in row.iter_mut().zip(small) {
            *cell *= factor;
        }
    }
}

#[inline(always)]
fn multiply_within_rows<const LEN: usize>(cells: &mut [f64], len: usize, small: &[f64]) {
    let len = if LEN > 0 { LEN } else { len };
    for (row, &factor) in cells.chunks_exact_mut(len).zip(small) {
        for cell in row {
            *cell *= factor;
        }
    }
}

#[inline(always)]
pub(super) fn add_from_body<const FMA: bool>(
    map: &AxisMap,
    start: usize,
    large: &mut [f64],
    small: &[f64],
    scale: f64,
) {
    for CellBlock { large: at, small: place, rows, len } in map.blocks(start, start + large.len()) {
        let cells = &mut large[at - start..at - start + rows * len];
        if map.inner_kept {
            by_length!(len, extend_rows(cells, &small[place..place + len], scale));
        } else {
            by_length!(len, extend_within_rows(cells, len, &small[place..place + rows], scale));
        }
    }
}

#[inline(always)]
fn extend_rows<const LEN: usize>(cells: &mut [f64], small: &[f64], scale: f64) {
    let len = if LEN > 0 { LEN } else { small.len() };
    let small = &small[..len];
    for row in cells.chunks_exact_mut(len) {
        for (cell, &term) in row.iter_mut().zip(small) {
            *cell += scale * term;
        }
    }
}

#[inline(always)]
fn extend_within_rows<const LEN: usize>(cells: &mut [f64], len: usize, small: &[f64], scale: f64) {
    let len = if LEN > 0 { LEN } else { len };
    for (row, &term) in cells.chunks_exact_mut(len).zip(small) {
        let term = scale * term;
        for cell in row {
            *cell += term;
        }
    }
}

/// Cells of one round of [`anderson_step_body`]: few enough to stay in the first-level cache.
const ROUND: usize = 512;

#[inline(always)]
pub(super) fn anderson_step_body<const FMA: bool>(
    out: &mut [f64],
    at: &[f64],
    slope: &[f64],
    steps: &[&[f32]],
    changes: &[&[f32]],
    weights: &[f64],
    rate: f64,
) {
    let mut bent = [0.0; ROUND];
    for (round, out) in out.chunks_mut(ROUND).enumerate() {
        let cells = round * ROUND..round * ROUND + out.len();
        let bent = &mut bent[..out.len()];
        out.copy_from_slice(&at[cells.clone()]);
        bent.copy_from_slice(&slope[cells.clone()]);
        for ((step, change), &weight) in steps.iter().zip(changes).zip(weights) {
            for (cell, &step) in out.iter_mut().zip(&step[cells.clone()]) {
                *cell -= weight * f64::from(step);
            }
            for (cell, &change) in bent.iter_mut().zip(&change[cells.clone()]) {
                *cell -= weight * f64::from(change);
            }
        }
        for (cell, &slope) in out.iter_mut().zip(&*bent) {
            *cell -= rate * slope;
        }
    }
}

#[inline(always)]
pub(super) fn squared_distance_body<const FMA: bool>(a: &[f64], b: &[f64], scale: f64) -> f64 {
    let mut lanes = [0.0; 16];
    let (left, right) = (a.chunks_exact(16), b.chunks_exact(16));
    let rest = left.remainder().iter().zip(right.remainder());
    let rest: f64 = rest.map(|(x, y)| (scale * x - y) * (scale * x - y)).sum();
    for (x, y) in left.zip(right) {
        for lane in 0..16 {
            let apart = scale * x[lane] - y[lane];
            lanes[lane] = if FMA { apart.mul_add(apart, lanes[lane]) } else { lanes[lane] + apart * apart };
        }
    }
    fold_lanes(lanes) + rest
}
