//! Days and seconds since 1970-01-01, without zones, and their ISO text.

use super::scan::{trim, write_digits};

/// Seconds in a day.
pub(crate) const DAY: i64 = 86_400;

/// Days of 0001-01-01 and 9999-12-31: what four digits of a year can write.
pub(crate) const FIRST_DAY: i64 = -719_162;
/// See [`FIRST_DAY`].
pub(crate) const LAST_DAY: i64 = 2_932_896;

/// A moment in civil fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Civil {
    pub year: i64,
    pub month: u32,
    pub day: u32,
    pub hour: u32,
    pub minute: u32,
    pub second: u32,
}

impl Civil {
    /// The moment's seconds, or `None` when a field is out of bounds (the 29th of February in a
    /// plain year, hour 24).
    pub(crate) fn seconds(&self) -> Option<i64> {
        let days = days(self.year, self.month, self.day)?;
        // A leap second is counted as the last ordinary one.
        let second = if self.second == 60 { 59 } else { self.second };
        if self.hour > 23 || self.minute > 59 || second > 59 {
            return None;
        }
        Some(days * DAY + i64::from(self.hour * 3600 + self.minute * 60 + second))
    }

    /// The day that the moment is in, with the same checks.
    pub(crate) fn day_number(&self) -> Option<i64> {
        if self.hour | self.minute | self.second == 0 {
            return days(self.year, self.month, self.day);
        }
        self.seconds().map(|seconds| seconds.div_euclid(DAY))
    }

    /// The moment with these fields, the year first.
    pub(crate) fn from_fields([year, month, day, hour, minute, second]: [u32; 6]) -> Self {
        Self { year: year.into(), month, day, hour, minute, second }
    }

    /// The fields, the year first.
    pub(crate) fn fields(&self) -> [u32; 6] {
        [self.year as u32, self.month, self.day, self.hour, self.minute, self.second]
    }

    /// The fields of a moment.
    pub(crate) fn from_seconds(seconds: i64) -> Self {
        let days = seconds.div_euclid(DAY).clamp(FIRST_DAY, LAST_DAY);
        let rest = seconds.rem_euclid(DAY) as u32;
        let (year, month, day) = civil(days);
        Self { year, month, day, hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60 }
    }
}

/// Days since 1970-01-01 of a Gregorian date with a year from 1 to 9999.
pub(crate) fn days(year: i64, month: u32, day: u32) -> Option<i64> {
    if !(1..=9999).contains(&year) || !(1..=12).contains(&month) || day < 1 || day > month_length(year, month) {
        return None;
    }
    // Hinnant's days-from-civil: years begin in March, so that the leap day comes last. All terms
    // are small and positive.
    let (year, month) = (year as u32 - u32::from(month <= 2), if month <= 2 { month + 9 } else { month - 3 });
    let century = year / 100;
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    Some(i64::from(year * 365 + year / 4 - century + century / 4 + day_of_year) - 719_468)
}

/// Year, month and day of a day number.
pub(crate) fn civil(days: i64) -> (i64, u32, u32) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * month_from_march + 2) / 5 + 1) as u32;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 } as u32;
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

fn month_length(year: i64, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Reads `2024-03-31`, with or without a time behind `T` or a space: `10:30`, `10:30:05`, fractions
/// of a second (dropped), `Z` or an offset (dropped: the clock on the wall counts).
pub(crate) fn parse_iso(cell: &[u8]) -> Option<Civil> {
    let cell = trim(cell);
    let (date, rest) = cell.split_at_checked(10)?;
    let [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1] = *date else { return None };
    let year = pair(y0, y1)? * 100 + pair(y2, y3)?;
    let (month, day) = (pair(m0, m1)?, pair(d0, d1)?);
    let mut moment = Civil { year: i64::from(year), month, day, hour: 0, minute: 0, second: 0 };
    match rest {
        [] => Some(moment),
        [b'T' | b't' | b' ', time @ ..] => {
            let time = without_zone(time)?;
            if time.len() < 5 || time[2] != b':' {
                return None;
            }
            moment.hour = pair(time[0], time[1])?;
            moment.minute = pair(time[3], time[4])?;
            match &time[5..] {
                [] => {}
                [b':', tens, ones, fraction @ ..] => {
                    moment.second = pair(*tens, *ones)?;
                    let plain = match fraction {
                        [] => true,
                        [b'.' | b',', fraction @ ..] => !fraction.is_empty() && fraction.iter().all(u8::is_ascii_digit),
                        _ => false,
                    };
                    if !plain {
                        return None;
                    }
                }
                _ => return None,
            }
            Some(moment)
        }
        _ => None,
    }
}

fn without_zone(time: &[u8]) -> Option<&[u8]> {
    if let [time @ .., b'Z' | b'z'] = time {
        return Some(time);
    }
    let Some(sign) = time.iter().position(|&byte| byte == b'+' || byte == b'-') else { return Some(time) };
    let (time, offset) = time.split_at(sign);
    let well_formed = match &offset[1..] {
        [a, b] | [a, b, b':'] => [a, b].iter().all(|byte| byte.is_ascii_digit()),
        [a, b, b':', c, d] | [a, b, c, d] => [a, b, c, d].iter().all(|byte| byte.is_ascii_digit()),
        _ => false,
    };
    well_formed.then_some(time.trim_ascii_end())
}

/// Two ASCII digits as a number.
#[inline]
fn pair(tens: u8, ones: u8) -> Option<u32> {
    let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    (tens <= 9 && ones <= 9).then(|| u32::from(tens) * 10 + u32::from(ones))
}

/// The ISO text of a day or a moment, by one of the two writers below.
pub(crate) fn iso_text(write: fn(i64, &mut Vec<u8>), value: i64) -> String {
    let mut text = Vec::with_capacity(20);
    write(value, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// Appends `2024-03-31`.
pub(crate) fn write_iso_date(days: i64, out: &mut Vec<u8>) {
    let (year, month, day) = civil(days.clamp(FIRST_DAY, LAST_DAY));
    write_digits(year as u64, 4, out);
    out.push(b'-');
    write_digits(u64::from(month), 2, out);
    out.push(b'-');
    write_digits(u64::from(day), 2, out);
}

/// Appends `2024-03-31T10:30:05`.
pub(crate) fn write_iso_datetime(seconds: i64, out: &mut Vec<u8>) {
    let moment = Civil::from_seconds(seconds);
    write_iso_date(seconds.div_euclid(DAY), out);
    for (mark, field) in [(b'T', moment.hour), (b':', moment.minute), (b':', moment.second)] {
        out.push(mark);
        write_digits(u64::from(field), 2, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_ten_thousand_years_goes_both_ways() {
        assert_eq!(days(1970, 1, 1), Some(0));
        assert_eq!((days(1, 1, 1), days(9999, 12, 31)), (Some(FIRST_DAY), Some(LAST_DAY)));
        let mut expected = (1, 1, 1);
        for day in FIRST_DAY..=LAST_DAY {
            let (year, month, date) = civil(day);
            assert_eq!((year, month, date), expected);
            assert_eq!(days(year, month, date), Some(day));
            expected = if date < month_length(year, month) {
                (year, month, date + 1)
            } else if month < 12 {
                (year, month + 1, 1)
            } else {
                (year + 1, 1, 1)
            };
        }
    }

    #[test]
    fn days_agree_with_jiff() {
        for day in (FIRST_DAY..=LAST_DAY).step_by(9973) {
            let (year, month, date) = civil(day);
            let epoch = jiff::civil::date(1970, 1, 1);
            let other = jiff::civil::date(year as i16, month as i8, date as i8);
            assert_eq!(other.since((jiff::Unit::Day, epoch)).unwrap().get_days() as i64, day);
        }
    }

    #[test]
    fn iso_text_in_its_usual_spellings() {
        let read = |text: &str| parse_iso(text.as_bytes()).and_then(|moment| moment.seconds());
        let noon = days(2024, 2, 29).unwrap() * DAY + 12 * 3600;
        assert_eq!(read("2024-02-29"), Some(noon - 12 * 3600));
        for text in [
            "2024-02-29T12:00",
            "2024-02-29 12:00:00",
            " 2024-02-29t12:00:00.250 ",
            "2024-02-29T12:00:00Z",
            "2024-02-29T12:00:00+02:00",
            "2024-02-29T12:00:00.5-0500",
            "2024-02-29 12:00:00 +01",
        ] {
            assert_eq!(read(text), Some(noon), "{text}");
        }
        for text in [
            "",
            "2023-02-29",
            "2024-13-01",
            "2024-00-10",
            "2024-1-1",
            "24-01-01",
            "2024-02-29T24:00",
            "2024-02-29T12",
            "2024-02-29T12:60",
            "2024-02-29T12:00:",
            "2024-02-29T12:00:0",
            "2024-02-29x",
            "0000-01-01",
            "2024/02/29",
            "2024-02-29T12:00:00.",
            "2024-02-29T12:00+1",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read("2016-12-31T23:59:60"), read("2016-12-31T23:59:59"));
    }

    proptest::proptest! {
        #[test]
        fn seconds_go_both_ways(seconds in FIRST_DAY * DAY..(LAST_DAY + 1) * DAY) {
            let mut out = Vec::new();
            write_iso_datetime(seconds, &mut out);
            proptest::prop_assert_eq!(parse_iso(&out).unwrap().seconds(), Some(seconds));
        }

        #[test]
        fn any_bytes_are_survived(cell in proptest::collection::vec(proptest::num::u8::ANY, 0..40)) {
            let _ = parse_iso(&cell);
        }
    }
}
