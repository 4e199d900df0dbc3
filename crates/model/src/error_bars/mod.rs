//! How far an answer of a model may be off because of the noise of the measurements behind it, in closed form.
//!
//! # The residual components
//! The counts `x` of a table split into components that do not overlap, one for each set `A` of columns: `r_A` is the
//! marginal of `A` with, along each of its columns, the mean taken away. A cell of a marginal `Q` is
//! `x_Q(q) = sum over A in Q of r_A(q_A) / prod of n_i over i in Q without A`, where `n_i` is a column's number of codes.
//!
//! A marginal `C` that was measured with independent noise of variance `s` in each cell tells `r_A` for every `A` in `C`: sum
//! over the other columns, then take the means away. The sums have variance `s * prod of n_i over C without A`, and taking
//! means away is the same projection for all of them. Components of independent noise of equal variance along different
//! `A` are orthogonal, so they are independent of each other, and each `r_A` can be estimated by itself: the best unbiased
//! estimate weighs the measurements by their precisions,
//! `1 / t_A = sum over measured C that contain A of 1 / (s_C * prod of n_i over C without A)`.
//!
//! # A sum of cells
//! Let the answer be the sum of `x(cell) * prod of f_i(cell_i)` over all cells, with one vector `f_i` for each column: a cell
//! has an indicator of one code, a condition an indicator of some, a column that is not asked for ones. Its best unbiased
//! estimate has the variance
//! `sum over A of t_A * prod over A of (f_i . f_i - (sum f_i)^2 / n_i) * prod over the others of (sum f_i)^2 / n_i^2`,
//! and two such answers have the covariance with `f_i . g_i` and `sum f_i * sum g_i` instead. A condition made of boxes is a
//! sum of such answers. Nothing of the size of the table is made.
//!
//! # What it is true of
//! A fit by weighted least squares, as [`estimate`](mod@crate::estimate) does it, is that best estimate as long as no cell is
//! held at 0. Cells that are held there make sums of cells more exact, and the large cells of a sparse table too small:
//! [`lean`] says by how much, and [`interval`] allows for it. A model that does not fit by least
//! squares cannot be better than this: the figure is then a lower bound.
//!
//! It is a lower bound as well where a component is not covered: no measurement holds all columns of some `A`. The model then
//! fills the component in by its structure, and nothing here knows how far that is from the truth. Components are orthogonal,
//! so over all cells of a marginal together the squared error is at least what the covered ones make; a single small cell may
//! be less off, since its filled-in part shrinks with it. And a column that is held
//! at a coarse level splits its groups by fixed weights: what that does to a question about single codes is not known.

mod lean;
mod residuals;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use lookalike_schema::{AttrId, Clique, Domain, Filter};

use crate::structure::Structure;
use crate::{Coverage, Model, ModelError};
pub use lean::{interval, lean};
use residuals::{Bits, Residuals};

/// A bound on the work for one question.
const MOST_WORK: usize = 300_000_000;

/// A column that was measured by groups of its codes, and what share of its group each code has.
#[derive(Clone, Copy, Debug)]
pub struct Coarse<'a> {
    /// The group of each code.
    pub group_of: &'a [u32],
    /// Each code's share of its group.
    pub shares: &'a [f64],
}

/// What was measured of a table.
#[derive(Clone, Copy)]
pub struct Measurements<'a> {
    /// The columns' own sizes.
    pub domain: &'a Domain,
    /// The marginals that were measured; over groups where a column is coarse.
    pub measured: &'a [Coverage],
    /// For each column, its groups when it was measured by groups. Empty: no column was.
    pub coarse: &'a [Option<Coarse<'a>>],
}

/// The noise in the cells of one marginal, perhaps under a condition.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorBars {
    /// For each column of the marginal, the class of each code: cells with equal classes are equally noisy.
    classes: Vec<Vec<u32>>,
    counts: Vec<u32>,
    /// For each combination of classes.
    kinds: Vec<Spread>,
    /// The variance of the sum of all cells.
    whole: f64,
    gaps: Vec<Clique>,
    more_gaps: bool,
    split: Clique,
    /// Whether the model combines its measurements in the best way.
    best: bool,
}

/// The noise of one cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Spread {
    variance: f64,
    /// With the sum of all cells.
    covariance: f64,
}

impl ErrorBars {
    /// The variance of a cell's count. Cells are numbered as in the marginal.
    pub fn variance(&self, cell: usize) -> f64 {
        self.kind(cell).variance
    }

    /// The variance of a cell's share of all cells, given the share and the sum of all counts.
    pub fn share_variance(&self, cell: usize, share: f64, total: f64) -> f64 {
        let Spread { variance, covariance } = self.kind(cell);
        let sum = variance - 2.0 * share * covariance + share * share * self.whole;
        if total > 0.0 { (sum / (total * total)).max(0.0) } else { 0.0 }
    }

    /// The variance of the sum of all cells.
    pub fn total_variance(&self) -> f64 {
        self.whole
    }

    /// Whether every part of the answer was measured. If not, the variances are lower bounds.
    pub fn is_covered(&self) -> bool {
        self.gaps.is_empty() && self.split.is_empty() && self.best
    }

    /// Whether the model combines its measurements by least squares. A network does not: each of its tables stands on one
    /// measurement alone.
    pub fn is_best_fit(&self) -> bool {
        self.best
    }

    /// The smallest sets of columns that the answer depends on and that no measurement covers together.
    pub fn gaps(&self) -> &[Clique] {
        &self.gaps
    }

    /// Whether there are more such sets than are listed.
    pub fn has_more_gaps(&self) -> bool {
        self.more_gaps
    }

    /// Columns that were measured by groups of codes, of which the answer asks for less than whole groups.
    pub fn split(&self) -> &Clique {
        &self.split
    }

    fn kind(&self, mut cell: usize) -> Spread {
        let (mut kind, mut step) = (0, 1);
        for (classes, &count) in self.classes.iter().zip(&self.counts).rev() {
            kind += classes[cell % classes.len()] as usize * step;
            cell /= classes.len();
            step *= count as usize;
        }
        self.kinds[kind]
    }
}

impl Model {
    /// The noise in the cells of [`Model::marginal_where`], as counts. Refuses what [`error_bars`] refuses.
    pub fn error_bars(&self, query: &Clique, filter: &Filter) -> Result<ErrorBars, ModelError> {
        let refinements = match self.structure() {
            Structure::Tree(tree) => tree.refinements(),
            _ => &[],
        };
        let coarse = refinements.iter().map(|refinement| {
            let refinement = refinement.as_ref()?;
            Some(Coarse { group_of: refinement.grouping.group_of(), shares: &refinement.weights })
        });
        let coarse: Vec<Option<Coarse>> = coarse.collect();
        let table = Measurements { domain: self.schema().domain(), measured: self.measured(), coarse: &coarse };
        let bars = error_bars(table, query, filter)?;
        Ok(ErrorBars { best: !matches!(self.structure(), Structure::Network(_)), ..bars })
    }
}

/// The noise in the cells of a marginal, among the rows that a condition means.
///
/// Refuses columns that the domain lacks, more than 60 columns, and conditions of so many boxes that it would take minutes.
pub fn error_bars(table: Measurements, query: &Clique, filter: &Filter) -> Result<ErrorBars, ModelError> {
    let columns = query.union(&filter.attributes());
    if columns.attributes().last().is_some_and(|last| last.index() >= table.domain.len()) {
        return Err(ModelError::shape("error bars were asked of a column that the model lacks"));
    }
    let axes: Vec<Axis> =
        columns.attributes().iter().map(|&attribute| Axis::new(table, attribute, query, filter)).collect();
    let residuals = Residuals::new(&measured_domain(table), table.measured, &columns)?;
    let kinds: usize =
        axes.iter().map(|axis| axis.kinds.len().max(1)).try_fold(1usize, usize::checked_mul).unwrap_or(usize::MAX);
    let boxes = filter.boxes().len();
    let work = boxes.saturating_mul(boxes).saturating_mul(residuals.len()).saturating_mul(axes.len());
    if work.saturating_mul(kinds.saturating_add(1)) > MOST_WORK {
        return Err(ModelError::shape("error bars under a condition of that many parts; ask for its parts one by one"));
    }
    let (sum, counts) = (Sum { residuals: &residuals, axes: &axes, boxes }, kinds_of(&axes));
    let mut spreads = Vec::with_capacity(kinds);
    let mut place = vec![0usize; counts.len()];
    for _ in 0..kinds {
        spreads.push(sum.spread(&place));
        for (axis, digit) in place.iter_mut().enumerate().rev() {
            *digit += 1;
            if *digit < counts[axis] as usize {
                break;
            }
            *digit = 0;
        }
    }
    let open: Bits = axes.iter().enumerate().filter(|(_, axis)| axis.open).map(|(at, _)| 1u64 << at).sum();
    let (gaps, more_gaps) = residuals.gaps(open);
    let split = Clique::new(axes.iter().filter(|axis| axis.split).map(|axis| axis.attribute));
    let classes = axes.iter().filter(|axis| axis.asked).map(|axis| axis.classes.clone()).collect();
    Ok(ErrorBars { classes, counts, kinds: spreads, whole: sum.whole(), gaps, more_gaps, split, best: true })
}

fn kinds_of(axes: &[Axis]) -> Vec<u32> {
    axes.iter().filter(|axis| axis.asked).map(|axis| axis.kinds.len() as u32).collect()
}

/// The sizes at which the columns were measured.
fn measured_domain(table: Measurements) -> Domain {
    let groups = |coarse: &Coarse| coarse.group_of.iter().max().map_or(1, |&last| last + 1);
    let size = |attribute: AttrId| match table.coarse.get(attribute.index()) {
        Some(Some(coarse)) => groups(coarse),
        _ => table.domain.size(attribute),
    };
    Domain::new(table.domain.attributes().map(size).collect())
}

/// One column of a question.
struct Axis {
    attribute: AttrId,
    /// Whether cells tell its codes apart, or only the condition speaks of it.
    asked: bool,
    /// Whether the answer has a component along it at all.
    open: bool,
    /// Whether the answer asks for less than whole groups.
    split: bool,
    size: f64,
    /// For each box of the condition the sum of its vector, and for each pair of boxes the product of theirs.
    sums: Vec<f64>,
    products: Vec<f64>,
    /// The class of each code.
    classes: Vec<u32>,
    /// For each class: its share of its group, and what each box's vector is there; and which boxes have the code.
    kinds: Vec<Kind>,
}

#[derive(Clone, PartialEq)]
struct Kind {
    share: f64,
    within: Vec<(bool, f64)>,
}

impl Axis {
    fn new(table: Measurements, attribute: AttrId, query: &Clique, filter: &Filter) -> Self {
        let codes = table.domain.size(attribute) as usize;
        let coarse = table.coarse.get(attribute.index()).copied().flatten();
        let group = |code: usize| coarse.map_or(code, |coarse| coarse.group_of[code] as usize);
        let share = |code: usize| coarse.map_or(1.0, |coarse| coarse.shares[code]);
        let size = (0..codes).map(group).max().map_or(1, |last| last + 1);
        let boxes = filter.boxes();
        let mut split = false;
        let vectors: Vec<Vec<f64>> = boxes
            .iter()
            .map(|one| {
                let Some(taken) = one.codes(attribute) else { return vec![1.0; size] };
                let mut vector = vec![0.0; size];
                taken.iter().for_each(|&code| vector[group(code as usize)] += share(code as usize));
                split |= vector.iter().any(|&part| part > 1e-9 && part < 1.0 - 1e-9);
                vector
            })
            .collect();
        let sums = vectors.iter().map(|vector| vector.iter().sum()).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let products = vectors.iter().flat_map(|a| vectors.iter().map(|b| dot(a, b)).collect::<Vec<_>>()).collect();
        let asked = query.contains(attribute);
        let (mut classes, mut kinds) = (Vec::new(), Vec::new());
        if asked {
            let mut known: HashMap<Vec<u64>, u32> = HashMap::new();
            for code in 0..codes {
                let has = |one: &lookalike_schema::CodeBox| {
                    one.codes(attribute).is_none_or(|taken| taken.binary_search(&(code as u32)).is_ok())
                };
                let within: Vec<(bool, f64)> =
                    boxes.iter().zip(&vectors).map(|(one, vector)| (has(one), vector[group(code)])).collect();
                let share = share(code);
                split |= share > 1e-9 && share < 1.0 - 1e-9;
                let profile = std::iter::once(share.to_bits())
                    .chain(within.iter().map(|(has, value)| value.to_bits() << 1 | u64::from(*has)));
                let class = *known.entry(profile.collect()).or_insert_with(|| {
                    kinds.push(Kind { share, within });
                    kinds.len() as u32 - 1
                });
                classes.push(class);
            }
        }
        let open = size > 1 && (asked || vectors.iter().any(|vector| vector.iter().any(|part| *part != vector[0])));
        Self { attribute, asked, open, split, size: size as f64, sums, products, classes, kinds }
    }
}

/// What one column adds to a covariance: inside a component, and outside of it.
type Pair = (f64, f64);

/// Sums over components and pairs of boxes.
struct Sum<'a> {
    residuals: &'a Residuals,
    axes: &'a [Axis],
    boxes: usize,
}

impl Sum<'_> {
    /// Adds up the components for one pair of products of vectors.
    fn over_components(&self, pairs: &[Pair]) -> f64 {
        let part = |bits: Bits| {
            pairs
                .iter()
                .enumerate()
                .map(|(at, pair)| if bits >> at & 1 == 1 { pair.0 } else { pair.1 })
                .product::<f64>()
        };
        self.residuals.covered().map(|(bits, variance)| variance * part(bits)).sum()
    }

    fn pair(size: f64, product: f64, sums: f64) -> Pair {
        (product - sums / size, sums / (size * size))
    }

    fn boxes_pair(&self, axis: &Axis, one: usize, two: usize) -> Pair {
        Self::pair(axis.size, axis.products[one * self.boxes + two], axis.sums[one] * axis.sums[two])
    }

    /// The noise of a cell, given the class of each asked column.
    fn spread(&self, classes: &[usize]) -> Spread {
        let mut spread = Spread::default();
        let mut pairs = vec![(0.0, 0.0); self.axes.len()];
        let asked = |at: usize| self.axes[..at].iter().filter(|axis| axis.asked).count();
        let kinds: Vec<Option<&Kind>> = self
            .axes
            .iter()
            .enumerate()
            .map(|(at, axis)| axis.asked.then(|| &axis.kinds[classes[asked(at)]]))
            .collect();
        let has = |one: usize| kinds.iter().flatten().all(|kind| kind.within[one].0);
        for one in (0..self.boxes).filter(|&one| has(one)) {
            for two in 0..self.boxes {
                for ((pair, axis), kind) in pairs.iter_mut().zip(self.axes).zip(&kinds) {
                    *pair = match kind {
                        Some(kind) => {
                            Self::pair(axis.size, kind.share * kind.within[two].1, kind.share * axis.sums[two])
                        }
                        None => self.boxes_pair(axis, one, two),
                    };
                }
                spread.covariance += self.over_components(&pairs);
                if !has(two) {
                    continue;
                }
                for ((pair, axis), kind) in pairs.iter_mut().zip(self.axes).zip(&kinds) {
                    if let Some(kind) = kind {
                        let square = kind.share * kind.share;
                        *pair = Self::pair(axis.size, square, square);
                    }
                }
                spread.variance += self.over_components(&pairs);
            }
        }
        spread
    }

    fn whole(&self) -> f64 {
        let mut whole = 0.0;
        for one in 0..self.boxes {
            for two in 0..self.boxes {
                let pairs: Vec<Pair> = self.axes.iter().map(|axis| self.boxes_pair(axis, one, two)).collect();
                whole += self.over_components(&pairs);
            }
        }
        whole
    }
}
