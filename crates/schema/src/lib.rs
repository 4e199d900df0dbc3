//! What a table looks like, as public knowledge: columns, their codes, and what cannot occur.
//!
//! Everything here is an input that the steward vouches for. Nothing in this crate reads private
//! rows, except [`draft`], which is steward-only and marks every fact it read for review.

pub mod bits;
pub mod clique;
pub mod codec;
pub mod column;
mod compare;
pub mod domain;
pub mod draft;
mod entries;
pub mod error;
pub mod file;
pub mod filter;
pub mod grouping;
pub mod impossible;
pub mod levels;
pub mod mark;
mod nearest;
pub mod plain_value;
pub mod schema;
pub mod view;

pub use bits::BitCode;
pub use clique::{AttrId, Clique};
pub use codec::{CellValue, Codec, CodecKind, Meaning, TextRules};
pub use column::{Column, Role};
pub use domain::Domain;
pub use error::SchemaError;
pub use file::{ColumnFile, Spacing, Unlisted};
pub use filter::{CodeBox, Filter};
pub use grouping::{Derived, Grouping};
pub use impossible::{CellCondition, ImpossibleRule};
pub use levels::{Level, Levels};
pub use mark::Mark;
pub use plain_value::PlainValue;
pub use schema::Schema;
pub use view::View;
