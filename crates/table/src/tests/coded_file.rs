//! Coded rows in a file: the same counts, and nothing of a file that is damaged in any place.

use std::fs::File;
use std::io::{Seek, Write};

use lookalike_schema::{AttrId, Clique, Schema};
use lookalike_tally::CellCounts;

use crate::coded::CodedTable;
use crate::{PrivateTable, TableError};

fn schema() -> Schema {
    Schema::parse(r#"{"a": 2, "b": 300, "wide": 70000, "c": 200}"#, "s.json").unwrap()
}

fn table(rows: u32, block: usize, memory: u64) -> PrivateTable {
    let column = |size: u32, factor: u32| (0..rows).map(|row| row * factor % size).collect();
    let columns: Vec<Vec<u32>> = vec![column(2, 1), column(300, 7), column(70_000, 977), column(200, 3)];
    PrivateTable(CodedTable::build(&schema(), &columns, Some(block), memory).unwrap())
}

fn counts(table: PrivateTable) -> Vec<Vec<u64>> {
    let cliques = [&[0u32, 1][..], &[1, 3], &[2], &[]].map(|set| Clique::new(set.iter().map(|&a| AttrId(a))));
    let counted = table.open_for_steward_only().count(&cliques, &|| false).unwrap();
    let dense = |counts| if let CellCounts::Dense(cells) = counts { cells } else { panic!("sparse") };
    counted.into_iter().map(dense).collect()
}

fn read(bytes: &[u8], schema: &Schema, memory: u64) -> Result<(PrivateTable, Vec<u8>), TableError> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    reopened(file, schema, memory)
}

fn reopened(file: File, schema: &Schema, memory: u64) -> Result<(PrivateTable, Vec<u8>), TableError> {
    let mut noted = Vec::new();
    let table = PrivateTable::read_coded(file, "kept", memory, |note| {
        noted = note.to_vec();
        Ok::<Schema, TableError>(schema.clone())
    })?;
    Ok((table, noted))
}

#[test]
fn kept_rows_count_as_those_that_were_read() {
    for (rows, block) in [(0, 100), (1, 100), (900, 100), (950, 400)] {
        let expected = counts(table(rows, block, u64::MAX));
        for written_in in [0, 2_000, u64::MAX] {
            let mut bytes = Vec::new();
            table(rows, block, written_in).write_coded(b"note", &mut bytes).unwrap();
            for memory in [0, 2_000, u64::MAX] {
                let (again, note) = read(&bytes, &schema(), memory).unwrap();
                assert_eq!(note, b"note");
                assert_eq!(again.0.store.spilled_blocks() > 0, rows as u64 * 8 > memory, "{rows} rows, {memory} bytes");
                assert_eq!(counts(again), expected, "{rows} rows, written in {written_in}, held in {memory}");
            }
        }
    }
}

/// Every byte and every length of a small file: nothing is ever counted from a damaged one.
#[test]
fn a_damaged_file_is_refused() {
    let mut bytes = Vec::new();
    table(40, 16, 0).write_coded(b"a note", &mut bytes).unwrap();
    for place in 0..bytes.len() {
        let mut other = bytes.clone();
        other[place] ^= 0x40;
        assert!(read(&other, &schema(), 0).is_err(), "byte {place}");
    }
    for length in 0..bytes.len() {
        assert!(read(&bytes[..length], &schema(), 0).is_err(), "length {length}");
    }
    assert!(read(&[&bytes[..], b"x"].concat(), &schema(), 0).is_err(), "longer");
    // A schema with fewer codes, or with other columns.
    for other in [r#"{"a": 2, "b": 260, "wide": 70000, "c": 200}"#, r#"{"a": 2, "b": 300, "wide": 70000}"#] {
        assert!(read(&bytes, &Schema::parse(other, "s.json").unwrap(), 0).is_err());
    }
}
