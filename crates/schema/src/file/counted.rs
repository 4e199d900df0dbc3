//! Entries of columns that are held as their difference to another: everything that is said of
//! their range is said of the difference.

use super::layout::{ColumnFile, ColumnType, OrDiscover, Within};
use crate::error::Mistake;
use crate::levels::LevelFile;
use crate::plain_value::PlainValue;

/// Words for units of time, and their seconds.
const UNITS: [(&str, i64); 5] = [("second", 1), ("minute", 60), ("hour", 3600), ("day", 86_400), ("week", 7 * 86_400)];

impl ColumnFile {
    /// An entry that is counted from an earlier column.
    pub(crate) fn following(kind: ColumnType, on: String, within: String) -> Self {
        Self { after: Some(on), within: Some(Within::Most(PlainValue::Text(within))), ..Self::new(kind) }
    }

    /// The same entry with differences as numbers: days between dates, seconds between moments.
    pub(super) fn in_units(mut self) -> Result<Self, Mistake> {
        let kind = self.kind;
        let list = |values: Vec<PlainValue>| values.into_iter().map(|value| counted(value, kind)).collect();
        self.within = match self.within {
            None => None,
            Some(Within::Most(most)) => Some(Within::Most(counted(most, kind)?)),
            Some(Within::Both(bounds)) if bounds.len() == 2 => Some(Within::Both(list(bounds)?)),
            Some(Within::Both(_)) => {
                return Err(Mistake::new("`within` is not two bounds", "write within = 365, or within = [LOW, HIGH]"));
            }
        };
        self.edges = self.edges.map(list).transpose()?;
        self.spikes = self.spikes.map(list).transpose()?;
        for level in &mut self.levels {
            if let LevelFile::Cuts(cuts) = level {
                *cuts = list(std::mem::take(cuts))?;
            }
        }
        if self.within.is_none() && self.edges.is_none() {
            let help = match kind {
                ColumnType::Date => "give the largest public difference: within = 365, or within = \"52 weeks\"",
                ColumnType::DateTime => "give the largest public difference: within = \"2 days\", or \"90 minutes\"",
                _ => "give the largest public difference: within = 100",
            };
            return Err(Mistake::new("it comes `after` another column, without `within`", help));
        }
        Ok(self)
    }

    /// The entry of the difference, as if it were a column of numbers.
    pub(super) fn counted(&self) -> Self {
        let kind = if self.kind == ColumnType::Number { ColumnType::Number } else { ColumnType::Integer };
        let range = self.within.as_ref().map(|within| match within {
            Within::Most(most) => OrDiscover::Given(vec![PlainValue::Integer(0), most.clone()]),
            Within::Both(bounds) => OrDiscover::Given(bounds.clone()),
        });
        Self { kind, range, format: None, after: None, within: None, stored: None, ..self.clone() }
    }

    /// The opposite: what the file says where this is the entry of the difference.
    pub(super) fn counted_after(self, on: &str, kind: ColumnType, format: Option<&str>) -> Self {
        let within = self.range.and_then(|range| match range {
            OrDiscover::Given(bounds) => Some(match bounds.as_slice() {
                [PlainValue::Integer(0), most] => Within::Most(most.clone()),
                _ => Within::Both(bounds),
            }),
            OrDiscover::Discover => None,
        });
        let (after, format) = (Some(on.to_owned()), format.map(str::to_owned));
        Self { kind, range: None, after, within, format, ..self }
    }

    /// Words behind a difference, for people.
    pub(super) fn counted_from(&self) -> String {
        let on = self.after.as_deref().unwrap_or_default();
        match self.kind {
            ColumnType::Date => format!("days after {on}"),
            ColumnType::DateTime => format!("seconds after {on}"),
            _ => format!("more than {on}"),
        }
    }
}

/// A difference as a number: `"2 hours"` in the unit of the column.
fn counted(value: PlainValue, kind: ColumnType) -> Result<PlainValue, Mistake> {
    let PlainValue::Text(text) = &value else { return Ok(value) };
    let unit = match kind {
        ColumnType::Date => 86_400,
        ColumnType::DateTime => 1,
        // Refused where numbers are read.
        _ => return Ok(value),
    };
    let seconds = text.trim().split_once(' ').and_then(|(count, word)| {
        let word = word.trim();
        let (_, seconds) = UNITS.into_iter().find(|(name, _)| word == *name || word.strip_suffix('s') == Some(name))?;
        count.parse::<i64>().ok()?.checked_mul(seconds)
    });
    match seconds {
        Some(seconds) if seconds % unit == 0 => Ok(PlainValue::Integer(seconds / unit)),
        Some(_) => Err(Mistake::new(format!("{text:?} between dates"), "write whole days: 30, or \"30 days\"")),
        None => Err(Mistake::new(
            format!("{text:?} is no difference"),
            "write a number, or a number and seconds, minutes, hours, days or weeks: \"36 hours\"",
        )),
    }
}
