//! What every method that fits a graphical model shares.
//!
//! The way of such a method: measure every column ([`ones`]); put values together that are too rare
//! to say anything about ([`merge`]), so that the model has fewer and fuller cells ([`columns`]);
//! choose sets of columns by how far the rows are from the model ([`choose`]) and measure them; fit
//! a junction tree that keeps within a size ([`limit`]) to all of it ([`growing`]). A method whose
//! rounds depend on answers pays through a [`filter`].
//!
//! Only [`ones`], [`choose`] and [`growing`] ask the curator; all else is post-processing of paid
//! answers.

pub mod choose;
pub mod columns;
pub mod empty;
pub mod filter;
pub mod growing;
pub mod limit;
pub mod merge;
pub mod ones;

#[cfg(test)]
mod tests;

pub use choose::{Candidates, Wish};
pub use columns::{Columns, Copy};
pub use empty::empty_model;
pub use filter::Filter;
pub use growing::{GrowingModel, halt_of};
pub use limit::Limit;
pub use merge::Merging;
pub use ones::{One, Ones};
