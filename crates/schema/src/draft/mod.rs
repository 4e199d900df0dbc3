//! A first schema from data. Steward-only: it looks at rows without paying, and marks every fact it
//! read for review.
//!
//! Rows are watched once, in memory that depends on the number of columns only. What is proposed is
//! a starting point for a person: types, outward-rounded ranges, and the words that occur.
//!
//! # What a mark covers
//! A reviewed draft is a public input, so nothing in it may come from the rows but what a mark
//! names. Drafts of two tables with one header are the same schema once the marked facts are made
//! equal and the marks are removed:
//! - The columns and their order are the header's, and a delimiter is the one that was typed.
//! - Which facts of a column are marked follows from its type alone, whether or not their keys are
//!   there: a key that is not there stands for its default, and that the default was taken is a
//!   fact of the rows too. So it is always said which facts have to be made equal.
//!   [`Mark::keys`](crate::Mark::keys) has the keys of each.
//!
//!   | type | marked |
//!   |---|---|
//!   | all of them | `type` |
//!   | integer | `range`, `bins`, `spikes` |
//!   | number | `range`, `bins`, `decimals`, `spikes` |
//!   | category, boolean | `values` |
//!   | date, datetime | `range`, `format` |
//! - Facts of the whole file ([`FILE_FACTS`]) are marked in every draft, and spelled out, also
//!   where they are defaults.
//! - Whether cells are missing is not read: every modelled column has `missing = true`, which
//!   follows from its type.
//! - Remarks about what was seen are comments of the text that [`Draft::to_toml`] writes. A
//!   [`Schema`] cannot hold them.

pub(crate) mod dates;
mod nice;
mod profile;
mod propose;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};

use crate::codec::TextRules;
use crate::entries::Entries;
use crate::file::{SchemaFile, build_schema};
use crate::schema::refuse_repeated;
use crate::{Schema, SchemaError};
use profile::ColumnProfile;

/// Bytes that all columns together may keep of the words they saw.
const WORD_BYTES: usize = 512 << 20;

/// The facts that a draft reads for the file as a whole. All of them are marked in every draft.
pub const FILE_FACTS: [&str; 3] = ["missing_tokens", "decimal", "multiline"];

/// A drafted schema, and remarks for whoever reviews it. Steward-only: it shows what rows hold.
pub struct Draft {
    schema: Schema,
    /// Columns by name, with fixed words about each: no cell can get into them.
    remarks: HashMap<String, &'static str>,
}

impl Draft {
    /// The schema, with its marks.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The schema file for the steward, with the remarks as comments.
    pub fn to_toml(&self) -> String {
        self.schema.to_toml_with(&|column| self.remarks.get(column).copied())
    }
}

/// Watches text cells and proposes a schema.
///
/// It holds words of private rows while it watches, so it can be neither printed nor cloned.
pub struct Drafter {
    names: Vec<String>,
    columns: Vec<ColumnProfile>,
    delimiter: Option<u8>,
    multiline: bool,
}

impl Drafter {
    /// A drafter for the columns of a header. Repeated names are refused.
    pub fn new(header: &[String]) -> Result<Self, SchemaError> {
        refuse_repeated(header)?;
        let share = (WORD_BYTES / header.len().max(1)).clamp(64 << 10, 8 << 20);
        let columns = header.iter().map(|_| ColumnProfile::new(share)).collect();
        Ok(Self { names: header.to_vec(), columns, delimiter: None, multiline: false })
    }

    /// Writes down a delimiter that was typed, so that later commands need not be told again. It is
    /// no fact of the rows; one that was guessed is not written, since it would be guessed again.
    pub fn with_delimiter(self, delimiter: Option<u8>) -> Self {
        Self { delimiter, ..self }
    }

    /// Proposes `multiline`: whether quoted fields with a line end inside were seen.
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
    pub fn finish(self) -> Result<Draft, SchemaError> {
        let comma = self.columns.iter().any(ColumnProfile::has_decimal_comma)
            && !self.columns.iter().any(ColumnProfile::has_decimal_point);
        let mut tokens = BTreeSet::new();
        let mut remarks = HashMap::new();
        let mut columns = Vec::with_capacity(self.names.len());
        for (name, profile) in self.names.iter().zip(&self.columns) {
            let proposal = propose::column(name, profile, comma);
            tokens.extend(proposal.missing_tokens);
            remarks.extend(proposal.remark.map(|remark| (name.clone(), remark)));
            columns.push((name.clone(), proposal.entry));
        }
        let usual = TextRules::default().missing_tokens;
        let schema = build_schema(SchemaFile {
            missing_tokens: Some(usual.into_iter().chain(tokens.into_iter().map(str::to_owned)).collect()),
            delimiter: self.delimiter.map(|mark| char::from(mark).to_string()),
            decimal: Some(if comma { "," } else { "." }.to_owned()),
            multiline: Some(self.multiline),
            review: FILE_FACTS.map(str::to_owned).to_vec(),
            columns: Entries(columns),
            ..SchemaFile::default()
        })?;
        Ok(Draft { schema, remarks })
    }
}
