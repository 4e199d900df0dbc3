//! Answers for programs: CSV and JSON.

use std::io::{self, Write};

use lookalike_model::Interval;
use serde_json::{Value, json};

use super::answer::Answer;

const NUMBERS: [&str; 8] =
    ["count", "count_error", "count_low", "count_high", "share", "share_error", "share_low", "share_high"];

impl Answer {
    /// Writes every line as CSV: the columns asked for, then counts and shares with their standard
    /// errors and 95% intervals, and what each interval is ([`IntervalKind`](super::IntervalKind)).
    /// Errors that are not known are empty.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut line = String::new();
        let names = self.columns().iter().map(String::as_str).chain(NUMBERS).chain(["kind"]);
        names.for_each(|name| push(&mut line, name));
        end(&mut line, out)?;
        for cell in self.cells() {
            cell.values.iter().for_each(|value| push(&mut line, value));
            numbers(&cell).iter().for_each(|number| push(&mut line, &number.map(text).unwrap_or_default()));
            push(&mut line, cell.errors.map_or("", |errors| errors.kind.word()));
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
                object.insert("kind".to_owned(), json!(cell.errors.map(|errors| errors.kind.word())));
                Value::Object(object)
            })
            .collect();
        json!({
            "guarantee": self.origin().guarantee,
            "method": self.origin().method,
            "columns": self.columns(),
            "where": self.condition(),
            "rows": rounded(self.total()),
            "rows_error": self.total_interval().and_then(|interval| interval.error).map(rounded),
            "rows_low": self.total_interval().map(|interval| rounded(interval.low)),
            "rows_high": self.total_interval().map(|interval| rounded(interval.high)),
            "notes": self.notes(),
            "cells": cells,
        })
    }
}

fn numbers(cell: &super::answer::Cell) -> [Option<f64>; 8] {
    let (count, share) = (cell.errors.map(|errors| errors.count), cell.errors.map(|errors| errors.share));
    let error = |interval: Option<Interval>| interval.and_then(|interval| interval.error);
    [
        Some(cell.count),
        error(count),
        count.map(|interval| interval.low),
        count.map(|interval| interval.high),
        Some(cell.share),
        error(share),
        share.map(|interval| interval.low),
        share.map(|interval| interval.high),
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
