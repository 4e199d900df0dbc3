//! From the cells of a chunk to codes.

use lookalike_schema::Codec;

use super::chunks::Chunk;
use super::records::Dialect;
use super::split::{Cell, Splitter};
use crate::coded::block::{Block, Codes, Width};

/// Records that are split at a time: their cells' places stay in cache while the columns are coded one after the other.
const STRIPE: usize = 128;

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
        let looks_up = self.codecs.len() <= MOST_LOOKED_UP;
        let mut columns: Vec<Column<'_>> = self.codecs.iter().map(|codec| Column::new(codec, looks_up)).collect();
        let mut cells = Vec::new();
        let mut rows = 0;
        loop {
            let count = splitter.split(STRIPE, &mut cells);
            if count == 0 {
                break;
            }
            rows += count;
            for (k, column) in columns.iter_mut().enumerate() {
                column.push(&splitter, &cells, k, self.codecs.len());
            }
        }
        Block::new(rows, columns.into_iter().map(|column| column.codes).collect())
    }
}

/// A column while it is coded. Short cells that repeat are looked up instead of parsed.
struct Column<'a> {
    codec: &'a Codec,
    codes: Codes,
    /// Direct-mapped: words of cells of up to 7 bytes, and their codes. Starts with the empty cell everywhere, which is true.
    short: Vec<(u64, u32)>,
    /// The same for cells of 8 to 15 bytes; empty until there is one.
    long: Vec<(u128, u32)>,
    /// Whether looking up pays.
    repeats: bool,
    /// Cells since that was last judged, and how many of them were not found.
    seen: usize,
    parsed: usize,
}

const RECENT: usize = 256;

/// With more columns than this, a chunk has too few rows for looking up to pay, and the tables would not be small.
const MOST_LOOKED_UP: usize = 1000;

/// Cells after which it is judged whether looking up pays; once it does not, it is left for the rest of the chunk.
const TRIAL: usize = 1024;

/// Spreads a word over the places of a table of [`RECENT`].
#[inline]
fn place(word: u64) -> usize {
    (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize
}

impl<'a> Column<'a> {
    fn new(codec: &'a Codec, looks_up: bool) -> Self {
        let short = if looks_up { vec![(0, code(codec, b"")); RECENT] } else { Vec::new() };
        let codes = Codes::with_capacity(Width::of(codec.size()), 0);
        Self { codec, codes, short, long: Vec::new(), repeats: looks_up, seen: 0, parsed: 0 }
    }

    /// Codes every `width`-th cell from the `first` on.
    fn push(&mut self, splitter: &Splitter<'_>, cells: &[Cell], first: usize, width: usize) {
        let mut codes = [0u32; STRIPE];
        let mut rows = 0;
        let mut parsed = 0;
        for row in cells.chunks_exact(width) {
            let cell = row[first];
            codes[rows % STRIPE] = match splitter.short_word(cell).filter(|_| self.repeats) {
                Some(word) => {
                    let recent = &mut self.short[place(word)];
                    if recent.0 != word {
                        parsed += 1;
                        *recent = (word, code(self.codec, splitter.bytes(cell)));
                    }
                    recent.1
                }
                None => self.other_code(splitter, cell, &mut parsed),
            };
            rows += 1;
        }
        self.seen += rows;
        self.parsed += parsed;
        if self.seen >= TRIAL {
            self.repeats &= 2 * self.parsed < self.seen;
            (self.seen, self.parsed) = (0, 0);
        }
        self.codes.extend(codes[..rows].iter().copied());
    }

    /// The code of a cell that is not short, or when looking up does not pay. Kept out of the loop above.
    #[inline(never)]
    fn other_code(&mut self, splitter: &Splitter<'_>, cell: Cell, parsed: &mut usize) -> u32 {
        let Some(word) = splitter.long_word(cell).filter(|_| self.repeats) else {
            return code(self.codec, splitter.bytes(cell));
        };
        if self.long.is_empty() {
            // No cell of this length has the word 0.
            self.long.resize(RECENT, (0, 0));
        }
        let recent = &mut self.long[place(word as u64 ^ (word >> 64) as u64)];
        if recent.0 != word {
            *parsed += 1;
            *recent = (word, code(self.codec, splitter.bytes(cell)));
        }
        recent.1
    }
}

/// The code of a cell, certainly below the codec's size.
#[inline(never)]
fn code(codec: &Codec, cell: &[u8]) -> u32 {
    codec.encode_text(cell).min(codec.size() - 1)
}
