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
        let mut line = String::new();
        for word in text.split_whitespace() {
            if !line.is_empty() && letters(&line) + 1 + letters(word) > self.width - 2 - indent.len() {
                self.line(&format!("{indent}{line}"));
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        self.line(&format!("{indent}{line}"));
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(format!("  {line}").trim_end());
        self.text.push('\n');
    }

    /// A table: heads and lines; columns whose head starts with `<` are set to the left.
    pub fn table(&mut self, heads: &[&str], lines: &[Vec<String>]) {
        if lines.is_empty() {
            return;
        }
        let left: Vec<bool> = heads.iter().map(|head| head.starts_with('<')).collect();
        let heads: Vec<String> = heads.iter().map(|head| head.trim_start_matches('<').to_owned()).collect();
        let lines: Vec<Vec<String>> =
            lines.iter().map(|line| line.iter().map(|cell| clipped(cell, MOST_LETTERS)).collect()).collect();
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
    }
}

fn letters(text: &str) -> usize {
    text.chars().count()
}

/// At most `most` letters, without anything that a terminal would obey.
fn clipped(text: &str, most: usize) -> String {
    let clean: String = text.chars().map(|letter| if letter.is_control() { '?' } else { letter }).collect();
    if letters(&clean) <= most { clean } else { clean.chars().take(most - 1).chain(['…']).collect() }
}
