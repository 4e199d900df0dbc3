//! Passes in log space: the marginals when linear space would lose too much, and the best row.
//!
//! Slower by the logarithms, and used when that is the price of being right.

use super::pass::{BLOCK, CliqueState, Pass};
use super::schedule::ScheduledClique;
use crate::pgm::factor::kernel;

impl Pass<'_> {
    /// As [`Pass::run`], for fields of any size. `None` only when every row is impossible.
    pub fn run_carefully(&self, states: &mut [CliqueState]) -> Option<f64> {
        let Some(root) = states.len().checked_sub(1) else { return Some(0.0) };
        self.messages(states, true);
        let log = states[root].up[0];
        if !log.is_finite() {
            return None;
        }
        states[root].down[0] = -log;
        for place in (0..states.len()).rev() {
            let (below, rest) = states.split_at_mut(place);
            let node = &self.schedule.nodes[place];
            let own = &mut rest[0];
            for (number, block) in own.table.chunks_mut(BLOCK).enumerate() {
                if self.stops(node, number) {
                    return None;
                }
                kernel::add_from(self.level, &node.to_parent, number * BLOCK, block, &own.down, 1.0);
                kernel::exponentials(self.level, block, 0.0);
            }
            self.spread(node, own, false);
            for (child, _, sums) in &node.children {
                let child = &mut below[*child];
                for ((down, &sum), &up) in child.down.iter_mut().zip(&own.parts[0][sums.clone()]).zip(&child.up) {
                    *down = if sum > 0.0 { sum.ln() - up } else { f64::NEG_INFINITY };
                }
            }
        }
        Some(log)
    }

    /// The largest sum of fields over all rows: minus infinity when every row is impossible. Leaves
    /// no marginals behind.
    pub fn best(&self, states: &mut [CliqueState]) -> f64 {
        self.messages(states, false);
        states.last().map_or(0.0, |root| root.up[0])
    }

    /// Log messages to the root: sums, or maxima.
    fn messages(&self, states: &mut [CliqueState], sums: bool) {
        for place in 0..states.len() {
            let (below, rest) = states.split_at_mut(place);
            let node = &self.schedule.nodes[place];
            let own = &mut rest[0];
            own.up.fill(f64::NEG_INFINITY);
            for (number, block) in own.table.chunks_mut(BLOCK).enumerate() {
                if self.stops(node, number) {
                    return;
                }
                let start = number * BLOCK;
                self.log_cells(node, start, block);
                for (child, plan, _) in &node.children {
                    kernel::add_from(self.level, plan, start, block, &below[*child].up, 1.0);
                }
                kernel::raise_onto(self.level, &node.to_parent, start, block, &mut own.up);
            }
            if sums {
                self.log_sums(node, own);
            }
        }
    }

    /// `up` holds the maxima; afterwards the logs of the sums of exponentials.
    fn log_sums(&self, node: &ScheduledClique, own: &mut CliqueState) {
        // Sums are taken in runs of this length: their bits hang on it.
        const RUN: usize = 1 << 10;
        let mut block = [0.0; RUN];
        own.down.iter_mut().zip(&own.up).for_each(|(down, &up)| *down = if up.is_finite() { -up } else { 0.0 });
        let mut sums = vec![0.0; own.up.len()];
        for (index, cells) in own.table.chunks(RUN).enumerate() {
            if self.stops(node, index) {
                return;
            }
            let block = &mut block[..cells.len()];
            block.copy_from_slice(cells);
            kernel::add_from(self.level, &node.to_parent, index * RUN, block, &own.down, 1.0);
            kernel::exponentials(self.level, block, 0.0);
            kernel::add_onto(self.level, &node.to_parent, index * RUN, block, &mut sums);
        }
        own.up.iter_mut().zip(sums).for_each(|(up, sum)| *up += sum.ln());
    }
}
