//! What the model expects of candidates, kept from round to round.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_curator::Expected;
use lookalike_schema::Clique;

use crate::MethodError;
use crate::graphical::GrowingModel;

/// The model's counts of cliques.
///
/// They stay the same until a measurement moves one of a clique's columns. After a refit,
/// [`touch`](Self::touch) with [`GrowingModel::part_around`] what was measured: all other cliques
/// are neither worked out nor counted again.
#[derive(Clone, Debug, Default)]
pub struct Expectations {
    known: BTreeMap<Clique, Expected>,
}

/// Answers of at most this many cells are kept beside those that a round needs.
const MOST_KEPT_CELLS: usize = 1 << 23;

impl Expectations {
    /// Forgets the answers for cliques with one of the columns that hang together with these.
    pub fn touch(&mut self, model: &GrowingModel, measured: &Clique) {
        if !self.known.is_empty() {
            let moved = model.part_around(measured);
            self.known.retain(|clique, _| clique.intersection(&moved).is_empty());
        }
    }

    /// What the model expects of the cliques.
    pub fn of(&mut self, model: &GrowingModel, cliques: &[&Clique]) -> Result<Vec<Expected>, MethodError> {
        let kept: usize = self.known.values().map(|expected| expected.values().len()).sum();
        if kept > MOST_KEPT_CELLS {
            let needed: BTreeSet<&Clique> = cliques.iter().copied().collect();
            self.known.retain(|clique, _| needed.contains(clique));
        }
        let is_new = |clique: &&&Clique| !self.known.contains_key(**clique);
        let fresh: Vec<Clique> = cliques.iter().filter(is_new).map(|&clique| clique.clone()).collect();
        let answers = model.expected(&fresh)?;
        self.known.extend(fresh.into_iter().zip(answers));
        Ok(cliques.iter().filter_map(|&clique| self.known.get(clique).cloned()).collect())
    }
}
