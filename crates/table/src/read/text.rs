//! Delimited text: one thread reads ahead while the others split and code.

use std::io::Read;

use lookalike_schema::Schema;
use rayon::prelude::*;

use super::chunks::{Chunker, target_for};
use super::encode::{Encoder, Piece, stripe_of};
use super::header::read_header;
use super::persons::{Bounder, Bounds, FirstRows, rows_memory};
use super::shapes::{Look, Shapes};
use super::source::Progress;
use super::split::{Splitter, UNWANTED};
use super::{ReadWatch, digests, person_column, slots};
use crate::TableError;
use crate::coded::CodedTable;
use crate::coded::store::BlockBuilder;
use crate::digest::{DigestWish, Digests, RecordDigest, Sums, added};
use lookalike_tally::{block_rows, widths};

/// How a text is read.
pub(super) struct How<'a> {
    pub(super) delimiter: Option<u8>,
    pub(super) multiline: bool,
    pub(super) memory: u64,
    pub(super) bounds: Option<&'a Bounds<'a>>,
    pub(super) digest: Option<DigestWish<'a>>,
}

/// Reads and codes a text. Row order is the file's, but where rows of persons are bounded: theirs
/// stand in no order.
pub(super) fn read_table(
    name: String,
    mut stream: Box<dyn Read + Send + '_>,
    progress: &Progress,
    how: &How<'_>,
    schema: &Schema,
    watch: &dyn ReadWatch,
) -> Result<(CodedTable, Option<Digests>), TableError> {
    let opened = read_header(&name, &mut stream, how.delimiter, how.multiline)?;
    let given = schema;
    let schema = given.arranged(&opened.names)?;
    let mut slots = slots(&schema, &opened.names);
    let codecs: Vec<_> = schema.domain().attributes().map(|attribute| schema.codec(attribute)).collect();
    let mut key = None;
    if let Some(bounds) = how.bounds {
        // The id's cell stands behind those of the columns.
        slots[person_column(bounds.persons, &opened.names)?] = codecs.len() as u32;
        key = Some(bounds.key(&schema));
    }
    let mut width = codecs.len() + usize::from(key.is_some());
    let digest = how.digest.map(|wish| {
        for slot in slots.iter_mut().filter(|slot| **slot == UNWANTED) {
            *slot = width as u32;
            width += 1;
        }
        RecordDigest::new(wish.key, &opened.names)
    });
    let encoder = Encoder { dialect: opened.dialect, slots, width, codecs, key, digest };
    let target = target_for(encoder.codecs.len());
    let mut chunker = Chunker::new(name, stream, opened.dialect, opened.rest).with_target(target);
    let widths = widths(schema.domain());
    let rows = block_rows(&widths);
    let memory = if how.bounds.is_some() { rows_memory(how.memory) } else { how.memory };
    let mut bounder = how.bounds.map(|bounds| Bounder::new(bounds.persons, given, &schema, widths.clone(), how.memory));
    let mut builder = BlockBuilder::new(widths, rows, memory);
    let mut sums = Sums::default();
    let mut first = FirstRows::wished(how.digest, how.bounds, &schema, how.memory);
    let at_once = 2 * rayon::current_num_threads();
    let mut batch = chunker.batch(at_once)?;
    while !batch.is_empty() {
        if watch.cancelled() {
            return Err(TableError::Cancelled);
        }
        let (ahead, pieces) = rayon::join(
            || chunker.batch(at_once),
            || batch.par_iter().map(|chunk| encoder.encode(chunk)).collect::<Vec<Piece>>(),
        );
        for Piece { block, tags, sums: own } in &pieces {
            sums = added(sums, *own);
            if let Some(first) = &mut first {
                first.take(block, tags)?;
            }
            match &mut bounder {
                Some(bounder) => bounder.take(block, tags)?,
                None => builder.append(block)?,
            }
        }
        let done = std::mem::replace(&mut batch, ahead?);
        done.into_iter().for_each(|chunk| chunker.recycle(chunk));
        tell(progress, watch);
    }
    if let (Some(bounder), Some(key)) = (bounder, &encoder.key) {
        bounder.finish(key, &mut builder, watch)?;
    }
    let store = builder.finish()?;
    let records = encoder.digest.map(|digest| digest.finish(sums));
    let table = CodedTable { schema, store };
    digests(records, first, how.digest, how.bounds, table)
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

pub(super) fn tell(progress: &Progress, watch: &dyn ReadWatch) {
    if let Some(share) = progress.share() {
        watch.share_read(share);
    }
}
