//! Stored types as Arrow has them, and back.

use arrow_schema::{DataType, Field, TimeUnit};
use lookalike_schema::{StoredInteger, StoredKind, StoredLength, StoredType, StoredUnit};

/// How Arrow stores a column; `None` for what no schema describes.
pub(crate) fn stored_type(field: &Field) -> Option<StoredType> {
    let ordered = field.dict_is_ordered().unwrap_or(false);
    let stored =
        StoredType { nullable: field.is_nullable(), ..StoredType::nullable(kind(field.data_type(), ordered)?) };
    // A schema has room for the words of pyarrow, which name a zone plainly.
    (stored.to_string().parse().as_ref() == Ok(&stored)).then_some(stored)
}

fn kind(of: &DataType, ordered: bool) -> Option<StoredKind> {
    let decimal = |bits: u16, digits: u8, scale: i8| Some(StoredKind::Decimal(bits, digits, u8::try_from(scale).ok()?));
    Some(match of {
        DataType::Null => StoredKind::Null,
        DataType::Boolean => StoredKind::Boolean,
        DataType::Float16 => StoredKind::Float(16),
        DataType::Float32 => StoredKind::Float(32),
        DataType::Float64 => StoredKind::Float(64),
        DataType::Decimal32(digits, scale) => decimal(32, *digits, *scale)?,
        DataType::Decimal64(digits, scale) => decimal(64, *digits, *scale)?,
        DataType::Decimal128(digits, scale) => decimal(128, *digits, *scale)?,
        DataType::Decimal256(digits, scale) => decimal(256, *digits, *scale)?,
        DataType::Date32 => StoredKind::Date(32),
        DataType::Date64 => StoredKind::Date(64),
        DataType::Time32(unit) | DataType::Time64(unit) => StoredKind::Time(own_unit(*unit)),
        DataType::Timestamp(unit, zone) => StoredKind::Timestamp(own_unit(*unit), zone.as_deref().map(str::to_owned)),
        DataType::Utf8 => StoredKind::Text(StoredLength::Usual),
        DataType::LargeUtf8 => StoredKind::Text(StoredLength::Large),
        DataType::Utf8View => StoredKind::Text(StoredLength::View),
        DataType::Binary => StoredKind::Binary(StoredLength::Usual),
        DataType::LargeBinary => StoredKind::Binary(StoredLength::Large),
        DataType::BinaryView => StoredKind::Binary(StoredLength::View),
        DataType::Dictionary(indices, values) => {
            let values = Box::new(kind(values, false)?);
            StoredKind::Dictionary { indices: integer(indices)?, values, ordered }
        }
        whole => StoredKind::Integer(integer(whole)?),
    })
}

const INTEGERS: [(u8, bool, DataType); 8] = [
    (8, true, DataType::Int8),
    (16, true, DataType::Int16),
    (32, true, DataType::Int32),
    (64, true, DataType::Int64),
    (8, false, DataType::UInt8),
    (16, false, DataType::UInt16),
    (32, false, DataType::UInt32),
    (64, false, DataType::UInt64),
];

fn integer(of: &DataType) -> Option<StoredInteger> {
    let found = INTEGERS.into_iter().find(|(_, _, own)| own == of);
    found.map(|(bits, signed, _)| StoredInteger { bits, signed })
}

fn own_unit(unit: TimeUnit) -> StoredUnit {
    match unit {
        TimeUnit::Second => StoredUnit::Second,
        TimeUnit::Millisecond => StoredUnit::Milli,
        TimeUnit::Microsecond => StoredUnit::Micro,
        TimeUnit::Nanosecond => StoredUnit::Nano,
    }
}

/// The column as a batch has it.
pub(crate) fn arrow_field(name: &str, stored: &StoredType) -> Field {
    let ordered = matches!(stored.kind, StoredKind::Dictionary { ordered: true, .. });
    Field::new(name, data_type(&stored.kind), stored.nullable).with_dict_is_ordered(ordered)
}

/// The type that Arrow has for it.
pub(crate) fn data_type(kind: &StoredKind) -> DataType {
    let unit = |unit: &StoredUnit| match unit {
        StoredUnit::Second => TimeUnit::Second,
        StoredUnit::Milli => TimeUnit::Millisecond,
        StoredUnit::Micro => TimeUnit::Microsecond,
        StoredUnit::Nano => TimeUnit::Nanosecond,
    };
    match kind {
        StoredKind::Integer(width) => index_type(*width),
        StoredKind::Float(16) => DataType::Float16,
        StoredKind::Float(32) => DataType::Float32,
        StoredKind::Float(_) => DataType::Float64,
        StoredKind::Decimal(32, digits, scale) => DataType::Decimal32(*digits, *scale as i8),
        StoredKind::Decimal(64, digits, scale) => DataType::Decimal64(*digits, *scale as i8),
        StoredKind::Decimal(128, digits, scale) => DataType::Decimal128(*digits, *scale as i8),
        StoredKind::Decimal(_, digits, scale) => DataType::Decimal256(*digits, *scale as i8),
        StoredKind::Boolean => DataType::Boolean,
        StoredKind::Date(32) => DataType::Date32,
        StoredKind::Date(_) => DataType::Date64,
        StoredKind::Time(own @ (StoredUnit::Second | StoredUnit::Milli)) => DataType::Time32(unit(own)),
        StoredKind::Time(own) => DataType::Time64(unit(own)),
        StoredKind::Timestamp(own, zone) => DataType::Timestamp(unit(own), zone.as_deref().map(Into::into)),
        StoredKind::Text(StoredLength::Usual) => DataType::Utf8,
        StoredKind::Text(StoredLength::Large) => DataType::LargeUtf8,
        StoredKind::Text(StoredLength::View) => DataType::Utf8View,
        StoredKind::Binary(StoredLength::Usual) => DataType::Binary,
        StoredKind::Binary(StoredLength::Large) => DataType::LargeBinary,
        StoredKind::Binary(StoredLength::View) => DataType::BinaryView,
        StoredKind::Dictionary { indices, values, .. } => {
            DataType::Dictionary(Box::new(index_type(*indices)), Box::new(data_type(values)))
        }
        StoredKind::Null => DataType::Null,
    }
}

fn index_type(width: StoredInteger) -> DataType {
    let found = INTEGERS.into_iter().find(|(bits, signed, _)| (*bits, *signed) == (width.bits, width.signed));
    found.map_or(DataType::Int64, |(_, _, own)| own)
}
