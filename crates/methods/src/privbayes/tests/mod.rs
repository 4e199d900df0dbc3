//! PrivBayes against brute force, on tiny engines with the seeded test stream for noise.

mod golden;
mod network;
mod release;
mod sets;

use lookalike_model::Model;
use lookalike_privacy::{Budget, Relation};
use lookalike_schema::Schema;

use lookalike_testkit::mixed;

use crate::MethodError;
use crate::tests::{Bench, bench, settings};

fn fit(bench: &mut Bench, pairs: &[(&str, &str)]) -> Result<Model, MethodError> {
    crate::tests::fit("privbayes", bench, pairs)
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

fn door(schema: &Schema, sizes: &[u32], rows: usize, budget: Budget, relation: Relation, seed: u64) -> Bench {
    bench(schema, rows, chained(sizes, rows), budget, relation, seed)
}
