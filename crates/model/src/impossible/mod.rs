//! Structural zeros: what the schema calls impossible has probability 0 in every model.
//!
//! A rule about one column removes codes from that column. Rules about several columns tie these
//! columns together into a `RuleGroup`: a layered graph whose paths are exactly the possible rows
//! of the group's columns. Drawing a path is exact and takes one pass. Redrawing rows until one is
//! possible was rejected: with many rules most draws are impossible, and any bound on the number of
//! tries would then shape the rows.
//!
//! All refusals here depend on the schema alone.

mod coarse;
mod group;
mod mass;

use lookalike_schema::{ImpossibleRule, Schema};

use crate::{ModelError, refuse_if};
use group::ReducedRule;
pub(crate) use group::{LayerEdge, RuleGroup};

/// The schema's impossible rules in the form that models work with.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// For each attribute, which codes are possible; `None` when all are.
    possible: Vec<Option<Vec<bool>>>,
    /// Columns that are tied together, each in one group at most.
    groups: Vec<RuleGroup>,
}

/// For each attribute, which codes are possible; `None` when all are.
type Possible = Vec<Option<Vec<bool>>>;

impl Rules {
    /// Checks that the rules leave at least one possible row, and that they are not too tangled to
    /// work with.
    ///
    /// A method calls this before it pays, so that a contradictory schema costs nothing.
    pub fn new(schema: &Schema) -> Result<Self, ModelError> {
        Self::from_parts(schema.domain().sizes(), schema.impossible())
    }

    pub(crate) fn from_parts(sizes: &[u32], rules: &[ImpossibleRule]) -> Result<Self, ModelError> {
        let (possible, several) = sort(sizes, rules)?;
        let groups = tie(sizes.len(), several)
            .into_iter()
            .map(|conditions| RuleGroup::new(sizes, &possible, conditions))
            .collect::<Result<_, _>>()?;
        Ok(Self { possible, groups })
    }

    /// The groups alone, with their columns in the given order of all columns.
    pub(crate) fn groups_in_order(
        sizes: &[u32],
        rules: &[ImpossibleRule],
        order: &[usize],
    ) -> Result<Vec<RuleGroup>, ModelError> {
        let (possible, several) = sort(sizes, rules)?;
        let group = |conditions: Vec<ReducedRule>| {
            let speaks = |column: usize| conditions.iter().any(|one| one.parts.iter().any(|part| part.0 == column));
            let own: Vec<usize> = order.iter().copied().filter(|&column| speaks(column)).collect();
            RuleGroup::in_order(sizes, &possible, &conditions, &own)
        };
        tie(sizes.len(), several).into_iter().map(group).collect()
    }

    /// Whether rules about this column alone allow the code. No rule speaks of variables behind the
    /// columns.
    pub fn allows(&self, attribute: usize, code: usize) -> bool {
        self.possible.get(attribute).and_then(Option::as_ref).is_none_or(|codes| codes[code])
    }

    /// Whether a rule about several columns speaks of this one.
    pub(crate) fn ties(&self, attribute: usize) -> bool {
        self.groups.iter().any(|group| group.columns.iter().any(|column| column.attribute == attribute))
    }

    pub(crate) fn groups(&self) -> &[RuleGroup] {
        &self.groups
    }
}

/// Codes that rules about single columns leave, and the rules about several columns.
fn sort(sizes: &[u32], rules: &[ImpossibleRule]) -> Result<(Possible, Vec<ReducedRule>), ModelError> {
    let mut possible: Possible = vec![None; sizes.len()];
    let mut several = Vec::new();
    for rule in rules {
        let Some(condition) = simplify(sizes, rule)? else { continue };
        match condition.parts.as_slice() {
            [] => return Err(ModelError::shape("an [[impossible]] rule of the schema covers every row")),
            [(attribute, codes)] => {
                let column = possible[*attribute].get_or_insert_with(|| vec![true; sizes[*attribute] as usize]);
                codes.iter().for_each(|&code| column[code as usize] = false);
            }
            _ => several.push(condition),
        }
    }
    let emptied = possible.iter().flatten().any(|codes| !codes.contains(&true));
    refuse_if(emptied, "the [[impossible]] rules of the schema leave a column without any value")?;
    Ok((possible, several))
}

/// Drops parts that cover a whole column and rules that can never apply.
fn simplify(sizes: &[u32], rule: &ImpossibleRule) -> Result<Option<ReducedRule>, ModelError> {
    let mut parts = Vec::new();
    for (attribute, codes) in &rule.parts {
        let size = *sizes
            .get(attribute.index())
            .ok_or_else(|| ModelError::shape("an [[impossible]] rule speaks of a column that is not modelled"))?;
        let mut codes: Vec<u32> = codes.iter().copied().filter(|&code| code < size).collect();
        codes.sort_unstable();
        codes.dedup();
        if codes.is_empty() {
            return Ok(None);
        }
        if codes.len() < size as usize {
            parts.push((attribute.index(), codes));
        }
    }
    Ok(Some(ReducedRule { parts }))
}

/// Sorts rules into sets that share columns, directly or through others.
fn tie(columns: usize, rules: Vec<ReducedRule>) -> Vec<Vec<ReducedRule>> {
    let mut leader: Vec<usize> = (0..columns).collect();
    fn find(leader: &mut [usize], mut column: usize) -> usize {
        while leader[column] != column {
            leader[column] = leader[leader[column]];
            column = leader[column];
        }
        column
    }
    for rule in &rules {
        let first = find(&mut leader, rule.parts[0].0);
        for (column, _) in &rule.parts[1..] {
            let other = find(&mut leader, *column);
            // The smaller index leads, so that the order of groups does not depend on the order of
            // rules.
            leader[other.max(first)] = other.min(first);
            if other < first {
                leader[first] = other;
            }
        }
    }
    let mut sets: std::collections::BTreeMap<usize, Vec<ReducedRule>> = std::collections::BTreeMap::new();
    for rule in rules {
        sets.entry(find(&mut leader, rule.parts[0].0)).or_default().push(rule);
    }
    sets.into_values().collect()
}
