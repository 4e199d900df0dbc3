//! The exponential mechanism, drawn exactly.

use super::bits::{NoiseBits, RandomWords};
use super::coins::{below, exp_product, exp_ratio};
use super::parts;
use crate::{PrivacyError, Rational};

/// Draws the index of a candidate: i with probability proportional to exp(epsilon q_i / (2
/// sensitivity)), exactly.
///
/// `scores` and `sensitivity` are integers on the same public grid; all `i128` values are allowed.
/// Fails when there is no candidate, when the sensitivity is 0, or when a part of `epsilon` is
/// above 2^62.
///
/// # Privacy
/// Any neighbours under which no score changes by more than `sensitivity`, and under which the
/// candidates stay the same. Costs a pure `epsilon`, and epsilon^2 / 8 of zCDP (bounded range:
/// Dong, Durfee and Rogers 2020; Cesar and Rogers 2021). Source: McSherry and Talwar 2007.
///
/// # Algorithm
/// Propose a candidate uniformly and accept it with probability exp(-epsilon (q_max - q_i) / (2
/// sensitivity)), until one is accepted. The best candidate is always accepted, so the expected
/// number of proposals is at most the number of candidates.
pub fn exponential_mechanism(
    scores: &[i128],
    sensitivity: u64,
    epsilon: Rational,
    bits: &mut dyn NoiseBits,
) -> Result<usize, PrivacyError> {
    let Some(&best) = scores.iter().max() else {
        return Err(PrivacyError::Plan { what: "a selection needs at least one candidate".into() });
    };
    if sensitivity == 0 {
        return Err(PrivacyError::Plan { what: "a selection needs a sensitivity above 0".into() });
    }
    let (numerator, denominator) = parts("epsilon", epsilon)?;
    // Twice the denominator is at most 2^63.
    let odds = Odds { numerator, denominator: 2 * denominator, sensitivity };
    let mut words = RandomWords::many(bits, scores.len());
    loop {
        let proposed = below(scores.len() as u64, &mut words) as usize;
        if odds.accept(best.abs_diff(scores[proposed]), &mut words) {
            return Ok(proposed);
        }
    }
}

/// epsilon / 2 and the sensitivity: what a gap in scores costs.
struct Odds {
    numerator: u64,
    denominator: u64,
    sensitivity: u64,
}

impl Odds {
    /// True with probability exp(-h gap / s), where h = epsilon / 2 and s is the sensitivity.
    ///
    /// With gap = s i + r and 0 <= r < s, the exponent is h i + h r / s. Each product below has two
    /// factors of at most 64 bits.
    fn accept(&self, gap: u128, words: &mut RandomWords<'_>) -> bool {
        let wide = u128::from(self.sensitivity);
        self.accept_steps(gap / wide, words) && self.accept_rest((gap % wide) as u64, words)
    }

    /// True with probability exp(-h i).
    fn accept_steps(&self, i: u128, words: &mut RandomWords<'_>) -> bool {
        let h = u128::from(self.numerator);
        // i = high 2^64 + low. A coin of exponent 2^64 h succeeds with probability at most exp(-2),
        // because the denominator of h is at most 2^63, so the loop ends soon whatever `high` is.
        let (high, low) = ((i >> 64) as u64, i & u128::from(u64::MAX));
        for _ in 0..high {
            if !exp_ratio(h << 64, self.denominator, words) {
                return false;
            }
        }
        exp_ratio(h * low, self.denominator, words)
    }

    /// True with probability exp(-h r / s) for r < s: h is cut into its whole part and a fraction.
    fn accept_rest(&self, r: u64, words: &mut RandomWords<'_>) -> bool {
        let (whole, part) = (self.numerator / self.denominator, self.numerator % self.denominator);
        exp_ratio(u128::from(whole) * u128::from(r), self.sensitivity, words)
            && exp_product(r, self.sensitivity, part, self.denominator, words)
    }
}
