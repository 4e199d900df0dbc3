//! What is written can be read back to the same codes.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use lookalike_schema::Schema;

use super::{OPTIONS, Quiet, codes, every_type, read, write_file};
use crate::TableError;
use crate::read::for_each_record;
use crate::write::{CodeBlock, RowSink, csv_sink, parquet_sink};

/// A place in memory that a sink can own while the test keeps a hand on it.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(super) type MakeSink =
    for<'a> fn(&'a Schema, Box<dyn Write + Send + Sync + 'a>) -> Result<Box<dyn RowSink + 'a>, TableError>;

pub(super) fn written(schema: &Schema, columns: &[Vec<u32>], rows: usize, make: MakeSink) -> Vec<u8> {
    let out = Shared::default();
    let mut sink = make(schema, Box::new(out.clone())).unwrap();
    let mut seed = 1u64;
    let mut bits = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed
    };
    for first in (0..rows).step_by(70) {
        let last = rows.min(first + 70);
        let part: Vec<Vec<u32>> = columns.iter().map(|codes| codes[first..last].to_vec()).collect();
        let block = CodeBlock { first_row: first as u64, rows: last - first, columns: &part };
        let rendered = sink.render(&block, &mut bits).unwrap();
        sink.write(rendered).unwrap();
    }
    sink.finish().unwrap();
    let bytes = out.0.lock().unwrap();
    bytes.clone()
}

pub(super) fn all_codes(schema: &Schema, rows: usize) -> Vec<Vec<u32>> {
    schema.domain().sizes().iter().map(|&size| (0..rows as u32).map(|k| k * 7 % size).collect()).collect()
}

#[track_caller]
fn round_trip(schema: &Schema, rows: usize, name: &str, make: MakeSink) -> Vec<u8> {
    let columns = all_codes(schema, rows);
    let bytes = written(schema, &columns, rows, make);
    let folder = tempfile::tempdir().unwrap();
    let input = write_file(folder.path(), name, &bytes);
    // Ignored columns are not written, so the schema that reads the output does not list them.
    let toml = schema.to_toml().replace("[columns.note]\ntype = \"ignore\"\n", "");
    let table = read(&input, &Schema::parse(&toml, "back.toml").unwrap()).unwrap();
    assert_eq!(table.rows(), rows as u64);
    assert!(codes(&table) == columns);
    bytes
}

#[test]
fn csv_round_trip() {
    let bytes = round_trip(&every_type(), 200, "a.csv", csv_sink);
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.starts_with("person,age,height,school,married,born,seen\n1,"));
    assert!(text.contains(",\"a, b\",") && text.contains(",\"say \"\"hi\"\"\","));
    round_trip(&every_type(), 0, "a.csv", csv_sink);
    round_trip(&every_type(), 1, "a.csv", csv_sink);
}

#[test]
fn parquet_round_trip() {
    let bytes = round_trip(&every_type(), 200, "a.parquet", parquet_sink);
    assert!(bytes.starts_with(b"PAR1"));
    round_trip(&every_type(), 0, "a.parquet", parquet_sink);
    round_trip(&every_type(), 1, "a.parquet", parquet_sink);
}

/// Cells that follow from others agree with the cells beside them, in both formats.
#[test]
fn derived_cells_follow_from_the_row() {
    let text = r#"
decimal = ','
[columns.sum]
type = 'derived'
formula = 'price * pieces'
[columns.price]
type = 'number'
range = [0, 9]
bins = 3
decimals = 2
missing = true
[columns.pieces]
type = 'integer'
range = [1, 300]
bins = 4
[columns.day]
type = 'date'
range = ['2012-01-01', '2016-12-31']
bins = 5
[columns.month]
type = 'derived'
formula = 'month(day)'
[columns.later]
type = 'derived'
formula = 'day + pieces - pieces'
[columns.words]
type = 'derived'
formula = "pieces & ' pieces, ' & price"
"#;
    let schema = Schema::parse(text, "test").unwrap();
    let columns = all_codes(&schema, 200);
    let makes: [(&str, MakeSink); 2] = [("a.csv", csv_sink), ("a.parquet", parquet_sink)];
    for (name, make) in makes {
        let folder = tempfile::tempdir().unwrap();
        let input = write_file(folder.path(), name, &written(&schema, &columns, 200, make));
        let (mut rows, mut missing) = (0, 0);
        let mut check = |cells: &[&[u8]]| {
            let cells: Vec<String> = cells.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect();
            let number = |text: &str| text.replace(',', ".").parse::<f64>().unwrap();
            rows += 1;
            assert_eq!(number(&cells[4]), number(&cells[3][5..7]), "{cells:?}");
            assert_eq!(cells[5], cells[3]);
            if cells[1].is_empty() {
                missing += 1;
                assert_eq!([&cells[0], &cells[6]], ["", ""], "{cells:?}");
            } else {
                let pieces = number(&cells[2]);
                assert!((number(&cells[0]) - number(&cells[1]) * pieces).abs() < 1e-9, "{cells:?}");
                let (count, price) = cells[6].split_once(" pieces, ").unwrap();
                assert_eq!((number(count), number(price)), (pieces, number(&cells[1])), "{cells:?}");
            }
        };
        for_each_record(&input, &OPTIONS, &Quiet, &mut |_| Ok(()), &mut check).unwrap();
        assert_eq!((rows, missing), (200, 50), "{name}");
    }
}

/// Same codes and words give the same cells in both formats.
#[test]
fn both_formats_draw_the_same_cells() {
    let schema = every_type();
    let columns = all_codes(&schema, 200);
    let mut found = Vec::new();
    let makes: [(&str, MakeSink); 2] = [("a.csv", csv_sink), ("a.parquet", parquet_sink)];
    for (name, make) in makes {
        let folder = tempfile::tempdir().unwrap();
        let input = write_file(folder.path(), name, &written(&schema, &columns, 200, make));
        let mut rows: Vec<Vec<String>> = Vec::new();
        let mut keep =
            |cells: &[&[u8]]| rows.push(cells.iter().map(|c| String::from_utf8_lossy(c).into_owned()).collect());
        for_each_record(&input, &OPTIONS, &Quiet, &mut |_| Ok(()), &mut keep).unwrap();
        found.push(rows);
    }
    assert_eq!(found[0].len(), 200);
    for (text, typed) in found[0].iter().zip(&found[1]) {
        for (a, b) in text.iter().zip(typed) {
            let same = a == b || a.parse::<f64>().is_ok_and(|a| b.parse() == Ok(a)) || a.replace(' ', "T") == *b;
            assert!(same, "{a} in CSV, {b} in Parquet");
        }
    }
}

#[test]
fn csv_in_the_schemas_own_dress() {
    let schema = Schema::parse(
        "delimiter = \";\"\ndecimal = \",\"\n[columns.\"a;b\"]\ntype = \"number\"\nrange = [0, 9]\nbins = 9\n[columns.c]\ntype = \"category\"\nvalues = [\"x;y\", \"x,y\"]\n",
        "s.toml",
    )
    .unwrap();
    let bytes = round_trip(&schema, 50, "a.csv", csv_sink);
    assert!(bytes.starts_with(b"\"a;b\";c\n0,"));
}

#[test]
fn one_column_of_empty_cells_keeps_its_rows() {
    let schema =
        Schema::parse("[columns.c]\ntype = \"category\"\nvalues = [\"x\"]\nmissing = true\n", "s.toml").unwrap();
    let bytes = written(&schema, &[vec![1, 0, 1]], 3, csv_sink);
    assert_eq!(bytes, b"c\n\"\"\nx\n\"\"\n");
    round_trip(&schema, 9, "a.csv", csv_sink);
}

#[test]
fn a_full_disk_is_an_io_error() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let schema = every_type();
    for make in [csv_sink as MakeSink, parquet_sink] {
        let Err(error) = make(&schema, Box::new(Full)).and_then(RowSink::finish) else { panic!("nothing was noticed") };
        let TableError::Io { source, .. } = error else { panic!("{error}") };
        assert_eq!(source.kind(), io::ErrorKind::StorageFull);
    }
}

/// A schema that states its dialect: bytes by hand, and the same codes read back.
#[test]
fn the_dialect_that_a_schema_states() {
    let text = "missing_tokens = [\"NA\"]\ndecimal = \",\"\n[written]\ndelimiter = \";\"\nline_end = \"crlf\"\nbom = true\n\
                quotes = \"words\"\nmissing = \"NA\"\nignored = \"empty\"\n[columns.tail]\ntype = \"id\"\npattern = \"N###\"\n\
                [columns.x]\ntype = \"number\"\nrange = [0, 1]\nbins = 2\ndecimals = 1\nspikes = [0.5]\nmissing = true\n\
                [columns.note]\ntype = \"ignore\"\n\
                [columns.'say \"so\"']\ntype = \"category\"\nvalues = [\"a;b\", \"c\"]\nmissing = true\n";
    let schema = Schema::parse(text, "schema").unwrap();
    let spike = schema.codec(schema.attribute("x").unwrap()).encode_text(b"0,5");
    let missing = schema.domain().sizes()[0] - 1;
    let columns = vec![vec![spike, missing, spike], vec![0, 1, 2]];
    let bytes = written(&schema, &columns, 3, csv_sink);
    let expected = "\u{feff}\"tail\";\"x\";\"note\";\"say \"\"so\"\"\"\r\n\
                    \"N001\";0,5;NA;\"a;b\"\r\n\"N002\";NA;NA;\"c\"\r\n\"N003\";0,5;NA;\"NA\"\r\n";
    assert_eq!(String::from_utf8(bytes.clone()).unwrap(), expected);
    let folder = tempfile::tempdir().unwrap();
    let back = read(&write_file(folder.path(), "rows.csv", &bytes), &schema).unwrap();
    assert_eq!(codes(&back), columns);
    // A release carries the dialect, and nothing else of how the table was read.
    let released = schema.released().unwrap();
    assert_eq!(released.row_form(), schema.row_form());
    assert_eq!(written(&released, &columns, 3, csv_sink), bytes);
    // Typed rows have the same columns: text for ids of a shape, and nothing where nothing is.
    let parquet = written(&schema, &columns, 3, parquet_sink);
    let input = write_file(folder.path(), "rows.parquet", &parquet);
    let mut cells = Vec::new();
    let each = &mut |record: &[&[u8]]| cells.push(record.iter().map(|cell| cell.to_vec()).collect::<Vec<_>>());
    for_each_record(&input, &OPTIONS, &Quiet, &mut |_| Ok(()), each).unwrap();
    let texts: Vec<Vec<&str>> =
        cells.iter().map(|row| row.iter().map(|cell| std::str::from_utf8(cell).unwrap()).collect()).collect();
    assert_eq!(texts[0], ["N001", "0.5", "", "a;b"]);
    assert_eq!(texts[1], ["N002", "", "", "c"]);
}

#[test]
fn the_header_line_tells_the_dialect() {
    use lookalike_schema::{LineEnd, Quotes, RowForm};
    let folder = tempfile::tempdir().unwrap();
    let form = |text: &str| {
        let input = write_file(folder.path(), "rows.txt", text.as_bytes());
        crate::read::header_form(&input, &OPTIONS).unwrap().text.unwrap()
    };
    let plain = RowForm::default();
    assert_eq!(form("a,b\n1,\"x\"\r\n"), plain, "rows have no say in it");
    assert_eq!(form("a;b\r\n1;2\n"), RowForm { delimiter: b';', line_end: LineEnd::CrLf, ..plain.clone() });
    assert_eq!(form("\u{feff}a\tb\n"), RowForm { delimiter: b'\t', bom: true, ..plain.clone() });
    assert_eq!(
        form("\"a\",\"b \"\"c\"\"\"\r\n"),
        RowForm { quotes: Quotes::Words, line_end: LineEnd::CrLf, ..plain.clone() }
    );
    assert_eq!(form("\"a\",b\n1,2\n"), plain);
    assert_eq!(form("\"a,b\",\"c\"\n"), RowForm { quotes: Quotes::Words, ..plain });
}
