//! Version 1 of the schema file, as plain structs: what may stand in a file, before it is checked.

use crate::impossible::{Rule, Scalar};
use crate::levels::LevelEntry;

/// The version that this program reads and writes.
pub(crate) const VERSION: i64 = 1;

/// A whole file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct File {
    pub missing_tokens: Option<Vec<String>>,
    pub delimiter: Option<String>,
    pub decimal: Option<String>,
    pub unlisted: Option<Unlisted>,
    pub multiline: Option<bool>,
    pub review: Vec<String>,
    pub columns: Vec<(String, Entry)>,
    pub impossible: Vec<Rule>,
}

/// What is done with columns of the data that the schema does not list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unlisted {
    Refuse,
    Ignore,
}

/// One column's entry.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub kind: EntryKind,
    pub range: Option<[Scalar; 2]>,
    pub bins: Option<i64>,
    pub edges: Option<Vec<Scalar>>,
    pub spacing: Option<Spacing>,
    pub decimals: Option<i64>,
    pub spikes: Option<Vec<Scalar>>,
    pub values: Option<Vec<String>>,
    pub other: Option<String>,
    pub missing: Option<bool>,
    pub format: Option<String>,
    pub levels: Vec<LevelEntry>,
    pub review: Vec<String>,
}

impl Entry {
    /// An entry that says only its type.
    pub(crate) fn new(kind: EntryKind) -> Self {
        Self {
            kind,
            range: None,
            bins: None,
            edges: None,
            spacing: None,
            decimals: None,
            spikes: None,
            values: None,
            other: None,
            missing: None,
            format: None,
            levels: Vec::new(),
            review: Vec::new(),
        }
    }
}

/// How bins grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spacing {
    Even,
    Log,
}

/// The word behind `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind {
    Integer,
    Number,
    Category,
    Boolean,
    Date,
    DateTime,
    Id,
    Ignore,
}

impl EntryKind {
    /// All of them, in the order of the documentation.
    pub(crate) const ALL: [Self; 8] = [
        Self::Integer,
        Self::Number,
        Self::Category,
        Self::Boolean,
        Self::Date,
        Self::DateTime,
        Self::Id,
        Self::Ignore,
    ];

    /// The file's word.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Category => "category",
            Self::Boolean => "boolean",
            Self::Date => "date",
            Self::DateTime => "datetime",
            Self::Id => "id",
            Self::Ignore => "ignore",
        }
    }

    /// The keys that an entry of this type may have beside `type`, `review` and the `note` of older
    /// files.
    pub(crate) fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Integer => &["range", "bins", "edges", "spacing", "spikes", "missing", "levels"],
            Self::Number => &["range", "bins", "edges", "spacing", "decimals", "spikes", "missing", "levels"],
            Self::Category => &["values", "other", "missing", "levels"],
            Self::Boolean => &["values", "missing"],
            Self::Date | Self::DateTime => &["range", "bins", "edges", "format", "missing", "levels"],
            Self::Id | Self::Ignore => &[],
        }
    }
}
