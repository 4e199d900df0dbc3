//! The weights of a draw, without the cells that have none.

/// For each parent cell, the children's cells that have weight. Rows need not sum to 1; a row
/// without any weight belongs to a parent cell that never occurs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Weights {
    starts: Vec<usize>,
    cells: Vec<u32>,
    values: Vec<f64>,
}

impl Weights {
    /// Without rows yet.
    pub fn new() -> Self {
        Self { starts: vec![0], cells: Vec::new(), values: Vec::new() }
    }

    /// From a table with rows of the same width.
    pub fn dense(values: &[f64], width: usize) -> Self {
        let mut weights = Self::new();
        for row in values.chunks_exact(width.max(1)) {
            weights.push(row.iter().enumerate().map(|(cell, &value)| (cell as u32, value)));
        }
        weights
    }

    /// Adds a row. Cells without weight are left out.
    pub fn push(&mut self, row: impl IntoIterator<Item = (u32, f64)>) {
        for (cell, value) in row.into_iter().filter(|entry| entry.1 > 0.0) {
            self.cells.push(cell);
            self.values.push(value);
        }
        self.starts.push(self.cells.len());
    }

    /// The number of parent cells.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// The cells of a row and their weights.
    pub fn row(&self, row: usize) -> (&[u32], &[f64]) {
        let range = self.starts[row]..self.starts[row + 1];
        (&self.cells[range.clone()], &self.values[range])
    }

    /// The weight of a row, summed in order.
    pub fn total(&self, row: usize) -> f64 {
        self.row(row).1.iter().sum()
    }

    /// All rows of this width, each divided by its sum; rows without weight stay empty.
    pub fn shares(&self, width: usize) -> Vec<f64> {
        let mut values = vec![0.0; self.rows() * width];
        for (row, values) in values.chunks_exact_mut(width.max(1)).enumerate() {
            let total = self.total(row);
            let (cells, own) = self.row(row);
            cells.iter().zip(own).for_each(|(&cell, value)| values[cell as usize] = value / total);
        }
        values
    }

    /// Whether every parent cell has a child.
    pub fn is_full(&self) -> bool {
        self.starts.windows(2).all(|pair| pair[0] < pair[1])
    }
}
