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
    /// Two columns add up to a third, and so one is the difference of the others.
    Sum([usize; 2], usize, Tally),
    /// Two columns multiplied give a third, up to its last decimal: half of a unit there is given.
    Product([usize; 2], usize, f64, Tally),
    /// A whole number divided by a fixed one, or what is left, stands in another column.
    Split(Half, i32, usize, usize, Tally),
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
    /// Of an order: those that would break it with a cell of another row in the place of their own.
    pub(super) crossed: u64,
}

/// What a division gives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    /// The hours of a clock number such as 517.
    Quotient,
    /// Its minutes.
    Remainder,
}

impl Half {
    /// What is divided by: clock numbers and amounts in hundredths, minutes and seconds, dates such
    /// as 20240131, and other numbers that are written one behind the other.
    pub(super) const DIVISORS: [i32; 5] = [100, 60, 10, 1000, 10_000];

    /// The expression of a formula.
    pub(super) fn formula(self, whole: &str, divisor: i32) -> String {
        match self {
            Self::Quotient => format!("floor({whole} / {divisor})"),
            Self::Remainder => format!("{whole} - {divisor} * floor({whole} / {divisor})"),
        }
    }

    fn of(self, whole: f64, divisor: f64) -> f64 {
        match self {
            Self::Quotient => (whole / divisor).floor(),
            Self::Remainder => whole.rem_euclid(divisor),
        }
    }
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

    pub(super) fn product(parts: [usize; 2], product: usize, unit: f64) -> Self {
        Self::Product(parts, product, unit / 2.0, Tally::default())
    }

    pub(super) fn split(half: Half, divisor: i32, whole: usize, part: usize) -> Self {
        Self::Split(half, divisor, whole, part, Tally::default())
    }

    pub(super) fn part(part: Part, date: usize, is_moment: bool, number: usize) -> Self {
        Self::Part(part, date, is_moment, number, Tally::default())
    }

    pub(super) fn depends(keys: Vec<usize>, value: usize) -> Self {
        Self::Depends(keys, value, HashMap::new(), Tally::default())
    }

    fn is_broken_by_a_gap(&self, row: &[Option<f64>]) -> bool {
        match self {
            // Which of the three is computed is not known yet.
            Self::Sum([one, two], sum, _) => [one, two, sum].iter().filter(|&&&cell| row[cell].is_none()).count() == 1,
            Self::Product([one, two], result, ..) => {
                row[*result].is_some() != (row[*one].is_some() && row[*two].is_some())
            }
            Self::Split(_, _, whole, part, _) | Self::Part(_, whole, _, part, _) => {
                row[*part].is_some() != row[*whole].is_some()
            }
            Self::InOrder(..) | Self::Depends(..) => false,
        }
    }

    /// Counts a row whose cells break an order, one of them exchanged for that of another row. What
    /// no other row breaks either is an order of the ranges, and no rule of a row.
    pub(super) fn cross(&mut self, row: &[Option<f64>], other: &[Option<f64>]) {
        if let Self::InOrder(low, high, tally) = self {
            let breaks = |low: Option<f64>, high: Option<f64>| low.zip(high).is_some_and(|(low, high)| low > high);
            tally.crossed += u64::from(breaks(row[*low], other[*high]) || breaks(other[*low], row[*high]));
        }
    }

    /// Whether enough rows could have broken it.
    pub(super) fn is_proven(&self, rows: u64) -> bool {
        match self {
            Self::InOrder(_, _, tally) | Self::Sum(_, _, tally) | Self::Part(.., tally) => tally.different >= rows,
            Self::Product(.., tally) | Self::Split(.., tally) => tally.different >= rows,
            Self::Depends(_, _, values, tally) => {
                values.len() > 1 && tally.present >= rows && tally.present >= ROWS_A_KEY * values.len() as u64
            }
        }
    }

    /// Whether a row keeps the rule. A row with a missing cell does, unless what would be computed
    /// is missing alone, or is there without all of its parts.
    pub(super) fn holds(&mut self, row: &[Option<f64>]) -> bool {
        if self.is_broken_by_a_gap(row) {
            return false;
        }
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
            Self::Product([one, two], product, half, tally) => {
                let (Some(one), Some(two), Some(product)) = (row[*one], row[*two], row[*product]) else { return true };
                tally.present += 1;
                // A factor of 1 is a copy, and of 0 nothing.
                let tells = [one, two].iter().all(|factor| *factor != 0.0 && factor.abs() != 1.0) && product != 0.0;
                tally.different += u64::from(tells);
                (one * two - product).abs() <= *half * (1.0 + 1e-9) + 1e-9 * product.abs()
            }
            Self::Split(half, divisor, whole, part, tally) => {
                let (Some(whole), Some(part)) = (row[*whole], row[*part]) else { return true };
                let divisor = f64::from(*divisor);
                tally.present += 1;
                // Both halves are there: otherwise it is a ratio, or a copy.
                tally.different += u64::from(whole >= divisor && whole.rem_euclid(divisor) != 0.0);
                half.of(whole, divisor) == part
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
