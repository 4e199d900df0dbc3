//! Parents by correlation-based feature selection on noisy entropies.
//!
//! # Privacy
//! Add/remove. With n rows or more, a row moves an entropy in bits by at most (log2(n + 1) + 1/ln
//! 2) / n ([`entropy_sensitivity`], derived here; the bound of the paper is remembered as (2 +
//! 1/ln 2 + 2 log2 n) / n). A twentieth of epsilon buys a noisy n, from which a lower bound is
//! taken that is too high with a chance of delta / 2. The rest of epsilon and delta is divided
//! over all entropies by advanced composition. Laplace noise is drawn in floats: for experiments
//! only.

use rand_chacha::ChaCha20Rng;

use super::settings::BsgSettings;
use crate::baselines::synthesizers::composition::each;
use crate::simulate::draw::uniform;

/// The share of epsilon for the number of rows.
const ROWS_SHARE: f64 = 0.05;

/// Which columns follow which.
pub struct Network {
    /// The parents of each column.
    pub parents: Vec<Vec<usize>>,
    /// All columns, parents before children.
    pub order: Vec<usize>,
}

impl Network {
    /// A network from noisy entropies of all columns and pairs.
    pub fn learn(
        columns: &[Vec<u32>],
        sizes: &[usize],
        (epsilon, delta): (f64, f64),
        settings: &BsgSettings,
        rng: &mut ChaCha20Rng,
    ) -> Self {
        let (rows, count) = (columns[0].len() as f64, sizes.len());
        let scale = 1.0 / (ROWS_SHARE * epsilon);
        let noisy = rows + scale * laplace(rng);
        // The noise is above the margin with a chance of delta / 2. A neighbour has one row less.
        let fewest = (noisy - scale * (1.0 / delta).ln() - 1.0).max(2.0);
        let values = (count * (count + 1) / 2) as f64;
        let share = each((1.0 - ROWS_SHARE) * epsilon, values, delta / 2.0);
        let scale = entropy_sensitivity(fewest) / share;
        let mut noisy = |exact: f64, cells: usize| (exact + scale * laplace(rng)).clamp(0.0, (cells as f64).log2());
        let one: Vec<f64> = (0..count).map(|i| noisy(entropy(&[&columns[i]], &[sizes[i]]), sizes[i])).collect();
        let mut alike = vec![vec![0.0; count]; count];
        for i in 0..count {
            for j in 0..i {
                let both = entropy(&[&columns[i], &columns[j]], &[sizes[i], sizes[j]]);
                let value = symmetric_uncertainty(one[i], one[j], noisy(both, sizes[i] * sizes[j]));
                (alike[i][j], alike[j][i]) = (value, value);
            }
        }
        Self::of(&alike, sizes, settings.most_configurations)
    }

    /// Parents are added one by one while the merit of the set rises, without cycles and within the
    /// cap on joint codes.
    pub fn of(alike: &[Vec<f64>], sizes: &[usize], most: usize) -> Self {
        let mut parents = vec![Vec::new(); sizes.len()];
        for column in 0..sizes.len() {
            let mut best = 0.0;
            loop {
                let taken: &Vec<usize> = &parents[column];
                let cells: usize = taken.iter().map(|&parent| sizes[parent]).product();
                let open = |&other: &usize| {
                    !taken.contains(&other) && cells * sizes[other] <= most && !leads_to(&parents, column, other)
                };
                let with = |other: usize| (merit(alike, column, &[&taken[..], &[other]].concat()), other);
                let next = (0..sizes.len()).filter(open).map(with).max_by(|a, b| a.0.total_cmp(&b.0));
                let Some((merit, other)) = next.filter(|(merit, _)| *merit > best) else { break };
                best = merit;
                parents[column].push(other);
            }
        }
        let mut order = Vec::with_capacity(sizes.len());
        while order.len() < sizes.len() {
            let ready = |&column: &usize| {
                !order.contains(&column) && parents[column].iter().all(|parent: &usize| order.contains(parent))
            };
            let next = (0..sizes.len()).find(ready);
            order.push(next.expect("a network without cycles has a column whose parents stand before it"));
        }
        Self { parents, order }
    }
}

/// Whether `from` is `to` or an ancestor of it.
fn leads_to(parents: &[Vec<usize>], from: usize, to: usize) -> bool {
    from == to || parents[to].iter().any(|&parent| leads_to(parents, from, parent))
}

/// How well a set of parents explains a column without repeating itself (Hall 1999).
pub fn merit(alike: &[Vec<f64>], column: usize, parents: &[usize]) -> f64 {
    let with: f64 = parents.iter().map(|&parent| alike[column][parent]).sum();
    let pairs = parents.iter().flat_map(|&a| parents.iter().filter(move |&&b| b != a).map(move |&b| alike[a][b]));
    with / (parents.len() as f64 + pairs.sum::<f64>()).sqrt()
}

/// 0 for independent columns and 1 for columns that tell each other.
pub fn symmetric_uncertainty(one: f64, other: f64, both: f64) -> f64 {
    if one + other <= 0.0 { 0.0 } else { (2.0 - 2.0 * both / (one + other)).clamp(0.0, 1.0) }
}

/// The joint entropy of columns in bits.
pub fn entropy(columns: &[&Vec<u32>], sizes: &[usize]) -> f64 {
    let mut counts = vec![0u32; sizes.iter().product()];
    for row in 0..columns[0].len() {
        let cell = columns.iter().zip(sizes).fold(0, |cell, (codes, size)| cell * size + codes[row] as usize);
        counts[cell] += 1;
    }
    let rows = columns[0].len().max(1) as f64;
    let term = |&count: &u32| if count == 0 { 0.0 } else { f64::from(count) / rows * (rows / f64::from(count)).log2() };
    counts.iter().map(term).sum()
}

/// How far a row that is added to n or more others can move an entropy.
///
/// H = log2 n - (1/n) sum c log2 c. With one row more, the first term rises by at most
/// 1 / (n ln 2). Of the second, 1/n falls to 1/(n + 1), which raises H by at most
/// log2(n) / (n + 1), and one c log2 c rises, which lowers H by at most
/// (log2(n + 1) + 1/ln 2) / (n + 1).
pub fn entropy_sensitivity(rows: f64) -> f64 {
    ((rows + 1.0).log2() + std::f64::consts::LOG2_E) / rows
}

/// Laplace noise of scale 1.
fn laplace(rng: &mut ChaCha20Rng) -> f64 {
    let (size, side) = (-(1.0 - uniform(rng)).ln(), uniform(rng) < 0.5);
    if side { size } else { -size }
}
