//! What a table looks like, as public knowledge: columns, their codes, and what cannot occur.
//!
//! Everything here is an input that the steward vouches for. Nothing in this crate reads private
//! rows, except [`draft`], which is steward-only and marks every fact it read for review.
//!
//! ```
//! use lookalike_schema::{Category, Integer, Schema};
//!
//! let schema = Schema::builder()
//!     .column("age", Integer::range(0, 99).bins(20))
//!     .column("sex", Category::of(["F", "M"]))
//!     .build()?;
//! let age = schema.attribute("age").expect("it is one of the two");
//! assert_eq!(schema.domain().sizes(), [20, 2]);
//! assert_eq!(schema.codec(age).encode_text(b"37"), 7);
//! assert_eq!(schema.codec(age).label(7), "35-39");
//! # Ok::<(), lookalike_schema::SchemaError>(())
//! ```
//! The same schema as a file is read by [`Schema::parse`] and written by [`Schema::to_toml`].

pub mod adopted;
pub mod after;
pub mod bits;
pub mod book;
pub mod builder;
pub mod clique;
pub mod codec;
pub mod column;
mod compare;
pub mod dependent;
pub mod discover;
pub mod domain;
pub mod draft;
mod encoding;
mod entries;
pub mod error;
pub mod file;
pub mod filter;
pub mod formula;
pub mod grouping;
pub mod id_pattern;
mod ids;
pub mod impossible;
pub mod in_order;
pub mod learned;
pub mod levels;
pub mod mark;
mod nearest;
pub mod plain_value;
pub mod review;
pub mod row_form;
pub mod schema;
pub mod stored;
pub mod view;
mod written;

pub use adopted::KeptRule;
pub use after::After;
pub use bits::BitCode;
pub use book::{BookTable, CodeBook};
pub use builder::{Boolean, Category, Computed, Date, DateTime, Id, Ignore, Integer, LookedUp, Number, SchemaBuilder};
pub use clique::{AttrId, Clique};
pub use codec::{
    CellValue, Codec, CodecKind, CodecRule, Meaning, NumberFormat, RuleForm, RulePiece, TextRules, TypedCell,
};
pub use column::{Column, Role};
pub use dependent::{Dependent, MOST_DEPENDENT_CELLS};
pub use discover::{CellReader, FoundColumn, OpenSchema, Reading, Wish};
pub use domain::Domain;
pub use encoding::TextEncoding;
pub use error::SchemaError;
pub use file::{ColumnFile, Discovered, Spacing, Unlisted};
pub use filter::{CodeBox, Filter};
pub use formula::{Formula, FormulaKind, FormulaValue};
pub use grouping::{Derived, Grouping};
pub use id_pattern::IdPattern;
pub use ids::IdRule;
pub use impossible::{CellCondition, ImpossibleRule};
pub use in_order::RisingColumns;
pub use learned::FoundTable;
pub use levels::{Level, Levels};
pub use mark::{Mark, MarkKind, Marks};
pub use nearest::suggestion;
pub use plain_value::PlainValue;
pub use review::{PendingFact, Review};
pub use row_form::{IgnoredColumns, LineEnd, Quotes, RowForm};
pub use schema::Schema;
pub use stored::{ParquetForm, StoredInteger, StoredKind, StoredLength, StoredType, StoredUnit, StoredValue};
pub use view::View;
