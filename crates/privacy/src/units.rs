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
    /// Whether only pure mechanisms are allowed (delta = 0).
    pub fn is_pure(self) -> bool {
        self.delta.get() == 0.0
    }
}
