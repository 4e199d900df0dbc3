//! Columns whose values rise from left to right: in a row none is larger than the next.
//!
//! A model keeps such columns close to each other where the budget allows it, but not in every row.
//! When a row is written, its values of the group are put in order if they are not: none is drawn
//! again, so nothing can loop. The values stay what they are, but for what not every column of the
//! group can hold.

mod days;

use std::collections::HashSet;

use crate::codec::CodecKind;
use crate::codec::clock::ClockUnit;
use crate::codec::scan::POWERS;
use crate::error::refuse_if;
use crate::nearest::suggestion;
use crate::{AttrId, CellValue, Codec, Column, SchemaError};
use days::{DaysAndMoments, TimeColumn};

/// A group of columns whose values rise.
#[derive(Clone, Debug, PartialEq)]
pub struct RisingColumns {
    columns: Vec<AttrId>,
    /// What each column may hold: no less than any before it must, no more than any behind it may.
    bounds: Vec<(f64, f64)>,
    /// The fewest decimals of a column. `None` where no column has a limit.
    decimals: Option<u8>,
    /// Where dates stand beside moments.
    days: Option<DaysAndMoments>,
}

/// What columns of a group have in common.
#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Number,
    /// Hours and two digits of minutes, or of seconds too, as one number.
    Clock(ClockUnit),
    Day,
    /// Moments, and the seconds that their text can tell apart.
    Second(i64),
}

impl RisingColumns {
    /// The columns, the one with the smallest values first.
    pub fn columns(&self) -> &[AttrId] {
        &self.columns
    }

    /// The cell of one column. `cell` gives those of the group as they were drawn.
    pub(crate) fn cell<'a>(&self, place: usize, cell: &dyn Fn(AttrId) -> CellValue<'a>) -> CellValue<'a> {
        let drawn: Vec<CellValue<'a>> = self.columns.iter().map(|&column| cell(column)).collect();
        let own = drawn[place].clone();
        if let Some(days) = &self.days {
            let whole = |cell: &CellValue<'a>| cell.real().map(|value| value as i64);
            let sorted = days.sorted(drawn.iter().map(whole).collect());
            return sorted[place].map_or(own.clone(), |value| like(&own, value as f64));
        }
        let present: Vec<(usize, f64)> =
            drawn.iter().enumerate().filter_map(|(k, cell)| Some((k, cell.real()?))).collect();
        if present.is_sorted_by(|one, two| one.1 <= two.1) {
            return own;
        }
        let Some(rank) = present.iter().position(|&(k, _)| k == place) else { return own };
        let mut values: Vec<f64> = present.iter().map(|&(_, value)| value).collect();
        values.sort_by(f64::total_cmp);
        // Rounded alike in every column, which keeps the order.
        let value = match self.decimals {
            Some(decimals) => (values[rank] * POWERS[usize::from(decimals)]).round() / POWERS[usize::from(decimals)],
            None => values[rank],
        };
        let (low, high) = self.bounds[place];
        like(&own, value.clamp(low, high))
    }
}

/// The value as a cell of the same kind.
fn like<'a>(cell: &CellValue<'a>, value: f64) -> CellValue<'a> {
    match cell {
        CellValue::Integer(_) => CellValue::Integer(value as i64),
        CellValue::DateTime(_) => CellValue::DateTime(value as i64),
        CellValue::Date(_) => CellValue::Date(value as i32),
        CellValue::Number(_) => CellValue::Number(value),
        CellValue::Missing | CellValue::Text(_) => cell.clone(),
    }
}

/// Checks the groups of a schema.
pub(crate) fn rising(groups: &[Vec<String>], columns: &[Column]) -> Result<Vec<RisingColumns>, SchemaError> {
    let mut seen = HashSet::new();
    let mut found = Vec::with_capacity(groups.len());
    for group in groups {
        refuse_if(
            group.len() < 2,
            "a group of `in_order` with fewer than two columns",
            "name at least two columns in it",
        )?;
        if let Some(name) = group.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(SchemaError::column(name, "named by `in_order` twice", "put it into one group, once"));
        }
        found.push(one(group, columns)?);
    }
    Ok(found)
}

fn one(group: &[String], columns: &[Column]) -> Result<RisingColumns, SchemaError> {
    let mut made = RisingColumns { columns: Vec::new(), bounds: Vec::new(), decimals: None, days: None };
    let mut seen: Vec<(Unit, &str)> = Vec::new();
    let mut times = Vec::new();
    for name in group {
        let (attribute, codec) = modelled(name, columns)?;
        let Some((unit, bounds, decimals)) = facts(codec) else {
            let what = format!("named by `in_order`, but of type {:?}, whose values have no order", codec.kind_name());
            return Err(SchemaError::column(name, what, "take it out of the group"));
        };
        if let Unit::Day | Unit::Second(_) = unit {
            let is_moment = unit != Unit::Day;
            times.push(TimeColumn { is_moment, low: bounds.0 as i64, high: bounds.1 as i64 });
        }
        // A date is compared with the day of a moment.
        let goes =
            |one: Unit, two: Unit| matches!((one, two), (Unit::Day, Unit::Second(_)) | (Unit::Second(_), Unit::Day));
        if let Some((_, other)) = seen.iter().find(|(one, _)| *one != unit && !goes(*one, unit)) {
            let what = format!("named by `in_order` beside {other:?}, but they cannot be compared");
            let help =
                "put numbers beside numbers, and dates and moments beside each other, moments of the same precision";
            return Err(SchemaError::column(name, what, help));
        }
        seen.push((unit, name));
        made.columns.push(attribute);
        made.bounds.push(bounds);
        made.decimals = made.decimals.into_iter().chain(decimals).min();
    }
    if times.iter().any(|time| time.is_moment) && times.iter().any(|time| !time.is_moment) {
        let none = |place: usize| {
            let what = "no value of its range is in the order of `in_order`";
            SchemaError::column(&group[place], what, "correct the ranges, or take it out of the group")
        };
        made.days = Some(DaysAndMoments::new(times).map_err(none)?);
        return Ok(made);
    }
    // Bounds that rise themselves: what is cut off at them stays in order.
    for place in 1..made.bounds.len() {
        made.bounds[place].0 = made.bounds[place].0.max(made.bounds[place - 1].0);
    }
    for place in (1..made.bounds.len()).rev() {
        made.bounds[place - 1].1 = made.bounds[place - 1].1.min(made.bounds[place].1);
    }
    if let Some(unit) = made.decimals.map(|decimals| POWERS[usize::from(decimals)]) {
        let inner = |(low, high): (f64, f64)| ((low * unit).ceil() / unit, (high * unit).floor() / unit);
        made.bounds.iter_mut().for_each(|bounds| *bounds = inner(*bounds));
    }
    for (name, (low, high)) in group.iter().zip(&made.bounds) {
        let what = "no value of its range is in the order of `in_order`";
        refuse_if(low > high, what, "correct the ranges, or take it out of the group")
            .map_err(|error| error.at(name))?;
    }
    Ok(made)
}

type Facts = (Unit, (f64, f64), Option<u8>);

fn facts(codec: &Codec) -> Option<Facts> {
    match codec.kind() {
        CodecKind::Integer(axis) => {
            let unit = axis.clock_unit().map_or(Unit::Number, Unit::Clock);
            let (low, high) = axis.ends();
            Some((unit, (low as f64, high as f64), Some(0)))
        }
        CodecKind::Number(axis) => Some((Unit::Number, axis.ends(), axis.decimals())),
        CodecKind::Date(axis, _) => Some((Unit::Day, (axis.low() as f64, axis.high() as f64), Some(0))),
        CodecKind::DateTime(axis, format) => {
            Some((Unit::Second(format.step()), (axis.low() as f64, axis.high() as f64), Some(0)))
        }
        CodecKind::Category(_) | CodecKind::Boolean(_) => None,
    }
}

fn modelled<'a>(name: &str, columns: &'a [Column]) -> Result<(AttrId, &'a Codec), SchemaError> {
    let known = || columns.iter().filter_map(|column| column.codec().map(|codec| (column, codec)));
    if let Some(((column, codec), index)) = known().zip(0..).find(|((column, _), _)| column.name == name) {
        if let Some(after) = &column.after {
            let what = format!("named by `in_order`, but it comes `after` {:?} and is in order with it", after.on());
            return Err(SchemaError::column(name, what, "take it out of the group"));
        }
        return Ok((AttrId(index), codec));
    }
    let what = match columns.iter().find(|column| column.name == name) {
        Some(column) => format!("named by `in_order`, but of type {:?}, which is not modelled", column.type_name()),
        None => {
            let near = suggestion(name, known().map(|(column, _)| column.name.as_str()));
            format!("named by `in_order`, but not a column of the schema{near}")
        }
    };
    Err(SchemaError::column(name, what, "correct the name, or take it out of the group"))
}

#[cfg(test)]
mod tests {
    use crate::{AttrId, CellValue, Schema};

    const COLUMNS: &str = "[columns.low]\ntype = 'integer'\nrange = [0, 100]\nmissing = true\n\
                           [columns.word]\ntype = 'boolean'\n\
                           [columns.middle]\ntype = 'number'\nrange = [10, 90]\ndecimals = 1\nmissing = true\n\
                           [columns.high]\ntype = 'integer'\nrange = [-5, 120]\n\
                           [columns.day]\ntype = 'date'\nrange = ['2000-01-01', '2001-12-31']\n\
                           [columns.late]\ntype = 'integer'\nrange = [200, 300]\n\
                           [columns.seen]\ntype = 'datetime'\nrange = ['2000-01-01', '2001-12-31']\n\
                           [columns.minute]\ntype = 'datetime'\nrange = ['2000-01-01', '2001-12-31']\n\
                           format = '%Y-%m-%d %H:%M'\n";

    fn schema(groups: &str) -> Result<Schema, String> {
        Schema::parse(&format!("in_order = {groups}\n{COLUMNS}"), "test").map_err(|error| error.to_string())
    }

    fn number(cell: &CellValue<'_>) -> Option<f64> {
        match cell {
            CellValue::Integer(value) => Some(*value as f64),
            CellValue::Number(value) => Some(*value),
            _ => None,
        }
    }

    /// All rows of some codes: values rise, stay in their ranges, are those that were drawn where
    /// these rose already, and are missing where they were missing.
    #[test]
    fn values_rise_in_every_row() {
        let schema = schema("[['low', 'middle', 'high']]").unwrap();
        let group = ["low", "middle", "high"].map(|name| schema.attribute(name).unwrap());
        let mut turned = 0;
        for number_of_row in 0..20_000u64 {
            let bits = number_of_row.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let drawn = |attribute: AttrId| {
                let mixed = bits.rotate_left(13 * attribute.0 + 7).wrapping_mul(0xd134_2543_de82_ef95);
                ((mixed >> 33) as u32 % schema.domain().size(attribute), mixed)
            };
            let before = group.map(|one| number(&schema.codec(one).decode(drawn(one).0, drawn(one).1)));
            let after = group.map(|one| number(&schema.cell(one, &drawn)));
            assert_eq!(before.map(|cell| cell.is_none()), after.map(|cell| cell.is_none()));
            let present = |cells: [Option<f64>; 3]| cells.into_iter().flatten().collect::<Vec<f64>>();
            assert!(present(after).is_sorted(), "{before:?} became {after:?}");
            if present(before).is_sorted() {
                assert_eq!(before, after);
                continue;
            }
            turned += 1;
            for (cell, (low, high)) in after.iter().zip([(0.0, 90.0), (10.0, 90.0), (10.0, 120.0)]) {
                assert!(cell.is_none_or(|cell| (low..=high).contains(&cell) && cell.fract() == 0.0), "{after:?}");
            }
        }
        assert!(turned > 5000, "{turned}");
        // Others are as they were drawn.
        let free = schema.attribute("late").unwrap();
        assert_eq!(schema.cell(free, &|_| (3, 9)), schema.codec(free).decode(3, 9));
    }

    /// Two dates around two moments: every pair is in order, dates by days and moments by seconds,
    /// and what was in order already is left alone.
    #[test]
    fn dates_and_moments_rise_together() {
        let text = "in_order = [['came', 'seen', 'closed', 'left']]\n\
                    [columns.came]\ntype = 'date'\nrange = ['2020-01-02', '2020-01-05']\nmissing = true\n\
                    [columns.seen]\ntype = 'datetime'\nrange = ['2020-01-01T07:00:00', '2020-01-05T20:00:00']\n\
                    [columns.closed]\ntype = 'date'\nrange = ['2020-01-01', '2020-01-06']\nmissing = true\n\
                    [columns.left]\ntype = 'datetime'\nrange = ['2020-01-01T00:00:00', '2020-01-06T09:00:00']\n";
        let schema = Schema::parse(text, "test").unwrap();
        assert_eq!(Schema::parse(&schema.to_toml(), "again").unwrap(), schema);
        let group = ["came", "seen", "closed", "left"].map(|name| schema.attribute(name).unwrap());
        let (mut turned, mut kept) = (0, 0);
        for row in 0..20_000u64 {
            let bits = row.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let drawn = |attribute: AttrId| {
                let mixed = bits.rotate_left(13 * attribute.0 + 7).wrapping_mul(0xd134_2543_de82_ef95);
                ((mixed >> 33) as u32 % schema.domain().size(attribute), mixed)
            };
            let own = |one: AttrId| schema.codec(one).decode(drawn(one).0, drawn(one).1).real();
            let (before, after) = (group.map(own), group.map(|one| schema.cell(one, &drawn).real()));
            assert_eq!(before.map(|cell| cell.is_none()), after.map(|cell| cell.is_none()));
            let day =
                |place: usize, value: f64| if place.is_multiple_of(2) { value } else { (value / 86400.0).floor() };
            let rises = |cells: [Option<f64>; 4]| {
                (0..4).all(|two| {
                    (0..two).all(|one| match (cells[one], cells[two]) {
                        (Some(a), Some(b)) if one % 2 == 1 && two % 2 == 1 => a <= b,
                        (Some(a), Some(b)) => day(one, a) <= day(two, b),
                        _ => true,
                    })
                })
            };
            assert!(rises(after), "{before:?} became {after:?}");
            for (place, one) in group.into_iter().enumerate() {
                let inside = after[place].is_none_or(|value| match schema.codec(one).kind() {
                    crate::CodecKind::Date(axis, _) | crate::CodecKind::DateTime(axis, _) => {
                        axis.contains(value as i64)
                    }
                    _ => false,
                });
                assert!(inside, "{after:?}");
            }
            if rises(before) && before[1].is_some_and(|seen| seen >= 18_263.0 * 86_400.0) {
                assert_eq!(before, after);
                kept += 1;
            }
            turned += u32::from(!rises(before));
        }
        assert!(turned > 5000 && kept > 500, "{turned} {kept}");
    }

    #[test]
    fn groups_are_written_and_read_and_mistakes_told() {
        let made = schema("[['low', 'high'], ['seen', 'minute']]");
        assert!(made.unwrap_err().contains("cannot be compared"));
        let made = schema("[['low', 'high']]").unwrap();
        assert_eq!(Schema::parse(&made.to_toml(), "again").unwrap(), made);
        assert_eq!(made.released().unwrap().rising(), made.rising());
        for (groups, word) in [
            ("[['low']]", "fewer than two"),
            ("[['low', 'high'], ['high', 'middle']]", "twice"),
            ("[['low', 'day']]", "cannot be compared"),
            ("[['day', 'seen', 'minute']]", "cannot be compared"),
            ("[['low', 'word']]", "have no order"),
            ("[['low', 'hgih']]", "not a column"),
            ("[['late', 'high']]", "no value of its range"),
        ] {
            let error = schema(groups).unwrap_err();
            assert!(error.contains(word), "{groups}: {error}");
        }
    }
}
