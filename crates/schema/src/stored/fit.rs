//! The stored type of a column whose other facts were drafted or bought.

use super::number::exact_wholes;
use super::{StoredKind, StoredType, StoredUnit};
use crate::codec::calendar::DAY;
use crate::file::{ColumnFile, ColumnType, OrDiscover, column_is_valid};
use crate::plain_value::PlainValue;

/// The entry with the type that the header of its file tells, or with as much of it as the column
/// can be written in. A range that was widened beyond the type ends where the type does: the header
/// is public, and so are the ends of its types.
pub(crate) fn fitted(entry: ColumnFile, stored: &StoredType) -> ColumnFile {
    if entry.stored.is_some() {
        return entry;
    }
    let with = |entry: &ColumnFile, stored: &StoredType| {
        let narrowed = narrowed(entry.clone(), stored.kind.plain());
        ColumnFile { stored: Some(stored.to_string()), ..narrowed }
    };
    if entry.is_open() {
        return ColumnFile { stored: Some(stored.to_string()), ..entry };
    }
    let nullable = StoredType { nullable: true, ..stored.clone() };
    let plain = StoredType { kind: stored.kind.plain().clone(), ..nullable.clone() };
    // No cell of such a column is missing, so it needs no code for them. Where there are words for
    // missing cells, they may be among its values.
    let present = ColumnFile { missing: None, ..entry.clone() };
    let always = !stored.nullable && !stored.kind.can_tell_missing();
    let candidates = [
        always.then(|| with(&present, stored)),
        Some(with(&entry, stored)),
        Some(with(&entry, &nullable)),
        Some(with(&entry, &plain)),
    ];
    candidates.into_iter().flatten().find(|entry| column_is_valid(entry, b'.')).unwrap_or(entry)
}

fn narrowed(mut entry: ColumnFile, kind: &StoredKind) -> ColumnFile {
    let Some(OrDiscover::Given(range)) = &mut entry.range else { return entry };
    let [low, high] = range.as_mut_slice() else { return entry };
    match entry.kind {
        ColumnType::Integer | ColumnType::Number => {
            let Some((least, most)) = limits(kind, entry.kind == ColumnType::Number) else { return entry };
            for bound in [low, high] {
                match bound {
                    PlainValue::Integer(value) => *value = (*value).clamp(least.ceil() as i64, most.floor() as i64),
                    PlainValue::Number(value) => *value = value.clamp(least, most),
                    _ => {}
                }
            }
        }
        // ISO dates are in order as texts.
        ColumnType::Date | ColumnType::DateTime if matches!(kind, StoredKind::Timestamp(StoredUnit::Nano, _)) => {
            if let PlainValue::Text(low) = low
                && low.as_str() < "1677-09-22"
            {
                *low = "1677-09-22".to_owned();
            }
            if let PlainValue::Text(high) = high
                && high.as_str() > "2262-04-11"
            {
                *high = "2262-04-10".to_owned();
            }
        }
        _ => {}
    }
    entry
}

/// The smallest and the largest number that a type holds, where that may be less than a column has.
fn limits(kind: &StoredKind, real: bool) -> Option<(f64, f64)> {
    match kind {
        StoredKind::Integer(width) if width.bits < 64 => {
            let (low, high) = width.bounds();
            Some((low as f64, high as f64))
        }
        StoredKind::Integer(width) if !width.signed => Some((0.0, f64::MAX)),
        StoredKind::Time(unit) => Some((0.0, (DAY * unit.per_second() - 1) as f64)),
        StoredKind::Float(16) if real => Some((-65_504.0, 65_504.0)),
        StoredKind::Float(bits) if !real => Some((-(exact_wholes(*bits) as f64), exact_wholes(*bits) as f64)),
        StoredKind::Decimal(_, digits, scale) => {
            let unit = 10f64.powi(-i32::from(*scale));
            let most = 10f64.powi(i32::from(*digits) - i32::from(*scale)) - if real { unit } else { 1.0 };
            Some((-most, most))
        }
        _ => None,
    }
}
