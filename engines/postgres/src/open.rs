//! The rows, found and described, before the first of them is read.

use lookalike_table::SourceFacts;
use postgres::{Client, SimpleQueryMessage};

use crate::address::{Address, Asked};
use crate::columns::Columns;
use crate::connect::Server;
use crate::fail::Failure;
use crate::patience::Connection;
use crate::plan;

/// The fewest pages of a piece of a table that is cut.
const PIECE_PAGES: u64 = 4096;
/// The most pieces.
const MOST_PIECES: u64 = 64;

/// What the rows are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Table,
    MaterializedView,
    View,
    Query,
}

impl Kind {
    fn words(self) -> &'static str {
        match self {
            Self::Table => "a table",
            Self::MaterializedView => "a materialized view",
            Self::View => "a view",
            Self::Query => "a query",
        }
    }

    /// What nobody here can see.
    fn assumes(self) -> Option<&'static str> {
        match self {
            Self::Table => None,
            Self::MaterializedView => Some("each row was made of one person's data alone, whoever filled the view"),
            Self::View | Self::Query => Some("each row of the result depends on one row of its table alone"),
        }
    }
}

/// Rows that are found, and held as they are: nobody can drop or empty the table meanwhile.
pub(crate) struct Opened {
    pub server: Server,
    pub columns: Columns,
    /// What stands behind FROM.
    from: String,
    kind: Kind,
    version: String,
    /// Pages of a table that can be cut.
    pages: Option<u64>,
    /// Holds the locks: its transaction ends when this is dropped.
    guard: Connection,
}

impl Opened {
    pub fn new(address: &Address) -> Result<Self, Failure> {
        let server = Server::new(address);
        let mut guard = server.connect()?;
        guard.batch_execute("BEGIN READ ONLY").map_err(|error| Failure::asking(&error))?;
        let found = find(&mut guard, &address.asked)?;
        let described = guard.prepare(&format!("SELECT * FROM {} AS lookalike_rows", found.from));
        let columns = Columns::new(described.map_err(|error| Failure::asking(&error))?.columns())?;
        // Planning takes the locks that reading needs, and they are kept until the transaction
        // ends. The snapshot is taken later, by another connection: a table that was emptied before
        // these locks is seen empty, and none can be emptied behind them.
        let explained = plan::explained(&mut guard, &columns.select(&found.from, ""))?;
        if matches!(found.kind, Kind::View | Kind::Query) {
            plan::check(&mut guard, &explained)?;
        }
        let version = text(&mut guard, "SHOW server_version")?;
        let Found { from, kind, pages } = found;
        // Some servers tell how they were built behind the number.
        let version = version.split_whitespace().next().unwrap_or_default().to_owned();
        Ok(Self { server, columns, from, kind, version, pages, guard })
    }

    pub fn facts(&self) -> SourceFacts {
        SourceFacts {
            engine: "PostgreSQL".to_owned(),
            version: self.version.clone(),
            rows_of: self.kind.words().to_owned(),
            assumes: self.kind.assumes().map(str::to_owned),
        }
    }

    /// The guard, to ask whether it still stands: without it, what was read may not be of one
    /// moment.
    pub fn into_guard(self) -> Connection {
        self.guard
    }

    /// Queries that have every row in one of them. The last piece has no end, so that none is
    /// beyond it.
    pub fn pieces(&self, connections: usize) -> Vec<String> {
        let most = if connections > 1 { MOST_PIECES } else { 1 };
        let pieces = self.pages.map_or(1, |pages| (pages / PIECE_PAGES).clamp(1, most));
        let size = self.pages.unwrap_or(0) / pieces;
        let piece = |place: u64| {
            let from = (place > 0).then(|| format!("ctid >= '({},0)'", place * size));
            let to = (place + 1 < pieces).then(|| format!("ctid < '({},0)'", (place + 1) * size));
            let bounds: Vec<String> = from.into_iter().chain(to).collect();
            let condition = if bounds.is_empty() { String::new() } else { format!(" WHERE {}", bounds.join(" AND ")) };
            self.columns.select(&self.from, &condition)
        };
        (0..pieces).map(piece).collect()
    }
}

/// What was asked for, as the server knows it.
struct Found {
    from: String,
    kind: Kind,
    pages: Option<u64>,
}

fn find(client: &mut Client, asked: &Asked) -> Result<Found, Failure> {
    let name = match asked {
        Asked::Query(query) => return Ok(Found { from: format!("({query})"), kind: Kind::Query, pages: None }),
        Asked::Table(name) => name,
    };
    let query = "SELECT c.oid::regclass::text, c.relkind::text, \
                 pg_relation_size(c.oid) / current_setting('block_size')::bigint \
                 FROM pg_class c WHERE c.oid = to_regclass($1)";
    let row = client.query_opt(query, &[name]).map_err(|error| Failure::asking(&error))?;
    let row = row.ok_or_else(|| {
        Failure::mistake("there is no such table or view", "write its name as in SQL, with its schema and quotes")
    })?;
    let (from, kind, pages): (String, String, i64) = (row.get(0), row.get(1), row.get(2));
    let (kind, pages) = match kind.as_str() {
        // A partitioned table has no pages of its own.
        "r" => (Kind::Table, u64::try_from(pages).ok()),
        "p" | "f" => (Kind::Table, None),
        "m" => (Kind::MaterializedView, u64::try_from(pages).ok()),
        "v" => (Kind::View, None),
        _ => return Err(Failure::mistake("this is neither a table nor a view", "name one")),
    };
    Ok(Found { from, kind, pages })
}

/// The first value of a plain query.
fn text(client: &mut Client, query: &str) -> Result<String, Failure> {
    let messages = client.simple_query(query).map_err(|error| Failure::asking(&error))?;
    let value = messages.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    });
    value.map(str::to_owned).ok_or_else(Failure::garbled)
}
