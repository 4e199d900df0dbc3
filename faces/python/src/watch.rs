//! Long work: in a thread of its own, without the interpreter's lock, while this thread listens to
//! Ctrl-C and passes on what may be shown.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use lookalike::{Cancel, Error, Observer};
use pyo3::prelude::*;

use crate::errors::{of_class, raised};

/// How often signals are looked at.
const GLANCE: Duration = Duration::from_millis(50);

/// What a run tells: nothing that depends on rows.
enum Event {
    Phase(String),
    Round(u64, u64),
    Budget(f64),
    Note(String),
}

/// Puts what a run tells into a queue.
struct Queue(Sender<Event>);

impl Queue {
    fn put(&self, event: Event) {
        // Whoever listened may have gone.
        let _ = self.0.send(event);
    }
}

impl Observer for Queue {
    fn phase(&self, name: &str) {
        self.put(Event::Phase(name.to_owned()));
    }
    fn round(&self, done: u64, planned: u64) {
        self.put(Event::Round(done, planned));
    }
    fn budget(&self, share: f64) {
        self.put(Event::Budget(share));
    }
    fn note(&self, text: &str) {
        self.put(Event::Note(text.to_owned()));
    }
}

/// Runs the work. `tell` is called as `tell(kind, text, a, b)` for whatever the work tells, in this
/// thread; `None` where nobody listens.
///
/// A signal, or an error of `tell`, stops the work and is raised when it has ended.
pub fn watched<T: Send>(
    py: Python<'_>,
    tell: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&dyn Observer, &Cancel) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let cancel = Cancel::new();
    let flag = cancel.clone();
    let (send, receive) = channel();
    let (done, ended) = channel();
    thread::scope(|scope| {
        let worker = scope.spawn(move || {
            let result = work(&Queue(send), &flag);
            // The waiting thread is woken up; it takes the result when it joins.
            drop(done);
            result
        });
        let stopped = wait(py, &receive, &Mutex::new(ended), tell, &cancel);
        let result = py.detach(|| worker.join());
        match (result, stopped) {
            // What was finished before the stop was heard is kept from nobody.
            (Ok(Ok(made)), None) => Ok(made),
            (_, Some(error)) => Err(error),
            (Ok(Err(error)), None) => Err(raised(py, &error)),
            // What a panic says might quote a cell, so fixed words take its place.
            (Err(_), None) => {
                Err(of_class(py, "InternalError", "this is a fault of lookalike, and nothing was released"))
            }
        }
    })
}

/// Waits for the end of the work. Gives what has to be raised, if something has.
fn wait(
    py: Python<'_>,
    events: &Receiver<Event>,
    ended: &Mutex<Receiver<()>>,
    tell: Option<&Bound<'_, PyAny>>,
    cancel: &Cancel,
) -> Option<PyErr> {
    let mut stopped = None;
    loop {
        let over = py.detach(|| {
            let ended = ended.lock().unwrap_or_else(PoisonError::into_inner);
            !matches!(ended.recv_timeout(GLANCE), Err(RecvTimeoutError::Timeout))
        });
        for event in events.try_iter() {
            if let (Some(tell), None) = (tell, &stopped)
                && let Err(error) = pass_on(tell, event)
            {
                cancel.cancel();
                stopped = Some(error);
            }
        }
        if stopped.is_none()
            && let Err(error) = py.check_signals()
        {
            cancel.cancel();
            stopped = Some(error);
        }
        if over {
            return stopped;
        }
    }
}

fn pass_on(tell: &Bound<'_, PyAny>, event: Event) -> PyResult<()> {
    match event {
        Event::Phase(name) => tell.call1(("phase", name, 0.0, 0.0)),
        Event::Round(done, planned) => tell.call1(("round", "", done as f64, planned as f64)),
        Event::Budget(share) => tell.call1(("budget", "", share, 1.0)),
        Event::Note(text) => tell.call1(("note", text, 0.0, 0.0)),
    }
    .map(drop)
}
