//! The accountant against known values, slopes against finite differences, and the whole.

use lookalike_privacy::SeededNoise;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::{apart, binary, even, make};
use crate::baselines::synthesizers::BaselineSynthesizer::{DpWgan, DpWganTuned};
use crate::baselines::synthesizers::SynthesisTask;
use crate::baselines::synthesizers::dp_wgan::accountant::{epsilon, least_sigma, renyi};
use crate::baselines::synthesizers::dp_wgan::network::{Critic, Dense, Generator};

/// Abadi et al. 2016: 10,000 steps at rate 0.01 and sigma 4 cost 1.26 at delta 1e-5, by the older
/// conversion. The newer one is below it.
#[test]
fn the_accountant_gives_the_published_epsilon() {
    let older = |order: u32| 1e4 * renyi(0.01, 4.0, order) + 1e5f64.ln() / f64::from(order - 1);
    let published = (2..=256).map(older).fold(f64::INFINITY, f64::min);
    assert!((published - 1.26).abs() < 0.01, "{published}");
    let newer = epsilon(0.01, 4.0, 10_000, 1e-5);
    assert!(newer < published && newer > 0.8 * published, "{newer}");
    assert!((renyi(1.0, 2.0, 8) - 1.0).abs() < 1e-12, "without a coin it is the Gaussian's");
}

/// The divergence of the mixture from noise alone, as an integral.
#[test]
fn renyi_divergences_are_their_integrals() {
    for (rate, sigma, order) in [(0.05, 1.0f64, 2), (0.3, 1.5, 5), (0.999, 2.0, 4)] {
        let height = |x: f64| {
            let ratio = 1.0 - rate + rate * ((2.0 * x - 1.0) / (2.0 * sigma * sigma)).exp();
            let noise = (-x * x / (2.0 * sigma * sigma)).exp() / (sigma * (2.0 * std::f64::consts::PI).sqrt());
            noise * ratio.powi(order as i32)
        };
        let integral: f64 = (-40_000..40_000).map(|i| height(f64::from(i) * 1e-3) * 1e-3).sum();
        let wanted = integral.ln() / f64::from(order - 1);
        assert!((renyi(rate, sigma, order) / wanted - 1.0).abs() < 1e-6, "{wanted}");
    }
}

#[test]
fn the_least_noise_spends_the_budget_and_no_more() {
    for (rate, steps, target) in [(0.012, 4_000, 0.8), (1.0, 100, 3.0), (0.1, 100, 50.0)] {
        let sigma = least_sigma(rate, steps, target, 1e-5);
        assert!(epsilon(rate, sigma, steps, 1e-5) <= target);
        assert!(epsilon(rate, 0.99 * sigma, steps, 1e-5) > target);
    }
}

fn networks() -> (Critic, Generator) {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let critic = Critic { hidden: Dense::random(5, 4, 2, &mut rng), last: vec![0.5, -0.7, 0.2, 0.9] };
    let (hidden, last) = (Dense::random(3, 6, 3, &mut rng), Dense::random(6, 5, 6, &mut rng));
    (critic, Generator { hidden, last, sizes: vec![2, 3], latent: 3 })
}

#[test]
fn slopes_are_finite_differences() {
    let (mut critic, mut generator) = networks();
    let row = [0.3, 0.7, 0.1, 0.9, 0.0];
    let mut slopes = vec![0.0; critic.len()];
    critic.add_slope(&row, 1.0, f64::INFINITY, &mut slopes);
    for (index, slope) in slopes.iter().enumerate() {
        let mut at = |step: f64| {
            let was = *critic.parameters().nth(index).unwrap();
            *critic.parameters().nth(index).unwrap() = was + step;
            let value = critic.value(&row);
            *critic.parameters().nth(index).unwrap() = was;
            value
        };
        let wanted = (at(1e-6) - at(-1e-6)) / 2e-6;
        assert!((slope - wanted).abs() < 1e-7, "{index}: {slope} for {wanted}");
    }
    let latent = [0.4, -1.1, 0.3];
    let mut slopes = vec![0.0; generator.len()];
    generator.add_slope(&latent, &critic, 1.0, &mut slopes);
    for (index, slope) in slopes.iter().enumerate() {
        let mut at = |step: f64| {
            let was = *generator.parameters().nth(index).unwrap();
            *generator.parameters().nth(index).unwrap() = was + step;
            let value = critic.value(&generator.row(&latent));
            *generator.parameters().nth(index).unwrap() = was;
            value
        };
        let wanted = (at(1e-6) - at(-1e-6)) / 2e-6;
        assert!((slope - wanted).abs() < 1e-7, "{index}: {slope} for {wanted}");
    }
}

/// A row's slope is as long as it is, or as long as it may be, in the same direction.
#[test]
fn slopes_are_cut_to_length() {
    let (critic, _) = networks();
    let row = [1.0, 0.0, 0.0, 1.0, 0.0];
    let slope = |most: f64| {
        let mut slopes = vec![0.0; critic.len()];
        critic.add_slope(&row, 1.0, most, &mut slopes);
        slopes
    };
    let length = |slopes: &[f64]| slopes.iter().map(|slope| slope * slope).sum::<f64>().sqrt();
    let whole = slope(f64::INFINITY);
    assert!(length(&whole) > 0.5);
    assert!((length(&slope(0.25)) - 0.25).abs() < 1e-12);
    let factor = 0.25 / length(&whole);
    assert!(slope(0.25).iter().zip(&whole).all(|(cut, whole)| (cut - factor * whole).abs() < 1e-12));
    assert_eq!(slope(1e3), whole);
}

#[test]
fn a_large_budget_nears_pairs() {
    let table = binary();
    let (near, far) = (apart(&table, &make(DpWganTuned, &table, 1e3, 1), 2), apart(&table, &even(&table), 2));
    assert!(near < 0.6 * far, "{near} against {far}");
    let pure = SynthesisTask { table: &table, epsilon: 1.0, delta: 0.0, rows: 10 };
    assert!(DpWgan.synthesize(&pure, &mut SeededNoise::new(1)).err().unwrap().to_string().contains("delta"));
}
