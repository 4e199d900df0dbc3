//! Columns that impossible rules tie together, as a layered graph of their possible rows.

use std::collections::BTreeMap;

use crate::ModelError;

/// More edges than this are refused. Rules as people write them need a few dozen.
const MAX_EDGES: usize = 1 << 18;

/// More words of rule sets than this are refused (a column's codes times the group's rules, in
/// words of 64).
const MAX_MASK_WORDS: usize = 1 << 22;

/// A rule without what does not matter: `(attribute, codes)` where each part covers some codes but
/// not all.
pub(super) struct ReducedRule {
    pub(super) parts: Vec<(usize, Vec<u32>)>,
}

/// The columns of one group, each with its classes, and the layered graph.
///
/// Codes of a column that meet the same rules form a class. A node of a layer stands for the set of
/// rules that the columns so far have all met; an edge for a class of the next column. A path that
/// meets every column of some rule is left out, and so is a node that no path leads through, so
/// every path from the first node to the last is possible.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RuleGroup {
    /// In the order of the layers.
    pub(crate) columns: Vec<GroupColumn>,
    /// `layers[j][node]` lists the edges from layer `j` to layer `j + 1`. The first layer and the
    /// one after the last have a single node.
    pub(crate) layers: Vec<Vec<Vec<LayerEdge>>>,
}

/// One column of a group.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GroupColumn {
    /// The attribute's index.
    pub(crate) attribute: usize,
    /// The codes of each class, ascending. Codes that no row may have are in no class.
    pub(crate) classes: Vec<Vec<u32>>,
    /// The rules that each class meets, as bits; rules that do not speak of the column count as
    /// met.
    masks: Vec<Vec<u64>>,
}

/// A class of the next column and the node it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LayerEdge {
    pub(crate) class: u32,
    pub(crate) next: u32,
}

impl RuleGroup {
    pub(super) fn new(
        sizes: &[u32],
        possible: &[Option<Vec<bool>>],
        rules: Vec<ReducedRule>,
    ) -> Result<Self, ModelError> {
        let mut degree: BTreeMap<usize, usize> = BTreeMap::new();
        for (attribute, _) in rules.iter().flat_map(|rule| &rule.parts) {
            *degree.entry(*attribute).or_default() += 1;
        }
        let mut attributes: Vec<usize> = degree.keys().copied().collect();
        // Columns of many rules first: most rules are then settled early and few sets stay open.
        // The order of the columns is tried as well, since it suits rules that form a chain.
        attributes.sort_by_key(|attribute| (std::cmp::Reverse(degree[attribute]), *attribute));
        let mut by_place = attributes.clone();
        by_place.sort_unstable();
        let tries = [attributes, by_place].map(|order| Self::in_order(sizes, possible, &rules, &order));
        let [first, second] = tries;
        match (first, second) {
            (Ok(one), Ok(two)) => Ok(if one.edges() <= two.edges() { one } else { two }),
            (Ok(one), Err(_)) | (Err(_), Ok(one)) => Ok(one),
            (Err(error), Err(_)) => Err(error),
        }
    }

    /// The graph with its layers in the given order of the columns.
    pub(super) fn in_order(
        sizes: &[u32],
        possible: &[Option<Vec<bool>>],
        rules: &[ReducedRule],
        order: &[usize],
    ) -> Result<Self, ModelError> {
        let columns = order
            .iter()
            .map(|&attribute| GroupColumn::new(attribute, sizes[attribute], possible[attribute].as_deref(), rules))
            .collect::<Result<Vec<_>, _>>()?;
        let layers = prune(forward(&columns, rules)?)?;
        Ok(Self { columns, layers })
    }

    fn edges(&self) -> usize {
        self.layers.iter().flatten().map(Vec::len).sum()
    }
}

impl GroupColumn {
    fn new(attribute: usize, size: u32, possible: Option<&[bool]>, rules: &[ReducedRule]) -> Result<Self, ModelError> {
        let words = rules.len().div_ceil(64);
        if (size as usize).saturating_mul(words) > MAX_MASK_WORDS {
            return Err(tangled());
        }
        let mut masks = vec![vec![0u64; words]; size as usize];
        for (index, rule) in rules.iter().enumerate() {
            let bit = 1u64 << (index % 64);
            match rule.parts.iter().find(|(other, _)| *other == attribute) {
                Some((_, codes)) => codes.iter().for_each(|&code| masks[code as usize][index / 64] |= bit),
                None => masks.iter_mut().for_each(|mask| mask[index / 64] |= bit),
            }
        }
        let mut classes: BTreeMap<Vec<u64>, Vec<u32>> = BTreeMap::new();
        for (code, mask) in masks.into_iter().enumerate() {
            if possible.is_none_or(|codes| codes[code]) {
                classes.entry(mask).or_default().push(code as u32);
            }
        }
        let (masks, classes) = classes.into_iter().unzip();
        Ok(Self { attribute, classes, masks })
    }
}

/// All layers, with nodes that may lead nowhere.
fn forward(columns: &[GroupColumn], rules: &[ReducedRule]) -> Result<Vec<Vec<Vec<LayerEdge>>>, ModelError> {
    let words = rules.len().div_ceil(64);
    let settled = settled_after(columns, rules, words);
    let mut open = vec![u64::MAX; words];
    if !rules.len().is_multiple_of(64) {
        open[words - 1] = (1 << (rules.len() % 64)) - 1;
    }
    let mut nodes = vec![open];
    let (mut layers, mut edges) = (Vec::new(), 0);
    for (column, settled) in columns.iter().zip(&settled) {
        let mut next: BTreeMap<Vec<u64>, u32> = BTreeMap::new();
        let mut reached: Vec<Vec<u64>> = Vec::new();
        let mut layer = Vec::with_capacity(nodes.len());
        for node in &nodes {
            let mut out = Vec::new();
            for (class, mask) in column.masks.iter().enumerate() {
                let met: Vec<u64> = node.iter().zip(mask).map(|(a, b)| a & b).collect();
                // A rule whose last column is met too forbids the path.
                if met.iter().zip(settled).any(|(met, settled)| met & settled != 0) {
                    continue;
                }
                let index = *next.entry(met.clone()).or_insert_with(|| {
                    reached.push(met);
                    reached.len() as u32 - 1
                });
                out.push(LayerEdge { class: class as u32, next: index });
                edges += 1;
                if edges * words.max(1) > MAX_EDGES {
                    return Err(tangled());
                }
            }
            layer.push(out);
        }
        layers.push(layer);
        nodes = reached;
    }
    Ok(layers)
}

/// For each layer, the rules whose last column it is.
fn settled_after(columns: &[GroupColumn], rules: &[ReducedRule], words: usize) -> Vec<Vec<u64>> {
    let place: BTreeMap<usize, usize> = columns.iter().enumerate().map(|(j, column)| (column.attribute, j)).collect();
    let mut settled = vec![vec![0u64; words]; columns.len()];
    for (index, rule) in rules.iter().enumerate() {
        if let Some(last) = rule.parts.iter().map(|(attribute, _)| place[attribute]).max() {
            settled[last][index / 64] |= 1 << (index % 64);
        }
    }
    settled
}

/// Drops edges to nodes from which no path reaches the end. Node numbers stay.
fn prune(mut layers: Vec<Vec<Vec<LayerEdge>>>) -> Result<Vec<Vec<Vec<LayerEdge>>>, ModelError> {
    for j in (0..layers.len().saturating_sub(1)).rev() {
        let alive: Vec<bool> = layers[j + 1].iter().map(|edges| !edges.is_empty()).collect();
        layers[j].iter_mut().for_each(|edges| edges.retain(|edge| alive[edge.next as usize]));
    }
    match layers.first().and_then(|layer| layer.first()) {
        Some(edges) if !edges.is_empty() => Ok(layers),
        _ => Err(ModelError::shape("the [[impossible]] rules of the schema leave no possible row")),
    }
}

fn tangled() -> ModelError {
    ModelError::shape(
        "the [[impossible]] rules of the schema are too many or too entangled to work with; leave out or merge some",
    )
}
