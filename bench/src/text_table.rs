//! Rows and columns of words: for a terminal, for a document, and as CSV.

use std::fmt::{Display, Write};

/// A table of words.
#[derive(Clone, Debug, PartialEq)]
pub struct TextTable {
    /// Headings.
    pub head: Vec<String>,
    /// Rows, as long as the head.
    pub rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table without rows, of these headings: words with ", " between them.
    pub fn new(headings: &str) -> Self {
        Self { head: headings.split(", ").map(str::to_owned).collect(), rows: Vec::new() }
    }

    /// Adds a row: one cell a column.
    pub fn push(&mut self, cells: &[&dyn Display]) {
        debug_assert_eq!(cells.len(), self.head.len());
        self.rows.push(cells.iter().map(|cell| cell.to_string()).collect());
    }

    /// Columns set under each other.
    pub fn plain(&self) -> String {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| &row[column]).chain([&self.head[column]]);
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let mut text = String::new();
        for row in std::iter::once(&self.head).chain(&self.rows) {
            let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
            let _ = writeln!(text, "{}", cells.join("  ").trim_end());
        }
        text
    }

    /// The same for a document.
    pub fn markdown(&self) -> String {
        let line = |row: &Vec<String>| format!("| {} |\n", row.join(" | "));
        let rule = format!("|{}\n", "---|".repeat(self.head.len()));
        line(&self.head) + &rule + &self.rows.iter().map(line).collect::<String>()
    }

    /// The same as CSV. Names of methods may hold commas.
    pub fn csv(&self) -> String {
        let quoted = |cell: &String| match cell.contains([',', '"', '\n']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.clone(),
        };
        let line = |row: &Vec<String>| row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n";
        std::iter::once(&self.head).chain(&self.rows).map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_commas_and_quotes_stay_one_cell() {
        let mut table = TextTable::new("method, error");
        table.push(&[&"PrivMRF, our defaults", &0.5]);
        table.push(&[&"the \"best\"", &1]);
        assert_eq!(table.csv(), "method,error\n\"PrivMRF, our defaults\",0.5\n\"the \"\"best\"\"\",1\n");
    }
}
