//! The whole schema, checked.
// SKELETON: the schema owner fills this in.

use crate::{AttrId, Codec, Column, Domain, ImpossibleRule};

/// A checked schema. Holds at least one column; names are unique.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {}

#[allow(missing_docs, unused_variables)]
impl Schema {
    /// All columns, in the schema's order.
    pub fn columns(&self) -> &[Column] {
        todo!()
    }
    /// The modelled columns' sizes.
    pub fn domain(&self) -> &Domain {
        todo!()
    }
    /// The column behind an attribute.
    pub fn column(&self, attribute: AttrId) -> &Column {
        todo!()
    }
    pub fn codec(&self, attribute: AttrId) -> &Codec {
        todo!()
    }
    /// The attribute of a modelled column by name.
    pub fn attribute(&self, name: &str) -> Option<AttrId> {
        todo!()
    }
    pub fn impossible(&self) -> &[ImpossibleRule] {
        todo!()
    }
    /// Whether a full row of codes is impossible.
    pub fn forbids(&self, row: &[u32]) -> bool {
        todo!()
    }
    /// `(column, fact)` pairs nobody has reviewed yet. Empty for a schema that carries a guarantee.
    pub fn unreviewed(&self) -> Vec<(&str, &str)> {
        todo!()
    }
    /// Whether columns of the file that the schema does not list are skipped (mbi files) or refused.
    pub fn skips_unlisted(&self) -> bool {
        todo!()
    }
    /// The field delimiter and decimal mark for delimited text when no flag says otherwise.
    pub fn delimiter(&self) -> Option<u8> {
        todo!()
    }
    /// Public warnings of `schema check`, one line each.
    pub fn warnings(&self) -> Vec<String> {
        todo!()
    }
    /// A copy whose columns stand in the order of the given header (the output's column order is the input's).
    /// Errors name a column of the schema that the header lacks, a header column the schema does not list, or a repeated header.
    pub fn arranged(&self, header: &[String]) -> Result<Schema, crate::SchemaError> {
        todo!()
    }
}
