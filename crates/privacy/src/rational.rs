//! Positive rationals for noise scales: what the sampler draws with is exactly what the accountant
//! counts.

use crate::PrivacyError;

/// A float is rounded to a fraction whose numerator has at least this many bits after the first:
/// the relative change is below `2^-24`, about `6e-8`.
const GRID_BITS: i32 = 24;

/// `Rational::at_least` and `Rational::at_most` take floats from `2^SMALLEST_EXPONENT` ...
const SMALLEST_EXPONENT: i32 = -38;

/// ... to just below `2^(LARGEST_EXPONENT + 1)`. Both parts of the fraction are then at most
/// `2^62`, which every sampler takes.
const LARGEST_EXPONENT: i32 = 61;

/// A positive fraction in lowest terms.
///
/// The order is exact: fractions are compared by cross multiplication, never as floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rational {
    numerator: u64,
    denominator: u64,
}

/// Which way a float is rounded onto the grid.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Towards {
    Above,
    Below,
}

impl Rational {
    /// The fraction in lowest terms; both parts must be above 0.
    pub fn new(numerator: u64, denominator: u64) -> Result<Self, PrivacyError> {
        if numerator == 0 || denominator == 0 {
            return Err(PrivacyError::Plan { what: format!("{numerator}/{denominator} is not a positive fraction") });
        }
        let divisor = gcd(numerator, denominator);
        Ok(Self { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    /// The fraction on the grid that is `value` or the next one above it: for the scale of a noise,
    /// where more is safe.
    ///
    /// The denominator is a power of two. The result is never below `value`, and above it by less
    /// than one part in 16 million. Takes finite values from `2^-38` to just below `2^62`; both
    /// parts of the result are at most `2^62`.
    pub fn at_least(value: f64) -> Result<Self, PrivacyError> {
        Self::on_grid(value, Towards::Above)
    }

    /// The fraction on the grid that is `value` or the next one below it: for the epsilon of a
    /// selection, where less is safe. Range and precision are those of [`Rational::at_least`]. The
    /// result is never 0.
    pub fn at_most(value: f64) -> Result<Self, PrivacyError> {
        Self::on_grid(value, Towards::Below)
    }

    /// Works on the bits of the float, so that no rounding of the processor takes part.
    fn on_grid(value: f64, towards: Towards) -> Result<Self, PrivacyError> {
        let refused = PrivacyError::Unit {
            unit: "a scale",
            rule: "a positive number between 2^-38 (about 4e-12) and 2^62 (about 4e18)",
            given: value,
        };
        // `value` is `mantissa * 2^(exponent - 52)` with `2^52 <= mantissa < 2^53`. The comparison
        // also drops NaN.
        if !(value > 0.0 && value.is_normal()) {
            return Err(refused);
        }
        let bits = value.to_bits();
        let exponent = (bits >> 52) as i32 - 1023;
        let mantissa = (bits & ((1 << 52) - 1)) | (1 << 52);
        if !(SMALLEST_EXPONENT..=LARGEST_EXPONENT).contains(&exponent) {
            return Err(refused);
        }
        // The numerator is `value * 2^places`, rounded to an integer.
        let places = (GRID_BITS - exponent).max(0);
        let shift = exponent - 52 + places;
        let numerator = match (shift >= 0, towards) {
            (true, _) => mantissa << shift,
            (false, Towards::Below) => mantissa >> -shift,
            (false, Towards::Above) => (mantissa + ((1 << -shift) - 1)) >> -shift,
        };
        Self::new(numerator, 1 << places)
    }

    /// The fraction that [`fraction`](Self::fraction) wrote.
    pub fn from_fraction(text: &str) -> Option<Self> {
        let (numerator, denominator) = text.split_once('/')?;
        Self::new(numerator.parse().ok()?, denominator.parse().ok()?).ok()
    }

    /// "numerator/denominator", as journals and statements write it: exactly.
    pub fn fraction(self) -> String {
        format!("{}/{}", self.numerator, self.denominator)
    }

    /// The numerator.
    pub fn numerator(self) -> u64 {
        self.numerator
    }

    /// The denominator.
    pub fn denominator(self) -> u64 {
        self.denominator
    }

    /// The nearest float, for reading and for post-processing. Accountants must bound its rounding
    /// error.
    ///
    /// It is exact for what [`Rational::at_least`] and [`Rational::at_most`] return; otherwise it
    /// is within three parts in `2^53` of the fraction.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let left = u128::from(self.numerator) * u128::from(other.denominator);
        let right = u128::from(other.numerator) * u128::from(self.denominator);
        left.cmp(&right)
    }
}

impl std::fmt::Display for Rational {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.denominator == 1 {
            write!(f, "{}", self.numerator)
        } else {
            write!(f, "{}/{}", self.numerator, self.denominator)
        }
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cmp::Ordering;

    /// Compares a fraction with a float by integers alone: the float is a mantissa and a power of
    /// two.
    fn compare(fraction: Rational, value: f64) -> Ordering {
        let bits = value.to_bits();
        let power = (bits >> 52) as i32 - 1023 - 52;
        let mantissa = u128::from((bits & ((1 << 52) - 1)) | (1 << 52));
        // fraction <=> mantissa * 2^power, where the denominator is a power of two: compare
        // numerator * 2^-power with mantissa * denominator, each side shifted so that no bit is
        // lost.
        let (numerator, places) = (u128::from(fraction.numerator()), fraction.denominator().trailing_zeros() as i32);
        let shift = power + places;
        if shift >= 0 { numerator.cmp(&(mantissa << shift)) } else { (numerator << -shift).cmp(&mantissa) }
    }

    fn positive() -> impl Strategy<Value = f64> {
        (0..(1u64 << 52), SMALLEST_EXPONENT..=LARGEST_EXPONENT)
            .prop_map(|(fraction, exponent)| f64::from_bits(fraction | (((exponent + 1023) as u64) << 52)))
    }

    proptest! {
        #[test]
        fn rounding_goes_the_promised_way_and_not_far(value in positive()) {
            let above = Rational::at_least(value).unwrap();
            let below = Rational::at_most(value).unwrap();
            prop_assert_ne!(compare(above, value), Ordering::Less);
            prop_assert_ne!(compare(below, value), Ordering::Greater);
            prop_assert_eq!(compare(above, above.to_f64()), Ordering::Equal);
            prop_assert_eq!(compare(below, below.to_f64()), Ordering::Equal);
            prop_assert!(above.to_f64() <= value * (1.0 + 1e-7), "{above} for {value}");
            prop_assert!(below.to_f64() >= value * (1.0 - 1e-7), "{below} for {value}");
            for part in [above.numerator(), above.denominator(), below.numerator(), below.denominator()] {
                prop_assert!(part <= 1 << 62);
            }
            prop_assert!(above.denominator().is_power_of_two() && below.denominator().is_power_of_two());
        }

        #[test]
        fn a_value_on_the_grid_stays(numerator in 1u64..1 << 24, places in 0u32..14) {
            let value = numerator as f64 / f64::from(1u32 << places);
            prop_assert_eq!(Rational::at_least(value).unwrap(), Rational::new(numerator, 1 << places).unwrap());
            prop_assert_eq!(Rational::at_most(value).unwrap(), Rational::new(numerator, 1 << places).unwrap());
        }

        #[test]
        fn order_is_exact(a in 1u64.., b in 1u64..) {
            let (x, y) = (Rational::new(a, b).unwrap(), Rational::new(b, a).unwrap());
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        }
    }

    #[test]
    fn neighbours_of_a_grid_point_go_to_both_sides() {
        let just_above = f64::from_bits(3.0f64.to_bits() + 1);
        let three = Rational::new(3, 1).unwrap();
        assert!(Rational::at_least(just_above).unwrap() > three);
        assert_eq!(Rational::at_most(just_above).unwrap(), three);
        let just_below = f64::from_bits(3.0f64.to_bits() - 1);
        assert_eq!(Rational::at_least(just_below).unwrap(), three);
        assert!(Rational::at_most(just_below).unwrap() < three);
    }

    #[test]
    fn the_ends_of_the_range() {
        let smallest = (SMALLEST_EXPONENT as f64).exp2();
        let beyond = f64::from(LARGEST_EXPONENT + 1).exp2();
        assert_eq!(Rational::at_least(smallest).unwrap(), Rational::new(1, 1 << 38).unwrap());
        assert!(Rational::at_least(f64::from_bits(beyond.to_bits() - 1)).is_ok());
        let refused =
            [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, 5e-324, beyond, f64::from_bits(smallest.to_bits() - 1)];
        for value in refused {
            assert!(matches!(Rational::at_least(value), Err(PrivacyError::Unit { .. })), "{value}");
            assert!(matches!(Rational::at_most(value), Err(PrivacyError::Unit { .. })), "{value}");
        }
    }

    #[test]
    fn zero_parts_are_refused_and_the_rest_is_reduced() {
        assert!(Rational::new(0, 1).is_err());
        assert!(Rational::new(1, 0).is_err());
        assert_eq!(Rational::new(6, 4).unwrap().to_string(), "3/2");
        assert_eq!(Rational::new(u64::MAX, u64::MAX).unwrap().to_string(), "1");
    }
}
