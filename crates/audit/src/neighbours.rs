//! Two neighbouring tables behind real doors.

use std::io;

use lookalike_curator::{Cancel, Curator};
use lookalike_privacy::{Budget, Delta, Epsilon, Ledger, LedgerStore, Neighbours, NoiseBits, NoiseRng};
use lookalike_schema::Schema;
use lookalike_table::PrivateTable;

use crate::AuditError;
use crate::attack::Side;

/// Far above what all runs of a curator cost together.
const NO_END: f64 = 1e6;

/// Two neighbouring tables with a public schema.
pub(crate) struct NeighbourTables {
    schema: Schema,
    /// Without the canary and with it, column by column.
    tables: [Vec<Vec<u32>>; 2],
    neighbours: Neighbours,
    delta: f64,
}

/// Takes records and keeps none: an audit charges millions of queries.
struct Forgetful;

impl LedgerStore for Forgetful {
    fn append(&mut self, _record: &str) -> io::Result<()> {
        Ok(())
    }
}

impl NeighbourTables {
    /// The tables without the canary and with it, column by column.
    pub fn new(
        sizes: &[u32],
        tables: [Vec<Vec<u32>>; 2],
        neighbours: Neighbours,
        delta: f64,
    ) -> Result<Self, AuditError> {
        Ok(Self { schema: schema(sizes)?, tables, neighbours, delta })
    }

    /// A curator of one of the tables, with a filter that lets every charge through and still adds
    /// it up.
    pub fn curator(&self, side: Side, cancel: &Cancel) -> Result<Curator, AuditError> {
        self.curator_with(side, Box::new(NoiseRng::from_os()?), cancel)
    }

    /// The same with given noise.
    pub fn curator_with(&self, side: Side, noise: Box<dyn NoiseBits>, cancel: &Cancel) -> Result<Curator, AuditError> {
        let budget = Budget { epsilon: Epsilon::new(NO_END)?, delta: Delta::new(self.delta)? };
        let ledger = Ledger::open(Box::new(Forgetful), budget, self.neighbours)?;
        let engine = PrivateTable::from_columns(&self.schema, self.tables[side as usize].clone());
        let mut curator = Curator::new(self.schema.clone(), Box::new(engine), ledger, noise, cancel.clone());
        curator.commit_filter()?;
        Ok(curator)
    }
}

/// A schema of columns with these numbers of codes.
pub(crate) fn schema(sizes: &[u32]) -> Result<Schema, AuditError> {
    let columns: Vec<String> = sizes.iter().enumerate().map(|(place, size)| format!("\"c{place}\": {size}")).collect();
    Ok(Schema::parse(&format!("{{{}}}", columns.join(", ")), "audit.json")?)
}
