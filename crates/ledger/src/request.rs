//! What a run asks of a ledger.

use lookalike_privacy::{Budget, Neighbours};

/// What a run wants to draw, and what the ledger notes about it.
#[derive(Clone, Copy, Debug)]
pub struct ReservationRequest<'a> {
    /// The data set's name.
    pub dataset: &'a str,
    /// The run's own total.
    pub budget: Budget,
    /// The run's relation and contribution.
    pub neighbours: Neighbours,
    /// The column that tells whose row it is.
    pub unit: Option<&'a str>,
    /// Whether facts of the schema are discovered, which takes a part of delta for itself.
    pub discovers: bool,
    /// The method's name.
    pub method: &'a str,
    /// The folder that the run will make.
    pub folder: &'a str,
}
