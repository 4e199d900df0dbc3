//! Independent columns: one section of probabilities for each modelled column.

use lookalike_schema::Schema;

use super::sections::StructureSections;
use crate::structure::product::Product;
use crate::{ModelError, Rules};

pub(super) fn read(schema: &Schema, sections: StructureSections) -> Result<(Product, Rules), ModelError> {
    let columns: Vec<Vec<f64>> = sections.0.collect();
    // Sizes first: rules are worked out code by code, and codes without a stored weight must not
    // cost memory.
    let sizes = schema.domain().sizes();
    if columns.len() != sizes.len() || columns.iter().zip(sizes).any(|(column, &size)| column.len() != size as usize) {
        return Err(ModelError::shape("the sections do not fit the schema"));
    }
    let rules = Rules::new(schema)?;
    Ok((Product::stored(sizes, &rules, columns)?, rules))
}
