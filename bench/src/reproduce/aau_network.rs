//! Networks that are chosen privately, against the greedy one.

use std::f64::consts::{FRAC_PI_2, TAU};

use anyhow::Result;
use maud::html;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::binary::{BinaryCounts, information_sensitivity, parent_sets, select};
use super::study::{Study, StudySettings, figures};
use crate::plot::{picture, short};
use crate::simulate::Copula;

const ROWS: usize = 1000;
const DEGREE: usize = 3;
const ALPHAS: [f64; 4] = [50.0, 5.0, 0.5, 0.05];

/// The parents of each column.
type ParentLists = Vec<Vec<usize>>;

/// In the columns' order each takes the parents of the highest mutual information, or, with a
/// budget, one set by the exponential mechanism.
fn network(counts: &BinaryCounts, alpha: Option<f64>, seed: u64) -> ParentLists {
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
fn agreement(one: &ParentLists, other: &ParentLists) -> f64 {
    let edges = |network: &ParentLists| -> Vec<(usize, usize)> {
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

pub(super) fn run(settings: &StudySettings) -> Result<Study> {
    let counts = BinaryCounts::of(&Copula::report()?.table(ROWS, 1)?)?;
    let greedy = network(&counts, None, 0);
    let runs: u64 = settings.pick(500, 10_000);
    let mut study = Study::new(
        "Bayesian networks at five budgets",
        1,
        "alpha, runs, mean agreement of edges, share identical, mean parents a column, mean information in bits",
    );
    let information = |network: &ParentLists| -> f64 {
        (1..network.len()).map(|child| counts.information(child, &network[child])).sum()
    };
    let parents =
        |network: &ParentLists| network.iter().map(Vec::len).sum::<usize>() as f64 / (network.len() - 1) as f64;
    study.table.push(&[&"greedy", &1, &1, &1, &parents(&greedy), &information(&greedy)]);
    let mut drawn = vec![("greedy: no privacy".to_owned(), greedy.clone())];
    let (mut edges, mut same, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    for alpha in ALPHAS {
        let networks: Vec<ParentLists> = (0..runs).map(|seed| network(&counts, Some(alpha), seed)).collect();
        let mean = |of: &dyn Fn(&ParentLists) -> f64| networks.iter().map(of).sum::<f64>() / runs as f64;
        edges.push(mean(&|one| agreement(one, &greedy)));
        same.push(mean(&|one| f64::from(u8::from(*one == greedy))));
        sizes.push(mean(&parents));
        let last = edges.len() - 1;
        study.table.push(&[&alpha, &runs, &edges[last], &same[last], &sizes[last], &mean(&information)]);
        drawn.push((format!("alpha = {alpha}, one draw"), networks[0].clone()));
    }
    study.finding(
        "the less privacy, the closer to the greedy network",
        edges.is_sorted_by(|more, less| *more >= less - 0.02),
        format!("edges shared with the greedy network at alpha 50, 5, 0.5, 0.05: {}", figures(&edges)),
    );
    study.finding(
        "at alpha = 50 the network is the greedy one",
        same[0] > 0.5,
        format!("identical in {:.0}% of draws (the report shows one)", 100.0 * same[0]),
    );
    study.finding(
        "with more privacy parent sets shrink",
        sizes[0] > sizes[3],
        format!("parents a column at alpha 50, 5, 0.5, 0.05: {}", figures(&sizes)),
    );
    study.note("the budget is for the network alone, as in the report's figure");
    study.drawing = Some(drawing(&drawn));
    Ok(study)
}

const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#1c2430}.bg{fill:#fff}.n{fill:#f4f6f9;stroke:#5b6675}\
.e{stroke:#1f6feb;stroke-width:1.4;marker-end:url(#a)}@media (prefers-color-scheme:dark){text{fill:#e7ebf0}\
.bg{fill:#14191f}.n{fill:#1d242c;stroke:#a3afbd}.e{stroke:#6ea8fe}}";
const SIDE: f64 = 200.0;

/// Columns on circles, arrows from parents to children.
fn drawing(networks: &[(String, ParentLists)]) -> String {
    let drawn = html! {
        defs {
            marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto" {
                path d="M0 0L8 4L0 8z" fill="#1f6feb" {}
            }
        }
        @for (index, (title, network)) in networks.iter().enumerate() {
            @let middle = SIDE * (index as f64 + 0.5);
            text x=(middle) y="22" text-anchor="middle" { (title) }
            @for (child, parents) in network.iter().enumerate() {
                @for &parent in parents { path.e d=(arrow(place(parent, middle), place(child, middle))) {} }
            }
            @for column in 0..network.len() {
                @let (x, y) = place(column, middle);
                circle.n cx=(short(x)) cy=(short(y)) r="14" {}
                text x=(short(x)) y=(short(y + 4.0)) text-anchor="middle" { (column + 1) }
            }
        }
    };
    picture("Bayesian networks at five budgets", STYLE, (SIDE * networks.len() as f64, 230.0), &drawn)
}

/// Where a column of the report's five stands on its circle.
fn place(column: usize, middle: f64) -> (f64, f64) {
    let turn = TAU * column as f64 / 5.0 - FRAC_PI_2;
    (middle + 68.0 * turn.cos(), 125.0 + 68.0 * turn.sin())
}

/// A path from the edge of one circle to the edge of another.
fn arrow((x0, y0): (f64, f64), (x1, y1): (f64, f64)) -> String {
    let length = (x1 - x0).hypot(y1 - y0);
    let (dx, dy) = (15.0 * (x1 - x0) / length, 15.0 * (y1 - y0) / length);
    format!("M{:.1} {:.1}L{:.1} {:.1}", x0 + dx, y0 + dy, x1 - dx, y1 - dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The report's figure 4.1 in about four samples of five: between 0.7 and 0.9 of 400, where the
    /// standard error is 0.02.
    #[test]
    fn the_report_s_network() {
        let copula = Copula::report().unwrap();
        let mut hits = 0;
        for seed in 0..400 {
            let found = network(&BinaryCounts::of(&copula.table(1000, seed).unwrap()).unwrap(), None, 0);
            assert_eq!(found[..4], [vec![], vec![0], vec![0, 1], vec![0, 1, 2]]);
            hits += u32::from(found[4] == [1, 2, 3]);
        }
        assert!((280..=360).contains(&hits), "{hits} of 400");
    }
}
