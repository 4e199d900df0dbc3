//! One file a command.

pub mod audit;
pub mod book;
pub mod completions;
pub mod demo;
pub mod evaluate;
mod layout;
pub mod ledger;
pub mod methods;
pub mod plan;
pub mod query;
pub mod reference;
pub mod review;
pub mod sample;
pub mod schema;
pub mod steward;
pub mod synth;
pub mod verify;

/// Rows are looked at without paying: nobody but the steward should see what comes of it.
pub const STEWARD_ONLY: &str = "steward-only: this looked at the real rows without paying; do not publish it";

/// What a model without a guarantee says of itself is never left out, not even by `--quiet`.
pub fn warn_of(guarantee: &str) {
    if guarantee.contains("NO GUARANTEE") || guarantee.contains("NOT PRIVATE") {
        crate::fail::complain(&format!("the model says: {guarantee}"));
    }
}
