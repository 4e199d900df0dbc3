//! Delimited text: one thread reads ahead while the others split and code.

use std::io::Read;

use lookalike_schema::Schema;
use rayon::prelude::*;

use super::chunks::{Chunker, target_for};
use super::encode::{Encoder, stripe_of};
use super::header::read_header;
use super::persons::{Bounder, PersonKey, Persons, Tag, rows_memory};
use super::source::Progress;
use super::split::Splitter;
use super::{ReadWatch, person_column, slots};
use crate::TableError;
use crate::coded::CodedTable;
use crate::coded::block::{Block, block_rows, widths};
use crate::coded::store::BlockBuilder;

/// How a text is read.
pub(super) struct How<'a> {
    pub(super) delimiter: Option<u8>,
    pub(super) memory: u64,
    pub(super) persons: Option<&'a Persons>,
}

/// Reads and codes a text. Row order is the file's, but for persons who find no room in memory: theirs come last.
pub(super) fn read_table(
    name: String,
    mut stream: Box<dyn Read + Send + '_>,
    progress: &Progress,
    how: &How<'_>,
    schema: &Schema,
    watch: &dyn ReadWatch,
) -> Result<CodedTable, TableError> {
    let opened = read_header(&name, &mut stream, how.delimiter)?;
    let schema = schema.arranged(&opened.names)?;
    let mut slots = slots(&schema, &opened.names);
    let codecs: Vec<_> = schema.domain().attributes().map(|attribute| schema.codec(attribute)).collect();
    let mut key = None;
    if let Some(persons) = how.persons {
        // The id's cell stands behind those of the columns.
        slots[person_column(persons, &opened.names)?] = codecs.len() as u32;
        key = Some(PersonKey::new(&schema)?);
    }
    let encoder = Encoder { dialect: opened.dialect, slots, codecs, key };
    let target = target_for(encoder.codecs.len());
    let mut chunker = Chunker::new(name, stream, opened.dialect, opened.rest).with_target(target);
    let widths = widths(schema.domain());
    let rows = block_rows(&widths);
    let memory = if how.persons.is_some() { rows_memory(how.memory) } else { how.memory };
    let mut bounder = how.persons.map(|persons| Bounder::new(persons, widths.clone(), how.memory));
    let mut builder = BlockBuilder::new(widths, rows, memory);
    let at_once = 2 * rayon::current_num_threads();
    let mut batch = chunker.batch(at_once)?;
    while !batch.is_empty() {
        if watch.cancelled() {
            return Err(TableError::Cancelled);
        }
        let (ahead, pieces) = rayon::join(
            || chunker.batch(at_once),
            || batch.par_iter().map(|chunk| encoder.encode(chunk)).collect::<Vec<(Block, Vec<Option<Tag>>)>>(),
        );
        for (piece, tags) in &pieces {
            match &mut bounder {
                Some(bounder) => bounder.take(piece, tags, &mut builder)?,
                None => builder.append(piece)?,
            }
        }
        let done = std::mem::replace(&mut batch, ahead?);
        done.into_iter().for_each(|chunk| chunker.recycle(chunk));
        tell(progress, watch);
    }
    if let Some(bounder) = bounder {
        bounder.finish(&mut builder)?;
    }
    let store = builder.finish()?;
    drop(encoder);
    Ok(CodedTable { schema, store })
}

/// Calls `each` with every record of a text.
pub(super) fn for_each_record(
    name: String,
    mut stream: Box<dyn Read + Send + '_>,
    progress: &Progress,
    delimiter: Option<u8>,
    watch: &dyn ReadWatch,
    header: &mut dyn FnMut(&[String]) -> Result<(), TableError>,
    each: &mut dyn FnMut(&[&[u8]]),
) -> Result<(), TableError> {
    let opened = read_header(&name, &mut stream, delimiter)?;
    header(&opened.names)?;
    let slots: Vec<u32> = (0..opened.names.len() as u32).collect();
    let rows_at_once = stripe_of(slots.len(), 512);
    let mut chunker = Chunker::new(name, stream, opened.dialect, opened.rest);
    while let Some(chunk) = chunker.chunk()? {
        if watch.cancelled() {
            return Err(TableError::Cancelled);
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
