//! PostgreSQL tables, views and queries as rows of a release.
//!
//! All rows are fetched once, as they stand at one moment: by binary `COPY` in read-only
//! transactions that share one snapshot, over several connections where the table can be cut. They
//! arrive as Arrow batches, are coded like those of a file, and from then on the server is not
//! asked again.
//!
//! ```no_run
//! use lookalike_postgres::PostgresRows;
//! use lookalike_table::{Input, RemoteInput};
//!
//! let rows = PostgresRows::at("postgres://steward@db.example/census?table=people")?;
//! let input = Input::Remote(RemoteInput::new(rows));
//! # Ok::<(), lookalike_table::TableError>(())
//! ```
//!
//! # Privacy
//! Neighbours are rows of the table, or of a query's result. A query whose rows depend on other
//! rows (joins, aggregates, windows, `LIMIT`, samples, volatile functions) is refused where the
//! server's plan shows it (`plan.rs`); the statement names what is taken for granted beyond that.
//! Addresses, queries, passwords and the server's own words appear in no message: what the server
//! says goes to the steward's terminal alone.

mod address;
mod columns;
mod connect;
mod copy;
mod fail;
mod fetch;
mod open;
mod passwords;
mod patience;
mod plan;
mod settings;
mod snapshot;
mod tls;

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use lookalike_table::{Batches, ReadWatch, RemoteRows, SourceFacts, TableError};

use self::address::{Address, Asked};
use self::fail::Failure;
use self::open::Opened;
use self::patience::patiently;

/// A server that sends nothing for so long is given up.
const LONGEST_SILENCE: Duration = Duration::from_secs(900);
/// More connections are not opened, whatever the machine has.
const MOST_CONNECTIONS: usize = 8;

/// A table, a view or a query of a PostgreSQL server.
pub struct PostgresRows {
    address: Address,
    connections: usize,
    silence: Duration,
    facts: Arc<OnceLock<SourceFacts>>,
}

impl PostgresRows {
    /// The rows at `postgres://USER@HOST/DATABASE?table=NAME`, or with `query=SELECT ...` (which
    /// comes last and is taken as it stands) or `query-file=PATH` in the place of the table. What
    /// the address leaves out comes from the usual variables (`PGHOST`, `PGUSER`, ...); passwords
    /// come from `PGPASSWORD` or the file of passwords, never from the address.
    ///
    /// # Errors
    /// When it cannot be read, has a password, or names no rows. Nothing is connected to yet.
    pub fn at(address: &str) -> Result<Self, TableError> {
        let address = Address::parse(address).map_err(Failure::into_error)?;
        let connections = std::thread::available_parallelism().map_or(1, usize::from).min(MOST_CONNECTIONS);
        Ok(Self { address, connections, silence: LONGEST_SILENCE, facts: Arc::default() })
    }

    /// At most `connections` connections read at the same time.
    pub fn connections(self, connections: usize) -> Self {
        Self { connections: connections.clamp(1, MOST_CONNECTIONS), ..self }
    }

    /// How long the server may be silent before it is given up.
    pub fn longest_silence(self, silence: Duration) -> Self {
        Self { silence, ..self }
    }

    /// The file of the query, when it lies in one.
    pub fn query_file(&self) -> Option<&Path> {
        self.address.query_file.as_deref()
    }

    /// Finds the rows. What the server said goes to the watch alone.
    fn opened(&self, watch: &dyn ReadWatch) -> Result<Opened, TableError> {
        let address = self.address.clone();
        let opened = patiently(watch, self.silence, move || Opened::new(&address));
        opened.map_err(|failure| failure.told(watch))
    }
}

impl RemoteRows for PostgresRows {
    fn name(&self) -> String {
        match self.address.asked {
            Asked::Table(_) => "PostgreSQL table".to_owned(),
            Asked::Query(_) => "PostgreSQL query".to_owned(),
        }
    }

    fn identity(&self) -> Vec<u8> {
        self.address.identity()
    }

    fn header(&self, watch: &dyn ReadWatch) -> Result<Vec<String>, TableError> {
        Ok(self.opened(watch)?.columns.names())
    }

    fn open<'w>(&self, watch: &'w dyn ReadWatch) -> Result<Batches<'w>, TableError> {
        let opened = self.opened(watch)?;
        // The first reading tells: a second one is the steward's own.
        let _ = self.facts.set(opened.facts());
        Ok(Box::new(fetch::Fetch::begin(opened, self.connections, self.silence, watch)))
    }

    fn facts(&self) -> Option<SourceFacts> {
        self.facts.get().cloned()
    }
}
