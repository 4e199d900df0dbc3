//! What every method that fits a graphical model shares.
//!
//! The way of such a method: measure every column ([`one_way_marginals`]), those of many ordered
//! values slot by slot ([`detail`], [`Descent`](lookalike_model::Descent)); see which have missing
//! cells at all; put values together that are too rare to say anything about ([`merge`]), so that
//! the model has fewer and fuller cells ([`columns`]); choose sets of columns and measure them,
//! round by round ([`rounds`](crate::rounds)); fit a junction tree that keeps within a size
//! ([`limit`]) to all of it ([`growing`]).
//!
//! Only [`one_way_marginals`] and [`growing`] ask the curator; all else is post-processing of paid
//! answers.

pub mod columns;
pub mod detail;
pub mod growing;
pub mod limit;
pub mod merge;
pub mod one_way_marginals;
mod shrinkage;

#[cfg(test)]
pub(crate) mod tests;

pub use columns::{CoarseLevel, Columns};
pub use detail::Detail;
pub use growing::{GrowingModel, halt_of};
pub use limit::Limit;
pub use merge::Merging;
pub use one_way_marginals::{OneWayMarginal, OneWayMarginals};
