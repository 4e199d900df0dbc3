//! Spearman's test on rows of a smoothed histogram, against alpha.

use anyhow::Result;
use lookalike_evaluate::hypothesis::spearman;
use lookalike_privacy::Relation;
use lookalike_table::Table;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::figure::PaperFigure;
use super::recorder::{Recorder, Trial};
use super::results::StudyResults;
use super::study::Study;
use super::verdict::{Verdict, above_zero, below, mean_and_error};
use crate::plot::Panel;
use crate::run::MethodSetting;
use crate::simulate::SpearmanExample;
use crate::simulate::draw::{below as below_bound, uniform};
use crate::simulate::spearman::GRID;

pub(super) const FIGURE: PaperFigure = PaperFigure {
    name: "aau-histogram",
    about: "power of Spearman's test on rows of a smoothed histogram",
    from: "Aalborg report, figures 3.1-3.2",
    paper: "10,000 rows with a rank correlation of 0.94, 1,000 rows released from a smoothed 10 x 10 histogram. \
            Power is about 100% for alpha above the root of 10, drops drastically down to its inverse, and \
            levels off at around 0%.",
    differs: "The report's text prints m = 1/10^2 for the number of squares, the area of one. That is a \
              misprint: its drop is where m = 100 puts it, and its program divides by the squared number of \
              partitions. With m = 1/100 there would be no drop in its range at all (dashed). Power cannot level \
              off at 0: a test of level 0.05 rejects in one of twenty cases when there is nothing to find.",
    record,
    read,
};

pub(super) const ROWS: usize = 10_000;
pub(super) const RELEASED: usize = 1_000;
const CELLS: f64 = (GRID * GRID) as f64;
/// What the report's text prints for the number of cells.
const PRINTED: f64 = 1.0 / CELLS;
/// The level of Spearman's test.
const LEVEL: f64 = 0.05;
/// Shares of runs are taken over batches, so that their scatter is seen.
const BATCHES: u64 = 10;

const POWER: &str = "power";
const CORRELATION: &str = "rank correlation";
const MEANT: &str = "m = 100";
const AS_PRINTED: &str = "m = 1/100, as printed";
const PRODUCT: &str = "the product";

/// The share of rows that come from nowhere: delta = m / (n (e^(alpha / k) - 1) + m).
fn smoothing(alpha: f64, cells: f64) -> f64 {
    cells / (ROWS as f64 * (alpha / RELEASED as f64).exp_m1() + cells)
}

/// Rows of the smoothed histogram, each at an even place of its square.
fn draw<R: Rng>(data: &SpearmanExample, smoothing: f64, rng: &mut R) -> (Vec<f64>, Vec<f64>) {
    let side = f64::from(GRID);
    let square = |value: f64| ((value * side) as u32).min(GRID - 1);
    let mut point = || {
        let (x, y) = if uniform(rng) < smoothing {
            (below_bound(rng, GRID), below_bound(rng, GRID))
        } else {
            let row = below_bound(rng, ROWS as u32) as usize;
            (square(data.first[row]), square(data.second[row]))
        };
        ((f64::from(x) + uniform(rng)) / side, (f64::from(y) + uniform(rng)) / side)
    };
    (0..RELEASED).map(|_| point()).unzip()
}

fn rejects(first: &[f64], second: &[f64]) -> bool {
    spearman(first, second).is_some_and(|found| found.rejects(LEVEL))
}

/// Whether Spearman's test on coded rows rejects, each row at an even place of its square.
pub(super) fn rejects_coded(table: &Table, seed: u64) -> Result<bool> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut columns = Vec::new();
    for attribute in table.domain().attributes() {
        let codes = table.codes(attribute)?;
        columns.push(codes.iter().map(|&code| (f64::from(code) + uniform(&mut rng)) / f64::from(GRID)).collect());
    }
    let [first, second]: &[Vec<f64>; 2] = columns.as_slice().try_into()?;
    Ok(rejects(first, second))
}

/// The share of a batch of repetitions for which something holds.
fn share(repetitions: u64, trial: Trial, holds: impl Fn(u64) -> Result<bool>) -> Result<f64> {
    let mut count = 0;
    for index in 0..repetitions {
        count += u64::from(holds(trial.repetition(index))?);
    }
    Ok(count as f64 / repetitions as f64)
}

fn record(recorder: &mut Recorder) -> Result<()> {
    let settings = recorder.settings;
    let places = settings.pick3(5, 13, 25);
    let alphas: Vec<f64> =
        (0..places).map(|index| 10f64.powf(-2.0 + 3.0 * f64::from(index) / f64::from(places - 1))).collect();
    recorder.trials(&[CORRELATION], "the example", 0.0, BATCHES, |trial| {
        let data = SpearmanExample::new(ROWS, trial.seed);
        Ok(vec![spearman(&data.first, &data.second).map_or(0.0, |found| found.rho)])
    })?;
    for (series, cells, runs) in
        [(MEANT, CELLS, settings.pick3(2, 20, 1_000)), (AS_PRINTED, PRINTED, settings.pick3(2, 5, 100))]
    {
        for &alpha in &alphas {
            recorder.trials(&[POWER], series, alpha, BATCHES, |trial| {
                let one = |seed| {
                    let data = SpearmanExample::new(ROWS, seed);
                    let (first, second) =
                        draw(&data, smoothing(alpha, cells), &mut ChaCha8Rng::seed_from_u64(seed ^ 0x51));
                    Ok(rejects(&first, &second))
                };
                Ok(vec![share(runs, trial, one)?])
            })?;
        }
    }
    recorder.note(format!("a run is a batch of {} repetitions", settings.pick3(2, 20, 1_000)));
    // Rows that the curator drew and charged.
    let runs = settings.pick3(1, 4, 100);
    for alpha in settings.pick(&alphas[..], &[0.1, 10f64.powf(-0.5), 1.0, 10f64.powf(0.5), 10.0]) {
        let setting = MethodSetting::new("histogram", *alpha, 0.0);
        recorder.trials(&[POWER], PRODUCT, *alpha, BATCHES, |trial| {
            let one = |seed| {
                let data = SpearmanExample::new(ROWS, seed).table()?;
                let rows = Some(RELEASED as u64);
                rejects_coded(&setting.synthesize_some(&data, Relation::ReplaceOne, rows, seed ^ 0x52)?, seed)
            };
            Ok(vec![share(runs, trial, one)?])
        })?;
    }
    Ok(())
}

fn read(results: &StudyResults) -> Study {
    let mut study = Study::new(
        "Spearman's test on a smoothed histogram",
        "Above: 500 of the real rows, and rows that are released of them. Below: the share of runs in which \
         Spearman's test finds the dependence, against alpha, with the number of squares that the theorem needs \
         and with the printed one.",
    );
    clouds(&mut study, &SpearmanExample::new(ROWS, 1));
    study.panels.push(results.draw(POWER, "alpha", "power").log_x().unit_y());
    let at = |series: &str, power_of_ten: f64| {
        let nearest = |x: &f64| (x.log10() - power_of_ten).abs();
        let places = results.places(POWER, series);
        let place = places.into_iter().min_by(|one, other| nearest(one).total_cmp(&nearest(other)));
        place.map_or(Vec::new(), |x| results.values(POWER, series, x).to_vec())
    };
    let above = |values: &[f64], limit: f64| above_zero(&values.iter().map(|value| value - limit).collect::<Vec<_>>());
    let rho = results.values(CORRELATION, "the example", 0.0);
    let near: Vec<f64> = rho.iter().map(|rho| 0.01 - (rho - 0.94).abs()).collect();
    study.finding("the example's rank correlation is 0.94", above_zero(&near), mean_and_error(rho, 3));
    let [high, middle, low, floor] = [0.5, 0.0, -0.5, -2.0].map(|power| at(MEANT, power));
    study.finding(
        "power is about 1 at the root of 10 and drops drastically down to its inverse",
        Verdict::all([above(&high, 0.95), below(&low, &vec![0.5; low.len()], 0.0)]),
        format!(
            "with m = 100, power at alpha = 3.16, 1 and 0.316: {}, {}, {}",
            mean_and_error(&high, 2),
            mean_and_error(&middle, 2),
            mean_and_error(&low, 2)
        ),
    );
    study.finding(
        "it levels off at around 0%",
        below(&floor, &vec![0.025; floor.len()], 0.0),
        format!("power at alpha = 0.01: {}, the level of the test", mean_and_error(&floor, 3)),
    );
    let printed = at(AS_PRINTED, -0.5);
    study.finding(
        "(ours) only m = 100 gives this drop",
        above(&printed, 0.95),
        format!("with m = 1/100, as printed, power at alpha = 0.316 is {}", mean_and_error(&printed, 2)),
    );
    let gaps: Vec<f64> = results
        .places(POWER, PRODUCT)
        .into_iter()
        .map(|x| crate::marginal::mean(&at(PRODUCT, x.log10())) - crate::marginal::mean(&at(MEANT, x.log10())))
        .collect();
    let close: Vec<Verdict> = results
        .places(POWER, PRODUCT)
        .into_iter()
        .map(|x| {
            let (one, other) = (at(PRODUCT, x.log10()), at(MEANT, x.log10()));
            Verdict::all([below(&one, &other, 0.1), below(&other, &one, 0.1)])
        })
        .collect();
    let worst = gaps.iter().fold(0f64, |worst, gap| worst.max(gap.abs()));
    study.finding(
        "(ours) rows that the product draws and charges have the same power within 0.1",
        Verdict::all(close),
        format!("the largest difference is {worst:.3}"),
    );
    study
}

/// The example's rows, and rows that are released of them, beside each other.
fn clouds(study: &mut Study, data: &SpearmanExample) {
    let smoothing = smoothing(10.0, CELLS);
    let (first, second) = draw(data, smoothing, &mut ChaCha8Rng::seed_from_u64(1));
    let released = format!("released rows, alpha = 10, delta = {smoothing:.2}");
    for (title, name, x, y) in
        [("real rows", "real", &data.first, &data.second), (released.as_str(), "released", &first, &second)]
    {
        let mut panel = Panel::new(title, "X1", "X2").unit_y();
        panel.dots(name, x.iter().copied().zip(y.iter().copied()).take(500));
        study.panels.push(panel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoothing_inverts_the_cost() {
        for alpha in [0.1, 1.0, 50.0] {
            let delta = smoothing(alpha, CELLS);
            let back = RELEASED as f64 * ((1.0 - delta) * CELLS / (ROWS as f64 * delta)).ln_1p();
            assert!((back - alpha).abs() < 1e-9 * alpha, "{alpha}: {back}");
        }
    }

    /// The worked values of the report's settings with 100 squares.
    #[test]
    fn smoothing_has_the_worked_values() {
        let worked = [(0.1, 0.990_099), (1.0, 0.909_050), (10.0, 0.498_749), (100.0, 0.086_827)];
        for (alpha, delta) in worked {
            assert!((smoothing(alpha, CELLS) - delta).abs() < 1e-6, "{alpha}");
        }
    }
}
