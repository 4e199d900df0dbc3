//! The header of versions 1 and 2. Kept for ever: a change of shape is a new version.
//!
//! Version 1 knew independent columns alone, which it drew with replacement, and no measured
//! marginals.

use serde::Deserialize;

use super::header::{Header, MEASURED, ROWS};
use super::sections::STRUCTURE;
use super::structure::FileStructure;
use crate::{ModelError, Replacement};

/// Everything but the numbers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OldHeader {
    method: String,
    guarantee: String,
    #[serde(default = "with")]
    replacement: Replacement,
    /// What the sections after the second mean; in version 1 those after the first.
    structure: FileStructure,
    /// The measured marginals' columns. Their variances are the second section; the first is the
    /// row count.
    #[serde(default)]
    measured: Vec<Vec<u32>>,
    /// The number of floats in each section.
    sections: Vec<u64>,
    schema: serde_json::Value,
}

fn with() -> Replacement {
    Replacement::With
}

/// Reads a header of version 1 or 2 as one of the present version.
pub(super) fn parse(version: u32, bytes: &[u8]) -> Result<Header, ModelError> {
    let parsed = serde_json::from_slice(bytes);
    let OldHeader { method, guarantee, replacement, structure, measured, mut sections, schema } =
        parsed.map_err(|error| ModelError::damaged(format!("its header does not hold: {error}")))?;
    if version == 1 {
        // No variances.
        sections.insert(sections.len().min(1), 0);
    }
    let name = |place: usize| match place {
        0 => ROWS,
        1 => MEASURED,
        _ => STRUCTURE,
    };
    let sections = sections.into_iter().enumerate().map(|(place, len)| (name(place).to_owned(), len)).collect();
    let (needs, groupings, answers, copula) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    Ok(Header {
        needs,
        method,
        guarantee,
        replacement,
        structure,
        measured,
        groupings,
        answers,
        copula,
        sections,
        schema,
    })
}
