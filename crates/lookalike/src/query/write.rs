//! Answers for programs: CSV and JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::Answer;

const NUMBERS: [&str; 8] =
    ["count", "count_error", "count_low", "count_high", "share", "share_error", "share_low", "share_high"];

impl Answer {
    /// Writes every line as CSV: the columns asked for, then counts and shares with their standard errors and 95% intervals,
    /// and whether the errors are only lower bounds. Errors that are not known are empty.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut line = String::new();
        let names = self.columns().iter().map(String::as_str).chain(NUMBERS).chain(["errors_are"]);
        names.for_each(|name| push(&mut line, name));
        end(&mut line, out)?;
        let kind = match (&self.bars, self.is_lower_bound()) {
            (None, _) => "",
            (Some(_), true) => "lower bounds",
            (Some(_), false) => "standard errors",
        };
        for cell in self.cells() {
            cell.values.iter().for_each(|value| push(&mut line, value));
            numbers(&cell).iter().for_each(|number| push(&mut line, &number.map(text).unwrap_or_default()));
            push(&mut line, kind);
            end(&mut line, out)?;
        }
        Ok(())
    }

    /// Everything as JSON.
    pub fn to_json(&self) -> Value {
        let cells: Vec<Value> = self
            .cells()
            .map(|cell| {
                let mut object = serde_json::Map::new();
                object.insert("values".to_owned(), json!(cell.values));
                for (name, number) in NUMBERS.iter().zip(numbers(&cell)) {
                    object.insert((*name).to_owned(), json!(number.map(rounded)));
                }
                Value::Object(object)
            })
            .collect();
        json!({
            "guarantee": self.origin().guarantee,
            "method": self.origin().method,
            "columns": self.columns(),
            "where": self.condition(),
            "rows": rounded(self.total()),
            "rows_error": self.total_error().map(rounded),
            "errors_are_lower_bounds": self.is_lower_bound(),
            "notes": self.notes(),
            "cells": cells,
        })
    }
}

fn numbers(cell: &super::Cell) -> [Option<f64>; 8] {
    let error = |get: fn(&super::Errors) -> f64| cell.errors.as_ref().map(get);
    [
        Some(cell.count),
        error(|errors| errors.count),
        error(|errors| errors.count_interval.0),
        error(|errors| errors.count_interval.1),
        Some(cell.share),
        error(|errors| errors.share),
        error(|errors| errors.share_interval.0),
        error(|errors| errors.share_interval.1),
    ]
}

/// Seven digits: more would be noise, and differ between machines.
fn rounded(value: f64) -> f64 {
    format!("{value:.6e}").parse().unwrap_or(value)
}

fn text(value: f64) -> String {
    let value = rounded(value);
    let size = value.abs();
    if size != 0.0 && !(1e-6..1e15).contains(&size) { format!("{value:e}") } else { format!("{value}") }
}

/// Adds a field to a line.
fn push(line: &mut String, field: &str) {
    if !line.is_empty() {
        line.push(',');
    }
    if field.contains(['"', ',', '\n', '\r']) || (line.is_empty() && field.is_empty()) {
        line.push('"');
        line.push_str(&field.replace('"', "\"\""));
        line.push('"');
    } else {
        line.push_str(field);
    }
}

fn end(line: &mut String, out: &mut dyn Write) -> io::Result<()> {
    line.push('\n');
    out.write_all(line.as_bytes())?;
    line.clear();
    Ok(())
}
