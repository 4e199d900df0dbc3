//! Hooks for tests of the whole path: a noise stream that repeats itself, and tapes of the
//! curator's answers. Whatever a run with these makes is marked NOT PRIVATE. The shipped program is
//! built without this module.

use lookalike_curator::Curator;
pub use lookalike_curator::Tape;
use lookalike_privacy::{NoiseBits, SeededNoise};

use crate::Job;

/// What a test put into a job.
#[derive(Default)]
pub(crate) struct TestHooks {
    seed: Option<u64>,
    reel: Option<Reel>,
}

enum Reel {
    Record(Tape),
    Replay(Tape),
}

impl TestHooks {
    pub(crate) fn noise(&self) -> Option<Box<dyn NoiseBits>> {
        self.seed.map(|seed| Box::new(SeededNoise::new(seed)) as Box<dyn NoiseBits>)
    }

    pub(crate) fn put_tape(&self, curator: &mut Curator) {
        match &self.reel {
            Some(Reel::Record(tape)) => curator.record_on(tape),
            Some(Reel::Replay(tape)) => curator.replay_from(tape),
            None => {}
        }
    }
}

impl Job {
    /// The noise repeats itself.
    pub fn with_test_noise(mut self, seed: u64) -> Self {
        self.testing.seed = Some(seed);
        self
    }

    /// The curator's answers are written on the tape.
    pub fn recording_on(mut self, tape: &Tape) -> Self {
        self.testing.reel = Some(Reel::Record(tape.clone()));
        self
    }

    /// The curator's answers are the tape's.
    pub fn replaying(mut self, tape: &Tape) -> Self {
        self.testing.reel = Some(Reel::Replay(tape.clone()));
        self
    }
}
