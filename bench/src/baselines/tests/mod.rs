//! Baselines at huge and at small budgets, with the seeded test stream for noise.

mod classify;
mod marginals;
mod synthesizers;

use lookalike_privacy::{Epsilon, Neighbours, Relation};

fn epsilon(value: f64) -> Epsilon {
    Epsilon::new(value).unwrap()
}

fn relation(relation: Relation) -> Neighbours {
    Neighbours::new(relation, 1).unwrap()
}
