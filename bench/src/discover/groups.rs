//! Values in groups that follow from the real rows alone, so that releases with different schemas
//! are compared in the same cells.

/// Numbers of more different values than this are cut into as many groups of like many rows.
const NUMBER_GROUPS: usize = 16;
/// The commonest words that have a group of their own; all others share one.
const WORD_GROUPS: usize = 100;

/// The groups of a column; behind them comes one for missing cells.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnGroups {
    /// These values, in ascending order, have a group each; all others share one.
    Values(Vec<f64>),
    /// Each group but the first begins at one of these values.
    Edges(Vec<f64>),
}

impl ColumnGroups {
    /// The groups of numbers or dates; a NaN is a missing cell.
    pub fn of_numbers(cells: &[f64]) -> Self {
        let ascending = ascending(cells);
        let mut different = ascending.clone();
        different.dedup();
        if different.len() <= NUMBER_GROUPS {
            return Self::Values(different);
        }
        let mut edges: Vec<f64> =
            (1..NUMBER_GROUPS).map(|group| ascending[group * ascending.len() / NUMBER_GROUPS]).collect();
        edges.dedup();
        Self::Edges(edges)
    }

    /// The groups of words, by their codes.
    pub fn of_words(codes: &[f64]) -> Self {
        let ascending = ascending(codes);
        let mut runs: Vec<&[f64]> = ascending.chunk_by(|a, b| a == b).collect();
        runs.sort_by_key(|run| std::cmp::Reverse(run.len()));
        let mut values: Vec<f64> = runs.into_iter().take(WORD_GROUPS).map(|run| run[0]).collect();
        values.sort_by(f64::total_cmp);
        Self::Values(values)
    }

    /// The number of groups, that of missing cells included.
    pub fn size(&self) -> u32 {
        let (Self::Values(bounds) | Self::Edges(bounds)) = self;
        bounds.len() as u32 + 2
    }

    /// The group of a cell.
    pub fn group(&self, cell: f64) -> u32 {
        match self {
            _ if cell.is_nan() => self.size() - 1,
            Self::Values(values) => {
                values.binary_search_by(|value| value.total_cmp(&(cell + 0.0))).unwrap_or(values.len()) as u32
            }
            Self::Edges(edges) => edges.partition_point(|&edge| edge <= cell) as u32,
        }
    }
}

/// The cells that are there, ascending; 0 has one sign.
pub fn ascending(cells: &[f64]) -> Vec<f64> {
    let mut ascending: Vec<f64> = cells.iter().filter(|cell| !cell.is_nan()).map(|cell| cell + 0.0).collect();
    ascending.sort_unstable_by(f64::total_cmp);
    ascending
}
