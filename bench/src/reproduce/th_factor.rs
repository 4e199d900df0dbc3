//! The factor d between the theory's upper and lower bounds: does post-processing close it?

use anyhow::Result;
use lookalike_model::{JunctionTree, Measurement, Options, estimate};
use lookalike_privacy::{DiscreteLaplace, Epsilon, Neighbours, Rational, Relation};
use lookalike_schema::Clique;

use super::figure::PaperFigure;
use super::recorder::Recorder;
use super::results::StudyResults;
use super::study::Study;
use super::verdict::{below, mean_and_error};
use crate::baselines::given_network::{Repair, noisy_network};
use crate::marginal::exact;
use crate::run::study_noise;
use crate::simulate::BooleanNetwork;
use crate::simulate::boolean::total_variation;

pub(super) const FIGURE: PaperFigure = PaperFigure {
    name: "th-factor",
    about: "how the error grows with the columns, by post-processing",
    from: "Statistical theory, section 5 and conclusion",
    paper: "The upper bound of PrivBayes grows as d^2, the lower bound as d: PrivBayes is sub-optimal by a \
            factor d at most. The authors hope to close it by post-processing, and leave that open.",
    differs: "The same noisy tables of a given random network of degree 2 (5,000 rows, epsilon = 1, another \
              network in every run), repaired in three ways: clamped and projected table by table, and all \
              fitted together by a graphical model, as `pb-pgm` does. The exponent is the slope of a line \
              through the logarithms of error and columns, run by run.",
    record,
    read,
};

const PANEL: &str = "total variation distance";
const WAYS: [&str; 3] = ["clamp", "projection", "all tables together"];
const ROWS: usize = 5_000;
const DEGREE: usize = 2;

fn measure(columns: usize, run: u64, seed: u64) -> Result<Vec<f64>> {
    let network = BooleanNetwork::random(columns, DEGREE, run);
    let table = network.table(ROWS, run ^ 0x21)?;
    let truth = network.fitted_to(&table)?.joint()?;
    let (epsilon, neighbours) = (Epsilon::new(1.0)?, Neighbours::new(Relation::AddRemove, 1)?);
    // The same noise for all three: the same seed. Without seeds each has its own.
    let of =
        |repair| noisy_network(&network, &table, epsilon, neighbours, repair, study_noise(seed)?.as_mut())?.joint();
    let (clamped, projected) = (of(Repair::Clamp)?, of(Repair::Project)?);
    let noise = DiscreteLaplace::new(Rational::at_least(columns as f64)?)?;
    let (cliques, mut bits) = (network.families(), study_noise(seed)?);
    let mut noisy = Vec::new();
    for mut cells in exact(&table, &cliques)? {
        noise.add_to(&mut cells, bits.as_mut());
        noisy.push(cells.into_iter().map(|count| count as f64).collect::<Vec<f64>>());
    }
    let variance = 2.0 * (columns * columns) as f64;
    let measurements: Vec<Measurement> = cliques
        .iter()
        .zip(&noisy)
        .map(|(clique, values)| Measurement { clique: clique.clone(), values, variance })
        .collect();
    let tree = JunctionTree::new(table.domain(), &cliques, &[])?;
    let fit = estimate(&tree, &measurements, &Options { tolerance: 1e-10, ..Options::default() })?;
    let joint = fit.model.marginal(&Clique::new(table.domain().attributes()))?;
    let cells = joint.values();
    let total: f64 = cells.iter().sum();
    let fitted: Vec<f64> = cells.iter().map(|cell| cell / total).collect();
    Ok([clamped, projected, fitted].iter().map(|made| total_variation(made, &truth)).collect())
}

fn record(recorder: &mut Recorder) -> Result<()> {
    let settings = recorder.settings;
    let runs = settings.pick3(1, 20, 100);
    for &columns in settings.pick3(&[4][..], &[3, 4, 6, 8, 10], &[3, 4, 5, 6, 8, 10, 12, 14]) {
        recorder.series(PANEL, &WAYS, columns as f64, runs, |trial| measure(columns, trial.run, trial.seed))?;
    }
    Ok(())
}

/// The slope of the least-squares line through points.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
    let (above, below) = points.iter().fold((0.0, 0.0), |(above, below), point| {
        (above + (point.0 - x) * (point.1 - y), below + (point.0 - x).powi(2))
    });
    above / below
}

/// The exponent of d, run by run.
fn exponents(results: &StudyResults, way: &str) -> Vec<f64> {
    let columns = results.places(PANEL, way);
    let runs = columns.iter().map(|&x| results.values(PANEL, way, x).len()).min().unwrap_or(0);
    let point = |x: f64, run: usize| (x.ln(), results.values(PANEL, way, x)[run].max(1e-12).ln());
    (0..runs).map(|run| slope(&columns.iter().map(|&x| point(x, run)).collect::<Vec<_>>())).collect()
}

fn read(results: &StudyResults) -> Study {
    let mut study = Study::new(
        "How the error grows with the columns",
        "The distance of the released distribution against the number of columns, for three ways of repairing \
         the same noisy tables.",
    );
    study.panels.push(results.draw(PANEL, "columns", "distance").log_x().log_y());
    if results.places(PANEL, WAYS[0]).len() < 2 {
        return study;
    }
    let [clamp, project, together] = WAYS.map(|way| exponents(results, way));
    let told = [&clamp, &project, &together].map(|exponents| mean_and_error(exponents, 2));
    study.finding(
        "the error of the clamped network grows no faster than d^2",
        below(&clamp, &vec![2.0; clamp.len()], 0.0),
        format!("exponents of d: clamp {}, projection {}, all together {}", told[0], told[1], told[2]),
    );
    study.finding(
        "(open in the paper) post-processing lowers the exponent",
        below(&together, &clamp, 0.0),
        format!("all tables together {} against {}", told[2], told[0]),
    );
    study.finding(
        "(open in the paper) it reaches the lower bound's d",
        below(&together, &vec![1.0; together.len()], 0.0),
        told[2].clone(),
    );
    let columns = results.places(PANEL, WAYS[0]);
    let over = |way: &'static str| results.run_means(columns.iter().map(move |&x| (PANEL, way, x)));
    study.finding(
        "(ours) all tables together are closer than clamping",
        below(&over(WAYS[2]), &over(WAYS[0]), 0.0),
        format!("{} against {}", mean_and_error(&over(WAYS[2]), 4), mean_and_error(&over(WAYS[0]), 4)),
    );
    study
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_law_has_its_exponent() {
        let points: Vec<(f64, f64)> = [2f64, 5.0, 9.0].map(|d| (d.ln(), (3.0 * d.powf(1.5)).ln())).to_vec();
        assert!((slope(&points) - 1.5).abs() < 1e-12);
    }
}
