//! Parquet. Read column by column in parallel, without the arrow layer: text is bytes, so that bytes which are no UTF-8 are bad cells.
//!
//! Nested columns are refused only where the schema models them. The file's key-value metadata is never looked at.

#[cfg(test)]
mod bombs;
mod column;
mod exact;
mod file;
mod pages;
mod scalar;
#[cfg(test)]
mod tests;
mod thrift;

use std::cell::Cell;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};

use lookalike_schema::{Schema, SchemaError};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, Length};
use rayon::prelude::*;

use self::column::Cursor;
use self::file::Positional;
use super::persons::{Bounder, Bounds, rows_memory};
use super::source::file_error;
use super::split::UNWANTED;
use super::{ReadWatch, person_column, slots};
use crate::TableError;
use crate::coded::CodedTable;
use crate::coded::block::{Block, Codes, block_rows, widths};
use crate::coded::store::BlockBuilder;

/// Rows that drafts take at a time.
const DRAFT_ROWS: usize = 4096;

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
        memory: u64,
        bounds: Option<&Bounds<'_>>,
        watch: &dyn ReadWatch,
    ) -> Result<CodedTable, TableError> {
        let names = self.names();
        let given = schema;
        let schema = given.arranged(&names)?;
        let mut leaves = Vec::new();
        for ((name, leaf), slot) in self.columns.iter().zip(slots(&schema, &names)) {
            match leaf {
                _ if slot == UNWANTED => {}
                Some(leaf) => leaves.push(*leaf),
                None => return Err(nested(name)),
            }
        }
        let mut key = None;
        if let Some(bounds) = bounds {
            // The ids' leaf stands behind those of the columns.
            let (name, leaf) = &self.columns[person_column(bounds.persons, &names)?];
            leaves.push(leaf.ok_or_else(|| nested(name))?);
            key = Some(bounds.key(&schema));
        }
        let codecs: Vec<_> = schema.domain().attributes().map(|attribute| schema.codec(attribute)).collect();
        let widths = widths(schema.domain());
        let step = block_rows(&widths);
        let mut bounder =
            bounds.map(|bounds| Bounder::new(bounds.persons, given, &schema, widths.clone(), memory));
        let memory = if bounds.is_some() { rows_memory(memory) } else { memory };
        let mut builder = BlockBuilder::new(widths.clone(), step, memory);
        self.for_each_stretch(&leaves, step, watch, |rows, cursors| {
            let (cursors, ids) = cursors.split_at_mut(codecs.len());
            let columns = cursors.par_iter_mut().enumerate().map(|(k, cursor)| {
                guarded(&self.name, || {
                    let mut codes = Vec::with_capacity(rows);
                    let count = cursor.read(rows, |value| codes.push(value.code(codecs[k])))?;
                    let mut column = Codes::with_capacity(widths[k], rows);
                    column.extend(codes.into_iter());
                    Ok((count, column))
                })
            });
            let columns: Vec<(usize, Codes)> = columns.collect::<Result<_, _>>()?;
            if columns.iter().any(|(count, _)| *count != rows) {
                return Err(damaged(&self.name));
            }
            let piece = Block::new(rows, columns.into_iter().map(|(_, codes)| codes).collect());
            match (&mut bounder, &key, ids.first_mut()) {
                (Some(bounder), Some(key), Some(ids)) => {
                    let mut tags = Vec::with_capacity(rows);
                    guarded(&self.name, || {
                        ids.read_exact(rows, |id| tags.push(id.and_then(|id| key.of_cell(id))))
                    })?;
                    if tags.len() != rows {
                        return Err(damaged(&self.name));
                    }
                    bounder.take(&piece, &tags)
                }
                _ => builder.append(&piece),
            }
        })?;
        if let (Some(bounder), Some(key)) = (bounder, &key) {
            bounder.finish(key, &mut builder, watch)?;
        }
        let store = builder.finish()?;
        Ok(CodedTable { schema, store })
    }

    /// Calls `each` with every record as text. Cells of nested columns are empty.
    pub(super) fn for_each_record(
        &self,
        watch: &dyn ReadWatch,
        each: &mut dyn FnMut(&[&[u8]]),
    ) -> Result<(), TableError> {
        let leaves: Vec<usize> = self.columns.iter().filter_map(|(_, leaf)| *leaf).collect();
        if leaves.is_empty() {
            return Err(nested(&self.columns[0].0));
        }
        self.for_each_stretch(&leaves, DRAFT_ROWS, watch, |rows, cursors| {
            let columns = cursors.iter_mut().map(|cursor| {
                guarded(&self.name, || {
                    let mut texts = Texts::default();
                    let count = cursor.read(rows, |value| texts.push(|out| value.write_text(out)))?;
                    // A file may say that it has more rows than anyone could count to.
                    if count == rows { Ok(texts) } else { Err(ParquetError::EOF("there are fewer rows".to_owned())) }
                })
            });
            let columns: Vec<Texts> = columns.collect::<Result<_, _>>()?;
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
        leaves.iter().map(|&leaf| Cursor::open(&self.file, group, leaf)).collect()
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

/// The texts of one column.
#[derive(Default)]
struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Texts {
    fn push(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.ends.push(self.bytes.len());
    }

    fn cell(&self, row: usize) -> &[u8] {
        let start = if row == 0 { 0 } else { self.ends.get(row - 1).copied().unwrap_or(self.bytes.len()) };
        let end = self.ends.get(row).copied().unwrap_or(start);
        &self.bytes[start..end]
    }
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

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread would be a damaged file's fault, which is caught and told as such: a face then need not say anything.
pub fn expects_damage() -> bool {
    GUARDED.get()
}

/// Runs code of the Parquet library on bytes of the file. It panics on some kinds of damage: that is the file's fault, not ours.
fn guarded<T>(name: &str, read: impl FnOnce() -> parquet::errors::Result<T>) -> Result<T, TableError> {
    let outer = GUARDED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(outer);
    match done {
        Ok(Ok(value)) => Ok(value),
        // The library's own words might quote the file.
        Ok(Err(_)) | Err(_) => Err(damaged(name)),
    }
}

fn damaged(name: &str) -> TableError {
    file_error(
        name,
        "is damaged Parquet, or packed in a way that cannot be read here",
        "write it anew with zstd, snappy, gzip, lz4 or no compression",
    )
}

fn nested(name: &str) -> TableError {
    TableError::Schema(SchemaError::Column {
        column: name.to_owned(),
        what: "holds lists or groups in the Parquet file".to_owned(),
        mend: "flatten it, or leave it out with type = \"ignore\"".to_owned(),
    })
}
