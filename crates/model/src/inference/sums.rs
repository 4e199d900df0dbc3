//! Many sums of one table, sharing work.

use std::collections::BTreeSet;

use lookalike_schema::{AttrId, Clique};

use super::query::TableRef;
use crate::Halt;
use crate::factor::table::Table;

/// Tables with fewer cells than this are summed directly.
const SMALL: usize = 1 << 10;

/// The table summed onto each of the sets, which lie inside it.
///
/// A large table is read once for each column that some sets lack, not once for each set: sets
/// without that column are then sums of a table that is smaller by the column's size.
///
/// Told to stop, it gives those that are done.
pub(super) fn shared_sums(table: &TableRef<'_>, sets: BTreeSet<Clique>, halt: &Halt) -> Vec<(Clique, Table)> {
    let mut out = Vec::with_capacity(sets.len());
    collect(table, sets, &mut out, halt);
    out
}

fn collect(table: &TableRef<'_>, mut sets: BTreeSet<Clique>, out: &mut Vec<(Clique, Table)>, halt: &Halt) {
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
                let smaller = table.sum_onto(|attribute| union.contains(attribute));
                collect(&TableRef { axes: &smaller.axes, values: &smaller.values }, without, out, halt);
            }
        }
    }
    for set in sets {
        if halt.asked(table.values.len()) {
            return;
        }
        let sum = table.sum_onto(|attribute| set.contains(attribute));
        out.push((set, sum));
    }
}
