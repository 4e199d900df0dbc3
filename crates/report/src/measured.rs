//! Which columns were counted together, from the words of the ledger. A model's own list has only
//! tables of whole columns; the ledger has those of merged values, levels and bits too, under the
//! names that the curator gave them.

use lookalike_measurement::Statement;
use lookalike_schema::{AttrId, Clique, Schema};

/// What the curator's label of a table of counts begins with.
pub(crate) const PREFIX: &str = "marginal of ";

/// The columns behind each charged table of counts, in order; of a derived column, the column that
/// it is derived from.
pub(crate) fn sets(statement: &Statement, schema: &Schema) -> Vec<Clique> {
    let labels = statement.charges().iter().filter_map(|charge| charge.label.strip_prefix(PREFIX));
    labels.filter_map(|names| parse(names, schema)).collect()
}

/// Names in a row, with commas between: `age, sex, city (level 2)`. Nothing when they are not all
/// known.
pub(crate) fn parse(names: &str, schema: &Schema) -> Option<Clique> {
    let mut columns: Vec<(&str, AttrId)> =
        schema.domain().attributes().map(|attribute| (schema.column(attribute).name.as_str(), attribute)).collect();
    // Longer names first: one may begin with another.
    columns.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let mut found = Vec::new();
    let mut rest = names;
    loop {
        let next = columns.iter().find_map(|&(name, attribute)| Some((attribute, after(rest.strip_prefix(name)?)?)))?;
        found.push(next.0);
        match next.1 {
            None => return Some(Clique::new(found)),
            Some(more) => rest = more,
        }
    }
}

/// What follows a name: nothing (`Some(None)`), or more names. A word in brackets says how the
/// column was derived.
fn after(rest: &str) -> Option<Option<&str>> {
    if rest.is_empty() {
        return Some(None);
    }
    if let Some(more) = rest.strip_prefix(", ") {
        return Some(Some(more));
    }
    let (_, rest) = rest.strip_prefix(" (")?.split_once(')')?;
    if rest.is_empty() { Some(None) } else { rest.strip_prefix(", ").map(Some) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart() {
        let text = "[columns.age]\ntype = \"boolean\"\n[columns.\"age, at death\"]\ntype = \"boolean\"\n\
                    [columns.sex]\ntype = \"boolean\"\n[columns.\"sex (old)\"]\ntype = \"boolean\"\n";
        let schema = Schema::parse(text, "test").unwrap();
        let set = |names: &str| parse(names, &schema).map(|clique| clique.attributes().iter().map(|a| a.0).collect());
        assert_eq!(set("age"), Some(vec![0]));
        assert_eq!(set("age, at death"), Some(vec![1]));
        assert_eq!(set("sex, age, at death (merged)"), Some(vec![1, 2]));
        assert_eq!(set("sex (level 2), age"), Some(vec![0, 2]));
        assert_eq!(set("age, sex (old) (bit 1)"), Some(vec![0, 3]));
        assert_eq!(set("age, height"), None::<Vec<u32>>);
        assert_eq!(set(""), None::<Vec<u32>>);
    }
}
