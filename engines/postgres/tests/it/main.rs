//! Against a real server, which the tests start themselves.

mod codes;
mod common;
mod faults;
mod refused;
mod releases;
mod snapshot;
