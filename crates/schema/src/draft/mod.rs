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
//! - The columns and their order are the header's, and a delimiter is the one that was typed. The
//!   text has the columns by risk, and says the header's order (`order`).
//! - Which facts of a column are marked follows from its name and its type, whether or not their
//!   keys are there: a key that is not there stands for its default, and that the default was taken
//!   is a fact of the rows too. So it is always said which facts have to be made equal.
//!   [`Mark::keys`](crate::Mark::keys) has the keys of each.
//!
//!   | type | marked |
//!   |---|---|
//!   | all of them | `type`, with how cells are written (`decimals`, `format`, `pattern`) |
//!   | integer, number | `range`, but where the column's name alone has public bounds |
//!   | category, boolean | `values` |
//!   | date, datetime | `range` |
//! - Facts of the whole file ([`FILE_FACTS`]) are marked in every draft, and spelled out, also
//!   where they are defaults.
//! - Numbers and dates are left on their own grid: no bins are proposed.
//! - Whether cells are missing is not read: every modelled column has `missing = true`, which
//!   follows from its type.
//!
//! # Two kinds of marks
//! *Harmless* is what an empty form would tell: types, how cells are written, the facts of the
//! file, words for yes and no, a public list that holds every cell, lists and ranges of at most 20
//! values that 20 rows or more have each, and lists of up to 100 such values where nothing looks
//! like names, ids or places. Everything else is *telling*: the ends of a range, a list with a
//! value of fewer than 20 rows, long lists, names, ids and places, and every proposal to leave a
//! column out or to discover it. The kind depends on the rows, so no release carries it; what is
//! accepted in bulk stands in the release as assumed public.
//!
//! Remarks about what was seen are comments of the text that [`Draft::to_toml`] writes, with counts
//! and never with cells. A [`Schema`](crate::Schema) cannot hold them.

mod catalogue;
pub(crate) mod dates;
mod dressed;
mod ids;
mod nice;
mod numbers;
mod profile;
mod propose;
mod risk;
mod sketch;
#[cfg(test)]
mod tests;
mod times;
mod words;

use std::collections::{BTreeSet, HashMap};

use crate::codec::TextRules;
use crate::entries::Entries;
use crate::file::{OrDiscover, SchemaFile, VERSION, write_toml};
use crate::row_form::RowFormFile;
use crate::schema::refuse_repeated;
use crate::stored::fitted;
use crate::written::written_name;
use crate::{IgnoredColumns, OpenSchema, RowForm, SchemaError, StoredType, TextEncoding};
pub use catalogue::{bounds as public_bounds, public_words};
use profile::{ColumnProfile, is_missing_mark};
use risk::Risk;
pub use risk::named_like_clock;

/// Bytes that all columns together may keep of the words they saw.
const WORD_BYTES: usize = 512 << 20;

/// The facts that a draft reads for the file as a whole. All of them are marked in every draft.
pub const FILE_FACTS: [&str; 3] = ["missing_tokens", "decimal", "multiline"];

/// A drafted schema, and remarks for whoever reviews it. Steward-only: it shows what rows hold.
pub struct Draft {
    schema: OpenSchema,
    /// Columns by name, with words about each: no cell gets into them.
    remarks: HashMap<String, Vec<String>>,
    risks: Vec<(Risk, String)>,
}

impl Draft {
    /// The schema, with its marks. Facts that were proposed to be discovered are open.
    pub fn schema(&self) -> &OpenSchema {
        &self.schema
    }

    /// The schema file for the steward: columns by risk, with the remarks as comments.
    pub fn to_toml(&self) -> String {
        let remarks = |column: &str| self.remarks.get(column).map_or(&[][..], Vec::as_slice);
        write_toml(self.schema.file(), &self.summary(), &remarks)
    }

    /// The columns by risk, a line a kind.
    fn summary(&self) -> Vec<String> {
        let line = |risk: Risk| {
            let names = self.risks.iter().filter(|(found, _)| *found == risk).map(|(_, name)| written_name(name));
            let names: Vec<String> = names.collect();
            (!names.is_empty()).then(|| format!("{}: {}", risk.heading(), names.join(", ")))
        };
        Risk::ALL.into_iter().filter_map(line).collect()
    }

    /// What a steward should hear about at once: that there are no cells at all, columns by which
    /// people may be told apart, and columns whose cells do not keep to public bounds.
    pub fn warnings(&self) -> Vec<String> {
        let loud = |remark: &&String| {
            ["LOOKS LIKE", "SEVERAL ROWS", "LONG LIST", "OUTSIDE", "NOT UTF-8"].iter().any(|loud| remark.contains(loud))
        };
        let of_column = |(_, name): &(Risk, String)| {
            let remarks = self.remarks.get(name).into_iter().flatten().filter(loud);
            remarks.map(|remark| format!("{}: {remark}", written_name(name))).collect::<Vec<_>>()
        };
        let nothing = self.risks.iter().all(|(risk, _)| *risk == Risk::Empty);
        let nothing = nothing
            .then(|| "no column has a cell, so that every one is left out: draft from a file with rows".to_owned());
        nothing.into_iter().chain(self.risks.iter().flat_map(of_column)).collect()
    }
}

/// Watches text cells and proposes a schema.
///
/// It holds words of private rows while it watches, so it can be neither printed nor cloned.
pub struct Drafter {
    names: Vec<String>,
    columns: Vec<ColumnProfile>,
    delimiter: Option<u8>,
    encoding: Option<TextEncoding>,
    multiline: bool,
    form: RowForm,
    stored: HashMap<String, StoredType>,
}

impl Drafter {
    /// A drafter for the columns of a header. Repeated names are refused.
    pub fn new(header: &[String]) -> Result<Self, SchemaError> {
        refuse_repeated(header)?;
        let share = (WORD_BYTES / header.len().max(1)).clamp(64 << 10, 8 << 20);
        let columns = header.iter().map(|_| ColumnProfile::new(share)).collect();
        let (names, form, stored) = (header.to_vec(), RowForm::default(), HashMap::new());
        Ok(Self { names, columns, delimiter: None, encoding: None, multiline: false, form, stored })
    }

    /// Writes down a delimiter that was typed, so that later commands need not be told again. It is
    /// no fact of the rows; one that was guessed is not written, since it would be guessed again.
    pub fn with_delimiter(self, delimiter: Option<u8>) -> Self {
        Self { delimiter, ..self }
    }

    /// Writes down an encoding that was typed, as [`with_delimiter`](Self::with_delimiter) does.
    pub fn with_encoding(self, encoding: Option<TextEncoding>) -> Self {
        Self { encoding, ..self }
    }

    /// Writes down how synthetic rows are to be written, as the header line tells. It is no fact of
    /// the rows.
    pub fn with_form(self, form: RowForm) -> Self {
        Self { form, ..self }
    }

    /// Writes down how columns are stored, by name, as the header of a typed file tells. It is no
    /// fact of the rows.
    pub fn with_stored(self, stored: HashMap<String, StoredType>) -> Self {
        Self { stored, ..self }
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

    /// What was seen of each column, in a few lines, for whoever reviews a schema.
    pub fn sketches(&self) -> HashMap<String, Vec<String>> {
        self.names.iter().cloned().zip(self.columns.iter().map(sketch::lines)).collect()
    }

    /// The drafted schema.
    pub fn finish(mut self) -> Result<Draft, SchemaError> {
        let comma = self.columns.iter().any(ColumnProfile::has_decimal_comma)
            && !self.columns.iter().any(ColumnProfile::has_decimal_point);
        let mut tokens = self.missing_tokens(comma);
        let (mut listed, mut remarks) = (BTreeSet::new(), HashMap::new());
        let (mut columns, mut risks) = (Vec::with_capacity(self.names.len()), Vec::new());
        for (name, profile) in self.names.iter().zip(&self.columns) {
            let proposal = propose::column(name, profile, comma);
            let values = proposal.entry.values.as_ref().and_then(OrDiscover::given);
            listed.extend(values.into_iter().flatten().cloned());
            remarks.insert(name.clone(), proposal.remarks);
            risks.push((proposal.risk, name.clone()));
            let entry = match self.stored.get(name) {
                Some(stored) => fitted(proposal.entry, stored),
                None => proposal.entry,
            };
            columns.push((proposal.risk, (name.clone(), entry)));
        }
        // A word that is an answer in one column is no missing token: a column of numbers codes it
        // as missing all the same, since it cannot be read.
        tokens.retain(|token| !listed.contains(token));
        // The sorts are stable: columns of one risk stay in the header's order.
        columns.sort_by_key(|&(risk, _)| risk);
        risks.sort_by_key(|&(risk, _)| risk);
        let usual = TextRules::default().missing_tokens;
        // Positions of columns stay, for scripts that count them. It is said whether or not a
        // column is ignored, which follows from rows.
        let form = RowForm { ignored: IgnoredColumns::Empty, ..self.form };
        let file = SchemaFile {
            version: Some(VERSION),
            missing_tokens: Some(usual.into_iter().chain(tokens).collect()),
            delimiter: self.delimiter.map(|mark| char::from(mark).to_string()),
            encoding: self.encoding,
            decimal: Some(if comma { "," } else { "." }.to_owned()),
            multiline: Some(self.multiline),
            order: self.names,
            harmless: FILE_FACTS.map(str::to_owned).to_vec(),
            written: RowFormFile::of(&form),
            columns: Entries(columns.into_iter().map(|(_, entry)| entry).collect()),
            ..SchemaFile::default()
        };
        Ok(Draft { schema: OpenSchema::new(file)?, remarks, risks })
    }
    /// The missing tokens that columns of numbers, dates and truth values need. Marks among them
    /// are taken out of the words of the other columns, where they mean the same.
    fn missing_tokens(&mut self, comma: bool) -> BTreeSet<String> {
        let proposals: Vec<Vec<String>> = self
            .names
            .iter()
            .zip(&self.columns)
            .map(|(name, profile)| propose::column(name, profile, comma).missing_tokens)
            .collect();
        let tokens: BTreeSet<String> = proposals.iter().flatten().cloned().collect();
        for (profile, own) in self.columns.iter_mut().zip(&proposals) {
            if own.is_empty() {
                tokens.iter().filter(|token| is_missing_mark(token)).for_each(|token| profile.leave_out(token));
            }
        }
        tokens
    }
}
