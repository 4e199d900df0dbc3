//! Tests of the door, on a tiny engine that counts by brute force.

mod before;
mod derived;
mod engine;
mod faults;
mod histogram;
mod kept;
mod known;
mod loss;
mod narrowed;
mod noise;
mod noisy_scores;
mod order;
mod recording;
mod selection;

use std::sync::{Arc, Mutex};

use lookalike_privacy::{
    Budget, Delta, Epsilon, Ledger, LedgerStore, Neighbours, NoiseBits, Rational, Relation, SeededNoise,
};
use lookalike_schema::{Clique, Derived, Domain};
pub(crate) use lookalike_testkit::{clique, integers as schema};

use crate::{Cancel, CountTable, Counts, Curator, CuratorError, MarginalQuery, Noise, Permit};

// The crate has no serde, so nothing here can be serialized; this fails to compile when that
// changes.
crate::unprintable::assert_lacks!(CountTable: serde::Serialize);
crate::unprintable::assert_lacks!(Permit: serde::Serialize);
crate::unprintable::assert_lacks!(Curator: serde::Serialize);

/// A ledger's records in memory, cheap to count.
#[derive(Clone, Default)]
pub(crate) struct Records(Arc<Mutex<Vec<String>>>);

impl Records {
    pub fn len(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    pub fn last(&self) -> String {
        self.0.lock().unwrap().last().unwrap().clone()
    }
}

impl LedgerStore for Records {
    fn append(&mut self, record: &str) -> std::io::Result<()> {
        self.0.lock().unwrap().push(record.into());
        Ok(())
    }
}

/// Rows counted one by one. It notes every look, and how many records the ledger had by then.
pub(crate) struct Rows {
    pub rows: Vec<Vec<u32>>,
    pub domain: Domain,
    pub sparse: bool,
    pub looks: Looks,
    pub store: Records,
}

/// Every look: the cliques, and the number of records on the ledger at that moment.
pub(crate) type Looks = Arc<Mutex<Vec<(Vec<Clique>, usize)>>>;

/// The table of one clique.
pub(crate) fn brute_force(rows: &[Vec<u32>], domain: &Domain, clique: &Clique, sparse: bool) -> CountTable {
    let mut counts = vec![0u64; domain.cells(clique).unwrap() as usize];
    for row in rows {
        let cell =
            clique.attributes().iter().fold(0, |cell, &a| cell * domain.size(a) as usize + row[a.index()] as usize);
        counts[cell] += 1;
    }
    if !sparse {
        return CountTable::Dense(counts);
    }
    let entries = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    CountTable::Sparse {
        entries: entries.map(|(cell, &count)| (cell as u64, count)).collect(),
        cells: counts.len() as u64,
    }
}

/// The rows with the groups of derived columns behind their codes, and the wider domain.
pub(crate) fn widened(rows: &[Vec<u32>], domain: &Domain, derived: &[Derived]) -> (Vec<Vec<u32>>, Domain) {
    let groups = |row: &Vec<u32>| derived.iter().map(|d| d.grouping.group(row[d.base.index()])).collect::<Vec<_>>();
    let rows = rows.iter().map(|row| [row.clone(), groups(row)].concat()).collect();
    let sizes = derived.iter().map(|d| d.grouping.groups()).collect();
    (rows, Domain::new([domain.sizes().to_vec(), sizes].concat()))
}

impl Counts for Rows {
    fn count(
        &self,
        cliques: &[Clique],
        derived: &[Derived],
        permit: Permit,
        _cancel: &Cancel,
    ) -> Result<Vec<CountTable>, CuratorError> {
        assert_eq!(permit.cliques(), cliques.len());
        self.looks.lock().unwrap().push((cliques.to_vec(), self.store.len()));
        let (rows, domain) = widened(&self.rows, &self.domain, derived);
        Ok(cliques.iter().map(|clique| brute_force(&rows, &domain, clique, self.sparse)).collect())
    }
}

/// A door with its hands visible.
pub(crate) struct Bench {
    pub curator: Curator,
    pub looks: Looks,
    pub store: Records,
    pub cancel: Cancel,
}

/// What a test door is made of.
pub(crate) struct Setting {
    pub sizes: Vec<u32>,
    pub rows: Vec<Vec<u32>>,
    pub budget: Budget,
    pub neighbours: Neighbours,
    pub seed: u64,
    pub sparse: bool,
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            sizes: vec![2, 3],
            rows: vec![vec![0, 2], vec![1, 1], vec![0, 2]],
            budget: budget(10.0, 1e-5),
            neighbours: add_remove(),
            seed: 1,
            sparse: false,
        }
    }
}

impl Setting {
    pub fn bench(self) -> Bench {
        let (looks, store, cancel) = (Looks::default(), Records::default(), Cancel::new());
        let schema = schema(&self.sizes);
        let domain = schema.domain().clone();
        let engine = Rows { rows: self.rows, domain, sparse: self.sparse, looks: looks.clone(), store: store.clone() };
        let ledger = Ledger::open(Box::new(store.clone()), self.budget, self.neighbours).unwrap();
        let noise: Box<dyn NoiseBits> = Box::new(SeededNoise::new(self.seed));
        let curator = Curator::new(schema, Box::new(engine), ledger, noise, cancel.clone());
        Bench { curator, looks, store, cancel }
    }

    /// A door whose ledger takes whatever fits in the budget.
    pub fn open(self) -> Bench {
        let mut bench = self.bench();
        bench.curator.commit_filter().unwrap();
        bench
    }
}

impl Bench {
    pub fn looks(&self) -> usize {
        self.looks.lock().unwrap().len()
    }

    pub fn records(&self) -> usize {
        self.store.len()
    }
}

pub(crate) fn budget(epsilon: f64, delta: f64) -> Budget {
    Budget { epsilon: Epsilon::new(epsilon).unwrap(), delta: Delta::new(delta).unwrap() }
}

pub(crate) fn add_remove() -> Neighbours {
    Neighbours::new(Relation::AddRemove, 1).unwrap()
}

pub(crate) fn replace_one() -> Neighbours {
    Neighbours::new(Relation::ReplaceOne, 1).unwrap()
}

pub(crate) fn ratio(numerator: u64, denominator: u64) -> Rational {
    Rational::new(numerator, denominator).unwrap()
}

pub(crate) fn gaussian(attributes: &[u32], sigma_squared: u64) -> MarginalQuery {
    MarginalQuery { clique: clique(attributes), noise: Noise::Gaussian(ratio(sigma_squared, 1)) }
}

pub(crate) fn laplace(attributes: &[u32], scale: u64) -> MarginalQuery {
    MarginalQuery { clique: clique(attributes), noise: Noise::Laplace(ratio(scale, 1)) }
}
