//! Days since 1970 as dates, and how months and weekdays of a column of dates differ.

use jiff::ToSpan;
use jiff::civil::{Date, date};

const EPOCH: Date = date(1970, 1, 1);

/// The date of a number of days since 1970; the first of 1970 when there is none.
pub fn date_of(days: f64) -> Date {
    EPOCH.checked_add((days.floor() as i64).days()).unwrap_or(EPOCH)
}

/// Days since 1970.
pub fn day_of(date: Date) -> f64 {
    EPOCH.until(date).map_or(0.0, |span| f64::from(span.get_days()))
}

/// Total variation distances of the months and of the weekdays of two columns of days. Missing
/// cells are left out; nothing when a column has no others.
pub fn calendar_distances(real: &[f64], other: &[f64]) -> Option<[f64; 2]> {
    let (real, other) = (shares(real)?, shares(other)?);
    Some([distance(&real.0, &other.0), distance(&real.1, &other.1)])
}

fn distance(real: &[f64], other: &[f64]) -> f64 {
    0.5 * real.iter().zip(other).map(|(real, other)| (real - other).abs()).sum::<f64>()
}

fn shares(cells: &[f64]) -> Option<([f64; 12], [f64; 7])> {
    let (mut months, mut weekdays, mut there) = ([0.0; 12], [0.0; 7], 0.0);
    for &cell in cells.iter().filter(|cell| !cell.is_nan()) {
        let date = date_of(cell);
        months[date.month() as usize - 1] += 1.0;
        weekdays[date.weekday().to_monday_zero_offset() as usize] += 1.0;
        there += 1.0;
    }
    (there > 0.0).then(|| (months.map(|count| count / there), weekdays.map(|count| count / there)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_dates_and_back() {
        assert_eq!(date_of(0.0), date(1970, 1, 1));
        assert_eq!(day_of(date(2024, 2, 29)), 19_782.0);
        assert_eq!(date_of(-1.0), date(1969, 12, 31));
        assert_eq!(date_of(19_782.0), date(2024, 2, 29));
    }

    #[test]
    fn months_and_weekdays_are_told_apart() {
        // Two Thursdays of January 1970, and a Thursday and a Friday of that month.
        let (real, other) = ([0.0, 7.0, f64::NAN], [0.0, 1.0]);
        assert_eq!(calendar_distances(&real, &other), Some([0.0, 0.5]));
        assert_eq!(calendar_distances(&real, &[f64::NAN]), None);
    }
}
