//! Columns that are coded as their difference to another cell of their row: the same codes from
//! every form of input, and what is written is read back.

use std::sync::Arc;

use arrow_array::{ArrayRef, Date32Array, Int64Array, RecordBatch, TimestampMillisecondArray};
use lookalike_schema::{CellValue, Schema};
use parquet::arrow::ArrowWriter;

use super::writing::{MakeSink, written};
use super::{OPTIONS, Quiet, codes, read, read_bounded, read_codes, write_file};
use crate::read::{Bounds, Persons, Terms, fetched, read_batches};
use crate::write::{csv_sink, parquet_sink};
use crate::{Input, RawCells, RowSource, Table};

const DAY: i64 = 86_400;
/// The days of 2010.
const DAYS: std::ops::Range<i64> = 14_610..14_975;
const SCHEMA: &str = "[columns.person]\ntype = 'id'\n\
                      [columns.seen]\ntype = 'datetime'\nafter = 'came'\nwithin = '3 days'\nmissing = true\n\
                      bins = 5000\nformat = '%Y-%m-%d %H:%M'\n\
                      [columns.came]\ntype = 'date'\nrange = ['2010-01-01', '2010-12-31']\nbins = 365\nmissing = true\n\
                      [columns.left]\ntype = 'date'\nafter = 'seen'\nwithin = [-1, 20]\nmissing = true\n";

fn schema() -> Schema {
    Schema::parse(SCHEMA, "test").unwrap()
}

/// Days and seconds; `None` where the cell is missing. Some are out of order, some out of range.
type Row = (Option<i64>, Option<i64>, Option<i64>);

fn rows(count: i64) -> Vec<Row> {
    let row = |k: i64| {
        let came = DAYS.start - 9 + k * 37 % 390;
        let seen = came * DAY + (k * 7919 % (5 * 1440) - 720) * 60;
        let left = seen.div_euclid(DAY) + k * 13 % 30 - 4;
        let some = |value: i64, by: i64| (k % by != 3).then_some(value);
        (some(came, 11), some(seen, 7), some(left, 13))
    };
    (0..count).map(row).collect()
}

/// What the codes have to be, worked out by hand.
fn expected(rows: &[Row]) -> Vec<Vec<u32>> {
    let came = |row: &Row| row.0.map_or(365, |day| day.clamp(DAYS.start, DAYS.end - 1) - DAYS.start);
    let bounds = (DAYS.start * DAY, (DAYS.end + 2) * DAY);
    let seen = |row: &Row| match (row.0, row.1) {
        (Some(day), Some(moment)) => {
            let day = day.clamp(DAYS.start, DAYS.end - 1);
            (moment.clamp(bounds.0, bounds.1) - day * DAY).clamp(0, 3 * DAY) / 60
        }
        _ => 3 * 1440 + 1,
    };
    let left = |row: &Row| match (row.1, row.2) {
        (Some(moment), Some(day)) => {
            let before = moment.clamp(bounds.0, bounds.1).div_euclid(DAY);
            (day.clamp(DAYS.start - 1, DAYS.end + 2 + 20) - before).clamp(-1, 20) + 1
        }
        _ => 22,
    };
    let list = |code: &dyn Fn(&Row) -> i64| rows.iter().map(|row| code(row) as u32).collect();
    vec![list(&came), list(&left), list(&seen)]
}

/// The columns stand in another order than in the schema.
fn batch(rows: &[Row]) -> RecordBatch {
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("came", Arc::new(rows.iter().map(|row| row.0.map(|day| day as i32)).collect::<Date32Array>())),
        ("left", Arc::new(rows.iter().map(|row| row.2.map(|day| day as i32)).collect::<Date32Array>())),
        ("seen", Arc::new(rows.iter().map(|row| row.1.map(|at| at * 1000)).collect::<TimestampMillisecondArray>())),
        ("person", Arc::new((0..rows.len()).map(|row| Some(row as i64 % 40)).collect::<Int64Array>())),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true))).unwrap()
}

/// A cell as the schema writes it.
fn cell(schema: &Schema, column: &str, value: Option<CellValue<'_>>) -> String {
    let mut out = Vec::new();
    let codec = schema.written_codec(schema.attribute(column).unwrap());
    codec.write_text(&value.unwrap_or(CellValue::Missing), &mut out);
    String::from_utf8(out).unwrap()
}

fn text(rows: &[Row]) -> String {
    let schema = schema();
    let mut text = "came,left,seen,person\n".to_owned();
    for (number, row) in rows.iter().enumerate() {
        let day = |value: Option<i64>| value.map(|days| CellValue::Date(days as i32));
        let cells = [("came", day(row.0)), ("left", day(row.2)), ("seen", row.1.map(CellValue::DateTime))];
        let cells = cells.map(|(column, value)| cell(&schema, column, value)).join(",");
        text += &format!("{cells},{}\n", number % 40);
    }
    text
}

fn parquet(rows: &[Row]) -> Vec<u8> {
    let batch = batch(rows);
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn all_forms_give_the_codes_that_follow_by_hand() {
    let (rows, schema) = (rows(2000), schema());
    let expected = expected(&rows);
    assert!(read_codes("t.csv", text(&rows).as_bytes(), &schema) == expected);
    assert!(read_codes("t.parquet", &parquet(&rows), &schema) == expected);
    let terms = Terms { memory: u64::MAX, bounds: None, digest: None };
    let mut batches = vec![Ok(batch(&rows[..700])), Ok(batch(&rows[700..]))].into_iter();
    let (table, _) = read_batches(&mut fetched(&mut batches), &schema, terms, &Quiet).unwrap();
    assert!(codes(&Table(table)) == expected);
    let folder = tempfile::tempdir().unwrap();
    let input = write_file(folder.path(), "t.csv", text(&rows).as_bytes());
    let tokens = schema.text_rules().missing_tokens.clone();
    let mut kept = |names: &[String]| Ok(names.iter().map(|name| schema.attribute(name).is_some()).collect());
    let source = RowSource::Input(&input);
    let (cells, _) = RawCells::take(source, &OPTIONS, (None, &tokens), None, &mut kept, &Quiet).unwrap();
    assert!(codes(&cells.coded(&schema).unwrap().open_for_steward_only()) == expected);
}

/// The earlier cell may be one that a folder's name tells of all rows of a file.
#[test]
fn folders_may_tell_the_earlier_cell() {
    let (schema, rows) = (schema(), rows(400));
    let one: Vec<Row> = rows.iter().map(|row| (Some(DAYS.start + 30), row.1, row.2)).collect();
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("came=2010-01-31");
    std::fs::create_dir(&inside).unwrap();
    let cut = |line: &str| line.split_once(',').unwrap().1.to_owned() + "\n";
    std::fs::write(inside.join("t.csv"), text(&one).lines().map(cut).collect::<String>()).unwrap();
    let table = read(&Input::Path(folder.path().to_owned()), &schema).unwrap();
    let found: Vec<Vec<u32>> =
        ["came", "left", "seen"].map(|name| table.codes(table.schema().attribute(name).unwrap()).unwrap()).into();
    assert_eq!(found, expected(&one));
}

#[test]
fn the_same_rows_of_persons_are_kept() {
    let (schema, rows) = (schema(), rows(1000));
    let persons = Persons { column: "person".to_owned(), most: 3 };
    let bounds = Bounds::with_key(&persons, [7; 32]);
    let folder = tempfile::tempdir().unwrap();
    let [csv, parquet] = [("t.csv", text(&rows).into_bytes()), ("t.parquet", parquet(&rows))].map(|(name, bytes)| {
        codes(&read_bounded(&write_file(folder.path(), name, &bytes), &schema, &OPTIONS, &bounds).unwrap())
    });
    assert!(csv == parquet);
    assert_eq!(csv[0].len(), 120);
}

#[test]
fn what_is_written_is_read_back() {
    let schema = schema();
    let header = ["came", "left", "seen", "person"].map(str::to_owned);
    let arranged = schema.arranged(&header).unwrap();
    // Where nothing is clamped, every value has a code of its own.
    let whole: Vec<Row> = rows(2000).into_iter().filter(|row| row.0.is_some() && row.1.is_some()).collect();
    let columns = expected(&whole);
    for (name, sink) in [("t.csv", csv_sink as MakeSink), ("t.parquet", parquet_sink)] {
        let bytes = written(&arranged, &columns, whole.len(), sink);
        let again = read_codes(name, &bytes, &schema);
        assert_eq!(again, columns, "{name}");
    }
}
