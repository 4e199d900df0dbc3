//! Marks with a label each, on logarithmic axes.

use maud::{Markup, html};

use super::axis::{Axes, PlotAxis, short};
use super::words::LETTER;
use super::{STYLE, picture};

/// How a mark is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkShape {
    /// The one that the picture is about: large, with a heavy label.
    Star,
    /// Filled.
    Disc,
    /// Hollow.
    Ring,
}

/// A mark and its label.
#[derive(Clone, Debug)]
pub struct LabelledMark {
    /// Its values on both axes, above 0.
    pub at: (f64, f64),
    /// What is written beside it.
    pub label: String,
    /// How it is drawn.
    pub shape: MarkShape,
}

/// One plane of marks.
#[derive(Clone, Debug)]
pub struct ScatterPanel {
    /// The title above it.
    pub title: String,
    /// The marks; labels of earlier ones are placed first.
    pub marks: Vec<LabelledMark>,
}

const PANEL: (f64, f64) = (400.0, 330.0);
const INNER: (f64, f64) = (322.0, 258.0);
const LEFT: f64 = 62.0;
const TOP: f64 = 28.0;
const HEADING: f64 = 36.0;
/// The height of a line of text.
const LINE: f64 = 17.0;
/// Half the height of a label, and the width of one of its letters.
const LABEL: (f64, f64) = (7.0, 11.0 * LETTER);
/// The room that a mark takes on each side.
const MARK: f64 = 7.0;
/// The axes reach past the outermost marks by this factor, so that labels find room.
const BEYOND: f64 = 1.7;

/// Of our mark, and of all others.
const COLOURS: [&str; 2] = ["#1f6feb", "#d9822b"];
const MORE_STYLE: &str = "text,.s{font-size:11px}.h{font-size:13px}\
.lead{stroke:#8a94a1;stroke-width:.8}.ours{font-weight:700}.ring{fill:none;stroke-width:2}";

/// The panels side by side with the same first axis, and lines of notes below.
pub fn scatter(title: &str, words: (&str, &str), panels: &[ScatterPanel], notes: &[String]) -> String {
    let width = PANEL.0 * panels.len() as f64;
    let height = HEADING + PANEL.1 + LINE * notes.len() as f64 + 4.0;
    let across = around(panels.iter().flat_map(|panel| &panel.marks).map(|mark| mark.at.0));
    let drawn = html! {
        text.h x="12" y="22" { (title) }
        @for (index, panel) in panels.iter().enumerate() {
            @let (x, y) = (PANEL.0 * index as f64 + LEFT, HEADING + TOP);
            text.h x=(x) y=(y - 12.0) { (panel.title) }
            g transform={ "translate(" (x) " " (y) ")" } { (panel.draw(words, across)) }
        }
        @for (index, note) in notes.iter().enumerate() {
            text.s x="12" y=(HEADING + PANEL.1 + LINE * (index as f64 + 0.5)) { (note) }
        }
    };
    picture(title, &format!("{STYLE}{MORE_STYLE}"), (width, height), &drawn)
}

/// The range of the values and what lies beyond.
fn around(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let grow = |(low, high): (f64, f64), value: f64| (low.min(value), high.max(value));
    let (low, high) = values.fold((f64::INFINITY, 0.0), grow);
    (low <= high).then_some((low / BEYOND, high * BEYOND))
}

impl ScatterPanel {
    fn draw(&self, words: (&str, &str), across: Option<(f64, f64)>) -> Markup {
        let up = around(self.marks.iter().map(|mark| mark.at.1));
        let axis = |range, length| PlotAxis::new(std::iter::empty(), true, range, length);
        let axes = Axes { across: axis(across, INNER.0), up: axis(up, INNER.1), words, left: LEFT };
        let placed = self.marks.iter().filter_map(|mark| Some((mark, axes.place(mark.at)?)));
        let (marks, places): (Vec<_>, Vec<_>) = placed.unzip();
        let labels: Vec<&str> = marks.iter().map(|mark| mark.label.as_str()).collect();
        let boxes = label_boxes(&places, &labels);
        html! {
            (axes.draw())
            @for ((mark, place), label) in marks.iter().zip(places).zip(boxes) { (mark.draw(place, label)) }
        }
    }
}

impl LabelledMark {
    fn draw(&self, (x, y): (f64, f64), label: LabelBox) -> Markup {
        let near = (x.clamp(label.left, label.right), y.clamp(label.top, label.bottom));
        let far = (near.0 - x).hypot(near.1 - y) > 2.0 * MARK;
        let ours = self.shape == MarkShape::Star;
        let (class, radius) = match self.shape {
            MarkShape::Star => ("star", "6.5"),
            MarkShape::Disc => ("disc", "4.5"),
            MarkShape::Ring => ("ring", "4.5"),
        };
        let colour = if ours { COLOURS[0] } else { COLOURS[1] };
        let (fill, stroke) = if class == "ring" { (None, Some(colour)) } else { (Some(colour), None) };
        // A label begins or ends at its mark, whatever the width of the reader's font.
        let (start, anchor) = if label.left > x {
            (label.left, "start")
        } else if label.right < x {
            (label.right, "end")
        } else {
            ((label.left + label.right) / 2.0, "middle")
        };
        html! {
            @if far {
                path.lead d=(format!("M{x:.1} {y:.1}L{:.1} {:.1}", near.0, near.1)) {}
            }
            circle class=(class) cx=(short(x)) cy=(short(y)) r=(radius) fill=[fill] stroke=[stroke] {}
            text.ours[ours] x=(short(start)) y=(short(label.bottom - 3.0)) text-anchor=(anchor) { (self.label) }
        }
    }
}

/// The room of a label.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LabelBox {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl LabelBox {
    fn around((x, y): (f64, f64), (half_width, half_height): (f64, f64)) -> Self {
        Self { left: x - half_width, right: x + half_width, top: y - half_height, bottom: y + half_height }
    }

    fn meets(&self, other: &Self) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    fn is_inside(&self) -> bool {
        self.left >= 0.0 && self.top >= 0.0 && self.right <= INNER.0 && self.bottom <= INNER.1
    }
}

/// A box for each label: the nearest free one beside its mark, and farther off step by step.
fn label_boxes(places: &[(f64, f64)], labels: &[&str]) -> Vec<LabelBox> {
    const SIDES: [(f64, f64); 8] =
        [(1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (0.0, 1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, -1.0), (-1.0, 1.0)];
    const STEPS: usize = 12;
    let marks: Vec<LabelBox> = places.iter().map(|&place| LabelBox::around(place, (MARK, MARK))).collect();
    let mut taken: Vec<LabelBox> = Vec::with_capacity(labels.len());
    for (&(x, y), label) in places.iter().zip(labels) {
        let half = (label.chars().count() as f64 * LABEL.1 / 2.0, LABEL.0);
        let beside = |step: usize, (right, down): (f64, f64)| {
            let gap = MARK + 1.0 + 8.0 * step as f64;
            LabelBox::around((x + right * (half.0 + gap), y + down * (half.1 + gap)), half)
        };
        let free = |room: &LabelBox| room.is_inside() && !marks.iter().chain(&taken).any(|other| other.meets(room));
        let mut rooms = (0..STEPS).flat_map(|step| SIDES.map(|side| beside(step, side)));
        let room = rooms.find(free).unwrap_or_else(|| beside(0, SIDES[0]));
        taken.push(room);
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_a_crowd_do_not_meet() {
        let places: Vec<(f64, f64)> = (0..12).map(|at| (200.0 + 3.0 * at as f64, 90.0 + 2.0 * at as f64)).collect();
        let labels = vec!["some tool MST"; places.len()];
        let boxes = label_boxes(&places, &labels);
        for (index, room) in boxes.iter().enumerate() {
            assert!(room.is_inside(), "{room:?}");
            assert!(!boxes[..index].iter().any(|other| other.meets(room)), "{index}: {room:?}");
        }
    }

    #[test]
    fn nothing_to_draw_is_no_fault() {
        let svg = scatter("a < b", ("x", "y"), &[ScatterPanel { title: "none".into(), marks: vec![] }], &[]);
        assert!(svg.starts_with("<svg") && svg.contains("a &lt; b") && !svg.contains("NaN") && !svg.contains("inf"));
    }
}
