//! The sets of columns that tables share.

use std::collections::BTreeSet;

use lookalike_model::Halt;

use crate::MethodError;
use crate::privbayes_nist::hierarchy::{Hierarchy, Node};

/// Beyond this many sets the list is no longer closed under intersection; rounds of averaging then
/// do the rest.
pub(crate) const MOST_SETS: usize = 20_000;

/// About the steps that finding what two sets share takes.
const STEPS_A_MEET: usize = 1 << 6;

/// The columns that two sets share, each at the coarser of its two levels. Sorted by column.
pub(crate) fn meet(a: &[Node], b: &[Node]) -> Vec<Node> {
    let mut shared: Vec<Node> = a
        .iter()
        .filter_map(|one| {
            let other = b.iter().find(|other| other.column == one.column)?;
            Some(Node { column: one.column, level: one.level.max(other.level) })
        })
        .collect();
    shared.sort_unstable();
    shared
}

/// Whether a table over `nodes` knows a set: it has every column, at the set's level or a finer
/// one.
pub(crate) fn knows(nodes: &[Node], set: &[Node]) -> bool {
    set.iter().all(|one| nodes.iter().any(|node| node.column == one.column && node.level <= one.level))
}

/// Every set that two tables share, closed under intersection, in ascending order: what is
/// contained in a set, or is a coarser form of it, comes before it. The first is the empty set.
/// Beyond `most` sets only those that two tables share are there, and false says that the list is
/// not closed.
///
/// Refuses only when it is told to stop.
pub(crate) fn shared(
    hierarchy: &Hierarchy,
    tables: &[&[Node]],
    most: usize,
    halt: &Halt,
) -> Result<(Vec<Vec<Node>>, bool), MethodError> {
    let mut sets: BTreeSet<Vec<Node>> = BTreeSet::from([Vec::new()]);
    for (place, a) in tables.iter().enumerate() {
        sets.extend(tables[place + 1..].iter().map(|b| meet(a, b)));
    }
    // An intersection of intersections is one of several tables: meeting every set with every table
    // reaches them all.
    let mut fresh: Vec<Vec<Node>> = sets.iter().cloned().collect();
    let mut closed = true;
    while let Some(set) = fresh.pop() {
        halt.check(tables.len() * STEPS_A_MEET)?;
        if sets.len() > most {
            closed = false;
            break;
        }
        for table in tables {
            let shared = meet(&set, table);
            if !sets.contains(&shared) {
                fresh.push(shared.clone());
                sets.insert(shared);
            }
        }
    }
    let mut sets: Vec<Vec<Node>> = sets.into_iter().collect();
    // A proper subset, or a coarser form, has fewer levels in all when coarser ones are counted
    // along.
    let rank = |set: &[Node]| set.iter().map(|node| hierarchy.levels(node.column) - node.level).sum::<usize>();
    sets.sort_by_key(|set| rank(set));
    Ok((sets, closed))
}
