//! Our samplers against OpenDP's: the same distribution, by two-sample chi-square.
//!
//! Each setting has a false-alarm rate of 1e-6 and a control, drawn by us with a scale 1.02 times
//! as large, that must fail.

use lookalike_privacy::noise::testing::{ALPHA, same_distribution};
use lookalike_privacy::{DiscreteGaussian, DiscreteLaplace, NoiseRng, Rational};
use opendp::domains::{AtomDomain, VectorDomain};
use opendp::measurements::{make_gaussian, make_laplace};
use opendp::measures::{MaxDivergence, ZeroConcentratedDivergence};
use opendp::metrics::{L1Distance, L2Distance};

/// OpenDP takes some microseconds a draw.
const THEIRS: usize = 500_000;
const OURS: usize = 2_000_000;

type Counts = VectorDomain<AtomDomain<i64>>;

fn counts() -> Counts {
    VectorDomain::new(AtomDomain::new_non_nan())
}

fn fraction(numerator: u64, denominator: u64) -> Rational {
    Rational::new(numerator, denominator).unwrap()
}

fn our_gaussian(sigma_squared: Rational) -> Vec<i64> {
    let mut draws = vec![0; OURS];
    DiscreteGaussian::new(sigma_squared).unwrap().add_to(&mut draws, &mut NoiseRng::from_os().unwrap());
    draws
}

fn our_laplace(scale: Rational) -> Vec<i64> {
    let mut draws = vec![0; OURS];
    DiscreteLaplace::new(scale).unwrap().add_to(&mut draws, &mut NoiseRng::from_os().unwrap());
    draws
}

/// Sigmas are quarters, so that OpenDP's float scale is exactly the square root of our sigma
/// squared.
#[test]
fn gaussians_agree() {
    for quarters in [3u64, 4, 15, 40] {
        let sigma = quarters as f64 / 4.0;
        let theirs = make_gaussian::<Counts, L2Distance<i64>, ZeroConcentratedDivergence>(
            counts(),
            L2Distance::default(),
            sigma,
            None,
        );
        let theirs = theirs.unwrap().invoke(&vec![0; THEIRS]).unwrap();
        let square = quarters * quarters;
        let p = same_distribution(&theirs, &our_gaussian(fraction(square, 16)));
        assert!(p > ALPHA, "sigma {sigma}: p = {p}");
        let p = same_distribution(&theirs, &our_gaussian(fraction(square * 10_404, 160_000)));
        assert!(p < ALPHA, "control of sigma {sigma}: p = {p}");
    }
}

#[test]
fn laplaces_agree() {
    for quarters in [3u64, 4, 13] {
        let scale = quarters as f64 / 4.0;
        let theirs =
            make_laplace::<Counts, L1Distance<i64>, MaxDivergence>(counts(), L1Distance::default(), scale, None);
        let theirs = theirs.unwrap().invoke(&vec![0; THEIRS]).unwrap();
        let p = same_distribution(&theirs, &our_laplace(fraction(quarters, 4)));
        assert!(p > ALPHA, "scale {scale}: p = {p}");
        let p = same_distribution(&theirs, &our_laplace(fraction(quarters * 102, 400)));
        assert!(p < ALPHA, "control of scale {scale}: p = {p}");
    }
}
