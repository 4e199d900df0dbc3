//! Ctrl-C: the first one stops cleanly, the second one at once.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use lookalike::Cancel;

use crate::fail::{INTERRUPTED, complain, watched};

/// A stop flag that Ctrl-C (and a polite kill) sets.
pub fn cancel_on_interrupt() -> Cancel {
    let cancel = Cancel::new();
    let flag = cancel.clone();
    let asked = AtomicBool::new(false);
    // A second handler in one process is refused, and the first is the one that counts; without any
    // handler the system's own way of stopping remains.
    let _ = ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::SeqCst) {
            abort_at_once();
        }
        flag.cancel();
        if watched() {
            // Takes the place of the progress bar, which draws itself anew below.
            let _ = write!(std::io::stderr(), "\r\u{1b}[K");
        }
        complain("stopping; press Ctrl-C again to stop at once (a .partial- folder is then left)");
    });
    cancel
}

/// The one place that leaves without cleaning up: the user asked twice.
#[allow(clippy::exit)]
fn abort_at_once() {
    std::process::exit(i32::from(INTERRUPTED));
}
