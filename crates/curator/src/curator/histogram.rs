//! Rows drawn from a smoothed histogram: the one query whose answer is rows.
//!
//! # Privacy
//! Replace-one, n public. Let M be the number of cells of the joint domain that the schema does not
//! call impossible. Each of the k rows is drawn so: with probability d (the smoothing) it is
//! uniform over the M possible cells; otherwise a row of the table is chosen at random, and its
//! cell is the answer, unless the schema calls that cell impossible, when the answer is again
//! uniform over the M possible cells. With c_j rows in the possible cell j, b rows in impossible
//! cells and n in all, the chance of cell j is
//!
//! `p_j = d / M + (1 - d) (c_j + b / M) / n`.
//!
//! Let one row be replaced. Between two possible cells, c_j changes by 1; from a possible to an
//! impossible one, c_j falls by 1 and b rises by 1, so that c_j + b / M falls by 1 - 1/M there and
//! rises by 1/M elsewhere; between two impossible ones nothing changes. So no p_j changes by more
//! than (1 - d) / n, none is below d / M, and the ratio of the two chances of one cell is at most
//! `1 + (1 - d) M / (n d)`, either way round. The k rows are independent given the table, which
//! makes `k ln(1 + (1 - d) M / (n d))`, pure: [`SmoothedHistogram::epsilon`] with m = M. M comes
//! from the schema alone. The bound is met: all rows but one in the same cells, and that one alone
//! in its cell.
//!
//! The draws are exact: a rational coin and uniform integers, from the noise generator. There is no
//! seed to give, no model, and nothing to sample from later: every further row costs as much again.

use std::num::NonZeroU64;

use lookalike_measurement::DrawnRows;
use lookalike_privacy::noise::{bernoulli, uniform_below};
use lookalike_privacy::{ChargedQuery, NoiseBits, Rational, Relation, SmoothedHistogram, Step};
use lookalike_schema::{Clique, Schema};

use super::Curator;
use crate::check::query;
use crate::{CountTable, CuratorError};

/// The most cells of a joint domain that is held as a histogram.
pub const MAX_HISTOGRAM_CELLS: u64 = 1 << 24;

/// The most rows of one histogram query.
pub const MAX_DRAWS: u64 = 1 << 28;

/// Rows that are drawn between two looks for a stop.
const DRAWS_BETWEEN_STOPS: usize = 1 << 16;

/// Rows drawn from the smoothed histogram of all columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistogramQuery {
    /// How many rows.
    pub draws: u64,
    /// The chance of a uniform draw, above 0 and at most 1.
    pub smoothing: Rational,
}

/// The cells that a histogram of all columns of this schema has, impossible ones left out. Nothing
/// is read or charged, so that a job can be refused before it begins.
///
/// # Errors
/// More than [`MAX_HISTOGRAM_CELLS`] cells, or none that is possible.
pub fn histogram_cells(schema: &Schema) -> Result<u64, CuratorError> {
    Ok(PossibleCells::new(schema)?.len())
}

impl Curator {
    /// The cells that a histogram of all columns has, impossible ones left out: from the schema
    /// alone.
    ///
    /// # Errors
    /// More than [`MAX_HISTOGRAM_CELLS`] cells, or none that is possible.
    pub fn histogram_cells(&self) -> Result<u64, CuratorError> {
        histogram_cells(&self.schema)
    }

    /// Draws rows from the smoothed histogram: one durable charge, one pass, then exact draws.
    ///
    /// # Privacy
    /// Replace-one only, pure: k ln(1 + (1 - d) M / (n d)) for k rows at the smoothing d, with M
    /// the possible cells of the schema and n the public row count. The proof is at the head of
    /// this file (`curator/histogram.rs`).
    ///
    /// # Errors
    /// Before the charge: add/remove, a joint domain that is too large or wholly impossible, too
    /// many rows, a smoothing above 1, a refusal of the ledger, a stop. After it: a fault of the
    /// engine, or a stop; the charge stays.
    pub fn histogram(&mut self, ask: &HistogramQuery) -> Result<DrawnRows, CuratorError> {
        if self.neighbours().relation() != Relation::ReplaceOne {
            return Err(query("the smoothed histogram needs a public n: use the relation replace-one".into()));
        }
        if ask.draws == 0 || ask.draws > MAX_DRAWS {
            return Err(query(format!("a smoothed histogram gives between 1 and {MAX_DRAWS} rows")));
        }
        if ask.smoothing.numerator() > ask.smoothing.denominator() {
            return Err(query("the smoothing of a histogram is at most 1".into()));
        }
        let cells = PossibleCells::new(&self.schema)?;
        let rows = self.public_rows()?;
        let histogram = SmoothedHistogram { cells: cells.len(), rows, draws: ask.draws };
        let step = Step::Histogram { smoothing: ask.smoothing, histogram };
        let rows = if ask.draws == 1 { "row" } else { "rows" };
        let label = format!("{} {rows} of a smoothed histogram of all columns", ask.draws);
        let receipt = self.charge(&[ChargedQuery { label, step: step.clone() }])?;
        let all = Clique::new(self.schema.domain().attributes());
        let mut tables = self.look_at_all(receipt, &[all])?;
        let rows = RowCells::new(tables.pop().unwrap_or(CountTable::Dense(Vec::new())));
        let mut drawn = Vec::with_capacity(ask.draws as usize);
        while (drawn.len() as u64) < ask.draws {
            if drawn.len().is_multiple_of(DRAWS_BETWEEN_STOPS) && self.cancel.is_cancelled() {
                return Err(CuratorError::Cancelled);
            }
            drawn.push(draw(&cells, &rows, ask.smoothing, self.noise.as_mut())?);
        }
        self.station.hand_over(DrawnRows { cells: drawn, step }, &self.ledger)
    }
}

/// One row of the mixture.
fn draw(
    possible: &PossibleCells,
    rows: &RowCells,
    smoothing: Rational,
    bits: &mut dyn NoiseBits,
) -> Result<u32, CuratorError> {
    let uniform = bernoulli(smoothing.numerator(), smoothing.denominator(), bits)?;
    let own = if uniform { None } else { rows.random(bits) };
    Ok(match own {
        Some(cell) if possible.contains(cell) => cell,
        _ => possible.random(bits),
    })
}

/// The cells that the schema does not call impossible.
struct PossibleCells {
    cells: NonZeroU64,
    /// The possible ones, ascending; `None` when all are.
    list: Option<Vec<u32>>,
}

impl PossibleCells {
    fn new(schema: &Schema) -> Result<Self, CuratorError> {
        let domain = schema.domain();
        let all = Clique::new(domain.attributes());
        let all = domain.cells(&all);
        let cells = all.filter(|&cells| cells <= MAX_HISTOGRAM_CELLS).ok_or_else(|| {
            let cells = all.map_or_else(|| "more than 2^64".to_owned(), |cells| cells.to_string());
            query(format!(
                "the columns have {cells} combinations together, too many for a histogram, which holds at most \
                 {MAX_HISTOGRAM_CELLS}; use fewer columns, coarser bins, or another method"
            ))
        })?;
        let list = (!schema.impossible().is_empty()).then(|| {
            let mut codes = vec![0; domain.len()];
            (0..cells as u32).filter(|&cell| !schema.forbids(decode(cell, domain.sizes(), &mut codes))).collect()
        });
        let possible = list.as_ref().map_or(cells, |list: &Vec<u32>| list.len() as u64);
        let cells = NonZeroU64::new(possible)
            .ok_or_else(|| query("the schema calls every combination of all columns impossible".into()))?;
        Ok(Self { cells, list })
    }

    fn len(&self) -> u64 {
        self.cells.get()
    }

    fn contains(&self, cell: u32) -> bool {
        self.list.as_ref().is_none_or(|list| list.binary_search(&cell).is_ok())
    }

    fn random(&self, bits: &mut dyn NoiseBits) -> u32 {
        let place = uniform_below(self.cells, bits);
        self.list.as_ref().map_or(place as u32, |list| list[place as usize])
    }
}

/// The codes of a cell, last column fastest.
fn decode<'a>(mut cell: u32, sizes: &[u32], codes: &'a mut [u32]) -> &'a [u32] {
    for (code, &size) in codes.iter_mut().zip(sizes).rev() {
        *code = cell % size;
        cell /= size;
    }
    codes
}

/// The rows of the table by cell. Unprintable, as it holds exact counts.
struct RowCells {
    /// The occupied cells, and how many rows lie in them and before them.
    ends: Vec<(u64, u32)>,
}

crate::unprintable::assert_lacks!(RowCells: std::fmt::Debug, Clone);

impl RowCells {
    fn new(table: CountTable) -> Self {
        let (mut ends, mut sum) = (Vec::new(), 0u64);
        table.for_each_occupied(|cell, count| {
            sum = sum.saturating_add(count);
            ends.push((sum, cell as u32));
        });
        Self { ends }
    }

    /// The cell of a row chosen at random; `None` in an empty table.
    fn random(&self, bits: &mut dyn NoiseBits) -> Option<u32> {
        let rows = NonZeroU64::new(self.ends.last()?.0)?;
        let row = uniform_below(rows, bits);
        let place = self.ends.partition_point(|end| end.0 <= row);
        self.ends.get(place).map(|end| end.1)
    }
}
