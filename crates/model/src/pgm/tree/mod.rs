//! Junction trees: cliques that cover every measurement, joined so that one sweep each way makes
//! them agree.
//!
//! - `graph` eliminates attributes by several rules of thumb;
//! - `grow` answers what another clique would cost, and adds it, by looking only at the part of the
//!   tree it touches;
//! - `order` roots the tree and lays out the axes of its tables so that sums run over long
//!   contiguous runs.

mod graph;
mod grow;
mod order;
mod part;
#[cfg(test)]
mod tests;

use lookalike_schema::{AttrId, Clique, Domain, ImpossibleRule};

use crate::pgm::factor::layout::check_clique;
use crate::{ModelError, refuse_if};
use graph::{Graph, cheapest, spanning_tree};

pub(crate) use order::CliqueOrder;

/// A junction tree over all attributes of a domain.
///
/// Every clique it was made from, every impossible rule's clique and every single attribute lies
/// inside one of its cliques. For each attribute the cliques that hold it hang together. Parts of
/// the tree may be joined by an empty overlap: they are independent.
#[derive(Clone, Debug, PartialEq)]
pub struct JunctionTree {
    domain: Domain,
    rules: Vec<ImpossibleRule>,
    /// What must be covered: distinct, rules' cliques included.
    covered: Vec<Clique>,
    /// For each covered clique, a tree clique that holds it.
    homes: Vec<usize>,
    cliques: Vec<Clique>,
    neighbours: Vec<Vec<usize>>,
}

impl JunctionTree {
    /// The tree of the given cliques and the rules' cliques, by the cheapest of several heuristics.
    ///
    /// Repeated cliques, empty ones and cliques inside others are welcome. Attributes in no clique
    /// become cliques of their own. Refuses attributes and codes that the domain lacks.
    pub fn new(domain: &Domain, cliques: &[Clique], rules: &[ImpossibleRule]) -> Result<Self, ModelError> {
        let mut tree = Self::uncovered(domain, cliques, rules)?;
        let found = cheapest(&tree.graph(), &tree.sizes());
        tree.rebuild(found.cliques);
        tree.find_homes();
        Ok(tree)
    }

    /// The tree with exactly these cliques and edges, which the caller has checked to be a junction
    /// tree. No rules: they are zeros in the marginals that the caller has.
    pub(crate) fn joined(domain: &Domain, cliques: Vec<Clique>, edges: &[(usize, usize)]) -> Result<Self, ModelError> {
        let mut neighbours = vec![Vec::new(); cliques.len()];
        for &(one, two) in edges {
            neighbours[one].push(two);
            neighbours[two].push(one);
        }
        Ok(Self { neighbours, cliques, ..Self::uncovered(domain, &[], &[])? })
    }

    fn uncovered(domain: &Domain, cliques: &[Clique], rules: &[ImpossibleRule]) -> Result<Self, ModelError> {
        let mut covered = Vec::with_capacity(cliques.len() + rules.len());
        for rule in rules {
            covered.push(rule_clique(domain, rule)?);
        }
        for clique in cliques {
            check_clique(domain, clique)?;
            covered.push(clique.clone());
        }
        covered.retain(|clique| !clique.is_empty());
        covered.sort_unstable();
        covered.dedup();
        Ok(Self {
            domain: domain.clone(),
            rules: rules.to_vec(),
            covered,
            homes: Vec::new(),
            cliques: Vec::new(),
            neighbours: Vec::new(),
        })
    }

    fn graph(&self) -> Graph {
        let mut graph = Graph::new(self.domain.len());
        for clique in &self.covered {
            let members: Vec<usize> = clique.attributes().iter().map(|attribute| attribute.index()).collect();
            graph.connect(&members);
        }
        graph
    }

    fn sizes(&self) -> Vec<f64> {
        self.domain.sizes().iter().map(|&size| f64::from(size)).collect()
    }

    fn rebuild(&mut self, cliques: Vec<Vec<usize>>) {
        self.neighbours = spanning_tree(&cliques, self.domain.len());
        self.cliques = cliques.iter().map(|members| attributes(members)).collect();
    }

    /// The smallest tree clique around each covered one.
    fn find_homes(&mut self) {
        self.homes = self.covered.iter().map(|clique| self.home(clique).unwrap_or(0)).collect();
    }

    /// The smallest tree clique that holds the clique, if there is one.
    pub fn home(&self, clique: &Clique) -> Option<usize> {
        (0..self.cliques.len())
            .filter(|&node| clique.is_subset(&self.cliques[node]))
            .min_by_key(|&node| (self.domain.cells(&self.cliques[node]).unwrap_or(u64::MAX), node))
    }

    /// The domain.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The impossible combinations, which have probability 0 in every model on this tree.
    pub fn rules(&self) -> &[ImpossibleRule] {
        &self.rules
    }

    /// For each attribute of a clique, which of its codes a rule about it alone leaves.
    fn possible_codes(&self, clique: &Clique) -> Vec<Vec<bool>> {
        let codes = |attribute: &AttrId| {
            let mut codes = vec![true; self.domain.size(*attribute) as usize];
            for rule in &self.rules {
                if let [(own, never)] = &rule.parts[..]
                    && own == attribute
                {
                    never.iter().for_each(|&code| codes[code as usize] = false);
                }
            }
            codes
        };
        clique.attributes().iter().map(codes).collect()
    }

    /// How many cells of a clique such rules leave.
    pub fn possible_cells(&self, clique: &Clique) -> usize {
        let possible = |codes: Vec<bool>| codes.into_iter().filter(|&possible| possible).count();
        self.possible_codes(clique).into_iter().map(possible).product()
    }

    /// Takes what was measured from cells that such rules forbid: it is noise that no model can
    /// fit.
    pub fn clear_impossible(&self, clique: &Clique, cells: &mut [f64]) {
        let mut block = cells.len();
        for codes in self.possible_codes(clique) {
            block /= codes.len().max(1);
            if codes.iter().all(|&possible| possible) {
                continue;
            }
            for (place, part) in cells.chunks_mut(block.max(1)).enumerate() {
                if !codes[place % codes.len()] {
                    part.fill(0.0);
                }
            }
        }
    }

    /// The tree's cliques.
    pub fn cliques(&self) -> &[Clique] {
        &self.cliques
    }

    /// The cliques joined to a clique, by number.
    pub fn neighbours(&self, clique: usize) -> &[usize] {
        &self.neighbours[clique]
    }

    /// Cells of all cliques together: what memory and time grow with. Saturates.
    pub fn cells(&self) -> u64 {
        self.cliques.iter().fold(0u64, |sum, clique| sum.saturating_add(self.domain.cells(clique).unwrap_or(u64::MAX)))
    }
}

fn attributes(members: &[usize]) -> Clique {
    Clique::new(members.iter().map(|&member| AttrId(member as u32)))
}

fn rule_clique(domain: &Domain, rule: &ImpossibleRule) -> Result<Clique, ModelError> {
    let clique = Clique::new(rule.parts.iter().map(|part| part.0));
    check_clique(domain, &clique)?;
    let repeated = clique.len() != rule.parts.len() || clique.is_empty();
    refuse_if(repeated, "an impossible rule names a column twice, or none")?;
    for (attribute, codes) in &rule.parts {
        let beyond = codes.iter().any(|&code| code >= domain.size(*attribute));
        refuse_if(beyond, "an impossible rule names a code that the column lacks")?;
    }
    Ok(clique)
}
