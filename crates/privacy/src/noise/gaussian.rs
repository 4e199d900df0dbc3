//! The discrete Gaussian, drawn exactly.

use super::bits::{NoiseBits, RandomWords};
use super::coins::{below, exp_fraction, exp_one, exp_product, exp_ratio, fair};
use super::{parts, saturate, signed};
use crate::{PrivacyError, Rational};

/// The discrete Gaussian on the integers: P(x) is proportional to exp(-x^2 / (2 sigma^2)), drawn
/// exactly.
///
/// # Privacy
/// Neighbours and sensitivity are those of the counts it is added to. With L2 sensitivity s, noise
/// on every cell costs s^2 / (2 sigma^2) of zCDP (Canonne, Kamath and Steinke 2020, theorem 14).
/// Its (epsilon, delta) is **not** that of the continuous Gaussian with the same sigma. The
/// accountant decides; this type only draws.
///
/// # Algorithm
/// Canonne, Kamath and Steinke 2020, algorithm 3. Write sigma^2 = a/b and let t = ceil(sigma).
/// Propose a magnitude y = t v + u from the one-sided discrete Laplace of scale t: u is uniform on
/// 0..t and kept with probability exp(-u/t), v is geometric with ratio exp(-1). Accept y with
/// probability exp(-g), where g = (y - sigma^2 / t)^2 / (2 sigma^2). Then choose a sign; "minus 0"
/// starts over, or 0 would count twice. The chance of ending with y is proportional to exp(-y/t -
/// g), which is exp(-y^2 / (2 sigma^2)) times a constant.
///
/// (The paper takes t = floor(sigma) + 1, which differs for whole sigma only. The argument holds
/// for any t.)
///
/// With B = b t^2 the exponent is g = N^2 / (2 a B) for the integer N = B v + b t u - a. Since t >=
/// sigma, a <= B, and
/// |N| = m B + r with 0 <= r <= B and m equal to v or v - 1, without a division. Hence
///
/// g = m * (m B / 2a)  +  m r / a  +  (r / 2a)(r / B),
///
/// three independent coins, of which mostly only the last is needed because mostly m = 0.
///
/// # Range
/// Any sigma^2 whose numerator a and denominator b are at most 2^62: sigma up to 2^31, and as small
/// as one likes. Then t < sigma + 1, B < a + 2 sqrt(a b) + b <= 2^64, and all products of two such
/// numbers fit in 128 bits. v is counted in 64 bits, which a program cannot exhaust.
pub struct DiscreteGaussian {
    sigma_squared: Rational,
    /// The scale t of the proposals.
    scale: u64,
    /// a.
    numerator: u64,
    /// b t, by which u is multiplied. b t u < B.
    step: u64,
    /// B = b t^2.
    block: u64,
}

impl DiscreteGaussian {
    /// Prepares a sampler. Refuses a fraction with a part above 2^62.
    pub fn new(sigma_squared: Rational) -> Result<Self, PrivacyError> {
        let (numerator, denominator) = parts("sigma squared", sigma_squared)?;
        // The smallest t with b t^2 >= a, that is with t^2 >= ceil(a/b).
        let ceiling = numerator.div_ceil(denominator);
        let scale = ceiling.isqrt() + u64::from(ceiling.isqrt().pow(2) < ceiling);
        let block = u128::from(denominator) * u128::from(scale) * u128::from(scale);
        let block = u64::try_from(block).map_err(|_| PrivacyError::Plan {
            what: format!("sigma squared {sigma_squared} is out of the sampler's range"),
        })?;
        Ok(Self { sigma_squared, scale, numerator, step: denominator * scale, block })
    }

    /// The parameter it draws with.
    pub fn sigma_squared(&self) -> Rational {
        self.sigma_squared
    }

    /// The scale t of the proposals.
    #[cfg(test)]
    pub(super) fn proposal_scale(&self) -> u64 {
        self.scale
    }

    /// One draw. A draw beyond the range of `i64` (at sigma 2^31, more than 2^31 sigmas away) would
    /// be clamped to it.
    pub fn sample(&self, bits: &mut dyn NoiseBits) -> i64 {
        saturate(self.draw(&mut RandomWords::few(bits)))
    }

    /// Adds a fresh draw to each count. The sum is exact and then clamped to the range of `i64`:
    /// clamping what was already noised is post-processing.
    pub fn add_to(&self, counts: &mut [i64], bits: &mut dyn NoiseBits) {
        let mut words = RandomWords::many(bits, counts.len());
        for count in counts {
            *count = saturate(i128::from(*count) + self.draw(&mut words));
        }
    }

    #[inline]
    fn draw(&self, words: &mut RandomWords<'_>) -> i128 {
        loop {
            let (u, v) = self.propose(words);
            if !self.accept(u, v, words) {
                continue;
            }
            let negative = fair(words);
            // v < 2^64 and t <= 2^31.
            let magnitude = u128::from(self.scale) * u128::from(v) + u128::from(u);
            if negative && magnitude == 0 {
                continue;
            }
            return signed(magnitude, negative);
        }
    }

    /// (u, v) with probability proportional to exp(-u/t - v), for 0 <= u < t and 0 <= v.
    #[inline]
    fn propose(&self, words: &mut RandomWords<'_>) -> (u64, u64) {
        let u = loop {
            let u = below(self.scale, words);
            if exp_fraction(u, self.scale, words) {
                break u;
            }
        };
        let mut v = 0;
        while exp_one(words) {
            v += 1;
        }
        (u, v)
    }

    /// (m, r) with |N| = m B + r and r <= B.
    #[inline]
    pub(super) fn distance(&self, u: u64, v: u64) -> (u64, u64) {
        let (a, offset) = (self.numerator, self.step * u);
        if offset >= a {
            (v, offset - a)
        } else if v == 0 {
            (0, a - offset)
        } else {
            (v - 1, self.block - (a - offset))
        }
    }

    /// True with probability exp(-g).
    #[inline]
    fn accept(&self, u: u64, v: u64, words: &mut RandomWords<'_>) -> bool {
        let (a, block) = (self.numerator, self.block);
        let (m, r) = self.distance(u, v);
        if m > 0 && !self.accept_far(m, r, words) {
            return false;
        }
        // (r / 2a)(r / B), where r / 2a is above 1 only for sigma below 2.5.
        let (whole, part) = if r < 2 * a { (0, r) } else { (r / (2 * a), r % (2 * a)) };
        (whole == 0 || exp_ratio(u128::from(whole) * u128::from(r), block, words))
            && exp_product(part, 2 * a, r, block, words)
    }

    /// The part of g that has a factor m: true with probability exp(-m (m B / 2a) - m r / a).
    fn accept_far(&self, m: u64, r: u64, words: &mut RandomWords<'_>) -> bool {
        let (a, far) = (self.numerator, u128::from(m) * u128::from(self.block));
        // m coins of exponent m B / 2a, since m^2 B might not fit. The exponent is above m/2, so
        // this ends soon.
        for _ in 0..m {
            if !exp_ratio(far, 2 * a, words) {
                return false;
            }
        }
        exp_ratio(u128::from(m) * u128::from(r), a, words)
    }
}
