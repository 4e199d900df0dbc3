//! Delimited text: one thread reads ahead while the others split and code.

use std::io::Read;

use lookalike_schema::{RowForm, TextEncoding};
use rayon::prelude::*;

use super::chunks::{Chunk, Chunker, target_for};
use super::decoded::Decoded;
use super::encode::{Encoder, stripe_of};
use super::fitting::Fitting;
use super::header::{Opened, read_header};
use super::input::ReadWatch;
use super::intake::{Intake, Layout};
use super::records::Dialect;
use super::shapes::{Look, Shapes};
use super::source::Progress;
use super::split::{Splitter, UNWANTED};
use super::text_wish::TextWish;
use crate::error::TableError;

/// A text whose header line was read.
pub(super) struct TextFile<'a> {
    name: String,
    stream: Box<dyn Read + Send + 'a>,
    progress: Progress,
    opened: Opened,
}

impl<'a> TextFile<'a> {
    /// Reads the header line.
    pub(super) fn open(
        (name, mut stream, progress): (String, Box<dyn Read + Send + 'a>, Progress),
        wish: TextWish,
    ) -> Result<Self, TableError> {
        if wish.encoding != TextEncoding::Utf8 {
            stream = Box::new(Decoded::new(stream, wish.encoding));
        }
        let mut opened = read_header(&name, &mut stream, wish.delimiter, wish.multiline)?;
        opened.form.encoding = wish.encoding;
        Ok(Self { name, stream, progress, opened })
    }

    pub(super) fn names(&self) -> &[String] {
        &self.opened.names
    }

    pub(super) fn form(&self) -> &RowForm {
        &self.opened.form
    }

    /// Codes all rows into the table. Row order is the file's, but where rows of persons are
    /// bounded: theirs stand in no order.
    pub(super) fn read_into(
        self,
        fitting: &Fitting,
        (layout, intake): (&Layout<'_>, &mut Intake),
        watch: &dyn ReadWatch,
    ) -> Result<(), TableError> {
        let encoder = Encoder::new(self.opened.dialect, layout, fitting);
        let target = target_for(encoder.codecs.len());
        let (chunker, progress) = self.chunks();
        let chunker = chunker.with_target(target);
        for_each_chunk(chunker, &progress, watch, |chunk| encoder.encode(chunk), |piece| intake.take(&piece))
    }

    /// Calls `each` with every record in the columns of the table, and looks over the shapes of
    /// records where somebody wants them.
    pub(super) fn for_each_record(
        self,
        fitting: &Fitting,
        watch: &dyn ReadWatch,
        each: &mut dyn FnMut(&[&[u8]]),
        shapes: Option<&mut Shapes>,
    ) -> Result<(), TableError> {
        let (dialect, lines, width) = (self.opened.dialect, self.opened.lines, fitting.columns());
        let slots = fitting.slots(&(0..width as u32).collect::<Vec<u32>>(), UNWANTED);
        let same: Vec<(usize, &[u8])> = (0..width).filter_map(|k| Some((k, fitting.same(k)?))).collect();
        let rows_at_once = stripe_of(width, 512);
        let file = fitting.is_of_several().then_some(self.name.as_str());
        let mut look = shapes.map(|shapes| Look::new((shapes, file), dialect, slots.len(), lines));
        let mut chunker = Chunker::new(self.name.clone(), self.stream, dialect, self.opened.rest);
        while let Some(chunk) = chunker.chunk()? {
            if watch.cancelled() {
                return Err(TableError::Cancelled);
            }
            if let Some(look) = &mut look {
                look.over(&chunk);
            }
            let mut splitter = Splitter::new(&chunk, dialect, &slots, width);
            let mut cells = Vec::new();
            while splitter.split(rows_at_once, &mut cells) > 0 {
                let mut texts: Vec<&[u8]> = cells.iter().map(|&cell| splitter.bytes(cell)).collect();
                for record in texts.chunks_exact_mut(width) {
                    same.iter().for_each(|&(column, cell)| record[column] = cell);
                    each(record);
                }
            }
            chunker.recycle(chunk);
            tell(&self.progress, watch);
        }
        Ok(())
    }

    /// How the text is laid out.
    pub(super) fn dialect(&self) -> Dialect {
        self.opened.dialect
    }

    /// The records behind the header.
    pub(super) fn chunks(self) -> (Chunker<'a>, Progress) {
        (Chunker::new(self.name, self.stream, self.opened.dialect, self.opened.rest), self.progress)
    }
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

fn tell(progress: &Progress, watch: &dyn ReadWatch) {
    if let Some(share) = progress.share() {
        watch.share_read(share);
    }
}
