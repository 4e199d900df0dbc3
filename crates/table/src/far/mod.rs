//! Rows that stay where they are: coded, bounded and counted there. Only counts come back.
//!
//! - `coding`: what whoever codes rows elsewhere needs to know;
//! - `request`: what is to be counted in one pass;
//! - [`Kernel`]: codes, bounds and counts in processes of an engine, with rows in blobs (`blob`),
//!   those of persons in `buckets`;
//! - `answer`: counts that came back, as tables of the form that was asked for;
//! - `same_rows`: refuses counts of other rows than the first pass had;
//! - `suite`: made-up tables on which an engine shows that it codes as we do.

mod answer;
mod blob;
mod buckets;
mod coding;
mod hostile;
mod kernel;
mod request;
mod same_rows;
mod suite;

#[cfg(test)]
mod kernel_tests;
#[cfg(test)]
mod tests;

use lookalike_curator::Counts;

pub use self::answer::answered;
pub use self::coding::Coding;
pub use self::kernel::Kernel;
pub use self::request::CountRequest;
pub use self::same_rows::SameRows;
pub use self::suite::SuiteTable;

use crate::error::TableError;
use crate::read::{ReadWatch, SourceFacts};

/// Rows that stay where they are.
///
/// # Privacy
/// Whoever implements it is inside the door. Besides what [`Counts`] asks for:
/// - [`code`](Self::code) takes every row once, gives each cell the code that [`Coding`] says,
///   keeps of each person only what the rule of `read/persons` keeps, and puts the result where it
///   neither changes nor is made again from its source: all counts are of these rows;
/// - no error has a cell, a count, an address, a query or a word of the engine in it.
pub trait FarRows: Counts {
    /// The names of the columns, without a row.
    fn names(&mut self, watch: &dyn ReadWatch) -> Result<Vec<String>, TableError>;

    /// Codes the rows where they are. Called once, before anything is charged or counted.
    fn code(&mut self, coding: &Coding, watch: &dyn ReadWatch) -> Result<(), TableError>;

    /// What a statement says of where the rows are; asked after they were coded.
    fn facts(&self) -> SourceFacts;
}
