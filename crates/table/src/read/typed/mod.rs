//! Columns of typed values, from Parquet files and Arrow batches: stored values become codes, tags
//! of ids and, for digests, texts.

pub(super) mod exact;
pub(super) mod stored;

use lookalike_schema::{Codec, SchemaError};
use lookalike_tally::{Block, Codes, Width, block_rows, widths};
use rayon::prelude::*;

use self::exact::write_exact;
use self::stored::{Meaning, Stored, code_of, number_of, write_text};
use super::difference::Difference;
use super::intake::{Layout, Piece};
use super::persons::{PersonKey, Tag};
use super::raw_block::{RawBlock, raw_slots};
use super::split::UNWANTED;
use crate::digest::{RecordDigest, RecordSums, added};
use crate::error::TableError;

/// Cells whose texts are held at a time for a digest, and rows that one task digests.
const DIGEST_CELLS: usize = 1 << 22;
const DIGEST_ROWS: usize = 1024;

/// A column that is read from its first value to its last.
pub(super) trait StoredColumn: Send {
    /// What its values mean.
    fn meaning(&self) -> Meaning;

    /// Calls `each` with the next `rows` values; `Err` when there are fewer.
    fn read(&mut self, rows: usize, each: impl FnMut(Stored<'_>)) -> Result<(), TableError>;
}

impl<C: StoredColumn> StoredColumn for &mut C {
    fn meaning(&self) -> Meaning {
        (**self).meaning()
    }

    fn read(&mut self, rows: usize, each: impl FnMut(Stored<'_>)) -> Result<(), TableError> {
        (**self).read(rows, each)
    }
}

/// A column that is read, and what for.
pub(super) struct Wanted<'a> {
    /// Its place in the table.
    pub(super) column: usize,
    codec: Option<&'a Codec>,
    /// How its cells are read as numbers, where differences are taken of them.
    number: Option<&'a Codec>,
    /// Whether it tells whose rows they are.
    tags: bool,
}

/// The columns to read, in the header's order.
///
/// `Err` when one of them is nested, as far as it is modelled or tells whose row it is.
pub(super) fn wanted<'a>(
    layout: &'a Layout<'_>,
    is_flat: impl Fn(usize) -> bool,
) -> Result<Vec<Wanted<'a>>, TableError> {
    let codecs = layout.codecs();
    let mut numbers = vec![None; codecs.len()];
    for difference in Difference::all(&layout.schema) {
        numbers[difference.on().index()] = Some(difference.earlier);
        numbers[difference.attribute.index()] = Some(difference.own());
    }
    let mut wanted = Vec::new();
    for (column, &slot) in layout.slots.iter().enumerate() {
        let tags = layout.id == Some(column);
        let is_needed = slot != UNWANTED || tags;
        if is_flat(column) && (is_needed || layout.digest.is_some()) {
            let number = numbers.get(slot as usize).copied().flatten();
            wanted.push(Wanted { column, codec: codecs.get(slot as usize).copied(), number, tags });
        } else if is_needed && !is_flat(column) {
            return Err(nested(&layout.names[column]));
        }
    }
    Ok(wanted)
}

/// How many rows are best read at a time.
pub(super) fn stretch_rows(layout: &Layout<'_>) -> usize {
    let rows = block_rows(&widths(layout.schema.domain()));
    match layout.digest {
        Some(_) => rows.min(DIGEST_CELLS / layout.names.len().max(1)).max(1024),
        None => rows,
    }
}

/// Reads the next `rows` of the columns, one for each that is wanted.
pub(super) fn read_piece<C: StoredColumn>(
    layout: &Layout<'_>,
    wanted: &[Wanted<'_>],
    columns: &mut [C],
    rows: usize,
) -> Result<Piece, TableError> {
    let read = columns.par_iter_mut().zip(wanted);
    let read = read.map(|(column, wanted)| wanted.read(column, rows, layout.key.as_ref(), layout.digest.is_some()));
    let mut read: Vec<ReadColumn> = read.collect::<Result<_, _>>()?;
    let sums = match &layout.digest {
        Some(digest) => {
            let mut texts = vec![None; layout.names.len()];
            wanted.iter().zip(&read).for_each(|(wanted, read)| texts[wanted.column] = read.texts.as_ref());
            digest_rows(digest, &texts, rows)
        }
        None => RecordSums::default(),
    };
    let tags = read.iter_mut().find_map(|column| column.tags.take()).unwrap_or_default();
    // Attributes of an arranged schema stand in the order of the header's columns.
    let (mut codes, numbers): (Vec<Codes>, Vec<Option<Vec<f64>>>) =
        read.into_iter().filter_map(|column| Some((column.codes?, column.numbers))).unzip();
    for difference in Difference::all(&layout.schema) {
        let (own, earlier) = (difference.attribute.index(), difference.on().index());
        if let (Some(own_numbers), Some(before)) = (&numbers[own], &numbers[earlier]) {
            let mut column = Codes::with_capacity(Width::of(layout.schema.codec(difference.attribute).size()), rows);
            column.extend(before.iter().zip(own_numbers).map(|(&earlier, &own)| difference.code(earlier, own)));
            codes[own] = column;
        }
    }
    Ok(Piece { block: Block::new(rows, codes), tags, sums })
}

/// What became of a stretch of a column.
struct ReadColumn {
    codes: Option<Codes>,
    numbers: Option<Vec<f64>>,
    tags: Option<Vec<Option<Tag>>>,
    texts: Option<Texts>,
}

impl Wanted<'_> {
    fn read(
        &self,
        column: &mut impl StoredColumn,
        rows: usize,
        key: Option<&PersonKey>,
        with_texts: bool,
    ) -> Result<ReadColumn, TableError> {
        let meaning = column.meaning();
        let mut codes = Vec::with_capacity(if self.codec.is_some() { rows } else { 0 });
        let mut tags = self.tags.then(Vec::new);
        let mut texts = with_texts.then(Texts::default);
        let mut numbers = self.number.map(|_| Vec::with_capacity(rows));
        match (self.codec, &mut tags, &mut texts) {
            // Most columns of most reads.
            (Some(codec), None, None) if numbers.is_none() => {
                column.read(rows, |value| codes.push(code_of(value.cell(meaning), codec)))?
            }
            (codec, tags, texts) => {
                let mut text = Vec::new();
                column.read(rows, |value| {
                    text.clear();
                    write_exact(value, meaning, &mut text);
                    if let Some(codec) = codec {
                        codes.push(code_of(value.cell(meaning), codec));
                    }
                    if let Some(numbers) = &mut numbers {
                        numbers.push(number_of(value.cell(meaning), self.number));
                    }
                    if let (Some(tags), Some(key)) = (tags.as_mut(), key) {
                        let is_there = !matches!(value, Stored::Missing);
                        tags.push(is_there.then_some(&text).and_then(|id| key.of_cell(id)));
                    }
                    if let Some(texts) = texts {
                        texts.push(|out| out.extend_from_slice(&text));
                    }
                })?;
            }
        }
        let codes = self.codec.map(|codec| {
            let mut column = Codes::with_capacity(Width::of(codec.size()), rows);
            column.extend(codes.into_iter());
            column
        });
        Ok(ReadColumn { codes, numbers, tags, texts })
    }
}

/// The sum of the digests of a stretch of records, by the texts of every header column.
fn digest_rows(digest: &RecordDigest, texts: &[Option<&Texts>], rows: usize) -> RecordSums {
    let stripes: Vec<usize> = (0..rows).step_by(DIGEST_ROWS).collect();
    let sums = stripes.into_par_iter().map(|from| {
        let mut sums = RecordSums::default();
        let mut scratch = Default::default();
        for row in from..rows.min(from + DIGEST_ROWS) {
            // Cells of nested columns are empty.
            let cell = |column: usize| texts[column].map_or(&b""[..], |texts| texts.cell(row));
            digest.add(&mut sums, cell, &mut scratch);
        }
        sums
    });
    sums.reduce(RecordSums::default, added)
}

/// The next values of a column as texts: as a CSV file would show them, or exactly.
fn read_texts(column: &mut impl StoredColumn, rows: usize, exactly: bool) -> Result<Texts, TableError> {
    let meaning = column.meaning();
    let mut texts = Texts::default();
    column.read(rows, |value| {
        texts.push(|out| match exactly {
            true => write_exact(value, meaning, out),
            false => write_text(value.cell(meaning), out),
        });
    })?;
    Ok(texts)
}

/// Calls `each` with the next `rows` records as texts, of `width` cells. `places` says where the
/// cells of each column go; the others are empty.
pub(super) fn each_record<C: StoredColumn>(
    columns: Vec<C>,
    places: &[usize],
    (rows, width): (usize, usize),
    exactly: bool,
    each: &mut dyn FnMut(&[&[u8]]),
) -> Result<(), TableError> {
    let texts = columns.into_iter().map(|mut column| read_texts(&mut column, rows, exactly));
    let texts: Vec<Texts> = texts.collect::<Result<_, TableError>>()?;
    let mut cells = vec![&b""[..]; width];
    for row in 0..rows {
        places.iter().zip(&texts).for_each(|(&place, texts)| cells[place] = texts.cell(row));
        each(&cells);
    }
    Ok(())
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

/// Values as numbers, neither clamped nor binned: `places` says where each column's go among
/// `codecs`, and the others are missing. Steward-only, see `read/raw.rs`.
pub(super) fn read_raw<C: StoredColumn>(
    columns: &mut [C],
    places: &[usize],
    codecs: &[Option<&Codec>],
    rows: usize,
) -> Result<RawBlock, TableError> {
    let read = columns.par_iter_mut().zip(places).map(|(column, &place)| {
        let meaning = column.meaning();
        let mut values = Vec::with_capacity(rows);
        column.read(rows, |value| values.push(number_of(value.cell(meaning), codecs[place])))?;
        Ok((place, values))
    });
    let read: Vec<(usize, Vec<f64>)> = read.collect::<Result<_, TableError>>()?;
    let mut block = RawBlock { rows, columns: vec![Vec::new(); codecs.len()] };
    read.into_iter().for_each(|(place, values)| block.columns[place] = values);
    block.columns.iter_mut().for_each(|values| values.resize(rows, f64::NAN));
    Ok(block)
}

/// Which header columns are read for the raw columns that are asked for, and where the values of
/// each go.
pub(super) fn raw_places(
    names: &[String],
    columns: &[&str],
    is_flat: impl Fn(usize) -> bool,
) -> Result<(Vec<usize>, Vec<usize>), TableError> {
    let asked = raw_slots(names, columns).into_iter().enumerate().filter(|(_, slot)| *slot != UNWANTED);
    asked
        .map(|(column, slot)| if is_flat(column) { Ok((column, slot as usize)) } else { Err(nested(&names[column])) })
        .collect()
}

pub(super) fn nested(name: &str) -> TableError {
    TableError::Schema(SchemaError::Column {
        column: name.to_owned(),
        what: "holds lists or groups".to_owned(),
        help: "flatten it, or leave it out with type = \"ignore\"".to_owned(),
    })
}
