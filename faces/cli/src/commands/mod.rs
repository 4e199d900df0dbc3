//! One file a command.

pub mod completions;
pub mod demo;
pub mod methods;
pub mod sample;
pub mod schema;
pub mod steward;
pub mod synth;
pub mod verify;
