//! Which rows are meant: the `--where` of `query` and `sample`. The grammar is written down in
//! `docs/where.md`.
//!
//! - `lex` cuts the text into words, quoted names and values, signs;
//! - `parse` turns them into a formula over comparisons, each of which is about codes or spans of
//!   values of one column;
//! - `resolve` cuts codes into `pieces` where comparisons cut bins;
//! - `diagram` turns the formula into boxes that do not overlap, so that a model can take them as
//!   evidence one by one;
//! - `split` says of which values inside cut bins the boxes speak.
//!
//! # Cut bins
//! The rows of a bin are taken to be spread evenly over its values, which is how rows are drawn.
//! Boolean work is done on pieces of bins, so that a condition and its opposite always make up all
//! rows. What does not depend on how rows are spread (`surely`) and what may (`possibly`) are boxes
//! of whole codes, on which error bars stand.
//!
//! # Missing cells
//! The logic has two values, unlike that of SQL. A missing cell has no value, so `=`, `<`, `in` and
//! `between` do not hold for it, and their opposites `!=`, `not in` and `not` do. A condition and
//! its opposite therefore always make up all rows.

mod code_box;
mod diagram;
mod formula;
mod lex;
mod parse;
mod pieces;
mod resolve;
mod row_set;
mod split;
#[cfg(test)]
mod split_tests;
#[cfg(test)]
mod tests;

pub use crate::written::written_name;
pub use code_box::CodeBox;
pub use row_set::Filter;

use crate::{Schema, SchemaError};

impl Filter {
    /// Reads a condition such as `age >= 65 and (sex = 'F' or income is missing)`.
    ///
    /// The error is one line with the place, the mistake and its help: a word that is no column or
    /// no value, and a formula of more than 1,000 comparisons, 1,000 boxes or 100 brackets inside
    /// each other.
    pub fn parse(schema: &Schema, text: &str) -> Result<Self, SchemaError> {
        let (formula, comparisons) = parse::parse(schema, text)?;
        resolve::filter(formula, &comparisons, schema)
    }
}
