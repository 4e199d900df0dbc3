//! Times of day as numbers: 517 is seventeen minutes past five, 51730 half a minute later.

use super::scan::write_digits;

/// How exactly a clock tells the time, and how many digits that takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClockUnit {
    /// Hours and two digits of minutes.
    Minute,
    /// Hours, minutes and seconds, two digits each.
    Second,
}

impl ClockUnit {
    /// The unit of a format of clock numbers; `None` for a format of other numbers.
    pub(crate) fn of_format(format: &str) -> Option<Self> {
        match format {
            _ if format.ends_with("h:mm:ss") => Some(Self::Second),
            "h:mm" | "hh:mm" => Some(Self::Minute),
            _ => ["hmm", "hhmm"].iter().any(|word| format.starts_with(word)).then_some(Self::Minute),
        }
    }

    /// The number of the last unit of a day.
    pub(crate) fn last(self) -> i64 {
        if self == Self::Minute { 2359 } else { 235_959 }
    }

    /// The number of the midnight that ends a day.
    pub(crate) fn midnight(self) -> i64 {
        if self == Self::Minute { 2400 } else { 240_000 }
    }

    /// The digits of a number with two digits of hours.
    pub(crate) fn digits(self) -> usize {
        if self == Self::Minute { 4 } else { 6 }
    }

    /// The minutes or seconds since midnight of a clock number: 517 is minute 317. Numbers that no
    /// clock shows count as the last minute of their hour, or the last second of their minute.
    pub(crate) fn units(self, number: i64) -> i64 {
        let sixty = |number: i64| number.div_euclid(100) * 60 + number.rem_euclid(100).min(59);
        match self {
            Self::Minute => sixty(number),
            Self::Second => sixty(number.div_euclid(100)) * 60 + number.rem_euclid(100).min(59),
        }
    }

    /// The clock number of a minute or second.
    pub(crate) fn number(self, units: i64) -> i64 {
        let hundred = |units: i64| units.div_euclid(60) * 100 + units.rem_euclid(60);
        match self {
            Self::Minute => hundred(units),
            Self::Second => hundred(units.div_euclid(60)) * 100 + units.rem_euclid(60),
        }
    }
}

/// A time of day in a cell such as 5:17, 05:17:30 or 05:17:30.250.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeOfDay {
    hour: u8,
    minute: u8,
    second: Option<u8>,
    /// Digits of the hour.
    pub(crate) hour_digits: usize,
}

impl TimeOfDay {
    /// Reads a cell without white space around it. The midnight that ends a day is 24:00.
    pub(crate) fn parse(cell: &[u8]) -> Option<Self> {
        let mut parts = cell.split(|&byte| byte == b':');
        let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next());
        if parts.next().is_some() || !(1..=2).contains(&hours.len()) {
            return None;
        }
        // Parts of a second are cut off.
        let seconds = seconds.map(|seconds| match seconds.iter().position(|byte| matches!(byte, b'.' | b',')) {
            Some(at) if at + 1 < seconds.len() && seconds[at + 1..].iter().all(u8::is_ascii_digit) => &seconds[..at],
            _ => seconds,
        });
        let number = |digits: &[u8]| {
            let known = !digits.is_empty() && digits.len() <= 2 && digits.iter().all(u8::is_ascii_digit);
            known.then(|| digits.iter().fold(0, |sum, digit| 10 * sum + (digit - b'0')))
        };
        let sixty = |digits: &[u8]| number(digits).filter(|&value| digits.len() == 2 && value < 60);
        let (hour, minute) = (number(hours)?, sixty(minutes)?);
        let second = match seconds {
            None => None,
            Some(seconds) => Some(sixty(seconds)?),
        };
        let ends_a_day = hour == 24 && minute == 0 && second.is_none_or(|second| second == 0);
        (hour < 24 || ends_a_day).then_some(Self { hour, minute, second, hour_digits: hours.len() })
    }

    /// Whether it tells seconds.
    pub(crate) fn has_seconds(self) -> bool {
        self.second.is_some()
    }

    /// Whether the hour says how many digits hours below ten have.
    pub(crate) fn is_early(self) -> bool {
        self.hour < 10
    }
}

/// The digits of a time of day that stands with its marks: 0517 for 5:17. Seconds that the unit
/// does not tell are cut off, and those that the cell does not tell are 0.
pub(super) fn hidden_marks(cell: &[u8], unit: ClockUnit) -> Option<[u8; 6]> {
    let time = TimeOfDay::parse(cell)?;
    let mut digits = [b'0'; 6];
    let parts = [time.hour, time.minute, time.second.unwrap_or(0)];
    for (pair, part) in digits.chunks_exact_mut(2).zip(parts).take(unit.digits() / 2) {
        pair.copy_from_slice(&[b'0' + part / 10, b'0' + part % 10]);
    }
    Some(digits)
}

/// Appends the digits of a clock number as a time of day.
pub(super) fn write_time(number: &[u8], unit: ClockUnit, full: bool, out: &mut Vec<u8>) {
    let number = number.iter().fold(0i64, |sum, digit| sum.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    let units = unit.units(number).max(0) as u64;
    let minutes = if unit == ClockUnit::Second { units / 60 } else { units };
    write_digits(minutes / 60, if full { 2 } else { 1 }, out);
    out.push(b':');
    write_digits(minutes % 60, 2, out);
    if unit == ClockUnit::Second {
        out.push(b':');
        write_digits(units % 60, 2, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_numbers_are_units_of_a_day() {
        for (unit, units) in [(ClockUnit::Minute, 1440), (ClockUnit::Second, 86_400)] {
            for at in 0..=units {
                let number = unit.number(at);
                assert!(number % 100 < 60 && number / 100 % 100 < 60 || unit == ClockUnit::Minute, "{number}");
                assert_eq!(unit.units(number), at);
            }
            assert_eq!([unit.number(units - 1), unit.number(units)], [unit.last(), unit.midnight()]);
        }
        assert_eq!(ClockUnit::Minute.units(1275), 12 * 60 + 59);
        assert_eq!(ClockUnit::Second.number(ClockUnit::Second.units(127_599)), 125_959);
    }

    #[test]
    fn what_is_no_time_of_day_is_none() {
        for good in ["5:17", "05:17", "23:59:59", "0:00", "24:00", "24:00:00", "10:05:30.25"] {
            assert!(TimeOfDay::parse(good.as_bytes()).is_some(), "{good}");
        }
        let bad = [
            "",
            ":",
            "5",
            "517",
            "5:7",
            "5:60",
            "25:00",
            "24:01",
            "24:00:01",
            "123:00",
            "1:2:3",
            "10:05:60",
            "10:05:",
            "10:05:30.",
            "10:05:30:1",
            "-1:00",
            "10:05 ",
            "1o:05",
            "10:05:30.x",
            ":05",
            "10:005",
        ];
        for bad in bad {
            assert_eq!(TimeOfDay::parse(bad.as_bytes()), None, "{bad}");
        }
    }
}
