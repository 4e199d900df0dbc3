//! Marks: facts of a schema that were read from rows and that nobody has confirmed yet.

use std::fmt;

/// A fact that waits for review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark<'a> {
    /// The column that the fact is about; `None` for a fact of the whole file.
    pub column: Option<&'a str>,
    /// The key that words the fact: "type", "range", "missing_tokens".
    pub fact: &'a str,
    /// How much the fact may tell of the rows.
    pub kind: MarkKind,
}

/// How much a marked fact may tell of the rows. A draft says it for whoever reviews it; either kind
/// takes the guarantee away as long as the mark is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// It may be about few people: the ends of a range, values with few rows, names, ids, places.
    /// Such facts stand in `review`.
    Telling,
    /// It is what an empty form would tell: a type, a decimal sign, a short list of common values.
    /// Such facts stand in `harmless`.
    Harmless,
}

/// The facts of a column, or of the whole file, that were read from rows, by their keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Telling facts that nobody has confirmed yet.
    pub review: Vec<String>,
    /// Harmless facts that nobody has confirmed yet.
    pub harmless: Vec<String>,
    /// Facts that were accepted in bulk: a release says that its guarantee assumes them public.
    pub assumed: Vec<String>,
}

impl Marks {
    /// Whether a fact waits for review.
    pub fn names(&self, fact: &str) -> bool {
        self.review.iter().chain(&self.harmless).any(|marked| marked == fact)
    }

    /// The facts that wait for review.
    pub(crate) fn pending<'a>(&'a self, column: Option<&'a str>) -> impl Iterator<Item = Mark<'a>> {
        pending(column, &self.review, &self.harmless)
    }

    /// The facts that were accepted in bulk.
    pub(crate) fn assumed<'a>(&'a self, column: Option<&'a str>) -> impl Iterator<Item = String> {
        self.assumed.iter().map(move |fact| Mark { column, fact, kind: MarkKind::Harmless }.to_string())
    }
}

/// The facts that wait for review, telling ones first.
pub(crate) fn pending<'a>(
    column: Option<&'a str>,
    telling: &'a [String],
    harmless: &'a [String],
) -> impl Iterator<Item = Mark<'a>> {
    let mark = move |kind| move |fact: &'a String| Mark { column, fact, kind };
    telling.iter().map(mark(MarkKind::Telling)).chain(harmless.iter().map(mark(MarkKind::Harmless)))
}

impl Mark<'_> {
    /// The keys of the file that the mark covers, whether they are there or not.
    ///
    /// How a range is cut into bins is one fact with three wordings: a number of bins, how they
    /// grow, or their edges. How cells are written and stored goes with their type.
    pub fn keys(&self) -> &[&str] {
        match self.fact {
            "bins" => &["bins", "edges", "spacing"],
            "type" => &["type", "decimals", "format", "pattern", "stored"],
            _ => std::slice::from_ref(&self.fact),
        }
    }
}

impl fmt::Display for Mark<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.column {
            Some(column) => write!(f, "{column}: {}", self.fact),
            None => f.write_str(self.fact),
        }
    }
}
