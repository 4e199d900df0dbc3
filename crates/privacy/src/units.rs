//! Privacy units as types. Private fields, no `Default`: every value was checked once.

use crate::PrivacyError;

macro_rules! unit {
    ($(#[$doc:meta])* $name:ident, $word:literal, $rule:literal, $check:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
        pub struct $name(f64);

        impl $name {
            /// Checks the value; the error names the unit and the rule.
            pub fn new(value: f64) -> Result<Self, PrivacyError> {
                let legal: fn(f64) -> bool = $check;
                if legal(value) {
                    Ok(Self(value))
                } else {
                    Err(PrivacyError::Unit { unit: $word, rule: $rule, given: value })
                }
            }

            /// The plain number.
            pub fn get(self) -> f64 {
                self.0
            }
        }
    };
}

unit!(
    /// The epsilon of (epsilon, delta)-differential privacy.
    Epsilon,
    "epsilon",
    "a finite number above 0",
    |value| value.is_finite() && value > 0.0
);
unit!(
    /// The delta of (epsilon, delta)-differential privacy; 0 means pure epsilon.
    Delta,
    "delta",
    "0 or a number between 0 and 1",
    |value| (0.0..1.0).contains(&value)
);
unit!(
    /// The rho of zero-concentrated differential privacy.
    Rho,
    "rho",
    "a finite number, 0 or above",
    |value| value.is_finite() && value >= 0.0
);

/// The total for everything: what is printed as the guarantee.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// The epsilon of the whole run.
    pub epsilon: Epsilon,
    /// The delta of the whole run.
    pub delta: Delta,
}

impl Budget {
    /// Checks both numbers.
    pub fn new(epsilon: f64, delta: f64) -> Result<Self, PrivacyError> {
        Ok(Self { epsilon: Epsilon::new(epsilon)?, delta: Delta::new(delta)? })
    }

    /// Whether only pure mechanisms are allowed (delta = 0).
    pub fn is_pure(self) -> bool {
        self.delta.get() == 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epsilon_is_finite_and_above_zero() {
        for legal in [f64::MIN_POSITIVE, 0.1, 1.0, 1e300] {
            assert_eq!(Epsilon::new(legal).unwrap().get(), legal);
        }
        for illegal in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(Epsilon::new(illegal).is_err(), "{illegal}");
        }
    }

    #[test]
    fn delta_is_at_least_zero_and_below_one() {
        for legal in [0.0, 1e-300, 1e-9, 0.999] {
            assert_eq!(Delta::new(legal).unwrap().get(), legal);
        }
        for illegal in [1.0, 2.0, -1e-9, f64::NAN, f64::INFINITY] {
            assert!(Delta::new(illegal).is_err(), "{illegal}");
        }
    }

    #[test]
    fn rho_is_finite_and_at_least_zero() {
        for legal in [0.0, 0.5, 1e9] {
            assert_eq!(Rho::new(legal).unwrap().get(), legal);
        }
        for illegal in [-1e-9, f64::NAN, f64::INFINITY] {
            assert!(Rho::new(illegal).is_err(), "{illegal}");
        }
    }

    #[test]
    fn the_refusal_names_the_unit_the_rule_and_the_number() {
        let refusal = Epsilon::new(-2.0).unwrap_err().to_string();
        assert_eq!(refusal, "epsilon must be a finite number above 0, but -2 was given");
    }

    #[test]
    fn a_budget_is_pure_at_delta_zero_only() {
        let budget = |delta| Budget { epsilon: Epsilon::new(1.0).unwrap(), delta: Delta::new(delta).unwrap() };
        assert!(budget(0.0).is_pure() && budget(-0.0).is_pure());
        assert!(!budget(1e-300).is_pure());
    }
}
