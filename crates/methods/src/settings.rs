//! Reading `--set name=value` pairs.

use crate::{MethodError, Parameter};

/// Settings whose names are all known to the method.
#[derive(Debug)]
pub struct Settings<'a> {
    method: &'static str,
    pairs: &'a [(String, String)],
}

impl<'a> Settings<'a> {
    /// Refuses a name that the method does not have, and a name given twice.
    pub fn check(
        method: &'static str,
        parameters: &[Parameter],
        pairs: &'a [(String, String)],
    ) -> Result<Self, MethodError> {
        for (index, (name, _)) in pairs.iter().enumerate() {
            if !parameters.iter().any(|parameter| parameter.name == name) {
                let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
                let help =
                    if names.is_empty() { "it has none".into() } else { format!("it has: {}", names.join(", ")) };
                return Err(MethodError::Setting { what: format!("method {method} has no parameter {name:?}"), help });
            }
            if pairs[..index].iter().any(|(earlier, _)| earlier == name) {
                return Err(MethodError::Setting {
                    what: format!("parameter {name:?} is set twice"),
                    help: "set it once".into(),
                });
            }
        }
        Ok(Self { method, pairs })
    }

    /// The number given for a parameter, or its default; refused when it is not a number that
    /// `legal` takes.
    pub fn number(&self, name: &str, default: f64, rule: &str, legal: fn(f64) -> bool) -> Result<f64, MethodError> {
        let Some((_, text)) = self.pairs.iter().find(|(given, _)| given == name) else { return Ok(default) };
        match text.trim().parse::<f64>() {
            Ok(value) if legal(value) => Ok(value),
            _ => Err(MethodError::Setting {
                what: format!("method {}: {name} = {text:?} does not do", self.method),
                help: format!("give {rule}"),
            }),
        }
    }

    /// Like [`number`](Self::number), for a parameter whose default is the word `auto`: `None` when
    /// that is written, or nothing.
    pub fn number_or_auto(&self, name: &str, rule: &str, legal: fn(f64) -> bool) -> Result<Option<f64>, MethodError> {
        match self.pairs.iter().find(|(given, _)| given == name) {
            None => Ok(None),
            Some((_, text)) if text.trim() == "auto" => Ok(None),
            Some(_) => self.number(name, f64::NAN, rule, legal).map(Some),
        }
    }

    /// The word given for a parameter, or `None`; refused when it is none of `words`.
    pub fn word(&self, name: &str, words: &[&'static str]) -> Result<Option<&'static str>, MethodError> {
        let Some((_, text)) = self.pairs.iter().find(|(given, _)| given == name) else { return Ok(None) };
        match words.iter().find(|word| **word == text.trim()) {
            Some(word) => Ok(Some(word)),
            None => Err(MethodError::Setting {
                what: format!("method {}: {name} = {text:?} does not do", self.method),
                help: format!("give one of: {}", words.join(", ")),
            }),
        }
    }
}
