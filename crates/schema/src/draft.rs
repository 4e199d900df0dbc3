//! A first schema from data. Steward-only: it looks at rows without paying, and marks every fact it read for review.
//!
//! Rows are watched once, in memory that depends on the number of columns only. What is proposed is a starting point for
//! a person: types, outward-rounded ranges, the words that occur, and whether cells are missing.

mod dates;
mod nice;
mod propose;
#[cfg(test)]
mod tests;
mod watch;

use std::collections::{BTreeSet, HashSet};

use crate::codec::TextRules;
use crate::file::{File, build_schema};
use crate::{Schema, SchemaError};
use watch::Watch;

/// Bytes that all columns together may keep of the words they saw.
const WORD_BYTES: usize = 512 << 20;

/// Watches text cells and proposes a schema.
///
/// It holds words of private rows while it watches, so it can be neither printed nor cloned.
pub struct Drafter {
    names: Vec<String>,
    columns: Vec<Watch>,
    multiline: bool,
}

impl Drafter {
    /// A drafter for the columns of a header. Repeated names are refused.
    pub fn new(header: &[String]) -> Result<Self, SchemaError> {
        let mut seen = HashSet::new();
        if let Some(name) = header.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(SchemaError::column(
                name,
                "stands twice in the file's header",
                "rename one of the two in the file",
            ));
        }
        let share = (WORD_BYTES / header.len().max(1)).clamp(64 << 10, 8 << 20);
        Ok(Self {
            names: header.to_vec(),
            columns: header.iter().map(|_| Watch::new(share)).collect(),
            multiline: false,
        })
    }

    /// Proposes `multiline = true`: quoted fields with a line end inside were seen.
    pub fn with_multiline(self, multiline: bool) -> Self {
        Self { multiline, ..self }
    }

    /// One record's cells, padded or cut to the header's length by the caller.
    pub fn observe(&mut self, cells: &[&[u8]]) {
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.observe(cell);
        }
    }

    /// The drafted schema.
    pub fn finish(self) -> Result<Schema, SchemaError> {
        let comma =
            self.columns.iter().any(Watch::has_decimal_comma) && !self.columns.iter().any(Watch::has_decimal_point);
        let mut tokens = BTreeSet::new();
        let mut columns = Vec::with_capacity(self.names.len());
        for (name, watch) in self.names.iter().zip(&self.columns) {
            let proposal = propose::column(name, watch, comma);
            tokens.extend(proposal.missing_tokens);
            columns.push((name.clone(), proposal.entry));
        }
        let missing_tokens = (!tokens.is_empty()).then(|| {
            let usual = TextRules::default().missing_tokens;
            usual.into_iter().chain(tokens.into_iter().map(str::to_owned)).collect()
        });
        build_schema(File {
            missing_tokens,
            delimiter: None,
            decimal: comma.then(|| ",".to_owned()),
            unlisted: None,
            multiline: self.multiline.then_some(true),
            review: if self.multiline { vec!["multiline".to_owned()] } else { vec![] },
            columns,
            impossible: vec![],
        })
    }
}
