//! What every reader does with coded rows: digests them, bounds those of persons, puts them into
//! blocks.

use std::collections::HashMap;

use lookalike_schema::{Codec, Schema};
use lookalike_tally::{Block, block_rows, widths};

use super::input::ReadWatch;
use super::persons::{Bounder, Bounds, FirstRows, PersonKey, Tag, rows_memory};
use super::split::UNWANTED;
use crate::coded::CodedTable;
use crate::coded::store::BlockBuilder;
use crate::digest::{DigestWish, Digests, RecordDigest, RecordSums, added};
use crate::error::TableError;

/// How rows are taken in, whatever they are read from.
#[derive(Clone, Copy)]
pub(crate) struct Terms<'a> {
    /// Coded rows beyond this many bytes are spilled.
    pub(crate) memory: u64,
    /// A bounded number of rows of each person.
    pub(crate) bounds: Option<&'a Bounds<'a>>,
    /// Keyed digests of the rows.
    pub(crate) digest: Option<DigestWish<'a>>,
}

/// What the header and the schema say of a table, before its first row.
pub(super) struct Layout<'a> {
    given: &'a Schema,
    terms: Terms<'a>,
    /// The schema in the header's order.
    pub(super) schema: Schema,
    /// The header's columns.
    pub(super) names: Vec<String>,
    /// For each header column, the attribute it holds; otherwise [`UNWANTED`].
    pub(super) slots: Vec<u32>,
    /// The header column that tells whose row it is.
    pub(super) id: Option<usize>,
    /// Makes tags of ids.
    pub(super) key: Option<PersonKey>,
    /// Digests records.
    pub(super) digest: Option<RecordDigest>,
}

impl<'a> Layout<'a> {
    pub(super) fn new(given: &'a Schema, names: Vec<String>, terms: Terms<'a>) -> Result<Self, TableError> {
        let schema = given.arranged(&names)?;
        Ok(Self {
            given,
            terms,
            slots: slots(&schema, &names),
            id: terms.bounds.map(|bounds| bounds.person_column(&names)).transpose()?,
            key: terms.bounds.map(|bounds| bounds.key(&schema)),
            digest: terms.digest.map(|wish| RecordDigest::new(wish, &names)),
            schema,
            names,
        })
    }

    /// The codecs, in attribute order.
    pub(super) fn codecs(&self) -> Vec<&Codec> {
        self.schema.domain().attributes().map(|attribute| self.schema.codec(attribute)).collect()
    }

    /// A table without rows yet.
    pub(super) fn intake(&self) -> Intake {
        let Terms { memory, bounds, digest } = self.terms;
        let widths = widths(self.schema.domain());
        let rows = block_rows(&widths);
        Intake {
            bounder: bounds
                .map(|bounds| Bounder::new(bounds.persons, self.given, &self.schema, widths.clone(), memory)),
            first: FirstRows::wished(digest, bounds, &self.schema, memory),
            builder: BlockBuilder::new(widths, rows, if bounds.is_some() { rows_memory(memory) } else { memory }),
            sums: RecordSums::default(),
        }
    }
}

/// Coded rows, and what else is known of them.
pub(super) struct Piece {
    pub(super) block: Block,
    /// One tag a row when rows of persons are bounded.
    pub(super) tags: Vec<Option<Tag>>,
    /// The sum of the records' digests.
    pub(super) sums: RecordSums,
}

/// A table in the making.
pub(super) struct Intake {
    bounder: Option<Bounder>,
    first: Option<FirstRows>,
    builder: BlockBuilder,
    sums: RecordSums,
}

impl Intake {
    /// Takes in the next rows.
    pub(super) fn take(&mut self, Piece { block, tags, sums }: &Piece) -> Result<(), TableError> {
        self.sums = added(self.sums, *sums);
        if let Some(first) = &mut self.first {
            first.take(block, tags)?;
        }
        match &mut self.bounder {
            Some(bounder) => bounder.take(block, tags),
            None => self.builder.append(block),
        }
    }

    /// The table, with the digests that were asked for.
    pub(super) fn finish(
        mut self,
        layout: Layout<'_>,
        watch: &dyn ReadWatch,
    ) -> Result<(CodedTable, Option<Digests>), TableError> {
        if let (Some(bounder), Some(key)) = (self.bounder, &layout.key) {
            bounder.finish(key, &mut self.builder, watch)?;
        }
        let table = CodedTable { schema: layout.schema, store: self.builder.finish()? };
        let (Some(digest), Some(wish)) = (layout.digest, layout.terms.digest) else { return Ok((table, None)) };
        let older = match (self.first, layout.terms.bounds) {
            (Some(first), Some(bounds)) => Some(first.finish(bounds.persons.most)?),
            _ if wish.older => Some(table.keyed_digest(wish.key)?),
            _ => None,
        };
        Ok((table, Some(digest.finish(self.sums, older))))
    }
}

/// For each header column, the attribute that it holds in a schema arranged to this header.
fn slots(schema: &Schema, names: &[String]) -> Vec<u32> {
    let attributes = schema.domain().attributes();
    let places: HashMap<&str, u32> = attributes.map(|a| (schema.column(a).name.as_str(), a.0)).collect();
    names.iter().map(|name| places.get(name.as_str()).copied().unwrap_or(UNWANTED)).collect()
}
