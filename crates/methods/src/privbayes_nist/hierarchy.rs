//! Columns at their levels: the nodes that pairs, tables and networks are made of.

use std::sync::Arc;

use lookalike_schema::{AttrId, Derived, Grouping, Schema};

/// One column at one level. Level 0 is the column itself; each further level is coarser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Node {
    /// The column's place in the schema.
    pub column: usize,
    /// The level.
    pub level: usize,
}

impl Node {
    /// The column itself.
    pub fn finest(column: usize) -> Self {
        Self { column, level: 0 }
    }
}

/// One level of a column.
#[derive(Clone, Debug)]
struct Level {
    /// From the column's own codes; `None` on level 0.
    grouping: Option<Arc<Grouping>>,
    size: usize,
}

/// All columns with their levels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hierarchy {
    columns: Vec<Vec<Level>>,
    /// For each column, from level to level + 1.
    up: Vec<Vec<Vec<u32>>>,
    /// For each column, the attribute of each coarser level behind the schema's own.
    attributes: Vec<Vec<AttrId>>,
}

impl Hierarchy {
    /// The schema's columns with its own levels, and where it gives none, with neighbours put
    /// together `width` at a time until at most `width` squared groups remain. Also the derived
    /// columns, in the order in which they are to be appended.
    ///
    /// Levels of one group say nothing and are left out.
    pub fn new(schema: &Schema, width: u32) -> (Self, Vec<Derived>) {
        let own = schema.domain().len() as u32;
        let mut derived = Vec::new();
        let mut hierarchy = Self::default();
        for attribute in schema.domain().attributes() {
            let column = schema.column(attribute);
            let mut groupings: Vec<Arc<Grouping>> = if column.levels.is_empty() {
                schema.codec(attribute).neighbour_levels(width).into_iter().map(Arc::new).collect()
            } else {
                column.levels.as_slice().iter().map(|level| level.grouping().clone()).collect()
            };
            groupings.retain(|grouping| grouping.groups() > 1);
            let attributes = (0..groupings.len()).map(|place| AttrId(own + (derived.len() + place) as u32)).collect();
            derived.extend(groupings.iter().enumerate().map(|(place, grouping)| Derived {
                base: attribute,
                grouping: grouping.clone(),
                name: format!("{} (level {})", column.name, place + 1),
            }));
            hierarchy.push(schema.domain().size(attribute) as usize, groupings, attributes);
        }
        (hierarchy, derived)
    }

    /// The schema's columns without any levels.
    pub fn flat(schema: &Schema) -> Self {
        let mut hierarchy = Self::default();
        for attribute in schema.domain().attributes() {
            hierarchy.push(schema.domain().size(attribute) as usize, Vec::new(), Vec::new());
        }
        hierarchy
    }

    fn push(&mut self, size: usize, groupings: Vec<Arc<Grouping>>, attributes: Vec<AttrId>) {
        let mut levels = vec![Level { grouping: None, size }];
        let mut up = Vec::new();
        for grouping in groupings {
            let below = &levels[levels.len() - 1];
            let mut next = vec![0; below.size];
            for code in 0..grouping.codes() as u32 {
                let group = below.grouping.as_ref().map_or(code, |below| below.group(code));
                next[group as usize] = grouping.group(code);
            }
            up.push(next);
            levels.push(Level { size: grouping.groups() as usize, grouping: Some(grouping) });
        }
        self.columns.push(levels);
        self.up.push(up);
        self.attributes.push(attributes);
    }

    /// Plain columns and levels, for tests: sizes, and for each column its groupings.
    #[cfg(test)]
    pub fn of_groupings(columns: Vec<(usize, Vec<Grouping>)>) -> Self {
        let mut hierarchy = Self::default();
        let mut next = columns.len() as u32;
        for (size, groupings) in columns {
            let attributes = groupings.iter().map(|_| {
                next += 1;
                AttrId(next - 1)
            });
            let attributes = attributes.collect();
            hierarchy.push(size, groupings.into_iter().map(Arc::new).collect(), attributes);
        }
        hierarchy
    }

    /// The number of columns.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// The number of levels of a column, at least 1.
    pub fn levels(&self, column: usize) -> usize {
        self.columns[column].len()
    }

    /// All levels of a column, the finest first.
    pub fn nodes_of(&self, column: usize) -> impl Iterator<Item = Node> + use<> {
        (0..self.levels(column)).map(move |level| Node { column, level })
    }

    /// All columns at all levels.
    pub fn nodes(&self) -> Vec<Node> {
        (0..self.len()).flat_map(|column| self.nodes_of(column)).collect()
    }

    /// The columns that have coarser levels.
    pub fn wide(&self) -> Vec<usize> {
        (0..self.len()).filter(|&column| self.levels(column) > 1).collect()
    }

    /// The number of codes or groups of a node.
    pub fn size(&self, node: Node) -> usize {
        self.columns[node.column][node.level].size
    }

    /// The cells of a table over some nodes, as a float: it may be astronomically large.
    pub fn cells(&self, nodes: &[Node]) -> f64 {
        nodes.iter().map(|&node| self.size(node) as f64).product()
    }

    /// The group of each of the column's codes; `None` for the column itself.
    pub fn grouping(&self, node: Node) -> Option<&Arc<Grouping>> {
        self.columns[node.column][node.level].grouping.as_ref()
    }

    /// The attribute behind which the curator counts the node.
    pub fn attribute(&self, node: Node) -> AttrId {
        match node.level {
            0 => AttrId(node.column as u32),
            level => self.attributes[node.column][level - 1],
        }
    }

    /// For each group of the finer level its group in the coarser one (or itself, when the levels
    /// are the same).
    pub fn between(&self, column: usize, finer: usize, coarser: usize) -> Vec<u32> {
        let mut groups: Vec<u32> = (0..self.columns[column][finer].size as u32).collect();
        for level in finer..coarser {
            groups.iter_mut().for_each(|group| *group = self.up[column][level][*group as usize]);
        }
        groups
    }
}
