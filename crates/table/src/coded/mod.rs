//! Coded columns in row blocks.

pub(crate) mod file;
pub(crate) mod spill;
pub(crate) mod store;

use lookalike_schema::Schema;
use lookalike_tally::{block_rows, blocks_of, widths};

use self::store::{BlockBuilder, BlockStore};
use crate::error::TableError;

/// Rows as codes: what both kinds of table are made of. Private rows may be inside: no `Debug`, no
/// `Clone`.
pub(crate) struct CodedTable {
    pub(crate) schema: Schema,
    pub(crate) store: BlockStore,
}

impl CodedTable {
    pub(crate) fn from_columns(schema: &Schema, columns: &[Vec<u32>]) -> Self {
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
