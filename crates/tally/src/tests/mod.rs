//! The kernel against naive counters, whole and piece by piece.

mod counting;
mod derived;
mod pieces;
