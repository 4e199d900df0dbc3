//! Whole tables: read, counted, written and read back.

pub(crate) mod arrow;
mod cells;
mod coded_file;
mod difference;
mod digests;
mod persons;
pub(crate) mod raw;
mod reading;
mod several;
mod stored;
mod writing;

use std::io::Write;
use std::path::Path;

use lookalike_schema::{AttrId, Schema};

use crate::read::{Bounds, Terms};
use crate::{DigestWish, Digests, Input, Persons, PrivateTable, ReadOptions, ReadWatch, RowSource, Table, TableError};

/// Never stops; ignores progress.
pub(crate) struct Quiet;

impl ReadWatch for Quiet {
    fn share_read(&self, share: f64) {
        assert!((0.0..=1.0).contains(&share));
    }
    fn cancelled(&self) -> bool {
        false
    }
}

pub(crate) const OPTIONS: ReadOptions =
    ReadOptions { delimiter: None, encoding: None, multiline: false, memory: u64::MAX };

/// A schema of integer columns `c0`, `c1`, ... with the given numbers of codes.
pub(crate) fn integers(sizes: &[u32]) -> Schema {
    let fields: Vec<String> = sizes.iter().enumerate().map(|(k, size)| format!("\"c{k}\": {size}")).collect();
    Schema::parse(&format!("{{{}}}", fields.join(", ")), "sizes.json").unwrap()
}

/// One column of every type, and columns that are not modelled.
pub(crate) fn every_type() -> Schema {
    Schema::parse(
        r#"
        [columns.person]
        type = "id"
        [columns.age]
        type = "integer"
        range = [0, 99]
        bins = 20
        missing = true
        [columns.note]
        type = "ignore"
        [columns.height]
        type = "number"
        range = [0.5, 2.5]
        bins = 10
        missing = true
        [columns.school]
        type = "category"
        values = ["none", "a, b", "say \"hi\"", "größte"]
        other = "else"
        [columns.married]
        type = "boolean"
        missing = true
        [columns.born]
        type = "date"
        range = ["1900-01-01", "2020-12-31"]
        bins = 12
        [columns.seen]
        type = "datetime"
        range = ["2000-01-01T00:00:00", "2020-12-31T23:59:59"]
        bins = 8
        missing = true
        "#,
        "every.toml",
    )
    .unwrap()
}

pub(crate) fn write_file(folder: &Path, name: &str, content: &[u8]) -> Input {
    let path = folder.join(name);
    std::fs::File::create(&path).unwrap().write_all(content).unwrap();
    Input::Path(path)
}

pub(crate) fn read(input: &Input, schema: &Schema) -> Result<Table, TableError> {
    Table::read(input, schema, &OPTIONS, &Quiet)
}

/// Reads with rows of persons bounded, under a key that the test knows or a fresh one.
pub(crate) fn read_bounded(
    input: &Input,
    schema: &Schema,
    options: &ReadOptions,
    bounds: &Bounds<'_>,
) -> Result<Table, TableError> {
    let terms = Terms { memory: options.memory, bounds: Some(bounds), digest: None };
    crate::read::read_table(input, schema, options, terms, &Quiet).map(|(table, _)| Table(table))
}

pub(crate) fn read_persons(input: &Input, schema: &Schema, persons: &Persons) -> Result<Table, TableError> {
    read_bounded(input, schema, &OPTIONS, &Bounds::new(persons)?)
}

pub(crate) fn read_for_ledger(
    input: &Input,
    schema: &Schema,
    persons: Option<&Persons>,
    wish: DigestWish<'_>,
) -> Result<(PrivateTable, Digests), TableError> {
    let source = RowSource::Input(input);
    let (table, digests) = PrivateTable::take(source, schema, &OPTIONS, persons, Some(wish), &Quiet)?;
    Ok((table, digests.expect("digests were asked for")))
}

/// All codes of a table, a vector a column.
pub(crate) fn codes(table: &Table) -> Vec<Vec<u32>> {
    (0..table.domain().len()).map(|k| table.codes(AttrId(k as u32)).unwrap()).collect()
}

/// Reads a text as a file of that name and gives its codes.
pub(crate) fn read_codes(name: &str, content: &[u8], schema: &Schema) -> Vec<Vec<u32>> {
    let folder = tempfile::tempdir().unwrap();
    codes(&read(&write_file(folder.path(), name, content), schema).unwrap())
}

/// The same where quoted fields may hold line ends.
pub(crate) fn read_multiline(name: &str, content: &[u8], schema: &Schema) -> Vec<Vec<u32>> {
    let folder = tempfile::tempdir().unwrap();
    let options = ReadOptions { multiline: true, ..OPTIONS };
    codes(&Table::read(&write_file(folder.path(), name, content), schema, &options, &Quiet).unwrap())
}
