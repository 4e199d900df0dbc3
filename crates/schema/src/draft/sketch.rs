//! What was seen of a column, in a few lines for whoever reviews it. Steward-only: cells and exact
//! counts stand in them.

use super::profile::{COMMON, ColumnProfile};
use crate::codec::scan;

/// Values that are shown with their rows.
const SHOWN: usize = 8;
/// Letters of a value that are shown.
const LETTERS: usize = 30;

/// The lines about a column.
pub(crate) fn lines(profile: &ColumnProfile) -> Vec<String> {
    let words = &profile.words;
    let many = if words.overflowed { "too many different values to keep" } else { "different values" };
    let distinct = if words.overflowed { String::new() } else { format!("{} ", words.counts.len()) };
    let mut lines = vec![format!("{} cells with a value, {distinct}{many}", profile.cells)];
    lines.extend(ends(profile));
    let mut rare: Vec<(&u64, &[u8])> =
        words.counts.iter().filter(|(_, count)| **count < COMMON).map(|(word, count)| (count, &**word)).collect();
    rare.sort_unstable();
    if !rare.is_empty() {
        let shown = rare.iter().take(SHOWN).map(|(count, word)| format!("{} ({count})", shortened(word)));
        let more = if rare.len() > SHOWN { format!(" and {} more", rare.len() - SHOWN) } else { String::new() };
        let shown: Vec<String> = shown.collect();
        lines.push(format!("fewer than {COMMON} rows have: {}{more}", shown.join(", ")));
    }
    lines
}

/// The ends of a column of numbers, and how many rows are there.
fn ends(profile: &ColumnProfile) -> Option<String> {
    let numbers = &profile.numbers;
    if !numbers.alive || numbers.low > numbers.high {
        return None;
    }
    // Each cell is read by the mark that it has, as it was when the ends were found: a column of
    // 1,250 and 3,125 does not tell what its comma is.
    let number = |word: &[u8]| scan::number(word, if word.contains(&b',') { b',' } else { b'.' });
    let rows = |end: f64| -> String {
        let counts = profile.words.counts.iter();
        let rows: u64 = counts.filter(|(word, _)| number(word) == Some(end)).map(|(_, count)| count).sum();
        if profile.words.overflowed { String::new() } else { format!(" (in {rows} rows)") }
    };
    let (low, high) = (numbers.low, numbers.high);
    Some(format!("smallest {low}{}, largest {high}{}", rows(low), rows(high)))
}

fn shortened(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(word);
    let plain: String =
        text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).take(LETTERS).collect();
    if text.chars().nth(LETTERS).is_some() { plain + "..." } else { plain }
}
