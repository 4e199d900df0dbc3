//! Coded rows dealt out into buckets, so that all rows of a person are in one of them.

use lookalike_tally::{Block, Codes, Width};

use crate::read::Tag;

/// Coded rows with their tags, by bucket. Private rows are inside: no `Debug`, no `Clone`.
pub(super) struct Buckets<'a> {
    widths: &'a [Width],
    buckets: Vec<(Block, Vec<Tag>)>,
}

impl<'a> Buckets<'a> {
    /// No rows yet.
    pub(super) fn new(widths: &'a [Width], buckets: u32) -> Self {
        let empty = |_| (Block::with_capacity(widths, 0), Vec::new());
        Self { widths, buckets: (0..buckets).map(empty).collect() }
    }

    /// Takes in rows with one tag each; those without an id are dropped.
    pub(super) fn take(&mut self, block: &Block, tags: &[Option<Tag>]) {
        let mut rows = vec![Vec::new(); self.buckets.len()];
        for (row, tag) in tags.iter().enumerate() {
            if let Some(tag) = tag {
                let bucket = bucket_of(tag, self.buckets.len());
                rows[bucket].push(row);
                self.buckets[bucket].1.push(*tag);
            }
        }
        for (rows, (here, _)) in rows.iter().zip(&mut self.buckets) {
            let columns = block.columns().iter().map(|codes| chosen(codes, rows)).collect();
            here.append(&Block::new(rows.len(), columns), 0, rows.len());
        }
    }

    /// Calls `each` with the rows of every bucket that has some, at most `most` at a time.
    pub(super) fn for_each(self, most: usize, each: &mut dyn FnMut(u32, &Block, &[Tag])) {
        for (bucket, (block, tags)) in (0..).zip(&self.buckets) {
            for from in (0..block.rows()).step_by(most) {
                let to = block.rows().min(from + most);
                let mut part = Block::with_capacity(self.widths, to - from);
                part.append(block, from, to);
                each(bucket, &part, &tags[from..to]);
            }
        }
    }
}

/// A tag is a keyed hash, so its bytes are as good as random.
fn bucket_of(tag: &Tag, buckets: usize) -> usize {
    let number = tag.first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight));
    (number % buckets as u64) as usize
}

fn chosen(codes: &Codes, rows: &[usize]) -> Codes {
    match codes {
        Codes::U8(codes) => Codes::U8(rows.iter().map(|&row| codes[row]).collect()),
        Codes::U16(codes) => Codes::U16(rows.iter().map(|&row| codes[row]).collect()),
        Codes::U32(codes) => Codes::U32(rows.iter().map(|&row| codes[row]).collect()),
    }
}
