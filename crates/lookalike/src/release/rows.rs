//! Synthetic rows: sampled and rendered in parallel, written in order.

use std::io::Write;

use arrow_array::RecordBatch;
use lookalike_measurement::DrawnRows;
use lookalike_model::{BLOCK_ROWS, BinPlaces, Halt, Model, SPLIT_ROWS, SampledBlock, Sampling};
use lookalike_schema::Schema;
use lookalike_table::write::{BatchWriter, CodeBlock, RenderedBlock, RowSink, csv_sink, parquet_sink};
use rayon::prelude::*;

use crate::error::{Error, SettingError};
use crate::{Cancel, Observer, hash};

/// Blocks a thread has in hand: enough to hide an uneven block, few enough to bound the memory.
const BLOCKS_A_THREAD: u64 = 4;
/// Large blocks in hand: each has hundreds of megabytes.
const LARGE_BLOCKS: u64 = 4;
/// What the bits for places inside bins are for.
const DRAWN_PLACES: &str = "drawn places v1";

/// The form of the synthetic rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated text with a header.
    Csv,
    /// Parquet with the columns' own types.
    Parquet,
}

impl Format {
    /// The form of that name.
    pub fn parse(name: &str) -> Result<Self, Error> {
        let known = [Self::Csv, Self::Parquet].into_iter().find(|format| format.name() == name);
        let unknown = || SettingError::UnknownWord { setting: "format", word: name.into(), known: "csv or parquet" };
        known.ok_or_else(|| unknown().into())
    }

    /// The name, which is the file's ending too.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }
}

/// Draws rows of the model into `out`. The bytes depend on model, seed, rows and format alone,
/// never on threads.
///
/// Runs inside the caller's thread pool.
pub(crate) fn write_rows<'a>(
    model: &'a Model,
    sampling: &Sampling,
    format: Format,
    out: Box<dyn Write + Send + Sync + 'a>,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Result<(), Error> {
    // A condition that nothing meets is refused before a byte is written.
    let sampler = model.sampler(sampling)?;
    let sink = open_sink(model.schema(), format, out)?;
    let largest = (sampler.block_rows() as u64).min(sampler.rows());
    let halt = halt_of(cancel);
    let block = |index: u64| Ok(sampler.block_unless(index, &halt)?);
    write_blocks(sink, sampler.blocks(), batch(largest), &block, observer, cancel)
}

/// Writes rows that were drawn inside the door. The bytes depend on the rows, the schema and the
/// format alone.
///
/// Places inside bins need uniform bits. They come from a digest of the drawn codes:
/// post-processing of what was paid for, so that nothing of the release rests on a seed, and equal
/// answers give equal bytes.
pub(crate) fn write_drawn<'a>(
    schema: &'a Schema,
    drawn: &DrawnRows,
    format: Format,
    out: Box<dyn Write + Send + Sync + 'a>,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Result<(), Error> {
    let sink = open_sink(schema, format, out)?;
    let (blocks, block) = drawn_blocks(schema, drawn);
    write_blocks(sink, blocks, batch(BLOCK_ROWS as u64), &block, observer, cancel)
}

/// The number of blocks of drawn rows, and each of them.
fn drawn_blocks<'a>(
    schema: &'a Schema,
    drawn: &'a DrawnRows,
) -> (u64, impl Fn(u64) -> Result<SampledBlock, Error> + Sync + 'a) {
    let (rows, seed) = (drawn.cells.len(), hash::fold(drawn.cells.iter().map(|cell| cell.to_le_bytes())));
    let block = move |index: u64| {
        let first = index as usize * BLOCK_ROWS;
        let here = first..(first + BLOCK_ROWS).min(rows);
        Ok(SampledBlock {
            first_row: first as u64,
            rows: here.len(),
            columns: drawn.block(here, schema.domain()),
            places: BinPlaces { seed, stream: DRAWN_PLACES, number: index },
            settles: None,
        })
    };
    (rows.div_ceil(BLOCK_ROWS) as u64, block)
}

/// Rows of the model as Arrow batches: the cells that the files of the same seed have.
///
/// Runs inside the caller's thread pool.
pub(super) fn model_batches(model: &Model, sampling: &Sampling, cancel: &Cancel) -> Result<Vec<RecordBatch>, Error> {
    let sampler = model.sampler(sampling)?;
    let halt = halt_of(cancel);
    batches(model.schema(), sampler.blocks(), &|index| Ok(sampler.block_unless(index, &halt)?))
}

/// How many blocks the rows come in.
pub(super) fn model_blocks(model: &Model, sampling: &Sampling) -> Result<u64, Error> {
    Ok(model.sampler(sampling)?.blocks())
}

/// The rows of one block of them, as [`model_batches`] has them.
///
/// Runs inside the caller's thread pool.
pub(super) fn block_batches(
    model: &Model,
    sampling: &Sampling,
    block: u64,
    cancel: &Cancel,
) -> Result<Vec<RecordBatch>, Error> {
    let sampler = model.sampler(sampling)?;
    let halt = halt_of(cancel);
    batches(model.schema(), 1, &|_| Ok(sampler.block_unless(block, &halt)?))
}

/// Rows that were drawn inside the door as Arrow batches.
pub(super) fn drawn_batches(schema: &Schema, drawn: &DrawnRows) -> Result<Vec<RecordBatch>, Error> {
    let (blocks, block) = drawn_blocks(schema, drawn);
    batches(schema, blocks, &block)
}

fn batches(
    schema: &Schema,
    blocks: u64,
    block: &(dyn Fn(u64) -> Result<SampledBlock, Error> + Sync),
) -> Result<Vec<RecordBatch>, Error> {
    let writer = BatchWriter::new(schema);
    let one = |block: &SampledBlock| Ok(writer.batch(&codes_of(block), &mut block.bits())?);
    let made: Vec<Vec<RecordBatch>> = (0..blocks)
        .into_par_iter()
        .map(|index| {
            let block = block(index)?;
            match block.parts() {
                0 | 1 => Ok(vec![one(&block)?]),
                parts => (0..parts).map(|number| one(&block.part(number))).collect(),
            }
        })
        .collect::<Result<_, Error>>()?;
    // Without a row there is one batch all the same, so that the columns are told.
    let none = || vec![vec![RecordBatch::new_empty(writer.schema())]];
    let made = if made.is_empty() { none() } else { made };
    Ok(made.into_iter().flatten().collect())
}

/// The rows of one block.
pub(super) fn one_batch(schema: &Schema, block: &SampledBlock) -> Result<RecordBatch, Error> {
    Ok(BatchWriter::new(schema).batch(&codes_of(block), &mut block.bits())?)
}

/// How many blocks of at most `block_rows` rows are held at the same time.
fn batch(block_rows: u64) -> u64 {
    let threads = rayon::current_num_threads() as u64;
    if block_rows > SPLIT_ROWS as u64 { threads.min(LARGE_BLOCKS) } else { threads * BLOCKS_A_THREAD }
}

fn write_blocks(
    mut sink: Box<dyn RowSink + '_>,
    blocks: u64,
    batch: u64,
    block: &(dyn Fn(u64) -> Result<SampledBlock, Error> + Sync),
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Result<(), Error> {
    let mut first = 0;
    while first < blocks {
        if cancel.is_cancelled() {
            return Err(Error::Interrupted);
        }
        let next = (first + batch).min(blocks);
        let rendered: Vec<Vec<RenderedBlock>> = (first..next)
            .into_par_iter()
            .map(|index| {
                let block = block(index)?;
                match block.parts() {
                    0 | 1 => Ok(vec![render(&*sink, &block, cancel)?]),
                    parts => {
                        (0..parts).into_par_iter().map(|number| render(&*sink, &block.part(number), cancel)).collect()
                    }
                }
            })
            .collect::<Result<_, Error>>()?;
        for block in rendered.into_iter().flatten() {
            if cancel.is_cancelled() {
                return Err(Error::Interrupted);
            }
            sink.write(block)?;
        }
        first = next;
        observer.round(first, blocks);
    }
    Ok(sink.finish()?)
}

/// A part of a block as text, or as a column's bytes: about a million cells at a time.
fn render(sink: &dyn RowSink, block: &SampledBlock, cancel: &Cancel) -> Result<RenderedBlock, Error> {
    if cancel.before((block.rows * block.columns.len()) as u64) {
        return Err(Error::Interrupted);
    }
    Ok(sink.render(&codes_of(block), &mut block.bits())?)
}

fn codes_of(block: &SampledBlock) -> CodeBlock<'_> {
    CodeBlock { first_row: block.first_row, rows: block.rows, columns: &block.columns }
}

/// The stop flag, as the drawing of rows asks for it.
pub(super) fn halt_of(cancel: &Cancel) -> Halt {
    let cancel = cancel.clone();
    Halt::when(move |steps| cancel.before(steps))
}

fn open_sink<'a>(
    schema: &'a Schema,
    format: Format,
    out: Box<dyn Write + Send + Sync + 'a>,
) -> Result<Box<dyn RowSink + 'a>, Error> {
    Ok(match format {
        Format::Csv => csv_sink(schema, out)?,
        Format::Parquet => parquet_sink(schema, out)?,
    })
}
