//! Tables of columns that depend on others: what belongs to each key, from noisy counts.
//!
//! One noisy marginal a column, over its key's columns and its own codes. Of each key the code with
//! the largest noisy count belongs to it, if that count stands out of the noise.

use lookalike_curator::{Curator, MarginalQuery, Noise};
use lookalike_privacy::{DiscoveryCost, Neighbours, PrivacyError};
use lookalike_schema::{AttrId, Clique, Dependent, Discovered, FoundTable, Schema};

use crate::prices::FactNoise;
use crate::{DiscoveryError, rounded};

/// A key that nobody has gets a value with at most this probability.
const FALSE_ALARM: f64 = 0.01;

/// What the table of a column costs, and what it finds.
#[derive(Clone, Debug, PartialEq)]
pub struct TablePrice {
    /// The column.
    pub column: String,
    /// The noise on each cell.
    pub noise: Noise,
    /// Its standard deviation, in rows.
    pub deviation: f64,
    /// The smallest noisy count of a value that belongs to its key.
    pub threshold: u64,
}

impl TablePrice {
    /// The prices of all columns whose tables are to be found: each has the same part.
    ///
    /// # Errors
    /// Amounts for which there is no noise.
    pub fn all(
        schema: &Schema,
        neighbours: Neighbours,
        total: DiscoveryCost,
        is_pure: bool,
    ) -> Result<Vec<Self>, PrivacyError> {
        let columns: Vec<_> = schema.to_be_learned().collect();
        // A sliver stays unspent, so that sums which are rounded up fit.
        let amount = total.amount * (1.0 - 1e-9) / columns.len().max(1) as f64;
        let price = |dependent: &Dependent, column: &str| {
            let noise = FactNoise::of(amount, neighbours, is_pure)?;
            let level = noise.level(FALSE_ALARM / f64::from(dependent.codec().size()));
            let (noise, deviation) = (noise.noise, noise.deviation);
            Ok(Self { column: column.to_owned(), noise, deviation, threshold: level.ceil() as u64 })
        };
        columns.into_iter().map(|(column, dependent)| price(dependent, &column.name)).collect()
    }
}

/// What was found of the tables.
#[derive(Clone, Debug)]
pub struct FoundTables {
    /// The schema with them.
    pub schema: Schema,
    /// How many keys have a value, one line a column.
    pub notes: Vec<String>,
}

/// Buys the tables of the columns of `schema` that depend on others. The door has the same columns
/// in the same order, those too ([`Schema::for_learning`]).
///
/// # Errors
/// Refusals of the door, and its faults.
pub fn learn(door: &mut Curator, schema: &Schema, total: DiscoveryCost) -> Result<FoundTables, DiscoveryError> {
    let prices = TablePrice::all(schema, door.neighbours(), total, door.budget().is_pure())?;
    let mut queries = Vec::new();
    let mut asked = Vec::new();
    for ((column, dependent), price) in schema.to_be_learned().zip(&prices) {
        let names = dependent.on().iter().chain([&column.name]);
        let attributes: Vec<AttrId> = names.filter_map(|name| door.schema().attribute(name)).collect();
        queries.push(MarginalQuery { clique: Clique::new(attributes.iter().copied()), noise: price.noise });
        asked.push((attributes, price));
    }
    let answers = door.marginals(&queries)?;
    let (mut found, mut notes) = (Vec::new(), Vec::new());
    for ((attributes, price), answer) in asked.into_iter().zip(&answers) {
        let sizes: Vec<u32> = attributes.iter().map(|&attribute| door.domain().size(attribute)).collect();
        let strides: Vec<usize> = attributes.iter().map(|&attribute| stride(door, &answer.clique, attribute)).collect();
        let codes = codes_of_keys(&answer.values, &sizes, &strides, price.threshold);
        let known = codes.iter().flatten().count();
        notes.push(format!("{:?}: {known} of {} keys have a value that stands out", price.column, codes.len()));
        let (noise, threshold) = (rounded(price.deviation), Some(price.threshold));
        let discovered = Discovered { facts: vec!["table".to_owned()], noise, threshold };
        found.push(FoundTable { column: price.column.clone(), codes, discovered });
    }
    Ok(FoundTables { schema: schema.learned(found)?, notes })
}

/// How far apart the cells of neighbouring codes of a column stand.
fn stride(door: &Curator, clique: &Clique, attribute: AttrId) -> usize {
    let behind = clique.attributes().iter().filter(|&&other| other > attribute);
    behind.map(|&other| door.domain().size(other) as usize).product()
}

/// What belongs to each key. The last of the columns is the value's; the others are the key's, the
/// last one fastest.
fn codes_of_keys(counts: &[i64], sizes: &[u32], strides: &[usize], threshold: u64) -> Vec<Option<u32>> {
    let (Some((&size, sizes)), Some((&stride, strides))) = (sizes.split_last(), strides.split_last()) else {
        return Vec::new();
    };
    let keys: usize = sizes.iter().map(|&size| size as usize).product();
    let found = |key: usize| {
        let mut rest = key;
        let mut first = 0;
        for (&size, &stride) in sizes.iter().zip(strides).rev() {
            first += rest % size as usize * stride;
            rest /= size as usize;
        }
        let count = |code: u32| counts.get(first + code as usize * stride).copied().unwrap_or(0);
        // Of equal counts the first code's.
        let best = (0..size).rev().max_by_key(|&code| count(code))?;
        u64::try_from(count(best)).is_ok_and(|count| count >= threshold.max(1)).then_some(best)
    };
    (0..keys).map(found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every table of two keys' columns and a value's in any order of attributes, against a plain
    /// search.
    #[test]
    fn the_largest_count_of_each_key_belongs_to_it() {
        let sizes = [2u32, 3, 4];
        for order in [[0usize, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            // `order` says which of the three stands where in the marginal.
            let stride = |column: usize| {
                let at = order.iter().position(|&other| other == column).unwrap();
                order[at + 1..].iter().map(|&other| sizes[other] as usize).product::<usize>()
            };
            let strides: Vec<usize> = (0..3).map(stride).collect();
            let mut counts = vec![0i64; 24];
            let mut state = 7u64;
            for count in &mut counts {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                *count = (state >> 60) as i64 - 4;
            }
            let found = codes_of_keys(&counts, &sizes, &strides, 5);
            assert_eq!(found.len(), 6);
            for first in 0..2usize {
                for second in 0..3usize {
                    let count = |code: usize| counts[first * strides[0] + second * strides[1] + code * strides[2]];
                    let most = (0..4).map(count).max().unwrap();
                    let own = found[first * 3 + second];
                    assert_eq!(own.is_some(), most >= 5, "{order:?}");
                    if let Some(code) = own {
                        assert_eq!(count(code as usize), most);
                        assert!((0..code as usize).all(|before| count(before) < most), "the first of equal ones");
                    }
                }
            }
        }
    }
}
