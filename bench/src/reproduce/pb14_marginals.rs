//! Error of marginals against epsilon: PrivBayes and four baselines.

use anyhow::Result;
use lookalike_privacy::{Epsilon, Neighbours, NoiseRng, Relation};
use lookalike_schema::Clique;
use lookalike_table::Table;

use super::source_tables::{PB14_EPSILONS, TABLES, errors, some_marginals, table};
use super::study::{Study, StudySettings};
use crate::baselines::marginals::{MarginalBaseline, MarginalTask, average_distance};
use crate::marginal::{all_marginals, mean};
use crate::plot::Panel;
use crate::run::MethodSetting;

const OURS: &str = "PrivBayes";

/// One query set on one table, at one epsilon: the method's mean distance over runs. `None` where
/// it cannot run.
fn baseline(method: MarginalBaseline, real: &Table, sets: &[Clique], epsilon: f64, runs: u64) -> Option<f64> {
    let neighbours = Neighbours::new(Relation::ReplaceOne, 1).ok()?;
    let run = |_| -> Result<f64> {
        let mut bits = NoiseRng::from_os()?;
        let task = MarginalTask { table: real, marginals: sets, epsilon: Epsilon::new(epsilon)?, neighbours };
        let estimates = method.estimate(&task, &mut bits)?;
        average_distance(real, sets, &estimates)
    };
    // A refusal (bits for Fourier, a joint table that is too large) leaves the line out.
    (0..runs).map(run).collect::<Result<Vec<f64>>>().ok().map(|found| mean(&found))
}

pub(super) fn run(settings: &StudySettings) -> Result<Study> {
    let headings = "table, ways, method, epsilon, distance, runs";
    let mut study = Study::new("Error of marginals against epsilon", 2, headings);
    let runs = settings.pick(2u64, 50);
    if settings.pick(true, false) {
        study.note(format!("NLTCS only and {runs} runs (the paper: four tables, 50 runs)"));
    }
    study.note("PrivBayes is judged on at most 400 marginals of a set; the baselines answer, and pay for, all of them");
    let (mut ahead, mut places) = (0, 0);
    // PrivBayes against Laplace at the smallest and at the largest epsilon: differences, ratios.
    let mut leads = [const { Vec::new() }; 4];
    for &(file, name) in settings.pick(&TABLES[..1], &TABLES) {
        let real = table(file, settings, &mut study)?;
        let query_sets = if file == "nltcs" { [3, 4] } else { [2, 3] };
        let mut panels = query_sets.map(|ways| {
            Panel::new(format!("{name}, {ways}-way marginals"), "epsilon", "mean distance").log_x().log_y()
        });
        // PrivBayes makes one table for all query sets.
        let judged = query_sets.map(|ways| some_marginals(&real, ways, 400));
        for epsilon in PB14_EPSILONS {
            (settings.tell)(&format!("{name}, epsilon = {epsilon}"));
            let how = MethodSetting::new("privbayes", epsilon, 0.0);
            let found = errors(&real, &how, Relation::ReplaceOne, &judged, runs)?;
            panels.iter_mut().zip(found).for_each(|(panel, error)| panel.put(OURS, epsilon, error));
        }
        for (ways, panel) in query_sets.into_iter().zip(&mut panels) {
            let sets = all_marginals(real.domain(), ways);
            let ours = panel.heights(OURS);
            let repeats = runs.min(settings.pick(1, 10));
            for method in MarginalBaseline::ALL {
                let at = |&epsilon: &f64| Some((epsilon, baseline(method, &real, &sets, epsilon, repeats)?));
                let points: Vec<(f64, f64)> = PB14_EPSILONS.iter().filter_map(at).collect();
                if points.is_empty() {
                    study.note(format!("{} has no line on {name}, {ways}-way: it is not defined there", method.name()));
                }
                ahead += points.iter().zip(&ours).filter(|(point, ours)| **ours <= point.1).count();
                places += points.len();
                points.iter().for_each(|&(epsilon, found)| panel.put(&method.name(), epsilon, found));
            }
            for curve in &panel.curves {
                let runs = if curve.name == OURS { runs } else { repeats };
                for (epsilon, found) in &curve.points {
                    study.table.push(&[&name, &ways, &curve.name, epsilon, found, &runs]);
                }
            }
            if let [small, .., large] = panel.heights("Laplace")[..] {
                let (first, last) = (ours[0], ours[ours.len() - 1]);
                let lead = [small - first, large - last, small / first, large / last];
                leads.iter_mut().zip(lead).for_each(|(leads, lead)| leads.push(lead));
            }
        }
        study.panels.extend(panels);
    }
    study.finding(
        "PrivBayes is better than Laplace, Fourier and Contingency in all cases",
        ahead as f64 >= 0.95 * places as f64,
        format!("ahead of a baseline (Uniform among them) at {ahead} of {places} places"),
    );
    let [small, large, small_ratio, large_ratio] = leads.map(|leads: Vec<f64>| mean(&leads));
    study.finding(
        "its lead over Laplace is larger at small epsilon",
        small > large,
        format!(
            "the distances differ by {small:.2} at epsilon 0.05 and {large:.2} at 1.6 (as a ratio it is the other way round: \
             {small_ratio:.1} and {large_ratio:.1})"
        ),
    );
    Ok(study)
}
