//! Many sums of one table, sharing work.

use std::collections::BTreeSet;

use lookalike_schema::{AttrId, Clique};

use crate::Halt;
use crate::pgm::factor::array::{FactorArray, FactorView};

/// Tables with fewer cells than this are summed directly.
const SMALL: usize = 1 << 10;

/// The table summed onto each of the sets, which lie inside it.
///
/// A large table is read once for each column that some sets lack, not once for each set: sets
/// without that column are then sums of a table that is smaller by the column's size.
///
/// Told to stop, it gives those that are done.
pub(super) fn shared_sums(table: FactorView<'_>, sets: BTreeSet<Clique>, halt: &Halt) -> Vec<(Clique, FactorArray)> {
    let mut out = Vec::with_capacity(sets.len());
    collect(table, sets, &mut out, halt);
    out
}

fn collect(table: FactorView<'_>, mut sets: BTreeSet<Clique>, out: &mut Vec<(Clique, FactorArray)>, halt: &Halt) {
    let mut axes: Vec<(AttrId, usize)> = table.axes.to_vec();
    axes.sort_by_key(|axis| (std::cmp::Reverse(axis.1), axis.0));
    if table.values.len() > SMALL {
        for (attribute, _) in axes {
            let without: BTreeSet<Clique> = sets.iter().filter(|set| !set.contains(attribute)).cloned().collect();
            if without.len() > 1 {
                if halt.asked(table.values.len()) {
                    return;
                }
                sets.retain(|set| set.contains(attribute));
                let union = without.iter().fold(Clique::new([]), |union, set| union.union(set));
                let smaller = table.sum_onto(&union);
                collect(smaller.view(), without, out, halt);
            }
        }
    }
    for set in sets {
        if halt.asked(table.values.len()) {
            return;
        }
        let sum = table.sum_onto(&set);
        out.push((set, sum));
    }
}
