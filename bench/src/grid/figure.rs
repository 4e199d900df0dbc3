//! Accuracy and seconds of the default method beside the peers', as a picture.

use anyhow::{Context, Result};

use super::GridCell;
use super::cells::JUDGED;
use super::peers::{self, Clock};
use super::summary::{Metric, Summary};
use crate::plot::scatter::{LabelledMark, MarkShape, ScatterPanel, scatter};

/// The tables that most peers finish, each a panel.
const TABLES: [&str; 2] = ["adult", "nltcs"];
/// The epsilon at which most peers were measured.
const EPSILON: f64 = 0.8;

/// The mean distance of triples against seconds: a panel a table, a mark for `auto` and one for
/// each peer.
pub fn beside_peers(summary: &Summary) -> Result<String> {
    let figures = peers::figures()?;
    let (tvd3, seconds) = (Metric::find("tvd3")?, Metric::find("cpu_seconds")?);
    let mut panels = Vec::new();
    let mut runs = Vec::new();
    for table in TABLES {
        let cell = GridCell { table: table.to_owned(), epsilon: EPSILON };
        let mean = |metric| {
            let mean = summary.mean(&cell, JUDGED, metric);
            mean.with_context(|| format!("the file has no run of {JUDGED} on {table} at epsilon {EPSILON}"))
        };
        let (distance, spent) = (mean(tvd3)?, mean(seconds)?);
        runs.push(distance.runs);
        let at = (spent.mean, distance.mean);
        let ours = LabelledMark { at, label: format!("Lookalike {JUDGED}"), shape: MarkShape::Star };
        let here = figures.iter().filter(|peer| peer.table == table && peer.epsilon == EPSILON);
        let marks = std::iter::once(ours).chain(here.filter_map(peer_mark)).collect();
        panels.push(ScatterPanel { title: table.to_owned(), marks });
    }
    let runs = match (runs.iter().min(), runs.iter().max()) {
        (Some(least), Some(most)) if least < most => format!("{least} to {most}"),
        (least, _) => least.copied().unwrap_or(0).to_string(),
    };
    let cores = std::thread::available_parallelism().context("the number of cores is unknown")?;
    let notes = [
        format!(
            "Lower left is better; both axes are logarithmic. Lookalike: CPU seconds of the whole program \
             on {cores} cores, mean of {runs} runs."
        ),
        "Peers, their own code: discs in CPU seconds, rings in seconds on an H200 GPU. \
         † spends more than its epsilon."
            .to_owned(),
    ];
    let title = format!("Error and cost of synthetic tables at epsilon {EPSILON}");
    let words = ("seconds (CPU; rings: GPU)", "mean total variation distance of triples");
    Ok(scatter(&title, words, &panels, &notes))
}

fn peer_mark(peer: &peers::PeerFigure) -> Option<LabelledMark> {
    let seconds = peer.seconds.iter().sum::<f64>() / peer.seconds.len() as f64;
    let shape = match peer.clock {
        Clock::Cpu => MarkShape::Disc,
        Clock::Gpu => MarkShape::Ring,
    };
    let dagger = if peer.overspends { " †" } else { "" };
    Some(LabelledMark { at: (seconds, peer.tvd[1]?), label: format!("{}{dagger}", peer.tool), shape })
}
