//! Measured errors of Boolean networks with noisy conditionals, against the worst-case bounds of
//! the theory.

use anyhow::Result;
use lookalike_privacy::{DiscreteLaplace, Epsilon, Neighbours, NoiseRng, Rational, Relation};
use lookalike_schema::Clique;
use lookalike_table::RawCounts;

use super::engine::mean;
use super::{Finding, Panel, Plot, Series, Settings, Sheet, Study};
use crate::baselines::given_network::{Repair, noisy_network};
use crate::simulate::BooleanNetwork;
use crate::simulate::boolean::{l2, total_variation};

/// The chance that a bound may fail.
const MISS: f64 = 0.05;

/// One place: rows, columns, degree, budget.
#[derive(Clone, Copy, PartialEq)]
struct Place {
    rows: usize,
    columns: usize,
    degree: usize,
    epsilon: f64,
}

/// Errors of the three algorithms: mean and worst over runs.
struct Errors {
    clamp: Vec<f64>,
    project: Vec<f64>,
    whole: Vec<f64>,
}

impl Place {
    fn clamp_bound(&self) -> f64 {
        let Self { columns, degree, .. } = *self;
        12.0 * (columns * columns) as f64 * 4f64.powi(degree as i32) * (degree + 1) as f64 * self.common()
    }

    fn project_bound(&self) -> f64 {
        let Self { columns, degree, .. } = *self;
        12.0 * (columns * columns) as f64 * 2f64.powi(degree as i32) * (degree + 1) as f64 * self.common()
    }

    fn common(&self) -> f64 {
        (2.0 * self.columns as f64 / MISS).ln() / (self.rows as f64 * self.epsilon)
    }

    fn whole_bound(&self) -> f64 {
        self.columns as f64 * 4f64.powi(self.columns as i32) / (self.rows as f64 * self.epsilon) * (2.0 / MISS).ln()
    }

    /// Against the joint that the raw table's own conditionals give: the theory's assumption is
    /// that the network holds.
    fn measure(&self, runs: u64) -> Result<Errors> {
        let network = BooleanNetwork::random(self.columns, self.degree, 7);
        let table = network.table(self.rows, 11)?;
        let raw = network.fitted_to(&table)?;
        let truth = raw.joint()?;
        let (epsilon, neighbours) = (Epsilon::new(self.epsilon)?, Neighbours::new(Relation::AddRemove, 1)?);
        let everything = Clique::new(table.domain().attributes());
        let counts = table.count(&[everything], &|| false)?;
        let exact: Vec<i64> = match counts.into_iter().next() {
            Some(RawCounts::Dense(cells)) => cells.into_iter().map(|count| count as i64).collect(),
            _ => vec![0; 1 << self.columns],
        };
        let shares: Vec<f64> = exact.iter().map(|&count| count as f64 / self.rows as f64).collect();
        let noise = DiscreteLaplace::new(Rational::at_least(1.0 / self.epsilon)?)?;
        let mut errors = Errors { clamp: Vec::new(), project: Vec::new(), whole: Vec::new() };
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
fn sweeps(full: bool) -> Vec<(&'static str, Vec<Place>)> {
    let base = Place { rows: 200_000, columns: 6, degree: 1, epsilon: 1.0 };
    let rows: &[usize] = if full {
        &[1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000]
    } else {
        &[1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
    };
    vec![
        ("rows", rows.iter().map(|&rows| Place { rows, ..base }).collect()),
        ("columns", [3, 4, 5, 6, 8, 10, 12].iter().map(|&columns| Place { columns, ..base }).collect()),
        ("degree", [0, 1, 2, 3, 4].iter().map(|&degree| Place { degree, ..base }).collect()),
        ("epsilon", [0.1, 0.3, 1.0, 3.0, 10.0].iter().map(|&epsilon| Place { epsilon, ..base }).collect()),
        (
            "epsilon, k = 2",
            [1.0, 3.0, 10.0, 30.0].iter().map(|&epsilon| Place { epsilon, degree: 2, ..base }).collect(),
        ),
        (
            "rows, d = 4",
            [30_000, 100_000, 300_000, 1_000_000].iter().map(|&rows| Place { rows, columns: 4, ..base }).collect(),
        ),
    ]
}

pub(super) fn run(settings: &Settings) -> Result<Study> {
    let runs = settings.pick(3, 30);
    let mut sheet = Sheet::new(&[
        "sweep",
        "n",
        "d",
        "k",
        "epsilon",
        "TV of clamp",
        "its bound",
        "L2 of projection",
        "its bound",
        "TV of the whole domain",
        "its bound",
        "runs",
    ]);
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
                (&found.clamp, place.clamp_bound()),
                (&found.project, place.project_bound()),
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
            sheet.line(&cells);
        }
        let [a, b, c, d, e, f] = lines;
        let series = vec![
            Series::line("TV, clamp", a),
            Series::dashed("bound of TV, clamp", d),
            Series::line("L2, projection", b),
            Series::dashed("bound of L2", e),
            Series::line("TV, whole domain", c),
            Series::dashed("bound, whole domain", f),
        ];
        panels.push(Panel {
            title: format!("as {word} grows"),
            x: word.into(),
            y: "error".into(),
            log_x: word != "columns" && word != "degree",
            log_y: true,
            series,
            ..Panel::default()
        });
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
    let plot = Plot { title: "Measured errors and worst-case bounds".into(), panels, across: 3 };
    Ok(Study { sheet, svg: plot.svg(), findings, notes })
}
