//! Rows from tables that do not agree: integer histograms, decremented row by row, with steps back
//! from empty ones.

use lookalike_model::{Halt, SampleRng};

use super::conditionals;
use super::consistency::average::steps_of_codes;
use super::hierarchy::{Hierarchy, Node};
use super::network::Network;
use super::tables::Table;
use crate::MethodError;

/// After this many dead ends it goes one step further back.
const THRESHOLD: u32 = 10;

/// How many steps back a row goes at most before it takes what is left. Each further step costs ten
/// more dead ends, all of them over one step more; without this bound 662,000 rows of 98 columns
/// took minutes, most of them for the last rows, whose histograms are nearly empty everywhere.
const FURTHEST: u32 = 6;

/// Rows that are drawn at most: they stand for the distribution, and more of them say no more.
const MOST_ROWS: f64 = 1e6;

/// Rows drawn when next to none are there, so that a model can be made.
const LEAST_ROWS: f64 = 1000.0;

/// Rows between two looks at the stop flag, and the most steps that one draw of one takes: all of
/// them may be made anew.
const ROWS_BETWEEN_LOOKS: u64 = 1 << 9;
const STEPS_A_DRAW: usize = 1 << 8;

/// The tables as the drawn rows have them: they agree, because rows are rows.
///
/// Every draw takes one from its histogram. Where the histogram is empty for the codes drawn so
/// far, the draw before is put back and made anew; after [`THRESHOLD`] dead ends the one before
/// that too, and so on, up to [`FURTHEST`]. A row that still finds no way takes what is left of the
/// column whatever its parents, so it always ends.
///
/// # Privacy
/// Post-processing. The stream of draws is fixed: no noise comes from it.
///
/// # Errors
/// Only when it is told to stop.
pub(super) fn redraw(
    hierarchy: &Hierarchy,
    network: &Network,
    tables: &[Table],
    rows: f64,
    halt: &Halt,
) -> Result<Vec<Table>, MethodError> {
    let rows = rows.clamp(LEAST_ROWS, MOST_ROWS).round();
    let mut steps = steps(hierarchy, network, tables, rows);
    let mut counted: Vec<Table> =
        tables.iter().map(|table| Table { cells: vec![0.0; table.cells.len()], ..table.clone() }).collect();
    let places: Vec<Vec<Vec<u32>>> = counted.iter().map(|table| steps_of_codes(hierarchy, &table.nodes)).collect();
    let mut rng = SampleRng::new(0, "privbayes-nist steps", 0);
    let mut row = Row::new(hierarchy.len());
    for number in 0..rows as u64 {
        if number.is_multiple_of(ROWS_BETWEEN_LOOKS) {
            halt.check(ROWS_BETWEEN_LOOKS as usize * hierarchy.len() * STEPS_A_DRAW)?;
        }
        draw(&mut steps, &mut row, &mut rng);
        for (table, places) in counted.iter_mut().zip(&places) {
            let place = table.nodes.iter().zip(places).map(|(node, places)| places[row.codes[node.column] as usize]);
            table.cells[place.sum::<u32>() as usize] += 1.0;
        }
    }
    Ok(counted)
}

/// The codes of a row so far; of a column at a coarse level first its group.
struct Row {
    groups: Vec<u32>,
    codes: Vec<u32>,
    /// The cell that each step took, or none.
    taken: Vec<Option<usize>>,
}

impl Row {
    fn new(columns: usize) -> Self {
        Self { groups: vec![0; columns], codes: vec![0; columns], taken: Vec::new() }
    }
}

/// Where a step finds the codes that it depends on.
enum Given {
    /// The codes of other columns: what each adds to the number of the histogram's row.
    Parents(Vec<(usize, Vec<u32>)>),
    /// The group of its own column.
    Group,
}

/// One column drawn from the histogram of its table, or its code drawn inside its group.
struct Step {
    column: usize,
    given: Given,
    /// Whether what is drawn is a code, or a group that a later step refines.
    is_code: bool,
    /// The first cell of each row of the histogram, and behind them the end of the last.
    starts: Vec<usize>,
    /// What each cell stands for.
    values: Vec<u32>,
    left: Fenwick,
}

fn steps(hierarchy: &Hierarchy, network: &Network, tables: &[Table], rows: f64) -> Vec<Step> {
    let mut steps = Vec::new();
    for (child, parents) in conditionals::steps(network) {
        let mut nodes = parents.clone();
        nodes.push(child);
        let width = hierarchy.size(child);
        let cells = conditionals::weights(hierarchy, tables, &nodes);
        let count = cells.len() / width;
        let given = steps_of_codes(hierarchy, &nodes);
        // The child stands last, so its size is the stride of the last parent.
        let given = parents
            .iter()
            .zip(given)
            .map(|(parent, places)| (parent.column, places.into_iter().map(|place| place / width as u32).collect()));
        steps.push(Step {
            column: child.column,
            given: Given::Parents(given.collect()),
            is_code: child.level == 0,
            starts: (0..=count).map(|row| row * width).collect(),
            values: (0..cells.len()).map(|cell| (cell % width) as u32).collect(),
            left: Fenwick::new(&whole(&cells, rows)),
        });
        if child.level > 0 {
            steps.push(refining(hierarchy, tables, child, rows));
        }
    }
    steps
}

/// The codes of a coarse column inside their groups.
fn refining(hierarchy: &Hierarchy, tables: &[Table], child: Node, rows: f64) -> Step {
    let weights = conditionals::weights(hierarchy, tables, &[Node::finest(child.column)]);
    let group_of = hierarchy.between(child.column, 0, child.level);
    let mut values: Vec<u32> = (0..group_of.len() as u32).collect();
    values.sort_by_key(|&code| group_of[code as usize]);
    let mut starts = vec![0; hierarchy.size(child) + 1];
    group_of.iter().for_each(|&group| starts[group as usize + 1] += 1);
    (1..starts.len()).for_each(|group| starts[group] += starts[group - 1]);
    let cells: Vec<f64> = values.iter().map(|&code| weights[code as usize]).collect();
    let left = Fenwick::new(&whole(&cells, rows));
    Step { column: child.column, given: Given::Group, is_code: true, starts, values, left }
}

/// Cells as whole numbers of rows: the nearest, and 0 for a negative one.
pub(super) fn whole(cells: &[f64], rows: f64) -> Vec<u64> {
    cells.iter().map(|cell| (cell * rows).round() as u64).collect()
}

/// One row.
fn draw(steps: &mut [Step], row: &mut Row, rng: &mut SampleRng) {
    row.taken.clear();
    let mut ends = 0;
    while row.taken.len() < steps.len() {
        let place = row.taken.len();
        if let Some(cell) = steps[place].take(row, rng) {
            row.taken.push(Some(cell));
        } else if ends >= THRESHOLD * FURTHEST || place == 0 {
            steps[place].anything(row, rng);
            row.taken.push(None);
        } else {
            ends += 1;
            let back = (1 + ends / THRESHOLD) as usize;
            while row.taken.len() > place.saturating_sub(back) {
                let step = row.taken.len() - 1;
                if let Some(Some(cell)) = row.taken.pop() {
                    steps[step].left.change(cell, |sum| sum + 1);
                }
            }
        }
    }
}

impl Step {
    fn set(&self, row: &mut Row, value: u32) {
        if self.is_code {
            row.codes[self.column] = value;
        } else {
            row.groups[self.column] = value;
        }
    }

    fn span(&self, row: &Row) -> std::ops::Range<usize> {
        let number = match &self.given {
            Given::Group => row.groups[self.column],
            Given::Parents(parents) => parents.iter().map(|(column, places)| places[row.codes[*column] as usize]).sum(),
        } as usize;
        self.starts[number]..self.starts[number + 1]
    }

    /// Takes one from the histogram, given the codes so far; `None` when none is left there.
    fn take(&mut self, row: &mut Row, rng: &mut SampleRng) -> Option<usize> {
        let span = self.span(row);
        let cell = self.left.draw(span, rng)?;
        self.left.change(cell, |sum| sum - 1);
        self.set(row, self.values[cell]);
        Some(cell)
    }

    /// A value from what is left of the whole histogram, which is not taken from; any value when
    /// nothing is left. A code stays inside its group.
    fn anything(&mut self, row: &mut Row, rng: &mut SampleRng) {
        let within = match self.given {
            Given::Group => self.span(row),
            Given::Parents(_) => 0..self.values.len(),
        };
        let cell = self.left.draw(within.clone(), rng);
        let cell = cell.unwrap_or_else(|| within.start + rng.below(within.len()));
        self.set(row, self.values[cell]);
    }
}

/// Counts with quick sums of ranges.
struct Fenwick {
    sums: Vec<u64>,
}

impl Fenwick {
    fn new(counts: &[u64]) -> Self {
        let mut sums = vec![0; counts.len() + 1];
        for place in 1..sums.len() {
            sums[place] += counts[place - 1];
            let next = place + (place & place.wrapping_neg());
            if next < sums.len() {
                sums[next] += sums[place];
            }
        }
        Self { sums }
    }

    /// Adds one to a cell, or takes one from a cell that has some.
    fn change(&mut self, cell: usize, by_one: impl Fn(u64) -> u64) {
        let mut place = cell + 1;
        while place < self.sums.len() {
            self.sums[place] = by_one(self.sums[place]);
            place += place & place.wrapping_neg();
        }
    }

    /// The sum of the first cells.
    fn sum(&self, cells: usize) -> u64 {
        let (mut place, mut sum) = (cells, 0);
        while place > 0 {
            sum += self.sums[place];
            place &= place - 1;
        }
        sum
    }

    /// A cell of the span, by what it has left; `None` when the span is empty.
    fn draw(&self, span: std::ops::Range<usize>, rng: &mut SampleRng) -> Option<usize> {
        let before = self.sum(span.start);
        let inside = self.sum(span.end) - before;
        if inside == 0 {
            return None;
        }
        let mut target = before + rng.below(inside as usize) as u64;
        let (mut place, mut bit) = (0, self.sums.len().next_power_of_two() / 2);
        while bit > 0 {
            let next = place + bit;
            if next < self.sums.len() && self.sums[next] <= target {
                target -= self.sums[next];
                place = next;
            }
            bit /= 2;
        }
        Some(place)
    }
}
