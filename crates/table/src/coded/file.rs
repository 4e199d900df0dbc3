//! Coded rows in a file of their own, to be counted again without the table that they came from.
//!
//! Blocks come first, as they are spilled; behind them what is needed to find and to check them,
//! and a note of whoever wrote the file. The last bytes say where that begins, so that a file
//! which was cut short is no such file.

use std::fs::File;
use std::io::{self, Write};

use flate2::Crc;
use lookalike_schema::Domain;
use lookalike_tally::{BLOCK_ROWS, Block, Blocks, Width, widths};
use rayon::prelude::*;

use super::spill::{Spill, bytes_of, read_at};
use super::store::{BlockBuilder, BlockStore};
use crate::error::{TableError, file_error};

/// The first and the last bytes of such a file.
const MAGIC: &[u8; 8] = b"LKCODED1";
/// What the list of blocks has for each: its rows, and the sum by which its bytes are checked.
const LISTED: usize = 12;

/// Writes all rows and a note.
pub(crate) fn write_coded(store: &BlockStore, note: &[u8], out: &mut (dyn Write + Send)) -> Result<(), TableError> {
    let failed = |source: io::Error| TableError::Io { what: "writing coded rows".to_owned(), source };
    out.write_all(MAGIC).map_err(failed)?;
    let (mut end, mut blocks, mut listed) = (MAGIC.len() as u64, 0u64, Vec::new());
    store.for_each(&mut |block| {
        let bytes = bytes_of(block);
        listed.extend_from_slice(&(block.rows() as u64).to_le_bytes());
        listed.extend_from_slice(&sum_of(&bytes).to_le_bytes());
        (end, blocks) = (end + bytes.len() as u64, blocks + 1);
        out.write_all(&bytes).map_err(failed)
    })?;
    let mut footer = Vec::new();
    footer.extend_from_slice(&(store.widths().len() as u64).to_le_bytes());
    footer.extend(store.widths().iter().map(|width| width.bytes() as u8));
    footer.extend_from_slice(&blocks.to_le_bytes());
    footer.extend_from_slice(&listed);
    footer.extend_from_slice(&(note.len() as u64).to_le_bytes());
    footer.extend_from_slice(note);
    footer.extend_from_slice(&sum_of(&footer).to_le_bytes());
    footer.extend_from_slice(&end.to_le_bytes());
    footer.extend_from_slice(MAGIC);
    out.write_all(&footer).map_err(failed)
}

/// A file of coded rows whose end was read and found whole.
pub(crate) struct CodedFile {
    file: File,
    name: String,
    widths: Vec<Width>,
    /// The rows of each block, and the sum of its bytes.
    blocks: Vec<(usize, u32)>,
    /// What its writer noted.
    pub(crate) note: Vec<u8>,
}

impl CodedFile {
    /// `Err` when this is no file of coded rows, or one that was cut short or damaged.
    pub(crate) fn open(file: File, name: &str) -> Result<Self, TableError> {
        let reading = |source: io::Error| TableError::Io { what: format!("reading {name}"), source };
        let damaged = || damaged(name);
        let size = file.metadata().map_err(reading)?.len();
        let (mut begins, mut ends) = ([0; 8], [0; 16]);
        let from = size.checked_sub(ends.len() as u64).ok_or_else(damaged)?;
        read_at(&file, &mut begins, 0).map_err(reading)?;
        read_at(&file, &mut ends, from).map_err(reading)?;
        let (start, magic) = ends.split_at(8);
        let start = u64::from_le_bytes(start.try_into().unwrap_or_default());
        let length = from.checked_sub(start).filter(|_| magic == MAGIC && begins == *MAGIC).ok_or_else(damaged)?;
        let mut footer = vec![0; usize::try_from(length).map_err(|_| damaged())?];
        read_at(&file, &mut footer, start).map_err(reading)?;
        let (footer, sum) = footer.split_last_chunk::<4>().ok_or_else(damaged)?;
        let parsed = parse(footer).filter(|_| sum_of(footer) == u32::from_le_bytes(*sum));
        let (widths, blocks, note) = parsed.ok_or_else(damaged)?;
        let rows: u64 = blocks.iter().map(|block| block.0 as u64).sum();
        let bytes = rows.checked_mul(row_bytes(&widths)).and_then(|bytes| bytes.checked_add(MAGIC.len() as u64));
        if bytes != Some(start) {
            return Err(damaged());
        }
        Ok(Self { file, name: name.to_owned(), widths, blocks, note })
    }

    /// The rows, after every byte of them was checked. `Err` when they are damaged or have other
    /// columns.
    pub(crate) fn into_store(self, domain: &Domain, memory: u64) -> Result<BlockStore, TableError> {
        let Self { file, name, widths: own, blocks, .. } = self;
        let rows: Vec<usize> = blocks.iter().map(|block| block.0).collect();
        let spill = Spill::at(file, MAGIC.len() as u64, &rows, row_bytes(&own));
        let check = |(index, &(_, sum)): (usize, &(usize, u32))| {
            let block = spill.load(&own, index, None)?;
            Ok(sum_of(&bytes_of(&block)) == sum && fits(&block, domain))
        };
        let sound: Result<Vec<bool>, TableError> = match own == widths(domain) {
            true => blocks.par_iter().enumerate().map(check).collect(),
            false => Ok(vec![false]),
        };
        if sound?.contains(&false) {
            return Err(damaged(&name));
        }
        BlockBuilder::of_file(own, spill, memory)
    }
}

/// Whether all codes are codes of their columns.
fn fits(block: &Block, domain: &Domain) -> bool {
    block.columns().iter().zip(domain.sizes()).all(|(codes, &size)| codes.are_below(size))
}

fn sum_of(bytes: &[u8]) -> u32 {
    let mut sum = Crc::new();
    sum.update(bytes);
    sum.sum()
}

fn row_bytes(widths: &[Width]) -> u64 {
    widths.iter().map(|width| width.bytes() as u64).sum()
}

type Footer = (Vec<Width>, Vec<(usize, u32)>, Vec<u8>);

fn parse(mut rest: &[u8]) -> Option<Footer> {
    let mut take = |count: usize| -> Option<&[u8]> {
        let (taken, behind) = rest.split_at_checked(count)?;
        rest = behind;
        Some(taken)
    };
    let number = |bytes: &[u8]| usize::try_from(u64::from_le_bytes(bytes.try_into().ok()?)).ok();
    let columns = number(take(8)?)?;
    let width = |&bytes: &u8| match bytes {
        1 => Some(Width::One),
        2 => Some(Width::Two),
        4 => Some(Width::Four),
        _ => None,
    };
    let widths = take(columns)?.iter().map(width).collect::<Option<Vec<Width>>>()?;
    let blocks = number(take(8)?)?;
    let listed = take(blocks.checked_mul(LISTED)?)?.chunks_exact(LISTED).map(|block| {
        let rows = number(&block[..8]).filter(|&rows| rows <= BLOCK_ROWS)?;
        Some((rows, u32::from_le_bytes(block[8..].try_into().ok()?)))
    });
    let listed = listed.collect::<Option<Vec<_>>>()?;
    let length = number(take(8)?)?;
    let note = take(length)?.to_vec();
    rest.is_empty().then_some((widths, listed, note))
}

fn damaged(name: &str) -> TableError {
    file_error(name, "is no file of coded rows, or a damaged one", "remove it, so that rows are read and kept anew")
}
