//! The counts of two coded columns, with their sums.

/// The cells of two columns that are not empty, and the sums of both.
pub struct CrossTable {
    /// Both codes and the count of each cell that is not empty.
    pub cells: Vec<(usize, usize, u64)>,
    /// The count of each code of the first column.
    pub rows: Vec<u64>,
    /// The count of each code of the second.
    pub columns: Vec<u64>,
    /// All counts together.
    pub total: u64,
}

impl CrossTable {
    /// Adds up cells of columns with these numbers of codes.
    pub fn new(cells: Vec<(usize, usize, u64)>, rows: usize, columns: usize) -> Self {
        let mut table = Self { rows: vec![0; rows], columns: vec![0; columns], total: 0, cells };
        for &(a, b, count) in &table.cells {
            table.rows[a] += count;
            table.columns[b] += count;
            table.total += count;
        }
        table
    }

    /// How many codes of each column occur.
    pub fn used(&self) -> [usize; 2] {
        [&self.rows, &self.columns].map(|sums| sums.iter().filter(|&&sum| sum > 0).count())
    }
}
