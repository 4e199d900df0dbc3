//! Plans for rows that stay where they are.

use crate::SettingError;

/// Where rows stay that a plan is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlannedEngine {
    /// A database, in whose temporary table a code has four bytes.
    Sql,
    /// Spark, on whose executors a code has one, two or four bytes.
    Spark,
}

impl PlannedEngine {
    pub(super) fn parse(name: Option<&str>) -> Result<Option<Self>, SettingError> {
        match name {
            None => Ok(None),
            Some("sql") => Ok(Some(Self::Sql)),
            Some("spark") => Ok(Some(Self::Spark)),
            Some(other) => {
                Err(SettingError::UnknownWord { setting: "engine", word: other.into(), known: "sql or spark" })
            }
        }
    }

    /// The word that chooses it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sql => "sql",
            Self::Spark => "spark",
        }
    }

    /// What a pass reads there, by what it would read here.
    pub(super) fn pass_bytes(self, rows: f64, columns: usize, coded_bytes: f64) -> f64 {
        match self {
            Self::Sql => 4.0 * rows * columns as f64,
            Self::Spark => coded_bytes,
        }
    }
}
