//! One pass for many sets of columns, and the counts that come of it.

use std::sync::{Mutex, PoisonError};

use lookalike_schema::{Clique, Derived, Domain, SchemaError};
use rayon::prelude::*;

use crate::block::{Blocks, Codes};
use crate::cover::{Cover, Tally, cover};
use crate::dense::{DenseCells, DenseTally, Scratch};
use crate::derive::DerivedCodes;
use crate::error::TallyError;
use crate::project::{project, transpose};
use crate::sparse::SparseTally;

/// Tallies that are kept at the same time take at most this many bytes; more of them mean more
/// passes over the rows.
const PASS_BYTES: u64 = 256 << 20;

/// Dense tallies above this many cells are not copied for parallel row ranges: merging would cost
/// more than counting.
const SPLIT_CELLS: u64 = 1 << 18;

/// Exact counts of one clique, row-major, last attribute fastest. Unprintable.
pub enum CellCounts {
    /// Every cell.
    Dense(Vec<u64>),
    /// `(cell, count)` of the cells that are not zero, ascending.
    Sparse(Vec<(u64, u64)>),
}

/// How many increments a row costs: the tallies that are kept for these cliques. For benchmarks and
/// forecasts. `None` when a clique has more cells than a `u64` can number.
pub fn increments_a_row(cliques: &[Clique], domain: &Domain) -> Option<usize> {
    cover(cliques, domain).map(|cover| cover.tallies.len())
}

/// The sizes of own and derived columns, when the groupings fit.
fn widened(own: &Domain, derived: &[Derived]) -> Result<Domain, SchemaError> {
    let mut sizes = own.sizes().to_vec();
    for column in derived {
        if own.sizes().get(column.base.index()).is_none_or(|&size| size as usize != column.grouping.codes()) {
            return Err(SchemaError::Column {
                column: column.name.clone(),
                what: "derived from a column that does not have as many codes as are grouped".to_owned(),
                help: "group the codes of one of the schema's own columns".to_owned(),
            });
        }
        sizes.push(column.grouping.groups());
    }
    Ok(Domain::new(sizes))
}

/// Exact counts of every set of columns, in order. The empty set has one cell: the row count.
///
/// `own` has the sizes of the blocks' columns. The first of `derived` has the attribute that
/// follows their last, and so on; groups are looked up a block at a time, for the columns that are
/// needed.
///
/// Runs on the thread pool that is installed. A set of more than 2^24 cells comes back sparse.
///
/// # Errors
/// An attribute that does not exist, a set of more cells than a `u64` can number, a derived column
/// whose base does not exist or has another number of codes than its grouping; what the blocks say
/// when they cannot be fetched; a stop.
pub fn count<B: Blocks + ?Sized>(
    blocks: &B,
    own: &Domain,
    cliques: &[Clique],
    derived: &[Derived],
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<CellCounts>, B::Error> {
    let domain = &widened(own, derived).map_err(TallyError::from)?;
    let Cover { positions, distinct, tallies } = planned(cliques, domain).map_err(TallyError::from)?;
    let mut answers: Vec<Option<CellCounts>> = distinct.iter().map(|_| None).collect();
    for pass in passes(&tallies) {
        let needed = pass.iter().flat_map(|tally| tally.attributes.iter().copied());
        let derived = DerivedCodes::new(derived, own.len(), needed);
        for (clique, counts) in count_pass(blocks, own.len(), pass, &distinct, domain, derived, cancelled)? {
            answers[clique] = Some(counts);
        }
    }
    // Only the empty set is in no tally.
    let mut answers: Vec<CellCounts> =
        answers.into_iter().map(|a| a.unwrap_or_else(|| CellCounts::Dense(vec![blocks.rows()]))).collect();
    Ok(deal(&positions, &mut answers))
}

fn planned(cliques: &[Clique], domain: &Domain) -> Result<Cover, SchemaError> {
    let unknown = |clique: &Clique| clique.attributes().iter().any(|a| a.index() >= domain.len());
    if cliques.iter().any(unknown) {
        return Err(SchemaError::Whole {
            what: "a set of columns has one that does not exist".to_owned(),
            help: "ask for columns of the schema".to_owned(),
        });
    }
    cover(cliques, domain).ok_or_else(|| SchemaError::Whole {
        what: "a set of columns has more combinations than can be numbered".to_owned(),
        help: "ask for fewer columns together, or give them fewer codes".to_owned(),
    })
}

/// One pass over the rows for some of the tallies. The blocks have `own` columns.
fn count_pass<B: Blocks + ?Sized>(
    blocks: &B,
    own: usize,
    tallies: &[Tally],
    distinct: &[Clique],
    domain: &Domain,
    mut derived: DerivedCodes,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<(usize, CellCounts)>, B::Error> {
    let threads = rayon::current_num_threads();
    let parts = (2 * threads).div_ceil(tallies.len().max(1));
    let mut jobs: Vec<Share<'_>> = Vec::new();
    for plan in tallies {
        let axes: Vec<(usize, u32)> = plan.attributes.iter().map(|&a| (a.index(), domain.size(a))).collect();
        let parts = if plan.is_sparse() || plan.cells <= SPLIT_CELLS { parts } else { 1 };
        for part in 0..parts {
            let tally = if plan.is_sparse() {
                AnyTally::Sparse(SparseTally::new(axes.clone()))
            } else {
                AnyTally::Dense(DenseTally::new(axes.clone(), plan.cells as usize))
            };
            jobs.push(Share { plan, part, parts, tally });
        }
    }
    // One scratch a thread: a job uses no other parallelism while it holds one.
    let scratch: Vec<Mutex<Scratch>> = (0..threads).map(|_| Mutex::new(Scratch::new())).collect();
    let mut needed = vec![false; own];
    derived.bases().for_each(|base| needed[base] = true);
    tallies.iter().flat_map(|tally| &tally.attributes).for_each(|attribute| {
        if let Some(needed) = needed.get_mut(attribute.index()) {
            *needed = true;
        }
    });
    blocks.for_each_of(Some(&needed), &mut |block| {
        let (columns, rows) = (derived.of(block), block.rows());
        jobs.par_iter_mut().try_for_each(|job| {
            if cancelled() {
                return Err(TallyError::Cancelled);
            }
            let own = rayon::current_thread_index().unwrap_or(0) % threads;
            job.count(&columns, rows, &mut scratch[own].lock().unwrap_or_else(PoisonError::into_inner));
            Ok(())
        })?;
        Ok(())
    })?;
    if cancelled() {
        return Err(TallyError::Cancelled.into());
    }
    let mut whole: Vec<Share<'_>> = Vec::with_capacity(tallies.len());
    for job in jobs {
        match whole.last_mut() {
            Some(first) if job.part > 0 => first.merge(job),
            _ => whole.push(job),
        }
    }
    Ok(whole.into_par_iter().flat_map_iter(|job| job.answers(distinct)).collect())
}

/// Splits the tallies so that each pass keeps a bounded number of cells.
fn passes(tallies: &[Tally]) -> Vec<&[Tally]> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut bytes = 0;
    for (k, tally) in tallies.iter().enumerate() {
        let more = if tally.is_sparse() { PASS_BYTES / 4 } else { 4 * tally.cells };
        if k > start && bytes + more > PASS_BYTES {
            out.push(&tallies[start..k]);
            start = k;
            bytes = 0;
        }
        bytes += more;
    }
    if start < tallies.len() {
        out.push(&tallies[start..]);
    }
    out
}

/// Gives every request its answer; a clique asked for twice is copied.
fn deal(positions: &[usize], answers: &mut [CellCounts]) -> Vec<CellCounts> {
    let mut uses = vec![0usize; answers.len()];
    positions.iter().for_each(|&p| uses[p] += 1);
    let mut out = Vec::with_capacity(positions.len());
    for &position in positions {
        uses[position] -= 1;
        let answer = &mut answers[position];
        out.push(match answer {
            answer if uses[position] == 0 => std::mem::replace(answer, CellCounts::Dense(Vec::new())),
            CellCounts::Dense(cells) => CellCounts::Dense(cells.clone()),
            CellCounts::Sparse(cells) => CellCounts::Sparse(cells.clone()),
        });
    }
    out
}

enum AnyTally {
    Dense(DenseTally),
    Sparse(SparseTally),
}

/// One tally over one part of every block.
struct Share<'a> {
    plan: &'a Tally,
    part: usize,
    parts: usize,
    tally: AnyTally,
}

impl Share<'_> {
    fn count(&mut self, columns: &[&Codes], rows: usize, scratch: &mut Scratch) {
        let from = rows * self.part / self.parts;
        let to = rows * (self.part + 1) / self.parts;
        match &mut self.tally {
            AnyTally::Dense(tally) => tally.count(columns, from, to, scratch),
            AnyTally::Sparse(tally) => tally.count(columns, from, to),
        }
    }

    fn merge(&mut self, other: Self) {
        match (&mut self.tally, other.tally) {
            (AnyTally::Dense(tally), AnyTally::Dense(more)) => tally.merge(&more),
            (AnyTally::Sparse(tally), AnyTally::Sparse(more)) => tally.merge(more),
            _ => unreachable!("the parts of a tally are of one kind"),
        }
    }

    fn answers(self, distinct: &[Clique]) -> Vec<(usize, CellCounts)> {
        match self.tally {
            AnyTally::Sparse(tally) => vec![(self.plan.answers[0], CellCounts::Sparse(tally.finish()))],
            AnyTally::Dense(mut tally) => {
                let answers = self.plan.answers.iter();
                answers.map(|&c| (c, CellCounts::Dense(sum_out(&mut tally, self.plan, &distinct[c])))).collect()
            }
        }
    }
}

/// One clique's counts, in the clique's own order, from a tally that contains it.
fn sum_out(tally: &mut DenseTally, plan: &Tally, clique: &Clique) -> Vec<u64> {
    let shape: Vec<usize> = tally.axes.iter().map(|&(_, size)| size as usize).collect();
    let keep: Vec<bool> = plan.attributes.iter().map(|&a| clique.contains(a)).collect();
    let kept: Vec<usize> = (0..shape.len()).filter(|&k| keep[k]).collect();
    let kept_shape: Vec<usize> = kept.iter().map(|&k| shape[k]).collect();
    let mut out = vec![0u64; kept_shape.iter().product()];
    match tally.counts() {
        DenseCells::Low(cells) => project(cells, &shape, &keep, &mut out),
        DenseCells::High(cells) => project(cells, &shape, &keep, &mut out),
    }
    let mut order: Vec<usize> = (0..kept.len()).collect();
    order.sort_by_key(|&k| plan.attributes[kept[k]]);
    if order.is_sorted() { out } else { transpose(&out, &kept_shape, &order) }
}
