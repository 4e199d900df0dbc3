//! PrivMRF: its tuning, its marginals and its seconds, with PrivBayes and PB-PGM beside it.

use std::time::Instant;

use anyhow::Result;
use lookalike_privacy::Relation;

use super::source_tables::{MRF_EPSILONS, TABLES, errors, some_marginals, table};
use super::study::{Study, StudySettings};
use crate::marginal::mean;
use crate::plot::Panel;
use crate::run::MethodSetting;

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

/// A parameter: its name, the paper's choice, the settings that hold it, and values to try.
type Sweep = (&'static str, f64, &'static [&'static str], &'static [f64]);

/// Theta, t and k, one at a time.
pub(super) fn tuning(settings: &StudySettings) -> Result<Study> {
    let headings = "parameter, value, epsilon, 5-way distance, runs";
    let mut study = Study::new("PrivMRF on NLTCS: theta, t and k", 3, headings);
    let real = table("nltcs", settings, &mut study)?;
    let runs = settings.pick(2, 10);
    let epsilons = settings.pick(&[0.1, 0.8][..], &MRF_EPSILONS);
    let lists = [some_marginals(&real, 5, queries(settings))];
    let error = |how: &MethodSetting| errors(&real, how, Relation::AddRemove, &lists, runs).map(|found| found[0]);
    let thetas = settings.pick(&[2.0, 6.0, 36.0][..], &[1.0, 2.0, 4.0, 6.0, 8.0, 16.0, 36.0]);
    let rounds = settings.pick(&[0.1, 0.8, 1.6][..], &[0.1, 0.4, 0.8, 1.2, 1.6, 2.4]);
    let counts = settings.pick(&[10.0, 400.0, 1000.0][..], &[10.0, 50.0, 100.0, 200.0, 400.0, 800.0, 2000.0]);
    let sweeps: [(Sweep, &str); 3] = [
        (("theta", 6.0, &["theta", "round-theta"], thetas), "theta = 6 is balanced over all epsilons"),
        (("t over d", 0.8, &["rounds"], rounds), "t = 0.8 d is balanced"),
        (("k", 400.0, &["candidates"], counts), "k = 400 is neither too small nor too large"),
    ];
    // The default of one parameter is the default of all: it is run once an epsilon.
    let mut usual = Vec::new();
    for &epsilon in epsilons {
        (settings.tell)(&format!("defaults, epsilon = {epsilon}"));
        usual.push(error(&as_published(epsilon))?);
    }
    for ((name, default, parameters, values), claim) in sweeps {
        let mut panel = Panel::new(format!("5-way distance against {name}"), name, "mean distance").log_x();
        // How far the default is from the best value at each epsilon, and all values in words.
        let (mut excess, mut words) = (Vec::new(), Vec::new());
        for (&epsilon, &usual) in epsilons.iter().zip(&usual) {
            (settings.tell)(&format!("{name}, epsilon = {epsilon}"));
            let mut list = Vec::new();
            let mut best = f64::INFINITY;
            for &value in values {
                let how = || parameters.iter().fold(as_published(epsilon), |how, name| how.with(name, value));
                let found = if value == default { usual } else { error(&how())? };
                study.table.push(&[&name, &value, &epsilon, &found, &runs]);
                panel.put(&format!("epsilon {epsilon}"), value, found);
                list.push(format!("{value}: {found:.4}"));
                best = found.min(best);
            }
            excess.push(usual / best - 1.0);
            words.push(format!("epsilon {epsilon} ({})", list.join(", ")));
        }
        study.panels.push(panel);
        let (excess, words) = (mean(&excess), words.join("; "));
        let words = format!("the default is {:.0}% above the best value on average; {words}", 100.0 * excess);
        study.finding(claim, excess < 0.15, words);
    }
    study.note(format!("{} 5-way marginals, {runs} runs; misclassification is in mrf-svm", queries(settings)));
    Ok(study)
}

/// The methods of the figure: PrivMRF with a delta, the others pure.
pub(super) fn methods(epsilon: f64) -> [(&'static str, MethodSetting); 4] {
    let pure = |method: &str| MethodSetting::new(method, epsilon, 0.0).with("beta", 0.3);
    let settings = [as_published(epsilon), ours(epsilon), pure("pb-pgm"), pure("privbayes")];
    let mut names = NAMES.into_iter();
    settings.map(|setting| (names.next().unwrap_or_default(), setting))
}

/// 3-, 4- and 5-way marginals against epsilon.
pub(super) fn marginals(settings: &StudySettings) -> Result<Study> {
    let headings = "table, ways, method, epsilon, distance, runs";
    let mut study = Study::new("Error of marginals against epsilon", 3, headings);
    let tables = settings.pick(&TABLES[..1], &TABLES);
    let runs = settings.pick(2, 10);
    let epsilons = settings.pick(&[0.1, 0.4, 1.6, 3.2][..], &MRF_EPSILONS);
    for &(file, name) in tables {
        let real = table(file, settings, &mut study)?;
        let lists = [3, 4, 5].map(|ways| some_marginals(&real, ways, queries(settings)));
        let title = |ways: usize| format!("{name}, {ways}-way marginals");
        let mut panels = [3, 4, 5].map(|ways| Panel::new(title(ways), "epsilon", "mean distance").log_x());
        for &epsilon in epsilons {
            for (method, how) in methods(epsilon) {
                (settings.tell)(&format!("{name}, {method}, epsilon = {epsilon}"));
                let found = errors(&real, &how, Relation::AddRemove, &lists, runs)?;
                for ((panel, ways), error) in panels.iter_mut().zip(3..).zip(found) {
                    study.table.push(&[&name, &ways, &method, &epsilon, &error, &runs]);
                    panel.put(method, epsilon, error);
                }
            }
        }
        study.panels.extend(panels);
    }
    if tables.len() == 1 {
        study.note(format!(
            "NLTCS only, {} marginals, {runs} runs (the paper: four tables, 300 marginals, 10 runs)",
            queries(settings)
        ));
    }
    study.note("PrivMRF at delta = 1e-5, the others at delta = 0 and beta = 0.3, as in the paper; BSG, DP-Copula and DP-WGAN are left out");
    let heights = |name: &str| study.panels.iter().flat_map(|panel| panel.heights(name)).collect::<Vec<f64>>();
    let [published, ours, pb_pgm, privbayes] = NAMES.map(heights);
    let below = |one: &[f64], other: &[f64]| one.iter().zip(other).filter(|(one, other)| one < other).count();
    let (places, first, second) = (published.len(), below(&published, &pb_pgm), below(&pb_pgm, &privbayes));
    study.finding(
        "PrivMRF has the smallest error everywhere",
        first as f64 >= 0.9 * places as f64,
        format!(
            "as published below PB-PGM at {first} of {places} places; mean distances: as published {:.4}, our defaults {:.4}, \
             PB-PGM {:.4}, PrivBayes {:.4}",
            mean(&published),
            mean(&ours),
            mean(&pb_pgm),
            mean(&privbayes)
        ),
    );
    let words = format!("at {second} of {places} places");
    study.finding("PB-PGM is below PrivBayes", second as f64 >= 0.7 * places as f64, words);
    Ok(study)
}

/// Seconds of a fit against epsilon.
pub(super) fn time(settings: &StudySettings) -> Result<Study> {
    let mut study = Study::new("Seconds of PrivMRF against epsilon", 2, "table, method, epsilon, seconds, runs");
    let runs = settings.pick(1, 5);
    let epsilons = settings.pick(&[0.1, 0.8, 3.2][..], &MRF_EPSILONS);
    for &(file, name) in settings.pick(&TABLES[..1], &TABLES) {
        let real = table(file, settings, &mut study)?;
        let mut panel = Panel::new(name, "epsilon", "seconds").log_x().log_y();
        for (word, how) in [(NAMES[0], as_published as fn(f64) -> MethodSetting), (NAMES[1], ours)] {
            for &epsilon in epsilons {
                (settings.tell)(&format!("{name}, {word}, epsilon = {epsilon}"));
                let start = Instant::now();
                for _ in 0..runs {
                    how(epsilon).run_on(&real, Relation::AddRemove, None)?;
                }
                let seconds = start.elapsed().as_secs_f64() / f64::from(runs);
                study.table.push(&[&name, &word, &epsilon, &seconds, &runs]);
                panel.put(word, epsilon, seconds);
            }
        }
        study.panels.push(panel);
    }
    let ends = |panel: &Panel| {
        let seconds = panel.heights(NAMES[0]);
        (seconds[0], seconds[seconds.len() - 1])
    };
    let growth: Vec<(f64, f64)> = study.panels.iter().map(ends).collect();
    let words: Vec<String> = growth.iter().map(|(first, last)| format!("{first:.2} to {last:.2}")).collect();
    study.finding(
        "seconds grow with epsilon",
        growth.iter().all(|(first, last)| last > first),
        format!("from epsilon 0.1 to 3.2: {} seconds", words.join(", ")),
    );
    let all = study.panels.iter().flat_map(|panel| [panel.heights(NAMES[0]), panel.heights(NAMES[1])].concat());
    let longest = all.fold(0.0, f64::max);
    study.note(format!(
        "{longest:.1} seconds at most for a fit alone, without reading and drawing rows, on this machine"
    ));
    Ok(study)
}
