//! Sampling rows, block by block, the same whatever the thread count.
//!
//! - `without` draws without replacement: in each block every cell of a draw gets the floor or the
//!   ceiling of its expectation, so that the rows say what the model says, without the noise of
//!   drawing. `together`, `alike` and `spread` see to it that columns which no draw joins come
//!   close to what the model says of them, too; `live` draws so from a model in the making;
//! - `thin` keeps, of several times as many of them, those that together are closest to all: the
//!   default;
//! - `with` draws every row by itself, and `complete` given what is known of it;
//! - `plan` is any model as a list of draws, which is what all of these work on;
//! - `rng` is the seeded generator, and `alias` draws a code with it in constant time;
//! - `v1` is the first version's way to draw independent columns with replacement, kept bit by bit.

pub(crate) mod alias;
mod alike;
pub(crate) mod blocks;
mod cells;
mod complete;
pub(crate) mod live;
mod of_model;
pub(crate) mod plan;
mod ready;
mod rng;
mod sampler;
mod settings;
pub(crate) mod shares;
pub(crate) mod spread;
pub(crate) mod thin;
mod together;
pub(crate) mod v1;
mod with;
pub(crate) mod without;

#[cfg(test)]
pub(crate) use blocks::large_rows;
pub use blocks::{BLOCK_ROWS, BinPlaces, LARGE_ROWS, SPLIT_ROWS, SampledBlock};
pub use rng::SampleRng;
pub use sampler::{RowSampler, drawing_bytes};
pub use settings::{Replacement, Sampling};
pub use thin::is_thinned;
