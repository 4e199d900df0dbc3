//! Cells that are missing together, as structural zeros: one missing and its neighbour not.

use std::collections::HashSet;

use super::{ImpossibleRule, MOST_LISTED, attributes};
use crate::error::refuse_if;
use crate::nearest::suggestion;
use crate::{AttrId, Column, Role, SchemaError};

/// Two rules for each column of a group and the next one: agreeing with one's neighbour is agreeing
/// with all of them.
pub(crate) fn missing_together(groups: &[Vec<String>], columns: &[Column]) -> Result<Vec<ImpossibleRule>, SchemaError> {
    let (mut rules, mut seen, mut listed) = (Vec::new(), HashSet::new(), 0);
    for group in groups {
        let what = "a group of `missing_together` with fewer than two columns";
        refuse_if(group.len() < 2, what, "name at least two columns in it")?;
        if let Some(name) = group.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(SchemaError::column(name, "named by `missing_together` twice", "put it into one group, once"));
        }
        // Ids follow the modelled columns of their group, and need no rule.
        let is_id = |name: &&String| columns.iter().any(|column| column.name == **name && column.role == Role::Id);
        let sides = group.iter().filter(|name| !is_id(name)).map(|name| side(name, columns));
        let sides = sides.collect::<Result<Vec<_>, _>>()?;
        let what = "a group of `missing_together` with ids alone";
        refuse_if(sides.is_empty(), what, "name a column in it whose cells are modelled")?;
        listed += sides.iter().map(|side| 2 * side.present.len() + 2).sum::<usize>();
        let what = format!("the groups of `missing_together` list more than {MOST_LISTED} codes");
        refuse_if(listed > MOST_LISTED, what, "use smaller groups, or fewer bins")?;
        for pair in sides.windows(2) {
            for (missing, present) in [(&pair[0], &pair[1]), (&pair[1], &pair[0])] {
                let mut parts =
                    vec![(missing.attribute, vec![missing.missing]), (present.attribute, present.present.clone())];
                parts.sort_by_key(|&(attribute, _)| attribute);
                rules.push(ImpossibleRule { parts });
            }
        }
    }
    Ok(rules)
}

/// What a group needs of a column.
struct Side {
    attribute: AttrId,
    missing: u32,
    /// All other codes.
    present: Vec<u32>,
}

fn side(name: &str, columns: &[Column]) -> Result<Side, SchemaError> {
    let Some(column) = columns.iter().find(|column| column.name == name) else {
        let near = suggestion(name, columns.iter().map(|column| column.name.as_str()));
        let what = format!("named by `missing_together`, but not a column of the schema{near}");
        return Err(SchemaError::column(name, what, "correct the name, or take it out of the group"));
    };
    let (Some(codec), Some(&attribute)) = (column.codec(), attributes(columns).get(name)) else {
        let what = format!("named by `missing_together`, but of type {:?}, which is not modelled", column.type_name());
        return Err(SchemaError::column(name, what, "take it out of the group, or give the column another type"));
    };
    let Some(missing) = codec.missing_code() else {
        let what = "named by `missing_together`, but without a code for missing cells";
        return Err(SchemaError::column(name, what, "say missing = true, or take it out of the group"));
    };
    Ok(Side { attribute, missing, present: (0..codec.size()).filter(|&code| code != missing).collect() })
}
