//! The error of marginals against theta.

use anyhow::Result;
use lookalike_privacy::Relation;

use super::as_published;
use super::figure::PaperFigure;
use super::recorder::Recorder;
use super::results::StudyResults;
use super::source_tables::{distances, some_marginals, table};
use super::study::Study;
use super::verdict::{PlaceTally, Verdict, below};
use crate::marginal::mean;
use crate::run::MethodSetting;

pub(super) const FIGURE: PaperFigure = PaperFigure {
    name: "pb14-theta",
    about: "error of marginals against theta",
    from: "PrivBayes 2014, figure 3",
    paper: "The error of marginals is larger when theta is very small or very large; 2 to 16 is right; 4 is taken.",
    differs: "10 runs where the paper has 50; of NLTCS three of its six epsilons, of Adult two, with thetas from 1 on \
              at 0.05 and from 4 on at 0.2: below, F takes hours.",
    record,
    read,
};

/// The paper's choice.
const CHOSEN: f64 = 4.0;
const WORDS: [&str; 2] = ["as published", "our defaults"];

fn record(recorder: &mut Recorder) -> Result<()> {
    let settings = recorder.settings;
    let (runs, queries) = settings.pick3((1, 10), (10, 150), (10, usize::MAX));
    let thetas: &[f64] =
        settings.pick3(&[4.0, 64.0], &[0.5, 4.0, 16.0, 256.0], &[0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 256.0]);
    let nltcs: Vec<(f64, &[f64])> =
        settings.pick3(&[0.2][..], &[0.05, 0.2], &[0.05, 0.2, 0.8]).iter().map(|&epsilon| (epsilon, thetas)).collect();
    let adult: Vec<(f64, &[f64])> = vec![(0.05, &[1.0, 2.0, 4.0, 8.0, 16.0, 64.0]), (0.2, &[4.0, 8.0, 16.0, 64.0])];
    let tables = [("nltcs", "NLTCS", 3, nltcs), ("adult", "Adult", 2, adult)];
    for (file, name, ways, places) in tables.into_iter().take(settings.pick(1, 2)) {
        let real = table(file, recorder)?;
        let marginals = [some_marginals(&real, ways, queries)];
        let panel = format!("{name}, {ways}-way marginals");
        for (epsilon, thetas) in places {
            for word in WORDS {
                for &theta in thetas {
                    recorder.trials(&[&panel], &format!("epsilon {epsilon}, {word}"), theta, runs, |trial| {
                        let how = match word {
                            "as published" => as_published::privbayes_2014(epsilon, trial.run),
                            _ => MethodSetting::new("privbayes", epsilon, 0.0).with("shuffle", trial.run),
                        };
                        let made = how.with("theta", theta).synthesize(&real, Relation::ReplaceOne, trial.seed)?;
                        distances(&real, &made, &marginals)
                    })?;
                }
            }
        }
    }
    Ok(())
}

fn read(results: &StudyResults) -> Study {
    let mut study = Study::new(
        "Error of marginals against theta",
        "The mean distance of marginals against theta, as published and with our defaults.",
    );
    for panel in results.panels() {
        study.panels.push(results.draw(panel, "theta", "mean distance").log_x());
    }
    for word in WORDS {
        judge(&mut study, results, word);
    }
    study
}

/// Whether the curves have the shape of a U, and where its bottom is.
fn judge(study: &mut Study, results: &StudyResults, word: &str) {
    let (mut ends, mut bottoms, mut excess) = (PlaceTally::default(), PlaceTally::default(), Vec::new());
    for panel in results.panels() {
        for series in results.series(panel).into_iter().filter(|series| series.ends_with(word)) {
            let thetas = results.places(panel, series);
            let values = |theta: f64| results.values(panel, series, theta);
            let [Some(&first), Some(&last)] = [thetas.first(), thetas.last()] else { continue };
            let others = [first, last].into_iter().filter(|end| *end != CHOSEN);
            others.for_each(|end| ends.add(below(values(CHOSEN), values(end), 0.0)));
            let inside = |theta: &f64| (2.0..=16.0).contains(theta);
            let least = |some: &mut dyn Iterator<Item = f64>| {
                some.min_by(|one, other| mean(values(*one)).total_cmp(&mean(values(*other))))
            };
            let Some(best) = least(&mut thetas.iter().copied().filter(inside)) else { continue };
            let outside = thetas.iter().copied().filter(|theta| !inside(theta));
            // Within a hundredth: the U may be flat.
            let room = 0.01 * mean(values(best));
            bottoms.add(Verdict::all(outside.map(|theta| below(values(best), values(theta), room))));
            let lowest = least(&mut thetas.iter().copied()).unwrap_or(best);
            excess.push(mean(values(CHOSEN)) / mean(values(lowest)) - 1.0);
        }
    }
    study.finding(
        &format!("{word}: the error is larger at the smallest and at the largest theta than at 4"),
        ends.verdict(),
        ends.words(),
    );
    study.finding(
        &format!("{word}: the best theta lies between 2 and 16 (within a hundredth)"),
        bottoms.verdict(),
        format!(
            "{} (a place is an epsilon); theta = 4 is {:.0}% above the best one on average, {:.0}% at most",
            bottoms.words(),
            100.0 * mean(&excess),
            100.0 * excess.iter().copied().fold(0.0, f64::max)
        ),
    );
}
