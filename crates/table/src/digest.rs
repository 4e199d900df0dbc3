//! Keyed digests of rows: the same rows give the same digest, whatever their order.
//!
//! Two kinds. The digest of **records** is of all cells of the file, ids and ignored columns
//! included, in one form for all ways of writing them (`read/canonical.rs`), before rows are
//! bounded or coded. It depends on no schema, codec or run key. The **older** one is of the coded
//! rows as they were counted; ledgers of version 1 know rows by it.

use hmac::{Hmac, KeyInit, Mac};
use lookalike_schema::{AttrId, Schema};
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::coded::CodedTable;
use crate::error::TableError;
use crate::read::canonical;
use lookalike_tally::{Block, Blocks, Codes};

/// Rows that one task takes at a time.
const STRIPE: usize = 4096;

/// Four sums, each modulo 2^64.
pub(crate) type Sums = [u64; LANES];
const LANES: usize = 4;

/// The sums of records: under the first key, then under the second.
pub(crate) type RecordSums = [u64; 2 * LANES];

/// What a ledger asks of a read.
#[derive(Clone, Copy)]
pub struct DigestWish<'a> {
    /// The ledger's secret key for digests.
    pub key: &'a [u8; 32],
    /// Whether the older digest is wanted as well.
    pub older: bool,
    /// A second key, of another who has to recognize the records.
    pub second: Option<&'a [u8; 32]>,
}

/// Keyed digests of the rows that were read. Steward-only: they tell, to whoever has the key,
/// whether rows are known, and so must never be released, logged or printed.
pub struct Digests {
    /// Of all parsed records.
    pub records: [u8; 32],
    /// Of the coded rows.
    pub older: Option<[u8; 32]>,
    /// Of all parsed records under the second key.
    pub second: Option<[u8; 32]>,
}

/// Adds up the digests of records.
///
/// The digest is the HMAC-SHA-256 of the columns' names and of the sum of every record's own keyed
/// SHA-256. A sum, so that neither the order of rows matters nor, as columns are taken in the order
/// of their names, that of columns: an export that was sorted otherwise is the same data. Without
/// the key nobody can look for records with equal sums, and by chance they do not occur. A record's
/// own digest begins with a secret block instead of being an HMAC, which takes half the time: what
/// an HMAC adds guards digests that are seen, and these never leave the sum.
pub(crate) struct RecordDigest {
    first: KeyedRecords,
    second: Option<KeyedRecords>,
    /// The header's columns in the order of their names.
    order: Vec<usize>,
}

/// Digests under one key that have taken in what comes before the cells.
struct KeyedRecords {
    record: Sha256,
    table: Hmac<Sha256>,
}

impl RecordDigest {
    pub(crate) fn new(wish: DigestWish<'_>, names: &[String]) -> Self {
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| names[a].cmp(&names[b]));
        let under = |key: &[u8; 32]| KeyedRecords::new(key, order.iter().map(|&column| &names[column]));
        Self { first: under(wish.key), second: wish.second.map(under), order }
    }

    /// Adds a record. `cell` gives the text of a header column; `scratch` is room to work in.
    #[inline]
    pub(crate) fn add<'c>(&self, sums: &mut RecordSums, cell: impl Fn(usize) -> &'c [u8], scratch: &mut [Vec<u8>; 2]) {
        let [row, room] = scratch;
        row.clear();
        for &column in &self.order {
            let cell = canonical(cell(column), room);
            // Lengths keep cells apart; most fit into a byte.
            match u8::try_from(cell.len()) {
                Ok(length) if length < 255 => row.push(length),
                _ => {
                    row.push(255);
                    row.extend_from_slice(&(cell.len() as u64).to_le_bytes());
                }
            }
            row.extend_from_slice(cell);
        }
        let (own, others) = sums.split_at_mut(LANES);
        add(own, self.first.digest(row));
        if let Some(second) = &self.second {
            add(others, second.digest(row));
        }
    }

    /// The digests, with the older one when it was made.
    pub(crate) fn finish(self, sums: RecordSums, older: Option<[u8; 32]>) -> Digests {
        let (own, others) = sums.split_at(LANES);
        Digests {
            records: finished(self.first.table, own),
            older,
            second: self.second.map(|second| finished(second.table, others)),
        }
    }
}

impl KeyedRecords {
    fn new<'n>(key: &[u8; 32], names: impl Iterator<Item = &'n String>) -> Self {
        let mut table = keyed(key, b"all records");
        for name in names {
            table.update(&(name.len() as u64).to_le_bytes());
            table.update(name.as_bytes());
        }
        let mut record = Sha256::new();
        for half in [b"record 1", b"record 2"] {
            Digest::update(&mut record, keyed(key, half).finalize().into_bytes());
        }
        Self { record, table }
    }

    #[inline]
    fn digest(&self, row: &[u8]) -> [u8; 32] {
        let mut digest = self.record.clone();
        Digest::update(&mut digest, row);
        digest.finalize().into()
    }
}

/// Adds up the older digests of rows that come one by one.
pub(crate) struct OlderDigest {
    row: Hmac<Sha256>,
    order: Vec<AttrId>,
    table: Hmac<Sha256>,
}

impl OlderDigest {
    pub(crate) fn new(key: &[u8; 32], schema: &Schema) -> Self {
        Self { row: keyed(key, b"rows"), order: by_name(schema), table: older_start(key, schema) }
    }

    /// The row's own digest, to be added up.
    pub(crate) fn of_row(&self, block: &Block, at: usize) -> Sums {
        let mut sums = Sums::default();
        let mut row = Vec::new();
        coded_row(block, &self.order, at, &mut row);
        add_row(&mut sums, &self.row, &row);
        sums
    }

    pub(crate) fn finish(self, sums: Sums) -> [u8; 32] {
        finished(self.table, &sums)
    }
}

fn finished(mut table: Hmac<Sha256>, sums: &[u64]) -> [u8; 32] {
    sums.iter().for_each(|sum| table.update(&sum.to_le_bytes()));
    table.finalize().into_bytes().into()
}

fn add_row(sums: &mut Sums, key: &Hmac<Sha256>, row: &[u8]) {
    let mut mac = key.clone();
    mac.update(row);
    add(sums, mac.finalize().into_bytes().into());
}

fn add(sums: &mut [u64], digest: [u8; 32]) {
    for (sum, lane) in sums.iter_mut().zip(digest.as_chunks::<8>().0) {
        *sum = sum.wrapping_add(u64::from_le_bytes(*lane));
    }
}

impl CodedTable {
    /// The older digest: of the coded rows, under a secret key. Steward-only, as [`Digests`] are.
    ///
    /// Columns' names and sizes and the sum of every row's own HMAC-SHA-256. Values that the schema
    /// does not tell apart are the same.
    ///
    /// # Errors
    /// When rows that were spilled cannot be read back.
    pub(crate) fn keyed_digest(&self, key: &[u8; 32]) -> Result<[u8; 32], TableError> {
        let rows = keyed(key, b"rows");
        let order = by_name(&self.schema);
        let mut sums = Sums::default();
        self.store.for_each(&mut |block| {
            sums = added(sums, digest_rows(block, &order, &rows));
            Ok(())
        })?;
        Ok(finished(older_start(key, &self.schema), &sums))
    }
}

/// What the older digest says of the columns.
fn older_start(key: &[u8; 32], schema: &Schema) -> Hmac<Sha256> {
    let mut digest = keyed(key, b"table");
    for attribute in by_name(schema) {
        let name = schema.column(attribute).name.as_bytes();
        digest.update(&(name.len() as u64).to_le_bytes());
        digest.update(name);
        digest.update(&schema.domain().size(attribute).to_le_bytes());
    }
    digest
}

/// An HMAC that has taken in what it is for.
pub(crate) fn keyed(key: &[u8; 32], purpose: &[u8]) -> Hmac<Sha256> {
    let mut mac = Hmac::new_from_slice(key).unwrap_or_else(|_| unreachable!("HMAC takes keys of every length"));
    mac.update(purpose);
    mac
}

fn by_name(schema: &Schema) -> Vec<AttrId> {
    let mut order: Vec<AttrId> = schema.domain().attributes().collect();
    order.sort_by(|&a, &b| schema.column(a).name.cmp(&schema.column(b).name));
    order
}

fn digest_rows(block: &Block, order: &[AttrId], key: &Hmac<Sha256>) -> Sums {
    let stripes = (0..block.rows()).step_by(STRIPE).collect::<Vec<_>>().into_par_iter();
    let sums = stripes.map(|from| {
        let mut sums = Sums::default();
        let mut row = Vec::new();
        for at in from..block.rows().min(from + STRIPE) {
            coded_row(block, order, at, &mut row);
            add_row(&mut sums, key, &row);
        }
        sums
    });
    sums.reduce(Sums::default, added)
}

/// The codes of a row, in the given order of columns.
fn coded_row(block: &Block, order: &[AttrId], at: usize, row: &mut Vec<u8>) {
    row.clear();
    for attribute in order {
        match &block.columns()[attribute.index()] {
            Codes::U8(codes) => row.push(codes[at]),
            Codes::U16(codes) => row.extend_from_slice(&codes[at].to_le_bytes()),
            Codes::U32(codes) => row.extend_from_slice(&codes[at].to_le_bytes()),
        }
    }
}

pub(crate) fn added<const N: usize>(a: [u64; N], b: [u64; N]) -> [u64; N] {
    std::array::from_fn(|lane| a[lane].wrapping_add(b[lane]))
}

#[cfg(test)]
mod tests {
    use lookalike_schema::Schema;

    use crate::coded::CodedTable;

    const KEY: [u8; 32] = [7; 32];

    fn schema(names: [&str; 2]) -> Schema {
        let [first, second] = names;
        Schema::parse(&format!("{{\"{first}\": 5, \"{second}\": 300}}"), "test").unwrap()
    }

    fn digest(names: [&str; 2], rows: &[(u32, u32)]) -> [u8; 32] {
        let columns = [rows.iter().map(|row| row.0).collect(), rows.iter().map(|row| row.1).collect()];
        CodedTable::from_columns(&schema(names), &columns).keyed_digest(&KEY).unwrap()
    }

    #[test]
    fn the_order_of_rows_does_not_matter_and_everything_else_does() {
        let names = ["a", "b"];
        let rows = [(0, 1), (1, 299), (0, 1), (4, 0)];
        let own = digest(names, &rows);
        assert_eq!(own, digest(names, &[(4, 0), (0, 1), (1, 299), (0, 1)]));
        for other in [
            digest(names, &rows[..3]),
            digest(names, &[&rows[..], &[(0, 1)]].concat()),
            digest(names, &[&rows[..], &[(0, 1), (0, 1)]].concat()),
            digest(names, &[(0, 1), (1, 298), (0, 1), (4, 0)]),
            digest(names, &[(0, 1), (1, 1), (0, 299), (4, 0)]),
            digest(names, &[]),
            digest(["a", "c"], &rows),
        ] {
            assert_ne!(own, other);
        }
        // 257 is 1 + 256: bytes of one column are never those of the next.
        assert_ne!(digest(names, &[(1, 0)]), digest(names, &[(0, 1)]));
    }

    #[test]
    fn neither_the_order_of_columns_nor_spilling_matters_and_the_key_does() {
        let columns =
            vec![(0..9000u32).map(|row| row % 5).collect::<Vec<_>>(), (0..9000).map(|row| row % 300).collect()];
        let own = CodedTable::from_columns(&schema(["a", "b"]), &columns);
        let spilled = CodedTable::build(&schema(["a", "b"]), &columns, Some(1000), 0).unwrap();
        let digest = own.keyed_digest(&KEY).unwrap();
        assert_eq!(spilled.keyed_digest(&KEY).unwrap(), digest);
        let turned = Schema::parse("{\"b\": 300, \"a\": 5}", "test").unwrap();
        let turned = CodedTable::from_columns(&turned, &columns.into_iter().rev().collect::<Vec<_>>());
        assert_eq!(turned.keyed_digest(&KEY).unwrap(), digest);
        assert_ne!(own.keyed_digest(&[8; 32]).unwrap(), digest);
    }
}
