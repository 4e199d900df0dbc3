//! Networks that are chosen privately, against the greedy one.

use std::fmt::Write;

use anyhow::Result;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::binary::{Counts, information_sensitivity, parent_sets, select};
use super::plot::escaped;
use super::{Finding, Settings, Sheet, Study};
use crate::simulate::Copula;

const ROWS: usize = 1000;
const DEGREE: usize = 3;
const ALPHAS: [f64; 4] = [50.0, 5.0, 0.5, 0.05];

/// The parents of each column.
type Network = Vec<Vec<usize>>;

/// In the columns' order each takes the parents of the highest mutual information, or, with a
/// budget, one set by the exponential mechanism.
fn network(counts: &Counts, alpha: Option<f64>, seed: u64) -> Network {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let sensitivity = information_sensitivity(counts.total());
    let parents = |child: usize| {
        let sets = parent_sets(child, DEGREE);
        let scores: Vec<f64> = sets.iter().map(|set| counts.information(child, set)).collect();
        let epsilon = alpha.map_or(f64::INFINITY, |alpha| alpha / (counts.columns() - 1) as f64);
        let chosen = if epsilon.is_finite() {
            select(&scores, epsilon, sensitivity, &mut rng)
        } else {
            (0..scores.len()).reduce(|best, next| if scores[next] > scores[best] { next } else { best }).unwrap_or(0)
        };
        sets[chosen].clone()
    };
    std::iter::once(Vec::new()).chain((1..counts.columns()).map(parents)).collect()
}

/// The share of edges that either has and both have.
fn agreement(one: &Network, other: &Network) -> f64 {
    let edges = |network: &Network| -> Vec<(usize, usize)> {
        network
            .iter()
            .enumerate()
            .flat_map(|(child, parents)| parents.iter().map(move |&parent| (parent, child)))
            .collect()
    };
    let (one, other) = (edges(one), edges(other));
    let both = one.iter().filter(|edge| other.contains(edge)).count();
    both as f64 / (one.len() + other.len() - both).max(1) as f64
}

pub(super) fn run(settings: &Settings) -> Result<Study> {
    let counts = Counts::of(&Copula::report()?.table(ROWS, 1)?)?;
    let greedy = network(&counts, None, 0);
    let runs: u64 = settings.pick(500, 10_000);
    let mut sheet = Sheet::new(&[
        "alpha",
        "runs",
        "mean agreement of edges",
        "share identical",
        "mean parents a column",
        "mean information in bits",
    ]);
    let information =
        |network: &Network| -> f64 { (1..network.len()).map(|child| counts.information(child, &network[child])).sum() };
    let parents = |network: &Network| network.iter().map(Vec::len).sum::<usize>() as f64 / (network.len() - 1) as f64;
    sheet.line(&[&"greedy", &1, &1, &1, &parents(&greedy), &information(&greedy)]);
    let mut drawn = vec![("greedy: no privacy".to_owned(), greedy.clone())];
    let mut agreements = Vec::new();
    for alpha in ALPHAS {
        let networks: Vec<Network> = (0..runs).map(|seed| network(&counts, Some(alpha), seed)).collect();
        let mean = |of: &dyn Fn(&Network) -> f64| networks.iter().map(of).sum::<f64>() / runs as f64;
        let (edges, same) = (mean(&|one| agreement(one, &greedy)), mean(&|one| f64::from(u8::from(*one == greedy))));
        sheet.line(&[&alpha, &runs, &edges, &same, &mean(&parents), &mean(&information)]);
        agreements.push((edges, same, mean(&parents)));
        drawn.push((format!("alpha = {alpha}, one draw"), networks[0].clone()));
    }
    let list = |of: &dyn Fn(&(f64, f64, f64)) -> f64| {
        agreements.iter().map(|one| format!("{:.2}", of(one))).collect::<Vec<_>>().join(", ")
    };
    let findings = vec![
        Finding::new(
            "the less privacy, the closer to the greedy network",
            agreements.windows(2).all(|pair| pair[0].0 >= pair[1].0 - 0.02),
            format!("edges shared with the greedy network at alpha 50, 5, 0.5, 0.05: {}", list(&|one| one.0)),
        ),
        Finding::new(
            "at alpha = 50 the network is the greedy one",
            agreements[0].1 > 0.5,
            format!("identical in {:.0}% of draws (the report shows one)", 100.0 * agreements[0].1),
        ),
        Finding::new(
            "with more privacy parent sets shrink",
            agreements[0].2 > agreements[3].2,
            format!("parents a column at alpha 50, 5, 0.5, 0.05: {}", list(&|one| one.2)),
        ),
    ];
    let notes = vec!["the budget is for the network alone, as in the report's figure".to_owned()];
    Ok(Study { sheet, svg: picture(&drawn), findings, notes })
}

/// Columns on circles, arrows from parents to children.
fn picture(networks: &[(String, Network)]) -> String {
    const SIDE: f64 = 200.0;
    let width = SIDE * networks.len() as f64;
    let mut out = String::new();
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} 230\" width=\"{width}\" role=\"img\" \
         aria-label=\"Bayesian networks at five budgets\"><title>Bayesian networks at five budgets</title><style>\
         text{{font:12px system-ui,sans-serif;fill:#1c2430}}.bg{{fill:#fff}}.n{{fill:#f4f6f9;stroke:#5b6675}}\
         .e{{stroke:#1f6feb;stroke-width:1.4;marker-end:url(#a)}}@media (prefers-color-scheme:dark){{text{{fill:#e7ebf0}}\
         .bg{{fill:#14191f}}.n{{fill:#1d242c;stroke:#a3afbd}}.e{{stroke:#6ea8fe}}}}</style><defs><marker id=\"a\" \
         viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
         <path d=\"M0 0L8 4L0 8z\" fill=\"#1f6feb\"/></marker></defs><rect class=\"bg\" width=\"{width}\" height=\"230\"/>"
    );
    for (index, (title, network)) in networks.iter().enumerate() {
        let left = SIDE * index as f64;
        let place = |column: usize| {
            let turn = std::f64::consts::TAU * column as f64 / network.len() as f64 - std::f64::consts::FRAC_PI_2;
            (left + SIDE / 2.0 + 68.0 * turn.cos(), 125.0 + 68.0 * turn.sin())
        };
        let _ =
            write!(out, "<text x=\"{}\" y=\"22\" text-anchor=\"middle\">{}</text>", left + SIDE / 2.0, escaped(title));
        for (child, parents) in network.iter().enumerate() {
            for &parent in parents {
                let ((x0, y0), (x1, y1)) = (place(parent), place(child));
                let length = ((x1 - x0).powi(2) + (y1 - y0).powi(2)).sqrt();
                let (dx, dy) = (15.0 * (x1 - x0) / length, 15.0 * (y1 - y0) / length);
                let _ = write!(
                    out,
                    "<path class=\"e\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>",
                    x0 + dx,
                    y0 + dy,
                    x1 - dx,
                    y1 - dy
                );
            }
        }
        for column in 0..network.len() {
            let (x, y) = place(column);
            let _ = write!(out, "<circle class=\"n\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"14\"/>");
            let _ = write!(out, "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>", y + 4.0, column + 1);
        }
    }
    out.push_str("</svg>\n");
    out
}
