//! Independent columns with replacement, as version 1 drew them: the rows of released models rest
//! on every bit of this.

use super::alias::Alias;
use super::rng::SampleRng;
use crate::Rules;
use crate::impossible::{LayerEdge, RuleGroup};
use crate::structure::product::Product;

/// What the stream of a block is for.
const CODES: &str = "lookalike codes v1";

/// Draws columns by themselves, and tied ones along their group's graph.
pub(crate) struct ProductSampler {
    columns: usize,
    free: Vec<(usize, Alias)>,
    tied: Vec<TiedSampler>,
}

impl ProductSampler {
    pub fn new(product: &Product, rules: &Rules) -> Self {
        let columns = product.columns();
        let tied = rules.groups().iter().map(|group| TiedSampler::new(group, columns)).collect();
        // A model's columns always have weight, so that no column is left out here.
        let free = (0..columns.len())
            .filter(|&attribute| !rules.ties(attribute))
            .filter_map(|attribute| Some((attribute, Alias::new(&columns[attribute])?)))
            .collect();
        Self { columns: columns.len(), free, tied }
    }

    pub fn len(&self) -> usize {
        self.columns
    }

    pub fn draw(&self, seed: u64, index: u64, rows: usize) -> Vec<Vec<u32>> {
        let mut rng = SampleRng::new(seed, CODES, index);
        let mut columns = vec![Vec::new(); self.columns];
        for (attribute, alias) in &self.free {
            columns[*attribute] = (0..rows).map(|_| alias.draw(&mut rng)).collect();
        }
        self.tied.iter().for_each(|tied| tied.draw(rows, &mut rng, &mut columns));
        columns
    }
}

/// Draws the columns of a group along its graph: a class given the rules met so far, then a code of
/// the class.
struct TiedSampler {
    group: RuleGroup,
    /// For each layer and node, which edge to take.
    edges: Vec<Vec<Option<Alias>>>,
    /// For each layer and class, which of its codes to take.
    codes: Vec<Vec<Option<Alias>>>,
}

impl TiedSampler {
    fn new(group: &RuleGroup, columns: &[Vec<f64>]) -> Self {
        let masses = group.class_masses(columns);
        let to_end = group.to_end(&masses);
        let mut edges = Vec::new();
        let mut codes = Vec::new();
        for (j, layer) in group.layers.iter().enumerate() {
            let node = |node: &Vec<LayerEdge>| {
                let ends = &to_end.as_ref()?[j + 1];
                let weight = |edge: &LayerEdge| masses[j][edge.class as usize] * ends[edge.next as usize];
                Alias::of_weights(&node.iter().map(weight).collect::<Vec<f64>>())
            };
            edges.push(layer.iter().map(node).collect());
            let column = &group.columns[j];
            let class = |codes: &Vec<u32>| {
                Alias::of_weights(
                    &codes.iter().map(|&code| columns[column.attribute][code as usize]).collect::<Vec<f64>>(),
                )
            };
            codes.push(column.classes.iter().map(class).collect());
        }
        Self { group: group.clone(), edges, codes }
    }

    fn draw(&self, rows: usize, rng: &mut SampleRng, columns: &mut [Vec<u32>]) {
        let mut nodes = vec![0u32; rows];
        for (j, layer) in self.group.layers.iter().enumerate() {
            let column = &self.group.columns[j];
            let drawn = nodes.iter_mut().map(|node| {
                let edges = &layer[*node as usize];
                // Every node that a path with weight leads to has an edge with weight, so that 0 is
                // never used in place of a draw; it would still be a possible row.
                let pick = self.edges[j][*node as usize].as_ref().map_or(0, |alias| alias.draw(rng));
                let edge = edges[pick as usize];
                *node = edge.next;
                let codes = &column.classes[edge.class as usize];
                let pick = match &self.codes[j][edge.class as usize] {
                    Some(alias) if codes.len() > 1 => alias.draw(rng),
                    _ => 0,
                };
                codes[pick as usize]
            });
            columns[column.attribute] = drawn.collect();
        }
    }
}
