//! Seconds of PrivMRF against epsilon.

use anyhow::Result;
use lookalike_privacy::Relation;

use super::as_published;
use super::figure::PaperFigure;
use super::recorder::Recorder;
use super::results::StudyResults;
use super::source_tables::{MRF_EPSILONS, TABLES, table};
use super::study::Study;
use super::verdict::{Verdict, below, mean_and_error};
use crate::measure::spent;
use crate::run::MethodSetting;

pub(super) const FIGURE: PaperFigure = PaperFigure {
    name: "mrf-time",
    about: "CPU seconds of PrivMRF against epsilon",
    from: "PrivMRF 2021, figure 6",
    paper: "Time tends to grow with epsilon, not strictly; hundreds of seconds and more.",
    differs: "Three of the paper's six epsilons; our own defaults on NLTCS alone. CPU seconds of a fit with its rows \
              on two shared cores, one run at a time; the paper's are of another program on another machine. Seconds \
              are the one thing here that a rerun does not give again.",
    record,
    read,
};

/// A method at an epsilon, in the number of a run.
type SettingOfRun = fn(f64, u64) -> MethodSetting;

const OURS: &str = "our defaults";
const SERIES: [(&str, SettingOfRun); 2] =
    [("as published", as_published::privmrf), (OURS, as_published::privmrf_of_ours)];

fn record(recorder: &mut Recorder) -> Result<()> {
    let settings = recorder.settings;
    let runs = settings.pick3(1, 3, 10);
    let epsilons = settings.pick3(&[0.8][..], &[0.1, 3.2], &MRF_EPSILONS);
    // What the claim is about comes first, so that a study that is stopped early has it.
    for (series, how) in SERIES {
        for &(file, name) in settings.pick(&TABLES[..1], &TABLES) {
            if series == OURS && file != "nltcs" {
                continue;
            }
            let real = table(file, recorder)?;
            for &epsilon in epsilons {
                // Runs are asked for one by one, so that nothing runs beside them.
                for run in 0..runs {
                    recorder.trials(&[name], series, epsilon, run + 1, |trial| {
                        let how = how(epsilon, trial.run);
                        let (made, cost) = spent(|| how.synthesize(&real, Relation::AddRemove, trial.seed));
                        made?;
                        Ok(vec![cost.cpu])
                    })?;
                }
            }
        }
    }
    Ok(())
}

fn read(results: &StudyResults) -> Study {
    let mut study =
        Study::new("CPU seconds of PrivMRF against epsilon", "CPU seconds of one fit with its rows, against epsilon.");
    for panel in results.panels() {
        study.panels.push(results.draw(panel, "epsilon", "CPU seconds").log_x().log_y());
    }
    let (mut verdicts, mut words) = (Vec::new(), Vec::new());
    for panel in results.panels() {
        let places = results.places(panel, SERIES[0].0);
        let [Some(&first), Some(&last)] = [places.first(), places.last()] else { continue };
        let [first, last] = [first, last].map(|epsilon| results.values(panel, SERIES[0].0, epsilon));
        verdicts.push(below(first, last, 0.0));
        words.push(format!("{panel} {} to {}", mean_and_error(first, 2), mean_and_error(last, 2)));
    }
    study.finding(
        "seconds are more at the largest epsilon than at the smallest, on every table",
        Verdict::all(verdicts),
        words.join(", "),
    );
    study
}
