//! Lines and columns of plain text.

use crate::stdout;

/// Longest name of a column or set of columns in a table.
const MOST_LETTERS: usize = 46;

/// A page of text in the making.
pub struct Page {
    text: String,
    width: usize,
}

impl Page {
    pub fn new(width: usize) -> Self {
        Self { text: String::new(), width }
    }

    pub fn finish(self) -> String {
        self.text
    }

    /// A heading after an empty line.
    pub fn heading(&mut self, title: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(&stdout::strong(title));
        self.text.push('\n');
    }

    /// A paragraph, broken at the page's width and set in by two.
    pub fn say(&mut self, text: &str) {
        self.paragraph(text, "");
    }

    /// A paragraph that belongs to the one above, set in by four more.
    pub fn under(&mut self, text: &str) {
        self.paragraph(text, "    ");
    }

    fn paragraph(&mut self, text: &str, indent: &str) {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for line in wrapped(&words, self.width - 2 - indent.len()) {
            self.line(&format!("{indent}{line}"));
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(format!("  {line}").trim_end());
        self.text.push('\n');
    }

    /// A table: heads and lines; columns whose head starts with `<` are set to the left. A table
    /// without lines is left out; gives whether there were any.
    pub fn table(&mut self, heads: &[&str], lines: impl IntoIterator<Item = Vec<String>>) -> bool {
        let left: Vec<bool> = heads.iter().map(|head| head.starts_with('<')).collect();
        let heads: Vec<String> = heads.iter().map(|head| head.trim_start_matches('<').to_owned()).collect();
        let clip = |line: Vec<String>| line.iter().map(|cell| clipped(cell, MOST_LETTERS)).collect();
        let lines: Vec<Vec<String>> = lines.into_iter().map(clip).collect();
        if lines.is_empty() {
            return false;
        }
        let widths: Vec<usize> = (0..heads.len())
            .map(|at| lines.iter().chain(std::iter::once(&heads)).map(|line| letters(&line[at])).max().unwrap_or(0))
            .collect();
        let lay = |line: &Vec<String>| {
            let cells = line.iter().zip(widths.iter().zip(&left)).map(|(cell, (&width, &left))| {
                let space = " ".repeat(width.saturating_sub(letters(cell)));
                if left { format!("{cell}{space}") } else { format!("{space}{cell}") }
            });
            cells.collect::<Vec<_>>().join("  ")
        };
        self.line(&lay(&heads));
        lines.iter().for_each(|line| self.line(&lay(line)));
        true
    }
}

/// Letters of a text, as a terminal counts them.
pub fn letters(text: &str) -> usize {
    text.chars().count()
}

/// Words in lines of at most this width.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if letters(line) + 1 + letters(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// All of them, the furthest apart first.
pub fn worst_first<T>(all: impl IntoIterator<Item = T>, apart: impl Fn(&T) -> f64) -> Vec<T> {
    let mut all: Vec<T> = all.into_iter().collect();
    all.sort_by(|a, b| apart(b).total_cmp(&apart(a)));
    all
}

/// At most `most` letters, without anything that a terminal would obey.
fn clipped(text: &str, most: usize) -> String {
    let clean: String = text.chars().map(|letter| if letter.is_control() { '?' } else { letter }).collect();
    if letters(&clean) <= most { clean } else { clean.chars().take(most - 1).chain(['…']).collect() }
}
