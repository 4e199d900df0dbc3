//! Joint missingness: blocks of columns that are missing together, and a category that says when.

use super::sketch::TableSketch;

/// The examination is missing unless the interview was in person, the money block for those who
/// refuse, the partner's block for those who have none.
pub fn draw(sketch: &mut TableSketch) {
    let mode = sketch.draw(|sketch, _| sketch.pick(&[0.5, 0.3, 0.2]) as f64);
    let examined =
        sketch.draw(|sketch, row| f64::from(u8::from(sketch.happens([0.95, 0.1, 0.02][mode[row] as usize]))));
    let refuses = sketch.draw(|sketch, row| f64::from(u8::from(sketch.happens([0.1, 0.3, 0.4][mode[row] as usize]))));
    let family = sketch.draw(|sketch, _| sketch.pick(&[0.35, 0.5, 0.15]) as f64);
    let age = sketch.draw(|sketch, _| (18.0 + 70.0 * sketch.uniform()).floor());
    let build = sketch.draw(|sketch, row| 0.01 * (age[row] - 50.0) + sketch.normal());
    let means = sketch.draw(|sketch, _| sketch.normal());
    let only = |there: bool, cell: f64| if there { cell } else { f64::NAN };
    let measured = |sketch: &mut TableSketch, middle: f64, slope: f64, spread: f64| {
        sketch.draw(|sketch, row| only(examined[row] == 1.0, middle + slope * build[row] + spread * sketch.normal()))
    };
    let weight = measured(sketch, 75.0, 13.0, 5.0);
    let waist = measured(sketch, 90.0, 11.0, 5.0);
    let systolic = measured(sketch, 125.0, 12.0, 10.0);
    let sugar = measured(sketch, 5.4, 0.5, 0.6);
    let amount = |sketch: &mut TableSketch, middle: f64, spread: f64| {
        sketch.draw(|sketch, row| only(refuses[row] == 0.0, (middle + means[row] + spread * sketch.normal()).exp()))
    };
    let income = amount(sketch, 10.0, 0.3);
    let rent = amount(sketch, 6.2, 0.4);
    let assets = amount(sketch, 9.0, 1.0);
    let partner_age = sketch.draw(|sketch, row| only(family[row] == 1.0, (age[row] + 4.0 * sketch.normal()).round()));
    let partner_hours = sketch.draw(|sketch, row| only(family[row] == 1.0, (36.0 + 8.0 * sketch.normal()).round()));
    let alone = sketch.draw(|sketch, _| only(sketch.happens(0.97), (5.0 * sketch.uniform()).floor()));
    sketch.word("mode", &["person", "phone", "web"], mode);
    sketch.word("family", &["single", "couple", "widowed"], family);
    sketch.number("age", [0.0, 120.0], 0, age);
    sketch.number("weight", [0.0, 500.0], 1, weight);
    sketch.number("waist", [0.0, 500.0], 1, waist);
    sketch.number("systolic", [0.0, 400.0], 0, systolic);
    sketch.number("sugar", [0.0, 50.0], 1, sugar);
    sketch.number("income", [0.0, 10_000_000.0], 0, income);
    sketch.number("rent", [0.0, 100_000.0], 0, rent);
    sketch.number("assets", [0.0, 100_000_000.0], 0, assets);
    sketch.number("partner_age", [0.0, 120.0], 0, partner_age);
    sketch.number("partner_hours", [0.0, 168.0], 0, partner_hours);
    sketch.number("children", [0.0, 20.0], 0, alone);
}
