//! Structural zeros: combinations that cannot occur, as public knowledge.

mod condition;
#[cfg(test)]
mod tests;
mod together;

use std::collections::HashMap;

pub use condition::CellCondition;
pub(crate) use together::missing_together;

use crate::entries::Entries;
use crate::error::{Mistake, refuse_if};
use crate::nearest::suggestion;
use crate::{AttrId, Column, SchemaError};

/// One rule: a row is impossible when **every** listed attribute has one of its listed codes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImpossibleRule {
    /// For each attribute (ascending), the codes (ascending) that the condition covers.
    pub parts: Vec<(AttrId, Vec<u32>)>,
}

impl ImpossibleRule {
    /// Whether a full row of codes (one a modelled column) breaks the rule.
    pub fn forbids(&self, row: &[u32]) -> bool {
        self.parts.iter().all(|(attribute, codes)| codes.binary_search(&row[attribute.index()]).is_ok())
    }
}

/// A rule as a schema file words it: columns and their conditions.
pub(crate) type RuleFile = Entries<CellCondition>;

/// The most codes that all rules together may list. A hostile file could otherwise ask for
/// gigabytes in a few words.
const MOST_LISTED: usize = 1 << 25;

/// Turns conditions into codes.
pub(crate) fn compile_rules(rules: &[RuleFile], columns: &[Column]) -> Result<Vec<ImpossibleRule>, SchemaError> {
    if rules.is_empty() {
        return Ok(Vec::new());
    }
    let attributes = attributes(columns);
    let by_name: HashMap<&str, &Column> = columns.iter().map(|column| (column.name.as_str(), column)).collect();
    let mut compiled: Vec<ImpossibleRule> = Vec::with_capacity(rules.len());
    let mut listed = 0;
    for rule in rules {
        let rule = compile(rule, &attributes, &by_name)?;
        listed += rule.parts.iter().map(|(_, codes)| codes.len()).sum::<usize>();
        let what = format!("the [[impossible]] rules list more than {MOST_LISTED} codes");
        refuse_if(listed > MOST_LISTED, what, "use fewer rules, or fewer bins")?;
        compiled.push(rule);
    }
    refuse_empty_columns(&compiled, columns)?;
    Ok(compiled)
}

/// The attributes of modelled columns by name.
fn attributes(columns: &[Column]) -> HashMap<&str, AttrId> {
    let modelled = columns.iter().filter(|column| column.codec().is_some());
    modelled.zip(0..).map(|(column, index)| (column.name.as_str(), AttrId(index))).collect()
}

fn compile(
    rule: &RuleFile,
    attributes: &HashMap<&str, AttrId>,
    columns: &HashMap<&str, &Column>,
) -> Result<ImpossibleRule, SchemaError> {
    refuse_if(rule.0.is_empty(), "an [[impossible]] rule without conditions", "name at least one column in it")?;
    let mut parts = Vec::with_capacity(rule.0.len());
    for (name, condition) in &rule.0 {
        parts.push(part(name, condition, attributes, columns).map_err(|mistake| mistake.at(name))?);
    }
    parts.sort_by_key(|&(attribute, _)| attribute);
    Ok(ImpossibleRule { parts })
}

/// What a rule says of one column.
fn part(
    name: &str,
    condition: &CellCondition,
    attributes: &HashMap<&str, AttrId>,
    columns: &HashMap<&str, &Column>,
) -> Result<(AttrId, Vec<u32>), Mistake> {
    let Some(column) = columns.get(name) else {
        let near = suggestion(name, columns.keys().copied());
        let what = format!("named by [[impossible]], but not a column of the schema{near}");
        return Err(Mistake::new(what, "correct the name, or drop the rule"));
    };
    let (Some(codec), Some(&attribute)) = (column.codec(), attributes.get(name)) else {
        let what = format!("named by [[impossible]], but of type {:?}, which is not modelled", column.type_name());
        return Err(Mistake::new(what, "drop it from the rule, or give the column another type"));
    };
    if let (Some(after), CellCondition::One(_) | CellCondition::Any(_)) = (&column.after, condition) {
        let what = format!("named by [[impossible]], but held as its difference to {:?}", after.on());
        return Err(Mistake::new(what, "say it of that column, or { missing = true }"));
    }
    let codes = condition.codes(codec)?;
    let what = format!("the [[impossible]] condition {condition} covers no code of the column");
    refuse_if(codes.is_empty(), what, "correct the condition, or drop the rule")?;
    Ok((attribute, codes))
}

/// Rules about a single column must leave it a code, or no row at all is possible.
fn refuse_empty_columns(rules: &[ImpossibleRule], columns: &[Column]) -> Result<(), SchemaError> {
    let mut forbidden: HashMap<AttrId, Vec<u32>> = HashMap::new();
    for rule in rules {
        if let [(attribute, codes)] = rule.parts.as_slice() {
            forbidden.entry(*attribute).or_default().extend(codes);
        }
    }
    let modelled = columns.iter().filter_map(|column| column.codec().map(|codec| (column, codec)));
    for (index, (column, codec)) in modelled.enumerate() {
        let Some(codes) = forbidden.get_mut(&AttrId(index as u32)) else { continue };
        codes.sort_unstable();
        codes.dedup();
        let emptied = codes.len() == codec.size() as usize;
        refuse_if(emptied, "[[impossible]] forbids every code of the column, so no row is possible", "drop a rule")
            .map_err(|mistake| mistake.at(&column.name))?;
    }
    Ok(())
}
