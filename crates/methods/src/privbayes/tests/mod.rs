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

/// Columns that hang together: each is the one before, changed now and then by a fixed rule.
fn chained(sizes: &[u32], rows: usize) -> Vec<Vec<u32>> {
    let mut columns: Vec<Vec<u32>> = Vec::new();
    for (number, &size) in sizes.iter().enumerate() {
        let code = |row: usize| {
            let noise = (row * (2 * number + 7) + row / 5 * 3 + number) as u32;
            match columns.last() {
                Some(before) if noise % 4 != 0 => before[row] % size,
                _ => noise / 4 % size,
            }
        };
        let column = (0..rows).map(code).collect();
        columns.push(column);
    }
    columns
}

fn door(schema: &Schema, sizes: &[u32], rows: usize, budget: Budget, relation: Relation, seed: u64) -> Bench {
    bench(schema, rows, chained(sizes, rows), budget, relation, seed)
}
