//! A pipe that can be given up: whoever feeds it may stay silent for ever.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use super::input::ReadWatch;

/// Bytes a message holds at most.
const PIECE: usize = 1 << 18;
/// Messages that wait to be taken.
const AHEAD: usize = 4;
/// How often a silent pipe makes us ask whether to stop.
const PATIENCE: Duration = Duration::from_millis(50);

/// A stream read by a thread of its own, so that a read that blocks does not block the stop.
///
/// After a stop that thread stays behind until its read returns or the process ends: there is no
/// portable way to end a read from outside.
pub(super) struct Patient<'a> {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: io::Cursor<Vec<u8>>,
    watch: &'a dyn ReadWatch,
}

/// Why a patient read failed: the watch asked to stop.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
struct Stopped;

/// Whether a failed read was a stop.
pub(super) fn was_stopped(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Stopped>())
}

impl<'a> Patient<'a> {
    pub(super) fn new(mut stream: impl Read + Send + 'static, watch: &'a dyn ReadWatch) -> Self {
        let (sender, pieces) = sync_channel(AHEAD);
        std::thread::spawn(move || {
            loop {
                let mut piece = vec![0; PIECE];
                let read = match stream.read(&mut piece) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    read => read,
                };
                let last = !matches!(read, Ok(count) if count > 0);
                let message = read.map(|count| {
                    piece.truncate(count);
                    piece
                });
                if sender.send(message).is_err() || last {
                    return;
                }
            }
        });
        Self { pieces, piece: io::Cursor::default(), watch }
    }
}

impl Read for Patient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.piece.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            match self.pieces.recv_timeout(PATIENCE) {
                Ok(piece) => self.piece = io::Cursor::new(piece?),
                // The thread has sent its last piece, the empty one.
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.watch.cancelled() {
                return Err(io::Error::other(Stopped));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct After(std::sync::atomic::AtomicU32);

    impl ReadWatch for After {
        fn share_read(&self, _share: f64) {}
        fn cancelled(&self) -> bool {
            self.0.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) <= 1
        }
    }

    #[test]
    fn everything_arrives_in_order() {
        let bytes: Vec<u8> = (0..3 * PIECE + 17).map(|place| (place % 251) as u8).collect();
        let watch = After(u32::MAX.into());
        let mut out = Vec::new();
        Patient::new(io::Cursor::new(bytes.clone()), &watch).read_to_end(&mut out).unwrap();
        assert!(out == bytes);
    }

    #[test]
    fn a_silent_pipe_is_given_up() {
        let (pipe, writer) = io::pipe().unwrap();
        let watch = After(2.into());
        let error = Patient::new(pipe, &watch).read(&mut [0; 8]).unwrap_err();
        assert!(was_stopped(&error));
        drop(writer);
    }
}
