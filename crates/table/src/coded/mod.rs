//! Coded columns in row blocks.

mod count;
pub(crate) mod store;

use lookalike_schema::{AttrId, Domain, Schema};

use self::store::{BlockBuilder, BlockStore};
use crate::{DigestWish, Digests, Input, Persons, ReadOptions, ReadWatch, TableError};
use lookalike_tally::{Block, Blocks, CellCounts, block_rows, blocks_of, widths};

/// Rows as codes: what both kinds of table are made of. Private rows may be inside: no `Debug`, no
/// `Clone`.
pub(crate) struct CodedTable {
    pub(crate) schema: Schema,
    pub(crate) store: BlockStore,
}

impl CodedTable {
    fn from_columns(schema: &Schema, columns: &[Vec<u32>]) -> Self {
        Self::build(schema, columns, None, u64::MAX).unwrap_or_else(|_| unreachable!("nothing is spilled"))
    }

    /// Codes in memory, with block size and memory bound that tests choose.
    pub(crate) fn build(
        schema: &Schema,
        columns: &[Vec<u32>],
        rows_a_block: Option<usize>,
        memory: u64,
    ) -> Result<Self, TableError> {
        let domain = schema.domain();
        assert_eq!(columns.len(), domain.len(), "one vector of codes for each modelled column");
        let rows = columns.first().map_or(0, Vec::len);
        for (codes, &size) in columns.iter().zip(domain.sizes()) {
            assert_eq!(codes.len(), rows, "all columns have the same number of rows");
            assert!(codes.iter().all(|&code| code < size), "a code is below its column's size");
        }
        let widths = widths(domain);
        let step = rows_a_block.unwrap_or_else(|| block_rows(&widths));
        let mut builder = BlockBuilder::new(widths.clone(), step, memory);
        for block in blocks_of(columns, &widths, step) {
            builder.append(&block)?;
        }
        Ok(Self { schema: schema.clone(), store: builder.finish()? })
    }
}

/// Private rows as codes.
///
/// Unprintable by construction: no `Debug`, `Clone` or serialization, and no way to ask for a row
/// or for the number of rows.
pub struct PrivateTable(pub(crate) CodedTable);

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
    <Block as Neither<_>>::holds();
    <CellCounts as Neither<_>>::holds();
};

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
        crate::read::read_table(input, schema, options, None, watch).map(Self)
    }

    /// Like [`read`](Self::read), but of each person at most `persons.most` rows, chosen at random,
    /// and no row without an id: what a promise about persons is made about. `Err` also when the
    /// column is not in the header.
    ///
    /// # Privacy
    /// Tables that differ by all rows of one person differ by at most `persons.most` rows as they
    /// are read here, wherever those rows stood. The proof is at the head of `read/persons/mod.rs`.
    pub fn read_persons(
        input: &Input,
        schema: &Schema,
        options: &ReadOptions,
        persons: &Persons,
        watch: &dyn ReadWatch,
    ) -> Result<Self, TableError> {
        let bounds = crate::read::Bounds::new(persons)?;
        crate::read::read_table(input, schema, options, Some(&bounds), watch).map(Self)
    }

    /// Like [`read`](Self::read) or, with `persons`, [`read_persons`](Self::read_persons); and
    /// keyed digests of the rows, by which a ledger recognizes them.
    pub fn read_for_ledger(
        input: &Input,
        schema: &Schema,
        options: &ReadOptions,
        persons: Option<&Persons>,
        wish: DigestWish<'_>,
        watch: &dyn ReadWatch,
    ) -> Result<(Self, Digests), TableError> {
        let bounds = persons.map(crate::read::Bounds::new).transpose()?;
        let read = crate::read::read_and_digest(input, schema, options, bounds.as_ref(), Some(wish), watch)?;
        match read {
            (table, Some(digests)) => Ok((Self(table), digests)),
            (_, None) => unreachable!("digests were asked for"),
        }
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
        crate::read::read_table(input, schema, options, None, watch).map(Self)
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
