//! Marks: facts of a schema that were read from rows and that nobody has confirmed yet.

use std::fmt;

/// A fact that waits for review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark<'a> {
    /// The column that the fact is about; `None` for a fact of the whole file.
    pub column: Option<&'a str>,
    /// The key that words the fact: "type", "range", "missing_tokens".
    pub fact: &'a str,
}

impl Mark<'_> {
    /// The keys of the file that the mark covers, whether they are there or not.
    ///
    /// How a range is cut into bins is one fact with three wordings: a number of bins, how they
    /// grow, or their edges.
    pub fn keys(&self) -> &[&str] {
        match self.fact {
            "bins" => &["bins", "edges", "spacing"],
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
