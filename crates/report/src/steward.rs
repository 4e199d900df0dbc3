//! The steward's page: real against synthetic. Never published.

use lookalike_evaluate::{Comparison, PairDistance};
use lookalike_schema::Schema;
use maud::{Markup, html};

use crate::chart::{Series, bars};
use crate::frame::{banner, folded, page};
use crate::heat;
use crate::number::whole;

/// Columns shown before the rest is folded.
const SHOWN: usize = 30;
/// Pairs in the list of the worst.
const WORST: usize = 15;

/// The page that compares the synthetic rows with the real ones. `schema` is that of both tables.
pub fn steward_page(schema: &Schema, comparison: &Comparison) -> String {
    let body = html! {
        header {
            p.soft.small { "Lookalike · comparison with the real rows" }
            h1 { "How close the synthetic rows came" }
        }
        (banner("steward-only: do not publish", html! {
            p {
                "This page was made from the real rows without paying for it. It is for whoever may see the real table, and "
                "covered by no guarantee."
            }
            p {
                "Choosing among several releases after reading pages like this one is not covered either: the choice itself "
                "tells something about the real rows. Decide on method and budget before, or pay for each run."
            }
        }))
        main {
            h2 { "In short" }
            (summary(comparison))
            h2 { "Every column" }
            (columns(schema, comparison))
            @if !comparison.pairs.is_empty() {
                h2 { "Pairs of columns" }
                (pairs(schema, comparison))
            }
        }
    };
    page("steward-only: synthetic against real", body)
}

fn summary(comparison: &Comparison) -> Markup {
    html! {
        div.scroll {
            table {
                tbody {
                    tr { th { "Real rows" } td.n { (whole(comparison.real_rows)) } }
                    tr { th { "Synthetic rows" } td.n { (whole(comparison.synthetic_rows)) } }
                    tr { th { "Mean distance of single columns" } td.n { (distance(comparison.mean_column_distance())) } }
                    tr { th { "Mean distance of pairs of columns" } td.n { (distance(comparison.mean_pair_distance())) } }
                }
            }
        }
        p.small.soft {
            "Distance is the total variation distance: the share of rows that would have to move for the two tables to agree. "
            "0 is the same, 1 has nothing in common."
        }
    }
}

fn columns(schema: &Schema, comparison: &Comparison) -> Markup {
    let one = |column: &lookalike_evaluate::ColumnComparison| {
        let codec = schema.codec(column.attribute);
        let name = &schema.column(column.attribute).name;
        let label = |code: usize| codec.label(code as u32);
        let series = [
            Series { shares: &column.real, class: "a", word: "real" },
            Series { shares: &column.synthetic, class: "b", word: "synthetic" },
        ];
        html! {
            figure {
                h3 { (name) " " span.soft.small { "distance " (distance(column.distance)) } }
                (bars(&format!("Real and synthetic shares of {name}"), &label, &series))
            }
        }
    };
    html! {
        p.small { span.key.a {} "real " span.key.b {} "synthetic" }
        div.grid { @for column in comparison.columns.iter().take(SHOWN) { (one(column)) } }
        @if comparison.columns.len() > SHOWN {
            (folded(comparison.columns.len() - SHOWN, "columns", html! {
                div.grid { @for column in &comparison.columns[SHOWN..] { (one(column)) } }
            }))
        }
    }
}

fn pairs(schema: &Schema, comparison: &Comparison) -> Markup {
    let name =
        |pair: &PairDistance| (schema.column(pair.first).name.as_str(), schema.column(pair.second).name.as_str());
    html! {
        @if schema.domain().len() <= heat::MOST_COLUMNS { figure.scroll { (heat::map(schema, &comparison.pairs)) } }
        h3 { "The pairs that differ most" }
        div.scroll {
            table {
                thead { tr { th { "Columns" } th.n { "Distance" } } }
                tbody {
                    @for pair in comparison.worst_pairs(WORST) {
                        @let (first, second) = name(&pair);
                        tr { td.wrap { (first) " × " (second) } td.n { (distance(pair.distance)) } }
                    }
                }
            }
        }
    }
}

fn distance(value: f64) -> String {
    format!("{value:.4}")
}
