//! Algorithm 3: the first marginals, one around each column.

use std::collections::BTreeSet;

use lookalike_model::Halt;
use lookalike_schema::{AttrId, Clique};

use super::params::First;
use super::scores::Scores;
use super::universe::Universe;
use crate::MethodError;

/// The most sets that are looked at around one column.
const MOST_SETS: usize = 1_000_000;

/// Sets that are looked at between two looks at the stop flag, and about the steps that one takes.
const SETS_BETWEEN_LOOKS: usize = 1 << 12;
const STEPS_A_SET: usize = 1 << 7;

/// Equation 8: how strongly a column hangs together with the others of a set, for how strongly
/// these hang together.
///
/// The sums run over the set's columns, each pair once (twice with [`First::RhoPrinted`]). Noise
/// makes scores negative; the root is taken of 1 at least.
#[cfg(test)]
pub(super) fn rho(column: AttrId, set: &Clique, scores: &Scores, first: First) -> f64 {
    let mut found = Partial::default();
    for &other in set.attributes().iter().filter(|&&other| other != column) {
        found = found.with(column, other, scores);
    }
    found.value(first)
}

/// A set that grows around a column, with its sums.
#[derive(Clone, Debug, Default)]
struct Partial {
    others: Vec<AttrId>,
    to_column: f64,
    among: f64,
}

impl Partial {
    fn with(&self, column: AttrId, other: AttrId, scores: &Scores) -> Self {
        let mut larger = self.clone();
        larger.to_column += scores.get(column, other);
        larger.among += self.others.iter().map(|&one| scores.get(one, other)).sum::<f64>();
        larger.others.push(other);
        larger
    }

    /// What the best set has most of.
    fn value(&self, first: First) -> f64 {
        let times = match first {
            First::Rho => 1.0,
            First::RhoPrinted => 2.0,
            First::Sum => return self.to_column,
        };
        self.to_column / ((self.others.len() + 1) as f64 + times * self.among).max(1.0).sqrt()
    }

    fn set(&self, column: AttrId) -> Clique {
        Clique::new(self.others.iter().copied().chain([column]))
    }
}

/// One set for each column, in the columns' order: the best that is not taken yet, ties by index. A
/// set is taken once.
///
/// Refuses only when it is told to stop.
pub(super) fn choose(
    universe: &Universe,
    scores: &Scores,
    first: First,
    halt: &Halt,
) -> Result<Vec<Clique>, MethodError> {
    let mut taken: BTreeSet<Clique> = BTreeSet::new();
    let mut chosen = Vec::new();
    for column in universe.domain.attributes() {
        let set = best(universe, scores, column, first, &taken, MOST_SETS, halt);
        // A search that was told to stop has found little.
        halt.check(0)?;
        if let Some(set) = set {
            taken.insert(set.clone());
            chosen.push(set);
        }
    }
    Ok(chosen)
}

/// The best set around a column. Where there are more than `most` of them, those around the columns
/// with the highest scores.
fn best(
    universe: &Universe,
    scores: &Scores,
    column: AttrId,
    first: First,
    taken: &BTreeSet<Clique>,
    most: usize,
    halt: &Halt,
) -> Option<Clique> {
    let mut search = Search { universe, scores, column, first, taken, best: None, left: most, halt };
    search.offer(&Partial::default());
    for clique in universe.cliques.iter().filter(|clique| clique.contains(column)) {
        let mut others: Vec<AttrId> = clique.attributes().iter().copied().filter(|&other| other != column).collect();
        others.sort_by(|&one, &two| scores.get(column, two).total_cmp(&scores.get(column, one)));
        search.all(&Partial::default(), &others, u64::from(universe.domain.size(column)));
    }
    search.best.map(|(_, set)| set)
}

struct Search<'a> {
    universe: &'a Universe,
    scores: &'a Scores,
    column: AttrId,
    first: First,
    taken: &'a BTreeSet<Clique>,
    best: Option<(f64, Clique)>,
    /// Sets that may still be looked at.
    left: usize,
    halt: &'a Halt,
}

impl Search<'_> {
    fn offer(&mut self, partial: &Partial) {
        let value = partial.value(self.first);
        if self.best.as_ref().is_some_and(|(best, _)| *best > value) {
            return;
        }
        let set = partial.set(self.column);
        let first = self.best.as_ref().is_none_or(|(best, known)| value > *best || set < *known);
        if first && !self.taken.contains(&set) {
            self.best = Some((value, set));
        }
    }

    /// All larger sets of the clique's columns, those in `others` still to come; `cells` are those
    /// of the set so far.
    fn all(&mut self, partial: &Partial, others: &[AttrId], cells: u64) {
        if partial.others.len() + 1 >= self.universe.width {
            return;
        }
        for (place, &other) in others.iter().enumerate() {
            let cells = cells.saturating_mul(u64::from(self.universe.domain.size(other)));
            if cells > self.universe.cells {
                continue;
            }
            if self.left == 0 {
                return;
            }
            if self.left.is_multiple_of(SETS_BETWEEN_LOOKS) && self.halt.asked(SETS_BETWEEN_LOOKS * STEPS_A_SET) {
                self.left = 0;
                return;
            }
            self.left -= 1;
            let larger = partial.with(self.column, other, self.scores);
            self.offer(&larger);
            self.all(&larger, &others[place + 1..], cells);
        }
    }
}
