//! Rows that equal others, by the hash of all their codes. Every row of both tables is looked at.

use lookalike_table::{Table, TableError};
use rayon::prelude::*;

/// Equal rows inside and between the tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Twins {
    /// Real rows.
    pub real: u64,
    /// Synthetic rows.
    pub synthetic: u64,
    /// Synthetic rows that equal a real row.
    pub matched: u64,
    /// Real rows that equal another real row: how common matches are among real people.
    pub real_twins: u64,
    /// Real rows that no other real row equals.
    pub unique: u64,
    /// Of these, those that a synthetic row equals.
    pub unique_matched: u64,
    /// Different real rows.
    pub real_different: u64,
    /// Different synthetic rows.
    pub synthetic_different: u64,
}

impl Twins {
    /// The share of synthetic rows that equal a real row.
    pub fn match_rate(&self) -> f64 {
        share(self.matched, self.synthetic)
    }

    /// The share of real rows that equal another real row.
    pub fn real_rate(&self) -> f64 {
        share(self.real_twins, self.real)
    }

    /// The share of unique real rows that reappear.
    pub fn unique_rate(&self) -> f64 {
        share(self.unique_matched, self.unique)
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Counts equal rows. The tables have the same columns.
///
/// Rows are told apart by 64 bits: among five million rows a side, one false match is a chance in a
/// million.
///
/// # Errors
/// When spilled rows cannot be read back.
pub fn twins(real: &Table, synthetic: &Table) -> Result<Twins, TableError> {
    let (left, right) = (counted(hashes(real)?), counted(hashes(synthetic)?));
    let mut found = Twins {
        real: real.rows(),
        synthetic: synthetic.rows(),
        real_different: left.len() as u64,
        synthetic_different: right.len() as u64,
        ..Twins::default()
    };
    let mut other = right.iter().peekable();
    for &(hash, count) in &left {
        while other.next_if(|entry| entry.0 < hash).is_some() {}
        let matched = other.next_if(|entry| entry.0 == hash).map_or(0, |entry| entry.1);
        found.matched += matched;
        if count > 1 {
            found.real_twins += count;
        } else {
            found.unique += 1;
            found.unique_matched += u64::from(matched > 0);
        }
    }
    Ok(found)
}

/// One hash a row, made column by column.
fn hashes(table: &Table) -> Result<Vec<u64>, TableError> {
    let mut hashes = vec![0x243f_6a88_85a3_08d3u64; table.rows() as usize];
    for attribute in table.domain().attributes() {
        let codes = table.codes(attribute)?;
        hashes.par_iter_mut().zip(codes.par_iter()).for_each(|(hash, &code)| *hash = mixed(*hash, code));
    }
    Ok(hashes)
}

/// One step of splitmix64 over the code and what came before.
fn mixed(hash: u64, code: u32) -> u64 {
    let mut mixed = (hash ^ u64::from(code)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Hashes in order with how often each occurs.
fn counted(mut hashes: Vec<u64>) -> Vec<(u64, u64)> {
    hashes.par_sort_unstable();
    hashes.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u64)).collect()
}
