//! Factors: dense arrays over a clique, in linear space ([`Factor`]) and in log space
//! ([`LogFactor`]), which are two types so that they cannot be mixed up.
//!
//! Cells are laid out as everywhere in the project: by ascending attribute, the last one varying
//! fastest. Loops that run often make an [`AxisMap`](axis_map::AxisMap) once and hand it to the
//! `kernel`, which allocates nothing.

pub(crate) mod array;
pub(crate) mod axis_map;
mod exp;
pub(crate) mod kernel;
pub(crate) mod layout;
mod linear;
mod log;
mod loops;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod tiles;

pub use linear::Factor;
pub use log::LogFactor;
