//! One set of axes with its curves.

use maud::{Markup, html};

use super::axis::{Axes, PlotAxis};
use super::looks::{Look, Mark};

/// Points of a plane.
pub type Points = Vec<(f64, f64)>;

/// A named curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Its name in the legend: equal names in several panels share a colour and one entry.
    pub name: String,
    /// Points, in the order of their first coordinate. Points that are not finite are left out.
    pub points: Points,
    /// The standard error of each point's second coordinate; 0 where none is known.
    errors: Vec<f64>,
    pub(super) mark: Mark,
}

/// One set of axes.
#[derive(Clone, Debug)]
pub struct Panel {
    pub(super) title: String,
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
        self.put_with_error(curve, x, y, 0.0);
    }

    /// Adds a point with its standard error, which is drawn as a bar of two of them to either side.
    pub fn put_with_error(&mut self, curve: &str, x: f64, y: f64, error: f64) {
        self.extend(Mark::Line, curve, [(x, y, error)]);
    }

    /// Adds points to a dashed line.
    pub fn dashed(&mut self, curve: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        self.extend(Mark::Dashes, curve, points.into_iter().map(|(x, y)| (x, y, 0.0)));
    }

    /// Adds dots.
    pub fn dots(&mut self, curve: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        self.extend(Mark::Dots, curve, points.into_iter().map(|(x, y)| (x, y, 0.0)));
    }

    fn extend(&mut self, mark: Mark, name: &str, points: impl IntoIterator<Item = (f64, f64, f64)>) {
        let known = self.curves.iter().position(|curve| curve.name == name).unwrap_or(self.curves.len());
        if known == self.curves.len() {
            self.curves.push(Curve { name: name.to_owned(), points: Vec::new(), errors: Vec::new(), mark });
        }
        for (x, y, error) in points {
            self.curves[known].points.push((x, y));
            self.curves[known].errors.push(error);
        }
    }
}

/// The width and height of the plane.
pub(super) const INNER: (f64, f64) = (262.0, 190.0);
/// The room to the left of it.
pub(super) const LEFT: f64 = 76.0;
/// A curve of more points than this has marks at a few of them only.
const MOST_MARKS: usize = 24;

impl Panel {
    /// The axes and curves; the upper left corner of the plane is the origin.
    pub(super) fn draw(&self, looks: &[(String, Look)]) -> Markup {
        let across = self.curves.iter().flat_map(|curve| &curve.points).map(|point| point.0);
        let up = self.curves.iter().flat_map(Curve::bars).flat_map(|(_, y, reach)| [y, y - reach, y + reach]);
        let across = PlotAxis::new(across, self.log_x, None, INNER.0);
        let up = PlotAxis::new(up, self.log_y, self.range, INNER.1);
        // Marks at one place would cover each other: they stand side by side around it.
        let apart = if across.has_one_value() { INNER.0 / (self.curves.len() + 1) as f64 } else { 0.0 };
        let aside = |place: usize| apart * (place as f64 - 0.5 * (self.curves.len() as f64 - 1.0));
        let axes = Axes { across, up, words: (&self.x, &self.y), left: LEFT };
        html! {
            (axes.draw())
            @for (place, curve) in self.curves.iter().enumerate() {
                @if let Some((_, look)) = looks.iter().find(|(name, _)| *name == curve.name) {
                    g class=(look.class()) transform=[(apart > 0.0).then(|| format!("translate({:.1} 0)", aside(place)))] {
                        (curve.draw(*look, &axes))
                    }
                }
            }
        }
    }
}

impl Curve {
    /// Each point with how far its error bar reaches to either side.
    fn bars(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        let reach = |error: f64| if error.is_finite() { 2.0 * error.abs() } else { 0.0 };
        self.points.iter().zip(&self.errors).map(move |(&(x, y), &error)| (x, y, reach(error)))
    }

    fn draw(&self, look: Look, axes: &Axes) -> Markup {
        let places: Vec<(f64, f64)> = self.points.iter().filter_map(|&point| axes.place(point)).collect();
        let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        let few = places.len() <= MOST_MARKS;
        // Dots are all there; a line of many points has a few marks, so that it is told apart.
        let (every, size) = match (look.mark, few) {
            (Mark::Dots, few) => (1, if few { 3.4 } else { 1.8 }),
            (_, true) => (1, 3.2),
            (_, false) => (places.len() / 8, 3.2),
        };
        let bars = self.bars().filter(|bar| bar.2 > 0.0).filter_map(|(x, y, reach)| {
            let (top, bottom) = axes.stretch((y - reach, y + reach));
            Some(format!("M{:.1} {top:.1}V{bottom:.1}", axes.place((x, y))?.0))
        });
        html! {
            @for bar in bars {
                path.e d=(bar) {}
            }
            @if look.mark != Mark::Dots && !path.is_empty() {
                path.l d={ "M" (path.join("L")) } stroke-dasharray=[look.dashes()] {}
            }
            g.many[look.mark == Mark::Dots && !few] {
                @for &place in places.iter().skip(every / 2).step_by(every) {
                    (look.mark(place, size))
                }
            }
        }
    }
}
