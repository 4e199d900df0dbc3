//! Columns that have one value for each combination of a few other cells of their row: the distance
//! of a route, the county of a town.
//!
//! Such a column is not modelled. Its table says what belongs to each key, and a row is written
//! with what belongs to its own, so that every row agrees with the table. A table that the schema
//! does not state is bought by a release: from the noisy counts of keys and values the value of
//! each key that stands out. Keys without a value of their own get the column's word for others, or
//! are missing.

mod plain;
#[cfg(test)]
mod tests;

use crate::error::{Mistake, refuse_if};
use crate::nearest::suggestion;
use crate::{AttrId, CellValue, Codec, PlainValue};
use plain::{MIDDLE, code_of, plain_value};

/// The most cells of the table of all keys and all codes of a column: each of them gets noise.
pub const MOST_DEPENDENT_CELLS: u64 = 1 << 22;

/// A column that may stand around: its name, its type's word, and its codec if it is modelled.
type Candidate<'a> = (&'a str, &'static str, Option<&'a Codec>);

/// A column that depends on others.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependent {
    codec: Codec,
    /// The columns that it depends on, in the schema's order of the key.
    on: Vec<String>,
    /// Cells of a key and what belongs to them, as the schema lists them; `None` while a release is
    /// still to find them.
    table: Option<Vec<Vec<PlainValue>>>,
    /// The same columns as attributes, once the columns around it are known, with their sizes.
    keys: Vec<(AttrId, u32)>,
    /// A code for every key, the last column fastest; empty while there is no table.
    codes: Vec<u32>,
}

impl Dependent {
    /// A column with these codes. Which columns there are is not known yet.
    pub(crate) fn new(codec: Codec, on: Vec<String>, table: Option<Vec<Vec<PlainValue>>>) -> Result<Self, Mistake> {
        let none = codec.other_code().or(codec.missing_code()).is_none();
        let what = "it depends on others, and has nothing for keys that no value is known of";
        refuse_if(none, what, "say missing = true, or of a category other = \"other\"")?;
        Ok(Self { codec, on, table, keys: Vec::new(), codes: Vec::new() })
    }

    /// Finds the columns that it depends on, and reads the table by their codes.
    pub(crate) fn resolve(&mut self, columns: &[Candidate<'_>]) -> Result<(), Mistake> {
        let mut codecs = Vec::new();
        self.keys.clear();
        for name in &self.on {
            let (attribute, codec) = key(name, columns)?;
            codecs.push(codec);
            self.keys.push((attribute, codec.size()));
        }
        let cells = self.keys().saturating_mul(u64::from(self.codec.size()));
        if cells > MOST_DEPENDENT_CELLS {
            return Err(too_many());
        }
        let Some(table) = &self.table else { return Ok(()) };
        let mut codes = vec![None; self.keys() as usize];
        for row in table {
            let (found, key) = match row.split_last() {
                Some((value, key)) if key.len() == codecs.len() => (code_of(&self.codec, value), key),
                _ => {
                    let help = format!("write a cell for each of {}, then the value", self.on.join(", "));
                    return Err(Mistake::new("a row of its `table` has not one cell for each column", help));
                }
            };
            let place = key.iter().zip(&codecs).try_fold(0, |place, (cell, codec)| {
                code_of(codec, cell).map(|code| place * codec.size() as usize + code as usize)
            });
            let (Some(place), Some(code)) = (place, found) else {
                let what = "its `table` has a cell that its column cannot hold";
                return Err(Mistake::new(what, "correct it, or add it to the column"));
            };
            let known = codes[place].replace(code).is_some();
            refuse_if(known, "its `table` has a key twice", "list each key once")?;
        }
        let rest = self.rest();
        self.codes = codes.into_iter().map(|code| code.unwrap_or(rest)).collect();
        Ok(())
    }

    /// How its cells are coded.
    pub fn codec(&self) -> &Codec {
        &self.codec
    }

    /// The columns that it depends on.
    pub fn on(&self) -> &[String] {
        &self.on
    }

    /// Cells of a key and what belongs to them, one row a key; `None` while a release is still to
    /// find them.
    pub fn table(&self) -> Option<&[Vec<PlainValue>]> {
        self.table.as_deref()
    }

    /// The number of keys that there can be.
    pub fn keys(&self) -> u64 {
        self.keys.iter().fold(1, |cells: u64, (_, size)| cells.saturating_mul(u64::from(*size)))
    }

    /// The code of the column in a row whose other codes these are.
    pub fn code(&self, code_of: &dyn Fn(AttrId) -> u32) -> u32 {
        let place = |place, &(attribute, size): &(AttrId, u32)| place * size as usize + code_of(attribute) as usize;
        self.codes.get(self.keys.iter().fold(0, place)).copied().unwrap_or_else(|| self.rest())
    }

    /// The cell that a code stands for: the same one in every row.
    pub fn cell(&self, code: u32) -> CellValue<'_> {
        self.codec.decode(code, MIDDLE)
    }

    /// The same column with what was found: a code for each key, the last column fastest.
    pub(crate) fn with_codes(&self, found: &[Option<u32>], around: &[&Codec]) -> Self {
        let row = |(place, code): (usize, &Option<u32>)| {
            let code = (*code)?;
            let mut rest = place;
            let mut row = vec![plain_value(&self.codec, code)];
            for codec in around.iter().rev() {
                row.push(plain_value(codec, (rest % codec.size() as usize) as u32));
                rest /= codec.size() as usize;
            }
            row.reverse();
            Some(row)
        };
        Self { table: Some(found.iter().enumerate().filter_map(row).collect()), ..self.clone() }
    }

    /// The code of keys that no value is known of.
    fn rest(&self) -> u32 {
        self.codec.other_code().or(self.codec.missing_code()).unwrap_or(0)
    }
}

/// The refusal of a table with too many cells.
pub(crate) fn too_many() -> Mistake {
    let what = format!("its keys times its codes are more than {MOST_DEPENDENT_CELLS}");
    Mistake::new(what, "let it depend on fewer columns, or on such with fewer values, or use fewer bins")
}

/// A column of a key, which has to be modelled, with one value a code.
fn key<'a>(name: &str, columns: &[Candidate<'a>]) -> Result<(AttrId, &'a Codec), Mistake> {
    let known = || columns.iter().filter_map(|&(name, _, codec)| codec.map(|codec| (name, codec)));
    let Some(((_, codec), index)) = known().zip(0..).find(|((known, _), _)| *known == name) else {
        let what = match columns.iter().find(|column| column.0 == name) {
            Some((_, kind, _)) => format!("it depends on {name:?}, a column of type {kind:?} that is not modelled"),
            None => {
                let near = suggestion(name, known().map(|(name, _)| name));
                format!("it depends on {name:?}, which is not a column of the schema{near}")
            }
        };
        return Err(Mistake::new(what, "name columns that have values of their own"));
    };
    let what = format!("it depends on {name:?}, whose codes are ranges of values");
    refuse_if(!plain::has_single_values(codec), what, "give that column a bin for each value, as in bins = 365")?;
    Ok((AttrId(index), codec))
}
