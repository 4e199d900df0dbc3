//! What is lost when nothing is stated: releases whose schema was discovered, beside those with the
//! public one.
//!
//! - [`table`]: the tables, read by their public schema, and [`groups`] of their values in which
//!   both kinds of release are compared.
//! - [`figures`]: what is kept of a run, with the [`facts`] that it found.
//! - [`summary`]: found beside stated, and what is held against it.

pub mod facts;
pub mod figures;
pub mod groups;
pub mod summary;
pub mod table;

#[cfg(test)]
mod tests;
