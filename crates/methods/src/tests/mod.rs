//! Methods against a tiny engine that counts by brute force, with the seeded test stream for noise.

mod aim;
mod auto;
mod bounds;
mod graphical;
mod histogram;
mod independent;
mod list;
mod mst;
mod privbayes_nist;
mod privbayes_nist_rows;
mod project;
mod total;
mod trees;

use std::sync::{Arc, Mutex};

use lookalike_curator::{Cancel, CountTable, Counts, Curator, CuratorError, Permit};
use lookalike_privacy::ledger::MemoryStore;
use lookalike_privacy::{Budget, Delta, Epsilon, Ledger, Neighbours, Relation, SeededNoise};
use lookalike_schema::{AttrId, Clique, Derived, Domain, Schema};

use crate::Observer;

pub(crate) use privbayes_nist::chained;

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

/// One record added or removed.
pub(crate) fn one_record() -> Neighbours {
    Neighbours::new(Relation::AddRemove, 1).unwrap()
}

pub(crate) fn budget(epsilon: f64, delta: f64) -> Budget {
    Budget { epsilon: Epsilon::new(epsilon).unwrap(), delta: Delta::new(delta).unwrap() }
}

/// Columns of words, with rules in the words of the schema file.
pub(crate) fn schema(sizes: &[u32], rules: &str) -> Schema {
    let mut text = String::from("[columns.who]\ntype = \"id\"\n");
    for (index, size) in sizes.iter().enumerate() {
        let words: Vec<String> = (0..*size).map(|code| format!("\"v{code}\"")).collect();
        text += &format!("[columns.c{index}]\ntype = \"category\"\nvalues = [{}]\n", words.join(", "));
    }
    Schema::parse(&(text + rules), "test.toml").unwrap()
}

/// Remembers the phases.
#[derive(Default)]
pub(crate) struct Watch(pub(crate) Mutex<Vec<String>>);

impl Observer for Watch {
    fn phase(&self, name: &str) {
        self.0.lock().unwrap().push(name.into());
    }
    fn round(&self, _done: u64, _planned: u64) {}
    fn budget(&self, share: f64) {
        assert!((0.0..=1.0).contains(&share), "{share}");
    }
    fn reading(&self, _share: f64) {}
    fn note(&self, _text: &str) {}
}
