//! Schema files: our TOML, the same shape in JSON, and mbi domain files, told apart by content.
//!
//! # The keys of a version 1 file
//! | key | where | meaning |
//! |---|---|---|
//! | `version = 1` | top | optional; a newer version is refused |
//! | `missing_tokens = ["", "NA"]` | top | cells that mean "missing"; the empty cell always does |
//! | `delimiter = ";"`, `decimal = ","` | top | how the data file is written |
//! | `encoding = "windows-1252"` | top | how its letters are encoded, and those of the rows that are written: also `latin-1`; UTF-8 unless said |
//! | `unlisted = "ignore"` | top | columns of the data that the schema does not list are skipped, not refused; `"discover"`: bought |
//! | `multiline = true` | top | quoted fields of a text file may hold line ends; otherwise every line is a record |
//! | `grid = 262144` | top | numbers and dates without bins get a code a value, up to that many codes; model files say it |
//! | `type` | column | integer, number, category, boolean, date, datetime, id, derived, ignore or discover |
//! | `range = [LOW, HIGH]` | integer, number, date, datetime | public bounds, both included; values outside are clamped; `"discover"`: bought |
//! | `bins = K` | the same | near-equal bins (default: one a value up to 128 values, then 64; numbers 32; `auto` codes every value instead) |
//! | `edges = [...]` | the same | bins of your own: each begins at an edge, and the last one holds its end too |
//! | `spacing = "log"` | integer, number | bins that grow, for long tails |
//! | `spikes = [0]` | integer, number | values with a code of their own |
//! | `decimals = 2` | number, derived | decimals that are written (default: about a thousand steps in a bin) |
//! | `values = [...]` | category, boolean | the words; a boolean's are the word for false and the word for true; `"discover"`: bought |
//! | `other = "elsewhere"` | category | the word that all unlisted cells share; it may be one of `values` |
//! | `ordered = true` | category | the values stand in an order: neighbours may be counted together |
//! | `missing = true` | modelled columns | the column has a missing code |
//! | `format = "%d/%m/%Y"` | date, datetime, derived | how cells are written (default: ISO 8601); the schema itself writes ISO |
//! | `format = "$#,###"` | integer, number | how cells are written: what stands around the digits, thousands, `(#)` for negatives, `#.0`, `hmm` or `hh:mm` for a clock |
//! | `levels = [[20, 60]]` | integer, number, date, datetime | coarser levels, the finest first: the values at which groups begin |
//! | `stored = "int32 not null"` | column | how Parquet files and Arrow batches store it, see [`stored`](crate::stored) |
//! | `[[columns.NAME.levels]]` | category | the same in named groups, `GROUP = ["value", "value"]`; see [`levels`](crate::levels) |
//! | `review = ["range"]` | top, column | drafted facts that may tell something and that nobody has confirmed yet; see [`draft`](crate::draft) |
//! | `harmless = ["type"]` | top, column | drafted facts that an empty form would tell, and that nobody has confirmed yet |
//! | `assumed = ["type"]` | top, column | facts that were accepted in bulk: a release says that it assumes them public |
//! | `[written]` | top | how synthetic rows are written as text: `delimiter`, `line_end`, `bom`, `encoding`, `quotes`, `missing`, `ignored`; see [`RowForm`](crate::RowForm) |
//! | `pattern = "N#####"` | id | the shape of fresh ids |
//! | `shared = "people"` | id | columns with the same word have different ids everywhere |
//! | `formula = "price * pieces"` | derived | how the column follows from modelled ones, see [`formula`](crate::formula) |
//! | `lookup = { KEY = VALUE }` | derived | the formula is a key of a public table, whose value is written |
//! | `depends_on = ["from", "to"]` | modelled columns | the column has one value for each combination of these, see [`dependent`](crate::dependent); it is looked up and not modelled |
//! | `table = [["JFK", "LAX", 2475]]` | the same | cells of a key, then what belongs to it; left out: a release buys it |
//! | `after = "booked"` | integer, number, date, datetime | the column is held as its difference to an earlier one, see [`after`](crate::after) |
//! | `within = 365`, `within = "2 hours"` | the same | the largest difference, or both bounds of it |
//! | `order = ["age", "sex"]` | top | the columns of the table in their order, where the file has another |
//! | `discovered = { facts = [...], noise = 60.0 }` | column | facts that a release bought, with the noise of their counts and, for `values`, the threshold |
//! | `note = "..."` | column | read over: older drafts had remarks here, which are comments now |
//! | `missing_together = [["a", "b"]]` | top | in a row all cells of a group are missing, or none is |
//! | `in_order = [["start", "end"]]` | top | in a row no value of a group is larger than the next, see [`in_order`](crate::in_order) |
//! | `[[impossible]]` | top | a combination that cannot occur: for each column `"< 15"`, `"10..15"`, a value, a list, or `{ missing = true }` |
//!
//! # How it is read
//! A file becomes plain data by derived readers, with the place of every mistake. The same data is
//! what [`Schema::builder`] makes, and one function checks it and builds the schema. Writing goes
//! the other way through the same data; the inner types are never serialized.

mod bins;
mod build;
mod counted;
mod describe;
mod layout;
mod read;
mod reference;
#[cfg(test)]
mod tests;
mod to_toml;

use std::collections::HashMap;

use crate::codec::Binning;
use crate::row_form::RowFormFile;
use crate::stored::fitted;
use crate::{Schema, SchemaError, StoredType};
pub(crate) use bins::LARGEST_NUMBER;
pub(crate) use build::{check_keys, column_is_valid, schema as build_schema};
use describe::{Wording, describe};
pub use layout::{ColumnFile, Discovered, Spacing, Unlisted};
pub(crate) use layout::{ColumnType, OrDiscover, SchemaFile, VERSION};
pub(crate) use read::file as read_file;
pub(crate) use to_toml::write as write_toml;

pub(crate) use to_toml::body as body_toml;

pub use reference::{SchemaKey, json_schema, schema_keys};

impl Schema {
    /// Reads any of the three forms. `name` is the file's name, for messages.
    pub fn parse(text: &str, name: &str) -> Result<Schema, SchemaError> {
        build::schema(read::file(text, name)?)
    }

    /// The schema as a v1 TOML file.
    pub fn to_toml(&self) -> String {
        write_toml(&describe(self, Wording::Short), &[], &|_| &[])
    }

    /// The schema as a v1 JSON value (what model files embed); `parse` reads it back to an equal
    /// schema.
    pub fn to_json(&self) -> serde_json::Value {
        describe(self, Wording::Explicit).to_json()
    }

    /// The schema as a release may carry it: what decoding and writing need. Review marks, levels,
    /// and how the private table was read (missing words, columns that are left out) stay behind:
    /// they may have been read from rows, and nobody who has the release needs them. A missing cell
    /// is an empty one, unless the schema states how it is written.
    pub fn released(&self) -> Result<Self, SchemaError> {
        let SchemaFile { decimal, grid, missing_together, in_order, mut columns, impossible, .. } =
            describe(self, Wording::Explicit);
        let written = RowFormFile::of(self.row_form());
        columns.0.iter_mut().for_each(|(_, column)| *column = std::mem::take(column).released());
        // Words that were bought are public.
        let found = |column: &ColumnFile| column.discovered.as_ref().is_some_and(Discovered::tells_words);
        let is_found = columns.0.iter().any(|(_, column)| found(column));
        let stated = written.missing.iter().cloned().collect();
        let missing_tokens = Some(if is_found { self.text_rules().missing_tokens.clone() } else { stated });
        build::schema(SchemaFile {
            missing_tokens,
            decimal,
            grid,
            missing_together,
            in_order,
            written,
            columns,
            impossible,
            ..SchemaFile::default()
        })
    }

    /// A schema file with what was discovered, for whoever has the release: columns on their grid
    /// without bins, as they were found. What [`released`](Self::released) leaves out is left out.
    pub fn to_released_toml(&self) -> Result<String, SchemaError> {
        let mut file = describe(&self.binned()?, Wording::Short);
        (file.review, file.harmless) = Default::default();
        (file.delimiter, file.encoding, file.unlisted, file.multiline) = (None, None, None, None);
        file.written = RowFormFile::of(self.row_form());
        for (_, column) in &mut file.columns.0 {
            // What one release assumes, the next one that uses its schema assumes too.
            let assumed = std::mem::take(&mut column.assumed);
            *column = ColumnFile { assumed, ..std::mem::take(column).released() };
        }
        Ok(write_toml(&file, &[], &|_| &[]))
    }

    /// The same columns with values of their own each, also those that depend on others or are held
    /// as a difference: for comparisons of tables.
    pub fn all_modelled(&self) -> Result<Schema, SchemaError> {
        let mut file = describe(self, Wording::Explicit);
        for ((_, entry), column) in file.columns.0.iter_mut().zip(self.columns()) {
            (entry.depends_on, entry.table) = Default::default();
            if let Some(after) = &column.after {
                *entry = describe::by_itself(std::mem::take(entry), after);
            }
        }
        build::schema(file)
    }

    /// The same schema in which columns that were discovered are stored as the header of their file
    /// tells, as far as they can be, unless it says itself how they are.
    pub fn stored_like(self, types: &HashMap<String, StoredType>) -> Result<Schema, SchemaError> {
        let mut file = describe(&self, Wording::Short);
        for (name, entry) in &mut file.columns.0 {
            if let (Some(stored), true) = (types.get(name), entry.discovered.is_some()) {
                *entry = fitted(std::mem::take(entry), stored);
            }
        }
        build::schema(file)
    }

    /// A copy in which columns of numbers and dates whose bins nobody stated are on their own grid:
    /// a code for each whole number, last decimal, day or second. Where that is more than `most`
    /// codes, they grow wider with their distance from 0; moments become minutes, hours or days.
    ///
    /// For methods that choose the detail of a column by what they measure.
    ///
    /// # Errors
    /// A limit below 64 or above 1,000,000, and levels that are too many for its codes.
    pub fn on_grid(&self, most: u32) -> Result<Schema, SchemaError> {
        let binned = SchemaFile { grid: Some(i64::from(most)), ..describe(self, Wording::Explicit) };
        let mut file = binned.clone();
        for ((_, entry), column) in file.columns.0.iter_mut().zip(self.columns()) {
            if column.codec().is_some_and(|codec| codec.binning() == Binning::Default) {
                (entry.bins, entry.edges) = (None, None);
            }
        }
        loop {
            let place = match build::schema(file.clone()) {
                // Wide codes of a grid may not begin where a level or a rule needs it: the column
                // then keeps its bins.
                Err(SchemaError::Column { column, .. }) if file != binned => {
                    file.columns.0.iter().position(|(name, _)| *name == column)
                }
                made => return made,
            };
            match place {
                Some(place) if file.columns.0[place] != binned.columns.0[place] => {
                    file.columns.0[place] = binned.columns.0[place].clone();
                }
                _ => file = binned.clone(),
            }
        }
    }

    /// The opposite: columns on their grid get the bins that they have by default, for comparisons.
    pub fn binned(&self) -> Result<Schema, SchemaError> {
        build::schema(SchemaFile { grid: None, ..describe(self, Wording::Explicit) })
    }
}
