//! Methods compared on raw tables, in raw units: what an analyst sees, not what the codes are.
//!
//! - [`generated`]: raw tables from a fixed seed; [`tables`]: these and the given ones, by name.
//! - [`makers`]: methods of the library, the [`copula`] that they should beat, and other tools
//!   ([`peers`]).
//! - [`figures`]: what is kept of a run, from `evaluate`'s own raw comparison, [`categories`],
//!   [`calendar`] and [`learning`]; [`average`] of them.
//! - [`summary`]: means by table and method.

pub mod average;
pub mod calendar;
pub mod categories;
pub mod copula;
pub mod figures;
pub mod generated;
pub mod hints;
pub mod learning;
pub mod makers;
pub mod peers;
pub mod summary;
pub mod tables;
