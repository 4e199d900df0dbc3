//! Axes: from values to places, with their ticks and words.

use maud::{Markup, html};

use super::words::text_width;

/// One axis: from values to places.
pub struct PlotAxis {
    low: f64,
    high: f64,
    log: bool,
    length: f64,
    /// The value, where there is but one: it is in the middle.
    only: Option<f64>,
}

/// A mark of an axis: its place, and the value as people write it.
pub(super) struct Tick {
    place: f64,
    pub label: String,
}

/// The font size of ticks that their room is judged by.
const TICK_SIZE: f64 = 12.0;

impl PlotAxis {
    /// Of `length` places, over the given range or, without one, a little more than the values
    /// take.
    pub fn new(values: impl Iterator<Item = f64>, log: bool, range: Option<(f64, f64)>, length: f64) -> Self {
        let legal = values.filter(|value| value.is_finite() && (!log || *value > 0.0));
        let (low, high) =
            legal.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let only = (range.is_none() && low == high).then_some(low);
        let (low, high) = range.unwrap_or(if low <= high { (low, high) } else { (1.0, 2.0) });
        let (low, high) = if log { (low.log10(), high.log10()) } else { (low, high) };
        if only.is_some() {
            let room = low.abs().max(1.0);
            return Self { low: low - room, high: high + room, log, length, only };
        }
        let room = if range.is_some() { 0.0 } else { (high - low) * 0.04 };
        // A count or a share begins at 0 when it nearly does.
        let low = if !log && range.is_none() && low >= 0.0 && low < 0.4 * high { 0.0 } else { low - room };
        Self { low, high: high + room, log, length, only }
    }

    /// Whether all values are one, so that marks have to be told apart otherwise.
    pub(super) fn has_one_value(&self) -> bool {
        self.only.is_some()
    }

    /// The place of a value; `None` of one that is not finite or has no logarithm.
    fn at(&self, value: f64) -> Option<f64> {
        let value = if self.log { value.log10() } else { value };
        value.is_finite().then(|| (value - self.low) / (self.high - self.low) * self.length)
    }

    /// Values with a mark, and labels that tell them apart.
    pub(super) fn ticks(&self) -> Vec<Tick> {
        let tick = |value: f64, label: String| Tick { place: self.at(value).unwrap_or(0.0), label };
        if let Some(value) = self.only {
            let plain = value == 0.0 || (1e-3..1e6).contains(&value.abs());
            return vec![tick(value, if plain { format!("{value}") } else { format!("{value:e}") })];
        }
        if self.log {
            let (first, last) = (self.low.floor() as i32, self.high.ceil() as i32);
            let steps: &[f64] = if self.high - self.low < 2.2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
            let every = ((last - first) / 7 + 1) as usize;
            let all = (first..=last).step_by(every).flat_map(|power| steps.iter().map(move |step| (*step, power)));
            let ticks = all.map(|(step, power)| (step * 10f64.powi(power), 10f64.powi(power)));
            let inside = |value: f64| (self.low - 1e-9..=self.high + 1e-9).contains(&value.log10());
            let ticks: Vec<(f64, f64)> = ticks.filter(|&(value, _)| inside(value)).collect();
            // Less than one power has ticks as a linear axis has them.
            if ticks.len() > 2 || self.high - self.low >= 1.0 {
                return ticks.into_iter().map(|(value, power)| tick(value, number(value, power, value))).collect();
            }
        }
        let (low, high) = if self.log { (10f64.powf(self.low), 10f64.powf(self.high)) } else { (self.low, self.high) };
        let raw = (high - low) / 6.0;
        let power = 10f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].iter().map(|step| step * power).find(|step| *step >= raw).unwrap_or(raw);
        let first = (low / step - 1e-9).ceil() as i64;
        let values = (first..).map(|index| index as f64 * step).take_while(|value| *value <= high + 1e-9 * step);
        let largest = low.abs().max(high.abs());
        values.map(|value| tick(value, number(value, step, largest))).collect()
    }

    /// The same, but only every second, third and so on where labels side by side would meet.
    fn ticks_across(&self) -> Vec<Tick> {
        let mut ticks = self.ticks();
        let meets = |pair: [&Tick; 2]| {
            let [half, other] = pair.map(|tick| text_width(&tick.label, TICK_SIZE) / 2.0);
            pair[1].place - pair[0].place < half + other + 2.0
        };
        let fits = |every: usize| {
            let kept: Vec<&Tick> = ticks.iter().step_by(every).collect();
            !kept.windows(2).any(|pair| meets([pair[0], pair[1]]))
        };
        let every = (1..ticks.len()).find(|&every| fits(every)).unwrap_or(1);
        let mut place = 0..;
        ticks.retain(|_| place.next().is_some_and(|place: usize| place.is_multiple_of(every)));
        ticks
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
    /// The room to the left of the plane.
    pub left: f64,
}

impl Axes<'_> {
    /// Where a point is drawn, counted from the upper left corner.
    pub fn place(&self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        let height = self.up.length;
        Some((self.across.at(x)?, height - self.up.at(y)?.clamp(0.0, height)))
    }

    /// Where a stretch of the second axis is drawn, the upper end first. What has no place is the
    /// end of the axis.
    pub fn stretch(&self, (low, high): (f64, f64)) -> (f64, f64) {
        let height = self.up.length;
        let at = |value: f64, other: f64| height - self.up.at(value).unwrap_or(other).clamp(0.0, height);
        (at(high, height), at(low, 0.0))
    }

    /// Grid, ticks, axes and words; the upper left corner of the plane is the origin.
    pub fn draw(&self) -> Markup {
        let (width, height) = (self.across.length, self.up.length);
        html! {
            @for Tick { place, label } in self.across.ticks_across() {
                path.gr d=(format!("M{place:.1} 0v{height}")) {}
                text.s x=(short(place)) y=(height + 16.0) text-anchor="middle" { (label) }
            }
            @for Tick { place, label } in self.up.ticks() {
                path.gr d=(format!("M0 {:.1}h{width}", height - place)) {}
                text.s x="-6" y=(short(height - place + 4.0)) text-anchor="end" { (label) }
            }
            path.ax d=(format!("M0 0v{height}h{width}")) {}
            text x=(width / 2.0) y=(height + 34.0) text-anchor="middle" { (self.words.0) }
            text transform={ "translate(" (14.0 - self.left) " " (height / 2.0) ") rotate(-90)" } text-anchor="middle" {
                (self.words.1)
            }
        }
    }
}

/// A place with one decimal.
pub fn short(value: f64) -> String {
    format!("{value:.1}")
}

/// A tick as people write it, with as many digits as a step of its axis has; in powers of ten where
/// the largest value of the axis is very large or very small.
fn number(value: f64, step: f64, largest: f64) -> String {
    let power = |value: f64| (value.abs().log10() + 1e-9).floor();
    if value.abs() < 1e-9 * step {
        return "0".into();
    }
    if !(1e-3..1e6).contains(&(largest * (1.0 + 1e-9))) {
        let digits = (power(value) - power(step)).max(0.0) as usize;
        return format!("{value:.digits$e}");
    }
    let text = format!("{value:.*}", (-power(step)).max(0.0) as usize);
    let whole = text.split('.').next().map_or(0, str::len);
    // From 10,000 on, thousands are set off.
    if value.abs() < 1e4 {
        return text;
    }
    let comma = |(place, digit): (usize, char)| {
        let after = place + 1 < whole && (whole - place - 1).is_multiple_of(3) && digit != '-';
        std::iter::once(digit).chain(after.then_some(','))
    };
    text.chars().enumerate().flat_map(comma).collect()
}
