//! Measured errors of Boolean networks with noisy conditionals, against the worst-case bounds of
//! the theory.

use anyhow::Result;
use lookalike_privacy::{DiscreteLaplace, Epsilon, Neighbours, NoiseRng, Rational, Relation};
use lookalike_schema::Clique;

use super::plot::{Curve, Panel};
use super::study::{Finding, Study, StudySettings};
use crate::baselines::given_network::{Repair, noisy_network};
use crate::marginal::{exact, mean};
use crate::simulate::BooleanNetwork;
use crate::simulate::boolean::{l2, total_variation};
use crate::text_table::TextTable;

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

/// Errors of the three algorithms: mean and worst over runs.
struct NetworkErrors {
    clamp: Vec<f64>,
    project: Vec<f64>,
    whole: Vec<f64>,
}

impl SweepPoint {
    /// Of the clamped network with base 4, of the projected one with base 2.
    fn network_bound(&self, base: f64) -> f64 {
        let Self { columns, degree, .. } = *self;
        let miss = (2.0 * columns as f64 / MISS).ln() / (self.rows as f64 * self.epsilon);
        12.0 * (columns * columns) as f64 * base.powi(degree as i32) * (degree + 1) as f64 * miss
    }

    fn whole_bound(&self) -> f64 {
        self.columns as f64 * 4f64.powi(self.columns as i32) / (self.rows as f64 * self.epsilon) * (2.0 / MISS).ln()
    }

    /// Against the joint that the raw table's own conditionals give: the theory's assumption is
    /// that the network holds.
    fn measure(&self, runs: u64) -> Result<NetworkErrors> {
        let network = BooleanNetwork::random(self.columns, self.degree, 7);
        let table = network.table(self.rows, 11)?;
        let raw = network.fitted_to(&table)?;
        let truth = raw.joint()?;
        let (epsilon, neighbours) = (Epsilon::new(self.epsilon)?, Neighbours::new(Relation::AddRemove, 1)?);
        let exact = exact(&table, &[Clique::new(table.domain().attributes())])?.pop().unwrap_or_default();
        let shares: Vec<f64> = exact.iter().map(|&count| count as f64 / self.rows as f64).collect();
        let noise = DiscreteLaplace::new(Rational::at_least(1.0 / self.epsilon)?)?;
        let mut errors = NetworkErrors { clamp: Vec::new(), project: Vec::new(), whole: Vec::new() };
        for _ in 0..runs {
            let mut bits = NoiseRng::from_os()?;
            let mut noisy = |repair| noisy_network(&network, &table, epsilon, neighbours, repair, &mut bits)?.joint();
            errors.clamp.push(total_variation(&noisy(Repair::Clamp)?, &truth));
            errors.project.push(l2(&noisy(Repair::Project)?, &truth));
            let mut cells = exact.clone();
            noise.add_to(&mut cells, &mut bits);
            let kept: Vec<f64> = cells.iter().map(|&count| count.max(0) as f64).collect();
            let total = kept.iter().sum::<f64>().max(1.0);
            errors.whole.push(total_variation(&kept.iter().map(|count| count / total).collect::<Vec<_>>(), &shares));
        }
        Ok(errors)
    }
}

/// What varies, and along what.
fn sweeps(full: bool) -> Vec<(&'static str, Vec<SweepPoint>)> {
    let base = SweepPoint { rows: 200_000, columns: 6, degree: 1, epsilon: 1.0 };
    let rows: &[usize] = if full {
        &[1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000]
    } else {
        &[1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
    };
    vec![
        ("rows", rows.iter().map(|&rows| SweepPoint { rows, ..base }).collect()),
        ("columns", [3, 4, 5, 6, 8, 10, 12].iter().map(|&columns| SweepPoint { columns, ..base }).collect()),
        ("degree", [0, 1, 2, 3, 4].iter().map(|&degree| SweepPoint { degree, ..base }).collect()),
        ("epsilon", [0.1, 0.3, 1.0, 3.0, 10.0].iter().map(|&epsilon| SweepPoint { epsilon, ..base }).collect()),
        (
            "epsilon, k = 2",
            [1.0, 3.0, 10.0, 30.0].iter().map(|&epsilon| SweepPoint { epsilon, degree: 2, ..base }).collect(),
        ),
        (
            "rows, d = 4",
            [30_000, 100_000, 300_000, 1_000_000].iter().map(|&rows| SweepPoint { rows, columns: 4, ..base }).collect(),
        ),
    ]
}

pub(super) fn run(settings: &StudySettings) -> Result<Study> {
    let runs = settings.pick(3, 30);
    let mut sheet = TextTable::new(
        "sweep, n, d, k, epsilon, TV of clamp, its bound, L2 of projection, its bound, TV of the whole domain, its bound, runs",
    );
    let mut panels = Vec::new();
    let (mut below, mut all, mut telling, mut slack) = (0, 0, 0, Vec::new());
    for (word, places) in sweeps(settings.pick(false, true)) {
        (settings.tell)(word);
        let mut lines: [Vec<(f64, f64)>; 6] = Default::default();
        for place in places {
            let found = place.measure(runs)?;
            let x = match word.split(',').next() {
                Some("rows") => place.rows as f64,
                Some("columns") => place.columns as f64,
                Some("degree") => place.degree as f64,
                _ => place.epsilon,
            };
            let worst = |errors: &[f64]| errors.iter().copied().fold(0.0, f64::max);
            let pairs = [
                (&found.clamp, place.network_bound(4.0)),
                (&found.project, place.network_bound(2.0)),
                (&found.whole, place.whole_bound()),
            ];
            for (index, (errors, bound)) in pairs.iter().enumerate() {
                all += 1;
                below += usize::from(worst(errors) <= *bound);
                telling += usize::from(*bound < 1.0);
                slack.push(bound / mean(errors).max(1e-12));
                lines[index].push((x, mean(errors)));
                lines[index + 3].push((x, *bound));
            }
            let mut cells: Vec<&dyn std::fmt::Display> =
                vec![&word, &place.rows, &place.columns, &place.degree, &place.epsilon];
            let figures: Vec<f64> = pairs.iter().flat_map(|(errors, bound)| [mean(errors), *bound]).collect();
            cells.extend(figures.iter().map(|figure| figure as &dyn std::fmt::Display));
            cells.push(&runs);
            sheet.push(&cells);
        }
        let [a, b, c, d, e, f] = lines;
        let series = vec![
            Curve::line("TV, clamp", a),
            Curve::dashed("bound of TV, clamp", d),
            Curve::line("L2, projection", b),
            Curve::dashed("bound of L2", e),
            Curve::line("TV, whole domain", c),
            Curve::dashed("bound, whole domain", f),
        ];
        let panel = Panel::new(format!("as {word} grows"), word, "error", series).log_y();
        panels.push(if word == "columns" || word == "degree" { panel } else { panel.log_x() });
    }
    slack.sort_by(f64::total_cmp);
    let findings = vec![
        Finding::new(
            "the measured error is below the bound",
            below == all,
            format!("in {below} of {all} settings (theorems 4.1, 4.2 and 4.3 together), the worst of {runs} runs each"),
        ),
        Finding::new("the bounds say something: they are below 1", telling >= 20, format!("in {telling} settings")),
        Finding::new(
            "they are far above what happens",
            slack[slack.len() / 2] > 10.0,
            format!("the median bound is {:.0} times the measured error", slack[slack.len() / 2]),
        ),
    ];
    let notes = vec![
        "add/remove neighbours, chance of failure 0.05; base: 200,000 rows, 6 columns, degree 1, epsilon 1".into(),
    ];
    Ok(Study::new("Measured errors and worst-case bounds", 3, &panels, sheet, findings, notes))
}
