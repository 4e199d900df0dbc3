//! Tables: private rows, and rows that may be looked at.

mod count;

use std::fs::File;
use std::io::Write;

use lookalike_schema::{AttrId, Domain, Schema};
use lookalike_tally::Blocks;

use crate::coded::CodedTable;
use crate::coded::file::{CodedFile, write_coded};
use crate::digest::{DigestWish, Digests};
use crate::error::TableError;
use crate::read::{
    Bounds, Input, Persons, ReadOptions, ReadWatch, RowSource, Terms, fetched, read_batches, read_table,
};

/// Private rows as codes.
///
/// Unprintable by construction: no `Debug`, `Clone` or serialization, and no way to ask for a row
/// or for the number of rows.
pub struct PrivateTable(pub(crate) CodedTable);

impl PrivateTable {
    /// Reads and codes the whole input. The table's schema stands in the input's column order.
    ///
    /// Cells never cause an error. `Err` means that the file is not a table, that its header does
    /// not fit the schema, that reading failed, or that the watch asked to stop.
    pub fn read(
        input: &Input,
        schema: &Schema,
        options: &ReadOptions,
        watch: &dyn ReadWatch,
    ) -> Result<Self, TableError> {
        Self::take(RowSource::Input(input), schema, options, None, None, watch).map(|(table, _)| table)
    }

    /// Like [`read`](Self::read), from any source, with what a run may ask besides.
    ///
    /// With `persons`, of each person at most `persons.most` rows are taken, chosen at random, and
    /// no row without an id: what a promise about persons is made about. `Err` also when the column
    /// is not in the header. With `digest`, keyed digests of the rows come back, by which a ledger
    /// recognizes them.
    ///
    /// # Privacy
    /// Tables that differ by all rows of one person differ by at most `persons.most` rows as they
    /// are read here, wherever those rows stood. The proof is at the head of `read/persons/mod.rs`.
    pub fn take(
        source: RowSource<'_>,
        schema: &Schema,
        options: &ReadOptions,
        persons: Option<&Persons>,
        digest: Option<DigestWish<'_>>,
        watch: &dyn ReadWatch,
    ) -> Result<(Self, Option<Digests>), TableError> {
        let bounds = persons.map(Bounds::new).transpose()?;
        let terms = Terms { memory: options.memory, bounds: bounds.as_ref(), digest };
        let (table, digests) = match source {
            RowSource::Input(input) => read_table(input, schema, options, terms, watch)?,
            RowSource::Batches(batches) => read_batches(&mut fetched(batches), schema, terms, watch)?,
        };
        Ok((Self(table), digests))
    }

    /// Writes the coded rows, to be counted again without the table that they were read from, and a
    /// note. Steward-only: what is written is private.
    ///
    /// `Err` when spilled rows cannot be read back, or when writing fails.
    pub fn write_coded(&self, note: &[u8], out: &mut (dyn Write + Send)) -> Result<(), TableError> {
        write_coded(&self.0.store, note, out)
    }

    /// The rows that [`write_coded`](Self::write_coded) wrote. `columns` is given the note and says
    /// with which schema they were written. Rows beyond `memory` bytes stay in the file.
    ///
    /// `Err` when the file is none of coded rows, is damaged or has other columns, or from
    /// `columns`.
    pub fn read_coded<E: From<TableError>>(
        file: File,
        name: &str,
        memory: u64,
        columns: impl FnOnce(&[u8]) -> Result<Schema, E>,
    ) -> Result<Self, E> {
        let coded = CodedFile::open(file, name)?;
        let schema = columns(&coded.note)?;
        let store = coded.into_store(schema.domain(), memory)?;
        Ok(Self(CodedTable { schema, store }))
    }

    /// The schema, arranged in the input's column order.
    pub fn schema(&self) -> &Schema {
        &self.0.schema
    }

    /// A table from codes in memory (tests, demo data, other engines): one vector a modelled
    /// column, all of one length.
    ///
    /// # Panics
    /// When the vectors do not fit the schema: a wrong number of them, different lengths, a code
    /// that its column does not have.
    pub fn from_columns(schema: &Schema, columns: Vec<Vec<u32>>) -> Self {
        Self(CodedTable::from_columns(schema, &columns))
    }

    /// Opens the rows for the steward's own comparison, outside any release. Loud on purpose.
    pub fn open_for_steward_only(self) -> Table {
        Table(self.0)
    }
}

impl From<Table> for PrivateTable {
    /// Closes rows that could be looked at: from here on they are counted against permits only.
    fn from(table: Table) -> Self {
        Self(table.0)
    }
}

/// Rows that may be looked at: synthetic, public, or opened for the steward.
pub struct Table(pub(crate) CodedTable);

impl Table {
    /// Reads and codes the whole input; see [`PrivateTable::read`].
    pub fn read(
        input: &Input,
        schema: &Schema,
        options: &ReadOptions,
        watch: &dyn ReadWatch,
    ) -> Result<Self, TableError> {
        PrivateTable::read(input, schema, options, watch).map(|table| Self(table.0))
    }

    /// A table from codes in memory; see [`PrivateTable::from_columns`].
    ///
    /// # Panics
    /// When the vectors do not fit the schema.
    pub fn from_columns(schema: &Schema, columns: Vec<Vec<u32>>) -> Self {
        Self(CodedTable::from_columns(schema, &columns))
    }

    /// The schema, arranged in the input's column order.
    pub fn schema(&self) -> &Schema {
        &self.0.schema
    }

    /// The sizes of the modelled columns.
    pub fn domain(&self) -> &Domain {
        self.0.schema.domain()
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.0.store.rows()
    }

    /// All codes of one column, in row order.
    pub fn codes(&self, attribute: AttrId) -> Result<Vec<u32>, TableError> {
        let mut out = Vec::new();
        self.0.store.for_each(&mut |block| {
            block.columns()[attribute.index()].widen_into(&mut out);
            Ok(())
        })?;
        Ok(out)
    }
}

/// Does not compile when private rows can be printed or cloned: both implementations would then
/// fit, and `_` would be ambiguous.
const _: fn() = || {
    trait Neither<Which> {
        fn holds() {}
    }
    impl<T: ?Sized> Neither<()> for T {}
    impl<T: ?Sized + std::fmt::Debug> Neither<u8> for T {}
    impl<T: Clone> Neither<u16> for T {}
    <PrivateTable as Neither<_>>::holds();
    <CodedTable as Neither<_>>::holds();
    <lookalike_tally::Block as Neither<_>>::holds();
    <lookalike_tally::CellCounts as Neither<_>>::holds();
};
