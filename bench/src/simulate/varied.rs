//! Tables of many shapes, `varied-1`, `varied-2` and so on: for formulas that must hold on tables
//! nobody has seen.
//!
//! The number draws everything: rows, columns, codes, how uneven their frequencies are, and what
//! follows what. Columns follow a hidden class, an earlier column, or two; how closely is drawn
//! too. One table in eight has no dependence at all.

use anyhow::Result;
use lookalike_table::Table;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::draw::{below, coded_schema, normal_pair, uniform};

/// How the names begin.
pub const PREFIX: &str = "varied-";
/// The kinds of rows that a column tells apart.
const BUCKETS: u32 = 24;

/// The number of a name, if it is one of these tables.
pub fn number(name: &str) -> Option<u64> {
    name.strip_prefix(PREFIX)?.parse().ok()
}

/// The table of this number, with this many rows or with those of its own.
pub fn table(number: u64, rows: Option<usize>, seed: u64) -> Result<Table> {
    let design = VariedDesign::new(number);
    let rows = rows.unwrap_or(design.rows);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    let classes: Vec<u32> = (0..rows).map(|_| below(&mut rng, design.classes)).collect();
    let mut columns: Vec<Vec<u32>> = Vec::with_capacity(design.columns.len());
    for column in &design.columns {
        let code = |row: usize| {
            let follows = uniform(&mut rng) < column.closeness;
            let key = if follows { column.key(row, &classes, &columns, &design) } else { 0 };
            pick(&column.weights[key as usize], uniform(&mut rng))
        };
        let codes = (0..rows).map(code).collect();
        columns.push(codes);
    }
    let sizes: Vec<u32> = design.columns.iter().map(|column| column.size).collect();
    Ok(Table::from_columns(&coded_schema(&sizes)?, columns))
}

/// What the number says.
struct VariedDesign {
    rows: usize,
    classes: u32,
    columns: Vec<VariedColumn>,
}

enum Follows {
    Nothing,
    Class,
    Column(usize),
    Columns(usize, usize),
}

struct VariedColumn {
    size: u32,
    follows: Follows,
    /// The chance that a code goes by what the column follows.
    closeness: f64,
    /// Sums of frequencies: of free codes first, then of each kind of row.
    weights: Vec<Vec<f64>>,
}

impl VariedDesign {
    fn new(number: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(0x7661_7269 ^ number);
        let mut between = |low: f64, high: f64| (low.ln() + (high / low).ln() * uniform(&mut rng)).exp();
        let rows = between(1_000.0, 300_000.0) * if number.is_multiple_of(10) { 4.0 } else { 1.0 };
        let count = between(6.0, 50.0) * if number.is_multiple_of(9) { 2.0 } else { 1.0 };
        let most_codes = between(4.0, 64.0);
        let unevenness = between(0.3, 2.5);
        let closeness = between(0.25, 1.0);
        let wide = number.is_multiple_of(7).then(|| between(500.0, 50_000.0) as u32);
        let two_codes = [0.0, 0.3, 0.6, 1.0][below(&mut rng, 4) as usize];
        let is_independent = below(&mut rng, 8) == 0;
        let mut design = Self { rows: rows as usize, classes: 2 + below(&mut rng, 14), columns: Vec::new() };
        for index in 0..count as usize {
            let few = uniform(&mut rng) < two_codes;
            let size = if few { 2 } else { (2.0 * (most_codes / 2.0).powf(uniform(&mut rng))).round() as u32 };
            let (size, is_wide) = wide.filter(|_| index == 2).map_or((size, false), |wide| (wide, true));
            let earlier = |rng: &mut ChaCha8Rng| below(rng, index as u32) as usize;
            let follows = match below(&mut rng, 20) {
                _ if is_independent || is_wide => Follows::Nothing,
                0 => Follows::Nothing,
                6..=12 if index > 0 => Follows::Column(earlier(&mut rng)),
                13..=17 if index > 1 => Follows::Columns(earlier(&mut rng), earlier(&mut rng)),
                _ => Follows::Class,
            };
            let spread = if is_wide { 2.5 } else { unevenness * (0.5 + uniform(&mut rng)) };
            let kinds = if is_wide { 1 } else { 1 + BUCKETS };
            let weights = (0..kinds).map(|_| sums(size, spread, &mut rng)).collect();
            let closeness = (closeness * (0.6 + 0.8 * uniform(&mut rng))).min(0.99);
            design.columns.push(VariedColumn { size, follows, closeness, weights });
        }
        design
    }

    fn bucket(&self, column: usize, code: u32) -> u32 {
        let size = self.columns[column].size;
        if size <= BUCKETS { code } else { (u64::from(code) * u64::from(BUCKETS) / u64::from(size)) as u32 }
    }
}

impl VariedColumn {
    fn key(&self, row: usize, classes: &[u32], columns: &[Vec<u32>], design: &VariedDesign) -> u32 {
        let of = |column: usize| design.bucket(column, columns[column][row]);
        match self.follows {
            Follows::Nothing => 0,
            Follows::Class => 1 + classes[row],
            Follows::Column(parent) => 1 + of(parent),
            Follows::Columns(one, two) => 1 + (of(one) + 5 * of(two)) % BUCKETS,
        }
    }
}

/// Frequencies whose logarithms are normal with this deviation, added up to 1.
fn sums(size: u32, spread: f64, rng: &mut ChaCha8Rng) -> Vec<f64> {
    let mut sum = 0.0;
    let mut sums: Vec<f64> = Vec::with_capacity(size as usize);
    for _ in 0..size {
        sum += (spread * normal_pair(rng)[0]).exp();
        sums.push(sum);
    }
    sums.iter_mut().for_each(|partial| *partial /= sum);
    sums
}

fn pick(sums: &[f64], at: f64) -> u32 {
    sums.partition_point(|&sum| sum <= at).min(sums.len() - 1) as u32
}
