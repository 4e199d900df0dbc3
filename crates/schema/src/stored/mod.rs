//! How Parquet files and Arrow batches store a column, so that a script that reads the real table
//! finds the same types in the synthetic one.
//!
//! A draft takes the types from the header of a typed file, which is as public as the names of the
//! columns. In a schema file they stand as pyarrow writes them: `stored = "timestamp[us, tz=UTC]"`.

mod check;
mod fit;
mod number;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use check::{check_codec, check_column, check_formula};
pub(crate) use fit::fitted;
pub use number::StoredValue;

/// How a column is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredType {
    /// What its values are.
    pub kind: StoredKind,
    /// Whether its cells may be missing.
    pub nullable: bool,
    /// How Parquet stores the values, where it has several ways and this is not the usual one.
    pub parquet: Option<ParquetForm>,
}

/// What stored values are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredKind {
    /// Whole numbers of 8, 16, 32 or 64 bits.
    Integer(StoredInteger),
    /// Floating-point numbers of 16, 32 or 64 bits.
    Float(u8),
    /// Decimals: the bits that Arrow holds them in (32 to 256), all digits, and those behind the
    /// point.
    Decimal(u16, u8, u8),
    /// Truth values.
    Boolean,
    /// Days, held as such (32 bits) or as milliseconds (64 bits).
    Date(u8),
    /// Times of a day.
    Time(StoredUnit),
    /// Moments, and the zone that they are shown in; without one they are wall times.
    Timestamp(StoredUnit, Option<String>),
    /// Text.
    Text(StoredLength),
    /// Bytes that are text to a schema.
    Binary(StoredLength),
    /// Words that are stored once and pointed to.
    Dictionary {
        /// The numbers that point to them.
        indices: StoredInteger,
        /// What is pointed to.
        values: Box<StoredKind>,
        /// Whether the order of the words means something.
        ordered: bool,
    },
    /// No value at all.
    Null,
}

/// A width of whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredInteger {
    /// 8, 16, 32 or 64.
    pub bits: u8,
    /// Whether they may be negative.
    pub signed: bool,
}

impl StoredInteger {
    /// The smallest and the largest number, as far as a schema knows numbers.
    pub fn bounds(self) -> (i64, i64) {
        let shift = 64 - u32::from(self.bits);
        match self.signed {
            true => (i64::MIN >> shift, i64::MAX >> shift),
            false => (0, i64::try_from(u64::MAX >> shift).unwrap_or(i64::MAX)),
        }
    }
}

/// Parts of a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoredUnit {
    /// Seconds.
    Second,
    /// Milliseconds.
    Milli,
    /// Microseconds.
    Micro,
    /// Nanoseconds.
    Nano,
}

impl StoredUnit {
    /// How many there are in a second.
    pub fn per_second(self) -> i64 {
        match self {
            Self::Second => 1,
            Self::Milli => 1_000,
            Self::Micro => 1_000_000,
            Self::Nano => 1_000_000_000,
        }
    }
}

/// How texts lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoredLength {
    /// Behind each other, with places of 32 bits.
    Usual,
    /// Behind each other, with places of 64 bits.
    Large,
    /// Short ones beside their lengths.
    View,
}

/// How Parquet stores what it may store in several ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParquetForm {
    /// Decimals as whole numbers of 32 bits.
    Int32,
    /// Decimals as whole numbers of 64 bits.
    Int64,
    /// Timestamps as older programs have them.
    Int96,
    /// Decimals as bytes of any length.
    ByteArray,
}

impl StoredType {
    /// A type whose cells may be missing.
    pub fn nullable(kind: StoredKind) -> Self {
        Self { kind, nullable: true, parquet: None }
    }
}

impl StoredKind {
    /// What the values are, whether or not they are pointed to.
    pub fn plain(&self) -> &StoredKind {
        match self {
            Self::Dictionary { values, .. } => values,
            plain => plain,
        }
    }

    /// Whether one of the values can stand for a missing cell: the empty text, and the number that
    /// is none.
    pub fn can_tell_missing(&self) -> bool {
        matches!(self, Self::Text(_) | Self::Binary(_) | Self::Float(_))
    }
}
