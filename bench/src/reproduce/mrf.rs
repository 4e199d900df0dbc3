//! PrivMRF: its tuning, its marginals and its seconds, with PrivBayes and PB-PGM beside it.

use std::time::Instant;

use anyhow::Result;
use lookalike_privacy::Relation;
use lookalike_schema::Clique;
use lookalike_table::Table;

use super::plot::{Curve, Panel};
use super::source_tables::{distance, some_marginals, table};
use super::study::{Finding, Study, StudySettings};
use crate::marginal::mean;
use crate::run::MethodSetting;
use crate::text_table::TextTable;

const EPSILONS: [f64; 6] = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2];
const DELTA: f64 = 1e-5;
/// The paper's settings, where ours are others.
const PUBLISHED: [(&str, &str); 8] = [
    ("ones-share", "0"),
    ("score-share", "0.1"),
    ("select-share", "0.1"),
    ("rounds", "0.8"),
    ("theta", "6"),
    ("round-theta", "6"),
    ("penalty", "0"),
    ("choice", "gaussian"),
];
const NAMES: [&str; 4] = ["PrivMRF as published", "PrivMRF, our defaults", "PB-PGM", "PrivBayes"];
const TABLES: [(&str, &str); 4] = [("nltcs", "NLTCS"), ("acs", "ACS"), ("adult", "Adult"), ("br2000", "BR2000")];

/// The method with our defaults.
fn ours(epsilon: f64) -> MethodSetting {
    MethodSetting::new("privmrf", epsilon, DELTA)
}

/// The method as the paper has it.
fn as_published(epsilon: f64) -> MethodSetting {
    PUBLISHED.iter().fold(ours(epsilon), |setting, (name, value)| setting.with(name, value))
}

/// Columns at once in a marginal, and marginals of each kind.
fn queries(settings: &StudySettings) -> usize {
    settings.pick(60, 300)
}

/// The mean distance over runs of one setting, for each list of marginals.
fn errors(real: &Table, how: &MethodSetting, lists: &[Vec<Clique>], runs: u64) -> Result<Vec<f64>> {
    let mut sums = vec![Vec::new(); lists.len()];
    for seed in 0..runs {
        let synthetic = how.synthesize(real, Relation::AddRemove, seed)?;
        for (sum, list) in sums.iter_mut().zip(lists) {
            sum.push(distance(real, &synthetic, list)?);
        }
    }
    Ok(sums.iter().map(|sum| mean(sum)).collect())
}

/// The paper's choice of a parameter.
fn default(name: &str) -> f64 {
    match name {
        "theta" => 6.0,
        "t over d" => 0.8,
        _ => 400.0,
    }
}

/// Theta, t and k, one at a time.
pub(super) fn tuning(settings: &StudySettings) -> Result<Study> {
    let mut notes = Vec::new();
    let real = table("nltcs", settings, &mut notes)?;
    let runs = settings.pick(2, 10);
    let epsilons = settings.pick(vec![0.1, 0.8], EPSILONS.to_vec());
    let lists = [some_marginals(&real, 5, queries(settings))];
    let sweeps: [(&str, &[&str], &[f64]); 3] = [
        ("theta", &["theta", "round-theta"], settings.pick(&[2.0, 6.0, 36.0], &[1.0, 2.0, 4.0, 6.0, 8.0, 16.0, 36.0])),
        ("t over d", &["rounds"], settings.pick(&[0.1, 0.8, 1.6], &[0.1, 0.4, 0.8, 1.2, 1.6, 2.4])),
        (
            "k",
            &["candidates"],
            settings.pick(&[10.0, 400.0, 1000.0], &[10.0, 50.0, 100.0, 200.0, 400.0, 800.0, 2000.0]),
        ),
    ];
    let mut sheet = TextTable::new("parameter, value, epsilon, 5-way distance, runs");
    let mut panels = Vec::new();
    let mut best = Vec::new();
    // The default of one parameter is the default of all: it is run once an epsilon.
    let mut usual = Vec::new();
    for &epsilon in &epsilons {
        (settings.tell)(&format!("defaults, epsilon = {epsilon}"));
        usual.push(errors(&real, &as_published(epsilon), &lists, runs)?[0]);
    }
    for (name, parameters, values) in sweeps {
        let mut series = Vec::new();
        for (&epsilon, &usual) in epsilons.iter().zip(&usual) {
            (settings.tell)(&format!("{name}, epsilon = {epsilon}"));
            let mut points = Vec::new();
            for &value in values {
                let found = if value == default(name) {
                    usual
                } else {
                    let how = parameters.iter().fold(as_published(epsilon), |how, name| how.with(name, value));
                    errors(&real, &how, &lists, runs)?[0]
                };
                sheet.push(&[&name, &value, &epsilon, &found, &runs]);
                points.push((value, found));
            }
            best.push((name, epsilon, points.clone()));
            series.push(Curve::line(format!("epsilon {epsilon}"), points));
        }
        panels.push(Panel::new(format!("5-way distance against {name}"), name, "mean distance", series).log_x());
    }
    // How far the default is from the best value, on average over epsilons, for each parameter.
    let excess = |name: &str| {
        let over = best.iter().filter(|entry| entry.0 == name).map(|(_, _, points)| {
            let at = points.iter().find(|point| point.0 == default(name)).map_or(f64::NAN, |point| point.1);
            at / points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min) - 1.0
        });
        mean(&over.collect::<Vec<_>>())
    };
    let words = |name: &str| {
        let ends = best.iter().filter(|entry| entry.0 == name).map(|(_, epsilon, points)| {
            let list: Vec<String> = points.iter().map(|(value, found)| format!("{value}: {found:.4}")).collect();
            format!("epsilon {epsilon} ({})", list.join(", "))
        });
        format!(
            "the default is {:.0}% above the best value on average; {}",
            100.0 * excess(name),
            ends.collect::<Vec<_>>().join("; ")
        )
    };
    let findings = vec![
        Finding::new("theta = 6 is balanced over all epsilons", excess("theta") < 0.15, words("theta")),
        Finding::new("t = 0.8 d is balanced", excess("t over d") < 0.15, words("t over d")),
        Finding::new("k = 400 is neither too small nor too large", excess("k") < 0.15, words("k")),
    ];
    notes.push(format!("{} 5-way marginals, {runs} runs; misclassification is in mrf-svm", queries(settings)));
    Ok(Study::new("PrivMRF on NLTCS: theta, t and k", 3, &panels, sheet, findings, notes))
}

/// The methods of the figure: PrivMRF with a delta, the others pure.
pub(super) fn methods(epsilon: f64) -> [(&'static str, MethodSetting); 4] {
    let pure = |method: &str| MethodSetting::new(method, epsilon, 0.0).with("beta", 0.3);
    let [published, defaults, pb_pgm, privbayes] = NAMES;
    [
        (published, as_published(epsilon)),
        (defaults, ours(epsilon)),
        (pb_pgm, pure("pb-pgm")),
        (privbayes, pure("privbayes")),
    ]
}

/// 3-, 4- and 5-way marginals against epsilon.
pub(super) fn marginals(settings: &StudySettings) -> Result<Study> {
    let tables = settings.pick(&TABLES[..1], &TABLES[..]);
    let runs = settings.pick(2, 10);
    let epsilons = settings.pick(vec![0.1, 0.4, 1.6, 3.2], EPSILONS.to_vec());
    let mut sheet = TextTable::new("table, ways, method, epsilon, distance, runs");
    let (mut panels, mut notes) = (Vec::new(), Vec::new());
    let (mut mrf_first, mut pgm_second, mut places) = (0, 0, 0);
    let mut means = vec![Vec::new(); NAMES.len()];
    for &(file, name) in tables {
        let real = table(file, settings, &mut notes)?;
        let lists = [3, 4, 5].map(|ways| some_marginals(&real, ways, queries(settings)));
        let mut found = vec![vec![Vec::new(); NAMES.len()]; 3];
        for &epsilon in &epsilons {
            for (index, (method, how)) in methods(epsilon).iter().enumerate() {
                (settings.tell)(&format!("{name}, {method}, epsilon = {epsilon}"));
                for (ways, error) in errors(&real, how, &lists, runs)?.into_iter().enumerate() {
                    sheet.push(&[&name, &(ways + 3), method, &epsilon, &error, &runs]);
                    found[ways][index].push((epsilon, error));
                    means[index].push(error);
                }
            }
        }
        for (ways, by_method) in found.into_iter().enumerate() {
            let below = |one: usize, other: usize| {
                let both = by_method[one].iter().zip(&by_method[other]);
                both.filter(|(one, other): &(&(f64, f64), &(f64, f64))| one.1 < other.1).count()
            };
            mrf_first += below(0, 2);
            pgm_second += below(2, 3);
            places += epsilons.len();
            let series = NAMES.iter().zip(by_method).map(|(name, points)| Curve::line(*name, points)).collect();
            let title = format!("{name}, {}-way marginals", ways + 3);
            panels.push(Panel::new(title, "epsilon", "mean distance", series).log_x());
        }
    }
    if tables.len() == 1 {
        notes.push(format!(
            "NLTCS only, {} marginals, {runs} runs (the paper: four tables, 300 marginals, 10 runs)",
            queries(settings)
        ));
    }
    notes.push("PrivMRF at delta = 1e-5, the others at delta = 0 and beta = 0.3, as in the paper; BSG, DP-Copula and DP-WGAN are left out".into());
    let mean_of = |index: usize| mean(&means[index]);
    let findings = vec![
        Finding::new(
            "PrivMRF has the smallest error everywhere",
            mrf_first as f64 >= 0.9 * places as f64,
            format!(
                "as published below PB-PGM at {mrf_first} of {places} places; mean distances: as published {:.4}, our defaults {:.4}, \
                 PB-PGM {:.4}, PrivBayes {:.4}",
                mean_of(0),
                mean_of(1),
                mean_of(2),
                mean_of(3)
            ),
        ),
        Finding::new(
            "PB-PGM is below PrivBayes",
            pgm_second as f64 >= 0.7 * places as f64,
            format!("at {pgm_second} of {places} places"),
        ),
    ];
    Ok(Study::new("Error of marginals against epsilon", 3, &panels, sheet, findings, notes))
}

/// Seconds of a fit against epsilon.
pub(super) fn time(settings: &StudySettings) -> Result<Study> {
    let tables = settings.pick(&TABLES[..1], &TABLES[..]);
    let runs = settings.pick(1, 5);
    let epsilons = settings.pick(vec![0.1, 0.8, 3.2], EPSILONS.to_vec());
    let mut sheet = TextTable::new("table, method, epsilon, seconds, runs");
    let (mut panels, mut notes, mut growth) = (Vec::new(), Vec::new(), Vec::new());
    let mut longest = 0f64;
    for &(file, name) in tables {
        let real = table(file, settings, &mut notes)?;
        let mut series = Vec::new();
        for (word, how) in [(NAMES[0], as_published as fn(f64) -> MethodSetting), (NAMES[1], ours)] {
            let mut points = Vec::new();
            for &epsilon in &epsilons {
                (settings.tell)(&format!("{name}, {word}, epsilon = {epsilon}"));
                let mut seconds = Vec::new();
                for _ in 0..runs {
                    let start = Instant::now();
                    how(epsilon).run_on(&real, Relation::AddRemove, None)?;
                    seconds.push(start.elapsed().as_secs_f64());
                }
                let second = mean(&seconds);
                sheet.push(&[&name, &word, &epsilon, &second, &runs]);
                longest = longest.max(second);
                points.push((epsilon, second));
            }
            if word == NAMES[0] {
                growth.push((points[0].1, points[points.len() - 1].1));
            }
            series.push(Curve::line(word, points));
        }
        panels.push(Panel::new(name, "epsilon", "seconds", series).log_x().log_y());
    }
    let grew = growth.iter().filter(|(first, last)| last > first).count();
    let words: Vec<String> = growth.iter().map(|(first, last)| format!("{first:.2} to {last:.2}")).collect();
    let findings = vec![Finding::new(
        "seconds grow with epsilon",
        grew == growth.len(),
        format!("from epsilon 0.1 to 3.2: {} seconds", words.join(", ")),
    )];
    notes.push(format!(
        "{longest:.1} seconds at most for a fit alone, without reading and drawing rows, on this machine"
    ));
    Ok(Study::new("Seconds of PrivMRF against epsilon", 2, &panels, sheet, findings, notes))
}
