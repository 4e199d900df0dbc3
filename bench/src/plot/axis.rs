//! Axes: from values to places, with their ticks and words.

use maud::{Markup, html};

/// One axis: from values to places.
pub struct PlotAxis {
    low: f64,
    high: f64,
    log: bool,
    length: f64,
}

impl PlotAxis {
    /// Of `length` places, over the given range or, without one, a little more than the values
    /// take.
    pub fn new(values: impl Iterator<Item = f64>, log: bool, range: Option<(f64, f64)>, length: f64) -> Self {
        let legal = values.filter(|value| value.is_finite() && (!log || *value > 0.0));
        let (low, high) =
            legal.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = range.unwrap_or(if low <= high { (low, high) } else { (1.0, 2.0) });
        let (low, high) = if log { (low.log10(), high.log10()) } else { (low, high) };
        let room = if range.is_some() { 0.0 } else { (high - low) * 0.04 };
        // A count or a share begins at 0 when it nearly does.
        let low = if !log && range.is_none() && low >= 0.0 && low < 0.4 * high { 0.0 } else { low - room };
        let high = if high > low { high + room } else { low + 1.0 };
        Self { low, high, log, length }
    }

    /// The place of a value; `None` of one that is not finite or has no logarithm.
    fn at(&self, value: f64) -> Option<f64> {
        let value = if self.log { value.log10() } else { value };
        value.is_finite().then(|| (value - self.low) / (self.high - self.low) * self.length)
    }

    /// Values with a mark, and their places.
    fn ticks(&self) -> Vec<(f64, f64)> {
        let ticks: Vec<f64> = if self.log {
            let (first, last) = (self.low.floor() as i32, self.high.ceil() as i32);
            let steps: &[f64] = if self.high - self.low < 1.6 { &[1.0, 2.0, 5.0] } else { &[1.0] };
            let every = ((last - first) / 7 + 1) as usize;
            let powers = (first..=last).step_by(every);
            let all = powers.flat_map(|power| steps.iter().map(move |step| step * 10f64.powi(power)));
            all.filter(|tick| (self.low - 1e-9..=self.high + 1e-9).contains(&tick.log10())).collect()
        } else {
            let raw = (self.high - self.low) / 5.0;
            let power = 10f64.powf(raw.log10().floor());
            let step = [1.0, 2.0, 5.0, 10.0].iter().map(|step| step * power).find(|step| *step >= raw).unwrap_or(raw);
            let first = (self.low / step - 1e-9).ceil() as i64;
            (first..).map(|index| index as f64 * step).take_while(|tick| *tick <= self.high + 1e-9 * step).collect()
        };
        ticks.into_iter().map(|tick| (tick, self.at(tick).unwrap_or(0.0))).collect()
    }
}

/// A plane: two axes and their words.
pub struct Axes<'a> {
    /// The axis from left to right.
    pub across: PlotAxis,
    /// The axis from below.
    pub up: PlotAxis,
    /// What the first and the second axis show.
    pub words: (&'a str, &'a str),
}

impl Axes<'_> {
    /// Where a point is drawn, counted from the upper left corner.
    pub fn place(&self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        let height = self.up.length;
        Some((self.across.at(x)?, height - self.up.at(y)?.clamp(0.0, height)))
    }

    /// Grid, ticks, axes and words; the upper left corner of the plane is the origin.
    pub fn draw(&self) -> Markup {
        let (width, height) = (self.across.length, self.up.length);
        html! {
            @for (tick, x) in self.across.ticks() {
                path.gr d=(format!("M{x:.1} 0v{height}")) {}
                text.s x=(short(x)) y=(height + 15.0) text-anchor="middle" { (number(tick)) }
            }
            @for (tick, y) in self.up.ticks() {
                path.gr d=(format!("M0 {:.1}h{width}", height - y)) {}
                text.s x="-6" y=(short(height - y + 4.0)) text-anchor="end" { (number(tick)) }
            }
            path.ax d=(format!("M0 0v{height}h{width}")) {}
            text x=(width / 2.0) y=(height + 32.0) text-anchor="middle" { (self.words.0) }
            text transform={ "translate(-48 " (height / 2.0) ") rotate(-90)" } text-anchor="middle" { (self.words.1) }
        }
    }
}

/// A place with one decimal.
pub fn short(value: f64) -> String {
    format!("{value:.1}")
}

/// A tick as people write it.
fn number(value: f64) -> String {
    let size = value.abs();
    if size > 0.0 && !(1e-3..1e5).contains(&size) {
        return format!("{value:.0e}");
    }
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}
