use proptest::prelude::*;

use crate::project::onto_counts;

fn everything(_code: usize) -> bool {
    true
}

fn squared(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

#[test]
fn by_hand() {
    assert_eq!(onto_counts(&[3.0, 1.0], &everything, 4.0), [3.0, 1.0]);
    assert_eq!(onto_counts(&[3.0, 1.0], &everything, 6.0), [4.0, 2.0]);
    assert_eq!(onto_counts(&[3.0, -1.0, 1.0], &everything, 2.0), [2.0, 0.0, 0.0]);
    assert_eq!(onto_counts(&[3.0, 9.0, 1.0], &|code| code != 1, 2.0), [2.0, 0.0, 0.0]);
    assert_eq!(onto_counts(&[-5.0, -7.0], &everything, 1.0), [1.0, 0.0]);
    assert_eq!(onto_counts(&[5.0, 7.0], &everything, 0.0), [0.0, 0.0]);
    assert_eq!(onto_counts(&[5.0, 7.0], &|_| false, 3.0), [0.0, 0.0]);
    assert_eq!(onto_counts(&[], &everything, 3.0), [0.0; 0]);
}

proptest! {
    /// The projection is legal, and no legal vector is nearer: the angle to every corner of the
    /// simplex is blunt.
    #[test]
    fn nearest_of_all(noisy in prop::collection::vec(-50.0..50.0f64, 1..12), total in 0.5..80.0f64) {
        let found = onto_counts(&noisy, &everything, total);
        prop_assert!(found.iter().all(|&value| value >= 0.0));
        prop_assert!((found.iter().sum::<f64>() - total).abs() < 1e-9 * total.max(50.0));
        for corner in 0..noisy.len() {
            let towards = |code: usize| if code == corner { total } else { 0.0 };
            let angle: f64 =
                (0..noisy.len()).map(|code| (noisy[code] - found[code]) * (towards(code) - found[code])).sum();
            prop_assert!(angle <= 1e-6, "corner {corner} is nearer: {found:?}");
        }
    }
}

/// Generated columns of 1,000 codes, most of them rare, with the noise of a tight budget: cutting
/// at 0 and rescaling must miss the truth by clearly more. (Seen: 0.141 against 0.091 in total
/// variation.)
#[test]
fn projection_beats_clipping() {
    let mut state = 1u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let (mut projected, mut clipped) = (0.0, 0.0);
    for _ in 0..20 {
        let truth: Vec<f64> = (0..1000).map(|code| (20_000.0 / ((code + 1) as f64).powf(1.3)).floor()).collect();
        let total: f64 = truth.iter().sum();
        // A sum of twelve uniforms is close enough to a normal; standard deviation 30.
        let noisy: Vec<f64> =
            truth.iter().map(|count| count + 30.0 * ((0..12).map(|_| uniform()).sum::<f64>() - 6.0)).collect();
        let cut: Vec<f64> = noisy.iter().map(|value| value.max(0.0)).collect();
        let sum: f64 = cut.iter().sum();
        let rescaled: Vec<f64> = cut.iter().map(|value| value * total / sum).collect();
        let miss = |guess: &[f64]| guess.iter().zip(&truth).map(|(a, b)| (a - b).abs()).sum::<f64>() / (2.0 * total);
        let found = onto_counts(&noisy, &everything, total);
        projected += miss(&found) / 20.0;
        clipped += miss(&rescaled) / 20.0;
        assert!(squared(&found, &noisy) <= squared(&rescaled, &noisy));
    }
    assert!(projected < 0.75 * clipped, "projected {projected}, clipped {clipped}");
}
