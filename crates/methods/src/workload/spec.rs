//! Workloads as typed.

/// The most columns of one table of a workload.
pub const MOST_WAYS: usize = 6;

/// A workload as typed.
#[derive(Clone, Debug, PartialEq)]
pub enum WorkloadSpec {
    /// All tables of this many columns: 2 or 3.
    AllOf(usize),
    /// The tables of a file, each with its weight.
    Tables {
        /// The file's name, for messages.
        file: String,
        /// Its lines.
        tables: Vec<SpecTable>,
    },
}

/// One line of a workload file.
#[derive(Clone, Debug, PartialEq)]
pub struct SpecTable {
    /// The line, from 1.
    pub line: usize,
    /// The columns' names.
    pub columns: Vec<String>,
    /// How much the table counts, above 0.
    pub weight: f64,
}

impl WorkloadSpec {
    /// `2-way` or `3-way`; `None` for any other word, which names a file.
    pub fn named(word: &str) -> Option<Self> {
        match word {
            "2-way" => Some(Self::AllOf(2)),
            "3-way" => Some(Self::AllOf(3)),
            _ => None,
        }
    }

    /// The columns that it names.
    pub fn columns(&self) -> impl Iterator<Item = &String> {
        let tables = match self {
            Self::AllOf(_) => &[],
            Self::Tables { tables, .. } => tables.as_slice(),
        };
        tables.iter().flat_map(|table| &table.columns)
    }
}
