//! Bars of one or two series over a column's codes, as inline SVG.

use maud::{Markup, html};

use crate::label::{self, shortened};
use crate::number::{percent, place};

/// Up to this many codes are drawn as lines of labels and bars.
const MOST_LABELED: usize = 16;
/// More codes than this are drawn in neighbouring groups.
const MOST_BARS: usize = 160;
const WIDTH: f64 = 380.0;

/// Shares of a column's codes.
pub(crate) struct BarSeries<'a> {
    /// Shares of the codes.
    pub(crate) shares: &'a [f64],
    /// The style class, "a" or "b".
    pub(crate) class: &'static str,
    /// The word for a reader without a picture.
    pub(crate) word: &'static str,
}

/// The picture of a column, with one bar a code and series. All series have one share for each
/// label.
pub(crate) fn bars(title: &str, labels: &dyn Fn(usize) -> String, series: &[BarSeries<'_>]) -> Markup {
    let codes = series.first().map_or(0, |series| series.shares.len());
    let largest = series.iter().flat_map(|series| series.shares).copied().fold(0.0, f64::max).max(1e-9);
    if codes <= MOST_LABELED {
        lines(title, codes, largest, labels, series)
    } else {
        columns(title, codes, labels, series)
    }
}

/// A line for each code: label, bars, percentage.
fn lines(
    title: &str,
    codes: usize,
    largest: f64,
    labels: &dyn Fn(usize) -> String,
    series: &[BarSeries<'_>],
) -> Markup {
    const LABEL: f64 = 120.0;
    const TRACK: f64 = 190.0;
    let thick = if series.len() == 1 { 12.0 } else { 8.0 };
    let line = thick * series.len() as f64 + 6.0;
    let words: Vec<Vec<String>> = (0..codes).map(|code| label::lines(&labels(code), LABEL - 6.0)).collect();
    // A label of several lines takes the room that it needs.
    let high = |words: &Vec<String>| line.max(label::LINE * words.len() as f64 + 4.0);
    let tops: Vec<f64> = words
        .iter()
        .scan(0.0, |next, words| {
            let top = *next;
            *next += high(words);
            Some(top)
        })
        .collect();
    let height: f64 = words.iter().map(high).sum();
    html! {
        svg viewBox={ "0 0 " (place(WIDTH)) " " (place(height)) } width=(place(WIDTH)) role="img" aria-label=(title) {
            @for code in 0..codes {
                @let middle = tops[code] + high(&words[code]) / 2.0;
                @let top = middle - line / 2.0 + 3.0;
                @let first = middle + 4.0 - label::LINE * (words[code].len() - 1) as f64 / 2.0;
                g {
                    title { (labels(code)) @for series in series { " · " (series.word) " " (percent(series.shares[code])) } }
                    @for (index, words) in words[code].iter().enumerate() {
                        text x=(place(LABEL - 6.0)) y=(place(first + label::LINE * index as f64)) text-anchor="end" { (words) }
                    }
                    @for (index, series) in series.iter().enumerate() {
                        @let share = series.shares[code];
                        rect.(series.class) x=(place(LABEL)) y=(place(top + thick * index as f64)) height=(place(thick - 1.0))
                            width=(place(TRACK * share / largest)) {}
                    }
                    text.dim x=(place(WIDTH)) y=(place(middle + 4.0)) text-anchor="end" {
                        @for (index, series) in series.iter().enumerate() {
                            @if index > 0 { " / " } (percent(series.shares[code]))
                        }
                    }
                }
            }
        }
    }
}

/// Upright bars for many codes; the ends are labelled.
fn columns(title: &str, codes: usize, labels: &dyn Fn(usize) -> String, series: &[BarSeries<'_>]) -> Markup {
    const HEIGHT: f64 = 80.0;
    // Two labels stand side by side.
    const HALF: f64 = WIDTH / 2.0 - 4.0;
    let group = codes.div_ceil(MOST_BARS);
    let slots = codes.div_ceil(group);
    let merged: Vec<Vec<f64>> =
        series.iter().map(|series| series.shares.chunks(group).map(|chunk| chunk.iter().sum()).collect()).collect();
    let largest = merged.iter().flatten().copied().fold(0.0, f64::max).max(1e-9);
    let slot = WIDTH / slots as f64;
    let bar = slot / series.len() as f64;
    html! {
        svg viewBox={ "0 0 " (place(WIDTH)) " " (place(HEIGHT + 16.0)) } width=(place(WIDTH)) role="img" aria-label=(title) {
            @for index in 0..slots {
                @let (first, last) = (index * group, (index * group + group - 1).min(codes - 1));
                g {
                    title {
                        (labels(first)) @if last > first { " … " (labels(last)) }
                        @for (series, merged) in series.iter().zip(&merged) { " · " (series.word) " " (percent(merged[index])) }
                    }
                    @for (which, (series, merged)) in series.iter().zip(&merged).enumerate() {
                        @let tall = HEIGHT * merged[index] / largest;
                        rect.(series.class) x=(place(slot * index as f64 + bar * which as f64)) y=(place(HEIGHT - tall))
                            width=(place((bar * 0.92).max(0.5))) height=(place(tall)) {}
                    }
                }
            }
            text.dim x="0" y=(place(HEIGHT + 13.0)) { (shortened(&labels(0), HALF)) }
            text.dim x=(place(WIDTH)) y=(place(HEIGHT + 13.0)) text-anchor="end" { (shortened(&labels(codes - 1), HALF)) }
        }
    }
}
