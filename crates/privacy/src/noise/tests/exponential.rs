//! The exponential mechanism against its probabilities.

use super::noise;
use crate::noise::exponential_mechanism;
use crate::noise::testing::{ALPHA, goodness_of_fit};
use crate::{PrivacyError, Rational};

const DRAWS: usize = 1_000_000;

fn fraction(numerator: u64, denominator: u64) -> Rational {
    Rational::new(numerator, denominator).unwrap()
}

/// The p-value of 10^6 selections, drawn with `epsilon`, against the mechanism with `claimed`.
fn p_value(scores: &[i128], sensitivity: u64, epsilon: Rational, claimed: Rational) -> f64 {
    let mut bits = noise();
    let draws: Vec<i64> =
        (0..DRAWS).map(|_| exponential_mechanism(scores, sensitivity, epsilon, &mut bits).unwrap() as i64).collect();
    let best = *scores.iter().max().unwrap();
    let weight = |score: &i128| (-claimed.to_f64() * best.abs_diff(*score) as f64 / (2.0 * sensitivity as f64)).exp();
    let total: f64 = scores.iter().map(weight).sum();
    goodness_of_fit(&draws, 0..=scores.len() as i64 - 1, |i| weight(&scores[i as usize]) / total)
}

/// Each setting has a false-alarm rate of 1e-6, and a control with epsilon 1.05 times as large that
/// must fail.
#[test]
fn selections_fit_and_controls_do_not() {
    let wide = i128::from(u64::MAX);
    let settings: [(&[i128], u64, Rational); 6] = [
        (&[0, 3, 7, 7, -5], 2, fraction(13, 10)),
        (&[-1, -2, -3, -4], 1, fraction(1, 3)),
        (&[100, 350, 225, 90, 400], 100, fraction(5, 1)),
        // Scores and sensitivity that fill 64 bits and more.
        (&[0, wide / 3, wide, wide * 2], u64::MAX, fraction((1 << 62) - 1, (1 << 61) + 1)),
        // Gaps beyond 2^64 sensitivities: exponents 0, 1/2, 2 and 3.
        (&[3 << 63, 5 << 62, 1 << 63, 0], 1, fraction(1, 1 << 62)),
        (&[i128::MIN, 7, 7, 6], 3, fraction(9, 4)),
    ];
    for (scores, sensitivity, epsilon) in settings {
        assert!(p_value(scores, sensitivity, epsilon, epsilon) > ALPHA, "{scores:?}");
        let control = Rational::at_least(epsilon.to_f64() * 1.05).or(Rational::new(21, 20 << 57)).unwrap();
        assert!(p_value(scores, sensitivity, control, epsilon) < ALPHA, "control of {scores:?}");
    }
}

#[test]
fn far_worse_candidates_are_never_chosen() {
    let mut bits = noise();
    for _ in 0..1000 {
        let scores = [i128::MIN, i128::MAX, 0];
        assert_eq!(exponential_mechanism(&scores, 1, fraction(1, 1 << 20), &mut bits).unwrap(), 1);
        assert_eq!(exponential_mechanism(&[0, 1000], 1, fraction(1 << 62, 1), &mut bits).unwrap(), 1);
        assert_eq!(exponential_mechanism(&[-4], 1, fraction(1, 1), &mut bits).unwrap(), 0);
    }
}

#[test]
fn what_is_refused() {
    let mut bits = noise();
    let refused = [
        exponential_mechanism(&[], 1, fraction(1, 1), &mut bits),
        exponential_mechanism(&[1, 2], 0, fraction(1, 1), &mut bits),
        exponential_mechanism(&[1, 2], 1, fraction(u64::MAX, 1), &mut bits),
        exponential_mechanism(&[1, 2], 1, fraction(1, u64::MAX), &mut bits),
    ];
    for answer in refused {
        assert!(matches!(answer, Err(PrivacyError::Plan { .. })));
    }
}
