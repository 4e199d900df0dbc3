//! Reading CSV, TSV and Parquet.
// SKELETON: the table owner splits this into files.

use std::path::PathBuf;

use crate::TableError;

/// Where rows come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// `.csv`, `.csv.gz`, `.tsv`, `.tsv.gz`, `.parquet`; anything else is taken as CSV, gzip and Parquet told by their magic bytes.
    Path(PathBuf),
    /// Standard input (`-`): CSV, gzipped CSV or Parquet, told by content.
    Stdin,
}

/// How to read.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// Field delimiter; `None`: the schema's, else by file name, else guessed from the header line alone.
    pub delimiter: Option<u8>,
    /// Coded rows beyond this many bytes are spilled to an unlinked private temporary file.
    pub memory: u64,
}

/// What a reader tells while it works, and asks.
pub trait ReadWatch: Sync {
    /// The share of the file read so far, when its size is known. Never a count of rows.
    fn share_read(&self, share: f64);
    /// Whether to stop.
    fn cancelled(&self) -> bool;
}

/// The header of the input (file form only).
pub fn header(input: &Input, options: &ReadOptions) -> Result<Vec<String>, TableError> {
    let _ = (input, options);
    todo!()
}

/// Steward-only: calls `each` with every record's text cells, padded or cut to the header's length (typed Parquet cells as text). For drafts.
pub fn for_each_record(
    input: &Input,
    options: &ReadOptions,
    watch: &dyn ReadWatch,
    header: &mut dyn FnMut(&[String]) -> Result<(), TableError>,
    each: &mut dyn FnMut(&[&[u8]]),
) -> Result<(), TableError> {
    let _ = (input, options, watch, header, each);
    todo!()
}
