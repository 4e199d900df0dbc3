//! The numbers of a study as CSV.

use std::fmt::Display;

/// A table of numbers and words.
pub struct Sheet {
    text: String,
    columns: usize,
}

impl Sheet {
    /// With a header.
    pub fn new(header: &[&str]) -> Self {
        Self { text: format!("{}\n", header.join(",")), columns: header.len() }
    }

    /// Adds a line: one cell a column.
    pub fn line(&mut self, cells: &[&dyn Display]) {
        debug_assert_eq!(cells.len(), self.columns);
        let cells: Vec<String> = cells.iter().map(|cell| quoted(cell.to_string())).collect();
        self.text.push_str(&cells.join(","));
        self.text.push('\n');
    }

    /// The text of the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Lines below the header.
    pub fn len(&self) -> usize {
        self.text.lines().count() - 1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Names of methods may hold commas.
fn quoted(cell: String) -> String {
    if cell.contains([',', '"', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_commas_and_quotes_stay_one_cell() {
        let mut sheet = Sheet::new(&["method", "error"]);
        sheet.line(&[&"PrivMRF, our defaults", &0.5]);
        sheet.line(&[&"the \"best\"", &1]);
        assert_eq!(sheet.text(), "method,error\n\"PrivMRF, our defaults\",0.5\n\"the \"\"best\"\"\",1\n");
        assert_eq!(sheet.len(), 2);
    }
}
