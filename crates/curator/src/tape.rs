//! Record and replay of answers, in test builds only.
//!
//! The replay test of the promise: answers recorded on one table and replayed on a neighbour must make every later
//! byte identical, since everything after the door is post-processing. Charging and counting happen as always on
//! replay; only the answer is exchanged. Whatever used a tape is NOT PRIVATE.

use std::sync::{Arc, Mutex, PoisonError};

use lookalike_measurement::{NoisyCount, NoisyMarginal, Selection};

use crate::CuratorError;

/// One recorded answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A batch of noisy marginals.
    Marginals(Vec<NoisyMarginal>),
    /// A row count.
    Count(NoisyCount),
    /// A selection.
    Selection(Selection),
}

/// All answers of a run, in order. Clones share one tape, so that a test can keep a hold on what a job records.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    answers: Arc<Mutex<Vec<Answer>>>,
}

impl Tape {
    /// An empty tape.
    pub fn new() -> Self {
        Self::default()
    }

    /// What has been recorded so far.
    pub fn answers(&self) -> Vec<Answer> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn push(&self, answer: Answer) {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).push(answer);
    }

    fn get(&self, place: usize) -> Option<Answer> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).get(place).cloned()
    }
}

/// An answer that a tape can hold. `same_question` tells whether a taped answer belongs to the question just asked.
pub(crate) trait Taped: Sized {
    fn to_answer(&self) -> Answer;
    fn from_answer(answer: Answer) -> Option<Self>;
    fn same_question(&self, taped: &Self) -> bool;
}

impl Taped for Vec<NoisyMarginal> {
    fn to_answer(&self) -> Answer {
        Answer::Marginals(self.clone())
    }
    fn from_answer(answer: Answer) -> Option<Self> {
        if let Answer::Marginals(marginals) = answer { Some(marginals) } else { None }
    }
    fn same_question(&self, taped: &Self) -> bool {
        let same =
            |(one, other): (&NoisyMarginal, &NoisyMarginal)| one.clique == other.clique && one.step == other.step;
        self.len() == taped.len() && self.iter().zip(taped).all(same)
    }
}

impl Taped for NoisyCount {
    fn to_answer(&self) -> Answer {
        Answer::Count(self.clone())
    }
    fn from_answer(answer: Answer) -> Option<Self> {
        if let Answer::Count(count) = answer { Some(count) } else { None }
    }
    fn same_question(&self, taped: &Self) -> bool {
        self.step == taped.step
    }
}

impl Taped for Selection {
    fn to_answer(&self) -> Answer {
        Answer::Selection(self.clone())
    }
    fn from_answer(answer: Answer) -> Option<Self> {
        if let Answer::Selection(selection) = answer { Some(selection) } else { None }
    }
    fn same_question(&self, _taped: &Self) -> bool {
        true
    }
}

/// A tape in use by one curator.
pub(crate) enum Reel {
    /// Writes.
    Recording(Tape),
    /// Reads, from this place on.
    Replaying(Tape, usize),
}

impl Reel {
    pub fn record(tape: &Tape) -> Self {
        Reel::Recording(tape.clone())
    }

    pub fn replay(tape: &Tape) -> Self {
        Reel::Replaying(tape.clone(), 0)
    }

    /// Records the answer, or exchanges it for the tape's. A replay that asks another question than the recording is
    /// a finding of the test, so it is an error and not a silent mismatch.
    pub fn pass<A: Taped>(&mut self, answer: A) -> Result<A, CuratorError> {
        match self {
            Reel::Recording(tape) => {
                tape.push(answer.to_answer());
                Ok(answer)
            }
            Reel::Replaying(tape, place) => {
                let taped = tape.get(*place).and_then(A::from_answer);
                let taped = taped.filter(|taped| answer.same_question(taped)).ok_or_else(|| CuratorError::Engine {
                    what: format!("tape: question {} is not the one that was recorded", *place + 1),
                })?;
                *place += 1;
                Ok(taped)
            }
        }
    }
}
