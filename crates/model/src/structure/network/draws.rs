//! A network as a sampling plan.

use super::NetworkModel;
use super::conditional::Conditional;
use crate::ModelError;
use crate::impossible::RuleGroup;
use crate::sampling::plan::{Parent, SamplingPlan, Weights};

/// A draw with more cells than this is refused: rules that many columns bear on meet a column with
/// many parents.
const MAX_CELLS: usize = 1 << 27;

/// What the rules leave of a column, for each set of rules met so far.
struct PossibleCodes {
    /// For each node of the layer: the codes that may follow, and the node each leads to.
    nodes: Vec<Vec<(u32, u32)>>,
    /// The nodes of the next layer.
    next: usize,
}

impl PossibleCodes {
    fn new(group: &RuleGroup, layer: usize) -> Self {
        let classes = &group.columns[layer].classes;
        let codes = |edges: &Vec<crate::impossible::LayerEdge>| {
            let pairs =
                edges.iter().flat_map(|edge| classes[edge.class as usize].iter().map(|&code| (code, edge.next)));
            let mut pairs: Vec<(u32, u32)> = pairs.collect();
            pairs.sort_unstable();
            pairs
        };
        let next = group.layers.get(layer + 1).map_or(1, Vec::len);
        Self { nodes: group.layers[layer].iter().map(codes).collect(), next }
    }
}

impl NetworkModel {
    /// Refuses draws that would be too large, before they are made.
    pub(super) fn check_draws(&self, sizes: &[u32]) -> Result<(), ModelError> {
        for group in &self.groups {
            for (layer, column) in group.columns.iter().enumerate() {
                let table = self.conditionals.iter().find(|one| one.child.index() == column.attribute);
                let cells = table.map_or(0, |one| one.weights.len().max(sizes[column.attribute] as usize));
                if cells.saturating_mul(group.layers[layer].len()) > MAX_CELLS {
                    return Err(ModelError::shape(
                        "the [[impossible]] rules of the schema are too entangled for this network; leave out some, or \
                         let their columns depend on fewer others",
                    ));
                }
            }
        }
        Ok(())
    }

    pub(super) fn draws(&self, sizes: &[u32]) -> SamplingPlan {
        let mut sampling_plan = SamplingPlan::new(sizes);
        self.hidden().iter().for_each(|&size| {
            sampling_plan.hide(size);
        });
        let sizes = &sampling_plan.sizes.clone();
        // The hidden variable of each group that holds the node reached so far; the first node is
        // the only one.
        let mut states: Vec<Option<usize>> = vec![None; self.groups.len()];
        for conditional in &self.conditionals {
            let child = conditional.child.index();
            let tied = self.groups.iter().enumerate().find_map(|(number, group)| {
                group.columns.iter().position(|column| column.attribute == child).map(|layer| (number, layer))
            });
            match tied {
                None => push_free(&mut sampling_plan, conditional, sizes),
                Some((number, layer)) => {
                    let live = PossibleCodes::new(&self.groups[number], layer);
                    states[number] = push_tied(&mut sampling_plan, conditional, sizes, &live, states[number]);
                }
            }
        }
        sampling_plan
    }
}

fn parents(conditional: &Conditional) -> Vec<Parent> {
    let parent = |(attribute, grouping): &(lookalike_schema::AttrId, Option<std::sync::Arc<_>>)| Parent {
        variable: attribute.index(),
        grouping: grouping.clone(),
    };
    conditional.parents.iter().map(parent).collect()
}

/// A column that no rule ties: the table itself, and the refinement after it.
fn push_free(sampling_plan: &mut SamplingPlan, conditional: &Conditional, sizes: &[u32]) {
    let (child, width) = (conditional.child.index(), conditional.width(sizes));
    let weights = Weights::dense(&conditional.weights, width);
    let Some(refinement) = &conditional.refinement else {
        return sampling_plan.push(parents(conditional), vec![child], weights);
    };
    let coarse = sampling_plan.hide(width as u32);
    sampling_plan.push(parents(conditional), vec![coarse], weights);
    sampling_plan.push(vec![Parent::plain(coarse)], vec![child], refinement.draws());
}

/// A column that rules tie to others: only codes that may follow, and the node that they lead to.
/// Returns the variable that holds the node, unless there is only one.
fn push_tied(
    sampling_plan: &mut SamplingPlan,
    conditional: &Conditional,
    sizes: &[u32],
    live: &PossibleCodes,
    state: Option<usize>,
) -> Option<usize> {
    let (child, width) = (conditional.child.index(), conditional.width(sizes));
    let next = (live.next > 1).then(|| sampling_plan.hide(live.next as u32));
    let seen = |mut parents: Vec<Parent>| {
        parents.extend(state.map(Parent::plain));
        parents
    };
    let ending = |code: u32, node: u32| if next.is_some() { code * live.next as u32 + node } else { code };
    let children: Vec<usize> = std::iter::once(child).chain(next).collect();
    let own = own_shape(&conditional.weights, width);
    let mut weights = Weights::new();
    match &conditional.refinement {
        None => {
            for row in conditional.weights.chunks_exact(width) {
                for codes in &live.nodes {
                    let entries = best(codes, |code| row[code as usize], |code| own[code as usize]);
                    weights.push(codes.iter().zip(entries).map(|(&(code, node), weight)| (ending(code, node), weight)));
                }
            }
            sampling_plan.push(seen(parents(conditional)), children, weights);
        }
        Some(refinement) => {
            let inside = |code: u32| refinement.weights[code as usize];
            let group = |code: u32| refinement.grouping.group(code) as usize;
            for row in conditional.weights.chunks_exact(width) {
                for codes in &live.nodes {
                    let entries =
                        best(codes, |code| row[group(code)] * inside(code), |code| own[group(code)] * inside(code));
                    let mut groups = vec![0.0; width];
                    codes.iter().zip(entries).for_each(|(&(code, _), weight)| groups[group(code)] += weight);
                    weights.push(groups.into_iter().enumerate().map(|(group, weight)| (group as u32, weight)));
                }
            }
            let coarse = sampling_plan.hide(width as u32);
            sampling_plan.push(seen(parents(conditional)), vec![coarse], weights);
            let mut fine = Weights::new();
            for place in 0..width {
                for codes in &live.nodes {
                    let codes: Vec<(u32, u32)> =
                        codes.iter().copied().filter(|&(code, _)| group(code) == place).collect();
                    let entries = best(&codes, inside, inside);
                    fine.push(codes.iter().zip(entries).map(|(&(code, node), weight)| (ending(code, node), weight)));
                }
            }
            sampling_plan.push(seen(vec![Parent::plain(coarse)]), children, fine);
        }
    }
    next
}

/// The first kind of weight that some code has; without any, all are alike.
fn best(codes: &[(u32, u32)], first: impl Fn(u32) -> f64, second: impl Fn(u32) -> f64) -> Vec<f64> {
    let firsts: Vec<f64> = codes.iter().map(|&(code, _)| first(code)).collect();
    if firsts.iter().any(|&weight| weight > 0.0) {
        return firsts;
    }
    let seconds: Vec<f64> = codes.iter().map(|&(code, _)| second(code)).collect();
    if seconds.iter().any(|&weight| weight > 0.0) { seconds } else { vec![1.0; codes.len()] }
}

/// The mean of a table's rows: what the column looks like when nothing is known of its parents.
fn own_shape(weights: &[f64], width: usize) -> Vec<f64> {
    let mut own = vec![0.0; width];
    for row in weights.chunks_exact(width) {
        own.iter_mut().zip(row).for_each(|(own, weight)| *own += weight);
    }
    own
}
