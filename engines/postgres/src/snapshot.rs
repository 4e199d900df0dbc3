//! One moment of the table for all connections.

use postgres::Client;

use crate::fail::Failure;

const BEGIN: &str = "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";

/// The name of a snapshot that other connections may take.
#[derive(Clone)]
pub(crate) struct Snapshot(String);

impl Snapshot {
    /// Opens a transaction, whose snapshot holds for as long as it is open.
    pub fn export(client: &mut Client) -> Result<Self, Failure> {
        let exported = client.batch_execute(BEGIN).and_then(|()| client.query_one("SELECT pg_export_snapshot()", &[]));
        let row = exported.map_err(|error| Failure::asking(&error))?;
        row.try_get(0).map(Self).map_err(|error| Failure::asking(&error))
    }

    /// Opens a transaction that sees what the exported one sees.
    pub fn take(&self, client: &mut Client) -> Result<(), Failure> {
        // The server made the name: digits, letters and dashes.
        if !self.0.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-') {
            return Err(Failure::garbled());
        }
        let begun = client.batch_execute(&format!("{BEGIN}; SET TRANSACTION SNAPSHOT '{}'", self.0));
        // The name is gone when the connection that exported it is: no fault of the query.
        begun.map_err(|error| Failure::reading(&error))
    }
}
