//! A spanning forest of pairs of columns.

use lookalike_schema::{AttrId, Clique};

/// Which columns the pairs so far join.
#[derive(Clone, Debug)]
pub struct SpanningForest {
    tree_of: Vec<usize>,
}

impl SpanningForest {
    /// Columns that nothing joins yet.
    pub fn new(columns: usize) -> Self {
        Self { tree_of: (0..columns).collect() }
    }

    /// Whether a pair would join two trees.
    pub fn joins(&self, pair: &Clique) -> bool {
        matches!(pair.attributes(), [a, b] if self.tree_of[a.index()] != self.tree_of[b.index()])
    }

    /// Puts a pair into the forest.
    pub fn join(&mut self, pair: &Clique) {
        if let [a, b] = pair.attributes() {
            let (from, to) = (self.tree_of[b.index()], self.tree_of[a.index()]);
            self.tree_of.iter_mut().filter(|tree| **tree == from).for_each(|tree| *tree = to);
        }
    }
}

/// All pairs of `columns` columns, in order.
pub fn pairs(columns: usize) -> Vec<Clique> {
    let attribute = |index: usize| AttrId(index as u32);
    let pair = |a: usize| (a + 1..columns).map(move |b| Clique::new([attribute(a), attribute(b)]));
    (0..columns).flat_map(pair).collect()
}
