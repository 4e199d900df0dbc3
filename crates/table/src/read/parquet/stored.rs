//! How the columns of a Parquet file are stored, by its schema and by the Arrow schema that many
//! programs leave beside it. Of all metadata that is the only entry which is looked at, and of it
//! nothing but types.

use arrow_ipc::convert::try_schema_from_ipc_buffer;
use arrow_schema::Schema as ArrowSchema;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use lookalike_schema::{ParquetForm, StoredInteger, StoredKind, StoredLength, StoredType, StoredUnit};
use parquet::basic::{ConvertedType, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::file::metadata::ParquetMetaData;
use parquet::schema::types::ColumnDescriptor;

use crate::arrow_types::stored_type;
use crate::read::damage::guarded;

/// The key of the Arrow schema.
pub(crate) const ARROW_SCHEMA: &str = "ARROW:schema";

/// How each of the columns is stored; `None` where it is nested, or as no schema describes.
pub(super) fn stored_types(metadata: &ParquetMetaData, columns: &[(String, Option<usize>)]) -> Vec<Option<StoredType>> {
    let schema = metadata.file_metadata().schema_descr();
    let hints = arrow_schema(metadata).filter(|hints| {
        let names = hints.fields().iter().map(|field| field.name());
        names.eq(columns.iter().map(|(name, _)| name))
    });
    let stored = |place: usize, leaf: usize| {
        let own = of_column(&schema.column(leaf))?;
        let hint = hints.as_ref().and_then(|hints| stored_type(hints.field(place)));
        Some(hint.and_then(|hint| agreed(&own, hint)).unwrap_or(own))
    };
    columns.iter().enumerate().map(|(place, (_, leaf))| leaf.and_then(|leaf| stored(place, leaf))).collect()
}

/// The Arrow schema beside the file's own. It may be damaged: then it says nothing.
fn arrow_schema(metadata: &ParquetMetaData) -> Option<ArrowSchema> {
    let entries = metadata.file_metadata().key_value_metadata()?;
    let text = entries.iter().find(|entry| entry.key == ARROW_SCHEMA)?.value.as_ref()?;
    let bytes = BASE64_STANDARD.decode(text).ok()?;
    guarded(|| try_schema_from_ipc_buffer(&bytes))
}

/// What Arrow says of a column, where it goes with how Parquet stores it.
fn agreed(own: &StoredType, hint: StoredType) -> Option<StoredType> {
    let goes = match (&own.kind, hint.kind.plain()) {
        (StoredKind::Text(_), StoredKind::Text(_)) | (StoredKind::Binary(_), StoredKind::Binary(_)) => true,
        (StoredKind::Date(_), StoredKind::Date(_)) => true,
        (StoredKind::Decimal(_, digits, scale), StoredKind::Decimal(_, told, told_scale)) => {
            (digits, scale) == (told, told_scale)
        }
        (StoredKind::Timestamp(unit, zone), StoredKind::Timestamp(told, told_zone)) => {
            let coarser = (*unit, *told) == (StoredUnit::Milli, StoredUnit::Second);
            let old = own.parquet == Some(ParquetForm::Int96);
            (unit == told || coarser) && (old || zone.is_some() == told_zone.is_some())
        }
        (own, told) => own == told,
    };
    let parquet = own.parquet.filter(|form| *form != ParquetForm::Int96 || is_nanos(&hint.kind));
    goes.then_some(StoredType { kind: hint.kind, nullable: own.nullable, parquet })
}

fn is_nanos(kind: &StoredKind) -> bool {
    matches!(kind, StoredKind::Timestamp(StoredUnit::Nano, _))
}

/// What Parquet itself says of a column.
fn of_column(column: &ColumnDescriptor) -> Option<StoredType> {
    let (physical, converted) = (column.physical_type(), column.converted_type());
    let whole = |bits, signed| StoredKind::Integer(StoredInteger { bits, signed });
    let decimal = |digits: i32, scale: i32| {
        let (digits, scale) = (u8::try_from(digits).ok()?, u8::try_from(scale).ok()?);
        Some(StoredKind::Decimal(if digits > 38 { 256 } else { 128 }, digits, scale))
    };
    let utc = || Some("UTC".to_owned());
    let kind = match (physical, column.logical_type_ref(), converted) {
        (Physical::INT32, Some(LogicalType::Unknown), _) => StoredKind::Null,
        (Physical::INT32 | Physical::INT64, Some(LogicalType::Integer(told)), _) => {
            whole(u8::try_from(told.bit_width).ok()?, told.is_signed)
        }
        (_, Some(LogicalType::Decimal(told)), _) => decimal(told.precision, told.scale)?,
        (_, None, ConvertedType::DECIMAL) => decimal(column.type_precision(), column.type_scale())?,
        (Physical::INT32, Some(LogicalType::Date), _) | (Physical::INT32, None, ConvertedType::DATE) => {
            StoredKind::Date(32)
        }
        (Physical::INT32 | Physical::INT64, Some(LogicalType::Time(told)), _) => StoredKind::Time(own_unit(told.unit)),
        (Physical::INT64, Some(LogicalType::Timestamp(told)), _) => {
            StoredKind::Timestamp(own_unit(told.unit), utc().filter(|_| told.is_adjusted_to_u_t_c))
        }
        (Physical::INT64, None, ConvertedType::TIMESTAMP_MILLIS) => StoredKind::Timestamp(StoredUnit::Milli, utc()),
        (Physical::INT64, None, ConvertedType::TIMESTAMP_MICROS) => StoredKind::Timestamp(StoredUnit::Micro, utc()),
        (Physical::INT32, None, ConvertedType::TIME_MILLIS) => StoredKind::Time(StoredUnit::Milli),
        (Physical::INT64, None, ConvertedType::TIME_MICROS) => StoredKind::Time(StoredUnit::Micro),
        (Physical::INT32, None, ConvertedType::INT_8) => whole(8, true),
        (Physical::INT32, None, ConvertedType::INT_16) => whole(16, true),
        (Physical::INT32, None, ConvertedType::UINT_8) => whole(8, false),
        (Physical::INT32, None, ConvertedType::UINT_16) => whole(16, false),
        (Physical::INT32, None, ConvertedType::UINT_32) => whole(32, false),
        (Physical::INT64, None, ConvertedType::UINT_64) => whole(64, false),
        (Physical::BYTE_ARRAY, Some(LogicalType::String | LogicalType::Enum | LogicalType::Json), _)
        | (Physical::BYTE_ARRAY, None, ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON) => {
            StoredKind::Text(StoredLength::Usual)
        }
        (Physical::FIXED_LEN_BYTE_ARRAY, Some(LogicalType::Float16), _) => StoredKind::Float(16),
        (Physical::BOOLEAN, None, _) => StoredKind::Boolean,
        (Physical::INT32, None, _) => whole(32, true),
        (Physical::INT64, None, _) => whole(64, true),
        (Physical::INT96, None, _) => StoredKind::Timestamp(StoredUnit::Nano, None),
        (Physical::FLOAT, None, _) => StoredKind::Float(32),
        (Physical::DOUBLE, None, _) => StoredKind::Float(64),
        (Physical::BYTE_ARRAY, None, _) => StoredKind::Binary(StoredLength::Usual),
        _ => return None,
    };
    let parquet = match (&kind, physical) {
        (StoredKind::Decimal(..), Physical::INT32) => Some(ParquetForm::Int32),
        (StoredKind::Decimal(..), Physical::INT64) => Some(ParquetForm::Int64),
        (StoredKind::Decimal(..), Physical::BYTE_ARRAY) => Some(ParquetForm::ByteArray),
        (StoredKind::Timestamp(..), Physical::INT96) => Some(ParquetForm::Int96),
        _ => None,
    };
    let nullable = column.self_type().get_basic_info().repetition() != Repetition::REQUIRED;
    let stored = StoredType { kind, nullable, parquet };
    // What a damaged or odd file says may be no type at all: decimals without a digit.
    (stored.to_string().parse().as_ref() == Ok(&stored)).then_some(stored)
}

fn own_unit(unit: TimeUnit) -> StoredUnit {
    match unit {
        TimeUnit::MILLIS => StoredUnit::Milli,
        TimeUnit::MICROS => StoredUnit::Micro,
        TimeUnit::NANOS => StoredUnit::Nano,
    }
}
