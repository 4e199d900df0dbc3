//! Measured errors of Boolean networks with noisy conditionals, against the worst-case bounds of
//! the theory.

use anyhow::Result;
use lookalike::bounds::BooleanSetting;
use lookalike_privacy::{DiscreteLaplace, Epsilon, Neighbours, Rational, Relation};
use lookalike_schema::Clique;

use super::figure::PaperFigure;
use super::recorder::Recorder;
use super::results::StudyResults;
use super::study::Study;
use super::verdict::{PlaceTally, Verdict, above_zero};
use crate::baselines::given_network::{Repair, noisy_network};
use crate::baselines::marginals::distribution;
use crate::marginal::{exact, mean};
use crate::run::study_noise;
use crate::simulate::BooleanNetwork;
use crate::simulate::boolean::{l2, total_variation};

pub(super) const FIGURE: PaperFigure = PaperFigure {
    name: "th-bounds",
    about: "measured errors of given networks against the worst-case bounds",
    from: "Statistical theory, theorems 4.1-4.3",
    paper: "With high probability the error of a Boolean network of degree k is at most 12 d^2 2^(2k) (k+1) \
            ln(2d/delta') / (n epsilon) in total variation (clamped), the same with 2^k in L2 (projected), and d \
            2^(2d) ln(2/delta') / (n epsilon) for noise on the whole domain.",
    differs: "Add/remove neighbours, chance of failure 0.05; base: 200,000 rows, 6 columns, degree 1, epsilon 1. \
              `plan` prints the bounds marked as worst case, beside a useful estimate.",
    record,
    read,
};

/// The chance that a bound may fail.
pub(super) const MISS: f64 = 0.05;

/// One place: rows, columns, degree, budget.
#[derive(Clone, Copy, PartialEq)]
struct SweepPoint {
    rows: usize,
    columns: usize,
    degree: usize,
    epsilon: f64,
}

/// The three algorithms, each with what is measured.
const ALGORITHMS: [&str; 3] = ["TV, clamp", "L2, projection", "TV, whole domain"];
/// Their bounds.
const BOUNDS: [&str; 3] = ["bound of TV, clamp", "bound of L2", "bound, whole domain"];

impl SweepPoint {
    /// The bounds of the three algorithms.
    fn bounds(&self) -> Result<[f64; 3]> {
        let setting = BooleanSetting {
            rows: self.rows as f64,
            columns: self.columns as u32,
            degree: self.degree as u32,
            epsilon: Epsilon::new(self.epsilon)?,
            failure: MISS,
            relation: Relation::AddRemove,
        };
        Ok([setting.total_variation_clamp(), setting.l2_projection(), setting.total_variation_whole_domain()])
    }

    /// The errors of the three algorithms in one run, against the joint that the raw table's own
    /// conditionals give: the theory's assumption is that the network holds.
    fn measure(&self, seed: u64) -> Result<[f64; 3]> {
        let network = BooleanNetwork::random(self.columns, self.degree, 7);
        let table = network.table(self.rows, 11)?;
        let truth = network.fitted_to(&table)?.joint()?;
        let (epsilon, neighbours) = (Epsilon::new(self.epsilon)?, Neighbours::new(Relation::AddRemove, 1)?);
        let mut cells = exact(&table, &[Clique::new(table.domain().attributes())])?.pop().unwrap_or_default();
        let shares: Vec<f64> = cells.iter().map(|&count| count as f64 / self.rows as f64).collect();
        let mut bits = study_noise(seed)?;
        let mut noisy = |repair| noisy_network(&network, &table, epsilon, neighbours, repair, bits.as_mut())?.joint();
        let (clamped, projected) = (noisy(Repair::Clamp)?, noisy(Repair::Project)?);
        DiscreteLaplace::new(Rational::at_least(1.0 / self.epsilon)?)?.add_to(&mut cells, bits.as_mut());
        let whole = distribution(cells.iter().map(|&count| count as f64));
        Ok([total_variation(&clamped, &truth), l2(&projected, &truth), total_variation(&whole, &shares)])
    }
}

/// What varies, and along what, with the number that stands on the axis.
fn sweeps(full: bool) -> Vec<(&'static str, Vec<(f64, SweepPoint)>)> {
    let base = SweepPoint { rows: 200_000, columns: 6, degree: 1, epsilon: 1.0 };
    let rows = |values: &[usize], columns| -> Vec<(f64, SweepPoint)> {
        values.iter().map(|&rows| (rows as f64, SweepPoint { rows, columns, ..base })).collect()
    };
    let epsilons = |values: &[f64], degree| -> Vec<(f64, SweepPoint)> {
        values.iter().map(|&epsilon| (epsilon, SweepPoint { epsilon, degree, ..base })).collect()
    };
    let many = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000];
    let columns = [3, 4, 5, 6, 8, 10, 12].map(|columns| (columns as f64, SweepPoint { columns, ..base }));
    let degrees = [0, 1, 2, 3, 4].map(|degree| (degree as f64, SweepPoint { degree, ..base }));
    vec![
        ("rows", rows(if full { &many } else { &many[..7] }, base.columns)),
        ("columns", columns.to_vec()),
        ("degree", degrees.to_vec()),
        ("epsilon", epsilons(&[0.1, 0.3, 1.0, 3.0, 10.0], base.degree)),
        ("epsilon, k = 2", epsilons(&[1.0, 3.0, 10.0, 30.0], 2)),
        ("rows, d = 4", rows(&[30_000, 100_000, 300_000, 1_000_000], 4)),
    ]
}

fn record(recorder: &mut Recorder) -> Result<()> {
    let settings = recorder.settings;
    let runs = settings.pick3(1, 10, 30);
    for (word, places) in sweeps(settings.pick(false, true)) {
        let panel = format!("as {word} grows");
        for (x, place) in settings.pick3(&places[..1], &places, &places) {
            recorder.series(&panel, &ALGORITHMS, *x, runs, |trial| Ok(place.measure(trial.seed)?.to_vec()))?;
            // A bound is a number, not a measurement: one value.
            recorder.series(&panel, &BOUNDS, *x, 1, |_| Ok(place.bounds()?.to_vec()))?;
        }
    }
    Ok(())
}

fn read(results: &StudyResults) -> Study {
    let caption = "Measured errors of three algorithms and their worst-case bounds, as one of rows, columns, \
                   degree and epsilon grows.";
    let mut study = Study::new("Measured errors and worst-case bounds", caption);
    let (mut tally, mut telling, mut slack) = (PlaceTally::default(), 0, Vec::new());
    for panel in results.panels() {
        let axis = panel.trim_start_matches("as ").trim_end_matches(" grows");
        let drawn = results.draw(panel, axis, "error").log_y();
        study.panels.push(if ["columns", "degree"].contains(&axis) { drawn } else { drawn.log_x() });
        for (algorithm, bound) in ALGORITHMS.into_iter().zip(BOUNDS) {
            for x in results.places(panel, algorithm) {
                let values = results.values(panel, algorithm, x);
                let Some(&limit) = results.values(panel, bound, x).first() else { continue };
                tally.add(above_zero(&values.iter().map(|value| limit - value).collect::<Vec<_>>()));
                telling += usize::from(limit < 1.0);
                slack.push(limit / mean(values).max(1e-12));
            }
        }
    }
    slack.sort_by(f64::total_cmp);
    study.finding("the measured error is below the bound", tally.verdict(), tally.words());
    let (all, median) = (slack.len(), slack.get(slack.len() / 2).copied().unwrap_or(f64::NAN));
    let verdict = |holds: bool| if holds { Verdict::Seen } else { Verdict::NotSeen };
    study.finding(
        "(ours) the bounds are right, and no estimates",
        verdict(median > 10.0),
        format!("the median bound is {median:.0} times the measured error; {telling} of {all} bounds are below 1 and so say something"),
    );
    study
}
