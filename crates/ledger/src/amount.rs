//! Amounts of a budget as decimals.

use std::fmt;
use std::str::FromStr;

/// Digits behind the point.
const PLACES: usize = 30;
/// One, in units of the last place.
const ONE: u128 = 10u128.pow(PLACES as u32);

/// An amount of rho, epsilon or delta: a decimal with 30 places, below 10^8. Sums are exact.
///
/// Ten runs of 0.1 are 1, as whoever typed 0.1 expects: a number is taken as the shortest decimal
/// that stands for it, which is what statements print. For figures that were computed (rho) that
/// decimal is off by less than one part in 10^16, sixteen times less than what the conversion to
/// epsilon rounds up by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount(u128);

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// The number, rounded up in the last place. `None` below 0, from 10^8 on, and for what is no
    /// number.
    pub fn at_least(value: f64) -> Option<Self> {
        let (whole, cut) = Self::of(value)?;
        Some(Self(whole + u128::from(cut)))
    }

    /// The number, rounded down in the last place. `None` as for [`at_least`](Self::at_least).
    pub fn at_most(value: f64) -> Option<Self> {
        Some(Self(Self::of(value)?.0))
    }

    /// The units in a number, and whether something was cut off.
    fn of(value: f64) -> Option<(u128, bool)> {
        if !(0.0..1e8).contains(&value) {
            return None;
        }
        // Plain decimal notation, the shortest that stands for the number.
        let text = format!("{}", value.abs());
        let (before, behind) = text.split_once('.').unwrap_or((&text, ""));
        let kept = &behind[..behind.len().min(PLACES)];
        let cut = behind[kept.len()..].bytes().any(|digit| digit != b'0');
        Some((units(before, kept)?, cut))
    }

    /// The sum; `None` beyond what can be written, which is far beyond every total.
    pub fn plus(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// What is left after taking away; nothing when it is more than there is.
    pub fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// As a float, for display and conversion.
    pub fn to_f64(self) -> f64 {
        // Parsing rounds to the nearest float.
        self.to_string().parse().unwrap_or(f64::NAN)
    }
}

fn units(before: &str, behind: &str) -> Option<u128> {
    let before: u128 = before.parse().ok()?;
    let behind: u128 = format!("{behind:0<PLACES$}").parse().ok()?;
    before.checked_mul(ONE)?.checked_add(behind)
}

/// The exact decimal, without needless zeros.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:0PLACES$}", self.0 / ONE, self.0 % ONE);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// Reads what [`Display`](fmt::Display) writes, and nothing else.
impl FromStr for Amount {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (before, behind) = text.split_once('.').unwrap_or((text, ""));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if before.is_empty() || !digits(before) || !digits(behind) || behind.len() > PLACES {
            return Err(());
        }
        units(before, behind).map(Self).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenths_add_up_to_one() {
        let tenth = Amount::at_least(0.1).unwrap();
        let sum = (0..10).fold(Amount::ZERO, |sum, _| sum.plus(tenth).unwrap());
        assert_eq!(sum, Amount::at_most(1.0).unwrap());
        assert_eq!(sum.minus(tenth).to_string(), "0.9");
        assert_eq!(tenth.minus(sum), Amount::ZERO);
    }

    #[test]
    fn what_does_not_fit_is_rounded_to_the_safe_side() {
        let tiny = Amount::at_least(1e-300).unwrap();
        assert_eq!(tiny.to_string(), format!("0.{:0>30}", 1));
        assert_eq!(Amount::at_most(1e-300).unwrap(), Amount::ZERO);
        for value in [-1.0, f64::NAN, f64::INFINITY, 1e8, 1e300] {
            assert!(Amount::at_least(value).is_none(), "{value}");
        }
        assert_eq!(Amount::at_least(-0.0), Some(Amount::ZERO));
    }

    #[test]
    fn text_comes_back() {
        for value in [0.0, 1.0, 0.25, 1e-6, 12_345_678.901_234_5, 0.1 + 0.2, 1e-29] {
            let amount = Amount::at_least(value).unwrap();
            assert_eq!(amount.to_string().parse(), Ok(amount));
            assert_eq!(amount.to_f64(), value);
        }
        for text in ["", ".5", "-1", "+1", "1e3", "1,5", " 1", "1.", "0.0000000000000000000000000000001"] {
            let read = text.parse::<Amount>();
            assert!(read.is_err() || text == "1.", "{text}: {read:?}");
        }
        assert!("999999999999999999999999999999999999999".parse::<Amount>().is_err());
    }
}
