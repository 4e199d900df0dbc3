//! Sampling rows, block by block, the same whatever the thread count.

use crate::alias::Alias;
use crate::impossible::{Edge, Group};
use crate::product::Product;
use crate::{Rules, SampleRng};

/// The rows of a block (the last one may have fewer). Part of what fixes the rows of a seed: never changed.
pub const BLOCK_ROWS: usize = 8192;

/// What the two streams of a block are for. Part of what fixes the rows of a seed: never changed.
const CODES: &str = "lookalike codes v1";
const PLACES: &str = "lookalike places v1";

/// Draws blocks of rows in any order.
pub struct Sampler<'a> {
    columns: usize,
    rows: u64,
    seed: u64,
    free: Vec<(usize, Alias)>,
    tied: Vec<TiedSampler<'a>>,
}

/// Consecutive sampled rows.
pub struct SampledBlock {
    /// The number of the first row, from 0.
    pub first_row: u64,
    /// The number of rows.
    pub rows: usize,
    /// Codes, one vector a modelled column.
    pub columns: Vec<Vec<u32>>,
    /// The block's own generator, for places inside bins.
    pub rng: SampleRng,
}

impl<'a> Sampler<'a> {
    pub(crate) fn of_product(product: &Product, rules: &'a Rules, rows: u64, seed: u64) -> Self {
        let columns = product.columns();
        let groups = rules.groups();
        let tied = groups.iter().map(|group| TiedSampler::new(group, columns)).collect();
        let is_free =
            |attribute: usize| !groups.iter().any(|group| group.columns.iter().any(|c| c.attribute == attribute));
        // A model's columns always have weight, so that no column is left out here.
        let free = (0..columns.len())
            .filter(|&attribute| is_free(attribute))
            .filter_map(|attribute| Some((attribute, Alias::new(&columns[attribute])?)))
            .collect();
        Self { columns: columns.len(), rows, seed, free, tied }
    }

    /// The number of rows in all blocks together.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        self.rows.div_ceil(BLOCK_ROWS as u64)
    }

    /// One block, by index. Depends on model, seed and index only, and on the number of rows for the last block.
    /// A block beyond the last has no rows.
    pub fn block(&self, index: u64) -> SampledBlock {
        let first_row = index.saturating_mul(BLOCK_ROWS as u64).min(self.rows);
        let rows = (self.rows - first_row).min(BLOCK_ROWS as u64) as usize;
        let mut rng = SampleRng::new(self.seed, CODES, index);
        let mut columns = vec![Vec::new(); self.columns];
        for (attribute, alias) in &self.free {
            columns[*attribute] = (0..rows).map(|_| alias.draw(&mut rng)).collect();
        }
        self.tied.iter().for_each(|tied| tied.draw(rows, &mut rng, &mut columns));
        SampledBlock { first_row, rows, columns, rng: SampleRng::new(self.seed, PLACES, index) }
    }
}

/// Draws the columns of a group along its graph: a class given the rules met so far, then a code of the class.
struct TiedSampler<'a> {
    group: &'a Group,
    /// For each layer and node, which edge to take.
    edges: Vec<Vec<Option<Alias>>>,
    /// For each layer and class, which of its codes to take.
    codes: Vec<Vec<Option<Alias>>>,
}

impl<'a> TiedSampler<'a> {
    fn new(group: &'a Group, columns: &[Vec<f64>]) -> Self {
        let masses = group.class_masses(columns);
        let to_end = group.to_end(&masses);
        let mut edges = Vec::new();
        let mut codes = Vec::new();
        for (j, layer) in group.layers.iter().enumerate() {
            let node = |node: &Vec<Edge>| {
                let ends = &to_end.as_ref()?[j + 1];
                let weight = |edge: &Edge| masses[j][edge.class as usize] * ends[edge.next as usize];
                normalized(&node.iter().map(weight).collect::<Vec<f64>>())
            };
            edges.push(layer.iter().map(node).collect());
            let column = &group.columns[j];
            let class = |codes: &Vec<u32>| {
                normalized(&codes.iter().map(|&code| columns[column.attribute][code as usize]).collect::<Vec<f64>>())
            };
            codes.push(column.classes.iter().map(class).collect());
        }
        Self { group, edges, codes }
    }

    fn draw(&self, rows: usize, rng: &mut SampleRng, columns: &mut [Vec<u32>]) {
        let mut nodes = vec![0u32; rows];
        for (j, layer) in self.group.layers.iter().enumerate() {
            let column = &self.group.columns[j];
            let drawn = nodes.iter_mut().map(|node| {
                let edges = &layer[*node as usize];
                // Every node that a path with weight leads to has an edge with weight, so that 0 is never used in
                // place of a draw; it would still be a possible row.
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

/// The alias table of weights that need not sum to 1. One pass in a fixed order: the same sum everywhere.
fn normalized(weights: &[f64]) -> Option<Alias> {
    let sum: f64 = weights.iter().sum();
    if sum > 0.0 { Alias::new(&weights.iter().map(|weight| weight / sum).collect::<Vec<f64>>()) } else { None }
}
