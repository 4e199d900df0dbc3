//! Schema files: our TOML, the same shape in JSON, and mbi domain files, told apart by content.
// SKELETON: v1 structs live in file/v1.rs; inner types are never serialised.

use crate::{Schema, SchemaError};

#[allow(missing_docs, unused_variables)]
impl Schema {
    /// Reads any of the three forms. `name` is the file's name, for messages.
    pub fn parse(text: &str, name: &str) -> Result<Schema, SchemaError> {
        todo!()
    }
    /// The schema as a v1 TOML file.
    pub fn to_toml(&self) -> String {
        todo!()
    }
    /// The schema as a v1 JSON value (what model files embed); `parse` reads it back to an equal schema.
    pub fn to_json(&self) -> serde_json::Value {
        todo!()
    }
}
