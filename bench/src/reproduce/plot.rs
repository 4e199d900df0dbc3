//! Line plots in panels, as self-contained SVG that reads in light and dark.

use std::fmt::Write;

/// A line.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend: equal names in several panels share a colour and one entry.
    pub name: String,
    /// Points, in the order of their first coordinate. Points that are not finite are left out.
    pub points: Vec<(f64, f64)>,
    /// Dashes instead of a line.
    pub dashed: bool,
    /// Dots alone.
    pub dots: bool,
}

impl Series {
    /// A line.
    pub fn line(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, dashed: false, dots: false }
    }

    /// A dashed line.
    pub fn dashed(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { dashed: true, ..Self::line(name, points) }
    }

    /// Dots.
    pub fn dots(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { dots: true, ..Self::line(name, points) }
    }
}

/// One set of axes.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// Above it.
    pub title: String,
    /// Below the first axis.
    pub x: String,
    /// Beside the second axis.
    pub y: String,
    /// Whether the first axis is in powers of ten.
    pub log_x: bool,
    /// Whether the second is.
    pub log_y: bool,
    /// Ends of the second axis; from the points when left out.
    pub range: Option<(f64, f64)>,
    /// The lines.
    pub series: Vec<Series>,
}

/// Panels in a grid.
#[derive(Clone, Debug, Default)]
pub struct Plot {
    /// Above all of it.
    pub title: String,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// Panels in a row.
    pub across: usize,
}

const PANEL: (f64, f64) = (330.0, 250.0);
const INNER: (f64, f64) = (248.0, 168.0);
const LEFT: f64 = 62.0;
const TOP: f64 = 30.0;
const COLOURS: [&str; 8] = ["#1f6feb", "#d9822b", "#0f8a80", "#9a4fc4", "#b3261e", "#6b7684", "#a08a00", "#c2478f"];
const STYLE: &str = "text{font:11px system-ui,sans-serif;fill:#1c2430}.h{font-weight:600;font-size:13px}.s{fill:#5b6675}\
.bg{fill:#fff}.ax{stroke:#8a94a1;fill:none}.gr{stroke:#d8dee6;stroke-width:.6}\
@media (prefers-color-scheme:dark){text{fill:#e7ebf0}.s{fill:#a3afbd}.bg{fill:#14191f}.gr{stroke:#39434f}}";

impl Plot {
    /// The picture.
    pub fn svg(&self) -> String {
        let across = self.across.max(1).min(self.panels.len().max(1));
        let down = self.panels.len().div_ceil(across);
        let names = self.names();
        let width = PANEL.0 * across as f64 + 10.0;
        let per_line = ((width - 20.0) / 165.0).max(1.0) as usize;
        let legend = 20.0 * names.len().div_ceil(per_line) as f64;
        let height = 34.0 + PANEL.1 * down as f64 + legend + 8.0;
        let mut out = String::new();
        let _ = write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"img\" \
             aria-label=\"{title}\"><title>{title}</title><style>{STYLE}</style>\
             <rect class=\"bg\" width=\"{width}\" height=\"{height}\"/><text class=\"h\" x=\"12\" y=\"22\">{title}</text>",
            title = escaped(&self.title)
        );
        for (index, panel) in self.panels.iter().enumerate() {
            let (x, y) = (PANEL.0 * (index % across) as f64, 34.0 + PANEL.1 * (index / across) as f64);
            let _ = write!(out, "<g transform=\"translate({x} {y})\">");
            panel.draw(&names, &mut out);
            out.push_str("</g>");
        }
        for (index, (name, dashed, dots)) in names.iter().enumerate() {
            let (x, y) = (14.0 + 165.0 * (index % per_line) as f64, height - legend + 20.0 * (index / per_line) as f64);
            let colour = COLOURS[index % COLOURS.len()];
            let _ = match dots {
                true => write!(out, "<circle cx=\"{}\" cy=\"{y}\" r=\"3\" fill=\"{colour}\"/>", x + 11.0),
                false => write!(
                    out,
                    "<path d=\"M{x} {y}h22\" stroke=\"{colour}\" stroke-width=\"2\"{}/>",
                    if *dashed { " stroke-dasharray=\"5 3\"" } else { "" }
                ),
            };
            let _ = write!(out, "<text x=\"{}\" y=\"{}\">{}</text>", x + 28.0, y + 4.0, escaped(name));
        }
        out.push_str("</svg>\n");
        out
    }

    /// Every name once, in order of appearance, with how it is drawn.
    fn names(&self) -> Vec<(String, bool, bool)> {
        let mut names: Vec<(String, bool, bool)> = Vec::new();
        for series in self.panels.iter().flat_map(|panel| &panel.series) {
            if !names.iter().any(|(name, ..)| *name == series.name) {
                names.push((series.name.clone(), series.dashed, series.dots));
            }
        }
        names
    }
}

/// One axis: from values to places.
struct Axis {
    low: f64,
    high: f64,
    log: bool,
    length: f64,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64>, log: bool, range: Option<(f64, f64)>, length: f64) -> Self {
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

    fn at(&self, value: f64) -> Option<f64> {
        let value = if self.log { value.log10() } else { value };
        value.is_finite().then(|| (value - self.low) / (self.high - self.low) * self.length)
    }

    /// Values with a mark.
    fn ticks(&self) -> Vec<f64> {
        if self.log {
            let (first, last) = (self.low.floor() as i32, self.high.ceil() as i32);
            let steps: &[f64] = if self.high - self.low < 1.6 { &[1.0, 2.0, 5.0] } else { &[1.0] };
            let every = ((last - first) / 7 + 1) as usize;
            let powers = (first..=last).step_by(every);
            let all = powers.flat_map(|power| steps.iter().map(move |step| step * 10f64.powi(power)));
            return all.filter(|tick| (self.low - 1e-9..=self.high + 1e-9).contains(&tick.log10())).collect();
        }
        let raw = (self.high - self.low) / 5.0;
        let power = 10f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].iter().map(|step| step * power).find(|step| *step >= raw).unwrap_or(raw);
        let first = (self.low / step - 1e-9).ceil() as i64;
        (first..).map(|index| index as f64 * step).take_while(|tick| *tick <= self.high + 1e-9 * step).collect()
    }
}

impl Panel {
    fn draw(&self, names: &[(String, bool, bool)], out: &mut String) {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let across = Axis::new(points().map(|point| point.0), self.log_x, None, INNER.0);
        let up = Axis::new(points().map(|point| point.1), self.log_y, self.range, INNER.1);
        let _ = write!(out, "<text x=\"{LEFT}\" y=\"16\">{}</text>", escaped(&self.title));
        let _ = write!(out, "<g transform=\"translate({LEFT} {TOP})\">");
        for tick in across.ticks() {
            let x = across.at(tick).unwrap_or(0.0);
            let _ = write!(out, "<path class=\"gr\" d=\"M{x:.1} 0v{}\"/>", INNER.1);
            let _ = write!(
                out,
                "<text class=\"s\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                INNER.1 + 15.0,
                number(tick)
            );
        }
        for tick in up.ticks() {
            let y = INNER.1 - up.at(tick).unwrap_or(0.0);
            let _ = write!(out, "<path class=\"gr\" d=\"M0 {y:.1}h{}\"/>", INNER.0);
            let _ = write!(
                out,
                "<text class=\"s\" x=\"-6\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                y + 4.0,
                number(tick)
            );
        }
        let _ = write!(out, "<path class=\"ax\" d=\"M0 0v{}h{}\"/>", INNER.1, INNER.0);
        let _ = write!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            INNER.0 / 2.0,
            INNER.1 + 32.0,
            escaped(&self.x)
        );
        let _ = write!(
            out,
            "<text transform=\"translate(-48 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            INNER.1 / 2.0,
            escaped(&self.y)
        );
        for series in &self.series {
            let index = names.iter().position(|(name, ..)| *name == series.name).unwrap_or(0);
            self.draw_series(series, COLOURS[index % COLOURS.len()], &across, &up, out);
        }
        out.push_str("</g>");
    }

    fn draw_series(&self, series: &Series, colour: &str, across: &Axis, up: &Axis, out: &mut String) {
        let place = |&(x, y): &(f64, f64)| Some((across.at(x)?, INNER.1 - up.at(y)?.clamp(0.0, INNER.1)));
        let places: Vec<(f64, f64)> = series.points.iter().filter_map(place).collect();
        if series.dots {
            let radius = if places.len() <= 24 { 3.6 } else { 2.0 };
            for (x, y) in &places {
                let _ = write!(
                    out,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{colour}\" fill-opacity=\".55\"/>"
                );
            }
            return;
        }
        let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        if !path.is_empty() {
            let dash = if series.dashed { " stroke-dasharray=\"5 3\"" } else { "" };
            let _ = write!(
                out,
                "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"{dash}/>",
                path.join("L")
            );
        }
        if places.len() <= 24 {
            for (x, y) in &places {
                let _ = write!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.4\" fill=\"{colour}\"/>");
            }
        }
    }
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

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
