//! What the papers compare with. For experiments on public tables only: nothing here goes through
//! the curator, keeps a ledger, or is offered to a steward. Each baseline states its privacy
//! argument all the same, so that a comparison at one epsilon is fair.

pub mod aau_text_noise;
pub mod classify;
pub mod given_network;
pub mod marginals;
pub mod synthesizers;

#[cfg(test)]
mod tests;
