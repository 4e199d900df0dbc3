//! What was found of columns, and what was not.

use lookalike_schema::{Discovered, FoundColumn};

/// What was found of a column, and how exactly.
pub(crate) type Found = Option<(FoundColumn, Discovered)>;

/// A range with the part of the rows that lies beyond it, as far as the noise tells.
pub(crate) struct FoundRange {
    pub column: FoundColumn,
    pub beyond: Beyond,
}

/// What is beyond a range, as parts of the rows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Beyond {
    /// About this part; 0 where nothing stands out of the noise.
    pub about: f64,
    /// At most this part, with two deviations of the noise.
    pub most: f64,
    /// Whether nothing at all stood out, so that the range is a fixed one.
    pub is_fixed: bool,
}
