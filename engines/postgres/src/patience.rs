//! Work that waits for a server, on a thread of its own: whoever asked for it can stop waiting.

use std::ops::{Deref, DerefMut};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use lookalike_table::ReadWatch;
use postgres::Client;

use crate::fail::Failure;

/// How often a wait looks up.
pub(crate) const LOOK_UP: Duration = Duration::from_millis(100);

/// What the work gives. `Err` when the watch asked to stop or the work took too long; it is then
/// left to itself, and ends when its connection does.
pub(crate) fn patiently<T: Send + 'static>(
    watch: &dyn ReadWatch,
    longest: Duration,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let (send, done) = sync_channel(1);
    std::thread::spawn(move || {
        let _ = send.send(work());
    });
    let begun = Instant::now();
    loop {
        if watch.cancelled() {
            return Err(Failure::cancelled());
        }
        match done.recv_timeout(LOOK_UP.min(longest)) {
            Ok(result) => return result,
            Err(RecvTimeoutError::Timeout) if begun.elapsed() <= longest => {}
            Err(RecvTimeoutError::Timeout) => return Err(Failure::silent()),
            Err(RecvTimeoutError::Disconnected) => return Err(Failure::garbled()),
        }
    }
}

/// A connection that is closed without anybody waiting for it.
pub(crate) struct Connection(Option<Client>);

impl Connection {
    pub fn new(client: Client) -> Self {
        Self(Some(client))
    }
}

impl Deref for Connection {
    type Target = Client;

    fn deref(&self) -> &Client {
        self.0.as_ref().expect("a connection is there until it is dropped")
    }
}

impl DerefMut for Connection {
    fn deref_mut(&mut self) -> &mut Client {
        self.0.as_mut().expect("a connection is there until it is dropped")
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // Closing says goodbye, for which a server that hangs would be waited for.
        if let Some(client) = self.0.take() {
            std::thread::spawn(move || drop(client));
        }
    }
}
