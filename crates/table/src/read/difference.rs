//! Columns that are coded as their difference to another cell of the same row.

use lookalike_schema::{After, AttrId, Codec, Schema};

/// A column that is coded so, and how the two cells that it takes are read.
#[derive(Clone, Copy)]
pub(crate) struct Difference<'a> {
    after: &'a After,
    codec: &'a Codec,
    /// Its own attribute.
    pub(crate) attribute: AttrId,
    /// How the earlier cell is read.
    pub(crate) earlier: &'a Codec,
}

impl<'a> Difference<'a> {
    /// All of a schema, in the order of their attributes.
    pub(crate) fn all(schema: &'a Schema) -> Vec<Self> {
        let one = |(attribute, after): (AttrId, &'a After)| Self {
            after,
            codec: schema.codec(attribute),
            attribute,
            earlier: schema.written_codec(after.earlier()),
        };
        schema.differences().map(one).collect()
    }

    /// The attribute of the earlier column.
    pub(crate) fn on(&self) -> AttrId {
        self.after.earlier()
    }

    /// How the own cell is read.
    pub(crate) fn own(&self) -> &'a Codec {
        self.after.own()
    }

    /// The code of a row, by the numbers in its two cells; a NaN is a missing or unreadable cell.
    pub(crate) fn code(&self, earlier: f64, own: f64) -> u32 {
        let present = |value: f64| (!value.is_nan()).then_some(value);
        self.after.code(self.codec, present(earlier), present(own)).min(self.codec.size() - 1)
    }

    /// The code of a row, by its two cells as text.
    pub(crate) fn code_of_texts(&self, earlier: &[u8], own: &[u8]) -> u32 {
        let (earlier, own) = (self.earlier.raw_text(earlier), self.own().raw_text(own));
        self.after.code(self.codec, earlier, own).min(self.codec.size() - 1)
    }
}
