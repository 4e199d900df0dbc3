//! Algorithm 2: the marginals that may be measured, without listing them.
//!
//! A clique of twenty columns has a million subsets. What is needed of them is their number, a fair
//! sample, and the best one around a column; none of these lists them all. The number of subsets
//! whose cells stay below a limit follows from a small table: with a column of `s` values chosen,
//! what is left may have `limit / s` cells, rounded down, and such quotients take few values. A
//! fair draw walks the same table backwards.

use std::collections::{BTreeSet, HashMap};

use lookalike_model::SampleRng;
use lookalike_schema::{AttrId, Clique, Domain};

/// Tries for each set that is wanted, before a sample is left smaller than asked for.
const TRIES: usize = 50;

/// All useful subsets of some cliques: those of few enough cells and columns, and every column
/// by itself.
#[derive(Clone, Debug)]
pub(super) struct Universe {
    /// The sizes of the columns.
    pub domain: Domain,
    pub cliques: Vec<Clique>,
    /// The most cells of a useful set, at least 1.
    pub cells: u64,
    /// The most columns of a set.
    pub width: usize,
    counts: Vec<Subsets>,
}

impl Universe {
    /// The subsets of the cliques with at most this many cells.
    pub fn with_cells(domain: &Domain, cliques: Vec<Clique>, cells: u64, width: usize) -> Self {
        let cells = cells.max(1);
        let counts = cliques.iter().map(|clique| Subsets::new(domain, clique, cells, width)).collect();
        Self { domain: domain.clone(), cliques, cells, width, counts }
    }

    /// Whether a set is useful by itself, wherever it lies.
    #[cfg(test)]
    pub fn is_useful(&self, set: &Clique) -> bool {
        set.len() == 1 || (set.len() <= self.width && self.domain.cells(set).is_some_and(|cells| cells <= self.cells))
    }

    /// How many non-empty subsets of each clique are useful, summed over the cliques: at least as
    /// many as there are sets.
    pub fn at_most(&self) -> f64 {
        self.counts.iter().map(Subsets::total).sum()
    }

    /// A uniform sample of at most `count` different sets of two columns or more that `wanted`
    /// takes, or nearly all where there are few. Sets are tried a limited number of times each, so
    /// that a picky `wanted` gives a smaller sample and never an endless search.
    pub fn sample(&self, count: usize, rng: &mut SampleRng, wanted: &mut dyn FnMut(&Clique) -> bool) -> Vec<Clique> {
        let mut found: BTreeSet<Clique> = BTreeSet::new();
        let mut seen: BTreeSet<Clique> = BTreeSet::new();
        for _ in 0..TRIES * count {
            if found.len() >= count {
                break;
            }
            let Some(set) = self.draw(rng) else { continue };
            if set.len() > 1 && seen.insert(set.clone()) && wanted(&set) {
                found.insert(set);
            }
        }
        found.into_iter().collect()
    }

    /// One set, every one with the same chance; `None` when the draw has to be repeated: a set that
    /// lies in several cliques counts only when it comes from the first.
    pub fn draw(&self, rng: &mut SampleRng) -> Option<Clique> {
        let mut place = unit(rng) * self.at_most();
        let mut chosen = self.counts.len().checked_sub(1)?;
        for (number, count) in self.counts.iter().enumerate() {
            if place < count.total() {
                chosen = number;
                break;
            }
            place -= count.total();
        }
        let set = self.counts[chosen].draw(rng);
        let first = self.cliques.iter().position(|clique| set.is_subset(clique));
        (first == Some(chosen)).then_some(set)
    }
}

/// The most cells of a theta-useful table: `rows / cells >= theta * noise`, where `noise` is the
/// expected absolute noise of one cell.
pub(super) fn most_cells(rows: f64, theta: f64, noise: f64) -> u64 {
    // Noise so small that it rounds to nothing must not make tables without bounds; a float beyond
    // 64 bits becomes the largest.
    (rows / (theta * noise.max(1e-9))).min(MOST_USEFUL) as u64
}

/// Whatever the budget: a table of more cells takes longer to count and to fit than it could be
/// worth.
const MOST_USEFUL: f64 = (1 << 20) as f64;

/// The useful subsets of one clique, counted.
#[derive(Clone, Debug)]
struct Subsets {
    attributes: Vec<AttrId>,
    sizes: Vec<u64>,
    cells: u64,
    width: usize,
    /// For (next column, cells left, columns left): how many subsets of the columns from there on
    /// fit, the empty one included.
    table: HashMap<(usize, u64, usize), f64>,
}

impl Subsets {
    fn new(domain: &Domain, clique: &Clique, cells: u64, width: usize) -> Self {
        let attributes: Vec<AttrId> = clique.attributes().to_vec();
        let sizes = attributes.iter().map(|&attribute| u64::from(domain.size(attribute))).collect();
        let width = width.min(attributes.len());
        let mut subsets = Self { attributes, sizes, cells, width, table: HashMap::new() };
        subsets.fill(0, cells, width);
        subsets
    }

    fn fill(&mut self, next: usize, cells: u64, width: usize) -> f64 {
        if next == self.sizes.len() || width == 0 || cells == 0 {
            return f64::from(u8::from(cells > 0));
        }
        if let Some(&known) = self.table.get(&(next, cells, width)) {
            return known;
        }
        let count = self.fill(next + 1, cells, width) + self.fill(next + 1, cells / self.sizes[next], width - 1);
        self.table.insert((next, cells, width), count);
        count
    }

    fn count(&self, next: usize, cells: u64, width: usize) -> f64 {
        if next == self.sizes.len() || width == 0 || cells == 0 {
            return f64::from(u8::from(cells > 0));
        }
        self.table.get(&(next, cells, width)).copied().unwrap_or(0.0)
    }

    /// Subsets that are not empty.
    fn total(&self) -> f64 {
        self.count(0, self.cells, self.width) - 1.0
    }

    /// One of the subsets, perhaps the empty one, each with the same chance.
    fn draw(&self, rng: &mut SampleRng) -> Clique {
        let (mut cells, mut width) = (self.cells, self.width);
        let mut chosen = Vec::new();
        for next in 0..self.sizes.len() {
            let all = self.count(next, cells, width);
            let without = self.count(next + 1, cells, width);
            if width > 0 && unit(rng) * all >= without {
                chosen.push(self.attributes[next]);
                cells /= self.sizes[next];
                width -= 1;
            }
        }
        Clique::new(chosen)
    }
}

/// A number from 0 to below 1.
fn unit(rng: &mut SampleRng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}
