//! What a pass does, worked out once: the order of the cliques, the axes of their tables, and every
//! index map.

use std::ops::Range;

use lookalike_schema::{AttrId, Clique};

use super::field_groups;
use crate::ModelError;
use crate::pgm::factor::axis_map::AxisMap;
use crate::pgm::tree::{CliqueOrder, JunctionTree};

/// Tables with more cells than this are worked on by several tasks. The split depends on sizes
/// alone, never on the number of threads, so sums are always taken in the same order.
const SPLIT_CELLS: usize = 1 << 16;
/// Subtrees smaller than this are not worth a task.
const TASK_CELLS: usize = 1 << 15;
/// No clique is split further than this.
const MAX_CHUNKS: usize = 64;
/// Larger trees are refused: 2^31 cells are 16 GiB.
pub const MAX_CELLS: u64 = 1 << 31;

/// One clique of the tree, at its place in the order.
#[derive(Clone, Debug)]
pub(crate) struct ScheduledClique {
    /// Axes of the table, outermost first.
    pub axes: Vec<(AttrId, usize)>,
    pub cells: usize,
    /// Table to the overlap with the parent (a single cell for the root).
    pub to_parent: AxisMap,
    /// Each child's place, the map from the table to the overlap with it, and where its sums lie in
    /// the output.
    pub children: Vec<(usize, AxisMap, Range<usize>)>,
    /// What is added to the log of the table, one that has the table's own axes first.
    pub fields: Vec<(AxisMap, FieldSource)>,
    /// Impossible cells: the map, and a table of 0 and minus infinity.
    pub zeros: Vec<(AxisMap, Vec<f64>)>,
    /// Sums onto fields' cliques and field groups smaller than the table: the map, and where they
    /// lie in the output.
    pub sums: Vec<(AxisMap, Range<usize>)>,
    /// Cells of the output.
    pub out: usize,
    /// Cells of a task's share of the table.
    pub chunk: usize,
}

impl ScheduledClique {
    /// Into how many tasks the table is split.
    pub fn chunks(&self) -> usize {
        self.cells.div_ceil(self.chunk)
    }
}

/// What a table's log cells are sums of, by number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FieldSource {
    Field(usize),
    FieldGroup(usize),
}

/// Several fields of a table, which are added up on the way to it.
#[derive(Clone, Debug)]
pub(crate) struct FieldGroup {
    /// The place of the table.
    pub place: usize,
    /// Its sums in the table's output.
    pub sums: Range<usize>,
    /// Its cells among all field groups.
    pub cells: Range<usize>,
}

/// Where a field's marginal is summed from, and where the field is added to.
#[derive(Clone, Debug)]
pub(crate) enum Above {
    /// The table at a place, which has the same axes.
    Table(usize),
    /// An output of the table at a place.
    Output(usize, Range<usize>),
    /// A larger field.
    Field(usize, AxisMap),
    /// A field group.
    FieldGroup(usize, AxisMap),
}

/// A clique that has a log field, and whose marginal is wanted.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub clique: Clique,
    /// Its cells among all fields.
    pub cells: Range<usize>,
    pub above: Above,
    /// For a field that others lie in: its cells among the sums of such fields and what lies in
    /// them.
    pub joined: Option<Range<usize>>,
    /// For a field that lies in another, or in a field group: its cells among the marginals of such
    /// fields.
    pub nested: Option<Range<usize>>,
}

/// The whole plan of a pass.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    pub order: CliqueOrder,
    pub nodes: Vec<ScheduledClique>,
    /// Fields, larger ones first: a field lies in one that comes before it, or in a table.
    pub fields: Vec<Field>,
    pub field_groups: Vec<FieldGroup>,
    /// Cells of all fields together, of those that others lie in, and of those that lie in others
    /// or in field groups.
    pub field_cells: usize,
    pub joined_cells: usize,
    pub nested_cells: usize,
    /// Cells of all field groups together.
    pub field_group_cells: usize,
    /// Cells of the tables before each place.
    pub before: Vec<usize>,
    /// Places with several branches that are worth a task of their own, ascending.
    forks: Vec<usize>,
}

impl Schedule {
    /// The plan for a tree with log fields on the given cliques, which must be distinct and lie
    /// inside tree cliques.
    pub fn new(tree: &JunctionTree, cliques: &[Clique]) -> Result<Self, ModelError> {
        if tree.cells() > MAX_CELLS {
            return Err(ModelError::shape(
                "the junction tree has more than 2,147,483,648 cells; measure fewer or smaller marginals",
            ));
        }
        let order = CliqueOrder::new(tree);
        let mut nodes: Vec<ScheduledClique> = (0..order.nodes.len()).map(|place| node(tree, &order, place)).collect();
        let (mut fields, field_cells) = fields(tree, &order, cliques)?;
        let field_groups = place_fields(tree, &order, &mut nodes, &mut fields);
        let (joined_cells, nested_cells) = rooms(&mut fields);
        let field_group_cells = field_groups.last().map_or(0, |field_group| field_group.cells.end);
        add_zeros(tree, &order, &mut nodes);
        nodes.iter_mut().for_each(split);
        let mut before = vec![0];
        for node in &nodes {
            before.push(before[before.len() - 1] + node.cells);
        }
        let forks = Vec::new();
        let mut schedule = Self {
            order,
            nodes,
            fields,
            field_groups,
            field_cells,
            joined_cells,
            nested_cells,
            field_group_cells,
            before,
            forks,
        };
        schedule.find_forks();
        Ok(schedule)
    }

    /// Whether the tables at these places are worth a task of their own.
    pub fn is_heavy(&self, places: Range<usize>) -> bool {
        self.before[places.end] - self.before[places.start] >= TASK_CELLS
    }

    /// Among these places, the highest with several heavy branches, and where its subtree begins.
    pub fn highest_fork(&self, places: Range<usize>) -> Option<(usize, usize)> {
        let above = self.forks.partition_point(|&fork| fork < places.end);
        let fork = *self.forks[..above].last().filter(|&&fork| fork >= places.start)?;
        Some((fork, fork + 1 - self.order.spans[fork]))
    }

    fn find_forks(&mut self) {
        let spans = &self.order.spans;
        let heavy = |&&child: &&usize| self.is_heavy(child + 1 - spans[child]..child + 1);
        let children = self.order.children.iter().enumerate();
        self.forks = children.filter(|(_, all)| all.iter().filter(heavy).count() > 1).map(|(place, _)| place).collect();
    }
}

fn node(tree: &JunctionTree, order: &CliqueOrder, place: usize) -> ScheduledClique {
    let clique = &tree.cliques()[order.nodes[place]];
    let axes = order.axes(tree, clique);
    let overlap = |other: usize| clique.intersection(&tree.cliques()[order.nodes[other]]);
    let above = order.parents[place].map(overlap);
    let to_parent = AxisMap::new(&axes, |attribute| above.as_ref().is_some_and(|shared| shared.contains(attribute)));
    let mut out = 0;
    let children = order.children[place].iter().map(|&child| {
        let shared = overlap(child);
        let plan = AxisMap::new(&axes, |attribute| shared.contains(attribute));
        out += plan.small();
        let cells = out - plan.small()..out;
        (child, plan, cells)
    });
    let children: Vec<_> = children.collect();
    let cells = axes.iter().map(|axis| axis.1).product();
    ScheduledClique { axes, cells, to_parent, children, fields: vec![], zeros: vec![], sums: vec![], out, chunk: cells }
}

/// The fields, larger ones first, each in the smallest that is around it, else in the table of its
/// home.
fn fields(tree: &JunctionTree, order: &CliqueOrder, cliques: &[Clique]) -> Result<(Vec<Field>, usize), ModelError> {
    let mut sorted: Vec<(u64, &Clique)> =
        cliques.iter().map(|clique| (tree.domain().cells(clique).unwrap_or(u64::MAX), clique)).collect();
    sorted.sort_by(|one, two| (two.0, two.1.len(), one.1).cmp(&(one.0, one.1.len(), two.1)));
    let places: Vec<usize> = {
        let mut places = vec![0; order.nodes.len()];
        order.nodes.iter().enumerate().for_each(|(place, &node)| places[node] = place);
        places
    };
    let mut fields: Vec<Field> = Vec::with_capacity(sorted.len());
    let mut next = 0usize;
    for (_, clique) in sorted {
        let home = tree.home(clique).ok_or_else(|| ModelError::shape("a clique lies in no clique of the tree"))?;
        let size = tree.domain().cells(clique).map_or(0, |cells| cells as usize);
        let cells = next..next + size;
        next += size;
        // The smallest field around it is the cheapest to sum from.
        let above = match fields.iter().rposition(|field| clique.is_subset(&field.clique)) {
            Some(larger) => {
                let axes = order.axes(tree, &fields[larger].clique);
                Above::Field(larger, AxisMap::new(&axes, |attribute| clique.contains(attribute)))
            }
            None => Above::Table(places[home]),
        };
        fields.push(Field { clique: clique.clone(), cells, above, joined: None, nested: None });
    }
    Ok((fields, next))
}

/// Joins the fields that lie in tables to them, directly or by way of field groups.
fn place_fields(
    tree: &JunctionTree,
    order: &CliqueOrder,
    nodes: &mut [ScheduledClique],
    fields: &mut [Field],
) -> Vec<FieldGroup> {
    let mut small: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (number, field) in fields.iter().enumerate() {
        let Above::Table(place) = field.above else { continue };
        let plan = AxisMap::new(&nodes[place].axes, |attribute| field.clique.contains(attribute));
        if plan.is_identity() {
            nodes[place].fields.push((plan, FieldSource::Field(number)));
        } else {
            small[place].push(number);
        }
    }
    let mut field_groups: Vec<FieldGroup> = Vec::new();
    for (place, (node, numbers)) in nodes.iter_mut().zip(small).enumerate() {
        let cliques: Vec<(usize, &Clique)> = numbers.iter().map(|&number| (number, &fields[number].clique)).collect();
        for (columns, members) in field_groups::groups(&node.axes, &cliques) {
            let plan = AxisMap::new(&node.axes, |attribute| columns.contains(attribute));
            let sums = node.out..node.out + plan.small();
            node.out = sums.end;
            node.sums.push((plan.clone(), sums.clone()));
            if let [alone] = members[..] {
                node.fields.push((plan, FieldSource::Field(alone)));
                fields[alone].above = Above::Output(place, sums);
                continue;
            }
            let (axes, first) =
                (order.axes(tree, &columns), field_groups.last().map_or(0, |field_group| field_group.cells.end));
            for member in members {
                let inside = AxisMap::new(&axes, |attribute| fields[member].clique.contains(attribute));
                fields[member].above = Above::FieldGroup(field_groups.len(), inside);
            }
            let cells = first..first + plan.small();
            node.fields.push((plan, FieldSource::FieldGroup(field_groups.len())));
            field_groups.push(FieldGroup { place, sums, cells });
        }
    }
    field_groups
}

/// Room for the fields that need more than their own cells.
fn rooms(fields: &mut [Field]) -> (usize, usize) {
    let (mut joined, mut nested) = (0, 0);
    for place in 0..fields.len() {
        let size = fields[place].cells.len();
        if let Above::Field(..) | Above::FieldGroup(..) = fields[place].above {
            fields[place].nested = Some(nested..nested + size);
            nested += size;
        }
        if let Above::Field(larger, _) = fields[place].above {
            fields[larger].joined = Some(0..0);
        }
    }
    for field in fields.iter_mut().filter(|field| field.joined.is_some()) {
        field.joined = Some(joined..joined + field.cells.len());
        joined += field.cells.len();
    }
    (joined, nested)
}

/// Every rule puts minus infinity on the cells that it forbids, in a table over its own columns.
fn add_zeros(tree: &JunctionTree, order: &CliqueOrder, nodes: &mut [ScheduledClique]) {
    let mut done: Vec<Clique> = Vec::new();
    for rule in tree.rules() {
        let clique = Clique::new(rule.parts.iter().map(|part| part.0));
        let Some(home) = tree.home(&clique) else { continue };
        let Some(place) = order.nodes.iter().position(|&node| node == home) else { continue };
        let axes = order.axes(tree, &clique);
        let node = &mut nodes[place];
        // Rules over the same columns share a table.
        let slot = done.iter().filter(|other| tree.home(other) == Some(home)).position(|other| *other == clique);
        let slot = slot.unwrap_or_else(|| {
            let plan = AxisMap::new(&node.axes, |attribute| clique.contains(attribute));
            let table = vec![0.0; plan.small()];
            node.zeros.push((plan, table));
            done.push(clique.clone());
            node.zeros.len() - 1
        });
        let mut forbidden = vec![0usize];
        for &(attribute, size) in &axes {
            let codes = rule.parts.iter().find(|part| part.0 == attribute).map_or(&[][..], |part| &part.1);
            forbidden =
                forbidden.iter().flat_map(|&cell| codes.iter().map(move |&code| cell * size + code as usize)).collect();
        }
        forbidden.into_iter().for_each(|cell| node.zeros[slot].1[cell] = f64::NEG_INFINITY);
    }
}

/// Splits a large table into equal shares. Each share has its own sums, which must stay small
/// beside the table.
fn split(node: &mut ScheduledClique) {
    let sums = node.out.max(node.to_parent.small()).max(1);
    let chunks = (node.cells / SPLIT_CELLS).min(MAX_CHUNKS).min(node.cells / 2 / sums).max(1);
    node.chunk = node.cells.div_ceil(chunks);
}
