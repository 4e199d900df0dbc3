//! How much worse a rule learned from synthetic rows is on the real ones, against theorem 4.4.

use anyhow::Result;
use lookalike::bounds::risk_gap;
use lookalike_privacy::{Epsilon, Neighbours, Relation};
use lookalike_schema::Clique;
use lookalike_table::Table;

use super::figure::PaperFigure;
use super::recorder::Recorder;
use super::results::StudyResults;
use super::study::Study;
use super::th_bounds::MISS;
use super::verdict::{PlaceTally, above_zero, below, mean_and_error};
use crate::baselines::given_network::{Repair, noisy_network};
use crate::baselines::marginals::distribution;
use crate::marginal::{masses, mean};
use crate::run::study_noise;
use crate::simulate::BooleanNetwork;
use crate::simulate::boolean::total_variation;

pub(super) const FIGURE: PaperFigure = PaperFigure {
    name: "th-risk",
    about: "the risk gap of rules learned from synthetic rows, against its bound",
    from: "Statistical theory, theorem 4.4",
    paper: "The difference of the risks on the real rows, of a model learned from them and of one learned from \
            n' synthetic rows, is at most C(lambda) + C1 TV + 2 Rademacher + sqrt(ln(1/delta') / (2 n')): for \
            large n it is small.",
    differs: "The paper leaves C1 open; its proof gives 2 for a loss between 0 and 1, which is what is drawn, \
              with the measured TV. Rules predict the last of six Boolean columns by one or two others (every \
              function of a pair), so that the best rule is found exactly, there is no regularization, and \
              Massart's lemma bounds the Rademacher complexity. The paper's models are convex; its proof does \
              not use that here.",
    record,
    read,
};

const COLUMNS: usize = 6;
const DEGREE: usize = 2;
const GAP: &str = "measured gap";
const BOUND: &str = "bound";
const PANELS: [&str; 2] = ["as rows grow, epsilon = 0.5", "as epsilon grows, 5,000 rows"];

/// A rule: the answer for each of the four values of two columns.
#[derive(Clone, Copy)]
struct PairRule {
    columns: [usize; 2],
    answers: u8,
}

/// All functions of all pairs of the columns before the last.
fn rules() -> Vec<PairRule> {
    let pairs = (0..COLUMNS - 1).flat_map(|one| (one + 1..COLUMNS - 1).map(move |other| [one, other]));
    pairs.flat_map(|columns| (0..16).map(move |answers| PairRule { columns, answers })).collect()
}

/// The share of a joint distribution that a rule gets wrong; column 0 is the highest bit.
fn risk(rule: PairRule, joint: &[f64]) -> f64 {
    let bit = |cell: usize, column: usize| cell >> (COLUMNS - 1 - column) & 1;
    let wrong = |cell: usize| {
        let place = 2 * bit(cell, rule.columns[0]) + bit(cell, rule.columns[1]);
        usize::from(rule.answers >> place & 1 == 1) != bit(cell, COLUMNS - 1)
    };
    joint.iter().enumerate().filter(|(cell, _)| wrong(*cell)).map(|(_, mass)| mass).sum()
}

/// The rule with the smallest risk.
fn best(rules: &[PairRule], joint: &[f64]) -> PairRule {
    let least = |one: &&PairRule, other: &&PairRule| risk(**one, joint).total_cmp(&risk(**other, joint));
    rules.iter().min_by(least).copied().unwrap_or(PairRule { columns: [0, 1], answers: 0 })
}

fn shares(table: &Table) -> Result<Vec<f64>> {
    Ok(distribution(masses(table, &Clique::new(table.domain().attributes()))?.into_iter()))
}

/// The gap and its bound in one run.
fn measure(rows: usize, epsilon: f64, run: u64, seed: u64) -> Result<Vec<f64>> {
    // The theory assumes that the rows obey the network, so its own conditionals are the truth.
    let network = BooleanNetwork::random(COLUMNS, DEGREE, run);
    let table = network.table(rows, run ^ 0x11)?;
    let real = network.fitted_to(&table)?.joint()?;
    let neighbours = Neighbours::new(Relation::AddRemove, 1)?;
    let mut bits = study_noise(seed)?;
    let noisy = noisy_network(&network, &table, Epsilon::new(epsilon)?, neighbours, Repair::Clamp, bits.as_mut())?;
    let (model, synthetic) = (noisy.joint()?, shares(&noisy.table(rows, seed ^ 0x12)?)?);
    let rules = rules();
    let gap = risk(best(&rules, &synthetic), &real) - risk(best(&rules, &real), &real);
    let rademacher = (2.0 * (rules.len() as f64).ln() / rows as f64).sqrt();
    Ok(vec![gap, risk_gap(total_variation(&model, &real), rademacher, rows as f64, MISS)])
}

fn record(recorder: &mut Recorder) -> Result<()> {
    let settings = recorder.settings;
    let runs = settings.pick3(1, 20, 200);
    let rows = settings.pick3(
        &[1_000][..],
        &[300, 1_000, 10_000, 100_000],
        &[300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000],
    );
    for &rows in rows {
        recorder
            .series(PANELS[0], &[GAP, BOUND], rows as f64, runs, |trial| measure(rows, 0.5, trial.run, trial.seed))?;
    }
    for epsilon in settings.pick3(&[1.0][..], &[0.1, 1.0, 10.0], &[0.03, 0.1, 0.3, 1.0, 3.0, 10.0]) {
        recorder.series(PANELS[1], &[GAP, BOUND], *epsilon, runs, |trial| {
            measure(5_000, *epsilon, trial.run, trial.seed)
        })?;
    }
    Ok(())
}

fn read(results: &StudyResults) -> Study {
    let mut study = Study::new(
        "The risk gap and its bound",
        "How much more a rule learned from synthetic rows gets wrong on the real rows than the best rule, and \
         the bound of theorem 4.4 with the measured distance.",
    );
    let mut tally = PlaceTally::default();
    for (panel, axis) in PANELS.into_iter().zip(["rows", "epsilon"]) {
        study.panels.push(results.draw(panel, axis, "risk").log_x());
        for x in results.places(panel, GAP) {
            tally.add(below(results.values(panel, GAP, x), results.values(panel, BOUND, x), 0.0));
        }
    }
    study.finding("the gap is below its bound", tally.verdict(), tally.words());
    let rows = results.places(PANELS[0], GAP);
    let [Some(&few), Some(&many)] = [rows.first(), rows.last()] else { return study };
    let [first, last] = [few, many].map(|rows| results.values(PANELS[0], GAP, rows));
    let small: Vec<f64> = last.iter().map(|gap| 0.01 - gap).collect();
    study.finding(
        "for many rows the gap is small (below 0.01)",
        above_zero(&small),
        format!("{} with {few} rows, {} with {many}", mean_and_error(first, 4), mean_and_error(last, 4)),
    );
    let bounds: Vec<f64> = rows.iter().map(|&rows| mean(results.values(PANELS[0], BOUND, rows))).collect();
    study.finding(
        "(ours) the bound falls with the rows too",
        below(results.values(PANELS[0], BOUND, many), results.values(PANELS[0], BOUND, few), 0.0),
        format!("from {:.2} to {:.2}", bounds[0], bounds[bounds.len() - 1]),
    );
    study
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_rule_is_found_and_risks_are_right() {
        // The last column is the exclusive or of columns 1 and 3: one rule is never wrong.
        let mut joint = vec![0.0; 1 << COLUMNS];
        for cell in 0..1usize << (COLUMNS - 1) {
            let last = (cell >> 3 & 1) ^ (cell >> 1 & 1);
            joint[2 * cell + last] = 1.0 / f64::from(1 << (COLUMNS - 1));
        }
        let rules = rules();
        assert_eq!(rules.len(), 10 * 16);
        let found = best(&rules, &joint);
        assert_eq!((found.columns, found.answers), ([1, 3], 0b0110));
        assert!(risk(found, &joint).abs() < 1e-12);
        assert!((risk(PairRule { columns: [0, 2], answers: 0 }, &joint) - 0.5).abs() < 1e-12);
    }
}
