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

type MakeSink = for<'a> fn(&'a Schema, Box<dyn Write + Send + Sync + 'a>) -> Result<Box<dyn RowSink + 'a>, TableError>;

fn written(schema: &Schema, columns: &[Vec<u32>], rows: usize, make: MakeSink) -> Vec<u8> {
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

fn all_codes(schema: &Schema, rows: usize) -> Vec<Vec<u32>> {
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
