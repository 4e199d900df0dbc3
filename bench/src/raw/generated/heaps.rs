//! Spikes and heaping: what people answer when they round.

use super::sketch::TableSketch;

/// Ages at multiples of five, shares at 0 and 100, halves, and counts that are mostly 0.
pub fn draw(sketch: &mut TableSketch) {
    let true_age = sketch.draw(|sketch, _| 18.0 + 70.0 * sketch.uniform().powf(1.2));
    let age = sketch.draw(|sketch, row| match sketch.happens(0.45) {
        true => (true_age[row] / 5.0).round() * 5.0,
        false => true_age[row].floor(),
    });
    let sick: Vec<f64> = sketch.draw(|sketch, row| (true_age[row] - 50.0) / 20.0 + sketch.normal());
    let visits = sketch.draw(|sketch, row| match sketch.happens(0.65) {
        true => 0.0,
        false => (0.8 * sick[row] + 0.9 * sketch.normal()).exp().floor(),
    });
    let nights =
        sketch.draw(|sketch, row| if visits[row] > 2.0 { (visits[row] * sketch.uniform()).floor() } else { 0.0 });
    let work = sketch.draw(|sketch, row| match sketch.uniform() {
        share if share < 0.3 || sick[row] > 1.5 => 0.0,
        share if share < 0.75 => 100.0,
        share if share < 0.85 => 50.0,
        _ => (100.0 * sketch.uniform()).round(),
    });
    let rating =
        sketch.draw(|sketch, row| ((7.0 - sick[row] + 0.8 * sketch.normal()).clamp(1.0, 10.0) * 2.0).round() / 2.0);
    let hours = sketch.draw(|sketch, row| match work[row] {
        0.0 => 0.0,
        share if share == 100.0 && sketch.happens(0.6) => 40.0,
        share => (0.42 * share + 4.0 * sketch.normal()).round().max(1.0),
    });
    let gift = sketch.draw(|sketch, _| match sketch.happens(0.6) {
        true => 0.0,
        false => [5.0, 10.0, 20.0, 25.0, 50.0, 100.0, 500.0][sketch.pick(&[0.2, 0.3, 0.2, 0.1, 0.1, 0.07, 0.03])],
    });
    let price =
        sketch.draw(|sketch, _| (3.0 + sketch.normal()).exp().floor() + if sketch.happens(0.7) { 0.99 } else { 0.5 });
    let insured =
        sketch.draw(|sketch, row| f64::from(u8::from(sketch.happens(if hours[row] > 20.0 { 0.9 } else { 0.5 }))));
    let health = sick.iter().map(|sick| [-0.7, 0.3, 1.3].iter().filter(|&bound| sick > bound).count() as f64).collect();
    sketch.number("age", [0.0, 120.0], 0, age);
    sketch.number("visits", [0.0, 365.0], 0, visits);
    sketch.number("nights", [0.0, 365.0], 0, nights);
    sketch.number("work_share", [0.0, 100.0], 0, work);
    sketch.number("rating", [0.0, 10.0], 1, rating);
    sketch.number("hours", [0.0, 168.0], 0, hours);
    sketch.number("gift", [0.0, 100_000.0], 0, gift);
    sketch.number("price", [0.0, 10_000.0], 2, price);
    sketch.word("insured", &["no", "yes"], insured);
    sketch.word("health", &["good", "fair", "poor", "bad"], health);
}
