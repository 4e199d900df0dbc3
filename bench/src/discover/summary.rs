//! Found beside stated, table by table.

use super::facts::FoundFacts;
use super::figures::{DiscoverFigures, DiscoverLine, FOUND, SCHEMA, STATED};
use crate::grid::{GridCell, Summary};
use crate::raw::average::mean;
use crate::text_table::TextTable;

/// What the ratio of distances may be at an epsilon, where there are enough rows.
const BARS: [(f64, f64); 2] = [(1.0, 1.25), (3.0, 1.15)];
/// How much wider or narrower a range may be than the distance from the 1st to the 99th percentile.
const RANGE: f64 = 2.0;

/// One line a table and epsilon.
pub fn beside_stated(summary: &Summary<'_, DiscoverFigures>) -> TextTable {
    let mut table = TextTable::new(
        "table, rows x columns, epsilon, rows / noise, runs, stated, found, ratio, bar, other kind, \
         ranges within 2, width: least, most, most beyond, certain values, promised values",
    );
    for cell in &summary.cells {
        let stated = figures(summary, cell, STATED);
        let found = figures(summary, cell, FOUND);
        let Some(first) = found.first().or(stated.first()) else { continue };
        let facts: Vec<&FoundFacts> = found.iter().filter_map(|run| run.found.as_ref()).collect();
        let distances = [&stated, &found].map(|runs| mean(runs.iter().map(|run| run.tvd3)));
        let ratio = match distances {
            [Some(stated), Some(found)] if stated > 0.0 => Some(found / stated),
            _ => None,
        };
        let size = format!("{} x {}", first.rows, first.columns);
        let share = facts.first().map_or("-".into(), |facts| format!("{:.0}", first.rows as f64 / facts.noise));
        let shown = |value: Option<f64>, digits: usize| value.map_or("-".into(), |value| format!("{value:.digits$}"));
        let runs = format!("{} + {}", stated.len(), found.len());
        let is_enough = facts.iter().any(|facts| !facts.is_too_small);
        let ranges = RangeWords::new(&facts);
        let pairs = |of: fn(&FoundFacts) -> [u64; 2]| {
            let sums = facts.iter().map(|facts| of(facts)).fold([0, 0], |sum, [a, b]| [sum[0] + a, sum[1] + b]);
            format!("{} of {}", sums[1], sums[0])
        };
        table.push(&[
            &cell.table,
            &size,
            &cell.epsilon,
            &share,
            &runs,
            &shown(distances[0], 4),
            &shown(distances[1], 4),
            &shown(ratio, 2),
            &verdict(cell.epsilon, ratio, is_enough),
            &facts.iter().map(|facts| facts.other_kind.len()).sum::<usize>(),
            &ranges.within,
            &ranges.least,
            &ranges.most,
            &ranges.beyond,
            &pairs(|facts| facts.certain),
            &pairs(|facts| facts.promised),
        ]);
    }
    table
}

/// What is short of what was asked for, column by column.
pub fn shortfalls(summary: &Summary<'_, DiscoverFigures>) -> TextTable {
    let mut table = TextTable::new("table, epsilon, run, column, what");
    for cell in &summary.cells {
        for line in of_schema(summary, cell, FOUND) {
            let Some(facts) = line.result.as_ref().and_then(|figures| figures.found.as_ref()) else { continue };
            let mut push = |column: &String, what: String| {
                table.push(&[&cell.table, &cell.epsilon, &line.run, column, &what]);
            };
            for column in &facts.other_kind {
                push(column, "another kind".into());
            }
            let wide = facts.ranges.iter().filter(|_| !facts.is_too_small);
            for (column, range) in wide.filter(|(_, range)| range.width.is_some_and(|width| !is_within(width))) {
                let [low, high] = range.ends;
                let beyond = 100.0 * range.beyond;
                push(column, format!("{low} to {high}, width {:.2}, beyond {beyond:.2}%", range.width.unwrap_or(0.0)));
            }
            for (column, word, rows) in &facts.missed {
                push(column, format!("{word:?} of {rows} rows is not found"));
            }
        }
    }
    table
}

/// The ranges of some runs in words.
struct RangeWords {
    within: String,
    least: String,
    most: String,
    beyond: String,
}

impl RangeWords {
    fn new(facts: &[&FoundFacts]) -> Self {
        let ranges = || facts.iter().flat_map(|facts| facts.ranges.iter());
        let widths: Vec<(f64, &str)> =
            ranges().filter_map(|(name, range)| Some((range.width?, name.as_str()))).collect();
        let within = widths.iter().filter(|(width, _)| is_within(*width)).count();
        let named = |found: Option<&(f64, &str)>| {
            found.map_or("-".into(), |(width, name)| format!("{width:.2} ({})", name.replace('|', "/")))
        };
        let beyond = ranges().map(|(_, range)| range.beyond).fold(0.0, f64::max);
        Self {
            within: format!("{within} of {}", widths.len()),
            least: named(widths.iter().min_by(|a, b| a.0.total_cmp(&b.0))),
            most: named(widths.iter().max_by(|a, b| a.0.total_cmp(&b.0))),
            beyond: format!("{:.2}%", 100.0 * beyond),
        }
    }
}

fn is_within(width: f64) -> bool {
    (1.0 / RANGE..=RANGE).contains(&width)
}

fn verdict(epsilon: f64, ratio: Option<f64>, is_enough: bool) -> String {
    let bar = BARS.iter().find(|(at, _)| *at == epsilon);
    match (bar, ratio) {
        _ if !is_enough => "too few rows".into(),
        (Some((_, most)), Some(ratio)) => format!("{most}: {}", if ratio <= *most { "holds" } else { "FAILS" }),
        _ => "-".into(),
    }
}

fn of_schema<'a>(
    summary: &'a Summary<'_, DiscoverFigures>,
    cell: &'a GridCell,
    schema: &'a str,
) -> impl Iterator<Item = &'a DiscoverLine> {
    let is_it = move |line: &&DiscoverLine| line.settings.get(SCHEMA).is_some_and(|own| own == schema);
    summary.variants.iter().flat_map(|variant| summary.of(cell, variant)).filter(is_it)
}

fn figures<'a>(
    summary: &'a Summary<'_, DiscoverFigures>,
    cell: &'a GridCell,
    schema: &'a str,
) -> Vec<&'a DiscoverFigures> {
    of_schema(summary, cell, schema).filter_map(|line| line.result.as_ref()).collect()
}
