//! Rules on coarse columns.

use std::collections::BTreeMap;
use std::sync::Arc;

use lookalike_schema::{Grouping, ImpossibleRule, Schema};

use super::Rules;
use crate::ModelError;

impl Rules {
    /// The schema's rules for columns that are held as groups (`None`: as they are): what
    /// [`JunctionTree::new`](crate::JunctionTree::new) needs for a tree over the groups.
    ///
    /// A combination of groups is impossible as soon as *some* of its possible codes are. Let
    /// groups come from [`Rules::split`] first, so that nothing possible is lost. Refuses groups
    /// that do not fit the columns, and groups by which a rule would leave no row.
    pub fn coarse(schema: &Schema, groupings: &[Option<Arc<Grouping>>]) -> Result<Vec<ImpossibleRule>, ModelError> {
        let sizes = schema.domain().sizes();
        check(sizes, groupings)?;
        let rules = Self::new(schema)?;
        let mut all = Vec::new();
        for rule in schema.impossible() {
            // A rule about a coarse column alone takes weight from its codes, and from a group only
            // when none is left.
            let alone = rule.parts.len() == 1;
            let mut parts = Vec::new();
            for (attribute, codes) in &rule.parts {
                let index = attribute.index();
                let groups = match &groupings[index] {
                    None => codes.clone(),
                    Some(grouping) => {
                        let possible = |code: u32| rules.allows(index, code as usize);
                        (0..grouping.groups())
                            .filter(|&group| {
                                let mut members = (0..sizes[index]).filter(|&code| grouping.group(code) == group);
                                if alone {
                                    !members.any(possible)
                                } else {
                                    members.any(|code| possible(code) && codes.binary_search(&code).is_ok())
                                }
                            })
                            .collect()
                    }
                };
                parts.push((*attribute, groups));
            }
            if parts.iter().all(|(_, groups)| !groups.is_empty()) {
                all.push(ImpossibleRule { parts });
            }
        }
        let coarse: Vec<u32> = sizes
            .iter()
            .zip(groupings)
            .map(|(&size, grouping)| grouping.as_ref().map_or(size, |grouping| grouping.groups()))
            .collect();
        Self::from_parts(&coarse, &all)?;
        Ok(all)
    }

    /// A column's groups, split further where a rule about several columns tells their codes apart.
    ///
    /// With such groups, impossible combinations of groups are exactly those of codes. Refuses
    /// groups that do not fit the column.
    pub fn split(&self, attribute: usize, grouping: &Grouping) -> Result<Grouping, ModelError> {
        let column = self.groups.iter().flat_map(|group| &group.columns).find(|column| column.attribute == attribute);
        let mut class: Vec<Option<usize>> = vec![None; grouping.codes()];
        for (number, codes) in column.into_iter().flat_map(|column| column.classes.iter().enumerate()) {
            for &code in codes {
                let slot = class.get_mut(code as usize);
                *slot.ok_or_else(|| ModelError::shape("the groups do not fit the column"))? = Some(number);
            }
        }
        // Codes that no row may have stay with whoever is first in their group.
        let mut first = vec![None; grouping.groups() as usize];
        let group_of = grouping.group_of();
        for (&group, class) in group_of.iter().zip(&class) {
            first[group as usize] = first[group as usize].or(*class);
        }
        let mut seen: BTreeMap<(u32, Option<usize>), u32> = BTreeMap::new();
        let fine = group_of.iter().zip(class).map(|(&group, class)| {
            let next = seen.len() as u32;
            *seen.entry((group, class.or(first[group as usize]))).or_insert(next)
        });
        Grouping::new(fine.collect()).map_err(|error| ModelError::shape(error.to_string()))
    }
}

fn check(sizes: &[u32], groupings: &[Option<Arc<Grouping>>]) -> Result<(), ModelError> {
    let fits = |(size, grouping): (&u32, &Option<Arc<Grouping>>)| {
        grouping.as_ref().is_none_or(|grouping| grouping.codes() == *size as usize)
    };
    if groupings.len() == sizes.len() && sizes.iter().zip(groupings).all(fits) {
        Ok(())
    } else {
        Err(ModelError::shape("the groups do not fit the schema's columns"))
    }
}
