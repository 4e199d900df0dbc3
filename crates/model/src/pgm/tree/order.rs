//! A rooted tree and the order of its tables' axes.

use lookalike_schema::{AttrId, Clique};

use super::JunctionTree;

/// The tree's cliques in an order where children come before their parent and every subtree is
/// contiguous, and one order of all attributes in which tables are laid out.
///
/// Attributes are ordered by the place of the highest clique that holds them. So in every table the
/// attributes that are summed out on the way to the parent come first, and the overlap with the
/// parent last: that sum adds up long contiguous rows. And since all tables share the order, no
/// table is ever transposed on the way.
#[derive(Clone, Debug)]
pub(crate) struct CliqueOrder {
    /// Tree clique of each place.
    pub nodes: Vec<usize>,
    /// For each place, the places of its children, ascending.
    pub children: Vec<Vec<usize>>,
    /// For each place, how many places its subtree has, itself included.
    pub spans: Vec<usize>,
    /// For each place, its parent's place; the root is last and has none.
    pub parents: Vec<Option<usize>>,
    /// Rank of each attribute.
    pub ranks: Vec<usize>,
}

impl CliqueOrder {
    /// Rooted at the largest clique: its table is then never summed onto an overlap.
    pub fn new(tree: &JunctionTree) -> Self {
        let cells = |node: usize| tree.domain.cells(&tree.cliques[node]).unwrap_or(u64::MAX);
        let root = (0..tree.cliques.len()).max_by_key(|&node| cells(node));
        let mut order = Self {
            nodes: Vec::new(),
            children: Vec::new(),
            spans: Vec::new(),
            parents: Vec::new(),
            ranks: vec![usize::MAX; tree.domain.len()],
        };
        let Some(root) = root else { return order };
        order.visit(tree, root);
        order.rank(tree);
        order
    }

    fn visit(&mut self, tree: &JunctionTree, root: usize) {
        // Preorder, then reversed: children come before parents and subtrees stay contiguous.
        let mut stack = vec![(root, usize::MAX)];
        let mut found: Vec<(usize, usize)> = Vec::new();
        while let Some((node, parent)) = stack.pop() {
            let place = found.len();
            found.push((node, parent));
            let from = found.get(parent).map(|entry| entry.0);
            stack.extend(
                tree.neighbours[node].iter().filter(|&&other| Some(other) != from).map(|&other| (other, place)),
            );
        }
        let count = found.len();
        self.children = vec![Vec::new(); count];
        self.spans = vec![1; count];
        for (place, &(node, parent)) in found.iter().rev().enumerate() {
            self.nodes.push(node);
            let parent = (parent != usize::MAX).then(|| count - 1 - parent);
            self.parents.push(parent);
            if let Some(parent) = parent {
                self.children[parent].push(place);
                self.spans[parent] += self.spans[place];
            }
        }
    }

    fn rank(&mut self, tree: &JunctionTree) {
        let mut highest = vec![0usize; tree.domain.len()];
        for (place, &node) in self.nodes.iter().enumerate() {
            for attribute in tree.cliques[node].attributes() {
                highest[attribute.index()] = highest[attribute.index()].max(place);
            }
        }
        let mut attributes: Vec<usize> = (0..tree.domain.len()).collect();
        // Larger attributes inside: longer runs.
        attributes.sort_by_key(|&attribute| (highest[attribute], tree.domain.sizes()[attribute], attribute));
        for (rank, attribute) in attributes.into_iter().enumerate() {
            self.ranks[attribute] = rank;
        }
    }

    /// The axes of a clique's table, outermost first.
    pub fn axes(&self, tree: &JunctionTree, clique: &Clique) -> Vec<(AttrId, usize)> {
        let mut axes: Vec<AttrId> = clique.attributes().to_vec();
        axes.sort_by_key(|attribute| self.ranks[attribute.index()]);
        axes.into_iter().map(|attribute| (attribute, tree.domain.size(attribute) as usize)).collect()
    }

    /// For each axis of the table, its place among the clique's attributes.
    pub fn permutation(&self, clique: &Clique) -> Vec<usize> {
        let mut order: Vec<usize> = (0..clique.len()).collect();
        order.sort_by_key(|&place| self.ranks[clique.attributes()[place].index()]);
        order
    }
}

impl JunctionTree {
    /// The cliques from clique 0 outwards, each with the one it was reached from.
    pub(crate) fn rooted(&self) -> Vec<(usize, Option<usize>)> {
        let mut order = Vec::with_capacity(self.cliques.len());
        let mut stack: Vec<(usize, Option<usize>)> = self.cliques.first().map(|_| (0, None)).into_iter().collect();
        while let Some((node, above)) = stack.pop() {
            order.push((node, above));
            let next = self.neighbours[node].iter().rev().filter(|&&other| Some(other) != above);
            stack.extend(next.map(|&other| (other, Some(node))));
        }
        order
    }
}
