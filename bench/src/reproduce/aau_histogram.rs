//! Spearman's test on rows of a smoothed histogram, against alpha.

use anyhow::Result;
use lookalike_evaluate::hypothesis::spearman;
use lookalike_methods::Outcome;
use lookalike_privacy::Relation;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use super::study::{Study, StudySettings};
use crate::plot::{Panel, Points};
use crate::run::MethodSetting;
use crate::simulate::SpearmanExample;
use crate::simulate::draw::{below, uniform};
use crate::simulate::spearman::GRID;

const ROWS: usize = 10_000;
const RELEASED: usize = 1_000;
const CELLS: f64 = (GRID * GRID) as f64;
/// What the report's simulation prints for the number of cells: the area of one.
const PRINTED: f64 = 1.0 / CELLS;
/// The level of Spearman's test.
const LEVEL: f64 = 0.05;

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
            (below(rng, GRID), below(rng, GRID))
        } else {
            let row = below(rng, ROWS as u32) as usize;
            (square(data.first[row]), square(data.second[row]))
        };
        ((f64::from(x) + uniform(rng)) / side, (f64::from(y) + uniform(rng)) / side)
    };
    (0..RELEASED).map(|_| point()).unzip()
}

fn rejects(first: &[f64], second: &[f64]) -> bool {
    spearman(first, second).is_some_and(|found| found.rejects(LEVEL))
}

fn power(alpha: f64, cells: f64, runs: u64) -> f64 {
    let reject = |run: u64| {
        let data = SpearmanExample::new(ROWS, run);
        let mut rng = ChaCha8Rng::seed_from_u64(run ^ alpha.to_bits());
        let (first, second) = draw(&data, smoothing(alpha, cells), &mut rng);
        rejects(&first, &second)
    };
    (0..runs).into_par_iter().filter(|&run| reject(run)).count() as f64 / runs as f64
}

/// The same through the door: rows that the curator drew and charged.
fn power_of_the_product(alpha: f64, runs: u64) -> Result<f64> {
    let setting = MethodSetting::new("histogram", alpha, 0.0);
    let reject = |run: u64| -> Result<bool> {
        let data = SpearmanExample::new(ROWS, run).table()?;
        let (outcome, _) = setting.run_on(&data, Relation::ReplaceOne, Some(RELEASED as u64))?;
        let Outcome::Rows(paid) = outcome else { anyhow::bail!("the histogram makes rows") };
        let mut rng = ChaCha8Rng::seed_from_u64(run);
        let mut place = |code: &u32| (f64::from(*code) + uniform(&mut rng)) / f64::from(GRID);
        let columns: Vec<Vec<f64>> =
            paid.drawn.columns(data.domain()).iter().map(|codes| codes.iter().map(&mut place).collect()).collect();
        Ok(rejects(&columns[0], &columns[1]))
    };
    let verdicts = (0..runs).into_par_iter().map(reject).collect::<Result<Vec<bool>>>()?;
    Ok(verdicts.iter().filter(|rejected| **rejected).count() as f64 / runs as f64)
}

pub(super) fn run(settings: &StudySettings) -> Result<Study> {
    let mut study = Study::new("Spearman's test on a smoothed histogram", 2, "series, alpha, delta, power, runs");
    let (count, runs) = (settings.pick(13, 41), settings.pick(200, 10_000));
    let places: Vec<f64> = (0..count).map(|index| 10f64.powf(-2.0 + 3.0 * index as f64 / (count - 1) as f64)).collect();
    (settings.tell)("the report's simulation");
    let right: Points = places.iter().map(|&alpha| (alpha, power(alpha, CELLS, runs))).collect();
    let printed: Points = places.iter().map(|&alpha| (alpha * 1e-4, power(alpha * 1e-4, PRINTED, runs))).collect();
    (settings.tell)("the product");
    let product_runs = settings.pick(40, 1000);
    let product = [0.1, 0.5, 1.0, 4.0].into_iter().map(|alpha| Ok((alpha, power_of_the_product(alpha, product_runs)?)));
    let product: Points = product.collect::<Result<_>>()?;
    for (name, cells, curve, runs) in [
        ("m = 100", CELLS, &right, runs),
        ("m = 1/100 (as printed)", PRINTED, &printed, runs),
        ("the product", CELLS, &product, product_runs),
    ] {
        for (alpha, power) in curve {
            study.table.push(&[&name, alpha, &smoothing(*alpha, cells), power, &runs]);
        }
    }
    let data = SpearmanExample::new(ROWS, 1);
    clouds(&mut study, &data);
    let panel = |title: &str| Panel::new(title, "alpha", "power").log_x().unit_y();
    let (mut meant, mut as_printed) = (panel("Power, m = 100 cells"), panel("Power as printed, m = 1/100"));
    right.iter().for_each(|&(alpha, power)| meant.put("simulated, m = 100", alpha, power));
    meant.dots("the product", product.iter().copied());
    as_printed.dashed("simulated, m = 1/100", printed.iter().copied());
    study.panels.extend([meant, as_printed]);
    let rho = spearman(&data.first, &data.second).map_or(f64::NAN, |found| found.rho);
    study.finding("the example's rank correlation is 0.94", (rho - 0.94).abs() < 0.01, format!("{rho:.3}"));
    let ((lowest, from), (highest, to)) = (right[0], right[right.len() - 1]);
    study.finding(
        "power rises with alpha, from the test's level to 1",
        right.is_sorted_by(|less, more| more.1 >= less.1 - 0.12) && from < 0.15 && to > 0.98,
        format!("from {from:.2} at alpha {lowest} to {to:.2} at alpha {highest}"),
    );
    let half = |curve: &[(f64, f64)]| curve.iter().find(|point| point.1 >= 0.5).map_or(f64::NAN, |point| point.0);
    let (meant, misprint) = (half(&right), half(&printed));
    study.finding(
        "the report prints m = 1/100 where 100 cells are meant: its alphas are 10,000 times too small",
        (meant / misprint / 1e4).log10().abs() < 0.3,
        format!("power one half at alpha {meant:.2} with m = 100, at {misprint:.1e} with m = 1/100"),
    );
    let gap = product.iter().map(|(alpha, power)| (power - interpolated(&right, *alpha)).abs()).fold(0.0, f64::max);
    study.finding(
        "rows that the product draws and charges have the same power",
        gap < 0.25,
        format!("largest difference {gap:.2} over {product_runs} runs a place"),
    );
    if settings.pick(true, false) {
        study.note(format!("{runs} runs a place where the report has 10,000"));
    }
    Ok(study)
}

/// The example's rows, and rows that are released of them, beside each other.
fn clouds(study: &mut Study, data: &SpearmanExample) {
    let smoothing = smoothing(10.0, CELLS);
    let (first, second) = draw(data, smoothing, &mut ChaCha8Rng::seed_from_u64(1));
    let released = format!("Released rows, alpha = 10, delta = {smoothing:.2}");
    for (title, name, x, y) in [
        ("Real rows (500 of 10,000)", "real", &data.first, &data.second),
        (released.as_str(), "released", &first, &second),
    ] {
        let mut panel = Panel::new(title, "X1", "X2").unit_y();
        panel.dots(name, x.iter().copied().zip(y.iter().copied()).take(500));
        study.panels.push(panel);
    }
}

/// Between two points of a curve, along the logarithm of the first coordinate.
fn interpolated(curve: &[(f64, f64)], at: f64) -> f64 {
    let after = curve.iter().position(|point| point.0 >= at).unwrap_or(curve.len() - 1).max(1);
    let ((x0, y0), (x1, y1)) = (curve[after - 1], curve[after]);
    y0 + (y1 - y0) * ((at / x0).ln() / (x1 / x0).ln()).clamp(0.0, 1.0)
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
}
