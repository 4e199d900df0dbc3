//! Pictures as self-contained SVG that reads in light and dark.
//!
//! - Here and in `panel`: curves in panels, with one legend and a caption.
//! - [`scatter`]: marks with a label each.
//! - [`axis`]: what both stand on; `looks`: how curves differ; `words`: where lines end.

mod axis;
mod looks;
mod panel;
pub mod scatter;
#[cfg(test)]
mod tests;
mod words;

use maud::{Markup, PreEscaped, html};

pub use axis::short;
use looks::{COLOURS, Look, Mark};
pub use panel::Panel;
use panel::{INNER, LEFT};
use words::text_width;
pub use words::wrap;

/// The font sizes of all words but small ones, of small ones, and of the title.
const SIZES: [f64; 3] = [13.0, 12.0, 15.0];
/// The height of a line of text.
const LINE: f64 = 17.0;
/// The room of a panel to the right of its plane and below.
const RIGHT: f64 = 16.0;
const BELOW: f64 = 50.0;
/// More panels side by side would leave words unreadable on a phone.
const MOST_ACROSS: usize = 2;
/// The room of an entry of the legend beside its name.
const SAMPLE: f64 = 52.0;
const MARGIN: f64 = 12.0;

const STYLE: &str = "text{font:13px system-ui,sans-serif;fill:#1c2430}.h{font-weight:600;font-size:15px}\
.s{fill:#4d5866;font-size:12px}.bg{fill:#fff}.ax{stroke:#8a94a1;fill:none}.gr{stroke:#d8dee6;stroke-width:.6}\
@media screen and (prefers-color-scheme:dark)\
{text{fill:#e7ebf0}.s{fill:#b3bdc9}.bg{fill:#14191f}.gr{stroke:#39434f}}";
/// Marks and lines take the colour of their class.
const CURVES: &str = ".l{fill:none;stroke:currentColor;stroke-width:1.8}.m{fill:currentColor;stroke:currentColor;\
stroke-width:1.6}.e{stroke:currentColor;stroke-width:1}.hollow{fill:#fff}.many{opacity:.55}\
@media screen and (prefers-color-scheme:dark){.hollow{fill:#14191f}}";

/// A picture of its own: title, style, background and what is drawn on it. It has its width, and
/// less where less is there. Paper is white whatever the screen is.
pub fn picture(title: &str, style: &str, (width, height): (f64, f64), drawn: &Markup) -> String {
    let svg = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (width) " " (height) } width=(width) role="img"
            style="max-width:100%;height:auto" aria-label=(title) {
            title { (title) }
            style { (PreEscaped(style)) }
            rect.bg width=(width) height=(height) {}
            (drawn)
        }
    };
    svg.into_string() + "\n"
}

/// The panels row by row, at most `across` and two in a row, with one legend and, below it, words
/// that a reader of the picture alone needs.
pub fn plot(title: &str, caption: &str, across: usize, panels: &[Panel]) -> String {
    let across = across.clamp(1, MOST_ACROSS).min(panels.len().max(1));
    let looks = legend(panels);
    let entry = looks.iter().map(|(name, _)| text_width(name, SIZES[0])).fold(0.0, f64::max) + SAMPLE;
    let panel_width = LEFT + INNER.0 + RIGHT;
    let width = (panel_width * across as f64).max(entry + MARGIN).ceil();
    let inside = width - 2.0 * MARGIN;
    let titles: Vec<Vec<String>> =
        panels.iter().map(|panel| wrap(&panel.title, SIZES[0], panel_width - MARGIN)).collect();
    let above = 10.0 + LINE * titles.iter().map(Vec::len).max().unwrap_or(0) as f64;
    let panel_height = above + INNER.1 + BELOW;
    let heading = wrap(title, SIZES[2], inside);
    let top = 12.0 + LINE * heading.len() as f64;
    let per_line = (inside / entry).max(1.0) as usize;
    let below = top + panel_height * panels.len().div_ceil(across) as f64 + LINE;
    let end = below + LINE * looks.len().div_ceil(per_line) as f64;
    let caption = wrap(caption, SIZES[1], inside);
    let drawn = html! {
        (lines("h", MARGIN, LINE + 4.0, &heading))
        @for (index, (panel, title)) in panels.iter().zip(&titles).enumerate() {
            @let place = (panel_width * (index % across) as f64, top + panel_height * (index / across) as f64);
            g transform={ "translate(" (place.0) " " (place.1) ")" } {
                (lines("t", MARGIN, LINE, title))
                g transform={ "translate(" (LEFT) " " (above) ")" } { (panel.draw(&looks)) }
            }
        }
        @for (index, (name, look)) in looks.iter().enumerate() {
            @let x = MARGIN + entry * (index % per_line) as f64;
            @let y = below + LINE * (index / per_line) as f64 - 4.0;
            g class=(look.class()) {
                @if look.mark != Mark::Dots {
                    path.l d={ "M" (short(x)) " " (short(y)) "h36" } stroke-dasharray=[look.dashes()] {}
                }
                (look.mark((x + 18.0, y), 4.0))
            }
            text x=(short(x + 43.0)) y=(short(y + 4.5)) { (name) }
        }
        (lines("s", MARGIN, end + 8.0, &caption))
    };
    let height = end + 6.0 + LINE * caption.len() as f64;
    picture(title, &format!("{STYLE}{CURVES}{}", colours()), (width, height), &drawn)
}

/// Lines of text below each other, the first at a height.
fn lines(class: &str, x: f64, y: f64, lines: &[String]) -> Markup {
    html! {
        @for (index, line) in lines.iter().enumerate() {
            text class=(class) x=(x) y=(y + LINE * index as f64) { (line) }
        }
    }
}

/// A class for each colour.
fn colours() -> String {
    let all = |dark: bool| {
        let class = |(index, (light, night)): (usize, &(&str, &str))| {
            format!(".c{index}{{color:{}}}", if dark { night } else { light })
        };
        COLOURS.iter().enumerate().map(class).collect::<String>()
    };
    format!("{}@media screen and (prefers-color-scheme:dark){{{}}}", all(false), all(true))
}

/// Every name once, in order of appearance, with its look.
fn legend(panels: &[Panel]) -> Vec<(String, Look)> {
    let mut looks: Vec<(String, Look)> = Vec::new();
    for curve in panels.iter().flat_map(|panel| &panel.curves) {
        if !looks.iter().any(|(name, _)| *name == curve.name) {
            looks.push((curve.name.clone(), Look { place: looks.len(), mark: curve.mark }));
        }
    }
    looks
}
