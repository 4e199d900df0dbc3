//! Record and replay of answers, in test builds only.
//!
//! The replay test of the promise: answers recorded on one table and replayed on a neighbour must
//! make every later byte identical, since everything after the door is post-processing. Charging
//! and counting happen as always on replay; only the answer is exchanged. Whatever used a recording
//! is NOT PRIVATE.

use std::sync::{Arc, Mutex, PoisonError};

use lookalike_measurement::{DrawnRows, NoisyCount, NoisyMarginal, NoisyScore, Selection};
use lookalike_privacy::ChargedQuery;

use crate::{CuratorError, FoundValues, NoisyCells};

/// One recorded answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A batch of noisy marginals.
    Marginals(Vec<NoisyMarginal>),
    /// A row count.
    Count(NoisyCount),
    /// A batch of noisy scores.
    Scores(Vec<NoisyScore>),
    /// Rows of a smoothed histogram.
    Rows(DrawnRows),
    /// A selection.
    Selection(Selection),
    /// Counts of cells, before there is a schema.
    Cells(Vec<NoisyCells>),
    /// Values that were found.
    Values(Vec<FoundValues>),
}

/// A question, as it was charged, and its answer.
#[derive(Clone, Debug)]
struct Entry {
    question: Vec<ChargedQuery>,
    answer: Answer,
}

/// All answers of a run, in order. Clones share one recording, so that a test can keep a hold on
/// what a job records.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    entries: Arc<Mutex<Vec<Entry>>>,
}

impl Recording {
    /// An empty recording.
    pub fn new() -> Self {
        Self::default()
    }

    /// What has been recorded so far.
    pub fn answers(&self) -> Vec<Answer> {
        self.entries().iter().map(|entry| entry.answer.clone()).collect()
    }

    fn entries(&self) -> std::sync::MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An answer that a recording can hold.
pub(crate) trait Recorded: Sized {
    fn to_answer(&self) -> Answer;
    fn from_answer(answer: Answer) -> Option<Self>;
}

impl Recorded for Vec<NoisyMarginal> {
    fn to_answer(&self) -> Answer {
        Answer::Marginals(self.clone())
    }
    fn from_answer(answer: Answer) -> Option<Self> {
        if let Answer::Marginals(marginals) = answer { Some(marginals) } else { None }
    }
}

impl Recorded for NoisyCount {
    fn to_answer(&self) -> Answer {
        Answer::Count(self.clone())
    }
    fn from_answer(answer: Answer) -> Option<Self> {
        if let Answer::Count(count) = answer { Some(count) } else { None }
    }
}

impl Recorded for Vec<NoisyScore> {
    fn to_answer(&self) -> Answer {
        Answer::Scores(self.clone())
    }
    fn from_answer(answer: Answer) -> Option<Self> {
        if let Answer::Scores(scores) = answer { Some(scores) } else { None }
    }
}

impl Recorded for DrawnRows {
    fn to_answer(&self) -> Answer {
        Answer::Rows(self.clone())
    }
    fn from_answer(answer: Answer) -> Option<Self> {
        if let Answer::Rows(rows) = answer { Some(rows) } else { None }
    }
}

impl Recorded for Selection {
    fn to_answer(&self) -> Answer {
        Answer::Selection(self.clone())
    }
    fn from_answer(answer: Answer) -> Option<Self> {
        if let Answer::Selection(selection) = answer { Some(selection) } else { None }
    }
}

impl Recorded for Vec<NoisyCells> {
    fn to_answer(&self) -> Answer {
        Answer::Cells(self.clone())
    }
    fn from_answer(answer: Answer) -> Option<Self> {
        if let Answer::Cells(cells) = answer { Some(cells) } else { None }
    }
}

impl Recorded for Vec<FoundValues> {
    fn to_answer(&self) -> Answer {
        Answer::Values(self.clone())
    }
    fn from_answer(answer: Answer) -> Option<Self> {
        if let Answer::Values(values) = answer { Some(values) } else { None }
    }
}

/// A recording in use by one curator.
pub(crate) struct Recorder {
    recording: Recording,
    replays: bool,
    /// How many answers have passed.
    place: usize,
    /// How many charges they had.
    charged: usize,
}

impl Recorder {
    /// `charged` is the number of charges before the recording starts.
    pub fn record(recording: &Recording, charged: usize) -> Self {
        Self { recording: recording.clone(), replays: false, place: 0, charged }
    }

    pub fn replay(recording: &Recording, charged: usize) -> Self {
        // What was asked before, by another curator of the same run, has been replayed.
        let (mut place, mut before) = (0, 0);
        for entry in recording.entries().iter().take_while(|entry| {
            before += entry.question.len();
            before <= charged
        }) {
            place += usize::from(!entry.question.is_empty());
        }
        Self { replays: true, place, ..Self::record(recording, charged) }
    }

    /// Records the answer, or exchanges it for the recording's. A replay that asks another question
    /// than the recording is a finding of the test, so it is an error and not a silent mismatch.
    pub fn pass<A: Recorded>(&mut self, answer: A, all_charged: &[ChargedQuery]) -> Result<A, CuratorError> {
        let question = all_charged.get(self.charged..).unwrap_or_default();
        self.charged = all_charged.len();
        self.place += 1;
        if !self.replays {
            self.recording.entries().push(Entry { question: question.to_vec(), answer: answer.to_answer() });
            return Ok(answer);
        }
        let entry = self.recording.entries().get(self.place - 1).cloned();
        let recorded = entry.filter(|entry| entry.question == question).and_then(|entry| A::from_answer(entry.answer));
        recorded.ok_or_else(|| CuratorError::Engine {
            what: format!("recording: question {} is not the one that was recorded", self.place),
        })
    }
}
