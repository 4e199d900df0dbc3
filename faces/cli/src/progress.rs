//! What the steward sees while it works: phase, rounds, budget, the share of the file read; nothing
//! that counts rows.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lookalike::{Cancel, Observer};

use crate::fail::watched;
use crate::interrupt::cancel_on_interrupt;
use crate::log_file::LogFile;

/// Work that ends within this time shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often a bar moves on its own.
const TICK: Duration = Duration::from_millis(120);

/// Tells everybody who watches a run: the log file when there is one, and the terminal.
pub struct Progress<'a> {
    log: Option<&'a LogFile>,
    face: Option<Box<dyn Observer>>,
}

impl<'a> Progress<'a> {
    /// A bar on a terminal, plain lines elsewhere, nothing when quiet.
    pub fn new(quiet: bool, log: Option<&'a LogFile>) -> Self {
        let face: Option<Box<dyn Observer>> = match (quiet, watched()) {
            (true, _) => None,
            (false, false) => Some(Box::new(Lines)),
            (false, true) => Some(Box::new(Bar::new())),
        };
        Self { log, face }
    }

    fn tell(&self, tell: impl Fn(&dyn Observer)) {
        let log = self.log.map(|log| log as &dyn Observer);
        log.into_iter().chain(self.face.as_deref()).for_each(tell);
    }
}

/// Runs work under the eyes of the terminal, to be stopped by Ctrl-C.
pub fn watching<T>(quiet: bool, work: impl FnOnce(&Progress<'_>, &Cancel) -> T) -> T {
    work(&Progress::new(quiet, None), &cancel_on_interrupt())
}

impl Observer for Progress<'_> {
    fn phase(&self, name: &str) {
        self.tell(|watcher| watcher.phase(name));
    }
    fn round(&self, done: u64, planned: u64) {
        self.tell(|watcher| watcher.round(done, planned));
    }
    fn budget(&self, share: f64) {
        self.tell(|watcher| watcher.budget(share));
    }
    fn passes(&self, passes: u64) {
        self.tell(|watcher| watcher.passes(passes));
    }
    fn reading(&self, share: f64) {
        self.tell(|watcher| watcher.reading(share));
    }
    fn server_said(&self, words: &str) {
        // Not to the log.
        if let Some(face) = &self.face {
            face.server_said(words);
        }
    }
    fn note(&self, text: &str) {
        self.tell(|watcher| watcher.note(text));
    }
}

/// Where there is no terminal: a line a phase.
struct Lines;

impl Observer for Lines {
    fn phase(&self, name: &str) {
        crate::say::say!("lookalike: {name}");
    }
    fn server_said(&self, words: &str) {
        crate::say::say!("lookalike: the server said: {}", one_line(words));
    }
    fn note(&self, text: &str) {
        crate::say::say!("lookalike: note: {text}");
    }
}

/// Words of somebody else, without line ends and other signs that steer a terminal.
fn one_line(words: &str) -> String {
    words.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// A bar that stays hidden until its patience is over, and leaves nothing behind.
struct Bar {
    bar: ProgressBar,
    state: Mutex<State>,
    done: Arc<(Mutex<bool>, Condvar)>,
    waker: Option<JoinHandle<()>>,
}

/// What the line says.
#[derive(Default)]
struct State {
    phase: String,
    rounds: Option<(u64, u64)>,
    budget: Option<f64>,
    passes: u64,
    /// The budget as this phase told it.
    spent_here: f64,
}

impl State {
    /// How far the phase is. Rounds may be planned at most and end with the budget: what is further
    /// on tells more.
    fn share(&self) -> Option<f64> {
        let (done, planned) = self.rounds?;
        Some((done as f64 / planned.max(1) as f64).max(self.spent_here))
    }

    fn words(&self) -> String {
        let mut words = self.phase.clone();
        // One round, or pieces of a file, say nothing that the bar does not.
        if let Some((done, planned)) = self.rounds
            && planned > 1
        {
            words += &format!(", round {done} of {planned}");
        }
        if let Some(share) = self.budget {
            words += &format!(", budget spent {:.0}%", share * 100.0);
        }
        if self.passes > 0 {
            let word = if self.passes == 1 { "pass" } else { "passes" };
            words += &format!(", {} {word} over the rows", self.passes);
        }
        words
    }
}

/// Parts of the whole that a bar can show.
const PARTS: u64 = 1000;

impl Bar {
    fn new() -> Self {
        let bar = ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::hidden());
        bar.set_style(spinner());
        let done = Arc::new((Mutex::new(false), Condvar::new()));
        let (shown, ended) = (bar.clone(), Arc::clone(&done));
        let waker = std::thread::spawn(move || {
            let (flag, bell) = &*ended;
            let guard = flag.lock().unwrap_or_else(PoisonError::into_inner);
            let waited = bell.wait_timeout_while(guard, PATIENCE, |done| !*done);
            if waited.is_ok_and(|(_, late)| late.timed_out()) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(TICK);
            }
        });
        Self { bar, state: Mutex::default(), done, waker: Some(waker) }
    }

    fn share(&self, share: f64) {
        self.bar.set_style(with_bar());
        self.bar.set_position((share.clamp(0.0, 1.0) * PARTS as f64) as u64);
    }

    fn update(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        self.bar.set_message(state.words());
        if let Some(share) = state.share() {
            self.share(share);
        }
    }
}

impl Observer for Bar {
    fn phase(&self, name: &str) {
        self.bar.set_style(spinner());
        self.bar.set_position(0);
        self.update(|state| {
            state.phase = name.to_owned();
            state.rounds = None;
            state.spent_here = 0.0;
        });
    }

    fn round(&self, done: u64, planned: u64) {
        self.update(|state| state.rounds = Some((done, planned)));
    }

    fn passes(&self, passes: u64) {
        self.update(|state| state.passes = passes);
    }

    fn reading(&self, share: f64) {
        self.share(share);
    }

    fn budget(&self, share: f64) {
        self.update(|state| {
            state.budget = Some(share);
            state.spent_here = share;
        });
    }

    fn server_said(&self, words: &str) {
        self.bar.suspend(|| crate::say::say!("lookalike: the server said: {}", one_line(words)));
    }

    fn note(&self, text: &str) {
        self.bar.suspend(|| crate::say::say!("lookalike: note: {text}"));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        *self.done.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.done.1.notify_all();
        if let Some(waker) = self.waker.take() {
            let _ = waker.join();
        }
        self.bar.finish_and_clear();
    }
}

fn spinner() -> ProgressStyle {
    ProgressStyle::with_template("{spinner} {msg}").unwrap_or_else(|_| ProgressStyle::default_spinner())
}

fn with_bar() -> ProgressStyle {
    let style = ProgressStyle::with_template("{spinner} [{bar:24}] {percent:>3}%  {msg}");
    style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> ")
}

#[cfg(test)]
mod tests {
    use super::State;

    #[test]
    fn the_line_tells_phase_rounds_and_budget() {
        let mut state = State { phase: "choosing the network".into(), ..State::default() };
        assert_eq!(state.words(), "choosing the network");
        state.rounds = Some((12, 99));
        state.budget = Some(0.3749);
        assert_eq!(state.words(), "choosing the network, round 12 of 99, budget spent 37%");
        // Rounds that are planned at most: the budget is further on.
        state.rounds = Some((39, 240));
        assert_eq!(state.share(), Some(39.0 / 240.0));
        state.spent_here = 0.92;
        assert_eq!(state.share(), Some(0.92));
        state.rounds = Some((1, 1));
        assert_eq!(state.words(), "choosing the network, budget spent 37%");
        state.passes = 1;
        assert_eq!(state.words(), "choosing the network, budget spent 37%, 1 pass over the rows");
    }
}
