//! Small matrix products over many components of a mixture: the component is the fastest axis, so
//! loops are as wide as the processor whatever the columns' sizes are.
//!
//! Single precision: a descent needs directions, and the model that comes out of it is normalised
//! in full.

/// Components that lie side by side. Parameters are laid out as blocks of components, in each block
/// one row of this many numbers a code.
pub(crate) const LANES: usize = 64;
/// Rows that are multiplied at a time.
pub(crate) const ROWS: usize = 4;
/// Numbers of a vector register, or two or four of them.
const WIDE: usize = 16;
const HALF: usize = LANES / 2;

#[inline(always)]
fn fused<const FMA: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

/// `out[r][l]` = the inner product, over all components, of row `r` and of the codes' rows from
/// `first` on.
///
/// `rows` holds [`ROWS`] rows in blocks (`[block][row][lane]`); `codes` the parameters
/// (`[block][code][lane]`), `stride` numbers a block.
#[inline(always)]
pub(super) fn inner_products_body<const FMA: bool>(
    rows: &[f32],
    codes: &[f32],
    stride: usize,
    first: usize,
    out: &mut [f32],
) {
    let count = out.len() / ROWS;
    let mut code = 0;
    while code < count {
        let at = first + code * LANES;
        code += match count - code {
            4.. => products::<FMA, 4>(rows, codes, stride, at, &mut out[code..], count),
            2 | 3 => products::<FMA, 2>(rows, codes, stride, at, &mut out[code..], count),
            _ => products::<FMA, 1>(rows, codes, stride, at, &mut out[code..], count),
        };
    }
}

#[inline(always)]
fn products<const FMA: bool, const CODES: usize>(
    rows: &[f32],
    codes: &[f32],
    stride: usize,
    at: usize,
    out: &mut [f32],
    count: usize,
) -> usize {
    let mut sums = [[[0.0f32; WIDE]; CODES]; ROWS];
    for (rows, codes) in rows.chunks_exact(ROWS * LANES).zip(codes.chunks_exact(stride)) {
        let codes = &codes[at..at + CODES * LANES];
        for lane in (0..LANES).step_by(WIDE) {
            for (row, sums) in sums.iter_mut().enumerate() {
                let row = &rows[row * LANES + lane..row * LANES + lane + WIDE];
                for (code, sums) in sums.iter_mut().enumerate() {
                    let code = &codes[code * LANES + lane..code * LANES + lane + WIDE];
                    for ((sum, &a), &b) in sums.iter_mut().zip(row).zip(code) {
                        *sum = fused::<FMA>(a, b, *sum);
                    }
                }
            }
        }
    }
    for (row, sums) in sums.iter().enumerate() {
        for (code, sums) in sums.iter().enumerate() {
            out[row * count + code] = fold(sums);
        }
    }
    CODES
}

#[inline(always)]
fn fold(sums: &[f32; WIDE]) -> f32 {
    let mut lanes = *sums;
    let mut width = WIDE / 2;
    while width > 0 {
        for lane in 0..width {
            lanes[lane] += lanes[lane + width];
        }
        width /= 2;
    }
    lanes[0]
}

/// `out[m] += sum over n of slopes[m * steps.0 + n * steps.1] x[n]`, every row having [`LANES`]
/// numbers.
#[inline(always)]
pub(super) fn combine_body<const FMA: bool>(out: &mut [f32], slopes: &[f32], steps: (usize, usize), x: &[f32]) {
    let count = out.len() / LANES;
    let mut row = 0;
    while row < count {
        let (out, slopes) = (&mut out[row * LANES..], &slopes[row * steps.0..]);
        row += match count - row {
            4.. => combined::<FMA, 4>(out, slopes, steps, x),
            2 | 3 => combined::<FMA, 2>(out, slopes, steps, x),
            _ => combined::<FMA, 1>(out, slopes, steps, x),
        };
    }
}

#[inline(always)]
fn combined<const FMA: bool, const COUNT: usize>(
    out: &mut [f32],
    slopes: &[f32],
    steps: (usize, usize),
    x: &[f32],
) -> usize {
    for half in (0..LANES).step_by(HALF) {
        let mut sums = [[0.0f32; HALF]; COUNT];
        for (place, x) in x.chunks_exact(LANES).enumerate() {
            let x = &x[half..half + HALF];
            for (row, sums) in sums.iter_mut().enumerate() {
                let slope = slopes[row * steps.0 + place * steps.1];
                for (sum, &x) in sums.iter_mut().zip(x) {
                    *sum = fused::<FMA>(slope, x, *sum);
                }
            }
        }
        for (row, sums) in sums.iter().enumerate() {
            let out = &mut out[row * LANES + half..row * LANES + half + HALF];
            out.iter_mut().zip(sums).for_each(|(out, sum)| *out += sum);
        }
    }
    COUNT
}
