//! PrivBayes against brute force, on tiny engines with the seeded test stream for noise.

mod golden;
mod network;
mod release;
mod sets;

use lookalike_model::Model;
use lookalike_privacy::{Budget, Relation};
use lookalike_schema::Schema;

use crate::tests::{Bench, Watch, bench};
use crate::{MethodError, build};

/// Settings as `--set` gives them.
fn settings(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|&(name, value)| (name.into(), value.into())).collect()
}

fn fit(bench: &mut Bench, pairs: &[(&str, &str)]) -> Result<Model, MethodError> {
    build("privbayes", &settings(pairs)).unwrap().fit(&mut bench.curator, &Watch::default())
}

/// Columns that hang together: half of each follows from the two before, a quarter from all before,
/// the rest is chance.
fn chained(sizes: &[u32], rows: usize) -> Vec<Vec<u32>> {
    let mut columns: Vec<Vec<u32>> = Vec::new();
    for (number, &size) in sizes.iter().enumerate() {
        let sum = |before: &[Vec<u32>], row: usize, step: usize| {
            let terms = before.iter().enumerate().map(|(place, column)| (place + step) as u32 * column[row]);
            terms.sum::<u32>() % size
        };
        let code = |row: usize| {
            let dice = mixed((number * rows + row) as u64);
            match dice % 8 {
                0..4 if number > 0 => sum(&columns[number.saturating_sub(2)..], row, number + 1),
                4..6 if number > 0 => sum(&columns, row, 1),
                _ => (dice >> 8) as u32 % size,
            }
        };
        let column = (0..rows).map(code).collect();
        columns.push(column);
    }
    columns
}

/// Splitmix64.
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

fn door(schema: &Schema, sizes: &[u32], rows: usize, budget: Budget, relation: Relation, seed: u64) -> Bench {
    bench(schema, rows, chained(sizes, rows), budget, relation, seed)
}
