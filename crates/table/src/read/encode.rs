//! From the cells of a chunk to codes.

use lookalike_schema::Codec;

use super::chunks::Chunk;
use super::records::Dialect;
use super::split::{Cell, Splitter};
use crate::coded::block::{Block, Codes, Width};

/// Records that are split at a time: their cells' places stay in cache while the columns are coded one after the other.
const STRIPE: usize = 512;

/// What to do with the columns of a text file.
pub(super) struct Encoder<'a> {
    pub(super) dialect: Dialect,
    /// For each header column, the attribute it holds.
    pub(super) slots: Vec<Option<u32>>,
    /// The codecs, in attribute order.
    pub(super) codecs: Vec<&'a Codec>,
}

impl Encoder<'_> {
    /// Codes all records of a chunk.
    pub(super) fn encode(&self, chunk: &Chunk) -> Block {
        let mut splitter = Splitter::new(chunk, self.dialect, &self.slots, self.codecs.len());
        let mut columns: Vec<Column<'_>> = self.codecs.iter().map(|codec| Column::new(codec)).collect();
        let mut cells = Vec::new();
        let mut rows = 0;
        loop {
            let count = splitter.split(STRIPE, &mut cells);
            if count == 0 {
                break;
            }
            rows += count;
            for (k, column) in columns.iter_mut().enumerate() {
                column.push(&splitter, cells.iter().skip(k).step_by(self.codecs.len()).copied());
            }
        }
        Block::new(rows, columns.into_iter().map(|column| column.codes).collect())
    }
}

/// A column while it is coded. Short cells that repeat are looked up instead of parsed.
struct Column<'a> {
    codec: &'a Codec,
    codes: Codes,
    /// Direct-mapped: a cell's word and its code. Starts with the empty cell everywhere, which is true.
    recent: Vec<(u128, u32)>,
    /// Whether looking up pays.
    repeats: bool,
}

const RECENT: usize = 256;

impl<'a> Column<'a> {
    fn new(codec: &'a Codec) -> Self {
        let empty = code(codec, b"");
        let codes = Codes::with_capacity(Width::of(codec.size()), 0);
        Self { codec, codes, recent: vec![(0, empty); RECENT], repeats: true }
    }

    fn push(&mut self, splitter: &Splitter<'_>, cells: impl ExactSizeIterator<Item = Cell>) {
        let Self { codec, codes, recent, repeats } = self;
        let rows = cells.len();
        if !*repeats {
            codes.extend(cells.map(|cell| code(codec, splitter.bytes(cell))));
            return;
        }
        let mut parsed = 0;
        codes.extend(cells.map(|cell| {
            let Some(word) = splitter.word(cell) else { return code(codec, splitter.bytes(cell)) };
            let mixed = ((word as u64) ^ (word >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let slot = &mut recent[(mixed >> 56) as usize];
            if slot.0 != word {
                parsed += 1;
                *slot = (word, code(codec, splitter.bytes(cell)));
            }
            slot.1
        }));
        *repeats = 2 * parsed < rows.max(RECENT);
    }
}

/// The code of a cell, certainly below the codec's size.
fn code(codec: &Codec, cell: &[u8]) -> u32 {
    codec.encode_text(cell).min(codec.size() - 1)
}
