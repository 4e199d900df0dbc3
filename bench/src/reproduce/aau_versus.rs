//! The smoothed histogram against PrivBayes: the same data, the same test, the same budget.

use anyhow::Result;
use lookalike_privacy::Relation;
use lookalike_schema::Clique;
use lookalike_table::Table;

use super::aau_histogram::{RELEASED, ROWS, rejects_coded};
use super::as_published;
use super::binary::{BinaryCounts, TestResult, independence};
use super::figure::PaperFigure;
use super::recorder::{Recorder, Trial};
use super::results::StudyResults;
use super::source_tables::distances;
use super::study::Study;
use super::verdict::{below, mean_and_error};
use crate::marginal::all_marginals;
use crate::run::MethodSetting;
use crate::simulate::{Copula, SpearmanExample};

pub(super) const FIGURE: PaperFigure = PaperFigure {
    name: "aau-versus",
    about: "the smoothed histogram against PrivBayes on the same data and test",
    from: "Aalborg report, discussion",
    paper: "The report studies the smoothed histogram on two numbers and PrivBayes on five binary columns, finds \
            more power for PrivBayes, and less of a fall with privacy. It leaves a comparison on the same data \
            open.",
    differs: "Both mechanisms release 1,000 rows, of the report's two numbers (10,000 rows, a 10 x 10 grid, \
              Spearman's test) and of its five binary columns (1,000 rows, Pearson's test of each pair with the \
              first). The smoothed histogram pays for every released row; a model does not. Power alone misleads \
              at tiny budgets, where noise makes columns dependent, so the distance of pairs stands beside it.",
    record,
    read,
};

const HISTOGRAM: &str = "smoothed histogram";
const PRIVBAYES: &str = "PrivBayes as published";
const AUTO: &str = "auto";
/// What is measured, on the two numbers and on the five binary columns.
const PANELS: [[&str; 2]; 2] =
    [["two numbers, power", "two numbers, distance"], ["five binary columns, power", "five binary columns, distance"]];
const BATCHES: u64 = 10;

fn setting(series: &str, alpha: f64, seed: u64) -> MethodSetting {
    match series {
        HISTOGRAM => MethodSetting::new("histogram", alpha, 0.0),
        PRIVBAYES => as_published::privbayes_2017(alpha, seed >> 32),
        _ => MethodSetting::new("auto", alpha, 0.0),
    }
}

/// The mean power and the mean distance of pairs over a batch of repetitions.
fn batch(repetitions: u64, trial: Trial, one: impl Fn(u64) -> Result<[f64; 2]>) -> Result<Vec<f64>> {
    let mut sums = [0.0; 2];
    for index in 0..repetitions {
        let found = one(trial.repetition(index))?;
        sums.iter_mut().zip(found).for_each(|(sum, value)| *sum += value / repetitions as f64);
    }
    Ok(sums.to_vec())
}

fn pair_distance(real: &Table, synthetic: &Table) -> Result<f64> {
    let pairs: Vec<Clique> = all_marginals(real.domain(), 2);
    Ok(distances(real, synthetic, &[pairs])?[0])
}

fn record(recorder: &mut Recorder) -> Result<()> {
    let settings = recorder.settings;
    let alphas = settings.pick3(&[1.0][..], &[0.01, 0.1, 1.0, 10.0], &[0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0]);
    let runs = settings.pick3(1, 4, 40);
    recorder.note(format!("a run is a batch of {runs} repetitions"));
    let rows = Some(RELEASED as u64);
    let copula = Copula::report()?;
    for series in [HISTOGRAM, PRIVBAYES, AUTO] {
        for &alpha in alphas {
            recorder.trials(&PANELS[0], series, alpha, BATCHES, |trial| {
                batch(runs, trial, |seed| {
                    let real = SpearmanExample::new(ROWS, seed).table()?;
                    let how = setting(series, alpha, seed);
                    let made = how.synthesize_some(&real, Relation::ReplaceOne, rows, seed)?;
                    Ok([f64::from(u8::from(rejects_coded(&made, seed)?)), pair_distance(&real, &made)?])
                })
            })?;
            recorder.trials(&PANELS[1], series, alpha, BATCHES, |trial| {
                batch(runs, trial, |seed| {
                    let real = copula.table(1_000, seed)?;
                    let how = setting(series, alpha, seed);
                    let made = how.synthesize_some(&real, Relation::ReplaceOne, rows, seed)?;
                    let counts = BinaryCounts::of(&made)?;
                    let rejected = (1..5).filter(|&other| independence(counts.pair(0, other)) == TestResult::Rejected);
                    Ok([rejected.count() as f64 / 4.0, pair_distance(&real, &made)?])
                })
            })?;
        }
    }
    Ok(())
}

fn read(results: &StudyResults) -> Study {
    let mut study = Study::new(
        "The smoothed histogram against PrivBayes",
        "Power: the share of tests that find the dependence. Distance: of pairs of columns, where lower is better. \
         1,000 released rows each.",
    );
    for [power, distance] in PANELS {
        study.panels.push(results.draw(power, "alpha", "power").log_x().unit_y());
        study.panels.push(results.draw(distance, "alpha", "mean distance").log_x());
    }
    for ([power, distance], data) in PANELS.into_iter().zip(["two numbers", "five binary columns"]) {
        let alphas = results.places(power, HISTOGRAM);
        let mean = |panel: &'static str, series: &'static str| {
            results.run_means(alphas.iter().map(move |&alpha| (panel, series, alpha)))
        };
        let [one, other] = [HISTOGRAM, PRIVBAYES].map(|series| mean(power, series));
        study.finding(
            &format!("{data}: PrivBayes has more power than the smoothed histogram"),
            below(&one, &other, 0.0),
            format!("mean power over all alphas: {} against {}", mean_and_error(&other, 3), mean_and_error(&one, 3)),
        );
        let [one, other, auto] = [HISTOGRAM, PRIVBAYES, AUTO].map(|series| mean(distance, series));
        study.finding(
            &format!("{data}: PrivBayes is closer to the table than the smoothed histogram"),
            below(&other, &one, 0.0),
            format!(
                "mean distance of pairs over all alphas: {} against {}; `auto` {}",
                mean_and_error(&other, 3),
                mean_and_error(&one, 3),
                mean_and_error(&auto, 3)
            ),
        );
    }
    study
}
