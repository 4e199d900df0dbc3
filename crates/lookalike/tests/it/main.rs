//! The whole path, from a table to the files of its release.

mod common;
mod discover;
mod embedded;
mod kept;
mod ledger;
mod lookups;
mod opened;
mod poison;
mod raw;
mod schema_page;
mod several;
mod structure;

// These run under the noise of tests, and replay answers.
#[cfg(feature = "test-noise")]
mod draft;
#[cfg(feature = "test-noise")]
mod leak;
#[cfg(feature = "test-noise")]
mod stopping;
