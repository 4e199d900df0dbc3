//! The books of other tools, told apart by what stands in them.

mod dpmm;
mod dpsynth;
mod mbi;
mod plain;
mod sdv;

use serde_json::{Map, Value};

use super::code_book::{CodeBook, HELP};
use crate::SchemaError;
use crate::entries::Entries;

/// Reads the book of whichever tool it is.
pub(super) fn read(Entries(entries): Entries<Value>) -> Result<CodeBook, SchemaError> {
    let has = |keys: &[&str]| entries.iter().any(|(_, entry)| keys.iter().any(|key| entry.get(key).is_some()));
    let named = |key: &str| entries.iter().find(|(name, _)| name == key).map(|(_, value)| value);
    if sdv::is_metadata(&entries) {
        return sdv::read(entries);
    }
    if named("columns").is_some_and(|columns| columns.as_object().is_some_and(is_schema)) {
        return Err(SchemaError::whole("this is a schema already, and no code book", "use it as --schema"));
    }
    if mbi::is_domain(&entries) {
        return mbi::read(entries);
    }
    if entries.iter().all(|(_, entry)| entry.is_object() || entry.is_null()) && !entries.is_empty() {
        return if has(&["categories", "lower", "upper"]) && !has(&dpsynth::KEYS) {
            dpmm::read(entries)
        } else {
            dpsynth::read(entries)
        };
    }
    Err(SchemaError::whole("not the code book of a tool that is known", HELP))
}

fn is_schema(columns: &Map<String, Value>) -> bool {
    columns.values().any(|column| column.get("type").is_some())
}
