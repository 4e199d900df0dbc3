//! How cells are read before there are codes.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::dress::{DressWord, NumberShape, dressed, may_be_thousands};
use super::grids::{EdgeGrid, MAGNITUDES, Magnitude, MonthGrid};
use super::readings::{DateWriting, MOST_DECIMALS, READINGS, Reading, TimeWriting, date_patterns, truth};
use crate::codec::calendar::{DAY, parse_iso};
use crate::codec::clock::TimeOfDay;
use crate::codec::scan::{is_clock_number, number, trim};
use crate::codec::{CalendarUnit, NumberFormat, TimeFormat};

/// A fixed rule that gives a cell its place in a list of counts, or none: data, so that an engine
/// may run it anywhere.
///
/// # Privacy
/// The place follows from the cell's own text and the rule. A rule may depend on answers that were
/// paid for. So one record changes one count by one, and the counts are a marginal.
#[derive(Clone, Debug, PartialEq)]
pub enum CellReader {
    /// What the cell is read as: a place of [`READINGS`].
    Readings,
    /// A number's magnitude. What is no number has no place.
    Magnitudes(NumberText),
    /// A number among edges.
    Edges(NumberText, EdgeGrid),
    /// Whether a number is one of a clock, such as 517 for 5:17 (place 0), or not (place 1).
    Clock(NumberText),
    /// A date's year or month.
    Months(DateText, MonthGrid),
}

/// How a column writes its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberText {
    decimal: u8,
    format: Option<Box<NumberFormat>>,
}

impl NumberText {
    /// Plain numbers with this decimal mark, or those of a format that is stated.
    pub(super) fn new(decimal: u8, format: Option<&str>) -> Self {
        // A schema with another format is refused before.
        let format = format.and_then(|pattern| NumberFormat::new(pattern, decimal).ok()).map(Box::new);
        Self { decimal, format }
    }

    /// Plain numbers with this decimal mark.
    pub fn plain(decimal: u8) -> Self {
        Self::new(decimal, None)
    }

    /// Numbers as a format says that was found.
    pub fn dressed(decimal: u8, format: &str) -> Self {
        Self::new(decimal, Some(format))
    }

    /// The decimal mark.
    pub fn mark(&self) -> u8 {
        self.decimal
    }

    fn number(&self, cell: &[u8]) -> Option<f64> {
        match &self.format {
            None => number(cell, self.decimal),
            Some(format) => format.number(cell),
        }
    }
}

/// How a column writes its dates.
#[derive(Clone, Debug, PartialEq)]
pub struct DateText(TimeFormat);

impl DateText {
    /// The `strptime` pattern, or ISO 8601.
    pub fn new(pattern: Option<&str>, timed: bool) -> Option<Self> {
        let unit = if timed { CalendarUnit::Second } else { CalendarUnit::Day };
        match pattern {
            None => Some(Self(TimeFormat::iso(CalendarUnit::Second))),
            Some(pattern) => TimeFormat::pattern(pattern, unit).ok().map(Self),
        }
    }

    fn seconds(&self, cell: &[u8]) -> Option<i64> {
        if self.0.pattern_text().is_none() {
            return parse_iso(cell).and_then(|moment| moment.seconds());
        }
        let value = self.0.parse(cell)?;
        Some(if self.0.unit() == CalendarUnit::Day { value * DAY } else { value })
    }
}

impl CellReader {
    /// How many places there are.
    pub fn cells(&self) -> u32 {
        match self {
            Self::Readings => READINGS.len() as u32,
            Self::Magnitudes(_) => MAGNITUDES,
            Self::Edges(_, grid) => grid.cells(),
            Self::Clock(_) => 2,
            Self::Months(_, grid) => grid.cells,
        }
    }

    /// The place of a cell.
    pub fn place(&self, cell: &[u8]) -> Option<u32> {
        match self {
            Self::Readings => Some(RULES.place(trim(cell))),
            Self::Magnitudes(text) => text.number(cell).map(|value| Magnitude::of(value).0),
            Self::Edges(text, grid) => text.number(cell).map(|value| grid.of(value)),
            Self::Clock(text) => text.number(cell).map(|value| u32::from(!is_clock_number(value))),
            Self::Months(text, grid) => text.seconds(trim(cell)).map(|seconds| grid.of(seconds)),
        }
    }

    /// What is counted, in words: "readings".
    pub fn name(&self) -> &'static str {
        match self {
            Self::Readings => "readings",
            Self::Magnitudes(_) => "magnitudes",
            Self::Edges(..) => "numbers",
            Self::Clock(_) => "clock numbers",
            Self::Months(_, grid) if grid.months == 12 => "years",
            Self::Months(..) => "months",
        }
    }
}

/// What [`CellReader::Readings`] needs, made once.
struct Rules {
    /// Missing words and their places.
    missing: HashMap<&'static [u8], u32>,
    truths: u32,
    integer: u32,
    dates: Vec<(DateWriting, DateText)>,
    either: HashMap<DateWriting, u32>,
    sure: HashMap<DateWriting, u32>,
    thousands: [u32; 2],
    times: HashMap<TimeWriting, u32>,
    text: u32,
    undecodable: u32,
    dressed: HashMap<(DressWord, NumberShape), u32>,
}

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let place = |wanted: &Reading| READINGS.iter().position(|reading| reading == wanted).unwrap_or_default() as u32;
    let missing = READINGS.iter().enumerate().filter_map(|(place, reading)| match reading {
        Reading::Missing(word) => Some((word.as_bytes(), place as u32)),
        _ => None,
    });
    let dates = date_patterns().filter_map(|writing| {
        let text = DateText::new(writing.pattern, writing.timed)?;
        Some((writing, text))
    });
    // A moment is read by its pattern where it has one, so that it is written in the same way
    // again; ISO 8601, which reads most of these too, is for the others.
    let mut dates: Vec<(DateWriting, DateText)> = dates.collect();
    dates.sort_by_key(|(writing, _)| !writing.pattern.is_some_and(|_| writing.is_like_iso()));
    let dressed = READINGS.iter().zip(0..).filter_map(|(reading, place)| match reading {
        Reading::Dressed(word, shape) => Some(((*word, *shape), place)),
        _ => None,
    });
    let either = date_patterns().filter(|writing| writing.swapped().is_some());
    Rules {
        missing: missing.collect(),
        truths: place(&Reading::Truth(0, false)),
        integer: place(&Reading::Integer),
        dates,
        either: either.map(|writing| (writing, place(&Reading::EitherDate(writing)))).collect(),
        sure: date_patterns().map(|writing| (writing, place(&Reading::Date(writing)))).collect(),
        thousands: [b'.', b','].map(|mark| place(&Reading::Either(mark))),
        times: TimeWriting::all().map(|writing| (writing, place(&Reading::Time(writing)))).collect(),
        text: place(&Reading::Text),
        undecodable: place(&Reading::Undecodable),
        dressed: dressed.collect(),
    }
});

impl Rules {
    fn place(&self, cell: &[u8]) -> u32 {
        if let Some(place) = self.missing.get(cell) {
            return *place;
        }
        if let Some((pair, truth)) = truth(cell) {
            return self.truths + 2 * pair as u32 + u32::from(truth);
        }
        let place = self.number(cell).or_else(|| self.date(cell)).or_else(|| self.time(cell));
        let place = place.or_else(|| self.dressed.get(&dressed(cell)?).copied());
        place.unwrap_or_else(|| if std::str::from_utf8(cell).is_ok() { self.text } else { self.undecodable })
    }

    fn time(&self, cell: &[u8]) -> Option<u32> {
        let time = TimeOfDay::parse(cell)?;
        let full = time.is_early().then_some(time.hour_digits == 2);
        self.times.get(&TimeWriting { seconds: time.has_seconds(), full }).copied()
    }

    /// Whole numbers, and numbers by their mark and decimals.
    fn number(&self, cell: &[u8]) -> Option<u32> {
        let digits = cell.strip_prefix(b"-").or(cell.strip_prefix(b"+")).unwrap_or(cell);
        // A leading zero is a code's, not a number's: 007. Words such as "inf" are no numbers here.
        let is_code = digits.len() > 1 && digits[0] == b'0' && digits[1].is_ascii_digit();
        let begins = digits.first().is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
        if is_code || !begins {
            return None;
        }
        if digits.iter().all(u8::is_ascii_digit) {
            // Eight digits that are a date of living memory are one.
            return if digits.len() == 8 && self.date(cell).is_some() { None } else { Some(self.integer) };
        }
        let (mark, comma) = if cell.contains(&b',') { (b',', 1) } else { (b'.', 0) };
        number(cell, mark)?;
        let first = self.integer + 1 + comma * (MOST_DECIMALS as u32 + 2);
        let at = digits.iter().position(|&byte| byte == mark);
        let fraction = at.map(|at| &digits[at + 1..]);
        match fraction {
            Some(fraction) if fraction.iter().all(u8::is_ascii_digit) => {
                if may_be_thousands(&digits[..digits.len() - fraction.len() - 1], fraction) {
                    return Some(self.thousands[comma as usize]);
                }
                let zeros = fraction.iter().rev().take_while(|&&byte| byte == b'0').count();
                Some(first + (fraction.len() - zeros).min(MOST_DECIMALS) as u32)
            }
            _ => Some(first + MOST_DECIMALS as u32 + 1),
        }
    }

    fn date(&self, cell: &[u8]) -> Option<u32> {
        if !(6..=40).contains(&cell.len()) || !cell.iter().any(u8::is_ascii_digit) {
            return None;
        }
        let (writing, seconds) =
            self.dates.iter().find_map(|(writing, text)| text.seconds(cell).map(|seconds| (*writing, seconds)))?;
        match writing {
            // Eight digits may be any number; only years of living memory make them a date.
            DateWriting { pattern: Some("%Y%m%d"), .. } if !(-3_786_912_000..4_133_980_800).contains(&seconds) => None,
            // ISO 8601 is read with and without a time of day.
            DateWriting { pattern: None, .. } => {
                let timed = cell.len() > 10;
                self.sure.get(&DateWriting { pattern: None, timed }).copied()
            }
            writing => {
                let swapped = writing.swapped();
                let also = |other: &DateWriting| {
                    self.dates.iter().any(|(known, text)| known == other && text.seconds(cell).is_some())
                };
                let places = if swapped.as_ref().is_some_and(also) { &self.either } else { &self.sure };
                places.get(&writing).copied()
            }
        }
    }
}
