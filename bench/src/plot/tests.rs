//! Pictures that can be read: ticks, names and captions.

use super::axis::PlotAxis;
use super::words::{text_width, wrap};
use super::*;

fn labels(low: f64, high: f64, log: bool) -> Vec<String> {
    PlotAxis::new([low, high].into_iter(), log, None, 200.0).ticks().into_iter().map(|tick| tick.label).collect()
}

#[test]
fn ticks_of_an_axis_differ() {
    assert_eq!(labels(790_000.0, 850_000.0, false), ["800,000", "820,000", "840,000"]);
    assert_eq!(labels(0.0012, 0.0019, false), ["0.0012", "0.0014", "0.0016", "0.0018"]);
    assert_eq!(labels(0.0, 1.0, false), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    assert_eq!(labels(-12_000.0, 12_000.0, false), ["-10,000", "-5000", "0", "5000", "10,000"]);
    assert_eq!(labels(0.05, 1.6, true), ["0.05", "0.1", "0.2", "0.5", "1"]);
    // On a logarithmic axis without a power of ten in it.
    assert_eq!(labels(790_000.0, 850_000.0, true), labels(790_000.0, 850_000.0, false));
    for (low, high) in [(1.0001e9, 1.0004e9), (1.2e-7, 1.9e-7), (-3e-5, 4e-5), (0.5, 0.5), (99.0, 101.0), (1e20, 1e20)]
    {
        for log in [false, true] {
            let mut found = labels(low, high, log && low > 0.0);
            let count = found.len();
            found.dedup();
            assert!(found.len() == count && (1..12).contains(&count), "{low} to {high}: {found:?}");
        }
    }
}

/// Curves of one point at the same place stand side by side around it, and the axis has that place
/// alone.
#[test]
fn single_places_do_not_cover_each_other() {
    let mut panel = Panel::new("", "epsilon", "error").log_x();
    ["a", "b", "c", "d"].iter().for_each(|name| panel.put(name, 0.8, 1.0));
    let svg = plot("", "", 1, &[panel]);
    let aside = |part: &str| part.split_once(' ')?.0.parse::<f64>().ok();
    let places: Vec<f64> =
        svg.split("class=\"c").skip(1).filter_map(|part| aside(part.split_once("translate(")?.1)).collect();
    assert_eq!(places.len(), 4);
    assert!(places.windows(2).all(|pair| pair[1] - pair[0] > 10.0), "{places:?}");
    assert!((places[0] + places[3]).abs() < 0.2, "{places:?}");
    let ticks: Vec<String> =
        texts(&svg).into_iter().map(|text| text.words).filter(|words| words.starts_with('0')).collect();
    assert_eq!(ticks, ["0.8"]);
}

/// Labels side by side do not meet: six-digit numbers have room for every second.
#[test]
fn ticks_across_have_room() {
    let mut panel = Panel::new("", "x", "y");
    [0.0, 60_000.0].iter().for_each(|step| panel.put("a", 800_000.0 + step, *step));
    let svg = plot("", "", 1, &[panel]);
    let across = |text: &&Text| text.words.contains(",000") && text.x > 0.0;
    let places: Vec<f64> = texts(&svg).iter().filter(across).map(|text| text.x).collect();
    let room = text_width("800,000", 12.0);
    assert!(places.len() > 1 && places.windows(2).all(|pair| pair[1] - pair[0] > room), "{places:?}");
}

struct Text {
    x: f64,
    words: String,
}

/// The words of a picture with their places, those that stand upright.
fn texts(svg: &str) -> Vec<Text> {
    let element = |part: &str| {
        let x = part.split_once(" x=\"")?.1.split_once('"')?.0.parse().ok()?;
        let words = part.split_once('>')?.1.split_once("</text>")?.0;
        Some(Text { x, words: words.replace("&amp;", "&").replace("&lt;", "<") })
    };
    svg.split("<text").skip(1).filter_map(element).collect()
}

fn width(svg: &str) -> f64 {
    svg.split_once("viewBox=\"0 0 ").unwrap().1.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn names_are_whole_and_words_stay_inside() {
    let names = [
        "PrivBayes",
        "Contingency, each marginal clipped",
        "a < b & a name that is longer than any that a panel has room for",
    ];
    let mut panels = vec![Panel::new("a title of a panel that does not fit into one line of it", "x", "y"); 3];
    for (panel, name) in panels.iter_mut().zip(names) {
        (0..50).for_each(|at| panel.put_with_error(name, f64::from(at), f64::from(at * at), 3.0));
        panel.dashed(&format!("{name} too"), [(0.0, 1.0), (50.0, 2_000.0)]);
    }
    let caption = "A caption of several words that tells which runs, tables and budgets there are. ".repeat(4);
    for across in [1, 2, 5] {
        let svg = plot("A title", &caption, across, &panels);
        let found = texts(&svg);
        for name in names.iter().flat_map(|name| [name.to_string(), format!("{name} too")]) {
            let entry = found.iter().find(|text| text.words == name).unwrap_or_else(|| panic!("{name} in {svg}"));
            assert!(entry.x + text_width(&name, 13.0) <= width(&svg), "{name}");
        }
        let lines: Vec<&Text> =
            found.iter().filter(|text| caption.contains(&text.words) && text.words.len() > 25).collect();
        assert!(lines.len() > 2 && lines.iter().all(|line| line.x + text_width(&line.words, 12.0) <= width(&svg)));
        assert!(found.iter().all(|text| text.x < width(&svg)) && !svg.contains("NaN") && !svg.contains("inf"));
        assert_eq!(svg.matches("class=\"e\"").count(), 150);
    }
    assert_eq!(width(&plot("", "", 5, &panels)), width(&plot("", "", 2, &panels)), "at most two side by side");
}

#[test]
fn lines_end_between_words() {
    assert_eq!(wrap("one two three", 10.0, text_width("one two", 10.0)), ["one two", "three"]);
    assert_eq!(wrap("one\ntwo", 10.0, 1000.0), ["one", "two"]);
    assert_eq!(wrap("unbreakable", 10.0, 1.0), ["unbreakable"]);
    assert!(wrap("", 10.0, 10.0).is_empty());
}

/// No two of the first 40 curves have the same colour, shape and dashes; neighbours share nothing.
#[test]
fn curves_look_different() {
    let looks: Vec<Look> = (0..40).map(|place| Look { place, mark: Mark::Line }).collect();
    let drawn = |look: &Look| (look.class(), look.mark((0.0, 0.0), 3.0).into_string(), look.dashes());
    for (place, look) in looks.iter().enumerate() {
        assert!(!looks[..place].iter().any(|other| drawn(other) == drawn(look)), "{place}");
    }
    for pair in looks.windows(2) {
        let (one, other) = (drawn(&pair[0]), drawn(&pair[1]));
        assert!(one.0 != other.0 && one.1 != other.1 && one.2 != other.2);
    }
}

/// An error bar reaches two standard errors to either side, and the axis has room for it.
#[test]
fn error_bars_are_two_standard_errors() {
    let mut panel = Panel::new("", "x", "y");
    panel.put_with_error("a", 0.0, 10.0, 5.0);
    panel.put_with_error("a", 1.0, 10.0, 0.0);
    panel.put_with_error("a", 2.0, 10.0, f64::NAN);
    let svg = plot("", "", 1, &[panel.clone()]);
    let bar = svg.split_once("<path class=\"e\" d=\"").unwrap().1.split_once('"').unwrap().0;
    // From 0 to 20 on an axis from 0 to 20.8 of 190.
    assert_eq!(bar, "M0.0 7.3V190.0");
    assert_eq!(svg.matches("class=\"e\"").count(), 1);
    // Down to the axis where the lower end has no logarithm.
    panel.put_with_error("a", 3.0, 1.0, 5.0);
    assert!(!plot("", "", 1, &[panel.log_y()]).contains("NaN"));
}
