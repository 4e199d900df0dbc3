//! Float arithmetic that errs on a known side.
//!
//! # Rounding
//! A float operation is off by at most one part in 2^53 of its result. Two tools cover this: [`up`]
//! and [`down`] widen a value that took a handful of operations, all of them free of cancellation;
//! [`add_up`], [`sub_down`] and [`sum_up`] round single sums with the exact error in hand, so that
//! a sum which is representable stays what it is. That matters for budgets: 0.5 + 0.5 must fit into
//! 1.

/// What one rounding is off by at most, relative to its result.
pub(crate) const UNIT: f64 = f64::EPSILON / 2.0;

/// At least the true value, if `value` is positive and was made by at most 7 roundings and no
/// subtraction.
pub(crate) fn up(value: f64) -> f64 {
    value * (1.0 + 4.0 * f64::EPSILON)
}

/// At most the true value, under the same terms as [`up`].
pub(crate) fn down(value: f64) -> f64 {
    value * (1.0 - 4.0 * f64::EPSILON)
}

/// The smallest float that is at least `a + b`.
pub(crate) fn add_up(a: f64, b: f64) -> f64 {
    let (sum, error) = two_sum(a, b);
    if error > 0.0 { sum.next_up() } else { sum }
}

/// The largest float that is at most `a - b`.
pub(crate) fn sub_down(a: f64, b: f64) -> f64 {
    let (sum, error) = two_sum(a, -b);
    if error < 0.0 { sum.next_down() } else { sum }
}

/// At least the sum of all values.
pub(crate) fn sum_up(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, add_up)
}

/// The rounded sum and its exact error (Knuth): `a + b = sum + error`.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let other = sum - a;
    (sum, (a - (sum - other)) + (b - other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_err_on_the_named_side_only() {
        assert_eq!(add_up(0.5, 0.5), 1.0);
        assert_eq!(sub_down(1.0, 0.25), 0.75);
        // 0.1 + 0.2 is not representable: its nearest float is 0.30000000000000004, which is above
        // the true sum.
        assert_eq!(add_up(0.1, 0.2), 0.1 + 0.2);
        // 1 + 2^-60 rounds to 1, below the true sum.
        assert_eq!(add_up(1.0, 2f64.powi(-60)), 1.0f64.next_up());
        assert_eq!(sub_down(1.0, 2f64.powi(-60)), 1.0f64.next_down());
        // What is left after a part fits back into the whole, for parts of every kind.
        for part in [0.01, 0.1, 0.3, 1e-9, 0.77, 1.0 / 3.0] {
            for whole in [1.0, 0.8, 3.2, 0.1 + 0.2] {
                let rest = sub_down(whole, part);
                if rest > 0.0 {
                    assert!(add_up(part, rest) <= whole, "{part} of {whole}");
                    assert!(add_up(part, rest) >= whole.next_down().next_down());
                }
            }
        }
    }

    #[test]
    fn a_sum_of_many_is_never_below_the_exact_sum() {
        // 0.1 as a float is above 1/10, so a thousand of them are above 100.
        assert!(sum_up(std::iter::repeat_n(0.1, 1000)) > 100.0);
        assert!(sum_up(std::iter::repeat_n(2f64.powi(-60), 1 << 12).chain([1.0])) > 1.0);
    }
}
