//! Arrow batches against the Parquet file that they were read from: the same codes, the same ids,
//! the same digests.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::StringDictionaryBuilder;
use arrow_array::types::Int8Type;
use arrow_array::*;
use arrow_schema::{ArrowError, DataType};
use lookalike_schema::Schema;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::{OPTIONS, Quiet, codes, every_type, read};
use crate::coded::CodedTable;
use crate::read::{Bounds, Terms, fetched, read_batches, read_table};
use crate::{DigestWish, Digests, Input, Persons, Table, TableError};

type Batches = Vec<Result<RecordBatch, ArrowError>>;

fn taken(batches: Batches, schema: &Schema, terms: Terms<'_>) -> Result<(CodedTable, Option<Digests>), TableError> {
    read_batches(&mut fetched(&mut batches.into_iter()), schema, terms, &Quiet)
}

const PLAIN: Terms<'_> = Terms { memory: u64::MAX, bounds: None, digest: None };

fn parquet_file(folder: &Path, batches: &[RecordBatch]) -> Input {
    let path = folder.join("t.parquet");
    let mut writer = ArrowWriter::try_new(File::create(&path).unwrap(), batches[0].schema(), None).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.close().unwrap();
    Input::Path(path)
}

fn read_back(input: &Input, rows_a_batch: usize) -> Batches {
    let Input::Path(path) = input else { panic!("a file") };
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    reader.with_batch_size(rows_a_batch).build().unwrap().collect()
}

/// Every type of value that a schema can describe, with missing ones, hostile ones and repeats.
pub(crate) fn batch(rows: i64) -> RecordBatch {
    let some = |row: i64| row % 7 != 3;
    let numbers = |modulo: i64| (0..rows).map(move |row| some(row).then_some(row * 37 % modulo - 5));
    let mut words = StringDictionaryBuilder::<Int8Type>::new();
    (0..rows).for_each(|row| match row % 5 {
        0 => words.append_null(),
        k => words.append_value(["none", "a, b", "größte", "unheard of"][k as usize - 1]),
    });
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("person", Arc::new((0..rows).map(|row| some(row).then_some(row % 40)).collect::<Int64Array>())),
        ("age", Arc::new(numbers(120).map(|v| v.map(|v| v as i16)).collect::<Int16Array>())),
        ("note", Arc::new((0..rows).map(|row| Some(format!("free {row}"))).collect::<StringViewArray>())),
        ("height", Arc::new((0..rows).map(|row| some(row).then_some(row as f32 * 0.07)).collect::<Float32Array>())),
        ("school", Arc::new(words.finish())),
        ("married", Arc::new((0..rows).map(|row| some(row).then_some(row % 2 == 0)).collect::<BooleanArray>())),
        ("born", Arc::new(numbers(50_000).map(|v| v.map(|v| v as i32)).collect::<Date32Array>())),
        (
            "seen",
            Arc::new(
                numbers(9_000)
                    .map(|v| v.map(|v| v * 123_456_789_012 + 1_000_000_000_000_000))
                    .collect::<TimestampMicrosecondArray>(),
            ),
        ),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true))).unwrap()
}

#[test]
fn a_file_and_its_batches_are_one_table() {
    let folder = tempfile::tempdir().unwrap();
    let whole = batch(1000);
    let input = parquet_file(folder.path(), &[whole.slice(0, 300), whole.slice(300, 700)]);
    let schema = every_type();
    let expected = codes(&read(&input, &schema).unwrap());
    let own = vec![Ok(whole.slice(0, 1)), Ok(whole.slice(1, 0)), Ok(whole.slice(1, 999))];
    for batches in [read_back(&input, 64), read_back(&input, 5000), own] {
        let (table, digests) = taken(batches, &schema, PLAIN).unwrap();
        assert!(digests.is_none());
        assert_eq!(codes(&Table(table)), expected);
    }
    // Spilled rows are the same rows.
    let (spilled, _) = taken(vec![Ok(whole)], &schema, Terms { memory: 0, ..PLAIN }).unwrap();
    assert_eq!(codes(&Table(spilled)), expected);
}

#[test]
fn persons_and_digests_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let input = parquet_file(folder.path(), &[batch(500)]);
    let (schema, persons) = (every_type(), Persons { column: "person".to_owned(), most: 3 });
    let bounds = Bounds::with_key(&persons, [7; 32]);
    let wish = DigestWish { key: &[9; 32], older: true, second: None };
    for bounds in [None, Some(&bounds)] {
        let terms = Terms { memory: 1 << 20, bounds, digest: Some(wish) };
        let (file, of_file) = read_table(&input, &schema, &OPTIONS, terms, &Quiet).unwrap();
        let (batches, of_batches) = taken(read_back(&input, 77), &schema, terms).unwrap();
        assert_eq!(codes(&Table(file)), codes(&Table(batches)));
        let (of_file, of_batches) = (of_file.unwrap(), of_batches.unwrap());
        assert!(of_file.records == of_batches.records && of_file.older == of_batches.older);
    }
}

/// Every kind of number and text, as it is stored: the same codes and the same digest as from
/// Parquet.
#[test]
fn every_stored_type_means_what_it_means_in_parquet() {
    let rows = 200;
    let value = |row: i64| (row % 7 != 3).then_some(row - 20);
    let column = |place: usize| -> ArrayRef {
        let values = (0..rows).map(value);
        match place {
            0 => Arc::new(values.map(|v| v.map(|v| v as i8)).collect::<Int8Array>()),
            1 => Arc::new(values.map(|v| v.map(|v| v as u8)).collect::<UInt8Array>()),
            2 => Arc::new(values.map(|v| v.map(|v| v as u16)).collect::<UInt16Array>()),
            3 => Arc::new(values.map(|v| v.map(|v| v as u32)).collect::<UInt32Array>()),
            4 => Arc::new(values.map(|v| v.map(|v| v as u64)).collect::<UInt64Array>()),
            5 => Arc::new(values.map(|v| v.map(|v| v as f64 / 3.0)).collect::<Float64Array>()),
            6 => {
                let array: Decimal128Array = values.map(|v| v.map(|v| i128::from(v) * 125)).collect();
                Arc::new(array.with_precision_and_scale(20, 2).unwrap())
            }
            7 => {
                let array: Decimal64Array = values.map(|v| v.map(|v| v * 125)).collect();
                Arc::new(array.with_precision_and_scale(12, 1).unwrap())
            }
            8 => Arc::new(values.map(|v| v.map(|v| v.to_string())).collect::<LargeStringArray>()),
            9 => Arc::new(BinaryArray::from_iter(values.map(|v| v.map(|v| v.to_string().into_bytes())))),
            10 => {
                let array: TimestampMicrosecondArray = values.map(|v| v.map(|v| v * 1_234_567_891_011)).collect();
                Arc::new(array.with_timezone("+00:00"))
            }
            11 => Arc::new(values.map(|v| v.map(|v| v * 1_234_567_891)).collect::<TimestampMillisecondArray>()),
            12 => Arc::new(values.map(|v| v.map(|v| v * 1_234_567_891_011_012)).collect::<TimestampNanosecondArray>()),
            13 => Arc::new(values.map(|v| v.map(|v| v as i32)).collect::<Time32MillisecondArray>()),
            _ => Arc::new(NullArray::new(rows as usize)),
        }
    };
    let batch =
        RecordBatch::try_from_iter_with_nullable((0..15).map(|place| (format!("c{place}"), column(place), true)))
            .unwrap();
    let schema: String = (0..15)
        .map(|place| match place {
            10..=12 => format!(
                "[columns.c{place}]\ntype = \"datetime\"\nrange = [\"1960-01-01T00:00:00\", \"1980-01-01T00:00:00\"]\nbins = 500\nmissing = true\n"
            ),
            _ => format!("[columns.c{place}]\ntype = \"number\"\nrange = [-100, 5000]\nbins = 700\nmissing = true\n"),
        })
        .collect();
    let schema = Schema::parse(&schema, "s.toml").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let input = parquet_file(folder.path(), std::slice::from_ref(&batch));
    let terms = Terms { digest: Some(DigestWish { key: &[1; 32], older: false, second: None }), ..PLAIN };
    let (file, of_file) = read_table(&input, &schema, &OPTIONS, terms, &Quiet).unwrap();
    let (batches, of_batches) = taken(vec![Ok(batch)], &schema, terms).unwrap();
    let (file, batches) = (codes(&Table(file)), codes(&Table(batches)));
    for (place, (file, batches)) in file.iter().zip(&batches).enumerate() {
        assert_eq!(file, batches, "column {place}");
        assert!(place == 14 || file.iter().collect::<std::collections::BTreeSet<_>>().len() > 5, "column {place}");
    }
    assert!(of_file.unwrap().records == of_batches.unwrap().records);
}

/// Parquet has no such types: the first becomes whole numbers there, the second another unit.
#[test]
fn dates_in_milliseconds_and_times_in_seconds() {
    let schema = "[columns.d]\ntype = \"date\"\nrange = [\"1969-12-01\", \"1970-02-01\"]\n\
                  [columns.t]\ntype = \"datetime\"\nrange = [\"1970-01-01T00:00:00\", \"1970-01-01T23:59:59\"]\n";
    let schema = Schema::parse(schema, "s.toml").unwrap();
    let coded = |d: ArrayRef, t: ArrayRef| {
        let batch = RecordBatch::try_from_iter([("d", d), ("t", t)]).unwrap();
        codes(&Table(taken(vec![Ok(batch)], &schema, PLAIN).unwrap().0))
    };
    let days = Date32Array::from(vec![-3, 0, 20]);
    let millis = Date64Array::from(vec![-3 * 86_400_000 + 5, 0, 20 * 86_400_000 + 86_399_999]);
    let seconds = TimestampSecondArray::from(vec![0, 3600, 80_000]);
    let nanos = TimestampNanosecondArray::from(vec![1, 3_600_000_000_000, 80_000_999_999_999]);
    assert_eq!(coded(Arc::new(days), Arc::new(seconds)), coded(Arc::new(millis), Arc::new(nanos)));
}

#[test]
fn what_is_refused_and_what_is_not() {
    let schema = Schema::parse(r#"{"a": 5}"#, "s.json").unwrap();
    let ints = |name: &str| {
        let array: ArrayRef = Arc::new(Int32Array::from(vec![1, 2]));
        RecordBatch::try_from_iter([(name, array)]).unwrap()
    };
    let error = |batches: Batches| taken(batches, &schema, PLAIN).err().unwrap().to_string();
    // No batch: no rows.
    let (empty, _) = taken(Vec::new(), &schema, PLAIN).unwrap();
    assert_eq!(Table(empty).rows(), 0);
    assert!(error(vec![Ok(ints("b"))]).contains("\"a\""));
    assert!(error(vec![Ok(ints("a")), Ok(ints("b"))]).contains("do not all have the same columns"));
    let words = error(vec![Ok(ints("a")), Err(ArrowError::ParseError("the secret cell".to_owned()))]);
    assert!(words.contains("could not all be fetched") && !words.contains("secret"), "{words}");
    let list: ArrayRef =
        Arc::new(ListArray::from_iter_primitive::<types::Int32Type, _, _>([Some(vec![Some(1)]), None]));
    assert!(matches!(list.data_type(), DataType::List(_)));
    let nested = RecordBatch::try_from_iter_with_nullable([("a", list, true)]).unwrap();
    assert!(error(vec![Ok(nested)]).contains("lists or groups"));
}
