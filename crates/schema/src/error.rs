//! What can be wrong with a schema.

/// A mistake in a schema, its file, or a flag that speaks of it. Messages say what, where and what
/// to do, and never quote a cell.
#[derive(Debug, Clone, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SchemaError {
    /// A mistake in one column's entry.
    #[error("schema: column {column:?}: {what}; {help}")]
    Column {
        /// The column's name.
        column: String,
        /// What is wrong.
        what: String,
        /// What to do about it.
        help: String,
    },
    /// A mistake that belongs to no single column.
    #[error("schema: {what}; {help}")]
    Whole {
        /// What is wrong.
        what: String,
        /// What to do about it.
        help: String,
    },
    /// A mistake in a condition on rows.
    #[error("condition: {}{what}; {help}", at(*place, word))]
    Filter {
        /// Where, in letters from 1.
        place: usize,
        /// The word in question; empty when it is the condition as a whole, or its end.
        word: String,
        /// What is wrong.
        what: String,
        /// What to do about it.
        help: String,
    },
}

fn at(place: usize, word: &str) -> String {
    match (place, word) {
        (1, "") => String::new(),
        (place, "") => format!("at letter {place}, "),
        (place, word) => format!("{word:?} (letter {place}): "),
    }
}

impl SchemaError {
    /// A mistake in one column's entry.
    pub(crate) fn column(column: &str, what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Column { column: column.to_owned(), what: what.into(), help: help.into() }
    }

    /// A mistake that belongs to no single column.
    pub(crate) fn whole(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Whole { what: what.into(), help: help.into() }
    }
}

/// A mistake whose column the caller knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub help: String,
}

impl Mistake {
    /// A mistake and what to do about it.
    pub(crate) fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { what: what.into(), help: help.into() }
    }

    /// The same mistake with its place.
    pub(crate) fn at(self, column: &str) -> SchemaError {
        SchemaError::column(column, self.what, self.help)
    }
}
