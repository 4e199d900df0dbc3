//! One marked fact as a screen of plain text.

use lookalike::{MarkKind, PendingFact};

use crate::stdout::strong;

/// Widest lines: longer ones are hard to read.
const WIDEST: usize = 100;
/// The words before a paragraph, as wide as the widest of them.
const LABELS: usize = 10;

/// What a screen shows.
pub struct Page<'a> {
    pub fact: &'a PendingFact,
    pub pending: &'a [PendingFact],
    /// What the rows hold of the column.
    pub seen: &'a [String],
    /// What was wrong with the last answer.
    pub message: &'a str,
}

impl Page<'_> {
    /// The text for a terminal of this size. The wording of a long list is cut, so that everything
    /// else is there.
    pub fn text(&self, width: u16, height: u16) -> String {
        let width = usize::from(width).saturating_sub(1).clamp(20, WIDEST);
        let telling = self.pending.iter().filter(|fact| fact.kind == MarkKind::Telling).count();
        let harmless = self.pending.len() - telling;
        let title = format!("Left to review: {telling} that may tell something, {harmless} harmless");
        let column = self.fact.column.as_ref().map_or("the whole file".to_owned(), |column| format!("column {column}"));
        let kind = match self.fact.kind {
            MarkKind::Telling => "MAY TELL SOMETHING",
            MarkKind::Harmless => "harmless",
        };
        let heading = format!("{column}: {} ({kind})", self.fact.fact);
        let mut below = vec![String::new()];
        let remarks = self.fact.remarks.join(" ");
        for (label, words, most) in
            [("Seen", remarks.as_str(), 3), ("Why", self.fact.why(), 3), ("Proposal", self.fact.proposal(), 3)]
        {
            below.extend(labelled(label, words, width, most));
        }
        let rows = self.seen.iter().flat_map(|line| labelled("Rows", line, width, 2)).take(4);
        below.extend(rows);
        below.push(String::new());
        below.extend(wrapped(&self.keys(harmless), width));
        below.extend(wrapped(self.message, width).into_iter().take(2).map(|line| strong(&line)));
        let top = wrapped(&title, width).into_iter().chain([String::new()]);
        let top: Vec<String> = top.chain(wrapped(&heading, width).iter().map(|line| strong(line))).collect();
        // The last lines stay free for what is typed.
        let room = usize::from(height).saturating_sub(top.len() + below.len() + 5).max(1);
        let wording = self.fact.wording.iter().flat_map(|line| wrapped(line, width - 2));
        let in_the_file = "... and more, in the file".to_owned();
        let wording: Vec<String> =
            cut(wording.collect(), room, |_| in_the_file).iter().map(|line| format!("  {line}")).collect();
        top.into_iter().chain(wording).chain(below).collect::<Vec<_>>().join("\n") + "\n"
    }

    fn keys(&self, harmless: usize) -> String {
        let mut keys = vec!["[a]ccept".to_owned(), "[e]dit".to_owned()];
        keys.extend(self.fact.can_be_discovered().then(|| "[d]iscover".to_owned()));
        keys.extend(self.fact.column.as_ref().map(|_| "[i]gnore column".to_owned()));
        keys.extend((harmless > 0).then(|| format!("accept all {harmless} [h]armless")));
        keys.extend(["[s]kip", "[u]ndo", "[q]uit (answers are saved)"].map(str::to_owned));
        keys.join(", ")
    }
}

/// A paragraph behind a word.
fn labelled(label: &str, words: &str, width: usize, most: usize) -> Vec<String> {
    // What is cut off here stands nowhere else, so the line that was cut shows what fits.
    let lines = cut(wrapped(words, width - LABELS), most, |last| {
        let mut shorter = last.to_owned();
        while console::measure_text_width(&shorter) + 4 > width - LABELS && shorter.pop().is_some() {}
        format!("{} ...", shorter.trim_end())
    });
    let label = |at: usize| if at == 0 { format!("{label}:") } else { String::new() };
    lines.iter().enumerate().map(|(at, line)| format!("{:LABELS$}{line}", label(at))).collect()
}

/// At most some lines; where there were more, the last is what `ending` makes of it.
fn cut(mut lines: Vec<String>, most: usize, ending: impl FnOnce(&str) -> String) -> Vec<String> {
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            *last = ending(last);
        }
    }
    lines
}

/// Words in lines of at most `width` letters; a longer word is broken. What could steer a terminal
/// is left out.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let plain: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    for word in plain.split(' ').filter(|word| !word.is_empty()) {
        let mut rest = word;
        while !rest.is_empty() {
            let room = lines.last().map_or(0, |line| width.saturating_sub(console::measure_text_width(line) + 1));
            let wide = console::measure_text_width(rest);
            match lines.last_mut() {
                Some(line) if wide <= room => {
                    line.push(' ');
                    line.push_str(rest);
                    rest = "";
                }
                _ if wide <= width => {
                    lines.push(rest.to_owned());
                    rest = "";
                }
                _ => {
                    let (at, _) = rest.char_indices().nth(width / 2).unwrap_or((rest.len(), ' '));
                    lines.push(rest[..at].to_owned());
                    rest = &rest[at..];
                }
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_screen_fits_its_terminal() {
        let values: Vec<String> = (0..500).map(|value| format!("\"value number {value}\"")).collect();
        let fact = PendingFact {
            column: Some("a column with a long name ".repeat(4)),
            fact: "values".to_owned(),
            kind: MarkKind::Telling,
            type_name: "category".to_owned(),
            wording: vec![format!("values = [{}]", values.join(", "))],
            remarks: vec!["many values have few rows ".repeat(20)],
        };
        let seen = vec!["x".repeat(300), "\u{1b}[2J wide \u{5b57}".repeat(30)];
        let pending = [fact.clone()];
        let page = Page { fact: &fact, pending: &pending, seen: &seen, message: &"no such key ".repeat(30) };
        for (width, height) in [(80, 24), (120, 50), (60, 40)] {
            let text = page.text(width, height);
            assert!(text.lines().count() < usize::from(height), "{text}");
            for line in text.lines() {
                assert!(console::measure_text_width(line) < usize::from(width), "{line}");
            }
            // Only the wording of a fact stands in the file; what rows hold does not.
            assert_eq!(text.matches("in the file").count(), 1, "{text}");
            assert!(text.contains("  ... and more, in the file\n"), "{text}");
            let rows = text.split("Rows:").nth(1).and_then(|rows| rows.lines().nth(1)).unwrap_or_default();
            assert!(rows.ends_with(" ..."), "{text}");
            assert!(!text.contains('\u{1b}') && text.contains("[a]ccept") && text.contains("Why:"), "{text}");
        }
        // A terminal that is too small gets what there is.
        assert!(page.text(0, 0).contains("[q]uit"));
    }

    #[test]
    fn words_are_wrapped_and_long_ones_broken() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("abcdefghij k", 4), ["ab", "cd", "ef", "ghij", "k"]);
        assert!(wrapped("", 9).is_empty());
    }
}
