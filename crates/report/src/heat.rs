//! Pair distances as a heat map.

use lookalike_evaluate::PairDistance;
use lookalike_schema::Schema;
use maud::{Markup, html};

use crate::label::{shortened, width as room_of};
use crate::number::place;

/// Beyond this many columns the map would be larger than the rest of the page; the list of worst
/// pairs remains.
pub(crate) const MOST_COLUMNS: usize = 120;

/// The most room that names have beside the squares and below them.
const MOST_ROOM: f64 = 150.0;

/// The lower triangle of all pairs: the redder, the further apart; the scale ends at the largest
/// distance, or 0.1.
pub(crate) fn map(schema: &Schema, pairs: &[PairDistance]) -> Markup {
    let domain = schema.domain();
    let count = domain.len();
    let cell = [26.0, 15.0, 7.0][usize::from(count > 20) + usize::from(count > 45)];
    let labelled = count <= 45;
    let name = |index: usize| schema.column(lookalike_schema::AttrId(index as u32)).name.as_str();
    // Names have the room that the longest of them needs, up to a limit.
    let room = (0..count).map(|index| room_of(name(index))).fold(60.0, f64::max).min(MOST_ROOM);
    let margin = if labelled { room + 6.0 } else { 4.0 };
    let side = cell * count as f64;
    let largest = pairs.iter().map(|pair| pair.distance).fold(0.1, f64::max);
    // Slanted names reach beyond the last square, to the right and below.
    let (width, height) =
        if labelled { (margin + side + 0.5 * room, side + 0.9 * room + 16.0) } else { (margin + side, side + 4.0) };
    html! {
        svg viewBox={ "0 0 " (place(width)) " " (place(height)) } width=(place(width)) role="img"
            aria-label="Distances of all pairs of columns" {
            @for pair in pairs {
                @let (row, column) = (pair.second.index(), pair.first.index());
                rect.heat.gap x=(place(margin + cell * column as f64)) y=(place(cell * row as f64)) width=(place(cell))
                    height=(place(cell)) fill-opacity=(format!("{:.3}", 0.04 + 0.96 * (pair.distance / largest).min(1.0))) {
                    title { (name(column)) " × " (name(row)) ": " (format!("{:.4}", pair.distance)) }
                }
            }
            @if labelled {
                @for index in 0..count {
                    @let middle = cell * (index as f64 + 0.5) + 4.0;
                    @if index > 0 {
                        text x=(place(margin - 5.0)) y=(place(middle)) text-anchor="end" { (shortened(name(index), room)) }
                    }
                    @if index + 1 < count {
                        @let at = format!("translate({},{}) rotate(60)", place(margin + middle - 6.0), place(side + 8.0));
                        text transform=(at) { (shortened(name(index), room)) }
                    }
                }
            }
        }
        p.small.soft { "Full colour is a distance of " (format!("{largest:.3}")) "." }
    }
}
