//! A run of many inputs.

use std::collections::HashSet;
use std::path::Path;

use crate::targets::Target;
use crate::{Dice, limit, mutate};

/// What one input may take beyond what was held before it. The reader of tables alone holds some
/// megabytes whatever the file is.
pub const MOST_BYTES: usize = 256 << 20;

/// Inputs that the run keeps: seeds, and what was answered in a new way.
const MOST_KEPT: usize = 4096;

/// Mutates and runs inputs of one target.
pub struct Session {
    target: Target,
    corpus: Vec<Vec<u8>>,
    answers: HashSet<String>,
    dice: Dice,
}

impl Session {
    /// Begins with the corpus of the target.
    pub fn new(target: Target, seed: u64) -> Self {
        Self { target, corpus: target.corpus(), answers: HashSet::new(), dice: Dice(seed) }
    }

    /// How many inputs the run has kept.
    pub fn kept(&self) -> usize {
        self.corpus.len()
    }

    /// Runs every input of the corpus as it is.
    pub fn replay(&mut self, file: &Path) {
        for place in 0..self.corpus.len() {
            self.run(self.corpus[place].clone(), file, |_| {});
        }
    }

    /// Makes one input and runs it. `before` sees it first.
    pub fn step(&mut self, file: &Path, before: impl FnOnce(&[u8])) {
        let mut input = self.corpus[self.dice.place(self.corpus.len())].clone();
        mutate::mutate(&mut input, &self.corpus, self.target.words(), &mut self.dice);
        self.target.repair(&mut input, &mut self.dice);
        self.run(input, file, before);
    }

    fn run(&mut self, input: Vec<u8>, file: &Path, before: impl FnOnce(&[u8])) {
        before(&input);
        limit::begin(MOST_BYTES);
        let answer = self.target.run(&input, file);
        limit::begin(usize::MAX);
        // Places and numbers differ without end; the words around them tell which way was taken.
        let mut words: String = answer.chars().filter(|letter| !letter.is_ascii_digit()).take(200).collect();
        words.retain(|letter| letter.is_ascii());
        if self.answers.len() < MOST_KEPT && self.answers.insert(words) && !self.corpus.contains(&input) {
            self.corpus.push(input);
        }
    }
}
