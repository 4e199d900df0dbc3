//! Stored values as numbers: the same as those of a CSV file with the same cells.

use lookalike_schema::Schema;
use parquet::basic::{LogicalType, TimeUnit, Type as Physical};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray, FixedLenByteArrayType, FloatType,
    Int32Type, Int64Type, Int96, Int96Type,
};

use super::{field, file, put, texts};
use crate::tests::raw::raw_columns;

/// Columns of all kinds that a value may be read as. -5 is a missing token outside all ranges.
const KINDS: [&str; 6] = [
    "type = 'integer'\nrange = [0, 10]\nbins = 2\nmissing = true",
    "type = 'number'\nrange = [0, 1]\nbins = 2\nmissing = true",
    "type = 'date'\nrange = ['1970-01-01', '1970-12-31']\nbins = 2\nmissing = true",
    "type = 'datetime'\nrange = ['1970-01-01', '1970-12-31']\nbins = 2\nmissing = true",
    "type = 'category'\nvalues = ['7', 'true', 'größte']\nmissing = true",
    "type = 'boolean'\nmissing = true",
];

/// Checks one optional column of these values and a missing one, as every kind of column. How many
/// cells were numbers.
fn check<T: DataType>(physical: Physical, logical: Option<LogicalType>, values: &[T::T]) -> usize {
    let mut levels = vec![1; values.len()];
    levels.push(0);
    let bytes = file(vec![field("c", physical, logical)], 2, |_, group| put::<T>(group, values, &levels));
    let mut text = b"c,d\n".to_vec();
    for row in texts(&bytes) {
        text.extend_from_slice(format!("\"{}\",\n", row[0]).as_bytes());
    }
    let mut present = 0;
    // A stored truth value is 1 or 0 where numbers are wanted; no text says so.
    let kinds = if physical == Physical::BOOLEAN { &KINDS[4..] } else { &KINDS[..] };
    for kind in kinds {
        let schema = format!("missing_tokens = ['NaN', '-5']\nunlisted = 'ignore'\n[columns.c]\n{kind}");
        let schema = Schema::parse(&schema, "kind.toml").unwrap();
        let stored = raw_columns("a.parquet", &bytes, &schema);
        assert_eq!(stored, raw_columns("a.csv", &text, &schema), "{physical:?} as {kind}");
        assert_eq!(stored[0].len(), 2 * (values.len() + 1));
        present += stored[0].iter().flatten().count();
    }
    present
}

#[test]
fn every_physical_type_reads_as_its_text() {
    use Physical::*;
    let stamp = |unit| Some(LogicalType::timestamp(false, unit));
    let decimal = || Some(LogicalType::decimal(2, 9));
    let fixed = |bytes: &[u8]| FixedLenByteArray::from(bytes.to_vec());
    let mut old = Int96::new();
    old.set_data(1_000_000_000, 0, 2_440_589);
    let found = [
        check::<BoolType>(BOOLEAN, None, &[true, false]),
        check::<Int32Type>(INT32, None, &[-5, 7, 400, i32::MAX]),
        check::<Int32Type>(INT32, Some(LogicalType::integer(32, false)), &[-1]),
        check::<Int32Type>(INT32, Some(LogicalType::Date), &[0, 12, 19_782]),
        check::<Int32Type>(INT32, decimal(), &[-12345, 7]),
        check::<Int64Type>(INT64, None, &[-5, 7, 1 << 40]),
        check::<Int64Type>(INT64, stamp(TimeUnit::MICROS), &[1_000_000, 86_400_000_000]),
        check::<Int96Type>(INT96, None, &[old]),
        check::<FloatType>(FLOAT, None, &[0.7, 3.5, f32::NAN, f32::INFINITY]),
        check::<DoubleType>(DOUBLE, None, &[0.1, -5.0, f64::NAN, 7.0, 1e300]),
        check::<FixedLenByteArrayType>(FIXED_LEN_BYTE_ARRAY, decimal(), &[fixed(&[255, 255, 255, 255, 156])]),
        check::<FixedLenByteArrayType>(FIXED_LEN_BYTE_ARRAY, Some(LogicalType::Float16), &[fixed(&[0, 0x3c])]),
        check::<ByteArrayType>(BYTE_ARRAY, Some(LogicalType::String), &["größte", "", "7", "2.5"].map(ByteArray::from)),
    ];
    assert!(found.iter().all(|&present| present > 0), "{found:?}");
}
