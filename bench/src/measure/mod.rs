//! What a piece of work costs: seconds, memory, and what other tools take in the same run.

mod clock;
pub mod memory;
pub mod peers;

pub use clock::{Spent, emit, peak_memory, repeated, say, spent};
