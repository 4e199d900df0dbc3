//! Rows that lie elsewhere: a server hands them over as batches, once for each reading.

use std::sync::Arc;

use arrow_array::RecordBatch;

use super::watch::ReadWatch;
use crate::error::TableError;

/// Batches of rows, all with the same columns.
pub type Batches<'a> = Box<dyn Iterator<Item = Result<RecordBatch, TableError>> + Send + 'a>;

/// A table that a server holds.
///
/// # Privacy
/// All batches of one reading are of the same rows: a snapshot, whatever others write meanwhile.
/// Each row of the server's table is in one of them. No error has a word of the server, an address,
/// a query or a credential: what the server says goes to [`ReadWatch::server_said`] alone.
pub trait RemoteRows: Send + Sync {
    /// What messages call it: the kind of table, never its address.
    fn name(&self) -> String;

    /// What tells this table from others in a private file. No secret is in it.
    fn identity(&self) -> Vec<u8>;

    /// The names of the columns, without a row.
    fn header(&self, watch: &dyn ReadWatch) -> Result<Vec<String>, TableError>;

    /// All rows, in batches of which at least one comes, with the columns of the table. Waiting for
    /// the server ends when the watch says so.
    fn open<'w>(&self, watch: &'w dyn ReadWatch) -> Result<Batches<'w>, TableError>;

    /// What a statement says of where rows came from, once they were read.
    fn facts(&self) -> Option<SourceFacts>;
}

/// What a statement says of where rows came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFacts {
    /// The kind of server, such as `PostgreSQL`.
    pub engine: String,
    /// Its version.
    pub version: String,
    /// What the rows are of: a table, a view, a query.
    pub rows_of: String,
    /// What the guarantee takes for granted about these rows.
    pub assumes: Option<String>,
}

/// A server's table as an input.
#[derive(Clone)]
pub struct RemoteInput(Arc<dyn RemoteRows>);

impl RemoteInput {
    /// Rows of this table.
    pub fn new(rows: impl RemoteRows + 'static) -> Self {
        Self(Arc::new(rows))
    }

    /// The table.
    pub fn rows(&self) -> &dyn RemoteRows {
        &*self.0
    }
}

impl std::fmt::Debug for RemoteInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.name())
    }
}

impl PartialEq for RemoteInput {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for RemoteInput {}
