//! Columns of cells as they are drawn, and the files that they become.

use std::fmt::Write;

use jiff::civil::Date;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::raw::calendar::date_of;
use crate::simulate::draw::{normal_pair, uniform};

/// What a column's cells are.
enum SketchKind {
    /// Numbers of this many decimals in a range.
    Number { range: [f64; 2], decimals: usize },
    /// Days since 1970 in a range.
    Day { range: [Date; 2] },
    /// Indices of these words.
    Word { words: Vec<String> },
}

struct SketchColumn {
    name: String,
    kind: SketchKind,
    /// A NaN is a missing cell.
    cells: Vec<f64>,
}

/// A table that is being drawn, column by column.
pub struct TableSketch {
    /// Its rows.
    pub rows: usize,
    rng: ChaCha8Rng,
    columns: Vec<SketchColumn>,
}

impl TableSketch {
    /// A table without columns.
    pub fn new(rows: usize, seed: u64) -> Self {
        Self { rows, rng: ChaCha8Rng::seed_from_u64(seed), columns: Vec::new() }
    }

    /// A standard normal number.
    pub fn normal(&mut self) -> f64 {
        normal_pair(&mut self.rng)[0]
    }

    /// A uniform number on [0, 1).
    pub fn uniform(&mut self) -> f64 {
        uniform(&mut self.rng)
    }

    /// Whether something of this chance happens.
    pub fn happens(&mut self, chance: f64) -> bool {
        self.uniform() < chance
    }

    /// An index, by weights that add up to 1.
    pub fn pick(&mut self, weights: &[f64]) -> usize {
        let mut left = self.uniform();
        let found = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        found.unwrap_or(weights.len() - 1)
    }

    /// As many cells as there are rows, by the number of the row.
    pub fn draw(&mut self, mut cell: impl FnMut(&mut Self, usize) -> f64) -> Vec<f64> {
        (0..self.rows).map(|row| cell(self, row)).collect()
    }

    /// Adds a column of numbers; cells outside the range are put on its edge.
    pub fn number(&mut self, name: impl Into<String>, range: [f64; 2], decimals: usize, cells: Vec<f64>) {
        let cells = cells.into_iter().map(|cell| cell.clamp(range[0], range[1])).collect();
        self.columns.push(SketchColumn { name: name.into(), kind: SketchKind::Number { range, decimals }, cells });
    }

    /// Adds a column of dates, given in days since 1970.
    pub fn day(&mut self, name: &str, range: [Date; 2], cells: Vec<f64>) {
        self.columns.push(SketchColumn { name: name.into(), kind: SketchKind::Day { range }, cells });
    }

    /// Adds a column of words, given by their places in the list.
    pub fn word(&mut self, name: impl Into<String>, words: &[&str], cells: Vec<f64>) {
        let words = words.iter().map(|&word| word.to_owned()).collect();
        self.columns.push(SketchColumn { name: name.into(), kind: SketchKind::Word { words }, cells });
    }

    /// The rows as CSV.
    pub fn csv(&self) -> String {
        let mut text = self.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(",");
        for row in 0..self.rows {
            for (place, column) in self.columns.iter().enumerate() {
                text.push(if place == 0 { '\n' } else { ',' });
                column.write(column.cells[row], &mut text);
            }
        }
        text + "\n"
    }

    /// The schema: public bounds, no bins.
    pub fn schema(&self, about: &str) -> String {
        let mut text = format!("# {about}\nversion = 1\n");
        for column in &self.columns {
            let missing = column.cells.iter().any(|cell| cell.is_nan());
            let facts = column.kind.facts();
            let _ = write!(text, "\n[columns.\"{}\"]\n{facts}\nmissing = {missing}\n", column.name);
        }
        text
    }
}

impl SketchColumn {
    fn write(&self, cell: f64, out: &mut String) {
        if cell.is_nan() {
            return;
        }
        let _ = match &self.kind {
            SketchKind::Number { decimals, .. } => write!(out, "{cell:.decimals$}"),
            SketchKind::Day { .. } => write!(out, "{}", date_of(cell)),
            SketchKind::Word { words } => write!(out, "{}", words[cell as usize]),
        };
    }
}

impl SketchKind {
    fn facts(&self) -> String {
        match self {
            Self::Number { range: [low, high], decimals: 0 } => format!("type = \"integer\"\nrange = [{low}, {high}]"),
            Self::Number { range: [low, high], decimals } => {
                format!("type = \"number\"\nrange = [{low:.1}, {high:.1}]\ndecimals = {decimals}")
            }
            Self::Day { range: [first, last] } => format!("type = \"date\"\nrange = [\"{first}\", \"{last}\"]"),
            Self::Word { words } => format!("type = \"category\"\nvalues = {words:?}"),
        }
    }
}
