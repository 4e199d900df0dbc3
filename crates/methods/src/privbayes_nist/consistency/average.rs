//! Averages over shared sets of columns.

use lookalike_model::Halt;

use super::sets;
use super::variances::{Share, Variances, updated};
use crate::MethodError;
use crate::privbayes_nist::hierarchy::{Hierarchy, Node};
use crate::privbayes_nist::tables::Table;

/// One set of columns, and the tables that know it.
struct Shared {
    cells: usize,
    /// The table, its weight, and how its cells lie in the set's.
    members: Vec<Member>,
}

struct Member {
    table: usize,
    weight: f64,
    map: Map,
}

/// Which cell of a set each cell of a table belongs to, axis by axis; and how many of the table's
/// cells each has.
struct Map {
    /// For each axis of the table and each of its codes: what it adds to the place in the set.
    steps: Vec<Vec<u32>>,
    /// How many cells of the table fall into each cell of the set.
    inside: Inside,
}

enum Inside {
    Alike(f64),
    Each(Vec<f64>),
}

/// For each of a table's nodes and each code of its column: what it adds to the place of the cell.
pub(crate) fn steps_of_codes(hierarchy: &Hierarchy, nodes: &[Node]) -> Vec<Vec<u32>> {
    let codes: Vec<Node> = nodes.iter().map(|node| Node::finest(node.column)).collect();
    steps(hierarchy, &codes, nodes)
}

/// For each node and each of its codes or groups: what it adds to the place in the set, which has
/// some of the columns at the same or at coarser levels.
fn steps(hierarchy: &Hierarchy, nodes: &[Node], set: &[Node]) -> Vec<Vec<u32>> {
    let mut stride = vec![1u32; set.len()];
    for place in (1..set.len()).rev() {
        stride[place - 1] = stride[place] * hierarchy.size(set[place]) as u32;
    }
    let step = |node: &Node| match set.iter().position(|one| one.column == node.column) {
        None => vec![0; hierarchy.size(*node)],
        Some(place) => {
            let groups = hierarchy.between(node.column, node.level, set[place].level);
            groups.into_iter().map(|group| group * stride[place]).collect()
        }
    };
    nodes.iter().map(step).collect()
}

impl Map {
    fn new(hierarchy: &Hierarchy, nodes: &[Node], set: &[Node]) -> Self {
        let (all, cells) = (hierarchy.cells(nodes), hierarchy.cells(set));
        let mut map = Self { steps: steps(hierarchy, nodes, set), inside: Inside::Alike(all / cells) };
        // Groups of one level may have more codes than others.
        if !set.iter().all(|one| nodes.contains(one)) {
            let mut inside = vec![0.0; cells as usize];
            map.places().iter().for_each(|&place| inside[place as usize] += 1.0);
            map.inside = Inside::Each(inside);
        }
        map
    }

    /// The place in the set of every cell of the table.
    fn places(&self) -> Vec<u32> {
        let mut places = vec![0u32];
        for steps in &self.steps {
            let mut next = Vec::with_capacity(places.len() * steps.len());
            for place in places {
                next.extend(steps.iter().map(|step| place + step));
            }
            places = next;
        }
        places
    }
}

/// The averages of some tables, made ready once.
pub(crate) struct Averaging {
    shared: Vec<Shared>,
    /// Whether one sweep is enough.
    closed: bool,
}

/// Sweeps over a list that is not closed under intersection end here, or when nothing moves any
/// more. Networks that share so much are rare; where even these sweeps would take minutes there are
/// fewer, and tables then agree only nearly.
const MOST_SWEEPS: f64 = 500.0;
const MOST_VISITS: f64 = 2e9;
const STILL: f64 = 1e-11;
/// About the steps of making one table ready for one set.
const STEPS_A_TABLE: usize = 1 << 8;

impl Averaging {
    /// Finds the shared sets and the weights: the cells of a set, summed up from a table with noise
    /// variance s^2, have variance s^2 q, where q is how many of the table's cells one of the set's
    /// holds. The best mean weighs by 1/(s^2 q).
    ///
    /// Where groups have uneven sizes q is their mean: with weights that change from cell to cell a
    /// later set would disturb an earlier one.
    ///
    /// Variances are updated only in a list that is closed: going round converges because every
    /// average has the same norm.
    ///
    /// Refuses only when it is told to stop.
    pub fn new(
        hierarchy: &Hierarchy,
        tables: &[Table],
        variances: Variances,
        most_sets: usize,
        halt: &Halt,
    ) -> Result<Self, MethodError> {
        let nodes: Vec<&[Node]> = tables.iter().map(|table| table.nodes.as_slice()).collect();
        let (sets, closed) = sets::shared(hierarchy, &nodes, most_sets, halt)?;
        let variances = if closed { variances } else { Variances::Measured };
        Ok(Self { closed, ..Self::over(hierarchy, tables, sets, variances, halt)? })
    }

    /// The same over given sets, in their order.
    pub fn over(
        hierarchy: &Hierarchy,
        tables: &[Table],
        sets: Vec<Vec<Node>>,
        variances: Variances,
        halt: &Halt,
    ) -> Result<Self, MethodError> {
        let nodes: Vec<&[Node]> = tables.iter().map(|table| table.nodes.as_slice()).collect();
        let mut variance: Vec<f64> = tables.iter().map(|table| table.variance.max(1e-300)).collect();
        let mut shared = Vec::with_capacity(sets.len());
        for set in sets {
            halt.check(tables.len() * STEPS_A_TABLE)?;
            let cells = hierarchy.cells(&set);
            let known = (0..tables.len()).filter(|&table| sets::knows(nodes[table], &set));
            let mut members: Vec<Member> = known
                .map(|table| {
                    let inside = hierarchy.cells(nodes[table]) / cells;
                    let weight = 1.0 / (variance[table] * inside);
                    Member { table, weight, map: Map::new(hierarchy, nodes[table], &set) }
                })
                .collect();
            let total: f64 = members.iter().map(|member| member.weight).sum();
            members.iter_mut().for_each(|member| member.weight /= total);
            if members.len() > 1 {
                if variances == Variances::Updated {
                    let share = |&Member { table, weight, .. }: &Member| {
                        let inside = hierarchy.cells(nodes[table]) / cells;
                        Share { weight, inside, variance: variance[table] }
                    };
                    let after = updated(&members.iter().map(share).collect::<Vec<_>>());
                    members.iter().zip(after).for_each(|(member, after)| variance[member.table] = after);
                }
                shared.push(Shared { cells: cells as usize, members });
            }
        }
        Ok(Self { shared, closed: true })
    }

    /// The number of sets.
    pub fn len(&self) -> usize {
        self.shared.len()
    }

    /// Averages over every set in turn; what a table misses in a cell of the set is spread evenly
    /// over its cells there.
    ///
    /// With a list that is not closed a set may disturb another; every average is then an
    /// orthogonal projection (in the norm that weighs tables by 1/s^2), and going round converges
    /// to tables that agree.
    ///
    /// Refuses only when it is told to stop.
    pub fn sweep(&self, tables: &mut [Table], halt: &Halt) -> Result<(), MethodError> {
        let sweeps = if self.closed { 1.0 } else { (MOST_VISITS / self.visits().max(1.0)).clamp(2.0, MOST_SWEEPS) };
        for _ in 0..sweeps as usize {
            let mut moved = 0.0f64;
            for shared in &self.shared {
                halt.check(2 * shared.visits() as usize)?;
                moved = moved.max(shared.average(tables));
            }
            if moved < STILL {
                break;
            }
        }
        Ok(())
    }

    /// How many cells one sweep passes over.
    pub fn visits(&self) -> f64 {
        self.shared.iter().map(Shared::visits).sum()
    }
}

impl Shared {
    /// How many cells its tables have together.
    fn visits(&self) -> f64 {
        let cells = |member: &Member| member.map.steps.iter().map(|steps| steps.len() as f64).product::<f64>();
        self.members.iter().map(cells).sum()
    }

    /// Says how far the tables were apart.
    fn average(&self, tables: &mut [Table]) -> f64 {
        let mut moved = 0.0f64;
        let mut mean = vec![0.0; self.cells];
        let mut views = Vec::with_capacity(self.members.len());
        for member in &self.members {
            let places = member.map.places();
            let mut view = vec![0.0; self.cells];
            places.iter().zip(&tables[member.table].cells).for_each(|(&place, cell)| view[place as usize] += cell);
            mean.iter_mut().zip(&view).for_each(|(mean, view)| *mean += member.weight * view);
            views.push((places, view));
        }
        for (member, (places, mut view)) in self.members.iter().zip(views) {
            for (place, (view, mean)) in view.iter_mut().zip(&mean).enumerate() {
                let inside = match &member.map.inside {
                    Inside::Alike(inside) => *inside,
                    Inside::Each(inside) => inside[place],
                };
                moved = moved.max((mean - *view).abs());
                *view = (mean - *view) / inside;
            }
            let cells = &mut tables[member.table].cells;
            cells.iter_mut().zip(&places).for_each(|(cell, &place)| *cell += view[place as usize]);
        }
        moved
    }
}

/// What a table says of a set that it knows, in the set's own order.
pub(crate) fn view(hierarchy: &Hierarchy, table: &Table, set: &[Node]) -> Vec<f64> {
    let map = Map::new(hierarchy, &table.nodes, set);
    let mut view = vec![0.0; hierarchy.cells(set) as usize];
    map.places().iter().zip(&table.cells).for_each(|(&place, cell)| view[place as usize] += cell);
    view
}

/// The table over some nodes when all codes of all columns are equally frequent.
pub(crate) fn uniform(hierarchy: &Hierarchy, nodes: &[Node]) -> Vec<f64> {
    let mut cells = vec![1.0];
    for node in nodes {
        let mut shares = vec![0.0; hierarchy.size(*node)];
        let codes = hierarchy.size(Node::finest(node.column)) as f64;
        for group in hierarchy.between(node.column, 0, node.level) {
            shares[group as usize] += 1.0 / codes;
        }
        cells = cells.iter().flat_map(|cell| shares.iter().map(move |share| cell * share)).collect();
    }
    cells
}
