//! Tables: reading, coding, counting, writing.
//!
//! [`PrivateTable`] holds private rows and cannot be printed, cloned or serialized. [`Table`] holds
//! rows that are synthetic, public, or deliberately opened for the steward's own eyes.
//!
//! - [`read`]: CSV, TSV and Parquet become coded columns. Cells never cause an error.
//! - [`coded`]: codes of 1, 2 or 4 bytes in row blocks, spilled to an unlinked temporary file past
//!   a memory bound.
//! - [`count`]: many cliques, one pass over the blocks, all cores of the thread pool that is
//!   installed.
//! - `digest`: keyed digests of the rows, by which a ledger recognizes them.
//! - [`write`]: synthetic codes become CSV or Parquet.

pub mod coded;
pub mod count;
mod digest;
pub mod error;
pub mod read;
pub mod write;

pub use coded::{PrivateTable, Table};
pub use count::RawCounts;
pub use digest::{DigestWish, Digests};
pub use error::TableError;
pub use read::raw::{RawBlock, RawFile};
pub use read::{Input, Persons, ReadOptions, ReadWatch, expects_damage};

#[cfg(test)]
pub(crate) mod tests;
