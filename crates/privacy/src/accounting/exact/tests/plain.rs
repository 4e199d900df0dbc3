//! Random and long plans against sums of positive numbers, which keep their relative precision in
//! every tail.

use proptest::prelude::*;

use super::{exact, gaussian, laplace, outcomes, product, rows, selection};
use crate::Step;

/// The profile of one selection in closed form.
fn envelope(epsilon: f64, s: f64) -> f64 {
    if s >= epsilon {
        0.0
    } else if s <= -epsilon {
        1.0 - s.exp()
    } else {
        (1.0 - (-(epsilon - s) / 2.0).exp()).powi(2) / (1.0 - (-epsilon).exp())
    }
}

fn any_cell() -> impl Strategy<Value = Step> {
    (prop::bool::ANY, -1.2..1.5f64).prop_map(|(is_gaussian, ln_scale)| match is_gaussian {
        true => gaussian(ln_scale.exp(), rows(1)),
        false => laplace(ln_scale.exp(), rows(1)),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_short_plans_agree_with_enumeration(
        cells in prop::collection::vec(any_cell(), 1..=3),
        chosen in prop::option::of(0.05..3.0f64),
        ln_delta in -30.0..-4.0f64,
    ) {
        let delta = ln_delta.exp();
        let all = product(&cells.iter().map(|step| outcomes(step, 1)).collect::<Vec<_>>());
        let last = chosen.map(selection);
        let rest = |s: f64| match &last {
            Some(Step::Exponential { epsilon }) => envelope(epsilon.to_f64(), s),
            _ => (1.0 - s.exp()).max(0.0),
        };
        let slow = |epsilon: f64| all.iter().map(|(p, q)| p * rest(epsilon - (p / q).ln())).sum::<f64>();
        let mut steps = cells.clone();
        steps.extend(last.clone());
        let claim = exact(&steps, delta);
        prop_assert!(slow(claim) <= delta * (1.0 + 1e-6), "{} is too small: {}", claim, slow(claim));
        // Near the largest possible loss delta falls off a cliff, where a grid step of the
        // selection shows.
        prop_assert!(slow(claim * (1.0 - 5e-4)) > delta || claim == 0.0, "{} is too large", claim);
    }
}

/// `a` convolved with itself: all terms are positive, so every entry is good to a few parts in
/// 1e13.
fn doubled(a: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; 2 * a.len() - 1];
    for (i, x) in a.iter().enumerate().filter(|(_, x)| **x > 0.0) {
        for (j, y) in a.iter().enumerate() {
            sum[i + j] += x * y;
        }
    }
    sum
}

#[test]
fn long_plans_agree_with_direct_convolution() {
    for (sigma, doublings, delta) in
        [(0.35, 5, 1e-15), (0.5, 6, 1e-15), (1.5, 8, 1e-12), (5.0, 7, 1e-9), (2.2, 5, 1e-3)]
    {
        let count = 1usize << doublings;
        let step = gaussian(sigma, rows(1));
        let Step::Gaussian { sigma_squared, .. } = &step else { unreachable!("a Gaussian") };
        let s = sigma_squared.to_f64();
        // The loss of outcome y is (1/2 + y) / sigma^2, so the summed loss depends on the summed
        // outcome alone.
        let reach = (11.0 * sigma).ceil() as i64 + 1;
        let one: Vec<f64> = (-reach..=reach).map(|y| (-(y * y) as f64 / (2.0 * s)).exp()).collect();
        let sum: f64 = one.iter().sum();
        let one: Vec<f64> = one.iter().map(|x| x / sum).collect();
        let all = (0..doublings).fold(one, |sum, _| doubled(&sum));
        let slow = |epsilon: f64| {
            all.iter()
                .enumerate()
                .map(|(index, p)| {
                    let loss = (0.5 * count as f64 + index as f64 - reach as f64 * count as f64) / s;
                    p * (1.0 - (epsilon - loss).exp()).max(0.0)
                })
                .sum::<f64>()
        };
        let claim = exact(&vec![step; count], delta);
        assert!(slow(claim) <= delta * (1.0 + 1e-7), "{sigma}: {claim} is too small");
        assert!(slow(claim * (1.0 - 1e-5)) > delta, "{sigma}: {claim} is too large");
    }
}

/// Scales from absurdly small to absurdly large, as a forged statement could have them.
fn any_step() -> impl Strategy<Value = (Step, usize)> {
    (0..3u32, -22.0..40.0f64, 1..=4u32, 1..2000usize).prop_map(|(kind, ln_scale, shift, count)| match kind {
        0 => (gaussian((0.5 * ln_scale).exp(), rows(shift)), count),
        1 => (laplace(ln_scale.exp(), rows(shift)), count),
        _ => (selection((0.2 * ln_scale - 6.0).exp()), count % 50),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn absurd_plans_get_a_number_or_a_refusal(
        items in prop::collection::vec(any_step(), 1..=3),
        ln_delta in -700.0..-0.1f64,
    ) {
        let steps: Vec<Step> = items.iter().flat_map(|(step, count)| vec![step.clone(); *count]).collect();
        if let Ok(found) = super::epsilon(&steps, ln_delta.exp(), super::Quality::COARSE) {
            prop_assert!(found.is_finite() && found >= 0.0, "{}", found);
        }
    }
}
