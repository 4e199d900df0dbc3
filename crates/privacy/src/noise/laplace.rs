//! The discrete Laplace, drawn exactly.

use super::bits::{NoiseBits, RandomWords};
use super::coins::{below, exp_fraction, exp_one, fair};
use super::{parts, saturate, signed};
use crate::{PrivacyError, Rational};

/// The discrete Laplace on the integers: P(x) is proportional to exp(-|x| / scale), drawn exactly.
///
/// # Privacy
/// Neighbours and sensitivity are those of the counts it is added to. With L1 sensitivity s, noise
/// on every cell costs a pure epsilon of s / scale (Ghosh, Roughgarden and Sundararajan 2009). The
/// accountant decides; this type only draws.
///
/// # Algorithm
/// Canonne, Kamath and Steinke 2020, algorithm 2. Write scale = n/d. Draw x = n v + u with
/// probability proportional to exp(-x/n): u is uniform on 0..n and kept with probability exp(-u/n),
/// v is geometric with ratio exp(-1). The magnitude is y = floor(x/d): d neighbouring values of x
/// share one y, so P(y) is proportional to exp(-y d/n). Then choose a sign; "minus 0" starts over,
/// or 0 would count twice.
///
/// # Range
/// Any scale whose numerator and denominator are at most 2^62. x < 2^62 * 2^64 fits in 128 bits; v
/// is counted in 64 bits, which a program cannot exhaust.
pub struct DiscreteLaplace {
    scale: Rational,
    numerator: u64,
    denominator: u64,
}

impl DiscreteLaplace {
    /// Prepares a sampler. Refuses a fraction with a part above 2^62.
    pub fn new(scale: Rational) -> Result<Self, PrivacyError> {
        let (numerator, denominator) = parts("the scale", scale)?;
        Ok(Self { scale, numerator, denominator })
    }

    /// The parameter it draws with.
    pub fn scale(&self) -> Rational {
        self.scale
    }

    /// One draw. A draw beyond the range of `i64` is clamped to it; at scale 2^31 that has
    /// probability exp(-2^32).
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
            let magnitude = self.magnitude(words);
            let negative = fair(words);
            if negative && magnitude == 0 {
                continue;
            }
            return signed(magnitude, negative);
        }
    }

    #[inline]
    fn magnitude(&self, words: &mut RandomWords<'_>) -> u128 {
        let u = loop {
            let u = below(self.numerator, words);
            if exp_fraction(u, self.numerator, words) {
                break u;
            }
        };
        let mut v = 0u64;
        while exp_one(words) {
            v += 1;
        }
        let x = u128::from(self.numerator) * u128::from(v) + u128::from(u);
        // A division of 64 bits is several times cheaper, and nearly always enough.
        match u64::try_from(x) {
            Ok(x) => u128::from(x / self.denominator),
            Err(_) => x / u128::from(self.denominator),
        }
    }
}
