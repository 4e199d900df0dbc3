//! Bounds rounded outward, so that they do not quote the extreme rows.

use crate::codec::calendar::{FIRST_DAY, LAST_DAY, civil, days};

/// Ranges of whole numbers narrower than this are kept: 1 to 5, 0 and 1.
const SHORT: i128 = 20;

/// The largest of 1, 2 and 5 times a power of ten that is at most a tenth of the span.
fn step(span: f64) -> f64 {
    let mut step = 1e-15;
    while step * 100.0 <= span && step < 1e300 {
        step *= 10.0;
    }
    [5.0, 2.0].into_iter().map(|factor| step * factor).find(|larger| larger * 10.0 <= span).unwrap_or(step)
}

/// Whole bounds, rounded outward.
pub(crate) fn whole(low: i64, high: i64) -> (i64, i64) {
    let span = i128::from(high) - i128::from(low);
    if span < SHORT {
        return (low, high);
    }
    let step = step(span as f64).max(1.0) as i128;
    let down = i128::from(low).div_euclid(step) * step;
    let down = if low >= 0 && i128::from(low) * 5 <= i128::from(high) { 0 } else { down };
    let up = -(-i128::from(high)).div_euclid(step) * step;
    let fit = |value: i128| value.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    (fit(down), fit(up))
}

/// Real bounds, rounded outward.
pub(crate) fn real(low: f64, high: f64) -> (f64, f64) {
    let step = step(high - low);
    // A single number, or a span beyond what decimal steps can say.
    if low == high || !(high - low).is_finite() || step > high - low {
        return (low, high);
    }
    // Products of a decimal step have stray last digits; going through text removes them.
    let clean = |multiple: f64| format!("{:.12e}", multiple * step).parse().unwrap_or(multiple * step);
    let down: f64 = if low >= 0.0 && low * 5.0 <= high { 0.0 } else { clean((low / step).floor()) };
    let up: f64 = clean((high / step).ceil());
    (down.min(low), up.max(high))
}

/// Whole months around a short span of days, whole years around a long one.
pub(crate) fn dates(low: i64, high: i64) -> (i64, i64) {
    let ((first_year, first_month, _), (last_year, last_month, _)) = (civil(low), civil(high));
    let (down, up) = if high - low > 730 {
        (days(first_year, 1, 1), days(last_year, 12, 31))
    } else {
        let (year, month) = if last_month == 12 { (last_year + 1, 1) } else { (last_year, last_month + 1) };
        (days(first_year, first_month, 1), days(year, month, 1).map(|next| next - 1))
    };
    (down.unwrap_or(FIRST_DAY).min(low), up.unwrap_or(LAST_DAY).max(high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_go_outward_to_round_numbers() {
        assert_eq!(whole(1, 5), (1, 5));
        assert_eq!(whole(17, 90), (0, 90));
        assert_eq!(whole(31, 93), (30, 95));
        assert_eq!(whole(1903, 1998), (1900, 2000));
        assert_eq!(whole(-173, 4021), (-200, 4200));
        assert_eq!(whole(i64::MIN, i64::MAX), (i64::MIN, i64::MAX));
        assert_eq!(real(0.13, 0.97), (0.0, 1.0));
        assert_eq!(real(36.61, 41.93), (36.5, 42.0));
        assert_eq!(real(-2.5, -2.5), (-2.5, -2.5));
        let day = |year, month, date| days(year, month, date).unwrap();
        assert_eq!(dates(day(2020, 3, 5), day(2020, 12, 7)), (day(2020, 3, 1), day(2020, 12, 31)));
        assert_eq!(dates(day(1931, 3, 5), day(2020, 12, 7)), (day(1931, 1, 1), day(2020, 12, 31)));
    }

    proptest::proptest! {
        #[test]
        fn bounds_hold_what_they_were_made_from(a: i64, b: i64, x in -1e12f64..1e12, y in -1e12f64..1e12) {
            let (low, high) = whole(a.min(b), a.max(b));
            proptest::prop_assert!(low <= a.min(b) && high >= a.max(b));
            let (low, high) = real(x.min(y), x.max(y));
            proptest::prop_assert!(low <= x.min(y) && high >= x.max(y));
        }
    }
}
