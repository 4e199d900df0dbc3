//! Numbers for people.

pub(crate) use lookalike_evaluate::number::whole;

/// Three significant digits or so, without an exponent where one can be avoided.
pub(crate) fn short(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".into()
    } else if !(1e-4..1e15).contains(&size) {
        format!("{value:.2e}")
    } else if size >= 100.0 {
        format!("{}{}", if value < 0.0 { "-" } else { "" }, whole(size.round() as u64))
    } else {
        let decimals = [6, 3, 2, 1][[0.01, 1.0, 10.0].iter().filter(|bound| size >= **bound).count()];
        format!("{value:.decimals$}")
    }
}

/// A parameter in full, as people write it: 1, 0.5, 1e-9.
pub(crate) fn exact(value: f64) -> String {
    if value == 0.0 || (1e-3..1e15).contains(&value.abs()) { value.to_string() } else { format!("{value:e}") }
}

/// A total variation distance.
pub(crate) fn distance(value: f64) -> String {
    format!("{value:.4}")
}

/// A share as a percentage.
pub(crate) fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent == 0.0 || percent >= 9.95 {
        format!("{percent:.0}%")
    } else if percent >= 0.1 {
        format!("{percent:.1}%")
    } else {
        "<0.1%".into()
    }
}

/// A coordinate of a picture: a tenth of a unit is finer than any screen.
pub(crate) fn place(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
