//! The Aalborg report's example for Spearman's test: X1 uniform on [0, 1], X2 = X1 + N(0, sd 0.1),
//! redrawn until it falls into [0, 1]; a grid of 10 x 10 squares.

use anyhow::Result;
use lookalike_schema::Schema;
use lookalike_table::Table;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::draw::{normal_pair, uniform};

/// Squares a side.
pub const GRID: u32 = 10;
/// The standard deviation of X2 given X1. (The report writes diag(1/10); only as a standard
/// deviation does it give the report's rho of 0.94.)
pub const SPREAD: f64 = 0.1;

/// Two dependent columns of numbers in [0, 1].
#[derive(Clone, Debug, PartialEq)]
pub struct SpearmanExample {
    /// X1.
    pub first: Vec<f64>,
    /// X2.
    pub second: Vec<f64>,
}

impl SpearmanExample {
    /// Draws the example.
    pub fn new(rows: usize, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (mut first, mut second) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
        for _ in 0..rows {
            let centre = uniform(&mut rng);
            let shifted = loop {
                let [left, right] = normal_pair(&mut rng).map(|normal| centre + SPREAD * normal);
                // Both numbers of a pair are as good as each other; the second saves a draw.
                if let Some(&inside) = [left, right].iter().find(|value| (0.0..=1.0).contains(*value)) {
                    break inside;
                }
            };
            first.push(centre);
            second.push(shifted);
        }
        Self { first, second }
    }

    /// The squares that the rows fall into, under a schema of two number columns `x1` and `x2`.
    pub fn table(&self) -> Result<Table> {
        let column = |name: &str| format!("[columns.{name}]\ntype = \"number\"\nrange = [0, 1]\nbins = {GRID}\n\n");
        let schema = Schema::parse(&format!("{}{}", column("x1"), column("x2")), "generated")?;
        let code = |&value: &f64| ((value * f64::from(GRID)) as u32).min(GRID - 1);
        let columns = [&self.first, &self.second].map(|numbers| numbers.iter().map(code).collect());
        Ok(Table::from_columns(&schema, columns.into()))
    }
}
