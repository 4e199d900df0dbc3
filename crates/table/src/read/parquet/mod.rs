//! Parquet. Read column by column in parallel, without the arrow layer: text is bytes, so that
//! bytes which are no UTF-8 are bad cells.
//!
//! Nested columns are refused only where the schema models them. Of the file's key-value metadata
//! nothing is looked at but types (`stored.rs`).

#[cfg(test)]
mod bombs;
mod column;
mod damage;
pub(super) mod file;
mod meaning;
mod pages;
pub(crate) mod stored;
#[cfg(test)]
mod tests;
mod thrift;

use std::fs::File;

use lookalike_schema::{Schema, StoredType};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, Length};

use self::column::Cursor;
use self::damage::{damaged, guarded};
use self::file::Positional;
use super::fitting::Fitting;
use super::intake::{Intake, Layout};
use super::raw_block::{RawBlock, raw_codecs};
use super::typed::{self, nested};
use crate::error::{TableError, file_error};
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

    /// How its columns are stored, in their order.
    pub(super) fn stored_types(&self) -> Vec<Option<StoredType>> {
        stored::stored_types(&self.metadata, &self.columns)
    }

    /// Codes all rows into the table.
    pub(super) fn read_into(
        &self,
        fitting: &Fitting,
        (layout, intake): (&Layout<'_>, &mut Intake),
        watch: &dyn ReadWatch,
    ) -> Result<(), TableError> {
        let wanted = typed::wanted(layout, |column| self.is_flat(fitting, column))?;
        let columns = || wanted.iter().map(|wanted| wanted.column);
        self.for_each_stretch(&self.leaves(fitting, columns()), typed::stretch_rows(layout), watch, |rows, cursors| {
            let mut columns = fitting.typed(columns(), cursors.iter_mut());
            intake.take(&typed::read_piece(layout, &wanted, &mut columns, rows)?)
        })
    }

    /// Calls `each` with blocks of these columns as numbers, in row order. `names` and `schema` are
    /// the table's. Steward-only, see `read/raw.rs`.
    pub(super) fn for_each_raw_block(
        &self,
        fitting: &Fitting,
        (names, schema): (&[String], &Schema),
        columns: &[&str],
        watch: &dyn ReadWatch,
        each: &mut dyn FnMut(RawBlock) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let codecs = raw_codecs(schema, columns);
        let (read, places) = typed::raw_places(names, columns, |column| self.is_flat(fitting, column))?;
        let step = (RAW_VALUES / columns.len().max(1)).clamp(1 << 10, 1 << 18);
        self.for_each_stretch(&self.leaves(fitting, read.iter().copied()), step, watch, |rows, cursors| {
            let mut columns = fitting.typed(read.iter().copied(), cursors.iter_mut());
            each(typed::read_raw(&mut columns, &places, &codecs, rows)?)
        })
    }

    /// Calls `each` with every record as text, in the columns of the table: as a CSV file would
    /// show it, or exactly. Cells of nested columns are empty.
    pub(super) fn for_each_record(
        &self,
        fitting: &Fitting,
        exactly: bool,
        watch: &dyn ReadWatch,
        each: &mut dyn FnMut(&[&[u8]]),
    ) -> Result<(), TableError> {
        let flat: Vec<usize> = (0..fitting.columns()).filter(|&column| self.is_flat(fitting, column)).collect();
        if flat.is_empty() {
            return Err(nested(&self.columns[0].0));
        }
        self.for_each_stretch(&self.leaves(fitting, flat.iter().copied()), DRAFT_ROWS, watch, |rows, cursors| {
            let columns = fitting.typed(flat.iter().copied(), cursors.iter_mut());
            typed::each_record(columns, &flat, (rows, fitting.columns()), exactly, each)
        })
    }

    /// Whether a column of the table has one value a row in this file.
    fn is_flat(&self, fitting: &Fitting, column: usize) -> bool {
        fitting.column(column).is_none_or(|own| self.columns[own].1.is_some())
    }

    /// The leaves of these columns of the table, as far as they are in the file.
    fn leaves(&self, fitting: &Fitting, columns: impl Iterator<Item = usize>) -> Vec<usize> {
        columns.filter_map(|column| self.columns[fitting.column(column)?].1).collect()
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
