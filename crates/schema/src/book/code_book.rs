//! A whole code book, and the schema file that says the same.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::column::BookColumn;
use crate::file::body_toml;
use crate::{OpenSchema, SchemaError};

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

/// What a code book may be.
pub(super) const HELP: &str =
    "write the domain of mbi, dpmm or dpsynth, metadata of SDV, or a table with a column `name`";

/// What a code book states of the columns of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeBook {
    columns: Vec<BookColumn>,
    skips_unlisted: bool,
}

impl CodeBook {
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

    /// What was not plain in the book and how it was taken, as "column: words".
    pub fn warnings(&self) -> Vec<String> {
        let of_column =
            |column: &BookColumn| column.doubts().iter().map(|doubt| format!("{}: {doubt}", column.name)).collect();
        self.columns.iter().flat_map(|column| -> Vec<String> { of_column(column) }).collect()
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
        let remarks = |name: &str| {
            let column = self.columns.iter().find(|column| column.name == name);
            column.map_or(&[][..], BookColumn::remarks)
        };
        format!("{INTRODUCTION}{open}{}", body_toml(&file.into(), &remarks))
    }
}
