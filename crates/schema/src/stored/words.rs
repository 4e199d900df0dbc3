//! Stored types in words: those of pyarrow.

use std::fmt;
use std::str::FromStr;

use super::{ParquetForm, StoredInteger, StoredKind, StoredLength, StoredType, StoredUnit};
use crate::SchemaError;
use crate::error::Mistake;

/// The longest name of a zone.
const LONGEST_ZONE: usize = 64;

const NOT_NULL: &str = " not null";

impl StoredType {
    /// Reads what stands behind `stored`.
    pub(crate) fn parse(text: &str) -> Result<Self, Mistake> {
        read(text).ok_or_else(|| {
            Mistake::new(
                format!("stored = {text:?} is no type that is known"),
                "write it as pyarrow does: \"int32\", \"decimal128(5, 2)\", \"timestamp[us, tz=UTC]\"",
            )
        })
    }
}

impl FromStr for StoredType {
    type Err = SchemaError;

    fn from_str(text: &str) -> Result<Self, SchemaError> {
        Ok(Self::parse(text)?)
    }
}

fn read(text: &str) -> Option<StoredType> {
    let text = text.trim();
    let (text, nullable) = text.strip_suffix(NOT_NULL).map_or((text, true), |text| (text, false));
    let (text, form) = text.rsplit_once(" as ").map_or((text, None), |(text, form)| (text, Some(form)));
    let kind = kind(text.trim())?;
    let parquet = match (form.map(str::trim), &kind) {
        (None, _) => None,
        (Some("int96"), StoredKind::Timestamp(StoredUnit::Nano, _)) => Some(ParquetForm::Int96),
        (Some("int32"), StoredKind::Decimal(_, digits, _)) if *digits <= 9 => Some(ParquetForm::Int32),
        (Some("int64"), StoredKind::Decimal(_, digits, _)) if *digits <= 18 => Some(ParquetForm::Int64),
        (Some("byte_array"), StoredKind::Decimal(..)) => Some(ParquetForm::ByteArray),
        (Some(_), _) => return None,
    };
    Some(StoredType { kind, nullable, parquet })
}

fn kind(text: &str) -> Option<StoredKind> {
    Some(match text {
        "null" => StoredKind::Null,
        "bool" | "boolean" => StoredKind::Boolean,
        "halffloat" | "float16" => StoredKind::Float(16),
        "float" | "float32" => StoredKind::Float(32),
        "double" | "float64" => StoredKind::Float(64),
        "date32[day]" | "date32" => StoredKind::Date(32),
        "date64[ms]" | "date64" => StoredKind::Date(64),
        "string" | "utf8" => StoredKind::Text(StoredLength::Usual),
        "large_string" | "large_utf8" => StoredKind::Text(StoredLength::Large),
        "string_view" | "utf8_view" => StoredKind::Text(StoredLength::View),
        "binary" => StoredKind::Binary(StoredLength::Usual),
        "large_binary" => StoredKind::Binary(StoredLength::Large),
        "binary_view" => StoredKind::Binary(StoredLength::View),
        "time32[s]" => StoredKind::Time(StoredUnit::Second),
        "time32[ms]" => StoredKind::Time(StoredUnit::Milli),
        "time64[us]" => StoredKind::Time(StoredUnit::Micro),
        "time64[ns]" => StoredKind::Time(StoredUnit::Nano),
        _ => match text.split_once(['[', '(', '<']) {
            None => StoredKind::Integer(integer(text)?),
            Some(("timestamp", rest)) => timestamp(rest.strip_suffix(']')?)?,
            Some(("dictionary", rest)) => dictionary(rest.strip_suffix('>')?)?,
            Some((name, rest)) => decimal(name.strip_prefix("decimal")?.parse().ok()?, rest.strip_suffix(')')?)?,
        },
    })
}

fn integer(text: &str) -> Option<StoredInteger> {
    let (digits, signed) = match text.strip_prefix('u') {
        Some(rest) => (rest.strip_prefix("int")?, false),
        None => (text.strip_prefix("int")?, true),
    };
    let bits = [8, 16, 32, 64].into_iter().find(|bits: &u8| bits.to_string() == digits)?;
    Some(StoredInteger { bits, signed })
}

fn decimal(bits: u16, inside: &str) -> Option<StoredKind> {
    let (digits, scale) = inside.split_once(',')?;
    let (digits, scale): (u8, u8) = (digits.trim().parse().ok()?, scale.trim().parse().ok()?);
    let most = match bits {
        32 => 9,
        64 => 18,
        128 => 38,
        256 => 76,
        _ => return None,
    };
    ((1..=most).contains(&digits) && scale <= digits).then_some(StoredKind::Decimal(bits, digits, scale))
}

fn timestamp(inside: &str) -> Option<StoredKind> {
    let (unit, zone) = match inside.split_once(',') {
        None => (inside, None),
        Some((unit, zone)) => (unit, Some(zone.trim())),
    };
    let unit = unit.trim();
    let unit = UNITS.into_iter().find(|(_, word)| *word == unit)?.0;
    let zone = match zone.map(|zone| zone.strip_prefix("tz=").unwrap_or(zone)) {
        None => None,
        Some(zone) => Some(zone.to_owned()).filter(|zone| is_zone(zone)).map(Some)?,
    };
    Some(StoredKind::Timestamp(unit, zone))
}

/// Whether a name of a zone can stand in a schema: `Europe/Vienna`, `+02:00`.
fn is_zone(zone: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/_+-:".contains(&byte);
    (1..=LONGEST_ZONE).contains(&zone.len()) && zone.bytes().all(plain)
}

fn dictionary(inside: &str) -> Option<StoredKind> {
    let rest = inside.strip_prefix("values=")?;
    let (values, rest) = rest.rsplit_once(", indices=")?;
    let (indices, ordered) = match rest.split_once(", ordered=") {
        None => (rest, false),
        Some((indices, "0")) => (indices, false),
        Some((indices, "1")) => (indices, true),
        Some(_) => return None,
    };
    // What is pointed to does not point on.
    let is_plain = !values.starts_with("dictionary") && values != "null";
    let values = Box::new(is_plain.then(|| kind(values)).flatten()?);
    Some(StoredKind::Dictionary { indices: integer(indices)?, values, ordered })
}

const UNITS: [(StoredUnit, &str); 4] =
    [(StoredUnit::Second, "s"), (StoredUnit::Milli, "ms"), (StoredUnit::Micro, "us"), (StoredUnit::Nano, "ns")];

impl fmt::Display for StoredType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)?;
        match self.parquet {
            None => {}
            Some(ParquetForm::Int32) => f.write_str(" as int32")?,
            Some(ParquetForm::Int64) => f.write_str(" as int64")?,
            Some(ParquetForm::Int96) => f.write_str(" as int96")?,
            Some(ParquetForm::ByteArray) => f.write_str(" as byte_array")?,
        }
        f.write_str(if self.nullable { "" } else { NOT_NULL })
    }
}

impl fmt::Display for StoredKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by_length = |length: &StoredLength, word: &str| match length {
            StoredLength::Usual => word.to_owned(),
            StoredLength::Large => format!("large_{word}"),
            StoredLength::View => format!("{word}_view"),
        };
        match self {
            Self::Integer(width) => width.fmt(f),
            Self::Float(16) => f.write_str("halffloat"),
            Self::Float(32) => f.write_str("float"),
            Self::Float(_) => f.write_str("double"),
            Self::Decimal(bits, digits, scale) => write!(f, "decimal{bits}({digits}, {scale})"),
            Self::Boolean => f.write_str("bool"),
            Self::Date(32) => f.write_str("date32[day]"),
            Self::Date(_) => f.write_str("date64[ms]"),
            Self::Time(unit @ (StoredUnit::Second | StoredUnit::Milli)) => write!(f, "time32[{unit}]"),
            Self::Time(unit) => write!(f, "time64[{unit}]"),
            Self::Timestamp(unit, None) => write!(f, "timestamp[{unit}]"),
            Self::Timestamp(unit, Some(zone)) => write!(f, "timestamp[{unit}, tz={zone}]"),
            Self::Text(length) => f.write_str(&by_length(length, "string")),
            Self::Binary(length) => f.write_str(&by_length(length, "binary")),
            Self::Dictionary { indices, values, ordered } => {
                write!(f, "dictionary<values={values}, indices={indices}, ordered={}>", u8::from(*ordered))
            }
            Self::Null => f.write_str("null"),
        }
    }
}

impl fmt::Display for StoredInteger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}int{}", if self.signed { "" } else { "u" }, self.bits)
    }
}

impl fmt::Display for StoredUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = UNITS.into_iter().find(|(unit, _)| unit == self).map_or("", |(_, word)| word);
        f.write_str(word)
    }
}
