//! Choosing what to measure by how far the rows are from the model.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_curator::{Candidate, Curator, Expected, Score, SelectQuery};
use lookalike_privacy::Rational;
use lookalike_schema::Clique;

use super::GrowingModel;
use crate::MethodError;

/// A clique that may be measured, and how its score is weighed: `weight * (L1 distance + offset)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// The clique, over the model's columns.
    pub clique: Clique,
    /// Its weight, 0 or above.
    pub weight: f64,
    /// Added to the distance before weighting, such as minus the distance that the noise of a
    /// measurement would leave.
    pub offset: f64,
}

/// Private choices among cliques, with the model's answers kept from round to round.
///
/// The model's counts of a clique stay the same until a measurement moves one of its columns. After
/// a refit, [`touch`](Self::touch) with [`GrowingModel::part_around`] what was measured: all other
/// cliques are neither worked out nor counted again.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    expected: BTreeMap<Clique, Expected>,
}

/// Answers of at most so many cells are kept beside those that a round needs.
const MOST_KEPT_CELLS: usize = 1 << 23;

impl Candidates {
    /// Nothing known.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets the answers for cliques with one of these columns.
    pub fn touch(&mut self, columns: &Clique) {
        self.expected.retain(|clique, _| clique.intersection(columns).is_empty());
    }

    /// Forgets what this round does not need when too much is kept.
    fn make_room(&mut self, wishes: &[Wish]) {
        let kept: usize = self.expected.values().map(|expected| expected.values().len()).sum();
        if kept > MOST_KEPT_CELLS {
            let needed: BTreeSet<&Clique> = wishes.iter().map(|wish| &wish.clique).collect();
            self.expected.retain(|clique, _| needed.contains(clique));
        }
    }

    /// Forgets all answers.
    pub fn clear(&mut self) {
        self.expected.clear();
    }

    /// Chooses one of the wishes by the exponential mechanism, and gives its place.
    ///
    /// # Privacy
    /// The cost is `epsilon`, pure, as [`Curator::select`] states; the score is the L1 distance of
    /// the clique's counts to the model's, which is scaled by the noisy row count and fixed before
    /// the rows are looked at. Its sensitivity is the largest weight times 1 (add/remove, times the
    /// contribution) or 2 (replace-one).
    pub fn select(
        &mut self,
        curator: &mut Curator,
        model: &GrowingModel,
        wishes: &[Wish],
        label: &str,
        epsilon: Rational,
    ) -> Result<usize, MethodError> {
        self.make_room(wishes);
        let fresh: Vec<Clique> = wishes
            .iter()
            .map(|wish| wish.clique.clone())
            .filter(|clique| !self.expected.contains_key(clique))
            .collect();
        let answers = model.expected(&fresh)?;
        self.expected.extend(fresh.into_iter().zip(answers));
        let candidate = |wish: &Wish| {
            let expected = self.expected.get(&wish.clique)?.clone();
            let score = Score::DistanceToModel { clique: model.columns().asked(&wish.clique), expected };
            Some(Candidate { score, weight: wish.weight, offset: wish.offset })
        };
        let candidates = wishes.iter().filter_map(candidate).collect();
        let query = SelectQuery { label: label.into(), candidates, epsilon };
        Ok(curator.select(&query)?.index)
    }
}
