//! The error of marginals against theta.

use anyhow::Result;
use lookalike_privacy::Relation;
use rayon::prelude::*;

use super::plot::{Curve, Panel};
use super::source_tables::{distance, some_marginals, table};
use super::study::{Finding, Study, StudySettings};
use crate::marginal::mean;
use crate::run::MethodSetting;
use crate::text_table::TextTable;

const THETAS: [f64; 8] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 256.0];

pub(super) fn run(settings: &StudySettings) -> Result<Study> {
    let mut sheet = TextTable::new("table, ways, epsilon, theta, distance, runs");
    let (mut panels, mut notes, mut curves) = (Vec::new(), Vec::new(), Vec::new());
    let (runs, queries) = settings.pick((4u64, 150), (50, usize::MAX));
    let epsilons = settings.pick(vec![0.05, 0.2], vec![0.05, 0.1, 0.2, 0.4, 0.8, 1.6]);
    let mut jobs = vec![("nltcs", "NLTCS", 3, "vanilla")];
    if settings.pick(false, true) {
        jobs.push(("adult", "Adult in bits", 2, "binary"));
    } else {
        notes.push(format!("NLTCS only, {queries} of its 560 3-way marginals and {runs} runs (the paper: Adult too, all of them, 50 runs)"));
    }
    for (file, name, ways, encoding) in jobs {
        let real = table(file, settings, &mut notes)?;
        let marginals = some_marginals(&real, ways, queries);
        let mut series = Vec::new();
        for &epsilon in &epsilons {
            (settings.tell)(&format!("{name}, epsilon = {epsilon}"));
            let mut points = Vec::new();
            for theta in THETAS {
                let how = MethodSetting::new("privbayes", epsilon, 0.0).with("theta", theta).with("encoding", encoding);
                let run = |seed| distance(&real, &how.synthesize(&real, Relation::ReplaceOne, seed)?, &marginals);
                let found = mean(&(0..runs).into_par_iter().map(run).collect::<Result<Vec<f64>>>()?);
                sheet.push(&[&name, &ways, &epsilon, &theta, &found, &runs]);
                points.push((theta, found));
            }
            curves.push((epsilon, points.clone()));
            series.push(Curve::line(format!("epsilon {epsilon}"), points));
        }
        let title = format!("{name}, {ways}-way marginals");
        panels.push(Panel::new(title, "theta", "mean distance", series).log_x());
    }
    // Best inside 2 to 16, worse at both ends: a U, or its flat middle.
    let inside = |points: &[(f64, f64)]| {
        points.iter().filter(|point| (2.0..=16.0).contains(&point.0)).map(|point| point.1).fold(f64::INFINITY, f64::min)
    };
    let worse = |points: &[(f64, f64)], end: usize| points[end].1 > 1.02 * inside(points);
    let left = curves.iter().filter(|(_, points)| worse(points, 0)).count();
    let right = curves.iter().filter(|(_, points)| worse(points, points.len() - 1)).count();
    let words: Vec<String> = curves
        .iter()
        .map(|(epsilon, points)| {
            format!(
                "epsilon {epsilon}: {:.3} at theta 0.5, {:.3} at best in 2 to 16, {:.3} at 256",
                points[0].1,
                inside(points),
                points[points.len() - 1].1
            )
        })
        .collect();
    let lowest = |points: &[(f64, f64)]| points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
    // A tenth is what a few runs scatter.
    let best = curves.iter().filter(|(_, points)| inside(points) <= 1.1 * lowest(points)).count();
    let at_four = |points: &[(f64, f64)]| points.iter().find(|point| point.0 == 4.0).map_or(f64::NAN, |point| point.1);
    let excess = curves.iter().map(|(_, points)| at_four(points) / lowest(points) - 1.0).fold(0.0, f64::max);
    let findings = vec![
        Finding::new(
            "the error is larger when theta is very small or very large",
            left + right >= curves.len() + curves.len() / 2,
            words.join("; "),
        ),
        Finding::new(
            "the best theta lies between 2 and 16",
            best == curves.len(),
            format!(
                "at {best} of {} epsilons; theta = 4, the paper's choice, is at most {:.0}% above the best one",
                curves.len(),
                100.0 * excess
            ),
        ),
    ];
    Ok(Study::new("Error of marginals against theta", panels.len(), &panels, sheet, findings, notes))
}
