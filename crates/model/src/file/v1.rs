//! The header of version 1. Kept for ever: a change of shape is a new version.

use serde::{Deserialize, Serialize};

/// Everything but the numbers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    /// The method's name.
    pub method: String,
    /// The guarantee in one line.
    pub guarantee: String,
    /// What the sections mean.
    pub structure: Structure,
    /// The number of floats in each section.
    pub sections: Vec<u64>,
    /// The schema, in the shape of a schema file.
    pub schema: serde_json::Value,
}

/// What the sections mean. Other structures join with names of their own; an older program then says that it does not
/// know the name.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Structure {
    /// The row count (one float), then one section of probabilities for each modelled column.
    Product,
}

impl Header {
    pub(super) fn to_json(&self) -> Vec<u8> {
        // Strings, integers and a JSON value always serialize; an empty header would be refused on load.
        serde_json::to_vec(self).unwrap_or_default()
    }

    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(bytes).map_err(|error| format!("its header does not hold: {error}"))
    }
}

/// The bins that a schema's columns name, all together; 0 for what is not a schema.
pub(super) fn bins(schema: &serde_json::Value) -> u64 {
    let columns = schema.get("columns").and_then(|columns| columns.as_object());
    let named = |column: &serde_json::Value| column.get("bins").and_then(|bins| bins.as_u64()).unwrap_or(0);
    columns.map_or(0, |columns| columns.values().map(named).fold(0, u64::saturating_add))
}
