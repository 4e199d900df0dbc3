//! Relations that no correlation shows: a U, a ring, a wave, and slopes of opposite sign by group.

use std::f64::consts::TAU;

use super::sketch::TableSketch;

const WIDE: [f64; 2] = [-1000.0, 1000.0];

/// Three pairs of numbers of a shape each, and a pair whose slope a category decides.
pub fn draw(sketch: &mut TableSketch) {
    let across = sketch.draw(|sketch, _| sketch.normal());
    let bowl = sketch.draw(|sketch, row| 10.0 * across[row] * across[row] + 2.0 * sketch.normal());
    let angle = sketch.draw(|sketch, _| TAU * sketch.uniform());
    let radius = sketch.draw(|sketch, _| 50.0 + 3.0 * sketch.normal());
    let time = sketch.draw(|sketch, _| 20.0 * sketch.uniform());
    let wave = sketch.draw(|sketch, row| 30.0 * time[row].sin() + 4.0 * sketch.normal());
    let group = sketch.draw(|sketch, _| sketch.pick(&[0.5, 0.3, 0.2]) as f64);
    let dose = sketch.draw(|sketch, _| 100.0 * sketch.uniform());
    let answer = sketch.draw(|sketch, row| {
        let slope = [1.0, -1.0, 0.0][group[row] as usize];
        200.0 + slope * (dose[row] - 50.0) + 8.0 * sketch.normal()
    });
    let side = bowl.iter().zip(&across).map(|(bowl, across)| f64::from(u8::from(*bowl > 10.0 && *across > 0.0)));
    let side = side.collect();
    sketch.number("u_x", WIDE, 2, across.iter().map(|across| 20.0 * across).collect());
    sketch.number("u_y", WIDE, 1, bowl);
    sketch.number("ring_x", WIDE, 1, angle.iter().zip(&radius).map(|(angle, radius)| radius * angle.cos()).collect());
    sketch.number("ring_y", WIDE, 1, angle.iter().zip(&radius).map(|(angle, radius)| radius * angle.sin()).collect());
    sketch.number("wave_x", [0.0, 100.0], 2, time);
    sketch.number("wave_y", WIDE, 1, wave);
    sketch.number("slope_x", [0.0, 1000.0], 1, dose);
    sketch.number("slope_y", WIDE, 1, answer);
    sketch.word("group", &["up", "down", "flat"], group);
    sketch.word("upper_right", &["no", "yes"], side);
}
