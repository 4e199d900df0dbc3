//! Long tails in a wild range: lognormal and Pareto amounts that follow each other.

use super::sketch::TableSketch;

const WILD: [f64; 2] = [0.0, 10_000_000.0];

/// Incomes, what follows from them, and a few small columns that do too.
pub fn draw(sketch: &mut TableSketch) {
    let wealth = sketch.draw(|sketch, _| sketch.normal());
    let near = |sketch: &mut TableSketch, share: f64| {
        let rest = (1.0 - share * share).sqrt();
        sketch.draw(|sketch, row| share * wealth[row] + rest * sketch.normal())
    };
    let income = near(sketch, 0.9).into_iter().map(|z| (10.3 + 0.7 * z).exp()).collect::<Vec<f64>>();
    let savings = near(sketch, 0.8).into_iter().map(|z| (8.5 + 1.6 * z).exp()).collect();
    // A Pareto tail of shape 1.5, by its quantile at a uniform number.
    let pareto = |z: f64| 2_000.0 * (1.0 - uniform_of(z)).max(1e-9).powf(-1.0 / 1.5);
    let stocks: Vec<f64> = near(sketch, 0.7).into_iter().map(pareto).collect();
    let stocks = sketch.draw(|sketch, row| if sketch.happens(0.55) { 0.0 } else { stocks[row] });
    let spending = sketch.draw(|sketch, row| income[row] * (0.55 + 0.12 * sketch.normal()).max(0.05));
    let debt = sketch.draw(|sketch, row| match sketch.happens(0.4) {
        true => 0.0,
        false => 0.8 * income[row] * (0.9 * sketch.normal()).exp(),
    });
    let tax = income.iter().map(|income| (income - 12_000.0).max(0.0) * 0.31).collect();
    let claims = sketch.draw(|sketch, _| (-1.2 + 1.3 * sketch.normal()).exp().floor());
    let segment = sketch.draw(|sketch, row| {
        let edge = wealth[row] + 0.4 * sketch.normal();
        [-0.5, 0.5, 1.6].iter().filter(|&&bound| edge > bound).count() as f64
    });
    let age = near(sketch, 0.3).into_iter().map(|z| (44.0 + 15.0 * z).round()).collect();
    sketch.number("income", WILD, 2, income);
    sketch.number("savings", WILD, 2, savings);
    sketch.number("stocks", WILD, 2, stocks);
    sketch.number("spending", WILD, 2, spending);
    sketch.number("debt", WILD, 0, debt);
    sketch.number("tax", WILD, 0, tax);
    sketch.number("claims", [0.0, 10_000.0], 0, claims);
    sketch.number("age", [0.0, 120.0], 0, age);
    sketch.word("segment", &["basic", "standard", "plus", "private"], segment);
    let region = sketch.draw(|sketch, _| sketch.pick(&[0.4, 0.3, 0.2, 0.1]) as f64);
    sketch.word("region", &["north", "east", "south", "west"], region);
}

/// The normal distribution function, by the logistic curve that is within 0.01 of it: the tables
/// need a uniform number, not this very one.
fn uniform_of(z: f64) -> f64 {
    1.0 / (1.0 + (-1.702 * z).exp())
}
