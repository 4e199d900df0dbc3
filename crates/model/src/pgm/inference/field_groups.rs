//! Tables that stand between a clique's table and its fields.
//!
//! A field costs two walks over the table that it lies in, and a clique that was measured in many
//! ways has dozens. So fields are put into groups, and each group has a table over all of its
//! columns, with far fewer cells than the clique's: fields are added to their group and groups to
//! the clique, and on the way back the clique is summed onto groups and groups onto fields. Of the
//! walks over the clique's table, one a group and way is left.

use lookalike_schema::{AttrId, Clique};

/// A field group has at most this part of its table's cells. The larger, the fewer field groups;
/// the smaller, the less they cost, and the more tasks can work on a table, each with sums of its
/// own.
const PART: usize = 32;

/// Fields of a table with these axes, by number, in groups with all columns of each. A group of one
/// needs no field group.
pub(super) fn groups(axes: &[(AttrId, usize)], fields: &[(usize, &Clique)]) -> Vec<(Clique, Vec<usize>)> {
    let table: usize = axes.iter().map(|axis| axis.1).product();
    let cells = |columns: &Clique| {
        axes.iter().filter(|axis| columns.contains(axis.0)).fold(1usize, |cells, axis| cells.saturating_mul(axis.1))
    };
    let mut groups: Vec<(Clique, Vec<usize>)> = Vec::new();
    for &(number, field) in fields {
        let joined = groups.iter().enumerate().map(|(place, group)| (place, group.0.union(field)));
        let fits = joined.map(|(place, columns)| (cells(&columns), place, columns)).filter(|one| one.0 <= table / PART);
        match fits.min_by_key(|one| (one.0, one.1)) {
            Some((_, place, columns)) => {
                groups[place].0 = columns;
                groups[place].1.push(number);
            }
            None => groups.push((field.clone(), vec![number])),
        }
    }
    groups
}
