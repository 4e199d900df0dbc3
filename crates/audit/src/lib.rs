//! Membership audits: how much of its epsilon does a mechanism, or a whole method, really show?
//!
//! An audit runs a mechanism many times on two neighbouring tables that differ in a canary (the
//! worst row we know of), guesses from each answer which table it came from, and turns the shares
//! of right and wrong guesses into a lower bound of epsilon that holds with 99.9% confidence for
//! all audits together ([`bound`]). A bound above the claim is a proof that the claim is broken. A
//! bound below it proves nothing, so every audit also runs on controls that are broken on purpose,
//! and must catch them.
//!
//! - [`white`]: one mechanism at a time, on the curator's own answers: same charge, same look, same
//!   noise as in a release.
//! - [`black`]: whole methods, on the rows that they release.
//! - [`controls`]: faults that were found in published programs, built beside the door and not into
//!   it.
//! - [`suite`]: the list of all audits, run in parallel, with a file that lets them be taken up
//!   again.
//!
//! No private row is read: the audits make their own tables.

#![forbid(unsafe_code)]

pub mod attack;
pub mod black;
pub mod bound;
pub mod controls;
pub mod error;
mod neighbours;
pub mod stats;
pub mod suite;
pub mod white;

pub use error::AuditError;
