//! What comes again in a calendar: weekdays, months of the year, hours of the day.

use std::collections::HashMap;

use super::calendar::civil;
use super::{CalendarUnit, Codec, CodecKind, IntegerAxis};
use crate::Grouping;

/// Columns of more codes have none: a model would hold a weight for each.
const MOST_CODES: u32 = 1 << 16;
const DAY: i64 = 86_400;
const HOUR: i64 = 3600;

/// What comes again: the seconds that a code may cover, the seconds that a column must cover, and
/// what a second belongs to.
type Period = (i64, i64, fn(i64) -> i64);
const PERIODS: [Period; 3] = [
    (DAY, 14 * DAY, |seconds| seconds.div_euclid(DAY).rem_euclid(7)),
    (DAY, 731 * DAY, |seconds| i64::from(civil(seconds.div_euclid(DAY)).1)),
    (HOUR, 2 * DAY, |seconds| seconds.rem_euclid(DAY) / HOUR),
];

impl Codec {
    /// The codes of a date column by weekday, by month of the year and by hour of the day: where a
    /// code is no longer than that, and the column long enough for it to come again. Codes without
    /// an order are groups of their own.
    pub fn recurring(&self) -> Vec<Grouping> {
        let (CodecKind::Date(axis, format) | CodecKind::DateTime(axis, format)) = self.kind() else {
            return Vec::new();
        };
        if axis.len() < 2 || axis.len() > MOST_CODES {
            return Vec::new();
        }
        let unit = if format.unit() == CalendarUnit::Day { DAY } else { 1 };
        PERIODS.iter().filter_map(|period| self.by_period(axis, unit, period)).collect()
    }

    fn by_period(&self, axis: &IntegerAxis, unit: i64, &(most, least, part): &Period) -> Option<Grouping> {
        let seconds = |code: u32| axis.bounds(code).0.saturating_mul(unit);
        let last = axis.len() - 1;
        let longest = (0..last).map(|code| seconds(code + 1) - seconds(code)).max()?;
        if longest > most || seconds(last) - seconds(0) < least {
            return None;
        }
        let mut numbers: HashMap<i64, u32> = HashMap::new();
        let mut group_of: Vec<u32> = Vec::with_capacity(self.size() as usize);
        for code in 0..self.present() {
            let next = numbers.len() as u32;
            group_of.push(*numbers.entry(part(seconds(code))).or_insert(next));
        }
        let groups = numbers.len() as u32;
        group_of.extend((self.present()..self.size()).zip(groups..).map(|(_, group)| group));
        Grouping::new(group_of).ok().filter(|_| groups > 1)
    }
}

#[cfg(test)]
mod tests {
    use crate::{AttrId, Schema};

    fn groups(entry: &str) -> Vec<u32> {
        let schema = Schema::parse(&format!("grid = 262144\n[columns.a]\n{entry}"), "test").unwrap();
        schema.codec(AttrId(0)).recurring().iter().map(crate::Grouping::groups).collect()
    }

    #[test]
    fn weekdays_months_and_hours_come_again() {
        assert_eq!(groups("type = 'date'\nrange = ['2019-01-01', '2022-12-31']\nmissing = true"), [8, 13]);
        assert_eq!(groups("type = 'date'\nrange = ['2019-01-01', '2019-02-28']\nmissing = false"), [7]);
        assert!(groups("type = 'date'\nrange = ['2019-01-01', '2019-01-05']\nmissing = false").is_empty());
        let hours = "type = 'datetime'\nrange = ['2019-01-01 00:00', '2019-01-20 23:59']\nmissing = false";
        assert_eq!(groups(hours), [7, 24]);
        assert!(groups("type = 'integer'\nrange = [1, 5000]").is_empty());
    }

    #[test]
    fn a_week_later_is_the_same_weekday() {
        let schema = Schema::parse(
            "grid = 262144\n[columns.a]\ntype = 'date'\nrange = ['2020-02-24', '2020-03-20']\nmissing = true",
            "test",
        )
        .unwrap();
        let codec = schema.codec(AttrId(0));
        let weekdays = codec.recurring().remove(0);
        let group = |cell: &str| weekdays.group(codec.encode_text(cell.as_bytes()));
        assert_eq!(group("2020-02-27"), group("2020-03-05"));
        assert_ne!(group("2020-02-28"), group("2020-03-05"));
        assert_eq!(group(""), weekdays.groups() - 1);
    }
}
