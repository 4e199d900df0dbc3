//! Parquet. Read column by column in parallel, without the arrow layer: text is bytes, so that
//! bytes which are no UTF-8 are bad cells.
//!
//! Nested columns are refused only where the schema models them. The file's key-value metadata is
//! never looked at.

#[cfg(test)]
mod bombs;
mod column;
mod exact;
mod file;
mod pages;
mod raw;
mod scalar;
#[cfg(test)]
mod tests;
mod thrift;

use std::cell::Cell;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};

use lookalike_schema::{Codec, Schema, SchemaError};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, Length};
use rayon::prelude::*;

use self::column::Cursor;
use self::file::Positional;
use super::persons::{Bounder, Bounds, FirstRows, PersonKey, Tag, rows_memory};
use super::source::file_error;
use super::split::UNWANTED;
use super::{ReadWatch, digests, person_column, slots};
use crate::TableError;
use crate::coded::CodedTable;
use crate::coded::store::BlockBuilder;
use crate::digest::{DigestWish, Digests, RecordDigest, Sums, added};
use lookalike_tally::{Block, Codes, Width, block_rows, widths};

/// Rows that drafts take at a time.
const DRAFT_ROWS: usize = 4096;

/// Cells whose texts are held at a time for a digest, and rows that one task digests.
const DIGEST_CELLS: usize = 1 << 22;
const DIGEST_ROWS: usize = 1024;

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
        given: &Schema,
        memory: u64,
        bounds: Option<&Bounds<'_>>,
        wish: Option<DigestWish<'_>>,
        watch: &dyn ReadWatch,
    ) -> Result<(CodedTable, Option<Digests>), TableError> {
        let names = self.names();
        let schema = given.arranged(&names)?;
        let codecs: Vec<_> = schema.domain().attributes().map(|attribute| schema.codec(attribute)).collect();
        let id = bounds.map(|bounds| person_column(bounds.persons, &names)).transpose()?;
        let key = bounds.map(|bounds| bounds.key(&schema));
        let digest = wish.map(|wish| RecordDigest::new(wish.key, &names));
        // Columns that are read, in the file's order: their places, and what is made of them.
        let mut wanted = Vec::new();
        for (column, slot) in slots(&schema, &names).into_iter().enumerate() {
            let (name, leaf) = &self.columns[column];
            let is_needed = slot != UNWANTED || id == Some(column);
            match leaf {
                Some(leaf) if is_needed || digest.is_some() => {
                    let codec = codecs.get(slot as usize).copied();
                    wanted.push(Wanted { column, leaf: *leaf, codec, tags: id == Some(column) });
                }
                None if is_needed => return Err(nested(name)),
                _ => {}
            }
        }
        let leaves: Vec<usize> = wanted.iter().map(|wanted| wanted.leaf).collect();
        let widths = widths(schema.domain());
        let rows_a_block = block_rows(&widths);
        let step =
            if digest.is_some() { rows_a_block.min(DIGEST_CELLS / names.len().max(1)).max(1024) } else { rows_a_block };
        let mut bounder = bounds.map(|bounds| Bounder::new(bounds.persons, given, &schema, widths.clone(), memory));
        let mut first = FirstRows::wished(wish, bounds, &schema, memory);
        let rows_memory = if bounds.is_some() { rows_memory(memory) } else { memory };
        let mut builder = BlockBuilder::new(widths, rows_a_block, rows_memory);
        let mut sums = Sums::default();
        self.for_each_stretch(&leaves, step, watch, |rows, cursors| {
            let read = cursors.par_iter_mut().zip(&wanted).map(|(cursor, wanted)| {
                let read = guarded(&self.name, || wanted.read(cursor, rows, key.as_ref(), digest.is_some()))?;
                if read.rows == rows { Ok(read) } else { Err(damaged(&self.name)) }
            });
            let mut read: Vec<ReadColumn> = read.collect::<Result<_, _>>()?;
            if let Some(digest) = &digest {
                let mut places = vec![None; names.len()];
                wanted.iter().enumerate().for_each(|(place, wanted)| places[wanted.column] = Some(place));
                sums = added(sums, digest_rows(digest, &places, &read, rows));
            }
            let tags = read.iter_mut().find_map(|column| column.tags.take()).unwrap_or_default();
            // Attributes of an arranged schema stand in the order of the file's columns.
            let columns: Vec<Codes> = read.into_iter().filter_map(|column| column.codes).collect();
            let piece = Block::new(rows, columns);
            if let Some(first) = &mut first {
                first.take(&piece, &tags)?;
            }
            match &mut bounder {
                Some(bounder) => bounder.take(&piece, &tags),
                None => builder.append(&piece),
            }
        })?;
        if let (Some(bounder), Some(key)) = (bounder, &key) {
            bounder.finish(key, &mut builder, watch)?;
        }
        let store = builder.finish()?;
        let records = digest.map(|digest| digest.finish(sums));
        digests(records, first, wish, bounds, CodedTable { schema, store })
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

/// A column that is read, and what for.
struct Wanted<'a> {
    /// Its place in the header.
    column: usize,
    leaf: usize,
    codec: Option<&'a Codec>,
    /// Whether it tells whose rows they are.
    tags: bool,
}

/// What became of a stretch of a column.
struct ReadColumn {
    rows: usize,
    codes: Option<Codes>,
    tags: Option<Vec<Option<Tag>>>,
    texts: Option<Texts>,
}

impl Wanted<'_> {
    fn read(
        &self,
        cursor: &mut Cursor<'_>,
        rows: usize,
        key: Option<&PersonKey>,
        with_texts: bool,
    ) -> parquet::errors::Result<ReadColumn> {
        let mut codes = Vec::with_capacity(if self.codec.is_some() { rows } else { 0 });
        let mut tags = self.tags.then(Vec::new);
        let mut texts = with_texts.then(Texts::default);
        let count = match (self.codec, &mut tags, &mut texts) {
            // Most columns of most reads.
            (Some(codec), None, None) => cursor.read(rows, |value| codes.push(value.code(codec)))?,
            (codec, tags, texts) => cursor.read_exact(rows, |value, text| {
                if let Some(codec) = codec {
                    codes.push(value.code(codec));
                }
                if let (Some(tags), Some(key)) = (tags.as_mut(), key) {
                    tags.push(text.and_then(|id| key.of_cell(id)));
                }
                if let Some(texts) = texts {
                    texts.push(|out| out.extend_from_slice(text.unwrap_or_default()));
                }
            })?,
        };
        let codes = self.codec.map(|codec| {
            let mut column = Codes::with_capacity(Width::of(codec.size()), rows);
            column.extend(codes.into_iter());
            column
        });
        Ok(ReadColumn { rows: count, codes, tags, texts })
    }
}

/// The sum of the digests of a stretch of records. `places` has, for each column of the header,
/// where it was read.
fn digest_rows(digest: &RecordDigest, places: &[Option<usize>], read: &[ReadColumn], rows: usize) -> Sums {
    let texts: Vec<Option<&Texts>> =
        places.iter().map(|place| place.and_then(|place| read[place].texts.as_ref())).collect();
    let stripes: Vec<usize> = (0..rows).step_by(DIGEST_ROWS).collect();
    let sums = stripes.into_par_iter().map(|from| {
        let mut sums = Sums::default();
        let mut scratch = Default::default();
        for row in from..rows.min(from + DIGEST_ROWS) {
            // Cells of nested columns are empty.
            let cell = |column: usize| texts[column].map_or(&b""[..], |texts| texts.cell(row));
            digest.add(&mut sums, cell, &mut scratch);
        }
        sums
    });
    sums.reduce(Sums::default, added)
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

/// Whether a panic of this thread would be a damaged file's fault, which is caught and told as
/// such: a face then need not say anything.
pub fn expects_damage() -> bool {
    GUARDED.get()
}

/// Runs code of the Parquet library on bytes of the file. It panics on some kinds of damage: that
/// is the file's fault, not ours.
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
        help: "flatten it, or leave it out with type = \"ignore\"".to_owned(),
    })
}
