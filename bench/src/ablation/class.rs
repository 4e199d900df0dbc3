//! Classes of tables: a part may matter in one and not in another.

use serde::{Deserialize, Serialize};

/// What tables have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableClass {
    /// Benchmark tables, whose cells are codes.
    Coded,
    /// Tables as people have them.
    Raw,
    /// Tables from a fixed seed, of codes and raw ones.
    Generated,
}

impl TableClass {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Coded => "coded",
            Self::Raw => "raw",
            Self::Generated => "generated",
        }
    }
}
