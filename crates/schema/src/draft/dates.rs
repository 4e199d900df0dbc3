//! Which of the usual ways of writing dates a column keeps to.

use crate::codec::calendar::{DAY, parse_iso};
use crate::codec::{CalendarUnit, TimeFormat};

/// Patterns that are tried, the likelier reading of an ambiguous one first.
pub(crate) const PATTERNS: [&str; 31] = [
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%dT%H:%M:%SZ",
    "%Y-%m-%d %H:%M:%SZ",
    "%Y-%m-%d %H:%M:%S+00:00",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%Y/%m/%d",
    "%d.%m.%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%d/%m/%Y %H:%M",
    "%m/%d/%Y %H:%M",
    "%d/%m/%Y %H:%M:%S",
    "%m/%d/%Y %H:%M:%S",
    "%Y/%m/%d %H:%M:%S",
    "%Y/%m/%d %H:%M",
    "%d.%m.%Y %H:%M",
    "%d.%m.%Y %H:%M:%S",
    "%d %b %Y",
    "%d-%b-%Y",
    "%d %B %Y",
    "%B %d, %Y",
    "%d/%m/%y",
    "%m/%d/%y",
    "%d.%m.%y",
    "%d-%b-%y",
    "%d/%m/%y %H:%M",
    "%m/%d/%y %H:%M",
    "%Y%m%d",
];

/// What two digits of a year are taken for, until the range says it: most are births and events.
const SHORT_YEARS: (i64, i64) = (1930, 2029);

/// A few cells that do not fit do not change what a column is: they will be mapped to its missing
/// code. While rows go by, a reading is given up when more cells than this fail, and more than one
/// in twenty.
const FAILURES_SEEN_THROUGH: u64 = 100;

/// Whether a reading that failed on `bad` of `seen` cells is still worth keeping up.
pub(super) fn is_hopeless(bad: u64, seen: u64) -> bool {
    bad > FAILURES_SEEN_THROUGH && bad > seen / 20
}

/// The formats that the cells so far could be read with, but for a few.
#[derive(Default)]
pub(crate) struct DateProfile {
    alive: Vec<FormatCandidate>,
    seen: u64,
}

/// A format and the span of what was read with it, in seconds.
pub(crate) struct FormatCandidate {
    pub(crate) pattern: Option<&'static str>,
    format: TimeFormat,
    pub(crate) low: i64,
    pub(crate) high: i64,
    /// Whether some cell had a time of day.
    pub(crate) timed: bool,
    /// Cells that could not be read with it.
    pub(crate) bad: u64,
}

impl DateProfile {
    pub(crate) fn new() -> Self {
        let candidate = |pattern: Option<&'static str>, format: TimeFormat| FormatCandidate {
            pattern,
            format,
            low: i64::MAX,
            high: i64::MIN,
            timed: false,
            bad: 0,
        };
        let patterns = PATTERNS.iter().filter_map(|&pattern| {
            let format = TimeFormat::pattern(pattern, CalendarUnit::Second);
            // A pattern without a time cannot be read as a moment by the slow reader, but it can as
            // a day.
            format
                .or_else(|_| TimeFormat::pattern(pattern, CalendarUnit::Day))
                .ok()
                .map(|format| candidate(Some(pattern), format.for_years(SHORT_YEARS.0, SHORT_YEARS.1)))
        });
        Self { alive: patterns.chain([candidate(None, TimeFormat::iso(CalendarUnit::Second))]).collect(), seen: 0 }
    }

    /// Narrows the formats down by one more cell.
    pub(crate) fn observe(&mut self, cell: &[u8]) {
        if self.alive.is_empty() {
            return;
        }
        self.seen += 1;
        let seen = self.seen;
        // Most columns hold no dates; a look at the shape spares them two dozen attempts.
        let shaped = (6..=40).contains(&cell.len()) && cell.iter().any(u8::is_ascii_digit);
        self.alive.retain_mut(|candidate| {
            if !(shaped && candidate.observe(cell)) {
                candidate.bad += 1;
            }
            !is_hopeless(candidate.bad, seen)
        });
    }

    /// The format that fails least, and whether another order of day and month would do as well.
    pub(crate) fn best(&self) -> Option<(&FormatCandidate, bool)> {
        let best =
            self.alive.iter().filter(|candidate| candidate.bad < self.seen).min_by_key(|candidate| candidate.bad)?;
        let swapped = best.pattern.is_some_and(|pattern| pattern.starts_with("%d") && pattern.contains("%m"))
            && self
                .alive
                .iter()
                .any(|other| other.bad == best.bad && other.pattern.is_some_and(|pattern| pattern.starts_with("%m")));
        Some((best, swapped))
    }
}

impl FormatCandidate {
    fn observe(&mut self, cell: &[u8]) -> bool {
        let seconds = if self.pattern.is_none() {
            parse_iso(cell).and_then(|moment| moment.seconds())
        } else {
            let days = self.format.unit() == CalendarUnit::Day;
            self.format.parse(cell).map(|value| if days { value * DAY } else { value })
        };
        let Some(seconds) = seconds else { return false };
        // Eight digits may be any number; only years of living memory make them a date.
        if self.pattern == Some("%Y%m%d") && !(-3_786_912_000..4_133_980_800).contains(&seconds) {
            return false;
        }
        self.low = self.low.min(seconds);
        self.high = self.high.max(seconds);
        self.timed |= seconds.rem_euclid(DAY) != 0;
        true
    }
}
