//! A job: what to do, as typed ([`JobSpec`]) and checked ([`Job`]), and the run that turns a table
//! into a release.

pub(crate) mod check;
pub(crate) mod run;
mod spec;

pub use check::{Format, Job};
pub(crate) use check::{check_rows, check_threads, neighbours};
pub use spec::JobSpec;
