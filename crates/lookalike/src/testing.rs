//! Hooks for tests of the whole path: a noise stream that repeats itself, and recordings of the
//! curator's answers. Whatever a run with these makes is marked NOT PRIVATE. The shipped program is
//! built without this module.

pub use lookalike_curator::Recording;
use lookalike_curator::{CellCurator, Cells, Curator};
use lookalike_privacy::{NoiseBits, SeededNoise};

use crate::Synthesizer;

/// What a test put into a run.
#[derive(Default)]
pub(crate) struct TestHooks {
    seed: Option<u64>,
    recorder: Option<Recorder>,
}

enum Recorder {
    Record(Recording),
    Replay(Recording),
}

impl TestHooks {
    pub(crate) fn noise(&self) -> Option<Box<dyn NoiseBits>> {
        self.seed.map(|seed| Box::new(SeededNoise::new(seed)) as Box<dyn NoiseBits>)
    }

    pub(crate) fn put_recording(&self, curator: &mut Curator) {
        match &self.recorder {
            Some(Recorder::Record(recording)) => curator.record_on(recording),
            Some(Recorder::Replay(recording)) => curator.replay_from(recording),
            None => {}
        }
    }
}

impl TestHooks {
    pub(crate) fn put_recording_of_cells<C: Cells>(&self, door: &mut CellCurator<C>) {
        match &self.recorder {
            Some(Recorder::Record(recording)) => door.record_on(recording),
            Some(Recorder::Replay(recording)) => door.replay_from(recording),
            None => {}
        }
    }
}

impl Synthesizer<'_> {
    /// The noise repeats itself.
    pub fn with_test_noise(mut self, seed: u64) -> Self {
        self.testing.seed = Some(seed);
        self
    }

    /// The curator's answers are written on the recording.
    pub fn recording_on(mut self, recording: &Recording) -> Self {
        self.testing.recorder = Some(Recorder::Record(recording.clone()));
        self
    }

    /// The curator's answers are the recording's.
    pub fn replaying(mut self, recording: &Recording) -> Self {
        self.testing.recorder = Some(Recorder::Replay(recording.clone()));
        self
    }
}
