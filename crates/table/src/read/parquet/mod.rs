//! Parquet. Read column by column in parallel, without the arrow layer: text is bytes, so that
//! bytes which are no UTF-8 are bad cells.
//!
//! Nested columns are refused only where the schema models them. The file's key-value metadata is
//! never looked at.

#[cfg(test)]
mod bombs;
mod column;
mod damage;
mod file;
mod meaning;
mod pages;
#[cfg(test)]
mod tests;
mod thrift;

use std::fs::File;

use lookalike_schema::Schema;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, Length};

pub use self::damage::expects_damage;

use self::column::Cursor;
use self::damage::{damaged, guarded};
use self::file::Positional;
use super::intake::{Layout, Terms};
use super::raw_block::{RawBlock, raw_codecs};
use super::source::file_error;
use super::typed::{self, Texts, nested};
use crate::coded::CodedTable;
use crate::digest::Digests;
use crate::error::TableError;
use crate::read::input::ReadWatch;

/// Rows that drafts take at a time.
const DRAFT_ROWS: usize = 4096;

/// Values to take at a time, over all columns, where they are read as numbers: 64 MiB of them.
const RAW_VALUES: usize = 1 << 23;

/// Rows to take at a time from a row group with heavy columns.
const HEAVY_ROWS: usize = 1 << 19;

/// A Parquet file whose footer was read.
pub(super) struct ParquetFile {
    name: String,
    file: Positional,
    metadata: ParquetMetaData,
    /// The top-level columns and, where flat, the leaf that holds the values.
    columns: Vec<(String, Option<usize>)>,
}

impl ParquetFile {
    /// Reads the footer. Whether the file is a table is judged here.
    pub(super) fn open(name: String, file: File) -> Result<Self, TableError> {
        let opened = guarded(&name, || {
            let file = Positional::new(file)?;
            if !thrift::footer_is_sane(&footer(&file)?) {
                return Err(ParquetError::General("the footer does not hold".to_owned()));
            }
            let metadata = ParquetMetaDataReader::new().parse_and_finish(&file)?;
            Ok((file, metadata))
        });
        let (file, metadata) = opened.map_err(|_| {
            file_error(&name, "is not a Parquet file that can be read: its footer is damaged", "write the file anew")
        })?;
        let columns = flat_columns(&metadata);
        if columns.is_empty() {
            return Err(file_error(&name, "has no columns", "write a table with at least one column"));
        }
        Ok(Self { name, file, metadata, columns })
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.columns.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Reads and codes all rows.
    pub(super) fn read_table(
        &self,
        schema: &Schema,
        terms: Terms<'_>,
        watch: &dyn ReadWatch,
    ) -> Result<(CodedTable, Option<Digests>), TableError> {
        let layout = Layout::new(schema, self.names(), terms)?;
        let wanted = typed::wanted(&layout, |column| self.columns[column].1.is_some())?;
        let leaves: Vec<usize> = wanted.iter().filter_map(|wanted| self.columns[wanted.column].1).collect();
        let mut intake = layout.intake();
        self.for_each_stretch(&leaves, typed::stretch_rows(&layout), watch, |rows, cursors| {
            intake.take(&typed::read_piece(&layout, &wanted, cursors, rows)?)
        })?;
        drop(wanted);
        intake.finish(layout, watch)
    }

    /// Calls `each` with blocks of these columns as numbers, in row order. Steward-only, see
    /// `read/raw.rs`.
    pub(super) fn for_each_raw_block(
        &self,
        schema: &Schema,
        columns: &[&str],
        watch: &dyn ReadWatch,
        each: &mut dyn FnMut(RawBlock) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let names = self.names();
        let schema = schema.arranged(&names)?;
        let codecs = raw_codecs(&schema, columns);
        let (read, places) = typed::raw_places(&names, columns, |column| self.columns[column].1.is_some())?;
        let leaves: Vec<usize> = read.iter().filter_map(|&column| self.columns[column].1).collect();
        let step = (RAW_VALUES / columns.len().max(1)).clamp(1 << 10, 1 << 18);
        self.for_each_stretch(&leaves, step, watch, |rows, cursors| {
            each(typed::read_raw(cursors, &places, &codecs, rows)?)
        })
    }

    /// Calls `each` with every record as text: as a CSV file would show it, or exactly. Cells of
    /// nested columns are empty.
    pub(super) fn for_each_record(
        &self,
        exactly: bool,
        watch: &dyn ReadWatch,
        each: &mut dyn FnMut(&[&[u8]]),
    ) -> Result<(), TableError> {
        let leaves: Vec<usize> = self.columns.iter().filter_map(|(_, leaf)| *leaf).collect();
        if leaves.is_empty() {
            return Err(nested(&self.columns[0].0));
        }
        self.for_each_stretch(&leaves, DRAFT_ROWS, watch, |rows, cursors| {
            let columns = cursors.iter_mut().map(|cursor| typed::read_texts(cursor, rows, exactly));
            let columns: Vec<Texts> = columns.collect::<Result<_, TableError>>()?;
            for row in 0..rows {
                let mut flat = columns.iter();
                let cells = self.columns.iter().map(|(_, leaf)| match leaf {
                    Some(_) => flat.next().map_or(&b""[..], |texts| texts.cell(row)),
                    None => b"",
                });
                each(&cells.collect::<Vec<&[u8]>>());
            }
            Ok(())
        })
    }

    /// Opens the leaves of every row group and calls `each` for stretches of up to `step` rows.
    fn for_each_stretch(
        &self,
        leaves: &[usize],
        step: usize,
        watch: &dyn ReadWatch,
        mut each: impl FnMut(usize, &mut [Cursor<'_>]) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let groups = self.metadata.row_groups();
        for (k, group) in groups.iter().enumerate() {
            let mut cursors = guarded(&self.name, || self.cursors(group, leaves))?;
            let rows = usize::try_from(group.num_rows()).map_err(|_| damaged(&self.name))?;
            // A heavy column is unpacked anew for every stretch: there should be few of them.
            let step = if cursors.iter().any(Cursor::is_heavy) { step.max(HEAVY_ROWS) } else { step };
            for from in (0..rows).step_by(step) {
                if watch.cancelled() {
                    return Err(TableError::Cancelled);
                }
                let count = step.min(rows - from);
                each(count, &mut cursors)?;
                let within = (from + count) as f64 / rows as f64;
                watch.share_read(((k as f64 + within) / groups.len() as f64).min(1.0));
            }
        }
        Ok(())
    }

    fn cursors<'a>(
        &'a self,
        group: &'a RowGroupMetaData,
        leaves: &[usize],
    ) -> parquet::errors::Result<Vec<Cursor<'a>>> {
        leaves.iter().map(|&leaf| Cursor::open(&self.name, &self.file, group, leaf)).collect()
    }
}

/// The bytes of the footer. The last eight bytes of a file are its length and the format's name.
fn footer(file: &Positional) -> parquet::errors::Result<bytes::Bytes> {
    let short = || ParquetError::EOF("the file is too short".to_owned());
    let tail_at = file.len().checked_sub(8).ok_or_else(short)?;
    let tail = file.get_bytes(tail_at, 8)?;
    let length = tail.first_chunk().map_or(0, |length| u32::from_le_bytes(*length));
    file.get_bytes(tail_at.checked_sub(u64::from(length)).ok_or_else(short)?, length as usize)
}

fn flat_columns(metadata: &ParquetMetaData) -> Vec<(String, Option<usize>)> {
    let schema = metadata.file_metadata().schema_descr();
    let fields = schema.root_schema().get_fields();
    let mut out: Vec<(String, Option<usize>)> = fields.iter().map(|field| (field.name().to_owned(), None)).collect();
    for leaf in 0..schema.num_columns() {
        let root = schema.get_column_root_idx(leaf);
        if fields[root].is_primitive() && schema.column(leaf).max_rep_level() == 0 {
            out[root].1 = Some(leaf);
        }
    }
    out
}
