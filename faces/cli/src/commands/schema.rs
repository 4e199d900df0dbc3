//! `lookalike schema draft` and `lookalike schema check`; `review` has a folder of its own.

use lookalike::{
    Checked, Error, MarkKind, Places, ProposedRule, ReadOptions, check_against, draft_schema, parse_encoding,
    propose_rules, read_any_schema, read_options, table_input, with_decimal, with_encoding, write_private,
};
use serde_json::json;

use super::STEWARD_ONLY;
use crate::args::{CheckArgs, DraftArgs};
use crate::called;
use crate::fail::{Ended, Failure, Outcome};
use crate::progress::watching;
use crate::stdout::{self, shown};

/// Writes a first schema.
pub fn draft(args: DraftArgs) -> Ended {
    if let Some(path) = &args.output {
        // Refused before the rows are read, not after.
        drop(lookalike::WholeFile::create_private(path, args.force)?);
    }
    let input = table_input(&args.data)?;
    let encoding = args.encoding.as_deref().map(parse_encoding).transpose()?;
    let options = ReadOptions { encoding, ..read_options(args.delimiter.as_deref(), None)? };
    let draft = watching(args.quiet, |progress, cancel| draft_schema(&input, &options, progress, cancel))?;
    let text = draft.to_toml();
    match &args.output {
        // It holds words of the rows.
        Some(path) => write_private(path, args.force, text.as_bytes())?,
        None => stdout::text_of(&text)?,
    }
    if !args.quiet {
        crate::say::say!("lookalike: {STEWARD_ONLY}");
        draft.warnings().iter().for_each(|warning| crate::say::say!("lookalike: {warning}"));
        let marks = draft.schema().unreviewed();
        let telling = marks.iter().filter(|mark| mark.kind == MarkKind::Telling).count();
        crate::say::say!(
            "lookalike: {} facts are marked for review: {telling} may tell something, the others are harmless",
            marks.len()
        );
        if let Some(path) = &args.output {
            let (program, data) = (called::program(), shown(&args.data));
            crate::say::say!("lookalike: next: {program} schema review {} {data}", shown(path));
        }
    }
    Ok(Outcome::Done)
}

/// Checks a schema, and a table against it.
pub fn check(args: CheckArgs) -> Ended {
    let open = read_any_schema(&args.schema)?;
    // Facts that are to be discovered are not there to be checked.
    let stand_in = open.stand_in().map_err(Error::from)?;
    let nothing = "schema: no column is listed, so there is nothing to check; synth discovers all of them";
    let schema = stand_in.ok_or_else(|| Failure::Usage(nothing.to_owned()))?;
    let schema = with_decimal(schema, args.read.decimal.as_deref())?;
    let schema = with_encoding(schema, args.read.encoding.as_deref())?;
    let against = |data| {
        let (input, options) = (table_input(data)?, read_options(args.read.delimiter.as_deref(), None)?);
        watching(args.quiet, |progress, cancel| check_against(&schema, &input, &options, progress, cancel))
    };
    let mut found = args.data.as_deref().map(against).transpose()?;
    let discovered: Vec<&str> = open.listed().filter(|&(_, open)| open).map(|(name, _)| name).collect();
    if let Some(found) = &mut found {
        found.outside.retain(|(column, _)| !discovered.contains(&column.as_str()));
        found.lost.retain(|column| !discovered.contains(&column.as_str()));
    }
    let rules = found.as_ref().map(|found| propose_rules(&open, &found.rules)).unwrap_or_default();
    let unreviewed: Vec<String> = schema.unreviewed().iter().map(ToString::to_string).collect();
    let warnings = schema.warnings();
    if args.json {
        stdout::json(&json!({
            "columns": schema.columns().len(),
            "modelled": schema.domain().len(),
            "warnings": warnings,
            "unreviewed": unreviewed,
            "steward_only": found.as_ref().map(|found| as_json(found, &rules)),
        }))?;
    } else {
        for warning in &warnings {
            stdout::line(format!("warning: {warning}"))?;
        }
        if found.as_ref().is_some_and(|found| found.undecodable > 0) {
            stdout::line(format!("warning: {NOT_UTF_8}"))?;
        }
        // Said even where little is to be said: such a release would look well and hold nothing.
        for column in found.iter().flat_map(|found| &found.lost) {
            stdout::line(format!(
                "warning: column {column:?}: not one of its cells is what the schema describes, so a release would hold \
                 none of its values; correct its range, values or type"
            ))?;
        }
        if !args.quiet {
            stdout::line(format!("{} columns, {} modelled", schema.columns().len(), schema.domain().len()))?;
            if !discovered.is_empty() {
                stdout::line(format!("synth discovers facts of: {}", discovered.join(", ")))?;
            }
            show_review(&unreviewed)?;
            if let Some(found) = &found {
                show_shapes(found)?;
                show_cells(found)?;
                show_rules(&rules)?;
            }
        }
    }
    if found.is_some() && !args.quiet {
        crate::say::say!("lookalike: {STEWARD_ONLY}");
    }
    Ok(Outcome::Done)
}

fn show_review(unreviewed: &[String]) -> Result<(), Failure> {
    match unreviewed {
        [] => stdout::line("every fact is reviewed: synth will print a guarantee"),
        marks => {
            stdout::line(format!("{} facts wait for review: synth refuses this schema", marks.len()))?;
            marks.iter().try_for_each(|mark| stdout::line(format!("  {mark}")))
        }
    }
}

/// Rules that every row keeps, with what a schema would say and where.
fn show_rules(rules: &[ProposedRule]) -> Result<(), Failure> {
    if rules.is_empty() {
        return Ok(());
    }
    stdout::line(
        "every row keeps these rules. To adopt one because of that is a look at the rows: do it only where it is so by \
         nature, and delete its mark then. The lines can be pasted as they stand:",
    )?;
    for rule in rules.iter().take(MOST_RULES) {
        rule.seen.iter().try_for_each(|seen| stdout::line(format!("  {seen}")))?;
        stdout::line(format!("  {}:", rule.place))?;
        stdout::line(format!("\n{}\n", rule.toml))?;
    }
    match rules.len().saturating_sub(MOST_RULES) {
        0 => Ok(()),
        more => stdout::line(format!("  and {more} more (--json has all of them)")),
    }
}

const NOT_UTF_8: &str = "some cells are not UTF-8 and become missing or other words: state the encoding in the schema, or say \
                         --encoding windows-1252 (or latin-1)";

/// Rules that are shown.
const MOST_RULES: usize = 20;

fn show_cells(found: &Checked) -> Result<(), Failure> {
    if found.outside.is_empty() {
        return stdout::line("every cell of the table fits the schema");
    }
    stdout::line("cells that the schema does not cover (they are clamped, or take the other, missing or first code):")?;
    found.outside.iter().try_for_each(|(column, cells)| stdout::line(format!("  {column}: {cells}")))
}

/// Records that are not what they should be, by their lines and never by their cells.
fn show_shapes(found: &Checked) -> Result<(), Failure> {
    if !found.unnamed.is_empty() {
        let places: Vec<String> = found.unnamed.iter().map(ToString::to_string).collect();
        stdout::line(format!("columns without a name in the header: {}", places.join(", ")))?;
    }
    for (_, words, places) in shapes(found) {
        if places.records > 0 {
            let lines: Vec<String> = places.lines.iter().map(ToString::to_string).collect();
            let more = if places.records > places.lines.len() as u64 { " and more" } else { "" };
            let file = places.file.as_ref().map(|file| format!(" of {file}")).unwrap_or_default();
            stdout::line(format!("{}: {}, at line {}{file}{more}", words, places.records, lines.join(", ")))?;
        }
    }
    if found.shapes.longest > 2 {
        stdout::line(format!(
            "the longest of the records with a line end inside quotes has {} lines: a stray quote joins all lines up to the next one",
            found.shapes.longest
        ))?;
    }
    Ok(())
}

/// A name for programs, words for people, and the places.
fn shapes(found: &Checked) -> [(&'static str, &'static str, &Places); 5] {
    let shapes = &found.shapes;
    [
        (
            "spanning",
            "records with a line end inside quotes (multiline = true reads them whole; otherwise every line is a record)",
            &shapes.spanning,
        ),
        (
            "unclosed",
            "records with a quote that is never closed (it holds the rest of its line; with multiline = true, of the file)",
            &shapes.unclosed,
        ),
        ("short", "records with fewer fields than the header (the others are empty)", &shapes.short),
        ("long", "records with more fields than the header (the last are dropped)", &shapes.long),
        ("cut", "records of more than 1 MiB (the rest is dropped)", &shapes.cut),
    ]
}

fn as_json(found: &Checked, rules: &[ProposedRule]) -> serde_json::Value {
    let outside: serde_json::Map<_, _> =
        found.outside.iter().map(|(column, cells)| (column.clone(), json!(cells))).collect();
    let records: serde_json::Map<_, _> = shapes(found)
        .map(|(name, _, places)| {
            let mut found = json!({ "records": places.records, "lines": places.lines });
            if let Some(file) = &places.file {
                found["file"] = json!(file);
            }
            (name.to_owned(), found)
        })
        .into_iter()
        .collect();
    let rules: Vec<serde_json::Value> =
        rules.iter().map(|rule| json!({ "seen": rule.seen, "place": rule.place, "toml": rule.toml })).collect();
    json!({
        "rows": found.rows,
        "cells_outside": outside,
        "columns_that_fit_no_cell": found.lost,
        "cells_not_utf_8": found.undecodable,
        "records_out_of_shape": records,
        "longest_record_lines": found.shapes.longest,
        "unnamed_columns": found.unnamed,
        "rules_that_all_rows_keep": rules,
    })
}
