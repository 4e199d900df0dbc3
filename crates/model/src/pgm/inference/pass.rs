//! One calibrated pass: sums flow up to the root, corrections flow down, and every table becomes a
//! marginal.
//!
//! # Why in linear space
//! Log space costs an exponential and a logarithm a cell and message. Here a pass takes one
//! exponential a cell, when a table is filled from its log fields, and after that it only
//! multiplies and adds: the table is read and written twice in all. The price is underflow. Each
//! table is scaled by its own largest cell and each message by its own, and a bound on what may
//! have been lost is carried along. When that bound is not far below rounding errors, the pass is
//! repeated in log space (see [`super::careful`]), which cannot lose anything. With the fields of a
//! fit this is rare.

use std::ops::Range;

use super::schedule::{FieldSource, Schedule, ScheduledClique};
use crate::Halt;
use crate::halt::PIECE;
use crate::pgm::factor::kernel::{self, VectorLevel};
use rayon::prelude::*;

/// Cells worked on at a time, so that they stay in the first-level cache between the steps.
pub(super) const BLOCK: usize = 1 << 11;
/// A table's scale may be this far (in logs) from its largest cell before it is filled anew.
const SLACK: f64 = 100.0;
/// What one underflow may lose.
const LOST: f64 = 4e-308;
/// How large the bound on lost probability may be.
const TOLERANCE: f64 = 1e-15;

/// The buffers of one clique.
#[derive(Clone, Debug)]
pub(crate) struct CliqueState {
    /// After the pass: the clique's marginal, in the order of the node's axes.
    pub table: Vec<f64>,
    /// Message to the parent, its largest cell being 1.
    pub up: Vec<f64>,
    /// What the table is multiplied by on the way down.
    pub down: Vec<f64>,
    /// Each task's sums; after the pass the first holds all.
    pub parts: Vec<Vec<f64>>,
    /// Subtracted from the log cells before the exponential.
    shift: f64,
    /// What the message was divided by.
    scale: f64,
    /// Log of all scales of the subtree.
    pub log_scale: f64,
    /// Bound on the error of a cell of the table, and of the message, from underflow.
    lost: f64,
    lost_up: f64,
}

impl CliqueState {
    pub fn new(node: &ScheduledClique) -> Self {
        let overlap = node.to_parent.small();
        let chunks = node.chunks();
        let part = if chunks > 1 { node.out.max(overlap) } else { node.out };
        Self {
            table: vec![0.0; node.cells],
            up: vec![0.0; overlap],
            down: vec![0.0; overlap],
            parts: vec![vec![0.0; part]; chunks],
            shift: 0.0,
            scale: 1.0,
            log_scale: 0.0,
            lost: 0.0,
            lost_up: 0.0,
        }
    }
}

/// A pass over the tree.
pub(crate) struct Pass<'a> {
    pub schedule: &'a Schedule,
    /// The log fields, all in one.
    pub fields: &'a [f64],
    /// What each field is multiplied by; none means 1.
    pub scales: &'a [f64],
    /// Fields with those inside them added, scaled already.
    pub joined: &'a [f64],
    /// Field groups, the same.
    pub field_groups: &'a [f64],
    pub level: VectorLevel,
    /// Asked between pieces of a table. A pass that is told to stop leaves its tables half done;
    /// whoever runs it asks once more.
    pub halt: &'a Halt,
}

impl Pass<'_> {
    /// Fills every table with its marginal and returns the log of the sum over all rows of e^(sum
    /// of fields). `None` when linear space may have lost something: the states are then of no use.
    pub fn run(&self, states: &mut [CliqueState]) -> Option<f64> {
        let Some(root) = states.len().checked_sub(1) else { return Some(0.0) };
        if !self.up(0, states) {
            return None;
        }
        let top = &mut states[root];
        top.down[0] = 1.0 / top.scale;
        let log = top.log_scale;
        self.down(0, states).then_some(log)
    }

    /// Runs `visit` on every child's subtree, in parallel where it pays. `below` are the states
    /// from place `base` on.
    fn branches(
        &self,
        children: &[usize],
        base: usize,
        below: &mut [CliqueState],
        visit: &(impl Fn(usize, &mut [CliqueState]) -> bool + Sync),
    ) -> bool {
        let [first, rest @ ..] = children else { return true };
        if rest.is_empty() {
            return visit(base, below);
        }
        let (one, others) = below.split_at_mut(first + 1 - base);
        let (next, end) = (base + one.len(), base + one.len() + others.len());
        if self.schedule.is_heavy(base..next) && self.schedule.is_heavy(next..end) {
            let (a, b) = rayon::join(|| visit(base, one), || self.branches(rest, next, others, visit));
            a && b
        } else {
            visit(base, one) && self.branches(rest, next, others, visit)
        }
    }

    /// Messages of the subtree whose states begin at place `base`, the last one being its top.
    ///
    /// Children come before parents, so a plain loop will do, except below the highest fork, whose
    /// branches are tasks. All other branches on the way to it are light and hold no forks.
    fn up(&self, base: usize, states: &mut [CliqueState]) -> bool {
        let end = base + states.len();
        let mut place = base;
        if let Some((fork, start)) = self.schedule.highest_fork(base..end) {
            let children = &self.schedule.order.children[fork];
            let done = self.collect_all(base, place..start, states)
                && self.branches(children, start, &mut states[start - base..fork - base], &|base, states| {
                    self.up(base, states)
                });
            if !done {
                return false;
            }
            place = fork;
        }
        self.collect_all(base, place..end, states)
    }

    fn collect_all(&self, base: usize, mut places: Range<usize>, states: &mut [CliqueState]) -> bool {
        places.all(|place| {
            let (below, rest) = states.split_at_mut(place - base);
            self.collect(&self.schedule.nodes[place], base, &mut rest[0], below)
        })
    }

    /// One table times its children's messages, and its message to the parent.
    fn collect(&self, node: &ScheduledClique, base: usize, own: &mut CliqueState, below: &[CliqueState]) -> bool {
        let mut top = self.fill(node, base, own, below);
        if (top - own.shift).abs() > SLACK && top.is_finite() {
            own.shift = top;
            top = self.fill(node, base, own, below);
        }
        let scale = kernel::largest(self.level, &own.up);
        if !(scale > 0.0 && scale.is_finite() && top.is_finite()) {
            return false;
        }
        own.up.iter_mut().for_each(|cell| *cell /= scale);
        own.scale = scale;
        own.log_scale = own.shift + scale.ln();
        let mut lost = 0.0;
        for (child, ..) in &node.children {
            own.log_scale += below[child - base].log_scale;
            lost += below[child - base].lost_up;
        }
        own.lost = (top - own.shift).exp() * lost + LOST * (1 + node.children.len()) as f64;
        own.lost_up = (node.cells / own.up.len()) as f64 * own.lost / scale;
        own.lost_up < f64::MAX
    }

    /// Returns the largest log cell.
    fn fill(&self, node: &ScheduledClique, base: usize, own: &mut CliqueState, below: &[CliqueState]) -> f64 {
        let CliqueState { table, up, parts, shift, .. } = own;
        if node.chunks() == 1 {
            up.fill(0.0);
            return self.fill_chunk(node, base, 0, table, up, *shift, below);
        }
        let overlap = up.len();
        let top = table
            .par_chunks_mut(node.chunk)
            .zip(parts.par_iter_mut())
            .enumerate()
            .map(|(index, (cells, part))| {
                let part = &mut part[..overlap];
                part.fill(0.0);
                self.fill_chunk(node, base, index * node.chunk, cells, part, *shift, below)
            })
            .reduce(|| f64::NEG_INFINITY, f64::max);
        up.fill(0.0);
        for part in parts {
            up.iter_mut().zip(part).for_each(|(sum, cell)| *sum += *cell);
        }
        top
    }

    #[allow(clippy::too_many_arguments)]
    fn fill_chunk(
        &self,
        node: &ScheduledClique,
        base: usize,
        mut start: usize,
        cells: &mut [f64],
        up: &mut [f64],
        shift: f64,
        below: &[CliqueState],
    ) -> f64 {
        let level = self.level;
        let mut top = f64::NEG_INFINITY;
        for (number, block) in cells.chunks_mut(BLOCK).enumerate() {
            if self.stops(node, number) {
                return f64::NAN;
            }
            if node.fields.is_empty() && node.zeros.is_empty() {
                block.fill(1.0);
                top = shift;
            } else {
                self.log_cells(node, start, block);
                top = top.max(kernel::largest(level, block));
                kernel::exponentials(level, block, shift);
            }
            for (child, plan, _) in &node.children {
                kernel::multiply_by(level, plan, start, block, &below[child - base].up);
            }
            kernel::add_onto(level, &node.to_parent, start, block, up);
            start += block.len();
        }
        top
    }

    /// Whether to stop before a block of a table: asked once in `PIECE / BLOCK` blocks.
    pub(super) fn stops(&self, node: &ScheduledClique, block: usize) -> bool {
        let steps = node.cells.min(PIECE) * (1 + node.fields.len() + node.children.len() + node.sums.len());
        block.is_multiple_of(PIECE / BLOCK) && self.halt.asked(steps)
    }

    /// A field group's or a field's cells and their scale, fields inside it included.
    fn source(&self, source: FieldSource) -> (&[f64], f64) {
        let number = match source {
            FieldSource::FieldGroup(field_group) => {
                return (&self.field_groups[self.schedule.field_groups[field_group].cells.clone()], 1.0);
            }
            FieldSource::Field(number) => number,
        };
        let field = &self.schedule.fields[number];
        match &field.joined {
            Some(cells) => (&self.joined[cells.clone()], 1.0),
            None => (&self.fields[field.cells.clone()], self.scales.get(number).copied().unwrap_or(1.0)),
        }
    }

    /// The sum of the log fields on a block of a table.
    pub(super) fn log_cells(&self, node: &ScheduledClique, start: usize, block: &mut [f64]) {
        let mut fields = node.fields.iter();
        match fields.as_slice().first() {
            Some((plan, source)) if plan.is_identity() => {
                let (cells, scale) = self.source(*source);
                let cells = &cells[start..start + block.len()];
                block.iter_mut().zip(cells).for_each(|(cell, &log)| *cell = scale * log);
                fields.next();
            }
            _ => block.fill(0.0),
        }
        for (plan, source) in fields {
            let (cells, scale) = self.source(*source);
            kernel::add_from(self.level, plan, start, block, cells, scale);
        }
        for (plan, zeros) in &node.zeros {
            kernel::add_from(self.level, plan, start, block, zeros, 1.0);
        }
    }

    /// Marginals of the subtree whose states begin at place `base`; its top's `down` is ready.
    fn down(&self, base: usize, states: &mut [CliqueState]) -> bool {
        let end = base + states.len();
        let Some((fork, start)) = self.schedule.highest_fork(base..end) else {
            return self.spread_all(base, base..end, states);
        };
        let children = &self.schedule.order.children[fork];
        self.spread_all(base, fork..end, states)
            && self.branches(children, start, &mut states[start - base..fork - base], &|base, states| {
                self.down(base, states)
            })
            && self.spread_all(base, base..start, states)
    }

    fn spread_all(&self, base: usize, places: Range<usize>, states: &mut [CliqueState]) -> bool {
        places.rev().all(|place| {
            let (below, rest) = states.split_at_mut(place - base);
            let (node, own) = (&self.schedule.nodes[place], &mut rest[0]);
            let steepest = kernel::largest(self.level, &own.down);
            // A correction that is not a number fails this comparison as well.
            let sound = node.cells as f64 * own.lost * steepest <= TOLERANCE;
            if sound {
                self.spread(node, own, true);
                hand_down(node, base, own, below);
            }
            sound
        })
    }

    /// One table becomes its marginal, and its sums are taken.
    pub(super) fn spread(&self, node: &ScheduledClique, own: &mut CliqueState, scaled: bool) {
        let CliqueState { table, down, parts, .. } = own;
        if node.chunks() == 1 {
            self.spread_chunk(node, 0, table, down, &mut parts[0], scaled);
            return;
        }
        table.par_chunks_mut(node.chunk).zip(parts.par_iter_mut()).enumerate().for_each(|(index, (cells, part))| {
            self.spread_chunk(node, index * node.chunk, cells, down, part, scaled);
        });
        if let [first, others @ ..] = &mut parts[..] {
            for part in others {
                first[..node.out].iter_mut().zip(part).for_each(|(sum, cell)| *sum += *cell);
            }
        }
    }

    fn spread_chunk(
        &self,
        node: &ScheduledClique,
        mut start: usize,
        cells: &mut [f64],
        down: &[f64],
        part: &mut [f64],
        scaled: bool,
    ) {
        part[..node.out].fill(0.0);
        for (number, block) in cells.chunks_mut(BLOCK).enumerate() {
            if self.stops(node, number) {
                return;
            }
            if scaled {
                kernel::multiply_by(self.level, &node.to_parent, start, block, down);
            }
            for (_, plan, sums) in &node.children {
                kernel::add_onto(self.level, plan, start, block, &mut part[sums.clone()]);
            }
            for (plan, sums) in &node.sums {
                kernel::add_onto(self.level, plan, start, block, &mut part[sums.clone()]);
            }
            start += block.len();
        }
    }
}

/// Each child's correction: the marginal of the overlap over what the child said of it.
fn hand_down(node: &ScheduledClique, base: usize, own: &CliqueState, below: &mut [CliqueState]) {
    for (child, _, sums) in &node.children {
        let child = &mut below[child - base];
        let scale = child.scale;
        for ((down, &sum), &up) in child.down.iter_mut().zip(&own.parts[0][sums.clone()]).zip(&child.up) {
            *down = if up > 0.0 { sum / (up * scale) } else { 0.0 };
        }
    }
}
