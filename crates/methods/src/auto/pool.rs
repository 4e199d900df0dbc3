//! What a round may choose from: drawn from a fixed stream of numbers, before any look.

use std::collections::BTreeSet;

use lookalike_model::SampleRng;
use lookalike_schema::{AttrId, Clique};

use crate::MethodError;
use crate::graphical::{Columns, GrowingModel};

/// The most columns of a table.
const MOST_COLUMNS: usize = 6;
/// Attempts for each candidate that is wanted: most fail when the tree is nearly full.
const ATTEMPTS: usize = 20;
/// Draws that find no attribute before a set is taken as it is.
const MISSES: usize = 12;

/// What limits a round's choice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The round's number, which picks among too many.
    pub round: u64,
    /// The most candidates.
    pub candidates: usize,
    /// The most cells of a table.
    pub table: f64,
    /// The most cells of the tree.
    pub tree: u64,
    /// A column that every second set has.
    pub target: Option<usize>,
}

/// Sets of two and more of the model's attributes, no two of them of one column, that are not inside a measured set.
pub(super) fn candidates(
    model: &GrowingModel,
    measured: &[Clique],
    bounds: &Bounds,
) -> Result<Vec<Clique>, MethodError> {
    let mut rng = SampleRng::new(0, "auto candidates", bounds.round);
    let columns = model.columns();
    let mut found = BTreeSet::new();
    let most = MOST_COLUMNS.min(columns.len());
    for attempt in 0..ATTEMPTS * bounds.candidates {
        if found.len() >= bounds.candidates {
            break;
        }
        let first = bounds.target.filter(|_| attempt % 2 == 0);
        let set = draw(columns, most, bounds.table, first, &mut rng);
        let known = |set: &Clique| measured.iter().any(|measured| set.is_subset(measured));
        if set.len() < 2 || found.contains(&set) || known(&set) || model.cost_of_adding(&set)? > bounds.tree {
            continue;
        }
        found.insert(set);
    }
    Ok(found.into_iter().collect())
}

fn draw(columns: &Columns, most: usize, cells: f64, first: Option<usize>, rng: &mut SampleRng) -> Clique {
    let sizes = columns.domain().sizes();
    let wanted = 2 + below(most - 1, rng);
    let mut used = vec![false; columns.len()];
    let (mut set, mut product, mut misses) = (Vec::new(), 1.0, 0);
    let mut next = first;
    while set.len() < wanted && misses < MISSES {
        let attribute = next.take().unwrap_or_else(|| below(sizes.len(), rng));
        let column = columns.column_of(attribute);
        let larger = product * f64::from(sizes[attribute]);
        // A column of one value says nothing.
        if used[column] || larger > cells || sizes[attribute] < 2 {
            misses += 1;
            continue;
        }
        used[column] = true;
        product = larger;
        set.push(AttrId(attribute as u32));
    }
    Clique::new(set)
}

/// A number below the bound; the bias of 64 bits is no matter here.
fn below(bound: usize, rng: &mut SampleRng) -> usize {
    ((u128::from(rng.next_u64()) * bound as u128) >> 64) as usize
}
