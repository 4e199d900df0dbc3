//! The header of version 1. Kept for ever: a change of shape is a new version.

use serde::Deserialize;

use super::v2;

/// Everything but the numbers.
#[derive(Deserialize)]
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

/// What the sections mean.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Structure {
    /// The row count (one float), then one section of probabilities for each modelled column.
    Product,
}

impl Header {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(bytes).map_err(|error| format!("its header does not hold: {error}"))
    }
}

impl From<Header> for v2::Header {
    /// Version 1 had no measured marginals, and drew with replacement.
    fn from(header: Header) -> Self {
        let Header { method, guarantee, structure: Structure::Product, mut sections, schema } = header;
        sections.insert(sections.len().min(1), 0);
        Self {
            method,
            guarantee,
            replacement: v2::Replacement::With,
            structure: v2::Structure::Product,
            measured: Vec::new(),
            sections,
            schema,
        }
    }
}

/// The bins that a schema's columns name, all together; 0 for what is not a schema.
pub(super) fn bins(schema: &serde_json::Value) -> u64 {
    let columns = schema.get("columns").and_then(|columns| columns.as_object());
    let named = |column: &serde_json::Value| column.get("bins").and_then(|bins| bins.as_u64()).unwrap_or(0);
    columns.map_or(0, |columns| columns.values().map(named).fold(0, u64::saturating_add))
}
