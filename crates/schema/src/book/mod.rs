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
mod code_book;
mod column;
mod dialect;
mod table;
#[cfg(test)]
mod tests;
mod yaml;

use serde_json::Value;

use crate::SchemaError;
use crate::entries::Entries;
pub use code_book::CodeBook;
use code_book::HELP;
pub use table::BookTable;

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
}

fn json_entries(text: &str) -> Result<Entries<Value>, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}
