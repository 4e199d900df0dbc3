//! Schema files: our TOML, the same shape in JSON, and mbi domain files, told apart by content.
//!
//! A file becomes a [`node::Node`] tree, the tree becomes [`v1`] structs (unknown keys refused), and those become checked
//! codecs. The inner types are never serialised: writing goes through the same v1 structs.

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
        to_toml::write(&to_v1::file(self, to_v1::Form::Short))
    }

    /// The schema as a v1 JSON value (what model files embed); `parse` reads it back to an equal schema.
    pub fn to_json(&self) -> serde_json::Value {
        to_json::value(&to_v1::file(self, to_v1::Form::Explicit))
    }
}
