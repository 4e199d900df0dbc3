//! Power of Pearson's test on synthetic rows: against the network's share of the budget, and
//! against the budget.
//!
//! Three recipes. "as published" follows the report's code, which noises conditional
//! probabilities, lets R test a constant column against equal shares, and drops runs whose test
//! fails. "as the text has it" noises joint tables, by 2^(1+q) for q parents. "mended" is the
//! product's `privbayes` (noise on joint counts, replace-one, mutual information, given order).
//! The last two have a test that keeps independence when a column is constant.

use anyhow::Result;
use lookalike_privacy::Relation;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::binary::{BinaryCounts, TestResult, as_r_tests, independence};
use super::figure::PaperFigure;
use super::published::{not_private_pairs, pairs_of_the_text};
use super::recorder::{Recorder, Trial};
use super::results::StudyResults;
use super::study::Study;
use super::verdict::{Verdict, above_zero, below, differences, mean_and_error};
use crate::marginal::{mean, standard_error};
use crate::plot::Panel;
use crate::run::MethodSetting;
use crate::simulate::Copula;

pub(super) const MIXTURE: PaperFigure = PaperFigure {
    name: "aau-mixture",
    about: "power of Pearson's test against the network's share of the budget",
    from: "Aalborg report, figures 4.3-4.6",
    paper: "Power grows with the budget. At alpha = 1 a large beta costs power, at alpha = 10 and 100 a small \
            one does. At alpha = 0.1 the curve looks like a U.",
    differs: "33 betas and 500 runs each where the report has 100 betas. Claims compare the lowest, the middle \
              and the highest third of the betas, over all four pairs. The U at alpha = 0.1 belongs to the \
              published recipe alone: it is the artefact that the next figure explains.",
    record: record_mixture,
    read: read_mixture,
};

pub(super) const PRIVACY: PaperFigure = PaperFigure {
    name: "aau-privacy",
    about: "power of Pearson's test against the budget, as published and mended",
    from: "Aalborg report, figures 4.7-4.9",
    paper: "Power falls as alpha falls from 100 to 0.1, and then rises again. Its authors suspect that \
            probabilities cut to 0 and 1 are to blame.",
    differs: "41 alphas where the report has 1,000. Three things in the published code make the rise:\n\
              1. The Laplace noise of *joint* probabilities is added to *conditional* ones. These are larger, so the noise \
              is too small for the promise: the recipe is **not private**. It lives in one file of the study and nowhere \
              else. (The text, unlike the code, noises joint tables, and multiplies the noise by 2^(1+q) for q parents, \
              which is private, and more than is needed.)\n\
              2. At tiny budgets conditionals become 0 or 1, and a column becomes constant. R's `chisq.test` of a table \
              with one row left is a test of *equal shares* of the other column. It rejects nearly always, and that is \
              counted as power.\n\
              3. Where both columns are constant the test fails, and the run is dropped.\n\n\
              The mended recipe is the product's `privbayes` (noise on joint counts, the same score, order and degree), \
              and a test that keeps independence when a column is constant. What is left of its power at alpha = 0.01 is \
              no signal either: tables of pure noise make columns dependent at random. A test that rejects says nothing \
              there.",
    record: record_privacy,
    read: read_privacy,
};

const ROWS: usize = 1000;
const PAIRS: usize = 4;
/// Shares of runs are taken over batches, so that their scatter is seen.
const BATCHES: u64 = 10;
/// What a pair's curve is called, by recipe.
const PUBLISHED: [&str; PAIRS] = ["1-2 as published", "1-3 as published", "1-4 as published", "1-5 as published"];
const MENDED: [&str; PAIRS] = ["1-2 mended", "1-3 mended", "1-4 mended", "1-5 mended"];
const TEXT: [&str; PAIRS] = ["1-2 of the text", "1-3 of the text", "1-4 of the text", "1-5 of the text"];
/// The recipes' means over all pairs, as the pictures call them.
const RECIPES: [(&str, [&str; PAIRS]); 3] =
    [("as published (not private)", PUBLISHED), ("as the text has it", TEXT), ("mended", MENDED)];
const ALPHAS: [f64; 4] = [0.1, 1.0, 10.0, 100.0];
const BETAS: [f64; 3] = [0.2, 0.5, 0.8];

const CAPTION: &str = "The share of tests that find the dependence of a pair of columns, mean over the pairs of \
                       the first with the others. The published code is not private.";

#[derive(Clone, Copy)]
struct Budgets {
    alpha: f64,
    beta: f64,
}

/// The share of a batch of runs that reject, for each pair (1, j); runs whose test failed are left
/// out.
fn power_of(runs: u64, trial: Trial, make: impl Fn(&Copula, u64) -> Result<[TestResult; PAIRS]>) -> Result<Vec<f64>> {
    let copula = Copula::report()?;
    let verdicts = (0..runs).map(|index| make(&copula, trial.repetition(index))).collect::<Result<Vec<_>>>()?;
    let share = |index: usize| {
        let made = verdicts.iter().filter(|run| run[index] != TestResult::Failed).count();
        let rejected = verdicts.iter().filter(|run| run[index] == TestResult::Rejected).count();
        rejected as f64 / made.max(1) as f64
    };
    Ok((0..PAIRS).map(share).collect())
}

/// All recipes at one place of a panel. A run gives the power of all four pairs, a series each.
fn place(recorder: &mut Recorder, panel: &str, x: f64, at: Budgets) -> Result<()> {
    let runs = recorder.settings.pick3(2, 12, 50);
    recorder.note(format!("a run is a batch of {runs} repetitions"));
    recorder.series(panel, &PUBLISHED, x, BATCHES, |trial| {
        power_of(runs, trial, |copula, seed| {
            let counts = BinaryCounts::of(&copula.table(ROWS, seed)?)?;
            let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x5a);
            let pairs = not_private_pairs(&counts, at.alpha, at.beta, ROWS, &mut rng);
            Ok(std::array::from_fn(|index| as_r_tests(pairs[index])))
        })
    })?;
    recorder.series(panel, &TEXT, x, BATCHES, |trial| {
        power_of(runs, trial, |copula, seed| {
            let pairs = pairs_of_the_text(&copula.table(ROWS, seed)?, at.alpha, at.beta, seed ^ 0x5c)?;
            Ok(std::array::from_fn(|index| independence(pairs[index])))
        })
    })?;
    let setting = MethodSetting::new("privbayes", at.alpha, 0.0).with("order", "given").with("score", "i");
    let setting = setting.with("degree", 3).with("negatives", "clamp").with("beta", at.beta);
    recorder.series(panel, &MENDED, x, BATCHES, |trial| {
        power_of(runs, trial, |copula, seed| {
            let made = setting.synthesize(&copula.table(ROWS, seed)?, Relation::ReplaceOne, seed ^ 0x5b)?;
            let counts = BinaryCounts::of(&made)?;
            Ok(std::array::from_fn(|index| independence(counts.pair(0, index + 1))))
        })
    })
}

/// `count` places from `low` to `high`.
fn evenly(count: usize, low: f64, high: f64) -> Vec<f64> {
    (0..count).map(|index| low + (high - low) * index as f64 / (count - 1) as f64).collect()
}

fn alpha_panel(alpha: f64) -> String {
    format!("alpha = {alpha}")
}

fn beta_panel(beta: f64) -> String {
    format!("beta = {beta}")
}

fn record_mixture(recorder: &mut Recorder) -> Result<()> {
    for alpha in ALPHAS {
        for beta in evenly(recorder.settings.pick3(3, 9, 33), 0.1, 0.9) {
            place(recorder, &alpha_panel(alpha), beta, Budgets { alpha, beta })?;
        }
    }
    Ok(())
}

fn record_privacy(recorder: &mut Recorder) -> Result<()> {
    for beta in BETAS {
        for power in evenly(recorder.settings.pick3(3, 9, 41), -2.0, 2.0) {
            place(recorder, &beta_panel(beta), power, Budgets { alpha: 10f64.powf(power), beta })?;
        }
    }
    Ok(())
}

/// The mean power of a recipe over all pairs and the places inside a range, batch by batch.
fn mean_power(results: &StudyResults, panels: &[String], recipe: [&str; PAIRS], range: (f64, f64)) -> Vec<f64> {
    let mut cells = Vec::new();
    for panel in panels {
        for series in recipe {
            let inside = results.places(panel, series).into_iter().filter(|x| (range.0..=range.1).contains(x));
            cells.extend(inside.map(|x| (panel.as_str(), series, x)));
        }
    }
    results.run_means(cells)
}

/// The mean power over all pairs, a curve a recipe.
fn draw(results: &StudyResults, panel: &str, x: &str) -> Panel {
    let mut drawn = Panel::new(panel, x, "mean power of four pairs").unit_y();
    for (name, recipe) in RECIPES {
        for place in results.places(panel, recipe[0]) {
            let power = results.run_means(recipe.map(|series| (panel, series, place)));
            drawn.put_with_error(name, place, mean(&power), standard_error(&power));
        }
    }
    drawn
}

fn read_mixture(results: &StudyResults) -> Study {
    let mut study = Study::new("Power of Pearson's test against beta", CAPTION);
    for panel in results.panels() {
        study.panels.push(draw(results, panel, "beta: the network's share"));
    }
    let at = |alphas: &[f64], recipe, range| {
        mean_power(results, &alphas.iter().map(|&alpha| alpha_panel(alpha)).collect::<Vec<_>>(), recipe, range)
    };
    let all = (0.0, 1.0);
    let grows = |recipe| {
        Verdict::all(
            ALPHAS.windows(2).map(|pair| below(&at(&pair[..1], recipe, all), &at(&pair[1..], recipe, all), 0.02)),
        )
    };
    let told = |recipe| ALPHAS.map(|alpha| mean_and_error(&at(&[alpha], recipe, all), 3)).join(", ");
    study.finding(
        "power grows with the budget (within 0.02)",
        grows(MENDED),
        format!("mean power at alpha 0.1, 1, 10, 100: mended {}; as published {}", told(MENDED), told(PUBLISHED)),
    );
    let (low, middle, high) = ((0.0, 0.37), (0.37, 0.63), (0.63, 1.0));
    let words = |alphas: &[f64]| {
        let ends = |recipe| {
            format!(
                "{} and {}",
                mean_and_error(&at(alphas, recipe, low), 3),
                mean_and_error(&at(alphas, recipe, high), 3)
            )
        };
        format!("low against high beta: as published {}; mended {}", ends(PUBLISHED), ends(MENDED))
    };
    study.finding(
        "at a small budget (alpha = 1) a large beta costs power",
        below(&at(&[1.0], PUBLISHED, high), &at(&[1.0], PUBLISHED, low), 0.0),
        words(&[1.0]),
    );
    study.finding(
        "at large budgets (alpha = 10 and 100) a small beta costs power",
        below(&at(&[10.0, 100.0], PUBLISHED, low), &at(&[10.0, 100.0], PUBLISHED, high), 0.0),
        words(&[10.0, 100.0]),
    );
    let thirds = |recipe| [low, middle, high].map(|range| at(&[0.1], recipe, range));
    let told = |recipe| thirds(recipe).map(|values| mean_and_error(&values, 3)).join(", ");
    let [first, second, third] = thirds(PUBLISHED);
    study.finding(
        "at alpha = 0.1 power is a U in beta",
        Verdict::all([below(&second, &first, 0.0), below(&second, &third, 0.0)]),
        format!("thirds of beta, as published: {}", told(PUBLISHED)),
    );
    let [first, second, third] = thirds(MENDED);
    study.finding(
        "(ours) mended there is no U: power falls with beta",
        Verdict::all([below(&second, &first, 0.0), below(&third, &second, 0.0)]),
        format!("thirds of beta, mended: {}", told(MENDED)),
    );
    study
}

fn read_privacy(results: &StudyResults) -> Study {
    let mut study = Study::new("Power of Pearson's test against the budget", CAPTION);
    for panel in results.panels() {
        study.panels.push(draw(results, panel, "log10 of alpha"));
    }
    let panels = BETAS.map(beta_panel);
    let at = |recipe, range| mean_power(results, &panels, recipe, range);
    // Where the report has its dip, from 0.06 to 0.16; and both ends.
    let (dip, tiny, large) = ((-1.25, -0.75), (-2.0, -1.95), (1.95, 2.0));
    let fall =
        |recipe| differences(&at(recipe, large), &at(recipe, dip)).iter().map(|fall| fall - 0.05).collect::<Vec<_>>();
    let told = |recipe| {
        format!(
            "{} at alpha 100, {} around 0.1, {} at 0.01",
            mean_and_error(&at(recipe, large), 3),
            mean_and_error(&at(recipe, dip), 3),
            mean_and_error(&at(recipe, tiny), 3)
        )
    };
    study.finding(
        "power falls as alpha falls from 100 to 0.1",
        Verdict::all([above_zero(&fall(PUBLISHED)), above_zero(&fall(MENDED))]),
        format!("as published {}; mended {}", told(PUBLISHED), told(MENDED)),
    );
    study.finding(
        "below alpha = 0.1 the report's power rises again",
        below(&at(PUBLISHED, dip), &at(PUBLISHED, tiny), 0.0),
        format!("as published {}", told(PUBLISHED)),
    );
    study.finding(
        "(ours) the rise is an artefact: mended, power goes on falling",
        below(&at(MENDED, tiny), &at(MENDED, dip), 0.0),
        format!("mended {}", told(MENDED)),
    );
    study.finding(
        "(ours) the text's noise, 2^(1+q), costs power against noise of the true sensitivity",
        below(&at(TEXT, (-2.0, 2.0)), &at(MENDED, (-2.0, 2.0)), 0.0),
        format!("as the text has it {}", told(TEXT)),
    );
    study
}
