//! Exact coins: every random decision of every sampler ends here.
//!
//! # Exactness
//!
//! All coins reduce to [`coin`], a Bernoulli(p/q) for integers `p <= q` of 64 bits. It compares a
//! uniform real number U, of which it draws the next 64 binary digits only when they are needed,
//! with p/q by integer arithmetic. There is no rounding, so the coin falls with probability p/q
//! exactly, whatever p and q are.
//!
//! Coins with bias exp(-x) use von Neumann's series as in Canonne, Kamath and Steinke, algorithm 1:
//! let K be the first k for which a Bernoulli(x/k) coin fails. Then P(K > k) = x^k / k!, so P(K is
//! odd) is the alternating sum of x^k / k!, which is exp(-x). A large x is cut into a sum:
//! exp(-(x + y)) is the chance that two independent coins of bias exp(-x) and exp(-y) both succeed.
//! Where x is a product of two fractions, a Bernoulli(x/k) is the chance that a coin for each
//! factor and one for 1/k all succeed. So no number ever needs more than 128 bits, and each
//! function states why its own products do not overflow.
//!
//! # Termination
//!
//! Every loop ends with probability 1, and each round of it fails to end with a probability bounded
//! below 1.

use super::bits::{NoiseBits, RandomWords};
use crate::PrivacyError;
use std::num::NonZeroU64;

/// True with probability `p / q`, exactly.
///
/// # Privacy
/// A building block without a cost of its own. Fails unless `p <= q` and `q > 0`.
pub fn bernoulli(p: u64, q: u64, bits: &mut dyn NoiseBits) -> Result<bool, PrivacyError> {
    if q == 0 || p > q {
        return Err(PrivacyError::Plan { what: format!("{p}/{q} is not a probability") });
    }
    Ok(coin(p, q, &mut RandomWords::few(bits)))
}

/// An integer from 0 to `n - 1`, each with probability `1 / n`, exactly.
///
/// # Privacy
/// A building block without a cost of its own.
pub fn uniform_below(n: NonZeroU64, bits: &mut dyn NoiseBits) -> u64 {
    below(n.get(), &mut RandomWords::few(bits))
}

/// Bernoulli(p/q) for `p <= q`, `q > 0`.
///
/// U = (w + f) / 2^64, where w is the word drawn and f in [0, 1) stands for all digits after it. U
/// < p/q means f q < p 2^64 - w q. If the right side is not above 0 this is false for every f; if
/// it is at least q it is true for every f; otherwise f, which is again uniform, is compared with
/// (p 2^64 - w q) / q in the same way. At most one of the 2^64 words leads to another round. No
/// overflow: both products are below 2^128.
#[inline]
pub(super) fn coin(p: u64, q: u64, words: &mut RandomWords<'_>) -> bool {
    let word = words.next();
    coin_from(word, p, q, words)
}

/// [`coin`] with the first word of U already drawn.
#[inline]
fn coin_from(word: u64, p: u64, q: u64, words: &mut RandomWords<'_>) -> bool {
    debug_assert!(p <= q && q > 0);
    let (mut word, mut p) = (word, p);
    loop {
        let (target, drawn) = (u128::from(p) << 64, u128::from(word) * u128::from(q));
        if drawn >= target {
            return false;
        }
        let rest = target - drawn;
        if rest >= u128::from(q) {
            return true;
        }
        (word, p) = (words.next(), rest as u64);
    }
}

/// A fair coin.
#[inline]
pub(super) fn fair(words: &mut RandomWords<'_>) -> bool {
    words.next() & 1 == 1
}

/// Uniform on 0..n for `n > 0` (Lemire 2019).
///
/// A word w is mapped to floor(w n / 2^64). Among the w that map to one value, w n mod 2^64 takes
/// values that are n apart, so exactly floor(2^64 / n) of them leave a remainder of at least 2^64
/// mod n. The others are redrawn.
#[inline]
pub(super) fn below(n: u64, words: &mut RandomWords<'_>) -> u64 {
    debug_assert!(n > 0);
    let mut product = u128::from(words.next()) * u128::from(n);
    if (product as u64) < n {
        // 2^64 mod n: a division, which is only reached with probability n / 2^64.
        let redrawn = n.wrapping_neg() % n;
        while (product as u64) < redrawn {
            product = u128::from(words.next()) * u128::from(n);
        }
    }
    (product >> 64) as u64
}

/// Bernoulli(p / (q k)) for `p <= q`, `k > 0`. When `q k` is too large, by two coins that must both
/// succeed.
#[inline]
fn coin_over(p: u64, q: u64, k: u64, words: &mut RandomWords<'_>) -> bool {
    match q.checked_mul(k) {
        Some(product) => coin(p, product, words),
        None => coin(p, q, words) && coin(1, k, words),
    }
}

/// Bernoulli(exp(-p/q)) for `p <= q`, `q > 0`.
#[inline]
pub(super) fn exp_fraction(p: u64, q: u64, words: &mut RandomWords<'_>) -> bool {
    if p == 0 {
        return true;
    }
    let mut k = 1;
    while coin_over(p, q, k, words) {
        k += 1;
    }
    k % 2 == 1
}

/// Bernoulli(exp(-1)). P(K > k) = 1 / k!, so one uniform U tells whether K > 2 (U < 1/2) and
/// whether K > 3 (U < 1/6); only beyond that are fresh coins thrown.
#[inline]
pub(super) fn exp_one(words: &mut RandomWords<'_>) -> bool {
    let word = words.next();
    if word >> 63 == 1 {
        return false; // K = 2
    }
    if !coin_from(word, 1, 6, words) {
        return true; // K = 3
    }
    let mut k = 4;
    while coin(1, k, words) {
        k += 1;
    }
    k % 2 == 1
}

/// Bernoulli(exp(-n)). Ends at the first failure, so after 1.6 coins on average whatever n is.
#[inline]
pub(super) fn exp_whole(n: u128, words: &mut RandomWords<'_>) -> bool {
    let mut left = n;
    while left > 0 {
        if !exp_one(words) {
            return false;
        }
        left -= 1;
    }
    true
}

/// Bernoulli(exp(-n/q)) for `q > 0`.
pub(super) fn exp_ratio(n: u128, q: u64, words: &mut RandomWords<'_>) -> bool {
    // A division of 64 bits is several times cheaper, and nearly always enough.
    let (whole, part) = match u64::try_from(n) {
        Ok(n) => (u128::from(n / q), n % q),
        Err(_) => (n / u128::from(q), (n % u128::from(q)) as u64),
    };
    exp_whole(whole, words) && exp_fraction(part, q, words)
}

/// Bernoulli(exp(-(p/q)(r/s))) for `p <= q`, `r <= s`, `q > 0`, `s > 0`. Fastest when p/q is the
/// smaller factor.
#[inline]
pub(super) fn exp_product(p: u64, q: u64, r: u64, s: u64, words: &mut RandomWords<'_>) -> bool {
    let mut k = 1;
    while coin_over(p, q, k, words) && coin(r, s, words) {
        k += 1;
    }
    k % 2 == 1
}
