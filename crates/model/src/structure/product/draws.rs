//! Independent columns as a sampling plan.

use std::collections::BTreeMap;
use std::sync::Arc;

use lookalike_schema::Grouping;

use super::Product;
use crate::impossible::{LayerEdge, RuleGroup};
use crate::sampling::plan::{Parent, SamplingPlan, Weights};
use crate::{ModelError, Rules};

impl Product {
    /// Each column by itself. Columns that rules tie together are drawn along their group's graph:
    /// a hidden edge of each layer given the one before, then the column's code given the edge's
    /// class.
    pub fn sampling_plan(&self, sizes: &[u32], rules: &Rules) -> Result<SamplingPlan, ModelError> {
        let mut sampling_plan = SamplingPlan::new(sizes);
        for (attribute, weights) in self.columns().iter().enumerate().filter(|column| !rules.ties(column.0)) {
            sampling_plan.push(vec![], vec![attribute], Weights::dense(weights, weights.len()));
        }
        rules.groups().iter().try_for_each(|group| self.push_group(group, &mut sampling_plan))?;
        Ok(sampling_plan)
    }

    fn push_group(&self, group: &RuleGroup, sampling_plan: &mut SamplingPlan) -> Result<(), ModelError> {
        let masses = group.class_masses(self.columns());
        let to_end = group.to_end(&masses).ok_or_else(|| ModelError::shape("the weights leave no possible row"))?;
        let mut before: Option<Parent> = None;
        let mut nodes = vec![0u32];
        for (j, (layer, column)) in group.layers.iter().zip(&group.columns).enumerate() {
            let (mut weights, mut nexts, mut classes) = (Weights::new(), Vec::new(), Vec::new());
            for &node in &nodes {
                let first = nexts.len() as u32;
                let edges = &layer[node as usize];
                let weight = |(place, edge): (usize, &LayerEdge)| {
                    (first + place as u32, masses[j][edge.class as usize] * to_end[j + 1][edge.next as usize])
                };
                weights.push(edges.iter().enumerate().map(weight));
                nexts.extend(edges.iter().map(|edge| edge.next));
                classes.extend(edges.iter().map(|edge| edge.class));
            }
            let edge = sampling_plan.hide(nexts.len() as u32);
            sampling_plan.push(before.into_iter().collect(), vec![edge], weights);
            let (grouping, kinds) = numbered(&classes)?;
            let mut codes = Weights::new();
            for class in kinds {
                let own = &self.columns()[column.attribute];
                codes.push(column.classes[class as usize].iter().map(|&code| (code, own[code as usize])));
            }
            let parent = Parent { variable: edge, grouping: Some(grouping) };
            sampling_plan.push(vec![parent], vec![column.attribute], codes);
            let (grouping, reached) = numbered(&nexts)?;
            before = Some(Parent { variable: edge, grouping: Some(grouping) });
            nodes = reached;
        }
        Ok(())
    }
}

/// Any labels as groups numbered without gaps, and the label of each group.
fn numbered(labels: &[u32]) -> Result<(Arc<Grouping>, Vec<u32>), ModelError> {
    let mut names: Vec<u32> = labels.to_vec();
    names.sort_unstable();
    names.dedup();
    let place: BTreeMap<u32, u32> = names.iter().enumerate().map(|(place, &name)| (name, place as u32)).collect();
    let grouping = Grouping::new(labels.iter().map(|label| place[label]).collect());
    Ok((Arc::new(grouping.map_err(|error| ModelError::shape(error.to_string()))?), names))
}
