//! How a column writes its dates: ISO, or a `strptime` pattern.

use std::io::Write;

use super::cached::Cached;
use super::calendar::{Civil, DAY, parse_iso, write_iso_date, write_iso_datetime};
use super::scan::{trim, write_digits};
use super::typed::TypedCell;
use crate::error::Mistake;

/// What the format's numbers count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CalendarUnit {
    /// Days since 1970-01-01.
    Day,
    /// Seconds since 1970-01-01T00:00:00.
    Second,
}

/// A way of writing dates or moments.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeFormat {
    unit: CalendarUnit,
    pattern: Option<String>,
    /// The first of the hundred years that two digits can mean.
    first_year: i64,
    directives: Cached<Option<Vec<Directive>>>,
}

/// What two digits mean where no range tells: 69 is 1969, 68 is 2068.
const USUAL_CENTURY: i64 = 1969;

/// A piece of a pattern that is read and written by hand; other patterns go through jiff.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Directive {
    Literal(u8),
    /// A field of [`Civil`]: 0 is the year, 5 the second.
    Field(usize),
    /// A year in two digits.
    ShortYear,
}

impl TimeFormat {
    /// ISO 8601.
    pub(crate) fn iso(unit: CalendarUnit) -> Self {
        Self { unit, pattern: None, first_year: USUAL_CENTURY, directives: Cached(None) }
    }

    /// A pattern of `%` directives, checked by writing and reading a few moments.
    pub(crate) fn pattern(pattern: &str, unit: CalendarUnit) -> Result<Self, Mistake> {
        let first_year = USUAL_CENTURY;
        let format =
            Self { unit, pattern: Some(pattern.to_owned()), first_year, directives: Cached(directives(pattern)) };
        let help = match unit {
            CalendarUnit::Day => "give year, month and day, as in format = \"%d/%m/%Y\"",
            CalendarUnit::Second => "give year, month, day and the time, as in format = \"%d/%m/%Y %H:%M\"",
        };
        for (year, month, day) in [(2001, 2, 3), (1999, 11, 22)] {
            let moment = Civil { year, month, day, hour: 14, minute: 15, second: 16 };
            let seconds = moment.seconds().unwrap_or(0);
            let value = if unit == CalendarUnit::Day { seconds.div_euclid(DAY) } else { seconds };
            let mut text = Vec::new();
            format.write(value, &mut text);
            let step = if text.is_empty() { None } else { Some(format.step()) };
            if step.is_none_or(|step| format.parse(&text) != Some(value - value.rem_euclid(step))) {
                return Err(Mistake::new(format!("the format {pattern:?} does not read back what it writes"), help));
            }
        }
        Ok(format)
    }

    /// The same for a range of years: two digits mean the year in the range, and where that is less
    /// than a hundred years, the one nearest to it.
    pub(crate) fn for_years(self, low: i64, high: i64) -> Self {
        let first_year = if high - low < 100 { low - (99 - (high - low)) / 2 } else { self.first_year };
        Self { first_year, ..self }
    }

    /// What the format's numbers count.
    pub fn unit(&self) -> CalendarUnit {
        self.unit
    }

    /// The pattern, or `None` for ISO.
    pub fn pattern_text(&self) -> Option<&str> {
        self.pattern.as_deref()
    }

    /// The smallest distance that the text can tell apart, in the format's unit.
    pub(crate) fn step(&self) -> i64 {
        if self.unit == CalendarUnit::Day {
            return 1;
        }
        let text = |seconds: i64| {
            let mut out = Vec::new();
            self.write(seconds, &mut out);
            out
        };
        let base = text(DAY * 10_000);
        [1, 60, 3600].into_iter().find(|&step| text(DAY * 10_000 + step) != base).unwrap_or(DAY)
    }

    /// Reads a cell, in the format's unit.
    pub(crate) fn parse(&self, cell: &[u8]) -> Option<i64> {
        let moment = match (&self.pattern, &self.directives.0) {
            (None, _) => parse_iso(cell)?,
            (Some(_), Some(directives)) => parse_directives(directives, self.first_year, trim(cell))?,
            (Some(pattern), None) => self.parse_slowly(pattern, trim(cell))?,
        };
        if self.unit == CalendarUnit::Day { moment.day_number() } else { moment.seconds() }
    }

    /// A date or a moment of a typed file, in the format's unit.
    pub(super) fn own(&self, cell: TypedCell<'_>) -> Option<i64> {
        match (cell, self.unit) {
            (TypedCell::Date(days), CalendarUnit::Day) => Some(days),
            (TypedCell::Date(days), CalendarUnit::Second) => Some(days.saturating_mul(DAY)),
            (TypedCell::DateTime(seconds), CalendarUnit::Day) => Some(seconds.div_euclid(DAY)),
            (TypedCell::DateTime(seconds), CalendarUnit::Second) => Some(seconds),
            _ => None,
        }
    }

    fn parse_slowly(&self, pattern: &str, cell: &[u8]) -> Option<Civil> {
        let parsed = jiff::fmt::strtime::parse(pattern, cell).ok()?;
        let date = parsed.to_date().ok()?;
        let time = match self.unit {
            CalendarUnit::Day => jiff::civil::Time::midnight(),
            CalendarUnit::Second => parsed.to_time().ok()?,
        };
        let fields = [date.month(), date.day(), time.hour(), time.minute(), time.second()];
        let [month, day, hour, minute, second] = fields.map(i8::unsigned_abs).map(u32::from);
        Some(Civil { year: date.year().into(), month, day, hour, minute, second })
    }

    /// Appends the text of a value in the format's unit.
    pub(crate) fn write(&self, value: i64, out: &mut Vec<u8>) {
        let seconds = if self.unit == CalendarUnit::Day { value.saturating_mul(DAY) } else { value };
        match (&self.pattern, &self.directives.0) {
            (None, _) if self.unit == CalendarUnit::Day => write_iso_date(value, out),
            (None, _) => write_iso_datetime(value, out),
            (Some(_), Some(directives)) => write_directives(directives, Civil::from_seconds(seconds), out),
            (Some(pattern), None) => write_slowly(pattern, Civil::from_seconds(seconds), out),
        }
    }
}

/// The fields of [`Civil`].
const FIELDS: [usize; 6] = [0, 1, 2, 3, 4, 5];

fn directives(pattern: &str) -> Option<Vec<Directive>> {
    let mut directives = Vec::new();
    let mut bytes = pattern.bytes();
    while let Some(byte) = bytes.next() {
        let (mark, fields): (u8, &[usize]) = match byte {
            b'%' => match bytes.next()? {
                b'F' => (b'-', &FIELDS[..3]),
                b'T' => (b':', &FIELDS[3..]),
                b'%' => (b'%', &[]),
                b'y' => {
                    directives.push(Directive::ShortYear);
                    continue;
                }
                letter => {
                    let field = b"YmdHMS".iter().position(|&known| known == letter)?;
                    (0, &FIELDS[field..=field])
                }
            },
            // White space in a pattern matches any run of it; that is left to jiff unless it is one
            // plain space.
            b'\t' | b'\n' | b'\r' => return None,
            _ => (byte, &[]),
        };
        if fields.is_empty() {
            directives.push(Directive::Literal(mark));
        }
        for (place, &field) in fields.iter().enumerate() {
            directives.extend((place > 0).then_some(Directive::Literal(mark)));
            directives.push(Directive::Field(field));
        }
    }
    let has = |field: usize| directives.contains(&Directive::Field(field));
    let has_year = has(0) != directives.contains(&Directive::ShortYear);
    (has_year && has(1) && has(2)).then_some(directives)
}

fn parse_directives(directives: &[Directive], first_year: i64, cell: &[u8]) -> Option<Civil> {
    let mut fields = [0; 6];
    let mut rest = cell;
    for directive in directives {
        match directive {
            Directive::Literal(byte) => rest = rest.strip_prefix(std::slice::from_ref(byte))?,
            Directive::ShortYear => {
                let [tens @ b'0'..=b'9', ones @ b'0'..=b'9', behind @ ..] = rest else { return None };
                let digits = i64::from(tens - b'0') * 10 + i64::from(ones - b'0');
                let year = first_year + (digits - first_year).rem_euclid(100);
                fields[0] = u32::try_from(year).ok()?;
                rest = behind;
            }
            Directive::Field(field) => {
                let most = if *field == 0 { 4 } else { 2 };
                let length = rest.iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
                if length == 0 || (*field == 0 && length < 4) {
                    return None;
                }
                let (digits, behind) = rest.split_at(length);
                fields[*field] = digits.iter().fold(0, |value, byte| value * 10 + u32::from(byte - b'0'));
                rest = behind;
            }
        }
    }
    rest.is_empty().then(|| Civil::from_fields(fields))
}

fn write_directives(directives: &[Directive], moment: Civil, out: &mut Vec<u8>) {
    let fields = moment.fields();
    for directive in directives {
        match *directive {
            Directive::Literal(byte) => out.push(byte),
            Directive::ShortYear => write_digits((fields[0] % 100).into(), 2, out),
            Directive::Field(field) => write_digits(fields[field].into(), if field == 0 { 4 } else { 2 }, out),
        }
    }
}

fn write_slowly(pattern: &str, moment: Civil, out: &mut Vec<u8>) {
    let date = jiff::civil::Date::new(moment.year as i16, moment.month as i8, moment.day as i8);
    let Ok(date) = date else { return };
    let Ok(time) = jiff::civil::Time::new(moment.hour as i8, moment.minute as i8, moment.second as i8, 0) else {
        return;
    };
    let from = out.len();
    // A directive that civil time does not have (a zone) fails here; `pattern` then refuses the
    // empty text.
    if write!(out, "{}", date.to_datetime(time).strftime(pattern)).is_err() {
        out.truncate(from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::calendar::days;

    #[test]
    fn patterns_by_hand_and_by_jiff() {
        let day = days(2021, 3, 4);
        for (pattern, text) in [
            ("%d/%m/%Y", "04/03/2021"),
            ("%m/%d/%Y", "03/04/2021"),
            ("%Y%m%d", "20210304"),
            ("%d %B %Y", "04 March 2021"),
            ("%d-%b-%y", "04-Mar-21"),
        ] {
            let format = TimeFormat::pattern(pattern, CalendarUnit::Day).unwrap();
            assert_eq!(format.parse(text.as_bytes()), day, "{pattern}");
            let mut out = Vec::new();
            format.write(day.unwrap(), &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), text);
        }
        let lenient = TimeFormat::pattern("%d/%m/%Y", CalendarUnit::Day).unwrap();
        assert_eq!(lenient.parse(b" 4/3/2021 "), day);
        for bad in ["", "4/3", "4/3/21", "31/02/2021", "4/13/2021", "4/3/2021x", "a/b/c"] {
            assert_eq!(lenient.parse(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn two_digits_mean_a_year_of_the_range() {
        let usual = TimeFormat::pattern("%m/%d/%y", CalendarUnit::Day).unwrap();
        assert_eq!(usual.parse(b"03/04/69"), days(1969, 3, 4));
        assert_eq!(usual.parse(b"03/04/68"), days(2068, 3, 4));
        let births = usual.clone().for_years(1920, 2019);
        assert_eq!(births.parse(b"03/04/20"), days(1920, 3, 4));
        assert_eq!(births.parse(b"3/4/19"), days(2019, 3, 4));
        // Beyond a short range, the nearest year.
        let flights = usual.clone().for_years(2000, 2010);
        assert_eq!(flights.parse(b"03/04/99"), days(1999, 3, 4));
        assert_eq!(flights.parse(b"03/04/11"), days(2011, 3, 4));
        assert_eq!(flights.parse(b"03/04/2011"), None);
        assert_eq!(usual.clone().for_years(1900, 2029), usual);
        let mut text = Vec::new();
        births.write(days(1920, 3, 4).unwrap(), &mut text);
        assert_eq!(text, b"03/04/20");
    }

    #[test]
    fn the_step_follows_the_pattern() {
        let step = |pattern: &str| TimeFormat::pattern(pattern, CalendarUnit::Second).map(|format| format.step());
        assert_eq!(step("%d/%m/%Y %H:%M:%S"), Ok(1));
        assert_eq!(step("%d/%m/%Y %H:%M"), Ok(60));
        assert_eq!(step("%Y-%m-%d %H"), Ok(3600));
        assert_eq!(step("%d/%m/%Y %I:%M %p"), Ok(60));
        assert_eq!(step("%Y-%m-%d"), Ok(86_400));
    }

    #[test]
    fn patterns_that_lose_the_date_are_refused() {
        for pattern in ["", "%Y", "%m/%Y", "%d/%m", "hello", "%Q", "%", "%d/%m/%Y %Z", "%H:%M"] {
            assert!(TimeFormat::pattern(pattern, CalendarUnit::Day).is_err(), "{pattern:?}");
            assert!(TimeFormat::pattern(pattern, CalendarUnit::Second).is_err(), "{pattern:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_pattern_and_cell_are_survived(pattern in "[%a-zA-Z /:.-]{0,12}", cell in "[0-9a-z /:.-]{0,20}") {
            for unit in [CalendarUnit::Day, CalendarUnit::Second] {
                if let Ok(format) = TimeFormat::pattern(&pattern, unit) {
                    let _ = format.parse(cell.as_bytes());
                }
            }
        }
    }
}
