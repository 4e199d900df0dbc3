//! The counting kernel: many cliques, one pass, all cores.
//!
//! [`cover`] plans wide tallies that several cliques share; `tally` and `sparse` count rows into
//! them, block by block, where `derive` makes the derived columns that are needed; `project` sums
//! the cliques out at the end. All of it is integer arithmetic, so the answer does not depend on
//! threads or block sizes.

pub(crate) mod cover;
mod derive;
mod number;
pub(crate) mod project;
mod sparse;
mod tally;

#[cfg(test)]
mod tests;

use std::sync::Mutex;

use lookalike_schema::{Clique, Derived, Domain, SchemaError};
use rayon::prelude::*;

use self::cover::{Cover, Tally, cover};
use self::derive::DerivedCodes;
use self::sparse::SparseTally;
use self::tally::{Counts, DenseTally, Scratch};
use crate::coded::CodedTable;
use crate::coded::block::Codes;
use crate::{PrivateTable, Table, TableError};

/// Tallies that are kept at the same time take at most this many bytes; more of them mean more
/// passes over the rows.
const PASS_BYTES: u64 = 256 << 20;

/// Dense tallies above this many cells are not copied for parallel row ranges: merging would cost
/// more than counting.
const SPLIT_CELLS: u64 = 1 << 18;

/// Exact counts of one clique, row-major, last attribute fastest. Unprintable.
pub enum RawCounts {
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

impl PrivateTable {
    /// Exact counts of every clique. The empty clique has one cell: the row count.
    /// Only an engine behind the curator calls this.
    ///
    /// Runs on the thread pool that is installed. A clique of more than 2^24 cells comes back
    /// sparse. `Err` when a clique has more cells than a `u64` can number, when spilled rows cannot
    /// be read back, or when cancelled.
    pub fn count(
        &self,
        cliques: &[Clique],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<RawCounts>, TableError> {
        self.count_with(cliques, &[], cancelled)
    }

    /// Like [`count`](Self::count), with derived columns behind the schema's own: the first of
    /// `derived` has the attribute that follows the schema's last. Groups are looked up a block at
    /// a time, for the columns that the cliques need.
    ///
    /// `Err` also when a base is not one of the schema's own, or has another number of codes than
    /// its grouping.
    pub fn count_with(
        &self,
        cliques: &[Clique],
        derived: &[Derived],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<RawCounts>, TableError> {
        self.0.count(cliques, derived, cancelled)
    }
}

impl Table {
    /// Exact counts of every clique of a table that may be looked at; see [`PrivateTable::count`].
    pub fn count(
        &self,
        cliques: &[Clique],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<RawCounts>, TableError> {
        self.count_with(cliques, &[], cancelled)
    }

    /// The same with derived columns; see [`PrivateTable::count_with`].
    pub fn count_with(
        &self,
        cliques: &[Clique],
        derived: &[Derived],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<RawCounts>, TableError> {
        self.0.count(cliques, derived, cancelled)
    }
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

impl CodedTable {
    pub(crate) fn count(
        &self,
        cliques: &[Clique],
        derived: &[Derived],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<RawCounts>, TableError> {
        let domain = &widened(self.schema.domain(), derived)?;
        let Some(Cover { positions, distinct, tallies }) = cover(cliques, domain) else {
            return Err(TableError::Schema(SchemaError::Whole {
                what: "a set of columns has more combinations than can be numbered".to_owned(),
                help: "ask for fewer columns together, or give them fewer codes".to_owned(),
            }));
        };
        let mut answers: Vec<Option<RawCounts>> = distinct.iter().map(|_| None).collect();
        for pass in passes(&tallies) {
            let needed = pass.iter().flat_map(|tally| tally.attributes.iter().copied());
            let derived = DerivedCodes::new(derived, self.schema.domain().len(), needed);
            for (clique, counts) in self.count_pass(pass, &distinct, domain, derived, cancelled)? {
                answers[clique] = Some(counts);
            }
        }
        // Only the empty clique is in no tally.
        let mut answers: Vec<RawCounts> =
            answers.into_iter().map(|a| a.unwrap_or_else(|| RawCounts::Dense(vec![self.store.rows()]))).collect();
        Ok(deal(&positions, &mut answers))
    }

    /// One pass over the rows for some of the tallies.
    fn count_pass(
        &self,
        tallies: &[Tally],
        distinct: &[Clique],
        domain: &Domain,
        mut derived: DerivedCodes,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<(usize, RawCounts)>, TableError> {
        let threads = rayon::current_num_threads();
        let parts = (2 * threads).div_ceil(tallies.len().max(1));
        let mut jobs: Vec<Job<'_>> = Vec::new();
        for plan in tallies {
            let axes: Vec<(usize, u32)> = plan.attributes.iter().map(|&a| (a.index(), domain.size(a))).collect();
            let parts = if plan.is_sparse() || plan.cells <= SPLIT_CELLS { parts } else { 1 };
            for part in 0..parts {
                let kind = if plan.is_sparse() {
                    Kind::Sparse(SparseTally::new(axes.clone()))
                } else {
                    Kind::Dense(DenseTally::new(axes.clone(), plan.cells as usize))
                };
                jobs.push(Job { plan, part, parts, kind });
            }
        }
        // One scratch a thread: a job uses no other parallelism while it holds one.
        let scratch: Vec<Mutex<Scratch>> = (0..threads).map(|_| Mutex::new(Scratch::new())).collect();
        self.store.for_each(|block| {
            let (columns, rows) = (derived.of(block), block.rows());
            jobs.par_iter_mut().try_for_each(|job| {
                if cancelled() {
                    return Err(TableError::Cancelled);
                }
                let own = rayon::current_thread_index().unwrap_or(0) % threads;
                job.count(&columns, rows, &mut scratch[own].lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
                Ok(())
            })
        })?;
        if cancelled() {
            return Err(TableError::Cancelled);
        }
        let mut whole: Vec<Job<'_>> = Vec::with_capacity(tallies.len());
        for job in jobs {
            match whole.last_mut() {
                Some(first) if job.part > 0 => first.merge(job),
                _ => whole.push(job),
            }
        }
        Ok(whole.into_par_iter().flat_map_iter(|job| job.answers(distinct)).collect())
    }
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
fn deal(positions: &[usize], answers: &mut [RawCounts]) -> Vec<RawCounts> {
    let mut uses = vec![0usize; answers.len()];
    positions.iter().for_each(|&p| uses[p] += 1);
    let mut out = Vec::with_capacity(positions.len());
    for &position in positions {
        uses[position] -= 1;
        let answer = &mut answers[position];
        out.push(match answer {
            answer if uses[position] == 0 => std::mem::replace(answer, RawCounts::Dense(Vec::new())),
            RawCounts::Dense(cells) => RawCounts::Dense(cells.clone()),
            RawCounts::Sparse(cells) => RawCounts::Sparse(cells.clone()),
        });
    }
    out
}

enum Kind {
    Dense(DenseTally),
    Sparse(SparseTally),
}

/// One tally over one part of every block.
struct Job<'a> {
    plan: &'a Tally,
    part: usize,
    parts: usize,
    kind: Kind,
}

impl Job<'_> {
    fn count(&mut self, columns: &[&Codes], rows: usize, scratch: &mut Scratch) {
        let from = rows * self.part / self.parts;
        let to = rows * (self.part + 1) / self.parts;
        match &mut self.kind {
            Kind::Dense(tally) => tally.count(columns, from, to, scratch),
            Kind::Sparse(tally) => tally.count(columns, from, to),
        }
    }

    fn merge(&mut self, other: Self) {
        match (&mut self.kind, other.kind) {
            (Kind::Dense(tally), Kind::Dense(more)) => tally.merge(&more),
            (Kind::Sparse(tally), Kind::Sparse(more)) => tally.merge(more),
            _ => unreachable!("the parts of a tally are of one kind"),
        }
    }

    fn answers(self, distinct: &[Clique]) -> Vec<(usize, RawCounts)> {
        match self.kind {
            Kind::Sparse(tally) => vec![(self.plan.answers[0], RawCounts::Sparse(tally.finish()))],
            Kind::Dense(mut tally) => {
                let answers = self.plan.answers.iter();
                answers.map(|&c| (c, RawCounts::Dense(sum_out(&mut tally, self.plan, &distinct[c])))).collect()
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
        Counts::Low(cells) => project::project(cells, &shape, &keep, &mut out),
        Counts::High(cells) => project::project(cells, &shape, &keep, &mut out),
    }
    let mut order: Vec<usize> = (0..kept.len()).collect();
    order.sort_by_key(|&k| plan.attributes[kept[k]]);
    if order.is_sorted() { out } else { project::transpose(&out, &kept_shape, &order) }
}
