//! What these tests share.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use lookalike::{Input, ReadOptions, Schema};
use lookalike_postgres::PostgresRows;
use lookalike_table::{PrivateTable, ReadWatch, RemoteInput, Table, TableError};

/// Nobody watches, but what the server says is kept.
#[derive(Default)]
pub struct Watching {
    pub said: Mutex<Vec<String>>,
    pub stops: AtomicBool,
}

impl ReadWatch for Watching {
    fn share_read(&self, _share: f64) {}
    fn cancelled(&self) -> bool {
        self.stops.load(Ordering::Relaxed)
    }
    fn server_said(&self, words: &str) {
        self.said.lock().unwrap().push(words.to_owned());
    }
}

/// Nobody watches.
pub struct Quiet;

impl ReadWatch for Quiet {
    fn share_read(&self, _share: f64) {}
    fn cancelled(&self) -> bool {
        false
    }
}

pub fn remote(rows: PostgresRows) -> Input {
    Input::Remote(RemoteInput::new(rows))
}

pub fn options() -> ReadOptions {
    ReadOptions { delimiter: None, encoding: None, multiline: true, memory: 1 << 30 }
}

/// All rows at an address, opened for the test.
pub fn read(rows: PostgresRows, schema: &Schema, watch: &Watching) -> Result<Table, TableError> {
    Ok(PrivateTable::read(&remote(rows), schema, &options(), watch)?.open_for_steward_only())
}

/// The rows of a table as codes, sorted: connections hand them over in any order.
pub fn sorted(table: &Table) -> Vec<Vec<u32>> {
    let columns: Vec<Vec<u32>> = table.domain().attributes().map(|a| table.codes(a).unwrap()).collect();
    let mut rows: Vec<Vec<u32>> =
        (0..table.rows() as usize).map(|row| columns.iter().map(|codes| codes[row]).collect()).collect();
    rows.sort_unstable();
    rows
}
