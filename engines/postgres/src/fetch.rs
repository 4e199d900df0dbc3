//! Rows from several connections at the same time, in batches.

use std::io::BufRead;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use arrow_array::RecordBatch;
use lookalike_table::{ReadWatch, TableError};

use crate::columns::Columns;
use crate::connect::Server;
use crate::copy::CopyStream;
use crate::fail::Failure;
use crate::open::Opened;
use crate::patience::{Connection, LOOK_UP, patiently};
use crate::snapshot::Snapshot;

/// Batches of each connection that may wait.
const WAITING: usize = 2;

/// Batches as they come.
pub(crate) struct Fetch<'w> {
    watch: &'w dyn ReadWatch,
    silence: Duration,
    connections: usize,
    state: State,
}

enum State {
    /// Nothing was read yet.
    Opened(Box<Opened>),
    Running(Box<Running>),
    /// All rows came, or none will come any more.
    Over,
}

/// Connections at work.
struct Running {
    batches: Receiver<Result<RecordBatch, Failure>>,
    shared: Stopper,
    pieces: usize,
    /// Holds the locks, and the snapshot.
    guard: Connection,
    _exporter: Connection,
}

/// What the reader has of what the connections share.
struct Stopper(Arc<Shared>);

/// What the connections share.
struct Shared {
    queries: Vec<String>,
    /// The next query to be run, and how many are done.
    next: AtomicUsize,
    done: AtomicUsize,
    stopped: AtomicBool,
    /// Bytes that came.
    heard: AtomicU64,
}

impl<'w> Fetch<'w> {
    pub fn begin(opened: Opened, connections: usize, silence: Duration, watch: &'w dyn ReadWatch) -> Self {
        Self { watch, silence, connections, state: State::Opened(Box::new(opened)) }
    }

    fn start(&self, opened: Opened) -> Result<Running, Failure> {
        let queries = opened.pieces(self.connections);
        let (pieces, workers) = (queries.len(), self.connections.min(queries.len()));
        let server = opened.server.clone();
        let (exporter, snapshot) = patiently(self.watch, self.silence, move || {
            let mut exporter = server.connect()?;
            let snapshot = Snapshot::export(&mut exporter)?;
            Ok((exporter, snapshot))
        })?;
        let (send, batches) = sync_channel(WAITING * workers);
        let (next, done, stopped, heard) = Default::default();
        let shared = Arc::new(Shared { queries, next, done, stopped, heard });
        for _ in 0..workers {
            let (server, columns) = (opened.server.clone(), opened.columns.clone());
            let (snapshot, shared, send) = (snapshot.clone(), shared.clone(), send.clone());
            std::thread::spawn(move || {
                if let Err(failure) = fetch_pieces(&server, &columns, &snapshot, &shared, &send) {
                    let _ = send.send(Err(failure));
                }
            });
        }
        Ok(Running { batches, shared: Stopper(shared), pieces, guard: opened.into_guard(), _exporter: exporter })
    }

    /// The next batch; `None` when all rows came.
    fn fetch(&mut self) -> Result<Option<RecordBatch>, Failure> {
        let running = match std::mem::replace(&mut self.state, State::Over) {
            State::Opened(opened) => Box::new(self.start(*opened)?),
            State::Running(running) => running,
            State::Over => return Ok(None),
        };
        let mut heard = (running.shared.0.heard.load(Ordering::Relaxed), Instant::now());
        loop {
            if self.watch.cancelled() {
                return Err(Failure::cancelled());
            }
            match running.batches.recv_timeout(LOOK_UP) {
                Ok(batch) => {
                    let done = running.shared.0.done.load(Ordering::Acquire);
                    self.watch.share_read(done as f64 / running.pieces as f64);
                    let batch = batch?;
                    self.state = State::Running(running);
                    return Ok(Some(batch));
                }
                Err(RecvTimeoutError::Timeout) => {
                    let bytes = running.shared.0.heard.load(Ordering::Relaxed);
                    if bytes != heard.0 {
                        heard = (bytes, Instant::now());
                    } else if heard.1.elapsed() > self.silence {
                        return Err(Failure::silent());
                    }
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        // All connections are through. Each row came once if each piece was read to its end, and
        // all are of one moment if the locks were held until now.
        if running.shared.0.done.load(Ordering::Acquire) != running.pieces {
            return Err(Failure::server("the PostgreSQL server did not hand over all rows"));
        }
        let Running { mut guard, .. } = *running;
        patiently(self.watch, self.silence, move || {
            guard.simple_query("SELECT 1").map(drop).map_err(|error| Failure::reading(&error))
        })?;
        Ok(None)
    }
}

impl Iterator for Fetch<'_> {
    type Item = Result<RecordBatch, TableError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.fetch().map_err(|failure| failure.told(self.watch)).transpose()
    }
}

/// Connections that nobody listens to any more read no further.
impl Drop for Stopper {
    fn drop(&mut self) {
        self.0.stopped.store(true, Ordering::Release);
    }
}

/// Reads pieces until none is left.
fn fetch_pieces(
    server: &Server,
    columns: &Columns,
    snapshot: &Snapshot,
    shared: &Shared,
    send: &SyncSender<Result<RecordBatch, Failure>>,
) -> Result<(), Failure> {
    let mut client = server.connect()?;
    snapshot.take(&mut client)?;
    while let Some(query) = shared.queries.get(shared.next.fetch_add(1, Ordering::AcqRel)) {
        let copy = format!("COPY ({query}) TO STDOUT (FORMAT binary)");
        let mut reader = client.copy_out(&copy).map_err(|error| Failure::asking(&error))?;
        let mut stream = CopyStream::new(columns);
        // Nobody listens any more when sending fails.
        let mut each = |batch| send.send(Ok(batch)).map_err(|_| Failure::cancelled());
        loop {
            let bytes = reader.fill_buf().map_err(|error| Failure::reading(&error))?;
            if bytes.is_empty() {
                break;
            }
            let length = bytes.len();
            stream.feed(bytes, &mut each)?;
            reader.consume(length);
            shared.heard.fetch_add(length as u64, Ordering::Relaxed);
            if shared.stopped.load(Ordering::Acquire) {
                return Err(Failure::cancelled());
            }
        }
        stream.finish(&mut each)?;
        shared.done.fetch_add(1, Ordering::AcqRel);
    }
    Ok(())
}
