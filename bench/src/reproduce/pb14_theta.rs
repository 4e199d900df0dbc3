//! The error of marginals against theta.

use anyhow::Result;
use lookalike_privacy::Relation;

use super::source_tables::{PB14_EPSILONS, errors, some_marginals, table};
use super::study::{Study, StudySettings};
use crate::plot::{Curve, Panel};
use crate::run::MethodSetting;

const THETAS: [f64; 8] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 256.0];

pub(super) fn run(settings: &StudySettings) -> Result<Study> {
    let headings = "table, ways, epsilon, theta, distance, runs";
    let mut study = Study::new("Error of marginals against theta", settings.pick(1, 2), headings);
    let (runs, queries) = settings.pick((4u64, 150), (50, usize::MAX));
    let epsilons = settings.pick(&[0.05, 0.2][..], &PB14_EPSILONS);
    let jobs = [("nltcs", "NLTCS", 3, "vanilla"), ("adult", "Adult in bits", 2, "binary")];
    if settings.pick(true, false) {
        study.note(format!("NLTCS only, {queries} of its 560 3-way marginals and {runs} runs (the paper: Adult too, all of them, 50 runs)"));
    }
    for &(file, name, ways, encoding) in settings.pick(&jobs[..1], &jobs) {
        let real = table(file, settings, &mut study)?;
        let marginals = [some_marginals(&real, ways, queries)];
        let mut panel = Panel::new(format!("{name}, {ways}-way marginals"), "theta", "mean distance").log_x();
        for &epsilon in epsilons {
            (settings.tell)(&format!("{name}, epsilon = {epsilon}"));
            for theta in THETAS {
                let how = MethodSetting::new("privbayes", epsilon, 0.0).with("theta", theta).with("encoding", encoding);
                let found = errors(&real, &how, Relation::ReplaceOne, &marginals, runs)?[0];
                study.table.push(&[&name, &ways, &epsilon, &theta, &found, &runs]);
                panel.put(&format!("epsilon {epsilon}"), theta, found);
            }
        }
        study.panels.push(panel);
    }
    judge(&mut study);
    Ok(study)
}

/// Whether the curves have the shape of a U, and where its bottom is.
fn judge(study: &mut Study) {
    let curves: Vec<Curve> = study.panels.iter().flat_map(|panel| panel.curves.clone()).collect();
    let least = |curve: &Curve, low: f64, high: f64| {
        let inside = curve.points.iter().filter(|point| (low..=high).contains(&point.0));
        inside.map(|point| point.1).fold(f64::INFINITY, f64::min)
    };
    // Best inside 2 to 16, worse at both ends: a U, or its flat middle. A tenth is what a few runs
    // scatter.
    let (mut worse, mut best, mut excess, mut words) = (0, 0, 0f64, Vec::new());
    for curve in &curves {
        let (inside, lowest) = (least(curve, 2.0, 16.0), least(curve, 0.0, f64::INFINITY));
        let [left, right] = [0.5, 256.0].map(|theta| least(curve, theta, theta));
        worse += [left, right].iter().filter(|end| **end > 1.02 * inside).count();
        best += usize::from(inside <= 1.1 * lowest);
        excess = excess.max(least(curve, 4.0, 4.0) / lowest - 1.0);
        words
            .push(format!("{}: {left:.3} at theta 0.5, {inside:.3} at best in 2 to 16, {right:.3} at 256", curve.name));
    }
    study.finding(
        "the error is larger when theta is very small or very large",
        worse >= curves.len() + curves.len() / 2,
        words.join("; "),
    );
    study.finding(
        "the best theta lies between 2 and 16",
        best == curves.len(),
        format!(
            "at {best} of {} epsilons; theta = 4, the paper's choice, is at most {:.0}% above the best one",
            curves.len(),
            100.0 * excess
        ),
    );
}
