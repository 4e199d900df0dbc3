//! Columns that follow from others: an expression over a row, computed when the row is written.
//!
//! Such a column is neither read nor modelled, so it costs nothing and is right in every row. The
//! expression is public knowledge like everything else in a schema.

mod cell;
mod lex;
mod lookup;
mod parse;
#[cfg(test)]
mod tests;
mod typing;
mod value;

use crate::codec::{NumberFormat, TimeFormat};
use crate::error::{Mistake, refuse_if};
use crate::nearest::suggestion;
use crate::{AttrId, Codec, PlainValue};
pub use cell::FormulaValue;
use lookup::Lookup;
use parse::{Expression, parse};
pub use typing::FormulaKind;

/// Decimals of a number for which neither the schema nor its parts say any, such as a ratio.
const USUAL_DECIMALS: u8 = 6;

/// The most decimals that are written.
const MOST_DECIMALS: i64 = 15;

/// A column that a formula may name: its name, its type's word, and its codec if it is modelled.
pub(crate) type Candidate<'a> = (&'a str, &'static str, Option<&'a Codec>);

/// A checked expression over the modelled columns of a schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    text: String,
    expression: Expression,
    /// The columns that it names, in the order of their first mention.
    names: Vec<String>,
    /// The same as attributes, once the columns around it are known.
    inputs: Vec<AttrId>,
    kind: FormulaKind,
    /// What the schema states, and what is written.
    stated: Option<u8>,
    decimals: u8,
    format: Option<TimeFormat>,
    numbers: Option<NumberFormat>,
    pattern: Option<String>,
    /// The decimal mark of the file.
    mark: u8,
    /// What belongs to what the expression gives.
    lookup: Option<Lookup>,
}

impl Formula {
    /// Reads the expression. Which columns there are is not known yet.
    pub(crate) fn new(text: &str, decimals: Option<i64>, pattern: Option<&str>, mark: u8) -> Result<Self, Mistake> {
        let (expression, names) = parse(text)?;
        let stated = match decimals {
            None => None,
            Some(decimals @ 0..=MOST_DECIMALS) => Some(decimals as u8),
            Some(decimals) => {
                let help = format!("write a whole number from 0 to {MOST_DECIMALS}");
                return Err(Mistake::new(format!("decimals = {decimals}"), help));
            }
        };
        Ok(Self {
            text: text.to_owned(),
            expression,
            names,
            inputs: Vec::new(),
            kind: FormulaKind::Number,
            stated,
            decimals: stated.unwrap_or(0),
            format: None,
            numbers: None,
            pattern: pattern.map(str::to_owned),
            mark,
            lookup: None,
        })
    }

    /// The same as a key of a public table, whose value for it is written.
    pub(crate) fn with_lookup(self, entries: &[(String, PlainValue)]) -> Result<Self, Mistake> {
        Ok(Self { lookup: Some(Lookup::new(entries)?), ..self })
    }

    /// Finds the columns that it names, and what it gives.
    pub(crate) fn resolve(&mut self, columns: &[Candidate<'_>]) -> Result<(), Mistake> {
        let (mut inputs, mut codecs) = (Vec::new(), Vec::new());
        for name in &self.names {
            let (attribute, codec) = modelled(name, columns)?;
            inputs.push(attribute);
            codecs.push(codec);
        }
        let made = typing::of(&self.expression, &codecs)?;
        let made = match &self.lookup {
            Some(lookup) => typing::Made { kind: lookup.kind, decimals: Some(lookup.decimals) },
            None => made,
        };
        let is_number = made.kind == FormulaKind::Number;
        if self.stated.is_some() && !is_number {
            let help = "leave `decimals` out";
            return Err(Mistake::new("`decimals` of something that is not a number", help));
        }
        self.decimals = self.stated.or(made.decimals).unwrap_or(USUAL_DECIMALS);
        let numbers = self.pattern.as_deref().filter(|_| is_number);
        self.numbers = numbers.map(|pattern| NumberFormat::new(pattern, self.mark)).transpose()?;
        let clock = self.decimals > 0 && self.numbers.as_ref().is_some_and(NumberFormat::is_clock);
        refuse_if(clock, "a clock number that is not whole", "say decimals = 0")?;
        let dates = self.pattern.as_deref().filter(|_| !is_number);
        self.format = dates.map(|pattern| made.kind.format(pattern)).transpose()?;
        (self.inputs, self.kind) = (inputs, made.kind);
        Ok(())
    }

    /// The expression as the schema words it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it gives.
    pub fn kind(&self) -> FormulaKind {
        self.kind
    }

    /// Whether every value is a whole number.
    pub fn is_whole(&self) -> bool {
        self.kind == FormulaKind::Number && self.decimals == 0
    }

    /// The names of the columns that it needs.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// What stands around its numbers, if the schema says so.
    pub fn number_format(&self) -> Option<&NumberFormat> {
        self.numbers.as_ref()
    }

    /// The columns that it needs, in the order in which [`value`](Self::value) asks for them by
    /// number.
    pub fn inputs(&self) -> &[AttrId] {
        &self.inputs
    }

    /// The public table that it is a key of, if there is one.
    pub(crate) fn lookup(&self) -> &[(String, PlainValue)] {
        self.lookup.as_ref().map_or(&[], Lookup::entries)
    }

    /// What the schema states of how it is written.
    pub(crate) fn stated(&self) -> (Option<i64>, Option<&str>) {
        (self.stated.map(i64::from), self.pattern.as_deref())
    }
}

fn modelled<'a>(name: &str, columns: &[Candidate<'a>]) -> Result<(AttrId, &'a Codec), Mistake> {
    let known = || columns.iter().filter_map(|&(name, _, codec)| codec.map(|codec| (name, codec)));
    if let Some(((_, codec), index)) = known().zip(0..).find(|((known, _), _)| *known == name) {
        return Ok((AttrId(index), codec));
    }
    let what = match columns.iter().find(|column| column.0 == name) {
        Some((_, kind, _)) => format!("its formula names {name:?}, a column of type {kind:?}"),
        None => {
            let near = suggestion(name, known().map(|(name, _)| name));
            format!("its formula names {name:?}, which is not a column of the schema{near}")
        }
    };
    Err(Mistake::new(what, "name columns that have values of their own; a name with spaces stands in double quotes"))
}
