//! Workloads: which tables a release should be good at, and how much each counts.
//!
//! As typed, a workload names columns ([`WorkloadSpec`]); a method resolves it against the schema
//! it runs with ([`Workload`]).

mod spec;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use lookalike_schema::{AttrId, Clique, Schema};

pub use spec::{MOST_WAYS, SpecTable, WorkloadSpec};

use crate::{MethodError, Request};

/// How many times a table with the target counts.
pub const TARGET_FACTOR: f64 = 4.0;
/// More columns than this, and all tables of three would be too many to choose from.
const MOST_COLUMNS_OF_TRIPLES: usize = 60;

/// A workload over the columns of a schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Workload {
    /// The tables, with weights above 0. Distinct, ascending.
    tables: BTreeMap<Clique, f64>,
    ways: Option<usize>,
    columns: usize,
    target: Option<AttrId>,
}

impl Workload {
    /// What a request asks for.
    pub fn of(request: &Request, schema: &Schema) -> Result<Self, MethodError> {
        Self::resolve(request.workload.as_ref(), request.target.as_deref(), schema)
    }

    /// Resolves what was typed; without anything, all tables of three columns, or of two where
    /// there are more than 60 columns.
    ///
    /// # Errors
    /// A column that the schema lacks, named with its file and line.
    pub fn resolve(spec: Option<&WorkloadSpec>, target: Option<&str>, schema: &Schema) -> Result<Self, MethodError> {
        let columns = schema.domain().len();
        let target = target.map(|name| find(schema, name, "target")).transpose()?;
        let usual = WorkloadSpec::AllOf(if columns > MOST_COLUMNS_OF_TRIPLES { 2 } else { 3 });
        let (mut tables, mut ways) = (BTreeMap::new(), None);
        match spec.unwrap_or(&usual) {
            WorkloadSpec::AllOf(all) => ways = Some((*all).min(columns)),
            WorkloadSpec::Tables { file, tables: lines } => {
                for line in lines {
                    let place = format!("{file}, line {}", line.line);
                    let found: Result<Vec<AttrId>, MethodError> =
                        line.columns.iter().map(|name| find(schema, name, &place)).collect();
                    *tables.entry(Clique::new(found?)).or_insert(0.0) += line.weight;
                }
                for (clique, weight) in &mut tables {
                    if target.is_some_and(|target| clique.contains(target)) {
                        *weight *= TARGET_FACTOR;
                    }
                }
            }
        }
        Ok(Self { tables, ways, columns, target })
    }

    /// The column that others will be used to predict.
    pub fn target(&self) -> Option<AttrId> {
        self.target
    }

    /// How much each column counts: the summed weights of the tables that have it. The weight of a
    /// candidate is the sum over its columns, which is the summed weight of what it shares with
    /// each table.
    pub fn column_weights(&self) -> Vec<f64> {
        let mut weights = vec![0.0; self.columns];
        let Some(ways) = self.ways.filter(|&ways| ways > 0) else {
            for (clique, weight) in &self.tables {
                clique.attributes().iter().for_each(|attribute| weights[attribute.index()] += weight);
            }
            return weights;
        };
        // Tables with a given column, and tables with it and the target.
        let all = choose(self.columns - 1, ways - 1);
        let both = if self.columns < 2 || ways < 2 { 0.0 } else { choose(self.columns - 2, ways - 2) };
        for (column, weight) in weights.iter_mut().enumerate() {
            let with_target = match self.target {
                Some(target) if target.index() == column => all,
                Some(_) => both,
                None => 0.0,
            };
            *weight = all + (TARGET_FACTOR - 1.0) * with_target;
        }
        weights
    }

    /// The workload closed downwards: all sets of at least two columns inside some table, pairs
    /// first, in a fixed order.
    pub fn closure(&self) -> Vec<Clique> {
        let mut sets: Vec<Clique> = match self.ways {
            Some(ways) => {
                let all: Vec<AttrId> = (0..self.columns as u32).map(AttrId).collect();
                subsets(&all, ways)
            }
            None => {
                let inside = |clique: &Clique| subsets(clique.attributes(), clique.len());
                self.tables.keys().flat_map(inside).collect()
            }
        };
        sets.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        sets.dedup();
        sets
    }
}

/// All subsets with two to `most` members.
fn subsets(members: &[AttrId], most: usize) -> Vec<Clique> {
    let mut found: Vec<Vec<AttrId>> = vec![Vec::new()];
    for &member in members {
        let wider: Vec<Vec<AttrId>> =
            found.iter().filter(|set| set.len() < most).map(|set| [set.as_slice(), &[member]].concat()).collect();
        found.extend(wider);
    }
    found.into_iter().filter(|set| set.len() >= 2).map(Clique::new).collect()
}

/// n over k, as a float.
fn choose(n: usize, k: usize) -> f64 {
    (0..k).map(|i| (n as f64 - i as f64).max(0.0) / (i as f64 + 1.0)).product()
}

fn find(schema: &Schema, name: &str, place: &str) -> Result<AttrId, MethodError> {
    schema.find(name).map_err(|(what, help)| MethodError::Setting { what: format!("{place}: {name:?}: {what}"), help })
}
