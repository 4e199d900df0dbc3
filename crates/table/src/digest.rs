//! A keyed digest of the coded rows: the same rows give the same digest, whatever their order.

use hmac::{Hmac, KeyInit, Mac};
use lookalike_schema::{AttrId, Schema};
use rayon::prelude::*;
use sha2::Sha256;

use crate::coded::block::{Block, Codes};
use crate::{PrivateTable, TableError};

/// Rows that one task takes at a time.
const STRIPE: usize = 4096;

/// Four sums, each modulo 2^64.
type Sums = [u64; 4];

impl PrivateTable {
    /// The digest under a secret key. Steward-only: it tells, to whoever has the key, whether rows are known, and so must
    /// never be released, logged or printed.
    ///
    /// It is the HMAC-SHA-256 of the columns' names and sizes and of the sum of every row's own HMAC-SHA-256. A sum, so
    /// that neither the order of rows matters nor, as columns are taken in the order of their names, that of columns: an
    /// export that was sorted otherwise is the same data. Without the key nobody can look for rows with equal sums, and by
    /// chance they do not occur. Rows are digested as codes: values that the schema does not tell apart are the same.
    ///
    /// # Errors
    /// When rows that were spilled cannot be read back.
    pub fn keyed_digest(&self, key: &[u8; 32]) -> Result<[u8; 32], TableError> {
        let (rows, whole) = (keyed(key, b"rows"), keyed(key, b"table"));
        let order = by_name(&self.0.schema);
        let mut sums: Sums = [0; 4];
        self.0.store.for_each(|block| {
            sums = added(sums, digest_rows(block, &order, &rows));
            Ok(())
        })?;
        let mut digest = whole;
        for &attribute in &order {
            let name = self.0.schema.column(attribute).name.as_bytes();
            digest.update(&(name.len() as u64).to_le_bytes());
            digest.update(name);
            digest.update(&self.0.schema.domain().size(attribute).to_le_bytes());
        }
        sums.iter().for_each(|sum| digest.update(&sum.to_le_bytes()));
        Ok(digest.finalize().into_bytes().into())
    }
}

/// An HMAC that has taken in what it is for.
fn keyed(key: &[u8; 32], purpose: &[u8]) -> Hmac<Sha256> {
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
        let mut sums: Sums = [0; 4];
        let mut row = Vec::new();
        for at in from..block.rows().min(from + STRIPE) {
            row.clear();
            for attribute in order {
                match &block.columns()[attribute.index()] {
                    Codes::U8(codes) => row.push(codes[at]),
                    Codes::U16(codes) => row.extend_from_slice(&codes[at].to_le_bytes()),
                    Codes::U32(codes) => row.extend_from_slice(&codes[at].to_le_bytes()),
                }
            }
            let mut mac = key.clone();
            mac.update(&row);
            let tag: [u8; 32] = mac.finalize().into_bytes().into();
            let lanes = tag.as_chunks::<8>().0;
            for (sum, lane) in sums.iter_mut().zip(lanes) {
                *sum = sum.wrapping_add(u64::from_le_bytes(*lane));
            }
        }
        sums
    });
    sums.reduce(|| [0; 4], added)
}

fn added(a: Sums, b: Sums) -> Sums {
    std::array::from_fn(|lane| a[lane].wrapping_add(b[lane]))
}

#[cfg(test)]
mod tests {
    use lookalike_schema::Schema;

    use crate::PrivateTable;
    use crate::coded::CodedTable;

    const KEY: [u8; 32] = [7; 32];

    fn schema(names: [&str; 2]) -> Schema {
        let [first, second] = names;
        Schema::parse(&format!("{{\"{first}\": 5, \"{second}\": 300}}"), "test").unwrap()
    }

    fn digest(names: [&str; 2], rows: &[(u32, u32)]) -> [u8; 32] {
        let columns = vec![rows.iter().map(|row| row.0).collect(), rows.iter().map(|row| row.1).collect()];
        PrivateTable::from_columns(&schema(names), columns).keyed_digest(&KEY).unwrap()
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
        let own = PrivateTable::from_columns(&schema(["a", "b"]), columns.clone());
        let spilled = CodedTable::build(&schema(["a", "b"]), &columns, Some(1000), 0).unwrap();
        let digest = own.keyed_digest(&KEY).unwrap();
        assert_eq!(PrivateTable(spilled).keyed_digest(&KEY).unwrap(), digest);
        let turned = Schema::parse("{\"b\": 300, \"a\": 5}", "test").unwrap();
        let turned = PrivateTable::from_columns(&turned, columns.into_iter().rev().collect());
        assert_eq!(turned.keyed_digest(&KEY).unwrap(), digest);
        assert_ne!(own.keyed_digest(&[8; 32]).unwrap(), digest);
    }
}
