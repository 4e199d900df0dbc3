//! Coins: the digits against wide integers, the biases against exp.

use super::noise;
use super::script::decide;
use crate::noise::bits::RandomWords;
use crate::noise::coins::{below, bernoulli, coin, exp_fraction, exp_one, exp_product, exp_ratio, exp_whole};
use crate::noise::uniform_below;
use proptest::prelude::*;

/// Whether the number with binary digits 0.first second third (words) is below p/q, for p < q: long
/// division of p by q in base 2^64, compared word by word. None when all three words agree.
fn is_below(script: [u64; 3], p: u64, q: u64) -> Option<bool> {
    let mut rest = u128::from(p);
    for word in script {
        let digit = ((rest << 64) / u128::from(q)) as u64;
        rest = (rest << 64) % u128::from(q);
        if word != digit {
            return Some(word < digit);
        }
    }
    // Only zeros follow in the script: the drawn number is below unless nothing is left.
    (rest == 0).then_some(false)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Words at and around the digits of p/q, where a coin must look further.
    #[test]
    fn a_coin_compares_as_many_digits_as_it_needs(
        a in any::<u64>(), b in any::<u64>(), small in any::<bool>(),
        first in -1i64..=1, second in -1i64..=1, third in any::<u64>(),
    ) {
        let (a, b) = if small { (a % 100, b % 100) } else { (a, b) };
        let (p, q) = (a.min(b), a.max(b));
        prop_assume!(p < q);
        let digit = |rest: u128| ((rest << 64) / u128::from(q)) as u64;
        let d1 = digit(u128::from(p));
        let d2 = digit((u128::from(p) << 64) % u128::from(q));
        let script = [d1.wrapping_add_signed(first), d2.wrapping_add_signed(second), third];
        if let Some(expected) = is_below(script, p, q) {
            let (fell, used) = decide(&script, |words| coin(p, q, words));
            prop_assert_eq!(fell, expected);
            prop_assert!(used <= 3);
        }
    }

    /// Each value of 0..n is reached by exactly floor(2^64 / n) words.
    #[test]
    fn below_gives_every_value_the_same_number_of_words(n in 1u64.., value in any::<u64>(), small in any::<bool>()) {
        let n = if small { n % 1000 + 1 } else { n };
        let value = value % n;
        let start = |v: u64| (u128::from(v) << 64).div_ceil(u128::from(n));
        let (first, after) = (start(value), start(value + 1));
        // At most the first word of a value's stretch is redrawn. The word drawn instead is all
        // ones, which never is.
        let mut reached = after - first;
        for word in std::collections::BTreeSet::from([first, (first + 1).min(after - 1), after - 1]) {
            let (made, used) = decide(&[word as u64, u64::MAX], |words| below(n, words));
            if used == 1 {
                prop_assert_eq!(made, value);
            } else {
                prop_assert_eq!((word, made), (first, n - 1));
                reached -= 1;
            }
        }
        prop_assert_eq!(reached, (1u128 << 64) / u128::from(n));
    }
}

#[test]
fn certain_coins() {
    for word in [0, 1, u64::MAX] {
        for q in [1, 2, 3, u64::MAX] {
            assert!(!decide(&[word], |words| coin(0, q, words)).0);
            assert!(decide(&[word], |words| coin(q, q, words)).0);
        }
    }
    let mut bits = noise();
    assert!(bernoulli(1, 0, &mut bits).is_err());
    assert!(bernoulli(3, 2, &mut bits).is_err());
    assert!(!bernoulli(0, 1, &mut bits).unwrap());
    assert_eq!(uniform_below(std::num::NonZeroU64::MIN, &mut bits), 0);
}

/// How many standard errors the share of heads lies from `bias`.
fn off(bias: f64, throws: u32, mut throw: impl FnMut(&mut RandomWords<'_>) -> bool) -> f64 {
    let mut bits = noise();
    let mut words = RandomWords::many(&mut bits, throws as usize);
    let heads = (0..throws).filter(|_| throw(&mut words)).count() as f64;
    let throws = f64::from(throws);
    (heads - throws * bias) / (throws * bias * (1.0 - bias)).sqrt().max(1e-9)
}

const THROWS: u32 = 200_000;

/// 5.6 standard errors: 2e-8 a test, 1e-6 for all the tests of one function together.
const LIMIT: f64 = 5.6;

#[test]
fn exp_coins_have_the_bias_of_exp() {
    for (p, q) in [(0, 1), (1, 1), (1, 2), (1, 3), (2, 3), (99, 100), (1, 1 << 20), (12_345, 1 << 20)] {
        let z = off((-(p as f64) / q as f64).exp(), THROWS, |words| exp_fraction(p, q, words));
        assert!(z.abs() < LIMIT, "exp(-{p}/{q}): {z}");
    }
    // Denominators for which q k does not fit in 64 bits.
    for (p, q) in [(u64::MAX / 3, u64::MAX), (u64::MAX, u64::MAX), (1 << 63, u64::MAX - 58), (5 << 59, 1 << 62)] {
        let z = off((-(p as f64) / q as f64).exp(), THROWS, |words| exp_fraction(p, q, words));
        assert!(z.abs() < LIMIT, "exp(-{p}/{q}): {z}");
    }
    for (n, q) in [(3u128, 2u64), (7, 3), (10, 1), (5 << 63, 3 << 62), (0, 9), (1 << 100, 1 << 62)] {
        let z = off((-(n as f64) / q as f64).exp(), THROWS, |words| exp_ratio(n, q, words));
        assert!(z.abs() < LIMIT, "exp(-{n}/{q}): {z}");
    }
    for n in [0u128, 1, 2, 3, 5] {
        let z = off((-(n as f64)).exp(), THROWS, |words| exp_whole(n, words));
        assert!(z.abs() < LIMIT, "exp(-{n}): {z}");
    }
    for (p, q, r, s) in [(1, 2, 1, 3), (1, 1, 1, 1), (7, 8, 9, 10), (0, 1, 1, 1), (1 << 62, u64::MAX, 4, 5)] {
        let bias = (-(p as f64) / q as f64 * r as f64 / s as f64).exp();
        let z = off(bias, THROWS, |words| exp_product(p, q, r, s, words));
        assert!(z.abs() < LIMIT, "exp(-{p}/{q} {r}/{s}): {z}");
    }
    assert!(decide(&[], |words| exp_whole(0, words)) == (true, 0));
}

#[test]
fn exp_one_has_the_bias_of_one_over_e_and_its_control_fails() {
    let bias = (-1.0f64).exp();
    assert!(off(bias, 5_000_000, exp_one).abs() < LIMIT);
    // A bias 1.02 times too large must be seen.
    assert!(off(bias * 1.02, 5_000_000, exp_one).abs() > LIMIT);
}

/// exp_one decides by one word where it can: U < 1/2 and U < 1/6, with ties at 1/6 resolved by the
/// next word.
#[test]
fn exp_one_at_its_thresholds() {
    let sixth = u64::MAX / 6; // floor(2^64 / 6); the digits of 1/6 in base 2^64 go on with 2/3.
    let two_thirds = u64::MAX / 3 * 2;
    assert_eq!(decide(&[1 << 63], exp_one), (false, 1));
    assert_eq!(decide(&[(1 << 63) - 1], exp_one), (true, 1));
    assert_eq!(decide(&[sixth + 1], exp_one), (true, 1));
    assert_eq!(decide(&[sixth, two_thirds + 1], exp_one), (true, 2));
    // Below 1/6 it goes on with k = 4: the next word decides against 1/4.
    assert_eq!(decide(&[sixth, two_thirds - 1, 1 << 62], exp_one), (false, 3));
    assert_eq!(decide(&[sixth - 1, 1 << 62], exp_one), (false, 2));
    assert_eq!(decide(&[sixth - 1, (1 << 62) - 1, u64::MAX], exp_one), (true, 3));
}
