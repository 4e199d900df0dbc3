//! Coarser levels of a column: trees that the schema gives, and neighbours put together where it
//! gives none.
//!
//! # In a schema file
//! `levels` is a list, the finest level first, each level coarser than the one before. For
//! categories a level is a table of groups; a group lists values, or groups of the level before.
//! What no group lists stays as it is.
//! ```toml
//! [columns.education]
//! type = "category"
//! values = ["none", "primary", "lower secondary", "upper secondary", "bachelor", "master"]
//! [[columns.education.levels]]
//! secondary = ["lower secondary", "upper secondary"]
//! university = ["bachelor", "master"]
//! [[columns.education.levels]]
//! school = ["primary", "secondary"]
//! ```
//! For columns with an order a level is a list of the values at which groups begin. A bin in which
//! one lies is cut in two there. The first group begins at the lower bound, which need not be
//! listed.
//! ```toml
//! [columns.age]
//! type = "integer"
//! range = [0, 99]
//! levels = [[10, 20, 30, 40, 50, 60, 70, 80, 90], [20, 60]]
//! ```
//! The missing code is a group of its own on every level.

mod automatic;
mod coarser;
mod given;
mod level;
#[cfg(test)]
mod tests;

pub use automatic::GROUP_WIDTH;
pub(crate) use given::{MOST_GROUPED, build};
pub(crate) use level::LevelFile;
pub use level::{Level, Levels};
