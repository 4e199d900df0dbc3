//! Pages: a public one, which takes no type of `evaluate`, and a steward's one.
//!
//! Each page is one HTML file that asks nothing of the network: the style stands in the file,
//! pictures are inline SVG, there are no scripts. It reads in light and dark, on paper and on a
//! phone. Everything that comes from a schema, a statement or a model is escaped by `maud`; only
//! constants of this crate are not.
//!
//! ```
//! let text = "[columns.sex]\ntype = 'category'\nvalues = ['F', 'M']\n";
//! let schema = lookalike_schema::Schema::parse(text, "example")?;
//! let dictionary = lookalike_report::dictionary_csv(&schema);
//! assert!(dictionary.contains("sex,category,1,M,,"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod budget;
mod charges;
mod chart;
mod columns;
pub mod dictionary;
mod evaluation;
mod expected;
mod frame;
mod graph;
mod heat;
mod label;
mod measured;
mod number;
mod public;
mod release_kind;
mod steward;
mod table;

pub use dictionary::dictionary_csv;
pub use evaluation::evaluation_page;
pub use public::public_page;
pub use release_kind::{ReleaseKind, RowsOnly};
pub use steward::steward_page;

#[cfg(test)]
mod tests;
