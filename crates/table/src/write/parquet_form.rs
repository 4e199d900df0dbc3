//! Stored types as Parquet has them.

use lookalike_schema::{ParquetForm, StoredInteger, StoredKind, StoredType, StoredUnit};
use parquet::basic::{LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::schema::types::Type;

use super::typed::OutputColumn;

/// The column as the file's schema has it.
pub(super) fn field(column: &OutputColumn<'_>) -> parquet::errors::Result<Type> {
    let (physical, logical, length) = form_of(&column.stored);
    let repetition = if column.stored.nullable { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let field = Type::primitive_type_builder(column.name, physical).with_logical_type(logical);
    let field = match (column.stored.kind.plain(), length) {
        (StoredKind::Decimal(_, digits, scale), length) => {
            field.with_precision(i32::from(*digits)).with_scale(i32::from(*scale)).with_length(length)
        }
        (_, 0) => field,
        (_, length) => field.with_length(length),
    };
    field.with_repetition(repetition).build()
}

/// How Parquet stores a type: the physical and the logical type, and the bytes of a value where all
/// have the same.
pub(super) fn form_of(stored: &StoredType) -> (Physical, Option<LogicalType>, i32) {
    let unit = |unit: &StoredUnit| match unit {
        // Parquet knows no unit above the millisecond.
        StoredUnit::Second | StoredUnit::Milli => TimeUnit::MILLIS,
        StoredUnit::Micro => TimeUnit::MICROS,
        StoredUnit::Nano => TimeUnit::NANOS,
    };
    match stored.kind.plain() {
        StoredKind::Integer(StoredInteger { bits: 64, signed: true }) => (Physical::INT64, None, 0),
        StoredKind::Integer(StoredInteger { bits: 32, signed: true }) => (Physical::INT32, None, 0),
        StoredKind::Integer(StoredInteger { bits: 64, .. }) => {
            (Physical::INT64, Some(LogicalType::integer(64, false)), 0)
        }
        StoredKind::Integer(width) => (Physical::INT32, Some(LogicalType::integer(width.bits as i8, width.signed)), 0),
        StoredKind::Float(16) => (Physical::FIXED_LEN_BYTE_ARRAY, Some(LogicalType::Float16), 2),
        StoredKind::Float(32) => (Physical::FLOAT, None, 0),
        StoredKind::Float(_) => (Physical::DOUBLE, None, 0),
        StoredKind::Decimal(_, digits, scale) => {
            let logical = Some(LogicalType::decimal(i32::from(*scale), i32::from(*digits)));
            match stored.parquet {
                Some(ParquetForm::Int32) => (Physical::INT32, logical, 0),
                Some(ParquetForm::Int64) => (Physical::INT64, logical, 0),
                Some(ParquetForm::ByteArray) => (Physical::BYTE_ARRAY, logical, 0),
                Some(ParquetForm::Int96) | None => (Physical::FIXED_LEN_BYTE_ARRAY, logical, decimal_bytes(*digits)),
            }
        }
        StoredKind::Boolean => (Physical::BOOLEAN, None, 0),
        StoredKind::Date(_) => (Physical::INT32, Some(LogicalType::Date), 0),
        StoredKind::Time(own) => {
            let physical = if unit(own) == TimeUnit::MILLIS { Physical::INT32 } else { Physical::INT64 };
            // A clock on some wall, as pyarrow writes it: no zone is known.
            (physical, Some(LogicalType::time(false, unit(own))), 0)
        }
        StoredKind::Timestamp(..) if stored.parquet == Some(ParquetForm::Int96) => (Physical::INT96, None, 0),
        StoredKind::Timestamp(own, zone) => {
            (Physical::INT64, Some(LogicalType::timestamp(zone.is_some(), unit(own))), 0)
        }
        StoredKind::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String), 0),
        StoredKind::Binary(_) | StoredKind::Dictionary { .. } => (Physical::BYTE_ARRAY, None, 0),
        StoredKind::Null => (Physical::INT32, Some(LogicalType::Unknown), 0),
    }
}

/// The fewest bytes that hold all decimals of that many digits, with their sign.
fn decimal_bytes(digits: u8) -> i32 {
    ((f64::from(digits) * 10f64.log2() + 1.0) / 8.0).ceil() as i32
}
