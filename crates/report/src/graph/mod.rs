//! The model's structure as a drawn graph: columns as nodes, joined where they were measured
//! together.

mod order;

use std::collections::BTreeMap;

use lookalike_measurement::Statement;
use lookalike_model::Model;
use lookalike_schema::Clique;
use maud::{Markup, html};

use crate::label::shortened;
use crate::measured;
use crate::number::{place, whole};
use crate::table::{cells, first_few, plain_table};
use order::{GraphEdge, order};

/// Columns listed before the rest is folded.
const LISTED: usize = 12;
/// Where the names end and the arcs begin.
const NAMES: f64 = 132.0;
const WIDTH: f64 = 360.0;
/// The farthest that an arc reaches from the line of nodes.
const REACH: f64 = 205.0;

pub(crate) fn section(statement: &Statement, model: &Model) -> Markup {
    let schema = model.schema();
    let names: Vec<&str> =
        schema.domain().attributes().map(|attribute| schema.column(attribute).name.as_str()).collect();
    let edges = edges(measured::sets(statement, schema).iter());
    let pairs = names.len() * names.len().saturating_sub(1) / 2;
    html! {
        p { (model.in_words()) }
        @if edges.is_empty() {
            p.small.soft { "No two columns were counted together, so there is no graph to draw." }
        } @else {
            p {
                "A line joins two columns that were counted together, the thicker the more often: "
                (whole(edges.len() as u64)) " of " (whole(pairs as u64)) " pairs. Columns that hang together stand together. "
                "Between columns without a line, only what their neighbours pass on is kept."
            }
            div.beside {
                figure { (picture(&names, &edges)) }
                div { (lists(&names, &edges)) }
            }
        }
    }
}

/// Every pair of columns inside a measured set, with the number of sets that hold both.
fn edges<'a>(measured: impl Iterator<Item = &'a Clique>) -> Vec<GraphEdge> {
    let mut times: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    for clique in measured {
        let columns = clique.attributes();
        for (at, first) in columns.iter().enumerate() {
            for second in &columns[at + 1..] {
                *times.entry((first.index(), second.index())).or_default() += 1;
            }
        }
    }
    times.into_iter().map(|((first, second), times)| GraphEdge { first, second, times }).collect()
}

/// Nodes in a line and arcs beside it: no name ever covers another, however many there are.
fn picture(names: &[&str], edges: &[GraphEdge]) -> Markup {
    let order = order(names.len(), edges);
    let step = if names.len() <= 24 { 22.0 } else { 17.0 };
    let height = step * names.len() as f64 + 4.0;
    let mut places = vec![0.0; names.len()];
    order.iter().enumerate().for_each(|(at, &node)| places[node] = step * (at as f64 + 0.5) + 2.0);
    let length = |edge: &GraphEdge| (places[edge.first] - places[edge.second]).abs();
    let longest = edges.iter().map(length).fold(1.0, f64::max);
    let most = edges.iter().map(|edge| edge.times).max().unwrap_or(1);
    let mut joins = vec![0u32; names.len()];
    edges.iter().for_each(|edge| [edge.first, edge.second].into_iter().for_each(|node| joins[node] += 1));
    let words =
        format!("The graph of {} columns and {} joins; the list beside it has the same", names.len(), edges.len());
    html! {
        svg viewBox={ "0 0 " (place(WIDTH)) " " (place(height)) } width=(place(WIDTH)) role="img" aria-label=(words) {
            @for edge in edges {
                // One very strong join must not make all others invisible.
                @let strength = (f64::from(edge.times - 1) / f64::from(most.max(4) - 1)).sqrt();
                @let (top, bottom) = (places[edge.first].min(places[edge.second]), places[edge.first].max(places[edge.second]));
                // Long arcs reach further, but less than in proportion: short ones must still be
                // told apart.
                @let reach = (REACH * (length(edge) / longest).powf(0.75)).min(length(edge) * 1.2).max(8.0);
                path.edge stroke-width=(place(1.4 + 2.8 * strength)) stroke-opacity=(format!("{:.2}", 0.45 + 0.45 * strength))
                    d=(format!("M{x} {} C{c} {} {c} {} {x} {}", place(top), place(top), place(bottom), place(bottom),
                        x = place(NAMES), c = place(NAMES + reach * 4.0 / 3.0))) {
                    title { (names[edge.first]) " and " (names[edge.second]) ": " (times(edge.times)) }
                }
            }
            @for &node in &order {
                text x=(place(NAMES - 9.0)) y=(place(places[node] + 4.0)) text-anchor="end" { (shortened(names[node], NAMES - 9.0)) }
                circle.node cx=(place(NAMES)) cy=(place(places[node])) r=(if joins[node] > 0 { "4" } else { "2.5" }) {
                    title { (names[node]) ": joined with " (joins[node]) " others" }
                }
            }
        }
    }
}

/// The same in words: what each column was counted with.
fn lists(names: &[&str], edges: &[GraphEdge]) -> Markup {
    let mut with: Vec<Vec<GraphEdge>> = vec![Vec::new(); names.len()];
    for edge in edges {
        with[edge.first].push(*edge);
        with[edge.second].push(*edge);
    }
    with.iter_mut().for_each(|edges| edges.sort_by_key(|edge| std::cmp::Reverse(edge.times)));
    let line = |node: usize| {
        let others = with[node].iter().map(|edge| {
            let other = names[if edge.first == node { edge.second } else { edge.first }];
            if edge.times > 1 { format!("{other} ({}×)", edge.times) } else { other.to_owned() }
        });
        let others = others.collect::<Vec<_>>().join(", ");
        let others = html! { @if others.is_empty() { span.soft { "no other" } } @else { (others) } };
        cells(&[&names[node], &others])
    };
    let nodes: Vec<usize> = (0..names.len()).collect();
    let columns = [("Column", "wrap"), ("Counted together with", "wrap")];
    first_few(&nodes, LISTED, "columns", |nodes| plain_table(&columns, nodes.iter().map(|&node| line(node))))
}

fn times(count: u32) -> String {
    match count {
        1 => "counted together once".into(),
        2 => "counted together twice".into(),
        more => format!("counted together {more} times"),
    }
}

#[cfg(test)]
mod tests {
    use lookalike_schema::AttrId;

    use super::*;

    #[test]
    fn an_edge_is_as_strong_as_sets_hold_it() {
        let set = |columns: &[u32]| Clique::new(columns.iter().map(|&column| AttrId(column)));
        let measured = [set(&[]), set(&[0]), set(&[0, 1, 2]), set(&[1, 2]), set(&[2, 4])];
        let found: Vec<(usize, usize, u32)> =
            edges(measured.iter()).into_iter().map(|edge| (edge.first, edge.second, edge.times)).collect();
        assert_eq!(found, [(0, 1, 1), (0, 2, 1), (1, 2, 2), (2, 4, 1)]);
    }

    #[test]
    fn a_hundred_columns_fit_a_phone() {
        let names: Vec<String> = (0..100).map(|column| format!("a column of a long name {column}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let edges: Vec<GraphEdge> =
            (1..100).map(|second| GraphEdge { first: second / 3, second, times: 1 + second as u32 % 4 }).collect();
        let svg = picture(&names, &edges).into_string();
        assert!(svg.starts_with("<svg viewBox=\"0 0 360 1704\" width=\"360\""), "{}", &svg[..80]);
        assert_eq!(svg.matches("<path").count(), 99);
        assert_eq!(svg.matches("<text").count(), 100);
        // Nothing leaves the picture: the bend of a curve is at three quarters of its handles.
        for handle in svg.split(" C").skip(1).map(|rest| rest.split(' ').next().unwrap().parse::<f64>().unwrap()) {
            assert!(NAMES + 0.75 * (handle - NAMES) < WIDTH - 4.0, "{handle}");
        }
    }
}
