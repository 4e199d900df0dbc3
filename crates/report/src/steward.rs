//! The steward's page: real against synthetic. Never published.

use lookalike_evaluate::marginals::Ways;
use lookalike_evaluate::{ColumnComparison, TableComparison};
use lookalike_schema::{AttrId, Schema};
use maud::{Markup, html};

use crate::chart::{BarSeries, bars};
use crate::frame::{Section, page, steward_only};
use crate::heat;
use crate::number::{distance, percent, whole};
use crate::table::{cells, first_few, table};

/// Columns shown before the rest is folded.
const SHOWN: usize = 30;
/// Marginals in the lists of the worst.
const WORST: usize = 15;

/// The page that compares the synthetic rows with the real ones. `schema` is that of both tables;
/// `triples` are sets of three columns, as far as there are any.
pub fn steward_page(schema: &Schema, comparison: &TableComparison, triples: Option<&Ways>) -> String {
    let triples = triples.filter(|triples| !triples.marginals.is_empty());
    let mut sections = vec![Section::new("short", "In short", summary(schema, comparison, triples))];
    if !comparison.columns.is_empty() {
        sections.push(Section::new("worst", "Where it is furthest off", worst(schema, comparison, triples)));
        sections.push(Section::new("columns", "Every column", columns(schema, comparison)));
    }
    if !comparison.pairs.is_empty() && schema.domain().len() <= heat::MOST_COLUMNS {
        let map = html! { figure.scroll { (heat::map(schema, &comparison.pairs)) } };
        sections.push(Section::new("pairs", "Every pair of columns", map));
    }
    let headings = ["comparison with the real rows", "How close the synthetic rows came"];
    page("steward-only: synthetic against real", headings, steward_only(), &sections)
}

/// What the release has nothing of, which distances do not show.
pub(crate) fn lost(schema: &Schema, comparison: &TableComparison) -> Markup {
    html! { @for words in comparison.lost_in_words(schema) { p { (words) } } }
}

fn summary(schema: &Schema, comparison: &TableComparison, triples: Option<&Ways>) -> Markup {
    html! {
        (lost(schema, comparison))
        div.scroll {
            table {
                tbody {
                    tr { th { "Real rows" } td.n { (whole(comparison.real_rows)) } }
                    tr { th { "Synthetic rows" } td.n { (whole(comparison.synthetic_rows)) } }
                    tr { th { "Mean distance of single columns" } td.n { (distance(comparison.mean_column_distance())) } }
                    tr { th { "Mean distance of pairs of columns" } td.n { (distance(comparison.mean_pair_distance())) } }
                    @if let Some(triples) = triples {
                        tr { th { "Mean distance of sets of three columns" } td.n { (distance(triples.mean())) } }
                    }
                }
            }
        }
        p.small.soft {
            "Distance is the total variation distance: the share of rows that would have to move for the two tables to agree. "
            "0 is the same, 1 has nothing in common."
        }
        @if let Some(triples) = triples { (sampled(comparison, triples)) }
    }
}

/// What of the sets of three columns is a sample, and what sampling alone does to them.
fn sampled(comparison: &TableComparison, triples: &Ways) -> Markup {
    let [real, synthetic] = triples.rows;
    let is_part = real < comparison.real_rows || synthetic < comparison.synthetic_rows;
    html! {
        p.small.soft {
            "Sets of three columns: "
            @if triples.all { "all " (whole(triples.marginals.len() as u64)) }
            @else { (whole(triples.marginals.len() as u64)) " at random" }
            @if is_part { ", on " (whole(real)) " real and " (whole(synthetic)) " synthetic rows taken at random" }
            ". If all these rows were mixed and dealt out again, their mean distance would be " (distance(triples.floor()))
            ": no release needs to be below it."
        }
    }
}

/// Pictures of all columns, real beside synthetic.
pub(crate) fn columns(schema: &Schema, comparison: &TableComparison) -> Markup {
    let lost = comparison.lost_to_other(schema);
    let is_lost = |attribute: AttrId| lost.iter().any(|lost| lost.attribute == attribute && lost.is_all);
    let one = |column: &ColumnComparison| {
        let codec = schema.codec(column.attribute);
        let name = &schema.column(column.attribute).name;
        let label = |code: usize| codec.label(code as u32);
        let series = [
            BarSeries { shares: &column.real, class: "a", word: "real" },
            BarSeries { shares: &column.synthetic, class: "b", word: "synthetic" },
        ];
        html! {
            figure {
                h3 {
                    (name) " "
                    span.soft.small {
                        @if is_lost(column.attribute) { "lost: no value is listed" }
                        @else { "distance " (distance(column.distance)) }
                    }
                }
                (bars(&format!("Real and synthetic shares of {name}"), &label, &series))
            }
        }
    };
    html! {
        p.small { span.key.a {} "real " span.key.b {} "synthetic" }
        (first_few(&comparison.columns, SHOWN, "columns", |columns| html! {
            div.grid { @for column in columns { (one(column)) } }
        }))
    }
}

/// The columns, and the sets of two and three columns, with the largest distances, and the code
/// that a column is most wrong about.
fn worst(schema: &Schema, comparison: &TableComparison, triples: Option<&Ways>) -> Markup {
    let name = |attribute: AttrId| schema.column(attribute).name.as_str();
    let mut columns: Vec<&ColumnComparison> = comparison.columns.iter().collect();
    columns.sort_by(|one, other| other.distance.total_cmp(&one.distance));
    let joined = |set: &[AttrId]| set.iter().map(|&column| name(column)).collect::<Vec<_>>().join(" × ");
    let pairs =
        comparison.worst_pairs(WORST).into_iter().map(|pair| (joined(&[pair.first, pair.second]), pair.distance));
    let threes = triples.into_iter().flat_map(|triples| triples.worst(WORST));
    let threes = threes.map(|set| (joined(set.clique.attributes()), set.distance));
    let single = |column: &ColumnComparison| {
        cells(&[&name(column.attribute), &distance(column.distance), &most_wrong(schema, column)])
    };
    let columns = columns.into_iter().take(WORST).map(single);
    let titles = [("Column", "wrap"), ("Distance", "n"), ("Most wrong: real, synthetic", "wrap")];
    html! {
        div.beside {
            div { h3 { "Single columns" } (table(&titles, columns)) }
            @if !comparison.pairs.is_empty() { (worst_sets("Pairs of columns", pairs)) }
            @if triples.is_some() { (worst_sets("Three columns", threes)) }
        }
    }
}

/// Sets of columns, each with its distance.
fn worst_sets(title: &str, sets: impl Iterator<Item = (String, f64)>) -> Markup {
    let rows = sets.map(|(names, far)| cells(&[&names, &distance(far)]));
    html! { div { h3 { (title) } (table(&[("Columns", "wrap"), ("Distance", "n")], rows)) } }
}

fn most_wrong(schema: &Schema, column: &ColumnComparison) -> Markup {
    let gap = |code: &usize| (column.real[*code] - column.synthetic[*code]).abs();
    let codes = 0..column.real.len().min(column.synthetic.len());
    let Some(code) = codes.max_by(|one, other| gap(one).total_cmp(&gap(other)).then(other.cmp(one))) else {
        return html! { "-" };
    };
    let label = schema.codec(column.attribute).label(code as u32);
    html! { (label) ": " (percent(column.real[code])) ", " (percent(column.synthetic[code])) }
}
