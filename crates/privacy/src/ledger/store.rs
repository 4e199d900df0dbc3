//! Where a ledger's records are kept.

use std::sync::{Arc, Mutex, PoisonError};

/// Where records are kept. `append` returns only when the record would survive a power cut.
pub trait LedgerStore: Send {
    /// Durably adds one record, a line without its end.
    ///
    /// After an error the ledger writes nothing more: part of the record may be there.
    fn append(&mut self, record: &str) -> std::io::Result<()>;
}

/// Records in memory, for tests and for programs that keep no journal. It survives nothing.
///
/// Clones share the records, so that one can be kept while the ledger owns the other.
#[derive(Clone, Default)]
pub struct MemoryStore {
    records: Arc<Mutex<Vec<String>>>,
}

impl MemoryStore {
    /// No records yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// All records so far.
    pub fn records(&self) -> Vec<String> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl LedgerStore for MemoryStore {
    fn append(&mut self, record: &str) -> std::io::Result<()> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner).push(record.to_owned());
        Ok(())
    }
}
