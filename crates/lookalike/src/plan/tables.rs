//! What a part of a budget finds of columns that depend on others.

use lookalike_discovery::TablePrice;
use lookalike_privacy::{Budget, Neighbours};
use lookalike_schema::Schema;

use super::discovery;
use crate::error::Error;

/// What would be found of a column that depends on others.
#[derive(Clone, Debug, PartialEq)]
pub struct TableProspect {
    /// The column.
    pub column: String,
    /// The total epsilon of the run.
    pub epsilon: f64,
    /// Its delta.
    pub delta: f64,
    /// The most rows of a person; 1 where a record is protected.
    pub contribution: u32,
    /// The number of keys that there can be.
    pub keys: u64,
    /// The standard deviation of the noise on a count, in rows.
    pub noise: f64,
    /// About how many rows a key needs, so that its value is found: the smallest noisy count that
    /// is taken.
    pub threshold: u64,
}

impl TableProspect {
    pub(super) fn all(schema: &Schema, budget: Budget, neighbours: Neighbours, share: f64) -> Result<Vec<Self>, Error> {
        let prices = TablePrice::all(schema, neighbours, discovery::total(budget, share)?, budget.is_pure())?;
        let prospect = |(price, keys): (TablePrice, u64)| Self {
            column: price.column,
            epsilon: budget.epsilon.get(),
            delta: budget.delta.get(),
            contribution: neighbours.contribution(),
            keys,
            noise: price.deviation,
            threshold: price.threshold,
        };
        let keys = schema.to_be_learned().map(|(_, dependent)| dependent.keys());
        Ok(prices.into_iter().zip(keys).map(prospect).collect())
    }
}
