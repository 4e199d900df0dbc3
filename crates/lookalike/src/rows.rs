//! Synthetic rows: sampled and rendered in parallel, written in order.

use std::io::Write;

use lookalike_measurement::DrawnRows;
use lookalike_model::{BLOCK_ROWS, BinPlaces, Halt, Model, SPLIT_ROWS, SampledBlock, Sampling};
use lookalike_schema::Schema;
use lookalike_table::write::{CodeBlock, RenderedBlock, RowSink, csv_sink, parquet_sink};
use rayon::prelude::*;

use crate::{Cancel, Error, Format, Observer, hash};

/// Blocks a thread has in hand: enough to hide an uneven block, few enough to bound the memory.
const BLOCKS_A_THREAD: u64 = 4;
/// Large blocks in hand: each has hundreds of megabytes.
const LARGE_BLOCKS: u64 = 4;
/// What the bits for places inside bins are for.
const DRAWN_PLACES: &str = "drawn places v1";

/// Which rows, and in which form.
#[derive(Clone, Debug)]
pub(crate) struct Draw {
    pub sampling: Sampling,
    pub format: Format,
}

/// Draws rows of the model into `out`. The bytes depend on model, seed, rows and format alone,
/// never on threads.
///
/// Runs inside the caller's thread pool.
pub(crate) fn write_rows<'a>(
    model: &'a Model,
    draw: &Draw,
    out: Box<dyn Write + Send + Sync + 'a>,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Result<(), Error> {
    // A condition that nothing meets is refused before a byte is written.
    let sampler = model.sampler(&draw.sampling)?;
    let sink = open_sink(model.schema(), draw.format, out)?;
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
    let (rows, seed) = (drawn.cells.len(), hash::fold(drawn.cells.iter().map(|cell| cell.to_le_bytes())));
    let block = |index: u64| {
        let first = index as usize * BLOCK_ROWS;
        let here = first..(first + BLOCK_ROWS).min(rows);
        Ok(SampledBlock {
            first_row: first as u64,
            rows: here.len(),
            columns: drawn.block(here, schema.domain()),
            places: BinPlaces { seed, stream: DRAWN_PLACES, number: index },
        })
    };
    let blocks = rows.div_ceil(BLOCK_ROWS) as u64;
    write_blocks(sink, blocks, batch(BLOCK_ROWS as u64), &block, observer, cancel)
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
    let codes = CodeBlock { first_row: block.first_row, rows: block.rows, columns: &block.columns };
    let mut places = block.places.rng();
    Ok(sink.render(&codes, &mut || places.next_u64())?)
}

/// The stop flag, as the drawing of rows asks for it.
fn halt_of(cancel: &Cancel) -> Halt {
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
