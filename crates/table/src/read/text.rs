//! Delimited text: one thread reads ahead while the others split and code.

use std::io::Read;

use lookalike_schema::Schema;
use rayon::prelude::*;

use super::chunks::{Chunk, Chunker, target_for};
use super::encode::{Encoder, stripe_of};
use super::header::read_header;
use super::input::ReadWatch;
use super::intake::{Layout, Terms};
use super::shapes::{Look, Shapes};
use super::source::Progress;
use super::split::Splitter;
use crate::coded::CodedTable;
use crate::digest::Digests;
use crate::error::TableError;

/// Reads and codes a text. Row order is the file's, but where rows of persons are bounded: theirs
/// stand in no order.
pub(super) fn read_table(
    (name, mut stream, progress): (String, Box<dyn Read + Send + '_>, &Progress),
    (delimiter, multiline): (Option<u8>, bool),
    schema: &Schema,
    terms: Terms<'_>,
    watch: &dyn ReadWatch,
) -> Result<(CodedTable, Option<Digests>), TableError> {
    let opened = read_header(&name, &mut stream, delimiter, multiline)?;
    let layout = Layout::new(schema, opened.names, terms)?;
    let encoder = Encoder::new(opened.dialect, &layout);
    let target = target_for(encoder.codecs.len());
    let chunker = Chunker::new(name, stream, opened.dialect, opened.rest).with_target(target);
    let mut intake = layout.intake();
    for_each_chunk(chunker, progress, watch, |chunk| encoder.encode(chunk), |piece| intake.take(&piece))?;
    drop(encoder);
    intake.finish(layout, watch)
}

/// Calls `each` with what `work` makes of every chunk, in their order.
pub(super) fn for_each_chunk<T: Send>(
    mut chunker: Chunker<'_>,
    progress: &Progress,
    watch: &dyn ReadWatch,
    work: impl Fn(&Chunk) -> T + Sync,
    mut each: impl FnMut(T) -> Result<(), TableError>,
) -> Result<(), TableError> {
    let at_once = 2 * rayon::current_num_threads();
    let mut batch = chunker.batch(at_once)?;
    while !batch.is_empty() {
        if watch.cancelled() {
            return Err(TableError::Cancelled);
        }
        let (ahead, made) = rayon::join(|| chunker.batch(at_once), || batch.par_iter().map(&work).collect::<Vec<T>>());
        made.into_iter().try_for_each(&mut each)?;
        let done = std::mem::replace(&mut batch, ahead?);
        done.into_iter().for_each(|chunk| chunker.recycle(chunk));
        tell(progress, watch);
    }
    Ok(())
}

/// Calls `each` with every record of a text, and looks over the shapes of records where somebody
/// wants them.
pub(super) fn for_each_record(
    source: (String, Box<dyn Read + Send + '_>, &Progress),
    (delimiter, multiline): (Option<u8>, bool),
    watch: &dyn ReadWatch,
    header: &mut dyn FnMut(&[String]) -> Result<(), TableError>,
    each: &mut dyn FnMut(&[&[u8]]),
    shapes: Option<&mut Shapes>,
) -> Result<(), TableError> {
    let (name, mut stream, progress) = source;
    let opened = read_header(&name, &mut stream, delimiter, multiline)?;
    header(&opened.names)?;
    let slots: Vec<u32> = (0..opened.names.len() as u32).collect();
    let rows_at_once = stripe_of(slots.len(), 512);
    let mut look = shapes.map(|shapes| Look::new(shapes, opened.dialect, slots.len(), opened.lines));
    let mut chunker = Chunker::new(name, stream, opened.dialect, opened.rest);
    while let Some(chunk) = chunker.chunk()? {
        if watch.cancelled() {
            return Err(TableError::Cancelled);
        }
        if let Some(look) = &mut look {
            look.over(&chunk);
        }
        let mut splitter = Splitter::new(&chunk, opened.dialect, &slots, slots.len());
        let mut cells = Vec::new();
        while splitter.split(rows_at_once, &mut cells) > 0 {
            let texts: Vec<&[u8]> = cells.iter().map(|&cell| splitter.bytes(cell)).collect();
            texts.chunks_exact(slots.len()).for_each(&mut *each);
        }
        chunker.recycle(chunk);
        tell(progress, watch);
    }
    Ok(())
}

fn tell(progress: &Progress, watch: &dyn ReadWatch) {
    if let Some(share) = progress.share() {
        watch.share_read(share);
    }
}
