//! Measured errors of Boolean networks with noisy conditionals, against the worst-case bounds of
//! the theory.

use anyhow::Result;
use lookalike_privacy::{DiscreteLaplace, Epsilon, Neighbours, NoiseRng, Rational, Relation};
use lookalike_schema::Clique;

use super::study::{Study, StudySettings};
use crate::baselines::given_network::{Repair, noisy_network};
use crate::marginal::{exact, mean};
use crate::plot::Panel;
use crate::simulate::BooleanNetwork;
use crate::simulate::boolean::{l2, total_variation};

/// The chance that a bound may fail.
const MISS: f64 = 0.05;

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
    /// Of the clamped network with base 4, of the projected one with base 2.
    fn network_bound(&self, base: f64) -> f64 {
        let Self { columns, degree, .. } = *self;
        let miss = (2.0 * columns as f64 / MISS).ln() / (self.rows as f64 * self.epsilon);
        12.0 * (columns * columns) as f64 * base.powi(degree as i32) * (degree + 1) as f64 * miss
    }

    /// The bounds of the three algorithms.
    fn bounds(&self) -> [f64; 3] {
        let cells = 4f64.powi(self.columns as i32);
        let whole = self.columns as f64 * cells / (self.rows as f64 * self.epsilon) * (2.0 / MISS).ln();
        [self.network_bound(4.0), self.network_bound(2.0), whole]
    }

    /// The errors of the three algorithms, run by run, against the joint that the raw table's own
    /// conditionals give: the theory's assumption is that the network holds.
    fn measure(&self, runs: u64) -> Result<[Vec<f64>; 3]> {
        let network = BooleanNetwork::random(self.columns, self.degree, 7);
        let table = network.table(self.rows, 11)?;
        let raw = network.fitted_to(&table)?;
        let truth = raw.joint()?;
        let (epsilon, neighbours) = (Epsilon::new(self.epsilon)?, Neighbours::new(Relation::AddRemove, 1)?);
        let exact = exact(&table, &[Clique::new(table.domain().attributes())])?.pop().unwrap_or_default();
        let shares: Vec<f64> = exact.iter().map(|&count| count as f64 / self.rows as f64).collect();
        let noise = DiscreteLaplace::new(Rational::at_least(1.0 / self.epsilon)?)?;
        let mut errors = [const { Vec::new() }; 3];
        for _ in 0..runs {
            let mut bits = NoiseRng::from_os()?;
            let mut noisy = |repair| noisy_network(&network, &table, epsilon, neighbours, repair, &mut bits)?.joint();
            errors[0].push(total_variation(&noisy(Repair::Clamp)?, &truth));
            errors[1].push(l2(&noisy(Repair::Project)?, &truth));
            let mut cells = exact.clone();
            noise.add_to(&mut cells, &mut bits);
            let kept: Vec<f64> = cells.iter().map(|&count| count.max(0) as f64).collect();
            let total = kept.iter().sum::<f64>().max(1.0);
            errors[2].push(total_variation(&kept.iter().map(|count| count / total).collect::<Vec<_>>(), &shares));
        }
        Ok(errors)
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

pub(super) fn run(settings: &StudySettings) -> Result<Study> {
    let runs = settings.pick(3, 30);
    let headings = "sweep, n, d, k, epsilon, TV of clamp, its bound, L2 of projection, its bound, TV of the whole domain, its bound, runs";
    let mut study = Study::new("Measured errors and worst-case bounds", 3, headings);
    let (mut below, mut telling, mut slack) = (0, 0, Vec::new());
    for (word, places) in sweeps(settings.pick(false, true)) {
        (settings.tell)(word);
        let panel = Panel::new(format!("as {word} grows"), word, "error").log_y();
        let mut panel = if word == "columns" || word == "degree" { panel } else { panel.log_x() };
        for (x, place) in places {
            let (found, bounds) = (place.measure(runs)?, place.bounds());
            let means = found.each_ref().map(|errors| mean(errors));
            for index in 0..ALGORITHMS.len() {
                let worst = found[index].iter().copied().fold(0.0, f64::max);
                below += usize::from(worst <= bounds[index]);
                telling += usize::from(bounds[index] < 1.0);
                slack.push(bounds[index] / means[index].max(1e-12));
                panel.put(ALGORITHMS[index], x, means[index]);
                panel.dashed(BOUNDS[index], [(x, bounds[index])]);
            }
            let SweepPoint { rows, columns, degree, epsilon } = &place;
            let ([clamp, project, whole], [its, of_l2, of_whole]) = (&means, &bounds);
            study
                .table
                .push(&[&word, rows, columns, degree, epsilon, clamp, its, project, of_l2, whole, of_whole, &runs]);
        }
        study.panels.push(panel);
    }
    slack.sort_by(f64::total_cmp);
    let (all, median) = (slack.len(), slack[slack.len() / 2]);
    study.finding(
        "the measured error is below the bound",
        below == all,
        format!("in {below} of {all} settings (theorems 4.1, 4.2 and 4.3 together), the worst of {runs} runs each"),
    );
    study.finding("the bounds say something: they are below 1", telling >= 20, format!("in {telling} settings"));
    study.finding(
        "they are far above what happens",
        median > 10.0,
        format!("the median bound is {median:.0} times the measured error"),
    );
    study.note("add/remove neighbours, chance of failure 0.05; base: 200,000 rows, 6 columns, degree 1, epsilon 1");
    Ok(study)
}
