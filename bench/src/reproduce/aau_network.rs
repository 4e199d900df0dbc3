//! Networks that are chosen privately, against the greedy one.

use std::f64::consts::{FRAC_PI_2, TAU};

use anyhow::Result;
use maud::html;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::binary::{BinaryCounts, information_sensitivity, parent_sets, select};
use super::figure::PaperFigure;
use super::recorder::Recorder;
use super::results::StudyResults;
use super::study::Study;
use super::verdict::{Verdict, above_zero, below, mean_and_error};
use crate::plot::{picture, short, wrap};
use crate::simulate::Copula;

pub(super) const FIGURE: PaperFigure = PaperFigure {
    name: "aau-network",
    about: "private networks against the greedy one",
    from: "Aalborg report, figures 4.1-4.2",
    paper: "One draw each: at alpha = 50 the network is the greedy one, and at 5, 0.5 and 0.05 it moves away and \
            parent sets shrink.",
    differs: "Many draws each instead of one. The budget is for the network alone, as in the report's figure. At \
              0.05 the choice is as good as blind: what agreement is left is that of random sets.",
    record,
    read,
};

const CAPTION: &str = "Five binary columns, arrows from parents to children; one draw at each budget beside the \
                       network that is chosen without privacy.";
const TITLE: &str = "Bayesian networks at five budgets";
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

/// Shares are taken over batches of draws, so that their scatter is seen.
const BATCHES: u64 = 10;
const SERIES: &str = "private networks";
const PANELS: [&str; 4] =
    ["edges shared with the greedy network", "identical to it", "parents a column", "information in bits"];

fn example() -> Result<BinaryCounts> {
    BinaryCounts::of(&Copula::report()?.table(ROWS, 1)?)
}

fn parents(network: &ParentLists) -> f64 {
    network.iter().map(Vec::len).sum::<usize>() as f64 / (network.len() - 1) as f64
}

fn record(recorder: &mut Recorder) -> Result<()> {
    let counts = example()?;
    let greedy = network(&counts, None, 0);
    let runs: u64 = recorder.settings.pick3(5, 50, 1_000);
    let information = |network: &ParentLists| -> f64 {
        (1..network.len()).map(|child| counts.information(child, &network[child])).sum()
    };
    recorder.note(format!("a run is a batch of {runs} networks"));
    for alpha in ALPHAS {
        recorder.trials(&PANELS, SERIES, alpha, BATCHES, |trial| {
            let networks: Vec<ParentLists> =
                (0..runs).map(|run| network(&counts, Some(alpha), trial.seed.wrapping_add(run))).collect();
            let mean = |of: &dyn Fn(&ParentLists) -> f64| networks.iter().map(of).sum::<f64>() / runs as f64;
            Ok(vec![
                mean(&|one| agreement(one, &greedy)),
                mean(&|one| f64::from(u8::from(*one == greedy))),
                mean(&parents),
                mean(&information),
            ])
        })?;
    }
    Ok(())
}

fn read(results: &StudyResults) -> Study {
    let mut study = Study::new(TITLE, CAPTION);
    let values = |panel: usize, alpha: f64| results.values(PANELS[panel], SERIES, alpha);
    let told = |panel: usize| ALPHAS.map(|alpha| mean_and_error(values(panel, alpha), 3)).join(", ");
    let falls = |panel: usize| {
        Verdict::all(ALPHAS.windows(2).map(|pair| below(values(panel, pair[1]), values(panel, pair[0]), 0.0)))
    };
    study.finding(
        "the less privacy, the closer to the greedy network",
        falls(0),
        format!("edges shared with the greedy network at alpha 50, 5, 0.5, 0.05: {}", told(0)),
    );
    let most: Vec<f64> = values(1, ALPHAS[0]).iter().map(|share| share - 0.5).collect();
    study.finding(
        "at alpha = 50 the network is the greedy one",
        above_zero(&most),
        format!(
            "identical in a share of {} of the draws (the report shows one)",
            mean_and_error(values(1, ALPHAS[0]), 3)
        ),
    );
    study.finding(
        "with more privacy parent sets shrink",
        below(values(2, ALPHAS[3]), values(2, ALPHAS[0]), 0.0),
        format!("parents a column at alpha 50, 5, 0.5, 0.05: {}", told(2)),
    );
    study.drawing = example().ok().map(|counts| {
        let mut drawn = vec![("greedy: no privacy".to_owned(), network(&counts, None, 0))];
        drawn.extend(ALPHAS.map(|alpha| (format!("alpha = {alpha}, one draw"), network(&counts, Some(alpha), 1))));
        drawing(&drawn)
    });
    study
}

const STYLE: &str = "text{font:13px system-ui,sans-serif;fill:#1c2430}.h{font-weight:600;font-size:15px}.bg{fill:#fff}\
.n{fill:#f4f6f9;stroke:#5b6675}.e{stroke:#1f6feb;stroke-width:1.4;marker-end:url(#a)}\
@media screen and (prefers-color-scheme:dark){text{fill:#e7ebf0}.bg{fill:#14191f}.n{fill:#1d242c;stroke:#a3afbd}.e{stroke:#6ea8fe}}";
/// The width and height of one network, two beside each other.
const SIDE: (f64, f64) = (220.0, 200.0);
const HEADING: f64 = 30.0;
const LINE: f64 = 17.0;

/// Columns on circles, arrows from parents to children.
fn drawing(networks: &[(String, ParentLists)]) -> String {
    let width = 2.0 * SIDE.0;
    let foot = HEADING + SIDE.1 * networks.len().div_ceil(2) as f64;
    let caption = wrap(CAPTION, 13.0, width - 24.0);
    let drawn = html! {
        defs {
            marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto" {
                path d="M0 0L8 4L0 8z" fill="#1f6feb" {}
            }
        }
        text.h x="12" y="22" { (TITLE) }
        @for (index, (title, network)) in networks.iter().enumerate() {
            @let middle = (SIDE.0 * ((index % 2) as f64 + 0.5), HEADING + SIDE.1 * (index / 2) as f64 + 108.0);
            text x=(middle.0) y=(middle.1 - 90.0) text-anchor="middle" { (title) }
            @for (child, parents) in network.iter().enumerate() {
                @for &parent in parents { path.e d=(arrow(place(parent, middle), place(child, middle))) {} }
            }
            @for column in 0..network.len() {
                @let (x, y) = place(column, middle);
                circle.n cx=(short(x)) cy=(short(y)) r="14" {}
                text x=(short(x)) y=(short(y + 4.0)) text-anchor="middle" { (column + 1) }
            }
        }
        @for (index, line) in caption.iter().enumerate() {
            text x="12" y=(foot + LINE * (index as f64 + 1.0)) { (line) }
        }
    };
    picture(TITLE, STYLE, (width, foot + LINE * caption.len() as f64 + 14.0), &drawn)
}

/// Where a column of the report's five stands on its circle.
fn place(column: usize, middle: (f64, f64)) -> (f64, f64) {
    let turn = TAU * column as f64 / 5.0 - FRAC_PI_2;
    (middle.0 + 66.0 * turn.cos(), middle.1 + 66.0 * turn.sin())
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
