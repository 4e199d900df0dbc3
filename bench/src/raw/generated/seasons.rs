//! Dates with seasons and weekdays, and a birth date that gives the age exactly.

use jiff::civil::{Date, Weekday, date};

use super::sketch::TableSketch;
use crate::raw::calendar::{date_of, day_of};

/// Ages are those of this day.
const TODAY: Date = date(2024, 7, 1);
/// How much happens in each month, of the most that does.
const SEASON: [f64; 12] = [0.3, 0.3, 0.5, 0.6, 0.8, 1.0, 1.0, 0.9, 0.6, 0.5, 0.4, 0.9];

/// Orders by season and weekday, deliveries a few days later, and customers.
pub fn draw(sketch: &mut TableSketch) {
    let birth = sketch.draw(|sketch, _| {
        let born = day_of(date(1980, 1, 1)) + 365.25 * 14.0 * sketch.normal();
        born.clamp(day_of(date(1925, 1, 1)), day_of(date(2006, 1, 1))).floor()
    });
    let age: Vec<f64> = birth.iter().map(|&birth| age_of(date_of(birth))).collect();
    let first = day_of(date(2021, 1, 1));
    let order = sketch.draw(|sketch, _| {
        loop {
            let day = (first + 3.0 * 365.0 * sketch.uniform()).floor();
            let date = date_of(day);
            let quiet = if matches!(date.weekday(), Weekday::Saturday | Weekday::Sunday) { 0.25 } else { 1.0 };
            if sketch.happens(quiet * SEASON[date.month() as usize - 1]) {
                return day;
            }
        }
    });
    let wait = sketch.draw(|sketch, _| 1.0 + (0.8 + 0.6 * sketch.normal()).exp().floor());
    let arrival = sketch.draw(|sketch, row| {
        let day = order[row] + wait[row];
        // Nothing arrives on a Sunday; some parcels never do.
        let sunday = f64::from(u8::from(date_of(day).weekday() == Weekday::Sunday));
        if sketch.happens(0.08) { f64::NAN } else { day + sunday }
    });
    let amount = sketch.draw(|sketch, row| {
        let season = SEASON[date_of(order[row]).month() as usize - 1];
        (3.0 + season + 0.01 * age[row] + 0.5 * sketch.normal()).exp()
    });
    let channel = sketch.draw(|sketch, row| match age[row] {
        age if age > 55.0 => sketch.pick(&[0.2, 0.2, 0.6]) as f64,
        _ => sketch.pick(&[0.5, 0.4, 0.1]) as f64,
    });
    let lived = [date(1900, 1, 1), date(2030, 12, 31)];
    sketch.number("age", [0.0, 120.0], 0, age);
    sketch.day("birth", lived, birth);
    sketch.day("ordered", [date(2000, 1, 1), date(2030, 12, 31)], order);
    sketch.day("arrived", [date(2000, 1, 1), date(2030, 12, 31)], arrival);
    sketch.number("days", [0.0, 1_000.0], 0, wait);
    sketch.number("amount", [0.0, 1_000_000.0], 2, amount);
    sketch.word("channel", &["app", "web", "shop"], channel);
    let member = sketch.draw(|sketch, _| f64::from(u8::from(sketch.happens(0.4))));
    sketch.word("member", &["no", "yes"], member);
}

/// Whole years from a birth date to [`TODAY`].
fn age_of(birth: Date) -> f64 {
    let had = (birth.month(), birth.day()) <= (TODAY.month(), TODAY.day());
    f64::from(TODAY.year() - birth.year() - i16::from(!had))
}
