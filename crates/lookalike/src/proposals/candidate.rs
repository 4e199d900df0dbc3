//! Rules that are tried, row by row, until one breaks them.

use std::collections::HashMap;

/// More keys than this are no list.
const MOST_KEYS: usize = 5000;
/// Rows that a key must have on average. At epsilon 1 a release needs about 90 to find what belongs
/// to it; keys of very few rows have one value by chance.
const ROWS_A_KEY: u64 = 100;
/// Seconds in a day.
const DAY: i64 = 86_400;

/// A rule that no row has broken yet. Columns are numbers.
pub(super) enum Candidate {
    /// The first column is never above the second.
    InOrder(usize, usize, Tally),
    /// Two columns add up to a third.
    Sum([usize; 2], usize, Tally),
    /// A part of a date, which may be a moment, stands in another column.
    Part(Part, usize, bool, usize, Tally),
    /// A column has one value for each value of the keys.
    Depends(Vec<usize>, usize, HashMap<Vec<u64>, u64>, Tally),
}

/// Rows that could have broken a rule.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) present: u64,
    /// Those in which it says something: the columns of an order differ, parts of a sum are not 0.
    pub(super) different: u64,
}

/// A part of a date.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Year,
    Month,
    Day,
    Weekday,
    Hour,
}

impl Part {
    pub(super) const ALL: [Self; 5] = [Self::Year, Self::Month, Self::Day, Self::Weekday, Self::Hour];

    /// The function of a formula.
    pub(super) fn word(self) -> &'static str {
        ["year", "month", "day", "weekday", "hour"][self as usize]
    }

    fn of(self, value: f64, is_moment: bool) -> f64 {
        let seconds = if is_moment { value as i64 } else { (value as i64).saturating_mul(DAY) };
        // Outside of the years that there are, no number is this one.
        let Ok(instant) = jiff::Timestamp::from_second(seconds) else { return f64::NAN };
        let moment = jiff::tz::Offset::UTC.to_datetime(instant);
        match self {
            Self::Year => f64::from(moment.year()),
            Self::Month => f64::from(moment.month()),
            Self::Day => f64::from(moment.day()),
            Self::Weekday => f64::from(moment.weekday().to_monday_one_offset()),
            Self::Hour => f64::from(moment.hour()),
        }
    }
}

impl Candidate {
    pub(super) fn in_order(low: usize, high: usize) -> Self {
        Self::InOrder(low, high, Tally::default())
    }

    pub(super) fn sum(parts: [usize; 2], sum: usize) -> Self {
        Self::Sum(parts, sum, Tally::default())
    }

    pub(super) fn part(part: Part, date: usize, is_moment: bool, number: usize) -> Self {
        Self::Part(part, date, is_moment, number, Tally::default())
    }

    pub(super) fn depends(keys: Vec<usize>, value: usize) -> Self {
        Self::Depends(keys, value, HashMap::new(), Tally::default())
    }

    /// Whether enough rows could have broken it.
    pub(super) fn is_proven(&self, rows: u64) -> bool {
        match self {
            Self::InOrder(_, _, tally) | Self::Sum(_, _, tally) | Self::Part(.., tally) => tally.different >= rows,
            Self::Depends(_, _, values, tally) => {
                values.len() > 1 && tally.present >= rows && tally.present >= ROWS_A_KEY * values.len() as u64
            }
        }
    }

    /// Whether a row keeps the rule; one with a missing cell does.
    pub(super) fn holds(&mut self, row: &[Option<f64>]) -> bool {
        match self {
            Self::InOrder(low, high, tally) => {
                let (Some(low), Some(high)) = (row[*low], row[*high]) else { return true };
                tally.present += 1;
                tally.different += u64::from(low < high);
                low <= high
            }
            Self::Sum([one, two], sum, tally) => {
                let (Some(one), Some(two), Some(sum)) = (row[*one], row[*two], row[*sum]) else { return true };
                tally.present += 1;
                tally.different += u64::from(one != 0.0 && two != 0.0);
                (one + two - sum).abs() <= 1e-9 * (one.abs() + two.abs())
            }
            Self::Part(part, date, is_moment, number, tally) => {
                let (Some(date), Some(number)) = (row[*date], row[*number]) else { return true };
                tally.present += 1;
                tally.different += 1;
                part.of(date, *is_moment) == number
            }
            Self::Depends(keys, value, values, tally) => {
                let key: Option<Vec<u64>> = keys.iter().map(|&key| row[key].map(f64::to_bits)).collect();
                let (Some(key), Some(value)) = (key, row[*value]) else { return true };
                tally.present += 1;
                *values.entry(key).or_insert(value.to_bits()) == value.to_bits() && values.len() <= MOST_KEYS
            }
        }
    }
}
