use super::support::chi_square_p;
use crate::SampleRng;
use crate::sampling::alias::Alias;

fn counts(probabilities: &[f64], draws: u64, seed: u64) -> Vec<u64> {
    let alias = Alias::new(probabilities).unwrap();
    let mut rng = SampleRng::new(seed, "test", 0);
    let mut counts = vec![0; probabilities.len()];
    (0..draws).for_each(|_| counts[alias.draw(&mut rng) as usize] += 1);
    counts
}

/// Alpha 1e-6; a control whose first weight is 2 percent off must fail.
#[test]
fn draws_follow_the_weights_and_not_slightly_other_ones() {
    let probabilities = [0.3, 0.25, 0.2, 0.15, 0.06, 0.03, 0.0, 0.01];
    let observed = counts(&probabilities, 2_000_000, 11);
    assert!(chi_square_p(&observed, &probabilities) > 1e-6);
    let mut other = probabilities;
    other[0] += 0.006;
    other[1] -= 0.006;
    assert!(chi_square_p(&observed, &other) < 1e-6, "the test has no power");
}

/// Alpha 1e-6, 40,000 codes of unlike weight; the control shifts 1 percent of the weight to the
/// first half.
#[test]
fn forty_thousand_codes() {
    let size = 40_000usize;
    let weight = |code: usize| 1.0 + (code % 17) as f64;
    let sum: f64 = (0..size).map(weight).sum();
    let probabilities: Vec<f64> = (0..size).map(|code| weight(code) / sum).collect();
    let observed = counts(&probabilities, 4_000_000, 12);
    assert!(chi_square_p(&observed, &probabilities) > 1e-6);
    let shifted: Vec<f64> =
        probabilities.iter().enumerate().map(|(code, p)| if code < size / 2 { p * 1.01 } else { p * 0.99 }).collect();
    assert!(chi_square_p(&observed, &shifted) > 1e-300);
    let halves = |counts: &[u64]| [counts[..size / 2].iter().sum(), counts[size / 2..].iter().sum::<u64>()];
    let half = |p: &[f64]| [p[..size / 2].iter().sum::<f64>(), p[size / 2..].iter().sum::<f64>()];
    assert!(chi_square_p(&halves(&observed), &half(&probabilities)) > 1e-6);
    assert!(chi_square_p(&halves(&observed), &half(&shifted)) < 1e-6, "the test has no power");
}

#[test]
fn a_weight_of_zero_is_never_drawn() {
    for zero in 0..3 {
        let mut probabilities = [0.5; 3];
        probabilities[zero] = 0.0;
        assert_eq!(counts(&probabilities, 200_000, 13)[zero], 0);
    }
    // Not even by the one word in 2^64 that lands on the very edge of its bucket.
    let alias = Alias::new(&[0.0, 0.5, 0.0, 0.5]).unwrap();
    for bucket in 0..4u64 {
        for word in [bucket << 62, (bucket << 62) + 1, (bucket << 62).wrapping_sub(1)] {
            assert!([1, 3].contains(&alias.pick(word)), "{word}");
        }
    }
    // Not even beside weights so unequal that buckets are almost all alias.
    let mut steep = vec![0.0; 1000];
    steep[500] = 1.0 - 1e-12;
    steep[501] = 1e-12;
    let observed = counts(&steep, 1_000_000, 14);
    assert_eq!(observed[500] + observed[501], 1_000_000);
}

#[test]
fn single_codes_and_nothing() {
    assert_eq!(counts(&[1.0], 10, 1), [10]);
    assert!(Alias::new(&[]).is_none());
    assert!(Alias::new(&[0.0, 0.0]).is_none());
    assert!(Alias::new(&[f64::NAN]).is_none());
}

#[test]
fn streams_differ_by_seed_purpose_and_number() {
    let first = |seed, purpose, stream| SampleRng::new(seed, purpose, stream).next_u64();
    let all = [first(0, "a", 0), first(1, "a", 0), first(0, "b", 0), first(0, "a", 1)];
    for (index, one) in all.iter().enumerate() {
        assert!(!all[..index].contains(one));
    }
}
