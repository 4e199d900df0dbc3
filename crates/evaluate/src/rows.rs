//! A few rows in memory, as plain vectors of codes: what classifiers and nearest-row searches work
//! on.

use lookalike_table::{Table, TableError};

use crate::EvaluationRng;

/// Coded rows, one vector a column. Opened for the steward, or synthetic: no `Debug`.
#[derive(Clone)]
pub struct CodedRows {
    sizes: Vec<u32>,
    columns: Vec<Vec<u32>>,
    count: usize,
}

impl CodedRows {
    /// Rows from columns of codes.
    ///
    /// # Panics
    /// When there are not as many columns as sizes, when they differ in length, or when a code is
    /// not below its size.
    pub fn new(sizes: Vec<u32>, columns: Vec<Vec<u32>>) -> Self {
        assert_eq!(sizes.len(), columns.len(), "one vector of codes for each column");
        let count = columns.first().map_or(0, Vec::len);
        for (codes, &size) in columns.iter().zip(&sizes) {
            assert_eq!(codes.len(), count, "all columns have the same number of rows");
            assert!(codes.iter().all(|&code| code < size), "a code is below its column's size");
        }
        Self { sizes, columns, count }
    }

    /// All rows of a table.
    pub fn all(table: &Table) -> Result<Self, TableError> {
        Self::at(table, None)
    }

    /// At most `most` random rows of a table, in the table's order.
    pub fn sample(table: &Table, most: usize, rng: &mut EvaluationRng) -> Result<Self, TableError> {
        if table.rows() <= most as u64 {
            return Self::all(table);
        }
        Self::at(table, Some(&rng.choose(table.rows(), most)))
    }

    /// The rows of a table at these places, which ascend.
    pub fn at(table: &Table, places: Option<&[u64]>) -> Result<Self, TableError> {
        let column = |attribute| {
            let codes = table.codes(attribute)?;
            Ok(match places {
                None => codes,
                Some(places) => places.iter().map(|&place| codes[place as usize]).collect(),
            })
        };
        let columns = table.domain().attributes().map(column).collect::<Result<Vec<_>, TableError>>()?;
        let count = places.map_or(table.rows() as usize, <[u64]>::len);
        Ok(Self { sizes: table.domain().sizes().to_vec(), columns, count })
    }

    /// These rows in this order.
    pub fn pick(&self, rows: &[usize]) -> Self {
        let columns = self.columns.iter().map(|codes| rows.iter().map(|&row| codes[row]).collect()).collect();
        Self { sizes: self.sizes.clone(), columns, count: rows.len() }
    }

    /// At most `most` random ones, in their order.
    pub fn thinned(&self, most: usize, rng: &mut EvaluationRng) -> Self {
        let places: Vec<usize> = rng.choose(self.count as u64, most).into_iter().map(|row| row as usize).collect();
        self.pick(&places)
    }

    /// Two random parts: the first has this share of the rows.
    pub fn split(&self, share: f64, rng: &mut EvaluationRng) -> (Self, Self) {
        let mut order: Vec<usize> = (0..self.count).collect();
        rng.shuffle(&mut order);
        let rest = order.split_off((self.count as f64 * share).round() as usize);
        (self.pick(&order), self.pick(&rest))
    }

    /// The rows of both, which have the same columns.
    pub fn joined(&self, other: &Self) -> Self {
        let columns = self.columns.iter().zip(&other.columns);
        let columns = columns.map(|(a, b)| a.iter().chain(b).copied().collect()).collect();
        Self { sizes: self.sizes.clone(), columns, count: self.count + other.count }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The number of codes of each column.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The codes, one vector a column.
    pub fn into_columns(self) -> Vec<Vec<u32>> {
        self.columns
    }

    /// The codes of each column.
    pub fn columns(&self) -> &[Vec<u32>] {
        &self.columns
    }
}
