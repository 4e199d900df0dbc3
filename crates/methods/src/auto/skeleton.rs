//! Many columns: first the pairs that are farthest from independent, as a forest.

use lookalike_curator::Expected;
use lookalike_schema::{AttrId, Clique};

use super::rounds::{Offer, Run, TAUGHT, Then};
use crate::MethodError;

/// With fewer pairs of columns than that, a round's candidates are likely to have what matters.
const FEWEST_PAIRS: usize = 300;
/// So many pairs in a row that teach nothing end it.
const PATIENCE: u32 = 3;

impl Run<'_> {
    /// Pairs that join columns that nothing joins yet, farthest from independent first; then one
    /// fit.
    ///
    /// As long as the pairs are a forest, none says anything about another that is not in it, so
    /// that their distances to the product of the columns stay what choices should go by, without a
    /// fit between them.
    pub fn skeleton(&mut self) -> Result<(), MethodError> {
        let columns = self.model.columns().len();
        if columns * (columns - 1) / 2 < FEWEST_PAIRS {
            return Ok(());
        }
        let noise = self.purse.mean_noise(self.pace)?;
        let sets = self.pairs(noise);
        let expected = self.products(&sets)?;
        let mut offer = Offer { sets, expected, noise, then: Then::Done };
        let mut joined: Vec<usize> = (0..columns).collect();
        let mut missed = 0;
        while !offer.sets.is_empty() && self.purse.turns() > 0 && missed < PATIENCE {
            self.curator.check_cancelled()?;
            for lesson in self.learn(&offer)? {
                missed = if lesson.taught > TAUGHT { 0 } else { missed + 1 };
                if let [first, second] = lesson.set.attributes() {
                    let (old, new) = (joined[first.index()], joined[second.index()]);
                    joined.iter_mut().filter(|part| **part == old).for_each(|part| *part = new);
                }
            }
            offer.retain(|set| match set.attributes() {
                [first, second] => joined[first.index()] != joined[second.index()],
                _ => false,
            });
        }
        self.model.refit()?;
        Ok(())
    }

    fn pairs(&self, noise: f64) -> Vec<Clique> {
        let sizes = self.model.columns().domain().sizes();
        let most = self.most_cells(noise);
        let small = |&(a, b): &(usize, usize)| {
            sizes[a] > 1 && sizes[b] > 1 && f64::from(sizes[a]) * f64::from(sizes[b]) <= most
        };
        let pairs = (0..sizes.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        pairs.filter(small).map(|(a, b)| Clique::new([AttrId(a as u32), AttrId(b as u32)])).collect()
    }

    /// Counts of pairs as if columns were independent.
    fn products(&self, pairs: &[Clique]) -> Result<Vec<Expected>, MethodError> {
        let columns = self.model.columns();
        let singles: Vec<Clique> = (0..columns.len()).map(|column| Clique::single(AttrId(column as u32))).collect();
        let counts = self.model.counts(&singles)?;
        let total = self.model.total();
        let product = |pair: &Clique| {
            let [first, second] = pair.attributes() else { return Vec::new().into() };
            let (first, second) = (&counts[first.index()], &counts[second.index()]);
            let product = first.iter().flat_map(|a| second.iter().map(move |b| a * b / total)).collect();
            columns.to_asked(pair, product).into()
        };
        Ok(pairs.iter().map(product).collect())
    }
}
