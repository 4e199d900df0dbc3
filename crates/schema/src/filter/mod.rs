//! Which rows are meant: the `--where` of `query` and `sample`. The grammar is written down in
//! `docs/where.md`.
//!
//! - `lex` cuts the text into words, quoted names and values, signs;
//! - `parse` turns them into a formula over comparisons, each of which is a set of codes of one
//!   column;
//! - `boxes` turns the formula into boxes that do not overlap, so that a model can take them as
//!   evidence one by one.
//!
//! # Missing cells
//! The logic has two values, unlike that of SQL. A missing cell has no value, so `=`, `<`, `in` and
//! `between` do not hold for it, and their opposites `!=`, `not in` and `not` do. A condition and
//! its opposite therefore always make up all rows.

mod boxes;
mod lex;
mod parse;
#[cfg(test)]
mod tests;

use crate::{AttrId, Clique, Schema, SchemaError};

/// A set of possible rows: the rows of any of its boxes. Boxes do not overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    boxes: Vec<CodeBox>,
}

/// Rows in which **every** listed attribute has one of its listed codes. Without parts: all rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeBox {
    /// For each attribute (ascending), the codes (ascending, at least one) that are meant.
    pub parts: Vec<(AttrId, Vec<u32>)>,
}

impl Filter {
    /// Takes boxes that do not overlap.
    pub fn from_boxes(boxes: Vec<CodeBox>) -> Self {
        Self { boxes }
    }

    /// Every row.
    pub fn everything() -> Self {
        Self { boxes: vec![CodeBox { parts: vec![] }] }
    }

    /// Reads a condition such as `age >= 65 and (sex = 'F' or income is missing)`.
    ///
    /// The error is one line with the place, the mistake and its help: a word that is no column or
    /// no value, a comparison that cuts a bin in two (the nearest edges are named), and a formula
    /// of more than 1,000 comparisons, 1,000 boxes or 100 brackets inside each other.
    pub fn parse(schema: &Schema, text: &str) -> Result<Self, SchemaError> {
        let (formula, comparisons) = parse::parse(schema, text)?;
        boxes::compile(formula, &comparisons, schema.domain()).map(|boxes| Self { boxes })
    }

    /// The boxes. None: no row is meant.
    pub fn boxes(&self) -> &[CodeBox] {
        &self.boxes
    }

    /// The columns that the condition depends on.
    pub fn attributes(&self) -> Clique {
        Clique::new(self.boxes.iter().flat_map(|one| one.parts.iter().map(|part| part.0)))
    }

    /// Whether a full row of codes (one a modelled column) is meant.
    pub fn holds(&self, row: &[u32]) -> bool {
        self.boxes.iter().any(|one| one.holds(row))
    }
}

impl CodeBox {
    /// Whether a full row of codes lies in the box.
    pub fn holds(&self, row: &[u32]) -> bool {
        self.parts.iter().all(|(attribute, codes)| codes.binary_search(&row[attribute.index()]).is_ok())
    }

    /// The codes that the box allows of an attribute; `None`: all of them.
    pub fn codes(&self, attribute: AttrId) -> Option<&[u32]> {
        let found = self.parts.binary_search_by_key(&attribute, |part| part.0);
        found.ok().map(|at| self.parts[at].1.as_slice())
    }
}

/// A column's name as a condition has to write it: in double quotes unless it is one plain word.
pub fn written_name(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(lex::is_word_letter) && !lex::is_reserved(name);
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}
