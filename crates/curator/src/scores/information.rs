//! Mutual information I between an attribute and a set, in bits, times n.
//!
//! n I = sum over occupied cells of c_ab log2(n c_ab / (c_a c_b)), and 0 at n < 2. Under
//! replace-one n is public, so a selection by n I is a selection by I. Under add/remove there is no
//! row in the table of sensitivities: refused.
//!
//! # Privacy
//! | neighbours | sensitivity of n I |
//! |---|---|
//! | replace-one, the attribute or the set has at most two values | log2 n + (n-1) log2(n/(n-1)) |
//! | replace-one, else | 2 log2((n+1)/2) + (n-1) log2((n+1)/(n-1)) |
//!
//! (PrivBayes, SIGMOD 2014, lemma 1.) Twice the float error is added, then one grid step. The
//! brute-force test is `tests/`: all tables of up to 6 rows and 3 x 3 cells.
//!
//! # Precision
//! n c_ab and c_a c_b are exact integers below 2^96. Their quotient takes 3 roundings, so its
//! logarithm is off by at most 5e-16 from them; log2 itself by a few parts in 2^53 of at most 96
//! bits, below 2^-44 in all; the product with c_ab by one more part. Each term becomes a whole
//! number of 2^-44 bits (half a unit off, at most as much as one of its rows may have), and whole
//! numbers add exactly. So the error is below n 2^-42 bits; n 2^-40 is declared.

use crate::CountTable;
use crate::scores::GRID;
use crate::scores::dependence::{ParentCounts, Split};

/// Units of the exact sum in one bit.
const UNITS: f64 = (1u64 << 44) as f64;

/// n I of the table on the grid. `rows` is the table's total, at most
/// [`MAX_ROWS`](crate::scores::MAX_ROWS).
pub(crate) fn score(table: &CountTable, rows: u64, split: Split) -> i128 {
    if rows < 2 {
        return 0;
    }
    let mut parents = ParentCounts::new(table, split);
    let mut children = vec![0u64; split.child_size() as usize];
    table.for_each_occupied(|cell, count| {
        let (parent, child) = split.parts(cell);
        parents.add(parent, count);
        children[child] += count;
    });
    let mut sum = 0i128;
    table.for_each_occupied(|cell, count| {
        let (parent, child) = split.parts(cell);
        let independent = u128::from(parents.get(parent)) * u128::from(children[child]);
        let found = u128::from(rows) * u128::from(count);
        let bits = count as f64 * (found as f64 / independent as f64).log2();
        sum += (bits * UNITS).round() as i128;
    });
    // Not negative but for rounding, which must not become a step of the floor.
    i128::from(GRID) * sum.max(0) / (1 << 44)
}
