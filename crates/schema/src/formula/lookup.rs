//! A public table that says what belongs to a key: one value each.

use std::collections::HashMap;

use super::cell::FormulaValue;
use super::typing::FormulaKind;
use crate::PlainValue;
use crate::codec::plain;
use crate::error::{Mistake, refuse_if};

/// The most keys of a table.
const MOST_KEYS: usize = 1_000_000;

/// What belongs to each key.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lookup {
    /// As the schema lists it.
    entries: Vec<(String, PlainValue)>,
    values: HashMap<String, FormulaValue>,
    pub(super) kind: FormulaKind,
    /// The most decimals of a value.
    pub(super) decimals: u8,
}

impl Lookup {
    /// A table of numbers, if all values are, and else of texts.
    pub(super) fn new(entries: &[(String, PlainValue)]) -> Result<Self, Mistake> {
        let many = entries.len() > MOST_KEYS;
        refuse_if(many, format!("`lookup` has more than {MOST_KEYS} keys"), "leave out keys that do not occur")?;
        let number = |value: &PlainValue| match value {
            PlainValue::Integer(value) => Some(*value as f64),
            PlainValue::Number(value) => Some(*value).filter(|value| value.is_finite()),
            _ => None,
        };
        let numbers: Option<Vec<f64>> = entries.iter().map(|(_, value)| number(value)).collect();
        let decimals =
            |value: f64| plain(value).split_once('.').map_or(0, |(_, fraction)| fraction.len().min(15) as u8);
        let (kind, most) = match &numbers {
            Some(numbers) => (FormulaKind::Number, numbers.iter().map(|&value| decimals(value)).max().unwrap_or(0)),
            None => (FormulaKind::Text, 0),
        };
        let value = |(place, (key, value)): (usize, &(String, PlainValue))| {
            let told = match &numbers {
                Some(numbers) => FormulaValue::Number(numbers[place] + 0.0),
                None => FormulaValue::Text(value.text()),
            };
            (key.clone(), told)
        };
        let values = entries.iter().enumerate().map(value).collect();
        Ok(Self { entries: entries.to_vec(), values, kind, decimals: most })
    }

    pub(super) fn entries(&self) -> &[(String, PlainValue)] {
        &self.entries
    }

    /// What belongs to a key; missing where the table has nothing.
    pub(super) fn find(&self, key: &[u8]) -> Option<FormulaValue> {
        self.values.get(std::str::from_utf8(key).ok()?).cloned()
    }
}
