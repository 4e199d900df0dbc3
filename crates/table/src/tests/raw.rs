//! Cells as numbers, neither clamped nor binned, from files of all kinds.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use lookalike_schema::{AttrId, Schema};

use super::{OPTIONS, Quiet, codes, every_type, read, write_file};
use crate::{Input, RawFile, ReadWatch, TableError};

/// The modelled columns of a file as numbers; nothing where a cell is missing.
pub(crate) fn raw_columns(name: &str, content: &[u8], schema: &Schema) -> Vec<Vec<Option<f64>>> {
    let folder = tempfile::tempdir().unwrap();
    raw_of(write_file(folder.path(), name, content), schema)
}

fn raw_of(input: Input, schema: &Schema) -> Vec<Vec<Option<f64>>> {
    let names: Vec<&str> = schema.domain().attributes().map(|a| schema.column(a).name.as_str()).collect();
    let mut columns = vec![Vec::new(); names.len()];
    let file = RawFile::for_steward_only(input, schema.clone(), OPTIONS);
    file.for_each_block(&names, &Quiet, &mut |block| {
        assert!(block.columns.iter().all(|cells| cells.len() == block.rows));
        for (out, cells) in columns.iter_mut().zip(&block.columns) {
            out.extend(cells.iter().map(|cell| (!cell.is_nan()).then_some(*cell)));
        }
        Ok(())
    })
    .unwrap();
    columns
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

const TEXT: &[u8] = b"seen,born,married,school,height,note,age,person\n\
    2010-01-01T10:00:00,1950-02-03,true,\"a, b\",1.75,x,30,1\n\
    1970-01-01 00:00:10,1970-01-11,no,nothing such,9.5,,1000,2\n\
    ,31/12/1999,,,inf,,-3.5,3\n\
    \n\
    never,1900-01-01,maybe,none,NaN,\"a \"\"b\"\"\",NA\n";

#[test]
fn cells_are_read_by_the_schema_and_left_as_they_are() {
    let schema = every_type();
    let expected = vec![
        vec![Some(30.0), Some(1000.0), Some(-3.5), None],
        vec![Some(1.75), Some(9.5), None, None],
        vec![Some(1.0), Some(4.0), None, Some(0.0)],
        vec![Some(1.0), Some(0.0), None, None],
        vec![Some(-7272.0), Some(10.0), None, Some(-25_567.0)],
        vec![Some(1_262_340_000.0), Some(10.0), None, None],
    ];
    assert_eq!(raw_columns("a.csv", TEXT, &schema), expected);
    assert_eq!(raw_columns("a.csv.gz", &gzip(TEXT), &schema), expected);
}

/// Row 7 of a raw column is row 7 of the coded one, over many chunks, with quotes and empty lines
/// between.
#[test]
fn rows_are_those_of_the_coded_table() {
    let schema = "[columns.a]\ntype = 'integer'\nrange = [0, 999]\nbins = 1000\n[columns.b]\ntype = 'category'\nvalues = ['x', 'y']\n\
        missing = true\n[columns.c]\ntype = 'ignore'";
    let schema = Schema::parse(schema, "rows.toml").unwrap();
    let mut text = b"a,c,b\n".to_vec();
    for row in 0..200_000u32 {
        let (word, gap) = (["x", "\"y\"", ""][row as usize % 3], if row % 11 == 0 { "\n" } else { "" });
        text.extend_from_slice(format!("{},\"some, thing\",{word}\n{gap}", row % 997).as_bytes());
    }
    let folder = tempfile::tempdir().unwrap();
    let input = write_file(folder.path(), "rows.csv", &text);
    let coded = codes(&read(&input, &schema).unwrap());
    let raw = raw_of(input, &schema);
    assert_eq!(raw[0].len(), 200_000);
    for (k, (codes, cells)) in coded.iter().zip(&raw).enumerate() {
        let codec = schema.codec(AttrId(k as u32));
        assert!(codes.iter().map(|&code| codec.raw_decoded(code, 0)).eq(cells.iter().copied()));
    }
}

/// Stops at once.
struct Stopped;

impl ReadWatch for Stopped {
    fn share_read(&self, _share: f64) {}
    fn cancelled(&self) -> bool {
        true
    }
}

#[test]
fn a_stop_is_heard_and_other_columns_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = |text: &[u8]| RawFile::for_steward_only(write_file(folder.path(), "a.csv", text), every_type(), OPTIONS);
    let ended = file(TEXT).for_each_block(&["age"], &Stopped, &mut |_| Ok(()));
    assert!(matches!(ended, Err(TableError::Cancelled)));
    let ended = file(b"a,b\n1,2\n").for_each_block(&["age"], &Quiet, &mut |_| Ok(()));
    assert!(matches!(ended, Err(TableError::Schema(_))));
}

/// A pipe is laid down once and read again and again; a file stays what it is.
#[test]
#[cfg(unix)]
fn pipes_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_file(folder.path(), "a.csv", TEXT);
    assert!(input.clone().kept(&Quiet).unwrap() == input);
    let expected = raw_of(input, &every_type());
    for content in [TEXT.to_vec(), gzip(TEXT)] {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let write = std::thread::spawn(move || writer.write_all(&content).unwrap());
        let path = format!("/dev/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&reader));
        let kept = Input::Path(path.into()).kept(&Quiet).unwrap();
        write.join().unwrap();
        assert!(matches!(kept, Input::Kept(_)));
        assert!(raw_of(kept.clone(), &every_type()) == expected && raw_of(kept, &every_type()) == expected);
    }
}
