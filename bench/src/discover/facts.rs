//! Facts that a release bought, beside the rows that it bought them of.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use lookalike::{OpenSchema, PlanSpec, Schema};
use lookalike_evaluate::raw::column::quantile;
use lookalike_schema::{AttrId, Codec, CodecKind, Meaning};
use serde::{Deserialize, Serialize};

use super::groups::ascending;
use super::table::{StudyTable, words};
use crate::grid::RunRecord;

/// A value that this many times the noise have must be found.
const CERTAIN: f64 = 50.0;
/// A value that this many deviations more rows have than the planned threshold was promised.
const PROMISED: f64 = 3.0;
/// Seconds of a day.
const DAY: f64 = 86400.0;

/// What was found of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundFacts {
    /// The standard deviation of the noise on a count, in rows, as `plan` tells it.
    pub noise: f64,
    /// About how many rows a value needs, as `plan` tells it.
    pub threshold: Option<u64>,
    /// Whether `plan` says that there are too few rows.
    pub is_too_small: bool,
    /// Ranges of numbers and dates, by column.
    pub ranges: BTreeMap<String, FoundRange>,
    /// Values of at least fifty times the noise, and how many of them were found.
    pub certain: [u64; 2],
    /// The same of values that have three deviations more rows than `plan`'s threshold.
    pub promised: [u64; 2],
    /// Values of either kind that were not found: column, word and rows.
    pub missed: Vec<(String, String, u64)>,
    /// Columns of numbers that were found as words, or the other way round, or not at all.
    pub other_kind: Vec<String>,
}

/// The range that was found of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundRange {
    /// Its ends.
    pub ends: [f64; 2],
    /// Its width over the distance from the 1st to the 99th percentile; absent where these are
    /// equal.
    pub width: Option<f64>,
    /// The share of the column's values beyond it.
    pub beyond: f64,
}

impl FoundRange {
    fn new(ends: [f64; 2], cells: &[f64]) -> Self {
        let ascending = ascending(cells);
        if ascending.is_empty() {
            return Self { ends, ..Self::default() };
        }
        let span = quantile(&ascending, 0.99) - quantile(&ascending, 0.01);
        let outside = ascending.iter().filter(|&&cell| cell < ends[0] || cell > ends[1]).count();
        let width = (span > 0.0).then(|| (ends[1] - ends[0]) / span);
        Self { ends, width, beyond: outside as f64 / ascending.len() as f64 }
    }
}

impl FoundFacts {
    /// What a run found, whose schema this is.
    pub fn new<F>(table: &StudyTable, line: &RunRecord<F>, found: &Schema) -> Result<Self> {
        let spec = PlanSpec {
            rows: Some(table.rows()),
            columns: Some(table.schema.columns().len() as u64),
            epsilon: vec![line.epsilon],
            delta: Some(line.delta),
            methods: vec![line.method.clone()],
            ..PlanSpec::default()
        };
        let plan = spec.plan_open(&OpenSchema::nothing())?;
        let told = plan.discovery.first().context("a plan without a word on discovery")?;
        let mut facts =
            Self { noise: told.noise, threshold: told.threshold, is_too_small: told.is_too_small, ..Self::default() };
        for attribute in table.schema.domain().attributes() {
            let name = &table.schema.column(attribute).name;
            let codec = found.columns().iter().find(|column| column.name == *name).and_then(|column| column.codec());
            facts.add(table, attribute, codec);
        }
        Ok(facts)
    }

    fn add(&mut self, table: &StudyTable, attribute: AttrId, found: Option<&Codec>) {
        let name = table.schema.column(attribute).name.clone();
        let cells = &table.cells[attribute.index()];
        if let Some(words) = words(&table.schema, attribute) {
            let has = |word: &str| found.is_some_and(|codec| has_word(codec, word));
            let mut is_found_somewhere = false;
            for (code, word) in words.values().iter().enumerate() {
                let rows = cells.iter().filter(|&&cell| cell == code as f64).count() as u64;
                is_found_somewhere |= has(word);
                self.add_word(&name, word, rows, has(word));
            }
            if !is_found_somewhere {
                self.other_kind.push(name);
            }
            return;
        }
        match found.and_then(|codec| ends(codec, table.schema.codec(attribute))) {
            Some(ends) => {
                self.ranges.insert(name, FoundRange::new(ends, cells));
            }
            // Of two numbers the one is no, the other yes.
            None if is_boolean(found) && has_two_values(cells) => {}
            None => self.other_kind.push(name),
        }
    }

    fn add_word(&mut self, column: &str, word: &str, rows: u64, is_found: bool) {
        let is_certain = rows as f64 >= CERTAIN * self.noise;
        let least = self.threshold.map(|threshold| threshold as f64 + PROMISED * self.noise);
        let is_promised = least.is_some_and(|least| rows as f64 >= least);
        for (counts, is_wanted) in [(&mut self.certain, is_certain), (&mut self.promised, is_promised)] {
            counts[0] += u64::from(is_wanted);
            counts[1] += u64::from(is_wanted && is_found);
        }
        if (is_certain || is_promised) && !is_found {
            self.missed.push((column.to_owned(), word.to_owned(), rows));
        }
    }
}

/// Whether a column has at most two different values.
fn has_two_values(cells: &[f64]) -> bool {
    let mut different = ascending(cells);
    different.dedup();
    different.len() <= 2
}

fn is_boolean(codec: Option<&Codec>) -> bool {
    codec.is_some_and(|codec| matches!(codec.kind(), CodecKind::Boolean(_)))
}

/// Whether cells of this word keep it.
fn has_word(codec: &Codec, word: &str) -> bool {
    match codec.kind() {
        CodecKind::Category(words) => words.values().iter().any(|value| value.eq_ignore_ascii_case(word)),
        CodecKind::Boolean(_) => true,
        _ => match (word.trim().parse::<f64>(), ends(codec, codec)) {
            (Ok(value), Some([low, high])) => (low..=high).contains(&value),
            _ => false,
        },
    }
}

/// The ends of a column of numbers or dates, in the units of the stated one.
fn ends(codec: &Codec, stated: &Codec) -> Option<[f64; 2]> {
    let of = |code: u32| match codec.meaning(code) {
        Meaning::Integers(first, last) | Meaning::Dates(first, last) | Meaning::DateTimes(first, last) => {
            Some([first as f64, last as f64])
        }
        Meaning::Numbers(first, last) => Some([first, last]),
        Meaning::Word(_) | Meaning::Other(_) | Meaning::Missing => None,
    };
    let factor = match (codec.kind(), stated.kind()) {
        (CodecKind::DateTime(..), CodecKind::Date(..)) => 1.0 / DAY,
        (CodecKind::Date(..), CodecKind::DateTime(..)) => DAY,
        _ => 1.0,
    };
    let (first, last) = (of(0)?, of(codec.present().checked_sub(1)?)?);
    Some([first[0] * factor, last[1] * factor])
}
