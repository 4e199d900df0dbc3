//! The older digest of a table whose rows of persons were bounded by their places: the first rows
//! of each in the file.
//!
//! Ledgers of version 1 know such tables. Ids are told apart by today's rule: where that differs
//! from the older one (NaN, missing tokens and signed zeros among stored numbers), a table is not
//! recognized by this digest.

use lookalike_schema::Schema;

use super::runs::Runs;
use super::{Bounds, TAG_BYTES, Tag};
use crate::digest::{DigestWish, OlderDigest, Sums, added};
use crate::error::TableError;
use lookalike_tally::Block;

/// A tag, the row's number in the file, and its digest.
const RECORD_BYTES: usize = TAG_BYTES + 8 + 32;

/// Takes rows in the file's order.
pub(in crate::read) struct FirstRows {
    digest: OlderDigest,
    runs: Runs,
    rows: u64,
}

impl FirstRows {
    /// Where a ledger asks for the older digest of a table whose rows of persons are bounded.
    pub(in crate::read) fn wished(
        wish: Option<DigestWish<'_>>,
        bounds: Option<&Bounds<'_>>,
        schema: &Schema,
        memory: u64,
    ) -> Option<Self> {
        let wish = wish.filter(|wish| wish.older && bounds.is_some())?;
        let digest = OlderDigest::new(wish.key, schema);
        Some(Self { digest, runs: Runs::new(RECORD_BYTES, memory / 8), rows: 0 })
    }

    /// Takes in a piece, with one tag a row.
    pub(in crate::read) fn take(&mut self, piece: &Block, tags: &[Option<Tag>]) -> Result<(), TableError> {
        for (row, tag) in tags.iter().enumerate() {
            if let Some(tag) = tag {
                let mut record = [0; RECORD_BYTES];
                record[..TAG_BYTES].copy_from_slice(tag);
                // Big-endian, so that the order of bytes is the file's.
                record[TAG_BYTES..TAG_BYTES + 8].copy_from_slice(&self.rows.to_be_bytes());
                for (lane, sum) in
                    record[TAG_BYTES + 8..].as_chunks_mut().0.iter_mut().zip(self.digest.of_row(piece, row))
                {
                    *lane = sum.to_le_bytes();
                }
                self.runs.add(&record)?;
            }
            self.rows += 1;
        }
        Ok(())
    }

    /// The digest of the first `most` rows of each person.
    pub(in crate::read) fn finish(mut self, most: u32) -> Result<[u8; 32], TableError> {
        let mut sums = Sums::default();
        let mut person = (Tag::default(), 0);
        let mut record = [0; RECORD_BYTES];
        let mut merged = self.runs.merged()?;
        while merged.next(&mut record)? {
            if record[..TAG_BYTES] != person.0 {
                person.0.copy_from_slice(&record[..TAG_BYTES]);
                person.1 = 0;
            }
            if person.1 < most {
                person.1 += 1;
                let lanes = record[TAG_BYTES + 8..].as_chunks().0;
                sums = added(sums, std::array::from_fn(|lane| u64::from_le_bytes(lanes[lane])));
            }
        }
        Ok(self.digest.finish(sums))
    }
}
