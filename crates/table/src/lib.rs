//! Tables: reading, coding, counting, writing.
//!
//! [`PrivateTable`] holds private rows and cannot be printed, cloned or serialised. [`Table`] holds rows that are synthetic,
//! public, or deliberately opened for the steward's own eyes.

pub mod coded;
pub mod count;
pub mod error;
pub mod read;
pub mod write;

pub use coded::{PrivateTable, Table};
pub use count::RawCounts;
pub use error::TableError;
pub use read::{Input, ReadOptions, ReadWatch};
