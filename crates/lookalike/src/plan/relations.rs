//! What is expected to be kept of a relation between two numbers.
//!
//! A pair of columns is compared with the product of its columns at five groups a side, and the
//! pair that is farthest off is chosen (exponential mechanism), among all pairs. A relation is
//! found when its distance stands out of the choice's noise, and once measured nearly all of it is
//! kept, unless rows are so few for the noise that tables say nothing. Pairs beyond the number of
//! tables are left alone. What is said holds for rows in which both columns have values.

use lookalike_methods::TableReach;
use lookalike_privacy::{Neighbours, Relation};

/// Rank correlations that a plan speaks of.
pub const STRENGTHS: [f64; 3] = [0.3, 0.5, 0.8];

/// What is kept of a relation that was found.
const KEPT_WHEN_FOUND: f64 = 0.95;

/// At this signal half of that is kept. The share rises with this power of the signal, because on
/// raw tables nearly nothing is kept at 30 and nearly all from 60 on (`docs/research/raw.md`).
const HALF_SIGNAL: f64 = 40.0;
const SIGNAL_POWER: i32 = 8;

/// The relations that a plan expects of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedRelations {
    /// How many tables of several columns are measured.
    pub tables: f64,
    /// The share that is kept of relations of each of the [`STRENGTHS`].
    pub kept: [f64; 3],
    /// Whether there are too few tables to tie all columns together: some columns are then drawn by
    /// themselves, on purpose.
    pub is_too_wide: bool,
}

impl ExpectedRelations {
    pub(super) fn new(reach: TableReach, columns: usize, rows: f64, neighbours: Neighbours) -> Self {
        let columns = columns as f64;
        let pairs = columns * (columns - 1.0) / 2.0;
        let sensitivity = match neighbours.relation() {
            Relation::AddRemove => f64::from(neighbours.contribution()),
            Relation::ReplaceOne => 2.0,
        };
        let least = columns - 1.0;
        let told = 1.0 / (1.0 + (HALF_SIGNAL / reach.signal.max(1e-9)).powi(SIGNAL_POWER));
        let kept = |strength: f64| {
            let lead = reach.choice_epsilon * rows * distance(strength) / (2.0 * sensitivity) - pairs.ln();
            let missed = 1.0 / (1.0 + lead.exp());
            KEPT_WHEN_FOUND * told * (1.0 - missed) * (reach.tables / least).min(1.0)
        };
        Self { tables: reach.tables, kept: STRENGTHS.map(kept), is_too_wide: reach.tables < least }
    }
}

/// The distance of two columns of five equal groups from independence, as a share of the rows: of a
/// normal copula with this correlation, by a polynomial that is right within 0.06.
fn distance(correlation: f64) -> f64 {
    0.62 * correlation + 0.34 * correlation.powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neighbours(relation: Relation, contribution: u32) -> Neighbours {
        Neighbours::new(relation, contribution).unwrap()
    }

    const ADD: Relation = Relation::AddRemove;

    #[test]
    fn more_rows_and_fewer_columns_keep_more() {
        let reach = |tables| TableReach { tables, choice_epsilon: 0.05, signal: f64::INFINITY };
        let kept = |columns, rows| ExpectedRelations::new(reach(100.0), columns, rows, neighbours(ADD, 1)).kept;
        assert!(kept(20, 10_000.0)[2] > 0.9);
        assert!(kept(20, 50.0)[2] < 0.1);
        for strength in 0..3 {
            assert!(kept(20, 1000.0)[strength] >= kept(20, 500.0)[strength]);
            assert!(kept(10, 500.0)[strength] >= kept(40, 500.0)[strength]);
        }
        assert!(kept(20, 500.0).is_sorted(), "stronger relations are found first");
        let replaced = ExpectedRelations::new(reach(100.0), 20, 500.0, neighbours(Relation::ReplaceOne, 1)).kept;
        assert!(replaced[1] < kept(20, 500.0)[1]);
        let persons = ExpectedRelations::new(reach(100.0), 20, 500.0, neighbours(ADD, 4)).kept;
        assert!(persons[1] < replaced[1], "four rows of a person move a distance by four");
    }

    #[test]
    fn too_few_tables_are_told() {
        let of = |tables| {
            let reach = TableReach { tables, choice_epsilon: 1.0, signal: 100.0 };
            ExpectedRelations::new(reach, 66, 1600.0, neighbours(ADD, 1))
        };
        assert!(of(40.0).is_too_wide && !of(80.0).is_too_wide);
        assert!(of(0.0).kept == [0.0; 3]);
        let blind = TableReach { tables: 80.0, choice_epsilon: 1.0, signal: 30.0 };
        let blind = ExpectedRelations::new(blind, 66, 1600.0, neighbours(ADD, 1)).kept;
        assert!(blind[2] < 0.15 && of(80.0).kept[2] > 0.9, "tables say nothing at {blind:?}");
    }
}
