//! Fresh ids, row by row.

use crate::{AttrId, Column, IdPattern, Role, Schema};

/// How the ids of a column are made: numbers that count the rows, so that they point to nobody.
#[derive(Clone, Copy, Debug)]
pub struct IdRule<'a> {
    /// Their shape; plain numbers where there is none.
    pub pattern: Option<&'a IdPattern>,
    /// The modelled column, if any, whose missing cells have no id beside them.
    pub follows: Option<AttrId>,
    /// The column's place among those that share their ids, and how many these are.
    place: u64,
    sharing: u64,
}

impl IdRule<'_> {
    /// The number of the id in a row, the first row being 0. Columns that share their ids have
    /// different ones everywhere: an id that came twice would say that two rows belong together.
    pub fn number(&self, row: u64) -> u64 {
        row * self.sharing + self.place + 1
    }
}

impl Schema {
    /// How the ids of a column are made.
    pub fn id_rule<'a>(&'a self, column: &'a Column) -> IdRule<'a> {
        let shares =
            |other: &&Column| other.role == Role::Id && other.shared.is_some() && other.shared == column.shared;
        let sharing: Vec<&Column> = self.columns().iter().filter(shares).collect();
        let place = sharing.iter().position(|other| other.name == column.name).unwrap_or(0) as u64;
        let group = self.missing_together().iter().find(|group| group.contains(&column.name));
        let follows = group.and_then(|group| {
            let mut modelled = self.domain().attributes();
            modelled.find(|&attribute| group.contains(&self.column(attribute).name))
        });
        IdRule { pattern: column.pattern.as_ref(), follows, place, sharing: sharing.len().max(1) as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_shared_and_missing_as_the_schema_says() {
        let text = "missing_together = [['plane', 'seats']]\n[columns.from]\ntype = 'id'\nshared = 'people'\n\
                    [columns.plane]\ntype = 'id'\npattern = 'N###'\n[columns.to]\ntype = 'id'\nshared = 'people'\n\
                    [columns.seats]\ntype = 'integer'\nrange = [1, 9]\nmissing = true\n";
        let schema = Schema::parse(text, "test").unwrap();
        let rules: Vec<IdRule<'_>> = schema.columns()[..3].iter().map(|column| schema.id_rule(column)).collect();
        let numbers = |place: usize| (0..3).map(|row| rules[place].number(row)).collect::<Vec<u64>>();
        assert_eq!([numbers(0), numbers(1), numbers(2)], [vec![1, 3, 5], vec![1, 2, 3], vec![2, 4, 6]]);
        assert_eq!([rules[0].follows, rules[1].follows], [None, Some(AttrId(0))]);
        assert_eq!(Schema::parse(&schema.to_toml(), "again").unwrap(), schema);
        assert!(Schema::parse(&text.replace("'plane', 'seats'", "'plane', 'to'"), "test").is_err(), "ids alone");
    }
}
