//! Factors: dense tables over a clique, in linear space ([`Factor`]) and in log space
//! ([`LogFactor`]), which are two types so that they cannot be mixed up.
//!
//! Cells are laid out as everywhere in the project: by ascending attribute, the last one varying
//! fastest. Loops that run often make a [`Plan`] once and use the `_with` methods, which allocate
//! nothing.

mod exp;
pub(crate) mod kernel;
mod linear;
mod log;
mod loops;
pub(crate) mod plan;
pub(crate) mod table;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod tiles;

use lookalike_schema::{AttrId, Clique, Domain};

pub use linear::Factor;
pub(crate) use linear::inverse_or_zero;
pub use log::LogFactor;
pub use plan::Plan;

use crate::ModelError;

/// The axes of a clique's table, by ascending attribute.
fn axes(domain: &Domain, clique: &Clique) -> Result<Vec<(AttrId, usize)>, ModelError> {
    if clique.attributes().iter().any(|attribute| attribute.index() >= domain.len()) {
        return Err(ModelError::shape("a clique names a column that the domain lacks"));
    }
    Ok(clique.attributes().iter().map(|&attribute| (attribute, domain.size(attribute) as usize)).collect())
}
