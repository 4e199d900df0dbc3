//! Tables: reading, coding, counting, writing.
//!
//! [`PrivateTable`] holds private rows, counts only against a permit of the curator, and cannot be
//! printed, cloned or serialized. [`Table`] holds rows that are synthetic, public, or deliberately
//! opened for the steward's own eyes.
//!
//! - [`read`]: CSV, TSV, Parquet and Arrow become coded columns, from one file, several, or
//!   memory. Cells never cause an error.
//! - `coded`: codes of 1, 2 or 4 bytes in row blocks, spilled to an unlinked temporary file past
//!   a memory bound.
//! - `cells`: private rows as texts, for facts that are bought before there is a schema.
//! - `digest`: keyed digests of the rows, by which a ledger recognizes them.
//! - `dataset`: the two kinds of table, and who may count them.
//! - [`far`]: rows that stay where they are, and what goes there and back.
//! - [`mod@write`]: synthetic codes become CSV, Parquet or Arrow batches.
//!
//! ```
//! use lookalike_schema::{Category, Clique, Integer, Schema};
//! use lookalike_table::{CellCounts, Table};
//!
//! let schema = Schema::builder()
//!     .column("age", Integer::range(0, 99).bins(10))
//!     .column("sex", Category::of(["F", "M"]))
//!     .build()?;
//! let table = Table::from_columns(&schema, vec![vec![3, 6, 4], vec![0, 1, 0]]);
//! let sex = schema.attribute("sex").expect("a column of that name");
//! let counts = table.count(&[Clique::single(sex)], &|| false)?;
//! assert!(matches!(&counts[0], CellCounts::Dense(cells) if cells == &[2, 1]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arrow_types;
mod cells;
mod coded;
mod dataset;
mod digest;
pub mod error;
pub mod far;
pub mod read;
pub mod write;

pub use cells::RawCells;
pub use dataset::{PrivateTable, Table};
pub use digest::{DigestWish, Digests};
pub use error::TableError;
pub use lookalike_tally::CellCounts;
pub use read::{
    Batches, FileList, HeldBatches, Input, Persons, RawBlock, RawFile, ReadOptions, ReadWatch, RemoteInput, RemoteRows,
    RowSource, SourceFacts, expects_damage,
};

#[cfg(test)]
pub(crate) mod tests;
