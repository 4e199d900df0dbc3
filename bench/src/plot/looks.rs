//! How a curve looks: colour, dashes and the shape of its marks. Curves that follow each other
//! differ in all three, so that a picture also reads without colours.

use maud::{Markup, html};

use super::axis::short;

/// What is drawn of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Line,
    /// A finely dashed line with hollow marks: what is compared with.
    Dashes,
    Dots,
}

/// Light and dark backgrounds have colours of their own. The grey values of neighbours are far
/// apart: 23, 62, 47, 28, 67, 52, 38 and 57 of 100 on white.
pub(super) const COLOURS: [(&str, &str); 8] = [
    ("#17307f", "#86a8ff"),
    ("#e07b10", "#ffcf87"),
    ("#0f7f5c", "#3fcf9f"),
    ("#7d0f17", "#f0525c"),
    ("#5aa9e6", "#c4e8ff"),
    ("#c94faa", "#f39ade"),
    ("#6a45b5", "#a183f0"),
    ("#8f8a1c", "#d2cb4f"),
];
const SHAPES: usize = 7;
const DASHES: [Option<&str>; 5] = [None, Some("10 3"), Some("10 3 2 3"), Some("6 3"), Some("6 2 2 2 2 2")];
const FINE_DASHES: [Option<&str>; 3] = [Some("3 3"), Some("1.5 3"), Some("4 2 1.5 2")];

/// The look of the curve with that place in the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Look {
    pub place: usize,
    pub mark: Mark,
}

impl Look {
    /// The class that has its colour.
    pub fn class(self) -> String {
        format!("c{}", self.place % COLOURS.len())
    }

    /// Its dashes.
    pub fn dashes(self) -> Option<&'static str> {
        match self.mark {
            Mark::Dashes => FINE_DASHES[self.place % FINE_DASHES.len()],
            _ => DASHES[self.place % DASHES.len()],
        }
    }

    /// Its mark at a place, `size` from the middle to the edge.
    pub fn mark(self, (x, y): (f64, f64), size: f64) -> Markup {
        // Squares and triangles look larger than circles of their width.
        let (s, t) = (0.88 * size, 1.15 * size);
        let moves = match self.place % SHAPES {
            0 => None,
            1 => Some(format!("M{:.1} {:.1}h{w:.1}v{w:.1}h-{w:.1}z", x - s, y - s, w = 2.0 * s)),
            2 => Some(format!("M{x:.1} {:.1}l{t:.1} {d:.1}h-{w:.1}z", y - t, d = 1.8 * t, w = 2.0 * t)),
            3 => Some(format!("M{x:.1} {:.1}l{t:.1} {t:.1}l-{t:.1} {t:.1}l-{t:.1} -{t:.1}z", y - t)),
            4 => Some(format!(
                "M{a:.1} {b:.1}l{w:.1} {w:.1}M{a:.1} {c:.1}l{w:.1} -{w:.1}",
                a = x - s,
                b = y - s,
                c = y + s,
                w = 2.0 * s
            )),
            5 => Some(format!("M{x:.1} {:.1}l{t:.1} -{d:.1}h-{w:.1}z", y + t, d = 1.8 * t, w = 2.0 * t)),
            _ => Some(format!("M{:.1} {y:.1}h{w:.1}M{x:.1} {:.1}v{w:.1}", x - t, y - t, w = 2.0 * t)),
        };
        let class = if self.mark == Mark::Dashes { "m hollow" } else { "m" };
        html! {
            @match moves {
                None => circle class=(class) cx=(short(x)) cy=(short(y)) r=(short(size)) {},
                Some(moves) => path class=(class) d=(moves) {},
            }
        }
    }
}
