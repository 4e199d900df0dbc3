//! Texts in pictures: how much room they need, and lines that fit into it.

/// The size of letters in pictures, as the style sheet has it.
const SIZE: f64 = 11.0;

/// The distance of two lines of a label.
pub(crate) const LINE: f64 = 12.0;

/// Lines that a label has at most, for values that are prose. The picture's title
/// has all of them.
const MOST_LINES: usize = 12;

/// About the room that a text takes, with the widest letters that the usual systems have: nobody
/// knows which font a page is shown in, and what is too wide would be cut off at the edge.
pub(crate) fn width(text: &str) -> f64 {
    text.chars().map(letter).sum::<f64>() * SIZE
}

fn letter(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '\'' | '|' => 0.3,
        ' ' | '.' | ',' | ':' | ';' | '!' => 0.34,
        'f' | 't' | 'r' | 'I' | '(' | ')' | '[' | ']' | '/' | '-' => 0.43,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' | '–' => 1.0,
        'a'..='z' | '0'..='9' | '_' => 0.64,
        'A'..='Z' => 0.79,
        '\u{80}'..='\u{24f}' => 0.8,
        _ if letter.is_ascii() => 0.84,
        _ => 1.1,
    }
}

/// The text in lines that fit into the room, broken between words where it can be.
pub(crate) fn lines(text: &str, room: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_inclusive([' ', '-', '_', '/']) {
        let last = lines.last().map_or("", String::as_str);
        if !last.is_empty() && width(&format!("{last}{}", word.trim_end())) > room {
            lines.push(String::new());
        }
        for letter in word.chars() {
            let last = lines.last().map_or("", String::as_str);
            if !last.is_empty() && letter != ' ' && width(&format!("{last}{letter}")) > room {
                lines.push(String::new());
            }
            if let Some(last) = lines.last_mut() {
                last.push(letter);
            }
        }
    }
    if lines.len() > MOST_LINES {
        lines.truncate(MOST_LINES);
        if let Some(last) = lines.last_mut() {
            while width(last) + width("…") > room && last.pop().is_some() {}
            last.push('…');
        }
    }
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

/// The text where there is room for it; otherwise letters in the middle are left out: names of one
/// family often differ at their ends.
pub(crate) fn shortened(text: &str, room: f64) -> String {
    let letters: Vec<char> = text.chars().collect();
    let joined = |kept: usize| {
        let tail = kept / 3;
        letters[..kept - tail].iter().chain(&['…']).chain(&letters[letters.len() - tail..]).collect::<String>()
    };
    if width(text) <= room {
        return text.to_owned();
    }
    (1..letters.len()).rev().map(joined).find(|text| width(text) <= room).unwrap_or_else(|| "…".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_and_lose_nothing() {
        let race = "American Indian or Alaska Native alone";
        assert_eq!(lines(race, 114.0), ["American Indian or", "Alaska Native", "alone"]);
        for (text, room) in [(race, 60.0), ("Married-civ-spouse", 60.0), ("WWWWWWWWWWWWWWWWWWWW", 70.0), ("a", 5.0)] {
            let found = lines(text, room);
            assert!(found.iter().all(|line| width(line) <= room || line.chars().count() == 1), "{found:?}");
            let plain = |text: &str| text.replace(' ', "");
            assert_eq!(plain(&found.concat()), plain(text));
        }
        let long = lines(&"no end ".repeat(40), 60.0);
        assert!(long.len() == MOST_LINES && long[11].ends_with('…') && width(&long[11]) <= 60.0, "{long:?}");
    }

    #[test]
    fn names_keep_their_ends() {
        assert_eq!(shortened("age", 100.0), "age");
        let short = shortened("hours_per_week_in_the_first_quarter", 100.0);
        assert!(short.starts_with("hours") && short.ends_with("er") && short.contains('…') && width(&short) <= 100.0);
        assert_eq!(shortened("mm", 1.0), "…");
    }
}
