//! Raw scores of earlier selections, kept inside the door.
//!
//! A method that selects round by round asks for most of its candidates again and again. Their
//! scores do not change, since the rows do not; only candidates that no earlier selection had are
//! counted.
//!
//! # Privacy
//! What is kept is the very number that would be computed again, so every selection has the
//! distribution that it would have without. It is charged in full, and before anything is looked
//! up. Which tables are counted follows from the queries alone.

use std::collections::HashMap;

use lookalike_schema::{AttrId, Clique};

use crate::Score;

/// The most scores that are kept; later ones are computed anew each time.
const MOST_KEPT: usize = 1 << 19;

/// Which score of which attributes, and for a score against a vector of the caller's the
/// fingerprint of that vector.
///
/// Should two vectors ever share a fingerprint, the score of the first would be taken for the
/// second's: a score of the same sensitivity, so that the promise stands even then.
type Key = (&'static str, Option<AttrId>, Clique, u128);

/// Raw scores on the grid. Unprintable, as they depend on exact counts.
#[derive(Default)]
pub(crate) struct KnownScores {
    scores: HashMap<Key, i128>,
    rows: Option<u64>,
}

crate::unprintable::assert_lacks!(KnownScores: std::fmt::Debug, Clone);

impl KnownScores {
    /// The score, if an earlier selection had it.
    pub fn get(&self, score: &Score) -> Option<i128> {
        self.scores.get(&key(score)).copied()
    }

    /// The rows that the scores were computed on.
    pub fn rows(&self) -> Option<u64> {
        self.rows
    }

    /// Keeps a score that was computed on `rows` rows.
    pub fn keep(&mut self, score: &Score, raw: i128, rows: u64) {
        self.rows = Some(rows);
        if self.scores.len() < MOST_KEPT {
            self.scores.insert(key(score), raw);
        }
    }
}

fn key(score: &Score) -> Key {
    match score {
        Score::Dependence { child, parents }
        | Score::MaximumJoint { child, parents }
        | Score::Information { child, parents } => (score.name(), Some(*child), parents.clone(), 0),
        Score::DistanceToModel { clique, expected } => (score.name(), None, clique.clone(), expected.fingerprint()),
    }
}
