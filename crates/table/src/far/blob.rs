//! A blob: one binary value that holds a block of coded rows, as an engine keeps it away from here.
//!
//! It begins with a mark, the sum by which its bytes are checked, the number of its rows and
//! whether they have tags. Codes follow column by column, then the tags. How wide a column's codes
//! are is told by the schema, so a blob that was cut short, lengthened or made for other columns is
//! refused: never counted in part.

use flate2::Crc;
use lookalike_schema::Domain;
use lookalike_tally::{Block, Codes, Width};

use crate::coded::spill::{bytes_of, split};
use crate::read::{TAG_BYTES, Tag};

/// The first bytes of a blob.
const MARK: &[u8; 4] = b"LKB1";
/// Mark, sum, rows, and whether there are tags.
const HEAD: usize = 13;

/// The blob of a block, with one tag a row or none at all.
pub(super) fn to_blob(block: &Block, tags: &[Tag]) -> Vec<u8> {
    let codes = bytes_of(block);
    let mut blob = Vec::with_capacity(HEAD + codes.len() + tags.len() * TAG_BYTES);
    blob.extend_from_slice(MARK);
    blob.extend_from_slice(&[0; 4]);
    blob.extend_from_slice(&(block.rows() as u32).to_le_bytes());
    blob.push(u8::from(!tags.is_empty()));
    blob.extend_from_slice(&codes);
    blob.extend_from_slice(tags.as_flattened());
    let sum = sum_of(&blob[8..]);
    blob[4..8].copy_from_slice(&sum.to_le_bytes());
    blob
}

/// A blob whose bytes were found whole. Private rows are inside: no `Debug`, no `Clone`.
pub(super) struct Blob<'a> {
    rows: usize,
    codes: &'a [u8],
    tags: &'a [u8],
}

impl<'a> Blob<'a> {
    /// `None` when this is no blob of columns of these widths, or a damaged one.
    pub(super) fn open(bytes: &'a [u8], widths: &[Width]) -> Option<Self> {
        let (mark, rest) = bytes.split_first_chunk::<4>()?;
        let (sum, body) = rest.split_first_chunk::<4>()?;
        if mark != MARK || u32::from_le_bytes(*sum) != sum_of(body) {
            return None;
        }
        let (rows, body) = body.split_first_chunk::<4>()?;
        let (&is_tagged, body) = body.split_first()?;
        let rows = usize::try_from(u32::from_le_bytes(*rows)).ok()?;
        let row: usize = widths.iter().map(|width| width.bytes()).sum();
        let (codes, tags) = body.split_at_checked(rows.checked_mul(row)?)?;
        let tagged = if is_tagged == 1 { rows.checked_mul(TAG_BYTES)? } else { 0 };
        (tags.len() == tagged && is_tagged < 2).then_some(Self { rows, codes, tags })
    }

    /// The number of rows.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// The tags of the rows; none when they have none.
    pub(super) fn tags(&self) -> impl Iterator<Item = Tag> + '_ {
        self.tags.as_chunks().0.iter().copied()
    }

    /// The rows, with the codes of the columns that are needed. `None` when a code is none of its
    /// column.
    pub(super) fn block(&self, widths: &[Width], domain: &Domain, needed: Option<&[bool]>) -> Option<Block> {
        let mut rest = self.codes;
        let mut columns = Vec::with_capacity(widths.len());
        for (place, &width) in widths.iter().enumerate() {
            let (codes, behind) = rest.split_at_checked(self.rows * width.bytes())?;
            rest = behind;
            if needed.is_some_and(|needed| !needed[place]) {
                columns.push(Codes::with_capacity(width, 0));
            } else {
                columns.extend(split(codes, &[width], self.rows));
            }
        }
        let fits = columns.iter().zip(domain.sizes()).all(|(codes, &size)| codes.are_below(size));
        fits.then(|| Block::new(self.rows, columns))
    }
}

fn sum_of(bytes: &[u8]) -> u32 {
    let mut sum = Crc::new();
    sum.update(bytes);
    sum.sum()
}

#[cfg(test)]
mod tests {
    use lookalike_tally::{blocks_of, widths};

    use super::*;

    fn block(domain: &Domain) -> Block {
        let columns = [vec![0, 1, 1], vec![299, 0, 7], vec![70_000, 1, 2]];
        blocks_of(&columns, &widths(domain), 10).next().unwrap()
    }

    #[test]
    fn what_went_in_comes_out() {
        let domain = Domain::new(vec![2, 300, 70_001]);
        let widths = widths(&domain);
        for tags in [vec![], vec![[1; TAG_BYTES], [2; TAG_BYTES], [3; TAG_BYTES]]] {
            let bytes = to_blob(&block(&domain), &tags);
            let blob = Blob::open(&bytes, &widths).unwrap();
            assert!(blob.rows() == 3 && blob.tags().collect::<Vec<_>>() == tags);
            let whole = blob.block(&widths, &domain, None).unwrap();
            assert!(bytes_of(&whole) == bytes_of(&block(&domain)));
            let part = blob.block(&widths, &domain, Some(&[false, true, false])).unwrap();
            assert_eq!(part.columns().iter().map(Codes::len).collect::<Vec<_>>(), [0, 3, 0]);
        }
    }

    #[test]
    fn nothing_damaged_is_opened() {
        let domain = Domain::new(vec![2, 300, 70_001]);
        let widths = widths(&domain);
        let whole = to_blob(&block(&domain), &[[9; TAG_BYTES]; 3]);
        for place in 0..whole.len() {
            let mut changed = whole.clone();
            changed[place] ^= 1;
            assert!(Blob::open(&changed, &widths).is_none(), "byte {place}");
            assert!(Blob::open(&whole[..place], &widths).is_none(), "{place} bytes");
        }
        let longer = [&whole[..], &[0]].concat();
        assert!(Blob::open(&longer, &widths).is_none() && Blob::open(&whole, &widths[..2]).is_none());
        let narrower = Domain::new(vec![2, 299, 70_001]);
        assert!(Blob::open(&whole, &widths).unwrap().block(&widths, &narrower, None).is_none());
    }
}
