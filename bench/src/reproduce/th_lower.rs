//! Errors on tables that are hard for every synthesizer, against the lower bound of theorem 5.1.

use anyhow::Result;
use lookalike::bounds::lower_bound;
use lookalike_privacy::{DiscreteLaplace, Epsilon, Rational, Relation};
use lookalike_schema::Clique;
use lookalike_table::Table;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::figure::PaperFigure;
use super::recorder::{Recorder, Trial};
use super::results::StudyResults;
use super::study::Study;
use super::th_bounds::MISS;
use super::verdict::{PlaceTally, below};
use crate::baselines::marginals::distribution;
use crate::marginal::{exact, mean};
use crate::run::{MethodSetting, study_noise};
use crate::simulate::boolean::total_variation;
use crate::simulate::draw::{below as below_bound, coded_schema};

pub(super) const FIGURE: PaperFigure = PaperFigure {
    name: "th-lower",
    about: "errors on hard tables against the lower bound for every synthesizer",
    from: "Statistical theory, theorem 5.1 and corollary 5.2",
    paper: "For any synthesizer of budget epsilon there is a table of n rows on which the distance is at least \
            ln(delta' |Omega|) / (n epsilon), with probability 1 - 2 delta'; in particular an error of order d / \
            (n epsilon) cannot be avoided.",
    differs: "The hard tables are those of the proof: ln(delta' |Omega|) / epsilon rows stand at one place of \
              2^16, drawn at random and unknown, and all others at another. A method that misses the place is \
              wrong by just the bound. The distance is that of all 2^16 cells, at epsilon = 0.5 and without a \
              delta.",
    record,
    read,
};

const COLUMNS: usize = 16;
const EPSILON: f64 = 0.5;
const METHODS: [&str; 4] = ["noise on the whole domain", "privbayes", "pb-pgm", "auto"];
const BOUND: &str = "lower bound";
const PANEL: &str = "hard tables of 16 Boolean columns";

/// A hard table: some rows at a random place, the others where all columns are 0.
fn hard(rows: usize, seed: u64) -> Result<Table> {
    let cells = COLUMNS as f64 * std::f64::consts::LN_2;
    let some = (lower_bound(cells, rows as f64, Epsilon::new(EPSILON)?, MISS) * rows as f64).ceil() as usize;
    let place = 1 + below_bound(&mut ChaCha8Rng::seed_from_u64(seed), (1 << COLUMNS) - 1);
    let column = |column: usize| {
        let value = place >> (COLUMNS - 1 - column) & 1;
        (0..rows).map(|row| if row < some { value } else { 0 }).collect::<Vec<u32>>()
    };
    Ok(Table::from_columns(&coded_schema(&[2; COLUMNS])?, (0..COLUMNS).map(column).collect()))
}

fn counts(table: &Table) -> Result<Vec<i64>> {
    Ok(exact(table, &[Clique::new(table.domain().attributes())])?.pop().unwrap_or_default())
}

fn shares(counts: &[i64]) -> Vec<f64> {
    distribution(counts.iter().map(|&count| count as f64))
}

fn error(method: &str, rows: usize, trial: Trial) -> Result<f64> {
    let real = hard(rows, trial.run)?;
    let truth = shares(&counts(&real)?);
    let made = if method == METHODS[0] {
        let mut cells = counts(&real)?;
        DiscreteLaplace::new(Rational::at_least(1.0 / EPSILON)?)?.add_to(&mut cells, study_noise(trial.seed)?.as_mut());
        shares(&cells)
    } else {
        let setting = MethodSetting::new(method, EPSILON, 0.0);
        shares(&counts(&setting.synthesize(&real, Relation::AddRemove, trial.seed)?)?)
    };
    Ok(total_variation(&truth, &made))
}

fn record(recorder: &mut Recorder) -> Result<()> {
    let settings = recorder.settings;
    let runs = settings.pick3(1, 10, 30);
    for &rows in settings.pick3(&[300][..], &[100, 1_000, 10_000], &[100, 300, 1_000, 3_000, 10_000, 30_000]) {
        for method in METHODS {
            recorder.trials(&[PANEL], method, rows as f64, runs, |trial| Ok(vec![error(method, rows, trial)?]))?;
        }
        let bound = lower_bound(COLUMNS as f64 * std::f64::consts::LN_2, rows as f64, Epsilon::new(EPSILON)?, MISS);
        recorder.trials(&[PANEL], BOUND, rows as f64, 1, |_| Ok(vec![bound]))?;
    }
    Ok(())
}

fn read(results: &StudyResults) -> Study {
    let mut study = Study::new(
        "Hard tables and the lower bound",
        "The distance on tables that are hard for every synthesizer, against the number of rows, and the lower \
         bound of theorem 5.1.",
    );
    study.panels.push(results.draw(PANEL, "rows", "distance").log_x().log_y());
    let mut tally = PlaceTally::default();
    let mut ratios = Vec::new();
    for method in METHODS {
        for rows in results.places(PANEL, method) {
            let values = results.values(PANEL, method, rows);
            let Some(&bound) = results.values(PANEL, BOUND, rows).first() else { continue };
            // The bound may fail in 2 delta' of the cases.
            tally.add(below(&vec![(1.0 - 2.0 * MISS) * bound; values.len()], values, 0.0));
            ratios.push((method, mean(values) / bound));
        }
    }
    let typical = |method: &str| {
        let mut found: Vec<f64> = ratios.iter().filter(|(name, _)| *name == method).map(|(_, ratio)| *ratio).collect();
        found.sort_by(f64::total_cmp);
        found.get(found.len() / 2).copied().unwrap_or(f64::NAN)
    };
    let told = METHODS.map(|method| format!("{method} {:.1}", typical(method))).join(", ");
    study.finding(
        "no method is below the bound on hard tables",
        tally.verdict(),
        format!("{}; the median ratio of error to bound: {told}", tally.words()),
    );
    study
}
