//! The worst of all tables, by theory. Far above what happens on most; shown beside an estimate,
//! never instead of one.

use lookalike_privacy::{Epsilon, Neighbours};
use lookalike_schema::Schema;

use crate::bounds::{BooleanSetting, lower_bound};

/// The chance that a bound fails.
const FAILURE: f64 = 0.05;
/// The parents of a column in the network that the upper bound is about.
const DEGREE: u32 = 2;

/// Bounds on the total variation distance of whole rows, from the statistical theory of
/// marginal-based synthesis.
///
/// They hold for every table, however strange, and are worst cases: usually far from what a release
/// reaches. A bound of 1 or more says nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorstCase {
    /// Theorem 4.1, for the columns as bits and a network of [`degree`](Self::degree) parents that
    /// is given and that the rows obey, with pure epsilon: no table is missed by more.
    pub upper: f64,
    /// Theorem 5.1: whatever the method, there is a table of as many rows that it misses by at
    /// least this.
    pub lower: f64,
    /// The bits of a row.
    pub bits: u32,
    /// The parents of a column.
    pub degree: u32,
    /// The chance that a bound fails.
    pub failure: f64,
}

impl WorstCase {
    pub(super) fn new(schema: &Schema, rows: u64, epsilon: Epsilon, neighbours: Neighbours) -> Self {
        let sizes = schema.domain().sizes();
        let bits: u32 = sizes.iter().map(|&size| size.max(1).next_power_of_two().trailing_zeros()).sum();
        let rows = rows.max(1) as f64;
        let degree = DEGREE.min(bits.saturating_sub(1));
        let relation = neighbours.relation();
        let setting = BooleanSetting { rows, columns: bits, degree, epsilon, failure: FAILURE, relation };
        let ln_cells = sizes.iter().map(|&size| f64::from(size.max(1)).ln()).sum();
        Self {
            // Without bits there is nothing to miss. All rows of a person need as many times the
            // noise; the lower bound holds for each of them, and so for all.
            upper: if bits == 0 { 0.0 } else { setting.total_variation_clamp() * f64::from(neighbours.contribution()) },
            lower: lower_bound(ln_cells, rows, epsilon, FAILURE).min(1.0),
            bits,
            degree,
            failure: FAILURE,
        }
    }
}
