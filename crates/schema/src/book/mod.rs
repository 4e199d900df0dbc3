//! Code books: what somebody wrote down about the columns of a table, in a file that is no schema.
//!
//! What a book states is public knowledge by the steward's word, and carries no mark. What it does
//! not state is written as `"discover"`: a release buys it. Nothing here looks at rows.
//!
//! | book | told by |
//! |---|---|
//! | a table with one row a column, or one row a value | its header, see [`BookTable`] |
//! | mbi domain file | JSON of sizes: `{"age": 85}` |
//! | dpmm domain | JSON of `categories`, or of `lower` and `upper` |
//! | dpsynth domain | YAML or JSON of `possible_values`, or of `min_value` and `max_value` |
//! | SDV metadata | JSON with `sdtype` in every column |

mod cells;
mod column;
mod dialect;
mod table;
#[cfg(test)]
mod tests;
mod yaml;

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use crate::entries::Entries;
use crate::file::{OrDiscover, body_toml};
use crate::{OpenSchema, SchemaError};
use column::BookColumn;
pub use table::BookTable;

/// The word in the place of a fact that a release buys.
const DISCOVER: &str = OrDiscover::<String>::WORD;

const INTRODUCTION: &str = "\
# The schema of a table: what may be known about it without looking at it.
# Every bound and every list here is published with the release.
#
# From a code book. What the book states is taken as public knowledge, by your word.
";

const OPEN: &str = "\
# What it does not state says \"discover\": a release finds it out with noise, and pays for it from its budget.
# Where you know it without looking at the rows, state it instead: that is free, and exact.
";

const HELP: &str = "write the domain of mbi, dpmm or dpsynth, metadata of SDV, or a table with a column `name`";

/// What a code book states of the columns of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeBook {
    columns: Vec<BookColumn>,
    skips_unlisted: bool,
}

impl CodeBook {
    /// Reads a book in JSON, or in YAML where `is_yaml`. `name` is the file's name, for messages.
    ///
    /// # Errors
    /// What is no book, and what a schema could not say, in one line.
    pub fn parse(text: &str, name: &str, is_yaml: bool) -> Result<Self, SchemaError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let entries = if is_yaml { yaml::entries(text) } else { json_entries(text) };
        let form = if is_yaml { "YAML" } else { "JSON" };
        let not_a_book = |what: String| SchemaError::whole(format!("{name}: not a code book in {form}: {what}"), HELP);
        dialect::read(entries.map_err(not_a_book)?)
    }

    /// A book of these columns, if a schema can say them.
    pub(crate) fn new(columns: Vec<BookColumn>, skips_unlisted: bool) -> Result<Self, SchemaError> {
        let mut seen = HashSet::new();
        for column in &columns {
            let twice = || SchemaError::column(&column.name, "the book has it twice", "keep one of them");
            seen.insert(column.name.as_str()).then_some(()).ok_or_else(twice)?;
        }
        if columns.is_empty() {
            return Err(SchemaError::whole("the code book has no columns", HELP));
        }
        let book = Self { columns, skips_unlisted };
        OpenSchema::parse(&book.to_toml(), "the code book")?;
        Ok(book)
    }

    /// The number of columns.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Never: a book without columns is refused.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The facts that the book does not state and that a release would buy, as "column: key".
    pub fn open_facts(&self) -> Vec<String> {
        let open =
            |column: &BookColumn| column.open().into_iter().map(|key| format!("{}: {key}", column.name)).collect();
        self.columns.iter().flat_map(|column| -> Vec<String> { open(column) }).collect()
    }

    /// The schema file that says what the book states.
    pub fn to_toml(&self) -> String {
        let columns: Map<String, Value> =
            self.columns.iter().map(|column| (column.name.clone(), column.entry().into())).collect();
        let mut file = Map::from_iter([("version".to_owned(), json!(1))]);
        if self.skips_unlisted {
            file.insert("unlisted".to_owned(), json!("ignore"));
        }
        file.insert("columns".to_owned(), columns.into());
        let open = if self.open_facts().is_empty() { "" } else { OPEN };
        let remark = |name: &str| self.columns.iter().find(|column| column.name == name).map(BookColumn::remark);
        format!("{INTRODUCTION}{open}{}", body_toml(&file.into(), &remark))
    }
}

fn json_entries(text: &str) -> Result<Entries<Value>, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}
