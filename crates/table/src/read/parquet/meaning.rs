//! What a Parquet column's values mean, by the file's schema alone.

use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use parquet::schema::types::ColumnDescriptor;

use crate::read::typed::stored::Meaning;

pub(super) fn meaning_of(column: &ColumnDescriptor) -> Meaning {
    let told = match column.logical_type_ref() {
        Some(logical) => logical_meaning(logical),
        None => converted_meaning(column),
    };
    // What the file says about its values holds only where it fits the way they are stored.
    match (column.physical_type(), told) {
        (Physical::BOOLEAN, _) => Meaning::Boolean,
        (Physical::INT32, Some(told @ (Meaning::Unsigned | Meaning::Date | Meaning::Decimal { .. }))) => told,
        (Physical::INT64, Some(told @ (Meaning::Unsigned | Meaning::Timestamp(_) | Meaning::Decimal { .. }))) => told,
        (Physical::INT32 | Physical::INT64, _) => Meaning::Integer,
        (Physical::INT96, _) => Meaning::Timestamp(1),
        (Physical::FLOAT | Physical::DOUBLE, _) => Meaning::Number,
        (Physical::BYTE_ARRAY, Some(told @ Meaning::Decimal { .. })) => told,
        (Physical::FIXED_LEN_BYTE_ARRAY, Some(told @ (Meaning::Decimal { .. } | Meaning::Half))) => told,
        (Physical::BYTE_ARRAY | Physical::FIXED_LEN_BYTE_ARRAY, _) => Meaning::Text,
    }
}

fn logical_meaning(logical: &LogicalType) -> Option<Meaning> {
    Some(match logical {
        LogicalType::Integer(integer) if !integer.is_signed => Meaning::Unsigned,
        LogicalType::Decimal(decimal) => Meaning::Decimal { scale: decimal.scale.max(0) as u32 },
        LogicalType::Date => Meaning::Date,
        LogicalType::Timestamp(stamp) => Meaning::Timestamp(match stamp.unit {
            TimeUnit::MILLIS => 1_000,
            TimeUnit::MICROS => 1_000_000,
            TimeUnit::NANOS => 1_000_000_000,
        }),
        LogicalType::Float16 => Meaning::Half,
        _ => return None,
    })
}

fn converted_meaning(column: &ColumnDescriptor) -> Option<Meaning> {
    Some(match column.converted_type() {
        ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64 => {
            Meaning::Unsigned
        }
        ConvertedType::DECIMAL => Meaning::Decimal { scale: column.type_scale().max(0) as u32 },
        ConvertedType::DATE => Meaning::Date,
        ConvertedType::TIMESTAMP_MILLIS => Meaning::Timestamp(1_000),
        ConvertedType::TIMESTAMP_MICROS => Meaning::Timestamp(1_000_000),
        _ => return None,
    })
}
