//! How synthetic rows are written as text: the dialect of the table that they stand in for, so that
//! the same script reads both.

use serde::{Deserialize, Serialize};

use crate::error::refuse_if;
use crate::{SchemaError, TextEncoding};

/// How rows are written as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowForm {
    /// The mark between two cells.
    pub delimiter: u8,
    /// How a line ends.
    pub line_end: LineEnd,
    /// Whether the file begins with the mark of UTF-8.
    pub bom: bool,
    /// How letters are encoded.
    pub encoding: TextEncoding,
    /// Which cells stand in quotes.
    pub quotes: Quotes,
    /// What a missing cell is written as.
    pub missing: String,
    /// What becomes of columns that are not read.
    pub ignored: IgnoredColumns,
}

impl Default for RowForm {
    fn default() -> Self {
        Self {
            delimiter: b',',
            line_end: LineEnd::Lf,
            bom: false,
            encoding: TextEncoding::Utf8,
            quotes: Quotes::Needed,
            missing: String::new(),
            ignored: IgnoredColumns::Drop,
        }
    }
}

/// How a line ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineEnd {
    /// A line feed.
    #[default]
    Lf,
    /// A carriage return and a line feed, as on Windows.
    CrLf,
}

impl LineEnd {
    /// The file's words.
    pub(crate) const WORDS: [&str; 2] = ["lf", "crlf"];

    /// Its bytes.
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
        }
    }
}

/// Which cells stand in quotes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Quotes {
    /// Those that need them.
    #[default]
    Needed,
    /// Cells of words and dates, and names of columns.
    Words,
    /// All of them.
    All,
}

impl Quotes {
    /// The file's words.
    pub(crate) const WORDS: [&str; 3] = ["needed", "words", "all"];
}

/// What becomes of columns that are not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IgnoredColumns {
    /// They are left out.
    #[default]
    Drop,
    /// They stand at their places, without a cell that says anything.
    Empty,
}

impl IgnoredColumns {
    /// The file's words.
    pub(crate) const WORDS: [&str; 2] = ["drop", "empty"];
}

/// The table `[written]` of a schema file, before it is checked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub(crate) struct RowFormFile {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_end: Option<LineEnd>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bom: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<TextEncoding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quotes: Option<Quotes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignored: Option<IgnoredColumns>,
}

impl RowFormFile {
    /// The keys, in the order of the documentation.
    pub(crate) const KEYS: [&str; 7] = ["delimiter", "line_end", "bom", "encoding", "quotes", "missing", "ignored"];

    /// Whether it says nothing.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What it says of a form.
    pub(crate) fn of(form: &RowForm) -> Self {
        let plain = RowForm::default();
        Self {
            delimiter: (form.delimiter != plain.delimiter).then(|| char::from(form.delimiter).to_string()),
            line_end: (form.line_end != plain.line_end).then_some(form.line_end),
            bom: (form.bom != plain.bom).then_some(form.bom),
            encoding: (form.encoding != plain.encoding).then_some(form.encoding),
            quotes: (form.quotes != plain.quotes).then_some(form.quotes),
            missing: (form.missing != plain.missing).then(|| form.missing.clone()),
            ignored: (form.ignored != plain.ignored).then_some(form.ignored),
        }
    }

    /// The form. `delimiter` reads a mark; `given` are that of the data file, and its encoding,
    /// where they were stated.
    pub(crate) fn checked(
        self,
        delimiter: impl Fn(&str) -> Result<u8, SchemaError>,
        (given, encoding): (Option<u8>, Option<TextEncoding>),
        missing_tokens: &[String],
    ) -> Result<RowForm, SchemaError> {
        let plain = RowForm::default();
        let delimiter = self.delimiter.as_deref().map(delimiter).transpose()?.or(given).unwrap_or(plain.delimiter);
        let missing = self.missing.unwrap_or_default();
        // A word that would be read as something else would turn missing cells into values.
        let known = missing.is_empty() || missing_tokens.contains(&missing);
        let what = format!("[written] missing = {missing:?} is none of the `missing_tokens`");
        refuse_if(!known, what, "add it to them, or write one of them")?;
        let encoding = self.encoding.or(encoding).unwrap_or_default();
        let marked = self.bom == Some(true) && encoding != TextEncoding::Utf8;
        refuse_if(marked, "[written] bom = true, but not in UTF-8", "leave `bom` out")?;
        Ok(RowForm {
            encoding,
            delimiter,
            line_end: self.line_end.unwrap_or_default(),
            bom: self.bom.unwrap_or_default(),
            quotes: self.quotes.unwrap_or_default(),
            missing,
            ignored: self.ignored.unwrap_or_default(),
        })
    }
}
