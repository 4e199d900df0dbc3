//! Growing a tree: what another clique would cost, and adding it.

use lookalike_schema::Clique;

use super::JunctionTree;
use super::graph::{Elimination, Graph, Heuristic, cheapest};
use crate::ModelError;
use crate::pgm::factor::layout::check_clique;

/// The part of a tree that another clique touches, ready to be built anew.
struct Region {
    /// Per tree clique, whether it is in the region.
    inside: Vec<bool>,
    /// The region's attributes, ascending: local number to attribute.
    members: Vec<usize>,
    sizes: Vec<f64>,
    graph: Graph,
    /// Cells of the region's cliques today.
    cells: f64,
}

impl JunctionTree {
    /// Whether the tree would have at most `most` cells with another clique.
    ///
    /// Only the part of the tree between the clique's attributes is looked at, and triangulated
    /// anew from what it has to cover: microseconds, so that a method can ask it of every
    /// candidate. [`JunctionTree::add`] gives no more cells. Refuses attributes that the domain
    /// lacks.
    pub fn has_room_for(&self, clique: &Clique, most: u64) -> Result<bool, ModelError> {
        check_clique(&self.domain, clique)?;
        let room = most as f64 - self.cells() as f64;
        if self.cliques.iter().any(|node| clique.is_subset(node)) {
            return Ok(room >= 0.0);
        }
        let region = self.region(clique);
        let most = region.cells + room;
        let fits = |graph: Graph, heuristic| graph.eliminate_within(&region.sizes, heuristic, most).is_some();
        Ok(fits(region.graph.clone(), Heuristic::MinFill) || fits(region.graph, Heuristic::MinSize))
    }

    /// The cells of the largest clique that the tree would have with another one: microseconds, as
    /// [`JunctionTree::has_room_for`], and by the same triangulation. Refuses attributes that the
    /// domain lacks.
    pub fn largest_after_adding(&self, clique: &Clique) -> Result<u64, ModelError> {
        check_clique(&self.domain, clique)?;
        let largest = |nodes: &mut dyn Iterator<Item = usize>| {
            nodes.map(|node| self.domain.cells(&self.cliques[node]).unwrap_or(u64::MAX)).max().unwrap_or(1)
        };
        if self.cliques.iter().any(|node| clique.is_subset(node)) {
            return Ok(largest(&mut (0..self.cliques.len())));
        }
        let region = self.region(clique);
        let fill = region.graph.clone().eliminate(&region.sizes, Heuristic::MinFill);
        let size = region.graph.clone().eliminate(&region.sizes, Heuristic::MinSize);
        let found = if size.cells < fill.cells { size } else { fill };
        let cells = |clique: &Vec<usize>| clique.iter().map(|&place| region.sizes[place]).product::<f64>();
        let inside = found.cliques.iter().map(cells).fold(1.0, f64::max);
        let outside = largest(&mut (0..self.cliques.len()).filter(|&node| !region.inside[node]));
        // A float beyond 64 bits becomes the largest number.
        Ok(outside.max(inside as u64))
    }

    /// Adds a clique: the cheaper of rebuilding the part of the tree that it touches and building
    /// the whole anew, so that a tree that grew is never larger than one made from scratch.
    ///
    /// Refuses attributes that the domain lacks.
    pub fn add(&mut self, clique: &Clique) -> Result<(), ModelError> {
        check_clique(&self.domain, clique)?;
        if clique.is_empty() || self.covered.binary_search(clique).is_ok() {
            return Ok(());
        }
        let inside = self.cliques.iter().any(|node| clique.is_subset(node));
        let region = (!inside).then(|| self.region(clique));
        let place = self.covered.partition_point(|other| other < clique);
        self.covered.insert(place, clique.clone());
        if let Some(region) = region {
            let local = cheapest(&region.graph, &region.sizes);
            let whole = cheapest(&self.graph(), &self.sizes());
            let others: f64 = (0..self.cliques.len())
                .filter(|&node| !region.inside[node])
                .map(|node| self.cells_of(&self.cliques[node]))
                .sum();
            if whole.cells <= others + local.cells {
                self.rebuild(whole.cliques);
            } else {
                self.splice(&region, local);
            }
        }
        self.find_homes();
        Ok(())
    }

    fn cells_of(&self, clique: &Clique) -> f64 {
        clique.attributes().iter().map(|&attribute| f64::from(self.domain.size(attribute))).product()
    }

    /// Puts the region's new cliques in place of the old ones.
    fn splice(&mut self, region: &Region, local: Elimination) {
        let mut cliques: Vec<Vec<usize>> =
            local.cliques.iter().map(|clique| clique.iter().map(|&place| region.members[place]).collect()).collect();
        let kept = (0..self.cliques.len()).filter(|&node| !region.inside[node]);
        let kept = kept.map(|node| self.cliques[node].attributes().iter().map(|a| a.index()).collect::<Vec<_>>());
        // A new clique may swallow an old one that hung on the region.
        let kept: Vec<Vec<usize>> =
            kept.filter(|old| !cliques.iter().any(|new| old.iter().all(|member| new.contains(member)))).collect();
        cliques.extend(kept);
        self.rebuild(cliques);
    }

    /// The smallest subtree that reaches all of the clique's attributes. What hangs on it stays as
    /// it is, so the overlaps with it must stay inside one clique each.
    fn region(&self, clique: &Clique) -> Region {
        let inside = self.subtree(clique);
        let mut local = vec![usize::MAX; self.domain.len()];
        let mut members: Vec<usize> = Vec::new();
        for node in (0..self.cliques.len()).filter(|&node| inside[node]) {
            for attribute in self.cliques[node].attributes() {
                if local[attribute.index()] == usize::MAX {
                    local[attribute.index()] = members.len();
                    members.push(attribute.index());
                }
            }
        }
        let mut graph = Graph::new(members.len());
        let mut places: Vec<usize> = Vec::new();
        let mut connect = |clique: &mut dyn Iterator<Item = usize>| {
            places.clear();
            places.extend(clique.map(|attribute| local[attribute]));
            graph.connect(&places);
        };
        connect(&mut clique.attributes().iter().map(|attribute| attribute.index()));
        for (covered, &home) in self.covered.iter().zip(&self.homes) {
            if inside[home] {
                connect(&mut covered.attributes().iter().map(|attribute| attribute.index()));
            }
        }
        let mut cells = 0.0;
        for node in (0..self.cliques.len()).filter(|&node| inside[node]) {
            cells += self.cells_of(&self.cliques[node]);
            for &other in self.neighbours[node].iter().filter(|&&other| !inside[other]) {
                let shared = self.cliques[node].attributes().iter();
                let shared = shared.filter(|&&attribute| self.cliques[other].contains(attribute));
                connect(&mut shared.map(|attribute| attribute.index()));
            }
        }
        let sizes = members.iter().map(|&attribute| f64::from(self.domain.sizes()[attribute])).collect();
        Region { inside, members, sizes, graph, cells }
    }

    /// Per tree clique, whether it is in the smallest subtree that holds every attribute of the
    /// clique: leaves that hold nothing of it beyond what their neighbour holds fall off.
    pub(crate) fn subtree(&self, clique: &Clique) -> Vec<bool> {
        let mut inside = vec![true; self.cliques.len()];
        let mut degree: Vec<usize> = self.neighbours.iter().map(Vec::len).collect();
        let mut leaves: Vec<usize> = (0..self.cliques.len()).filter(|&node| degree[node] == 1).collect();
        while let Some(leaf) = leaves.pop() {
            let Some(&other) = self.neighbours[leaf].iter().find(|&&other| inside[other]) else { continue };
            let mut mine = clique.attributes().iter().filter(|&&attribute| self.cliques[leaf].contains(attribute));
            if mine.all(|&attribute| self.cliques[other].contains(attribute)) {
                inside[leaf] = false;
                degree[other] -= 1;
                if degree[other] == 1 {
                    leaves.push(other);
                }
            }
        }
        inside
    }
}
