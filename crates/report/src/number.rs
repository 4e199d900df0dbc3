//! Numbers for people.

/// A whole number with thin groups: 45222 becomes "45,222".
pub(crate) fn whole(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Three significant digits or so, without an exponent where one can be avoided.
pub(crate) fn short(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".into()
    } else if !(1e-4..1e15).contains(&size) {
        format!("{value:.2e}")
    } else if size >= 100.0 {
        whole_signed(value)
    } else {
        let decimals = if size >= 10.0 {
            1
        } else if size >= 1.0 {
            2
        } else if size >= 0.01 {
            3
        } else {
            6
        };
        format!("{value:.decimals$}")
    }
}

fn whole_signed(value: f64) -> String {
    let text = whole(value.abs().round() as u64);
    if value < 0.0 { format!("-{text}") } else { text }
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
