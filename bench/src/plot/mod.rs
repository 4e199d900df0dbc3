//! Pictures as self-contained SVG that reads in light and dark.
//!
//! - Here: curves in panels, with one legend.
//! - [`scatter`]: marks with a label each.
//! - [`axis`]: what both stand on.

mod axis;
pub mod scatter;

use maud::{Markup, PreEscaped, html};

pub use axis::short;
use axis::{Axes, PlotAxis};

/// Points of a plane.
pub type Points = Vec<(f64, f64)>;

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Line,
    Dashes,
    Dots,
}

/// A named curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Its name in the legend: equal names in several panels share a colour and one entry.
    pub name: String,
    /// Points, in the order of their first coordinate. Points that are not finite are left out.
    pub points: Points,
    mark: Mark,
}

/// One set of axes.
#[derive(Clone, Debug)]
pub struct Panel {
    title: String,
    x: String,
    y: String,
    log_x: bool,
    log_y: bool,
    range: Option<(f64, f64)>,
    /// The curves, in the order in which they came.
    pub curves: Vec<Curve>,
}

impl Panel {
    /// With a title above it and the words of both axes, which are linear; without curves yet.
    pub fn new(title: impl Into<String>, x: &str, y: &str) -> Self {
        Self { title: title.into(), x: x.into(), y: y.into(), log_x: false, log_y: false, range: None, curves: vec![] }
    }

    /// The first axis in powers of ten.
    pub fn log_x(self) -> Self {
        Self { log_x: true, ..self }
    }

    /// The second axis in powers of ten.
    pub fn log_y(self) -> Self {
        Self { log_y: true, ..self }
    }

    /// The second axis from 0 to 1, whatever the points are.
    pub fn unit_y(self) -> Self {
        Self { range: Some((0.0, 1.0)), ..self }
    }

    /// Adds a point to a line, which begins with it if need be.
    pub fn put(&mut self, curve: &str, x: f64, y: f64) {
        self.extend(Mark::Line, curve, [(x, y)]);
    }

    /// Adds points to a dashed line.
    pub fn dashed(&mut self, curve: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        self.extend(Mark::Dashes, curve, points);
    }

    /// Adds dots.
    pub fn dots(&mut self, curve: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        self.extend(Mark::Dots, curve, points);
    }

    fn extend(&mut self, mark: Mark, name: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        let known = self.curves.iter().position(|curve| curve.name == name).unwrap_or(self.curves.len());
        if known == self.curves.len() {
            self.curves.push(Curve { name: name.to_owned(), points: Vec::new(), mark });
        }
        self.curves[known].points.extend(points);
    }

    /// The points of a curve; none of a curve that is not there.
    pub fn points(&self, curve: &str) -> &[(f64, f64)] {
        self.curves.iter().find(|known| known.name == curve).map_or(&[], |known| &known.points)
    }

    /// The second coordinates of a curve.
    pub fn heights(&self, curve: &str) -> Vec<f64> {
        self.points(curve).iter().map(|point| point.1).collect()
    }
}

const PANEL: (f64, f64) = (330.0, 250.0);
const INNER: (f64, f64) = (248.0, 168.0);
const LEFT: f64 = 62.0;
const TOP: f64 = 30.0;
/// The width of an entry of the legend.
const ENTRY: f64 = 165.0;
const COLOURS: [&str; 8] = ["#1f6feb", "#d9822b", "#0f8a80", "#9a4fc4", "#b3261e", "#6b7684", "#a08a00", "#c2478f"];
const STYLE: &str = "text{font:11px system-ui,sans-serif;fill:#1c2430}.h{font-weight:600;font-size:13px}.s{fill:#5b6675}\
.bg{fill:#fff}.ax{stroke:#8a94a1;fill:none}.gr{stroke:#d8dee6;stroke-width:.6}\
@media (prefers-color-scheme:dark){text{fill:#e7ebf0}.s{fill:#a3afbd}.bg{fill:#14191f}.gr{stroke:#39434f}}";

/// A picture of its own: title, style, background and what is drawn on it.
pub fn picture(title: &str, style: &str, (width, height): (f64, f64), drawn: &Markup) -> String {
    let svg = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (width) " " (height) } width=(width) role="img"
            aria-label=(title) {
            title { (title) }
            style { (PreEscaped(style)) }
            rect.bg width=(width) height=(height) {}
            (drawn)
        }
    };
    svg.into_string() + "\n"
}

/// The panels row by row, at most `across` in a row, with one legend.
pub fn plot(title: &str, across: usize, panels: &[Panel]) -> String {
    let across = across.max(1).min(panels.len().max(1));
    let names = names(panels);
    let width = PANEL.0 * across as f64 + 10.0;
    let per_line = ((width - 20.0) / ENTRY).max(1.0) as usize;
    let legend = 20.0 * names.len().div_ceil(per_line) as f64;
    let height = 34.0 + PANEL.1 * panels.len().div_ceil(across) as f64 + legend + 8.0;
    let drawn = html! {
        text.h x="12" y="22" { (title) }
        @for (index, panel) in panels.iter().enumerate() {
            @let place = (PANEL.0 * (index % across) as f64, 34.0 + PANEL.1 * (index / across) as f64);
            g transform={ "translate(" (place.0) " " (place.1) ")" } { (panel.draw(&names)) }
        }
        @for (index, (name, mark)) in names.iter().enumerate() {
            @let x = 14.0 + ENTRY * (index % per_line) as f64;
            @let y = height - legend + 20.0 * (index / per_line) as f64;
            @if *mark == Mark::Dots {
                circle cx=(x + 11.0) cy=(y) r="3" fill=(colour(index)) {}
            } @else {
                path d={ "M" (x) " " (y) "h22" } stroke=(colour(index)) stroke-width="2" stroke-dasharray=[dashes(*mark)] {}
            }
            text x=(x + 28.0) y=(y + 4.0) { (name) }
        }
    };
    picture(title, STYLE, (width, height), &drawn)
}

/// Every name once, in order of appearance, with how it is drawn.
fn names(panels: &[Panel]) -> Vec<(String, Mark)> {
    let mut names: Vec<(String, Mark)> = Vec::new();
    for curve in panels.iter().flat_map(|panel| &panel.curves) {
        if !names.iter().any(|(name, _)| *name == curve.name) {
            names.push((curve.name.clone(), curve.mark));
        }
    }
    names
}

fn colour(index: usize) -> &'static str {
    COLOURS[index % COLOURS.len()]
}

fn dashes(mark: Mark) -> Option<&'static str> {
    (mark == Mark::Dashes).then_some("5 3")
}

impl Panel {
    fn draw(&self, names: &[(String, Mark)]) -> Markup {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let across = PlotAxis::new(points().map(|point| point.0), self.log_x, None, INNER.0);
        let up = PlotAxis::new(points().map(|point| point.1), self.log_y, self.range, INNER.1);
        let axes = Axes { across, up, words: (&self.x, &self.y) };
        html! {
            text x=(LEFT) y="16" { (self.title) }
            g transform={ "translate(" (LEFT) " " (TOP) ")" } {
                (axes.draw())
                @for curve in &self.curves {
                    @let index = names.iter().position(|(name, _)| *name == curve.name).unwrap_or(0);
                    (curve.draw(colour(index), &axes))
                }
            }
        }
    }
}

impl Curve {
    fn draw(&self, colour: &str, axes: &Axes) -> Markup {
        let places: Vec<(f64, f64)> = self.points.iter().filter_map(|&point| axes.place(point)).collect();
        let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        // Many points are small dots, or a line without any.
        let (radius, opacity) = match (self.mark, places.len() <= 24) {
            (Mark::Dots, few) => (Some(if few { "3.6" } else { "2.0" }), Some(".55")),
            (_, few) => (few.then_some("2.4"), None),
        };
        html! {
            @if self.mark != Mark::Dots && !path.is_empty() {
                path d={ "M" (path.join("L")) } fill="none" stroke=(colour) stroke-width="1.8"
                    stroke-dasharray=[dashes(self.mark)] {}
            }
            @if let Some(radius) = radius {
                @for (x, y) in &places {
                    circle cx=(short(*x)) cy=(short(*y)) r=(radius) fill=(colour) fill-opacity=[opacity] {}
                }
            }
        }
    }
}
