//! Synthetic rows: sampled and rendered in parallel, written in order.

use std::io::Write;

use lookalike_model::{Model, Sampling};
use lookalike_schema::Schema;
use lookalike_table::TableError;
use lookalike_table::write::{CodeBlock, RenderedBlock, RowSink, csv_sink, parquet_sink};
use rayon::prelude::*;

use crate::{Cancel, Error, Format, Observer};

/// Blocks a thread has in hand: enough to hide an uneven block, few enough to bound the memory.
const BLOCKS_A_THREAD: u64 = 4;

/// Which rows, and in which form.
#[derive(Clone, Debug)]
pub(crate) struct Draw {
    pub sampling: Sampling,
    pub format: Format,
}

/// Draws rows of the model into `out`. The bytes depend on model, seed, rows and format alone, never on threads.
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
    let mut sink = open_sink(model.schema(), draw.format, out)?;
    let blocks = sampler.blocks();
    let batch = rayon::current_num_threads() as u64 * BLOCKS_A_THREAD;
    let mut first = 0;
    while first < blocks {
        if cancel.is_cancelled() {
            return Err(Error::Interrupted);
        }
        let next = (first + batch).min(blocks);
        let rendered: Vec<RenderedBlock> = (first..next)
            .into_par_iter()
            .map(|index| {
                let mut block = sampler.block(index);
                let codes = CodeBlock { first_row: block.first_row, rows: block.rows, columns: &block.columns };
                sink.render(&codes, &mut || block.rng.next_u64())
            })
            .collect::<Result<_, TableError>>()?;
        for block in rendered {
            sink.write(block)?;
        }
        first = next;
        observer.round(first, blocks);
    }
    Ok(sink.finish()?)
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
