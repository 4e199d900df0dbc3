//! Counting coded columns: many sets of columns, one pass over the rows, all cores.
//!
//! This crate knows nothing of private rows. It counts blocks of codes ([`Block`]) wherever they
//! lie ([`Blocks`]): a private table behind the door, a table that may be looked at, rows that were
//! drawn from a model. Who may ask for a count is decided by those who hold the rows.
//!
//! - [`block`]: codes of 1, 2 or 4 bytes, in blocks of rows that fit in cache.
//! - `cover` plans wide tallies that several sets of columns share; `dense` and `sparse` count rows
//!   into them, block by block, where `derive` makes the derived columns that are needed; `number`
//!   has the vector code; `project` sums the sets out at the end.
//!
//! All of it is integer arithmetic, so the answer does not depend on threads or block sizes.
//!
//! ```
//! use lookalike_schema::{AttrId, Clique, Domain};
//! use lookalike_tally::{CellCounts, blocks_of, count, widths};
//!
//! // Four rows of two columns, with two and three codes.
//! let domain = Domain::new(vec![2, 3]);
//! let columns = [vec![0, 1, 1, 1], vec![2, 0, 2, 2]];
//! let blocks: Vec<_> = blocks_of(&columns, &widths(&domain), 1024).collect();
//! let both = Clique::new([AttrId(0), AttrId(1)]);
//! let counts = count(&blocks[..], &domain, &[both], &[], &|| false)?;
//! assert!(matches!(&counts[0], CellCounts::Dense(cells) if *cells == [0, 0, 1, 1, 0, 2]));
//! # Ok::<(), lookalike_tally::TallyError>(())
//! ```

pub mod block;
mod count;
mod cover;
mod dense;
mod derive;
mod error;
mod number;
mod project;
mod sparse;

#[cfg(test)]
mod tests;

pub use block::{BLOCK_ROWS, Block, Blocks, Codes, Width, block_rows, blocks_of, widths};
pub use count::{CellCounts, count, increments_a_row};
pub use error::TallyError;
