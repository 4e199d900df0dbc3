//! Methods against a tiny engine that counts by brute force, with the seeded test stream for noise:
//! what their tests share, and tests of what several methods have in common.

mod gaps;
mod levels;
mod list;
mod total;
mod trees;

use std::sync::{Arc, Mutex};

use lookalike_curator::{Cancel, CountTable, Counts, Curator, CuratorError, Permit};
use lookalike_model::Model;
use lookalike_privacy::ledger::MemoryStore;
use lookalike_privacy::{Budget, Delta, Epsilon, Ledger, Neighbours, Relation, SeededNoise};
use lookalike_schema::{AttrId, Clique, Derived, Domain, Schema};
pub(crate) use lookalike_testkit::{clique, words as schema};

use crate::{MethodError, Observer, Outcome, Request, build};

/// The cliques of each look.
pub(crate) type Looks = Arc<Mutex<Vec<usize>>>;

struct Columns {
    domain: Domain,
    rows: usize,
    columns: Vec<Vec<u32>>,
    looks: Looks,
}

impl Counts for Columns {
    fn count(
        &self,
        cliques: &[Clique],
        derived: &[Derived],
        _permit: Permit,
        _cancel: &Cancel,
    ) -> Result<Vec<CountTable>, CuratorError> {
        self.looks.lock().unwrap().push(cliques.len());
        let (mut columns, mut sizes) = (self.columns.clone(), self.domain.sizes().to_vec());
        for column in derived {
            columns.push(columns[column.base.index()].iter().map(|&code| column.grouping.group(code)).collect());
            sizes.push(column.grouping.groups());
        }
        let domain = Domain::new(sizes);
        let code = |row: usize, a: AttrId| columns[a.index()][row] as usize;
        let count = |clique: &Clique| {
            let mut cells = vec![0u64; domain.cells(clique).unwrap() as usize];
            for row in 0..self.rows {
                let place = |cell: usize, &a: &AttrId| cell * domain.size(a) as usize + code(row, a);
                cells[clique.attributes().iter().fold(0, place)] += 1;
            }
            CountTable::Dense(cells)
        };
        Ok(cliques.iter().map(count).collect())
    }
}

/// A door to some columns of codes, and what it looked at.
pub(crate) struct Bench {
    pub(crate) curator: Curator,
    pub(crate) looks: Looks,
    pub(crate) records: MemoryStore,
}

pub(crate) fn bench(
    schema: &Schema,
    rows: usize,
    columns: Vec<Vec<u32>>,
    budget: Budget,
    relation: Relation,
    seed: u64,
) -> Bench {
    let (looks, records) = (Looks::default(), MemoryStore::new());
    let neighbours = Neighbours::new(relation, 1).unwrap();
    let ledger = Ledger::open(Box::new(records.clone()), budget, neighbours).unwrap();
    let engine = Columns { domain: schema.domain().clone(), rows, columns, looks: looks.clone() };
    let noise = Box::new(SeededNoise::new(seed));
    Bench { curator: Curator::new(schema.clone(), Box::new(engine), ledger, noise, Cancel::new()), looks, records }
}

/// Settings as `--set` gives them.
pub(crate) fn settings(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|&(name, value)| (name.into(), value.into())).collect()
}

/// The model that a method with these settings fits.
pub(crate) fn fit(method: &str, bench: &mut Bench, pairs: &[(&str, &str)]) -> Result<Model, MethodError> {
    match build(method, &settings(pairs)).unwrap().run(&mut bench.curator, &Request::default(), &Watch::default())? {
        Outcome::Model(model) => Ok(model),
        Outcome::Rows(_) => panic!("{method} makes rows"),
    }
}

/// Columns that depend on the ones before: each repeats its neighbour, moved on by one now and
/// then.
pub(crate) fn chained(sizes: &[u32], rows: usize) -> Vec<Vec<u32>> {
    let mut columns: Vec<Vec<u32>> = Vec::new();
    let mut state = 12345u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    };
    for (place, &size) in sizes.iter().enumerate() {
        let code = |row: usize, draw: u32, columns: &[Vec<u32>]| match place {
            0 => draw % size,
            _ if draw.is_multiple_of(4) => (draw / 4) % size,
            _ => columns[place - 1][row] % size,
        };
        columns.push((0..rows).map(|row| code(row, next(), &columns)).collect());
    }
    columns
}

/// The counts of the cells of these columns.
pub(crate) fn counts(columns: &[Vec<u32>], sizes: &[u32], picked: &[usize]) -> Vec<f64> {
    let cells: u32 = picked.iter().map(|&column| sizes[column]).product();
    let mut counts = vec![0.0; cells as usize];
    let cell = |row: usize| picked.iter().fold(0, |cell, &column| cell * sizes[column] + columns[column][row]);
    (0..columns[0].len()).for_each(|row| counts[cell(row) as usize] += 1.0);
    counts
}

/// One record added or removed.
pub(crate) fn one_record() -> Neighbours {
    Neighbours::new(Relation::AddRemove, 1).unwrap()
}

pub(crate) fn budget(epsilon: f64, delta: f64) -> Budget {
    Budget { epsilon: Epsilon::new(epsilon).unwrap(), delta: Delta::new(delta).unwrap() }
}

/// Remembers the phases.
#[derive(Default)]
pub(crate) struct Watch(pub(crate) Mutex<Vec<String>>);

impl Observer for Watch {
    fn phase(&self, name: &str) {
        self.0.lock().unwrap().push(name.into());
    }
    fn budget(&self, share: f64) {
        assert!((0.0..=1.0).contains(&share), "{share}");
    }
}
