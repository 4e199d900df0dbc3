//! DualQuery: records that answer well what is drawn from a distribution over queries.
//!
//! Gaboardi, Gallego Arias, Hsu, Roth and Wu 2014, "Dual query: practical private query release for
//! high dimensional data". Read: the settings of the authors' program (`ejgallego/dualquery`); the
//! algorithm is from what is well known of it. The queries are the cells of all 3-way marginals and
//! their opposites; the authors draw some hundred thousand such queries.
//!
//! The authors find the best record with an integer programme. Here it is found by changing one
//! column at a time from several starts. That may miss it, and costs accuracy but no privacy: the
//! search sees queries, never rows.

use anyhow::{Context, Result, ensure};
use lookalike_privacy::NoiseBits;
use lookalike_schema::Clique;
use rand_chacha::ChaCha20Rng;

use super::composition::advanced;
use super::draws::{floats, pick};
use super::task::SynthesisTask;
use crate::marginal::{all_marginals, exact};
use crate::simulate::draw::below;

/// Columns of a query.
const WAYS: usize = 3;
/// The most cells of all marginals together.
const MOST_QUERIES: u64 = 1 << 23;
/// The learning rate. The authors' program has 0.1 and 200 queries a round; on NLTCS at epsilon 0.8
/// that is no better than these, and on Adult, where queries are many and rare, far worse.
const ETA: f64 = 1.0;
/// Queries drawn in a round.
const SAMPLES: usize = 20;
/// Rounds at most: one record each, and time is linear in them.
const MOST_ROUNDS: usize = 1_000;
/// Starts of the search for a record.
const STARTS: usize = 10;

/// Columns of a synthetic table: rows are drawn from one record a round.
///
/// # Privacy
/// Replace-one, n public. A query's share of rows moves by at most 1 / n. In round t a query is
/// drawn with a chance proportional to exp(eta (its share less that of the record, added up over
/// the t - 1 rounds before)), so one drawing costs a pure 2 eta (t - 1) / n, and s drawings in each
/// of T rounds eta T (T - 1) s / n in all. With a delta, advanced composition of s (T - 1) drawings
/// of at most 2 eta (T - 1) / n each; the first round is free. T is the largest that the budget
/// allows by either. Queries are drawn in floats: for experiments only.
pub(super) fn dual_query(task: &SynthesisTask, bits: &mut dyn NoiseBits) -> Result<Vec<Vec<u32>>> {
    let (sizes, domain) = (task.sizes(), task.table.domain());
    let ways = WAYS.min(sizes.len());
    let marginals = all_marginals(domain, ways);
    let cells = marginals.iter().try_fold(0u64, |sum, clique| Some(sum + domain.cells(clique)?));
    cells.filter(|&cells| cells <= MOST_QUERIES).context("DualQuery needs marginals of at most 2^23 cells in all")?;
    ensure!(!marginals.is_empty(), "DualQuery needs a column");
    let rows = task.table.rows() as f64;
    let rounds = rounds(rows, task.epsilon, task.delta);
    let shares: Vec<f64> =
        exact(task.table, &marginals)?.concat().into_iter().map(|count| count as f64 / rows).collect();
    let index = QueryIndex::new(&marginals, &sizes);
    let mut rng = floats(bits);
    let mut payoffs = vec![0.0; shares.len()];
    let mut sums = vec![0.0; 2 * shares.len()];
    let mut records = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        running_sums(&payoffs, ETA, &mut sums);
        let drawn: Vec<CellOrNot> = (0..SAMPLES).map(|_| index.query(pick(&sums, &mut rng))).collect();
        let record = best_record(&drawn, &sizes, &mut rng);
        payoffs.iter_mut().zip(&shares).for_each(|(payoff, share)| *payoff += share);
        index.cells(&record).for_each(|cell| payoffs[cell] -= 1.0);
        records.push(record);
    }
    let chosen: Vec<&Vec<u32>> =
        (0..task.rows).map(|_| &records[below(&mut rng, records.len() as u32) as usize]).collect();
    Ok((0..sizes.len()).map(|column| chosen.iter().map(|record| record[column]).collect()).collect())
}

/// What `rounds` rounds cost: the smaller of plain and advanced composition.
pub fn cost(rounds: usize, rows: f64, delta: f64) -> f64 {
    let (t, s) = (rounds as f64, SAMPLES as f64);
    let plain = ETA * t * (t - 1.0) * s / rows;
    if delta > 0.0 { plain.min(advanced(2.0 * ETA * (t - 1.0) / rows, s * (t - 1.0), delta)) } else { plain }
}

/// The most rounds that the budget allows; the first is free.
fn rounds(rows: f64, epsilon: f64, delta: f64) -> usize {
    let all: Vec<usize> = (1..=MOST_ROUNDS).collect();
    all.partition_point(|&rounds| cost(rounds, rows, delta) <= epsilon).max(1)
}

/// Running sums of the weights of all queries: exp(eta payoff), and for their opposites
/// exp(-eta payoff). The largest is taken out of all, so that none overflows.
pub fn running_sums(payoffs: &[f64], eta: f64, sums: &mut [f64]) {
    let most = payoffs.iter().fold(0.0f64, |most, payoff| most.max(payoff.abs())) * eta;
    let mut sum = 0.0;
    for (payoff, pair) in payoffs.iter().zip(sums.chunks_mut(2)) {
        for (slot, sign) in pair.iter_mut().zip([eta, -eta]) {
            sum += (sign * payoff - most).exp();
            *slot = sum;
        }
    }
}

/// A cell of a marginal, as columns and codes, or its opposite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellOrNot {
    /// The columns and their codes.
    pub cell: Vec<(usize, u32)>,
    /// Whether it asks for the rows outside the cell.
    pub opposite: bool,
}

/// Where each marginal begins among all cells, its columns, and the codes of each.
struct QueryIndex {
    starts: Vec<usize>,
    columns: Vec<Vec<(usize, usize)>>,
}

impl QueryIndex {
    fn new(marginals: &[Clique], sizes: &[usize]) -> Self {
        let mut starts = Vec::with_capacity(marginals.len());
        let mut columns = Vec::with_capacity(marginals.len());
        let mut cells = 0;
        for marginal in marginals {
            let of = marginal.attributes().iter().map(|a| (a.index(), sizes[a.index()]));
            let of: Vec<(usize, usize)> = of.collect();
            starts.push(cells);
            cells += of.iter().map(|(_, size)| size).product::<usize>();
            columns.push(of);
        }
        Self { starts, columns }
    }

    /// The query at this place, where each cell is followed by its opposite.
    fn query(&self, place: usize) -> CellOrNot {
        let marginal = self.starts.partition_point(|&start| start <= place / 2) - 1;
        let mut code = place / 2 - self.starts[marginal];
        let mut cell = Vec::with_capacity(WAYS);
        for &(column, size) in self.columns[marginal].iter().rev() {
            cell.push((column, (code % size) as u32));
            code /= size;
        }
        CellOrNot { cell, opposite: place % 2 == 1 }
    }

    /// The cells that a record is in, one of each marginal.
    fn cells<'a>(&'a self, record: &'a [u32]) -> impl Iterator<Item = usize> + 'a {
        let cell = |columns: &Vec<(usize, usize)>| {
            columns.iter().fold(0, |cell, &(column, size)| cell * size + record[column] as usize)
        };
        self.starts.iter().zip(&self.columns).map(move |(start, columns)| start + cell(columns))
    }
}

/// How many of the queries count this record.
pub fn answered(queries: &[CellOrNot], record: &[u32]) -> usize {
    let inside = |query: &CellOrNot| query.cell.iter().all(|&(column, code)| record[column] == code);
    queries.iter().filter(|query| inside(query) != query.opposite).count()
}

/// A record that as many of the queries as the search finds count.
pub fn best_record(queries: &[CellOrNot], sizes: &[usize], rng: &mut ChaCha20Rng) -> Vec<u32> {
    let climbed = |_| {
        let mut record: Vec<u32> = sizes.iter().map(|&size| below(rng, size as u32)).collect();
        let mut best = answered(queries, &record);
        loop {
            let before = best;
            for query in queries {
                // Whatever makes a difference is a code that some query names, or any other code
                // where a query asks for the outside.
                for &(column, code) in &query.cell {
                    let was = record[column];
                    record[column] = if query.opposite { below(rng, sizes[column] as u32) } else { code };
                    let now = answered(queries, &record);
                    if now > best {
                        best = now;
                    } else {
                        record[column] = was;
                    }
                }
            }
            if best == before {
                return (best, record);
            }
        }
    };
    let best = (0..STARTS).map(climbed).max_by_key(|(answered, _)| *answered);
    best.map(|(_, record)| record).unwrap_or_default()
}
