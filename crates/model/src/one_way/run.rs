//! Neighbouring codes of a column, with their count.

use std::ops::Range;

/// Codes with their count, which is even inside or falls off to where neighbours are lower.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeRun {
    /// The codes.
    pub codes: Range<u32>,
    /// How many rows they have.
    pub count: f64,
    /// Whether that stands out of its noise.
    pub stands_out: bool,
}

impl CodeRun {
    pub(super) fn width(&self) -> f64 {
        f64::from(self.codes.end - self.codes.start)
    }

    pub(super) fn density(&self) -> f64 {
        self.count / self.width()
    }
}

/// What lies beyond the last run that stands out.
#[derive(Clone, Debug)]
pub(super) struct Tail {
    pub run: CodeRun,
    /// Parts of it and their shares of its count.
    pub shares: Vec<(Range<u32>, f64)>,
}
