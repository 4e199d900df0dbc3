//! Schema files: our TOML, the same shape in JSON, and mbi domain files, told apart by content.
//!
//! # The keys of a version 1 file
//! | key | where | meaning |
//! |---|---|---|
//! | `version = 1` | top | optional; a newer version is refused |
//! | `missing_tokens = ["", "NA"]` | top | cells that mean "missing"; the empty cell always does |
//! | `delimiter = ";"`, `decimal = ","` | top | how the data file is written |
//! | `unlisted = "ignore"` | top | columns of the data that the schema does not list are skipped, not refused |
//! | `multiline = true` | top | quoted fields of a text file may hold line ends; otherwise every line is a record |
//! | `type` | column | integer, number, category, boolean, date, datetime, id or ignore |
//! | `range = [LOW, HIGH]` | integer, number, date, datetime | public bounds, both included; values outside are clamped |
//! | `bins = K` | the same | near-equal bins (default: one a value up to 128 values, then 64; numbers 32) |
//! | `edges = [...]` | the same | bins of your own: each begins at an edge, and the last one holds its end too |
//! | `spacing = "log"` | integer, number | bins that grow, for long tails |
//! | `spikes = [0]` | integer, number | values with a code of their own |
//! | `decimals = 2` | number | decimals that are written (default: about a thousand steps in a bin) |
//! | `values = [...]` | category, boolean | the words; a boolean's are the word for false and the word for true |
//! | `other = "elsewhere"` | category | the word that all unlisted cells share; it may be one of `values` |
//! | `missing = true` | modelled columns | the column has a missing code |
//! | `format = "%d/%m/%Y"` | date, datetime | how cells are written (default: ISO 8601); the schema itself writes ISO |
//! | `levels = [[20, 60]]` | integer, number, date, datetime | coarser levels, the finest first: the values at which groups begin |
//! | `[[columns.NAME.levels]]` | category | the same in named groups, `GROUP = ["value", "value"]`; see [`levels`](crate::levels) |
//! | `review = ["range"]` | top, column | drafted facts that nobody has confirmed yet; see [`draft`](crate::draft) |
//! | `note = "..."` | column | read over: older drafts had remarks here, which are comments now |
//! | `[[impossible]]` | top | a combination that cannot occur: for each column `"< 15"`, `"10..15"`, a value, a list, or `{ missing = true }` |
//!
//! # How it is read
//! A file becomes a `node::Node` tree, the tree becomes `v1` structs (unknown keys refused),
//! and those become checked codecs. The inner types are never serialized: writing goes through the
//! same v1 structs.

mod bins;
mod build;
mod mbi;
mod node;
mod read;
#[cfg(test)]
mod tests;
mod to_json;
mod to_toml;
mod to_v1;
mod v1;

use crate::{Schema, SchemaError};
pub(crate) use bins::{FEW_VALUES, LARGEST_NUMBER};
pub(crate) use build::{entry_is_valid, schema as build_schema};
use node::Node;
pub(crate) use v1::{Entry, EntryKind, File, Spacing};

impl Schema {
    /// Reads any of the three forms. `name` is the file's name, for messages.
    pub fn parse(text: &str, name: &str) -> Result<Schema, SchemaError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if !text.trim_start().starts_with('{') {
            return build::schema(read::file(&Node::from_toml(text, name)?)?);
        }
        let node = Node::from_json(text, name)?;
        if mbi::is_domain(&node) { mbi::read(&node) } else { build::schema(read::file(&node)?) }
    }

    /// The schema as a v1 TOML file.
    pub fn to_toml(&self) -> String {
        self.to_toml_with(&|_| None)
    }

    /// The same with words about some columns for whoever reads the file, as comments.
    pub(crate) fn to_toml_with(&self, remark: &dyn Fn(&str) -> Option<&'static str>) -> String {
        to_toml::write(&to_v1::file(self, to_v1::Form::Short), remark)
    }

    /// The schema as a v1 JSON value (what model files embed); `parse` reads it back to an equal
    /// schema.
    pub fn to_json(&self) -> serde_json::Value {
        to_json::value(&to_v1::file(self, to_v1::Form::Explicit))
    }
}
