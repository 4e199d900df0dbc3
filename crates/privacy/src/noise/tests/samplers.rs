//! Draws against their distributions: 10^6 a setting.
//!
//! Each setting makes one chi-square test and one test of the variance, each with a false-alarm
//! rate of 1e-6; the control, drawn with a scale 1.02 times as large, must fail both.

use super::noise;
use super::pmf::Pmf;
use crate::Rational;
use crate::noise::testing::{ALPHA, goodness_of_fit, standard_errors_off};
use crate::noise::{DiscreteGaussian, DiscreteLaplace, NoiseBits};
use proptest::prelude::*;

const DRAWS: usize = 1_000_000;

/// P(|Z| > 4.9) = 1e-6.
const STANDARD_ERRORS: f64 = 4.9;

fn fraction(numerator: u64, denominator: u64) -> Rational {
    Rational::new(numerator, denominator).unwrap()
}

/// sigma^2 of each setting: sigma 0.5, 1, 3.73, 50; thirds; large parts whose products do not fit
/// in 64 bits.
fn gaussians() -> Vec<(Rational, Rational)> {
    let plain = [(1, 4), (1, 1), (139_129, 10_000), (2500, 1), (7, 3), (1, 3), (1_048_577, 1 << 20)];
    let scaled = |(n, d): (u64, u64)| (fraction(n, d), fraction(n * 10_404, d * 10_000));
    let mut all: Vec<_> = plain.into_iter().map(scaled).collect();
    all.push((fraction((1 << 62) - 1, (1 << 58) + 3), fraction((1 << 58) - 1, 1 << 54)));
    all[plain.len()].1 = Rational::at_least(16.0 * 1.0404).unwrap();
    all
}

fn laplaces() -> Vec<(Rational, Rational)> {
    let plain = [(3, 10), (1, 1), (17, 2), (22, 7), (100, 1)];
    let scaled = |(n, d): (u64, u64)| (fraction(n, d), fraction(n * 102, d * 100));
    let mut all: Vec<_> = plain.into_iter().map(scaled).collect();
    all.push((fraction((1 << 62) - 57, (1 << 60) + 5), Rational::at_least(4.0 * 1.02).unwrap()));
    all
}

/// What the chi-square test and the test of the variance say: both true when the draws fit.
fn fits(draws: &[i64], pmf: &Pmf) -> [bool; 2] {
    let reach = pmf.reach();
    [
        goodness_of_fit(draws, -reach..=reach, |x| pmf.at(x)) > ALPHA,
        standard_errors_off(draws, pmf.moment(2), pmf.moment(4)).abs() < STANDARD_ERRORS,
    ]
}

#[test]
fn gaussian_draws_fit_and_controls_do_not() {
    let mut bits = noise();
    for (sigma_squared, control) in gaussians() {
        let pmf = Pmf::gaussian(sigma_squared.to_f64());
        let mut draws = vec![0; DRAWS];
        DiscreteGaussian::new(sigma_squared).unwrap().add_to(&mut draws, &mut bits);
        assert_eq!(fits(&draws, &pmf), [true, true], "sigma^2 = {sigma_squared}");
        let mut draws = vec![0; DRAWS];
        DiscreteGaussian::new(control).unwrap().add_to(&mut draws, &mut bits);
        assert_eq!(fits(&draws, &pmf), [false, false], "control of sigma^2 = {sigma_squared}");
    }
}

#[test]
fn laplace_draws_fit_and_controls_do_not() {
    let mut bits = noise();
    for (scale, control) in laplaces() {
        let pmf = Pmf::laplace(scale.to_f64());
        let mut draws = vec![0; DRAWS];
        DiscreteLaplace::new(scale).unwrap().add_to(&mut draws, &mut bits);
        assert_eq!(fits(&draws, &pmf), [true, true], "scale = {scale}");
        let mut draws = vec![0; DRAWS];
        DiscreteLaplace::new(control).unwrap().add_to(&mut draws, &mut bits);
        assert_eq!(fits(&draws, &pmf), [false, false], "control of scale = {scale}");
    }
}

/// One draw at a time takes another way through the bits.
#[test]
fn single_draws_fit_too() {
    let mut bits = noise();
    let gaussian = DiscreteGaussian::new(fraction(9, 2)).unwrap();
    let draws: Vec<i64> = (0..200_000).map(|_| gaussian.sample(&mut bits)).collect();
    assert_eq!(fits(&draws, &Pmf::gaussian(4.5)), [true, true]);
    let laplace = DiscreteLaplace::new(fraction(9, 2)).unwrap();
    let draws: Vec<i64> = (0..200_000).map(|_| laplace.sample(&mut bits)).collect();
    assert_eq!(fits(&draws, &Pmf::laplace(4.5)), [true, true]);
}

/// Neighbouring draws from one call are independent: the sum of two has twice the variance and the
/// right tails.
#[test]
fn neighbouring_draws_are_independent() {
    let mut draws = vec![0i64; DRAWS];
    DiscreteGaussian::new(fraction(4, 1)).unwrap().add_to(&mut draws, &mut noise());
    let pmf = Pmf::gaussian(4.0);
    let sum_of_products: i64 = draws.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let standard_error = pmf.moment(2) * (DRAWS as f64).sqrt();
    assert!((sum_of_products as f64 / standard_error).abs() < STANDARD_ERRORS);
}

/// The ends of the range. For a large scale the draws, in steps of an eighth of it, follow the
/// continuous density.
#[test]
fn the_largest_scales_draw_the_right_shape() {
    let mut bits = noise();
    let density_of_step = |density: fn(f64) -> f64| {
        // Simpson's rule over [x, x + 1] / 8.
        move |step: i64| {
            let at = |part: f64| density((step as f64 + part) / 8.0);
            (at(0.0) + 4.0 * at(0.5) + at(1.0)) / 48.0
        }
    };
    let steps = |draws: &[i64]| -> Vec<i64> { draws.iter().map(|draw| draw.div_euclid(1 << 28)).collect() };
    let normal = density_of_step(|x| (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt());
    let exponential = density_of_step(|x| (-x.abs()).exp() / 2.0);
    for sigma_squared in [fraction(1 << 62, 1), fraction((1 << 62) - 1, 1)] {
        let mut draws = vec![0; DRAWS];
        DiscreteGaussian::new(sigma_squared).unwrap().add_to(&mut draws, &mut bits);
        assert!(goodness_of_fit(&steps(&draws), -80..=79, normal) > ALPHA, "{sigma_squared}");
    }
    for scale in [fraction(1 << 31, 1), fraction((1 << 62) - 1, 1 << 31)] {
        let mut draws = vec![0; DRAWS];
        DiscreteLaplace::new(scale).unwrap().add_to(&mut draws, &mut bits);
        assert!(goodness_of_fit(&steps(&draws), -200..=199, exponential) > ALPHA, "{scale}");
    }
}

#[test]
fn the_smallest_scales_draw_zeros() {
    let (tiny, mut bits) = (fraction(1, 1 << 62), noise());
    let mut counts = vec![5; 1000];
    DiscreteGaussian::new(tiny).unwrap().add_to(&mut counts, &mut bits);
    DiscreteLaplace::new(tiny).unwrap().add_to(&mut counts, &mut bits);
    assert_eq!(counts, vec![5; 1000]);
}

#[test]
fn parts_beyond_the_range_are_refused() {
    for refused in [fraction((1 << 62) + 1, 1), fraction(1, (1 << 62) + 1), fraction(u64::MAX, u64::MAX - 1)] {
        assert!(DiscreteGaussian::new(refused).is_err());
        assert!(DiscreteLaplace::new(refused).is_err());
    }
}

#[test]
fn sums_are_clamped_and_not_wrapped() {
    let wide = DiscreteGaussian::new(fraction(1 << 62, 1)).unwrap();
    let mut counts = [i64::MAX, i64::MIN].repeat(500);
    wide.add_to(&mut counts, &mut noise());
    for pair in counts.chunks(2) {
        assert!(pair[0] > i64::MAX - (1 << 40) && pair[1] < i64::MIN + (1 << 40));
    }
    assert!(counts.contains(&i64::MAX) && counts.contains(&i64::MIN));
}

#[test]
fn an_empty_slice_uses_no_noise() {
    let mut bits = super::script::Script::new(&[1, 2]);
    DiscreteGaussian::new(fraction(1, 1)).unwrap().add_to(&mut [], &mut bits);
    DiscreteLaplace::new(fraction(1, 1)).unwrap().add_to(&mut [], &mut bits);
    assert_eq!(bits.next_u64(), 1);
}

proptest! {
    /// |N| = m B + r and r <= B for every proposal, where N = B v + b t u - a, in wide integers.
    #[test]
    fn the_exponent_of_the_gaussian_is_taken_apart_exactly(
        a in 1u64..=1 << 62, b in 1u64..=1 << 62, place in 0.0..1.0f64, v in 0u64..1 << 40, shrink in 0u32..62,
    ) {
        for (a, b) in [(a, b), (a, b >> shrink | 1), (a >> shrink | 1, b), (a >> shrink | 1, 1)] {
            let sigma_squared = fraction(a, b);
            let (a, b) = (i128::from(sigma_squared.numerator()), i128::from(sigma_squared.denominator()));
            let gaussian = DiscreteGaussian::new(sigma_squared).unwrap();
            let t = i128::from(gaussian.proposal_scale());
            prop_assert!(b * t * t >= a && (t == 1 || b * (t - 1) * (t - 1) < a), "t = ceil(sigma)");
            for u in [0, t - 1, (place * t as f64) as i128].map(|u| u.clamp(0, t - 1)) {
                for v in [0, 1, v] {
                    let block = b * t * t;
                    let exact = (block * i128::from(v) + b * t * u - a).abs();
                    let (m, r) = gaussian.distance(u as u64, v);
                    prop_assert_eq!(i128::from(m) * block + i128::from(r), exact);
                    prop_assert!(i128::from(r) <= block);
                }
            }
        }
    }
}
