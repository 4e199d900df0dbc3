//! The method's parts against worked examples and random inputs, and the whole against a tiny
//! engine.

mod consistency;
mod golden;
mod network;
mod release;
mod rows;
