//! The file: an SQLite database of entries, and every change to it.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use crate::book::{Book, DataSet};
use crate::chain::{Chain, EntryTag, derived};
use crate::entry::{EntryCharge, LedgerEntry, OpenEntry, ReserveEntry, VERSION, of_records};
use crate::{Cost, LedgerError, ReservationRequest, Terms, key};

/// "LOOK": marks the databases that are ledgers.
const APPLICATION: i64 = 0x4c4f_4f4b;
/// What every file of the database begins with, and how much of it is looked at.
const MAGIC: &[u8] = b"SQLite format 3\0";
const HEAD: u64 = 100;
/// How long to wait for another program's turn. A turn takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(30);
/// A name that a person can read.
const LONGEST_NAME: usize = 200;

const TABLE: &str = "CREATE TABLE entries (number INTEGER PRIMARY KEY, body TEXT NOT NULL, tag BLOB NOT NULL) STRICT";

/// A ledger that is open. Steward-only: it cannot be printed.
pub struct LedgerFile {
    path: PathBuf,
    connection: Connection,
    chain: Chain,
    digest_key: EntryTag,
    /// What the entries up to `last` say.
    book: Book,
    last: i64,
    tag: EntryTag,
    #[cfg(test)]
    pub(crate) fault: Option<fn(FaultPoint)>,
}

/// The moments around a write at which tests end the process.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultPoint {
    Begun,
    Written,
    Committed,
}

/// Keyed digests of a run's rows. Steward-only: they tell, to whoever has the key, whether rows are
/// known.
pub struct RowDigests {
    /// Of all parsed records. It is what the ledger keeps.
    pub records: [u8; 32],
    /// Of the coded rows, by which entries of version 1 know them; see [`LedgerFile::knows_older`].
    pub older: Option<[u8; 32]>,
}

/// A cost that is on the disk. It stays there, whatever becomes of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reservation {
    run: String,
    in_rho: bool,
    known_as: Vec<String>,
    asked_runs: u64,
}

impl Reservation {
    /// The run's random name in the ledger.
    pub fn run(&self) -> &str {
        &self.run
    }

    /// Whether the data set that was asked for sums up rho: the run's own account must then be
    /// opened in rho. It depends on the name alone.
    pub fn in_rho(&self) -> bool {
        self.in_rho
    }

    /// Other names under which these rows are known, and whose budgets pay too. Steward-only: it
    /// depends on the rows.
    pub fn known_as(&self) -> &[String] {
        &self.known_as
    }

    /// How many runs were asked for under the name, this one included. It may be published: it
    /// depends on no row.
    pub fn asked_runs(&self) -> u64 {
        self.asked_runs
    }
}

impl LedgerFile {
    /// Opens a ledger that is there.
    ///
    /// # Errors
    /// In one line: no such file, no ledger, damaged, of a newer version, without its key or with
    /// another one, open to others, not to be written. Nothing is spent.
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        match fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let what = format!("{}: no such ledger", path.display());
                return Err(LedgerError::usage(what, "make one with `lookalike ledger open`, or check the name"));
            }
            Err(error) => return Err(key::not_writable(path, error)),
            Ok(about) if !about.is_file() => return Err(no_ledger(path)),
            Ok(_) => {}
        }
        let key = key::place(path)?;
        // Another file never had the key that would be missed. With a key the database judges.
        if !key.exists() && is_something_else(path) {
            return Err(no_ledger(path));
        }
        let key = key::read(&key)?;
        Self::connect(path, &key)
    }

    /// Opens a ledger, or makes it with its key beside it.
    pub fn open_or_create(path: &Path) -> Result<Self, LedgerError> {
        let key_place = key::place(path)?;
        if fs::metadata(path).is_ok_and(|about| !about.is_file() || about.len() > 0) {
            return Self::open(path);
        }
        let key = key::make(&key_place)?;
        match key::create_private(path) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(key::not_writable(path, error)),
            _ => {}
        }
        let mut connection = connection(path)?;
        let made = begin(&mut connection, &key);
        made.map_err(|error| told(path, error))?;
        drop(connection);
        key::sync_folder(path).map_err(|error| key::not_writable(path, error))?;
        Self::connect(path, &key)
    }

    fn connect(path: &Path, key: &EntryTag) -> Result<Self, LedgerError> {
        key::refuse_open_to_others(path)?;
        let connection = connection(path)?;
        let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let about = number("application_id").and_then(|id| Ok((id, number("user_version")?)));
        let (application, version) = about.map_err(|error| told(path, error))?;
        if application != APPLICATION {
            return Err(no_ledger(path));
        }
        if version > VERSION {
            let what = format!("{}: is of version {version}, newer than this program", path.display());
            return Err(LedgerError::usage(what, "use a newer lookalike"));
        }
        if version < 1 || !has_our_table_alone(&connection).map_err(|error| told(path, error))? {
            return Err(damaged(path));
        }
        let sound: String =
            connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(|error| told(path, error))?;
        if sound != "ok" {
            return Err(damaged(path));
        }
        let mut ledger = Self {
            path: path.to_owned(),
            connection,
            chain: Chain::new(key),
            digest_key: derived(key, b"lookalike ledger digests v1"),
            book: Book::default(),
            last: -1,
            tag: [0; 32],
            #[cfg(test)]
            fault: None,
        };
        ledger.read(|_| Ok(()))?;
        if ledger.last < 0 {
            return Err(damaged(path));
        }
        Ok(ledger)
    }

    /// The key for digests of rows.
    pub fn digest_key(&self) -> &[u8; 32] {
        &self.digest_key
    }

    /// Whether rows are known by digests of version 1, so that those have to be compared as well.
    pub fn knows_older(&mut self) -> Result<bool, LedgerError> {
        self.read(|book| Ok(book.knows_older()))
    }

    /// All data sets, in the order in which they were opened.
    pub fn data_sets(&mut self) -> Result<Vec<DataSet>, LedgerError> {
        self.read(|book| Ok(book.sets.clone()))
    }

    /// The data set of that name.
    pub fn data_set(&mut self, name: &str) -> Result<DataSet, LedgerError> {
        self.read(|book| book.find(name).cloned())
    }

    /// Opens a data set under a new name.
    ///
    /// # Errors
    /// A name that is taken, for ever: also when it was closed.
    pub fn open_data_set(&mut self, name: &str, terms: &Terms) -> Result<DataSet, LedgerError> {
        if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
            return Err(LedgerError::usage(format!("{name:?} is no name for a data set"), "use a short word"));
        }
        let total = terms.total()?;
        self.write(|book, at| {
            if book.place(name).is_some() {
                return Err(LedgerError::usage(
                    format!("the ledger has a data set {name:?} already, and its terms cannot be changed"),
                    "see `lookalike ledger show`, or choose another name for other rows",
                ));
            }
            Ok((LedgerEntry::Open(OpenEntry::new(at, name, terms, total)), ()))
        })?;
        self.data_set(name)
    }

    /// Closes a data set: nothing more may be drawn on it, and nothing of its rows under another
    /// name.
    pub fn close_data_set(&mut self, name: &str) -> Result<DataSet, LedgerError> {
        self.write(|book, at| {
            if let Some(when) = book.find(name)?.closed() {
                let what = format!("the data set {name:?} was closed at {when}");
                return Err(LedgerError::usage(what, "there is nothing to do"));
            }
            Ok((LedgerEntry::Close { at, name: name.to_owned() }, ()))
        })?;
        self.data_set(name)
    }

    /// Refuses early, before any row is read, what [`reserve`](Self::reserve) would refuse by the
    /// name alone.
    pub fn check(&mut self, request: &ReservationRequest<'_>) -> Result<(), LedgerError> {
        self.read(|book| book.payers(request, &[]).map(|_| ()))
    }

    /// Reserves the whole cost of a run, durably, before its first look at the rows.
    ///
    /// `rows` are keyed digests of the rows: data sets that know them by either pay too. All that
    /// pay must have enough left; the reservation is made whole or not at all.
    ///
    /// # Errors
    /// A refusal of the budget, a run under other neighbours, or a disk that fails. Nothing may
    /// then be looked at.
    pub fn reserve(&mut self, request: &ReservationRequest<'_>, rows: &RowDigests) -> Result<Reservation, LedgerError> {
        let mut name = [0; 16];
        getrandom::fill(&mut name)
            .map_err(|error| LedgerError::fault("no entropy from the operating system", error))?;
        let (run, digest) = (key::hex(&name), of_records(&key::hex(&rows.records)));
        let known: Vec<String> =
            std::iter::once(digest.clone()).chain(rows.older.map(|digest| key::hex(&digest))).collect();
        self.write(|book, at| {
            let payers = book.payers(request, &known)?;
            let reservation = Reservation {
                run: run.clone(),
                in_rho: payers.first().is_some_and(|(set, _)| set.terms().filter().is_in_rho()),
                known_as: payers.iter().skip(1).map(|(set, _)| set.name().to_owned()).collect(),
                asked_runs: book.asked_under(request.dataset) + 1,
            };
            let entry = reserve_entry(at, run, digest, request, &payers);
            Ok((LedgerEntry::Reserve(entry), reservation))
        })
    }

    /// What a program of version 1 would have written.
    #[cfg(test)]
    pub(crate) fn reserve_as_version_1(
        &mut self,
        request: &ReservationRequest<'_>,
        digest: &[u8; 32],
    ) -> Result<(), LedgerError> {
        self.write(|book, at| {
            let payers = book.payers(request, &[])?;
            let entry = reserve_entry(at, "older".to_owned(), key::hex(digest), request, &payers);
            Ok((LedgerEntry::Reserve(entry), ()))
        })
    }

    /// Notes what became of a run. Nothing is given back.
    pub fn end(&mut self, reservation: &Reservation, released: bool) -> Result<(), LedgerError> {
        let run = reservation.run.clone();
        self.write(|_, at| Ok((LedgerEntry::End { at, run, released }, ())))
    }

    /// Reads what is new, all at one moment, and looks at the book.
    fn read<T>(&mut self, look: impl FnOnce(&Book) -> Result<T, LedgerError>) -> Result<T, LedgerError> {
        let path = &self.path;
        let transaction = self.connection.transaction().map_err(|error| told(path, error))?;
        let mut news = News { path, chain: &self.chain, last: self.last, tag: self.tag };
        news.take_in(&transaction, &mut self.book)?;
        (self.last, self.tag) = (news.last, news.tag);
        look(&self.book)
    }

    /// Takes the lock that only one may have, reads what is new, and writes what `change` makes of
    /// it: durable when this returns, or not there.
    fn write<T>(
        &mut self,
        change: impl FnOnce(&Book, String) -> Result<(LedgerEntry, T), LedgerError>,
    ) -> Result<T, LedgerError> {
        let path = &self.path;
        let failed = |error| told(path, error);
        #[cfg(test)]
        let point = |point| self.fault.iter().for_each(|fault| fault(point));
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        let mut news = News { path, chain: &self.chain, last: self.last, tag: self.tag };
        news.take_in(&transaction, &mut self.book)?;
        (self.last, self.tag) = (news.last, news.tag);
        #[cfg(test)]
        point(FaultPoint::Begun);
        let at = transaction
            .query_row("SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now')", [], |row| row.get(0))
            .map_err(failed)?;
        let (entry, value) = change(&self.book, at)?;
        append(&transaction, &self.chain, news.last + 1, &news.tag, &entry).map_err(failed)?;
        // What was written may be more than an older program understands.
        transaction.pragma_update(None, "user_version", VERSION).map_err(failed)?;
        #[cfg(test)]
        point(FaultPoint::Written);
        // The book takes the entry in when it is read back: an entry that could not be committed
        // never was.
        transaction.commit().map_err(failed)?;
        #[cfg(test)]
        point(FaultPoint::Committed);
        Ok(value)
    }
}

fn reserve_entry(
    at: String,
    run: String,
    digest: String,
    request: &ReservationRequest<'_>,
    payers: &[(&DataSet, Cost)],
) -> ReserveEntry {
    let charge = |(set, cost): &(&DataSet, Cost)| EntryCharge { name: set.name().to_owned(), cost: cost.to_texts() };
    ReserveEntry {
        at,
        run,
        asked: request.dataset.to_owned(),
        digest,
        method: request.method.to_owned(),
        folder: request.folder.to_owned(),
        epsilon: request.budget.epsilon.get(),
        delta: request.budget.delta.get(),
        charges: payers.iter().map(charge).collect(),
    }
}

/// Entries behind those that a book has.
struct News<'a> {
    path: &'a Path,
    chain: &'a Chain,
    last: i64,
    tag: EntryTag,
}

impl News<'_> {
    /// Checks and applies every new entry.
    fn take_in(&mut self, connection: &Connection, book: &mut Book) -> Result<(), LedgerError> {
        let failed = |error| told(self.path, error);
        let sql = "SELECT number, body, tag FROM entries WHERE number > ?1 ORDER BY number";
        let mut statement = connection.prepare(sql).map_err(failed)?;
        let mut rows = statement.query([self.last]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let read = || -> rusqlite::Result<(i64, String, Vec<u8>)> { Ok((row.get(0)?, row.get(1)?, row.get(2)?)) };
            let (number, body, tag) = read().map_err(|_| damaged(self.path))?;
            let expected = self.chain.tag(&self.tag, number, &body);
            if number != self.last + 1 || tag != expected {
                return Err(if number == 0 { wrong_key(self.path) } else { damaged(self.path) });
            }
            let entry: Option<LedgerEntry> = serde_json::from_str(&body).ok();
            entry.and_then(|entry| book.apply(&entry)).ok_or_else(|| damaged(self.path))?;
            (self.last, self.tag) = (number, expected);
        }
        Ok(())
    }
}

fn append(
    connection: &Connection,
    chain: &Chain,
    number: i64,
    before: &EntryTag,
    entry: &LedgerEntry,
) -> rusqlite::Result<()> {
    let body = serde_json::to_string(entry).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
    let tag = chain.tag(before, number, &body);
    let sql = "INSERT INTO entries (number, body, tag) VALUES (?1, ?2, ?3)";
    connection.prepare(sql)?.execute((number, &body, &tag[..]))?;
    Ok(())
}

/// Opens the database for writing. A commit returns when it would survive a power cut.
fn connection(path: &Path) -> Result<Connection, LedgerError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = || {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(PATIENCE)?;
        // SQLite makes the files beside the database with the database's own mode.
        let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
        connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA trusted_schema = OFF")?;
        Ok((connection, mode))
    };
    let (connection, mode) = open().map_err(|error| told(path, error))?;
    if mode != "wal" {
        return Err(LedgerError::fault(format!("opening {}", path.display()), "this disk cannot keep a ledger"));
    }
    Ok(connection)
}

/// Whether the database is made of the one table and nothing else. A view in its place could answer
/// without end, and a trigger could take an entry back after it was written.
fn has_our_table_alone(connection: &Connection) -> rusqlite::Result<bool> {
    let mut statement = connection.prepare("SELECT type, sql FROM sqlite_schema LIMIT 2")?;
    let made = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let made: Vec<(Option<String>, Option<String>)> = made.collect::<rusqlite::Result<_>>()?;
    Ok(made == [(Some("table".to_owned()), Some(TABLE.to_owned()))])
}

/// Writes the first entry, unless somebody else was faster.
fn begin(connection: &mut Connection, key: &EntryTag) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let pages: i64 = transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if pages == 0 {
        transaction.execute_batch(TABLE)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
        append(&transaction, &Chain::new(key), 0, &[0; 32], &LedgerEntry::Ledger { version: VERSION })?;
    }
    transaction.commit()
}

/// SQLite's word as ours.
fn told(path: &Path, error: rusqlite::Error) -> LedgerError {
    let shown = path.display();
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => no_ledger(path),
        Some(ErrorCode::DatabaseCorrupt) => damaged(path),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
            let help = "name a ledger in a folder that you may write to";
            LedgerError::usage(format!("{shown}: may not be written"), help)
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            LedgerError::fault(format!("opening {shown}"), "another program holds it for too long; try again")
        }
        _ => LedgerError::fault(format!("the ledger {shown}"), error),
    }
}

/// Whether the first bytes of a file are not those of a ledger. What cannot be read, and what waits
/// in the log beside the file, is left to the database to judge.
fn is_something_else(path: &Path) -> bool {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    if fs::metadata(Path::new(&log)).is_ok_and(|about| about.len() > 0) {
        return false;
    }
    let mut head = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    // The application's number stands in bytes 68 to 71 of every database.
    let number = head.get(68..72).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok()).map(u32::from_be_bytes);
    read.is_ok() && !(head.starts_with(MAGIC) && number.map(i64::from) == Some(APPLICATION))
}

fn no_ledger(path: &Path) -> LedgerError {
    LedgerError::usage(format!("{}: is not a ledger", path.display()), "name a file that `lookalike ledger open` made")
}

fn damaged(path: &Path) -> LedgerError {
    let what = format!("{}: is damaged or was changed, so nothing can be drawn on it", path.display());
    LedgerError::usage(what, "put back the newest copy that is whole; what was reserved since is missing in it")
}

fn wrong_key(path: &Path) -> LedgerError {
    LedgerError::usage(format!("{}: is locked with another key", path.display()), "put its own key beside it")
}
