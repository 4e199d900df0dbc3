//! The parts of a method: the switches among its parameters.

use std::fmt::{Display, Formatter, Result as Written};

use anyhow::{Result, ensure};
use lookalike_methods::{MethodInfo, Rule};

use super::figures::Settings;

/// A switch, and what it is when it is not the default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// The parameter's name.
    pub name: &'static str,
    /// The default inverted.
    pub inverted: &'static str,
}

impl Part {
    /// The settings of all runs with this part left out.
    pub fn left_out(&self, base: &Settings) -> Settings {
        let mut settings = base.clone();
        settings.insert(self.name.into(), self.inverted.into());
        settings
    }
}

impl Display for Part {
    /// Only a part that is there by default is left out.
    fn fmt(&self, out: &mut Formatter<'_>) -> Written {
        let put_in = if self.inverted == "true" { " (put in)" } else { "" };
        write!(out, "{}{put_in}", self.name)
    }
}

/// The parts of a method, or those of them that `only` names. What `base` sets for all runs is no
/// part of the question.
///
/// # Errors
/// A name that is no part.
pub fn parts(method: &MethodInfo, only: &[String], base: &Settings) -> Result<Vec<Part>> {
    let switches = method.parameters.iter().filter(|parameter| parameter.rule == Rule::Switch);
    let mut parts: Vec<Part> = switches
        .map(|switch| Part {
            name: switch.name,
            inverted: if method.default_of(switch) == "true" { "false" } else { "true" },
        })
        .filter(|part| !base.contains_key(part.name))
        .collect();
    for name in only {
        let names = || parts.iter().map(|part| part.name).collect::<Vec<_>>().join(", ");
        ensure!(parts.iter().any(|part| part.name == name), "{name:?} is no part that can be left out of {}", names());
    }
    parts.retain(|part| only.is_empty() || only.iter().any(|name| name == part.name));
    Ok(parts)
}
