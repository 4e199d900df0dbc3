//! Algebra on random factors, and kernels against plain loops.

use lookalike_schema::{AttrId, Clique, Domain};
use proptest::prelude::*;

use super::axis_map::AxisMap;
use super::kernel::{self, VectorLevel};
use super::{Factor, LogFactor};

const SIZES: [u32; 6] = [2, 3, 1, 9, 4, 17];

fn domain() -> Domain {
    Domain::new(SIZES.to_vec())
}

/// Up to four of the six attributes.
fn clique() -> impl Strategy<Value = Clique> {
    proptest::collection::vec(0u32..6, 0..4).prop_map(|members| Clique::new(members.into_iter().map(AttrId)))
}

/// A stream of numbers in (0, 1] from a seed.
pub(crate) fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 11) as f64 + 1.0) / 9_007_199_254_740_992.0
    }
}

fn factor(clique: &Clique, seed: u64) -> Factor {
    let mut next = noise(seed);
    let cells = domain().cells(clique).unwrap() as usize;
    Factor::new(&domain(), clique, (0..cells).map(|_| next()).collect()).unwrap()
}

fn assert_close(one: &[f64], two: &[f64]) {
    assert_eq!(one.len(), two.len());
    for (a, b) in one.iter().zip(two) {
        assert!((a - b).abs() <= 1e-12 * (1.0 + a.abs()), "{a} against {b}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn products_commute_and_associate(a in clique(), b in clique(), c in clique(), seed: u64) {
        let (x, y, z) = (factor(&a, seed), factor(&b, seed ^ 1), factor(&c, seed ^ 2));
        let one = x.multiply(&y).unwrap().multiply(&z).unwrap();
        let two = x.multiply(&z.multiply(&y).unwrap()).unwrap();
        prop_assert_eq!(one.clique(), a.union(&b).union(&c));
        assert_close(one.values(), two.values());
    }

    #[test]
    fn sums_meet_products(a in clique(), b in clique(), kept in clique(), seed: u64) {
        let (x, y) = (factor(&a, seed), factor(&b, seed ^ 1));
        // What is kept may be taken out of the sum.
        let all = kept.union(&b);
        let one = x.multiply(&y).unwrap().sum_onto(&all);
        let two = x.sum_onto(&all).multiply(&y).unwrap();
        assert_close(one.values(), two.values());
        // In two steps or in one.
        assert_close(one.sum_onto(&kept).values(), x.multiply(&y).unwrap().sum_onto(&kept).values());
        // Logs are cell by cell.
        let back: Vec<f64> = x.ln().values().iter().map(|log| log.exp()).collect();
        assert_close(&back, x.values());
    }

    /// Every kernel, at every level, on the whole table or cut anywhere, does what a loop over
    /// digits does.
    #[test]
    fn kernels_are_loops_over_digits(kept in proptest::collection::vec(any::<bool>(), 6), cut in 0usize..3673, seed: u64) {
        let axes: Vec<(AttrId, usize)> = (0..6).map(|a| (AttrId(a), SIZES[a as usize] as usize)).collect();
        let plan = AxisMap::new(&axes, |attribute| kept[attribute.index()]);
        let cells = plan.large();
        prop_assert_eq!(cells, 3672);
        let map: Vec<usize> = (0..cells).map(|cell| place(cell, &axes, &kept)).collect();
        let mut next = noise(seed);
        let large: Vec<f64> = (0..cells).map(|_| next()).collect();
        let small: Vec<f64> = (0..plan.small()).map(|_| next()).collect();
        let mut sums = vec![0.0; plan.small()];
        let mut tops = vec![f64::NEG_INFINITY; plan.small()];
        for (cell, &value) in large.iter().enumerate() {
            sums[map[cell]] += value;
            tops[map[cell]] = tops[map[cell]].max(value);
        }
        let products: Vec<f64> = large.iter().zip(&map).map(|(value, &place)| value * small[place]).collect();
        let added: Vec<f64> = large.iter().zip(&map).map(|(value, &place)| value + small[place]).collect();
        for level in [VectorLevel::BASE, VectorLevel::detect()] {
            let (mut s, mut t) = (vec![0.0; plan.small()], vec![f64::NEG_INFINITY; plan.small()]);
            let (mut p, mut a) = (large.clone(), large.clone());
            for (start, end) in [(0, cut), (cut, cells)] {
                kernel::add_onto(level, &plan, start, &large[start..end], &mut s);
                kernel::raise_onto(level, &plan, start, &large[start..end], &mut t);
                kernel::multiply_by(level, &plan, start, &mut p[start..end], &small);
                kernel::add_from(level, &plan, start, &mut a[start..end], &small, 1.0);
            }
            assert_close(&s, &sums);
            prop_assert_eq!(&t, &tops);
            assert_close(&p, &products);
            assert_close(&a, &added);
        }
    }

    #[test]
    fn vectors_are_plain_sums(cells in 0usize..100, seed: u64) {
        let mut next = noise(seed);
        let a: Vec<f64> = (0..cells).map(|_| next()).collect();
        let b: Vec<f64> = (0..cells).map(|_| next()).collect();
        let narrow: Vec<f32> = a.iter().map(|&x| x as f32).collect();
        for level in [VectorLevel::BASE, VectorLevel::detect()] {
            assert_close(&[kernel::total(level, &a)], &[a.iter().sum()]);
            assert_close(&[kernel::dot(level, &a, &b)], &[a.iter().zip(&b).map(|(x, y)| x * y).sum()]);
            let wide: f64 = narrow.iter().zip(&b).map(|(&x, y)| f64::from(x) * y).sum();
            assert_close(&[kernel::dot_mixed(level, &narrow, &b)], &[wide]);
            let square: f64 = narrow.iter().map(|&x| f64::from(x) * f64::from(x)).sum();
            assert_close(&[kernel::dot_narrow(level, &narrow, &narrow)], &[square]);
            let apart: f64 = a.iter().zip(&b).map(|(x, y)| (3.0 * x - y).powi(2)).sum();
            assert_close(&[kernel::squared_distance(level, &a, &b, 3.0)], &[apart]);
            let mut out = vec![0.0; cells];
            kernel::anderson_step(level, &mut out, &a, &b, &[&narrow], &[&narrow], &[0.5], 0.25);
            let plain = (0..cells).map(|i| a[i] - 0.5 * f64::from(narrow[i]) - 0.25 * (b[i] - 0.5 * f64::from(narrow[i])));
            assert_close(&out, &plain.collect::<Vec<_>>());
        }
    }
}

/// The cell of the small table under a cell of the large one.
fn place(mut cell: usize, axes: &[(AttrId, usize)], kept: &[bool]) -> usize {
    let (mut place, mut stride) = (0, 1);
    for &(attribute, size) in axes.iter().rev() {
        if kept[attribute.index()] {
            place += cell % size * stride;
            stride *= size;
        }
        cell /= size;
    }
    place
}

#[test]
fn exponentials_are_exponentials() {
    let mut inputs: Vec<f64> = (-7080..=7090).map(|tenth| f64::from(tenth) / 10.0).collect();
    inputs.extend([0.0, -0.0, 1e-300, -1e-17, std::f64::consts::LN_2]);
    for level in [VectorLevel::BASE, VectorLevel::detect()] {
        let mut outputs = inputs.clone();
        kernel::exponentials(level, &mut outputs, 0.0);
        for (&x, &y) in inputs.iter().zip(&outputs) {
            assert!((y / x.exp() - 1.0).abs() < 2e-15, "e^{x} is {:e}, not {y:e}", x.exp());
        }
        let mut gone = [f64::NEG_INFINITY, -709.0, -1e300];
        kernel::exponentials(level, &mut gone, 0.0);
        assert_eq!(gone, [0.0; 3]);
    }
}

#[test]
fn bad_factors_are_refused() {
    let (domain, pair) = (Domain::new(vec![2, 2]), Clique::new([AttrId(0), AttrId(1)]));
    assert!(Factor::new(&domain, &pair, vec![0.0; 3]).is_err());
    assert!(Factor::new(&domain, &pair, vec![f64::NAN; 4]).is_err());
    assert!(Factor::new(&domain, &Clique::single(AttrId(2)), vec![0.0; 2]).is_err());
    assert!(LogFactor::new(&domain, &pair, vec![f64::INFINITY; 4]).is_err());
    let wide = Domain::new(vec![1000; 4]);
    assert!(Factor::filled(&wide, &Clique::new(wide.attributes()), 1.0).is_err());
}

/// The kernels over components against plain sums, at every level and for every remainder of rows
/// and codes.
#[test]
fn sums_over_components_are_right() {
    use super::tiles::{LANES, ROWS};
    let mut next = noise(31);
    let mut numbers = |count: usize| -> Vec<f32> { (0..count).map(|_| next() as f32 - 0.5).collect() };
    for codes in 1..12 {
        let (blocks, stride, first) = (3, (codes + 2) * LANES, LANES);
        let (rows, all) = (numbers(blocks * ROWS * LANES), numbers(blocks * stride));
        let (slopes, x) = (numbers(codes * 7), numbers(7 * LANES));
        for level in [kernel::VectorLevel::BASE, kernel::VectorLevel::detect()] {
            let mut out = vec![0.0; ROWS * codes];
            kernel::inner_products(level, &rows, &all, stride, first, &mut out);
            for (place, &found) in out.iter().enumerate() {
                let (row, code) = (place / codes, place % codes);
                let pairs = (0..blocks * LANES).map(|k| (k / LANES, k % LANES));
                let exact: f32 = pairs
                    .map(|(block, lane)| {
                        rows[(block * ROWS + row) * LANES + lane] * all[block * stride + first + code * LANES + lane]
                    })
                    .sum();
                assert!((found - exact).abs() < 1e-4, "{codes} codes: {found} for {exact}");
            }
            for steps in [(7, 1), (1, codes)] {
                let mut out = vec![1.0; codes * LANES];
                kernel::combine(level, &mut out, &slopes, steps, &x);
                for (place, &found) in out.iter().enumerate() {
                    let (row, lane) = (place / LANES, place % LANES);
                    let exact: f32 = (0..7).map(|n| slopes[row * steps.0 + n * steps.1] * x[n * LANES + lane]).sum();
                    assert!((found - 1.0 - exact).abs() < 1e-4, "{codes} rows: {found} for {exact}");
                }
            }
        }
    }
}
