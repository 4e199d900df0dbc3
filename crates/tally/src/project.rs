//! Summing attributes out of a dense tally.

/// Adds the marginal of `cells` (row-major over `shape`, last axis fastest) on the axes marked in
/// `keep` to `out`. `out` is row-major over the kept axes in the same order.
pub(crate) fn project<T: Copy + Into<u64>>(cells: &[T], shape: &[usize], keep: &[bool], out: &mut [u64]) {
    let runs = merge(shape, keep);
    sum_out(cells, &runs, out);
}

/// Neighbouring axes with the same fate become one.
fn merge(shape: &[usize], keep: &[bool]) -> Vec<(usize, bool)> {
    let mut runs: Vec<(usize, bool)> = Vec::new();
    for (&size, &kept) in shape.iter().zip(keep) {
        match runs.last_mut() {
            Some((length, same)) if *same == kept => *length *= size,
            _ => runs.push((size, kept)),
        }
    }
    runs
}

fn sum_out<T: Copy + Into<u64>>(cells: &[T], runs: &[(usize, bool)], out: &mut [u64]) {
    match *runs {
        [] => out[0] += cells[0].into(),
        [(_, true)] => add(cells, out),
        [(_, false)] => out[0] += sum(cells),
        // The two commonest inner shapes, without a call for each row of cells.
        [(_, false), (inner, true)] => cells.chunks_exact(inner).for_each(|row| add(row, out)),
        [(_, true), (inner, false)] => {
            for (total, row) in out.iter_mut().zip(cells.chunks_exact(inner)) {
                *total += sum(row);
            }
        }
        [(length, true), ref rest @ ..] => {
            let (step, width) = (cells.len() / length, out.len() / length);
            for (part, row) in cells.chunks_exact(step).zip(out.chunks_exact_mut(width)) {
                sum_out(part, rest, row);
            }
        }
        [(length, false), ref rest @ ..] => {
            let step = cells.len() / length;
            for part in cells.chunks_exact(step) {
                sum_out(part, rest, out);
            }
        }
    }
}

fn add<T: Copy + Into<u64>>(cells: &[T], out: &mut [u64]) {
    for (total, &count) in out.iter_mut().zip(cells) {
        *total += count.into();
    }
}

fn sum<T: Copy + Into<u64>>(cells: &[T]) -> u64 {
    cells.iter().map(|&count| count.into()).sum()
}

/// Cells row-major over `shape` become cells row-major over the axes in the order `axes`: axis `k`
/// of the result is axis `axes[k]`.
pub(crate) fn transpose(cells: &[u64], shape: &[usize], axes: &[usize]) -> Vec<u64> {
    let mut strides = vec![1; shape.len()];
    for k in (1..shape.len()).rev() {
        strides[k - 1] = strides[k] * shape[k];
    }
    let mut out = Vec::with_capacity(cells.len());
    let mut digits = vec![0; axes.len()];
    let mut at = 0;
    while out.len() < cells.len() {
        out.push(cells[at]);
        for (digit, &axis) in digits.iter_mut().zip(axes).rev() {
            *digit += 1;
            at += strides[axis];
            if *digit < shape[axis] {
                break;
            }
            at -= *digit * strides[axis];
            *digit = 0;
        }
    }
    out
}
