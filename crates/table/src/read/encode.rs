//! From the cells of a chunk to codes.

use lookalike_schema::{AttrId, Codec};

use super::chunks::Chunk;
use super::difference::Difference;
use super::fitting::Fitting;
use super::intake::{Layout, Piece};
use super::persons::PersonKey;
use super::records::Dialect;
use super::split::{Cell, Splitter, UNWANTED};
use crate::digest::{RecordDigest, RecordSums};
use lookalike_tally::{Block, Codes, Width};

/// Records that are split at a time: their cells' places stay in cache while the columns are coded
/// one after the other.
const STRIPE: usize = 128;

/// Cells whose places are held at a time.
const CELLS: usize = 1 << 20;

/// How many records of that many cells are split at a time, up to `most`.
pub(super) fn stripe_of(width: usize, most: usize) -> usize {
    (CELLS / width.max(1)).clamp(1, most)
}

/// What to do with the columns of a text file.
pub(super) struct Encoder<'a> {
    dialect: Dialect,
    /// For each column of the file, the place of its cell in a row.
    slots: Vec<u32>,
    /// For each column of the table, where its cells are.
    cells: Vec<EncodedCell<'a>>,
    /// The cells of a row that have a place.
    width: usize,
    /// The codecs, in attribute order. Their cells are the first of a row.
    pub(super) codecs: Vec<&'a Codec>,
    /// For each codec, the code that all rows have, where they have the same.
    same: Vec<Option<u32>>,
    /// For each codec, what its column is counted from, with the places of its own cell and of the
    /// earlier one.
    differences: Vec<Option<(Difference<'a>, EncodedCell<'a>, EncodedCell<'a>)>>,
    /// Makes tags of ids, when rows of persons are bounded, and the id's column.
    key: Option<(&'a PersonKey, usize)>,
    /// Digests all records, when a ledger asks. Every column of the table then has a place.
    digest: Option<&'a RecordDigest>,
}

/// Where the cells of a column are.
#[derive(Clone, Copy)]
enum EncodedCell<'a> {
    /// At this place in a row, if at any.
    Place(u32),
    /// All rows have this one.
    Same(&'a [u8]),
}

impl<'a> EncodedCell<'a> {
    /// The cell of a row.
    fn bytes<'s>(self, splitter: &'s Splitter<'_>, row: &[Cell]) -> &'s [u8]
    where
        'a: 's,
    {
        match self {
            Self::Place(place) => splitter.bytes(row[place as usize]),
            Self::Same(cell) => cell,
        }
    }
}

impl<'a> Encoder<'a> {
    pub(super) fn new(dialect: Dialect, layout: &'a Layout<'_>, fitting: &'a Fitting) -> Self {
        let (codecs, mut slots) = (layout.codecs(), layout.slots.clone());
        let mut width = codecs.len();
        let mut place = |slot: &mut u32| {
            *slot = width as u32;
            width += 1;
        };
        if let Some(id) = layout.id {
            place(&mut slots[id]);
        }
        if layout.digest.is_some() {
            slots.iter_mut().filter(|slot| **slot == UNWANTED).for_each(place);
        }
        let mut same = vec![None; codecs.len()];
        for (column, &slot) in layout.slots.iter().enumerate() {
            if let (Some(known), Some(cell)) = (same.get_mut(slot as usize), fitting.same(column)) {
                *known = Some(code(codecs[slot as usize], cell));
            }
        }
        let cell = |(column, &slot): (usize, &u32)| match fitting.same(column) {
            Some(cell) => EncodedCell::Same(cell),
            None => EncodedCell::Place(slot),
        };
        let cells: Vec<EncodedCell<'a>> = slots.iter().enumerate().map(cell).collect();
        let mut differences = vec![None; codecs.len()];
        for difference in Difference::all(&layout.schema) {
            let place = |attribute: AttrId| slots.iter().position(|&slot| slot == attribute.0);
            let (own, earlier) = (difference.attribute, difference.on());
            if let (Some(at), Some(before)) = (place(own), place(earlier)) {
                differences[own.index()] = Some((difference, cells[at], cells[before]));
                same[own.index()] = None;
            }
        }
        Self {
            dialect,
            cells,
            differences,
            slots: fitting.slots(&slots, UNWANTED),
            width,
            codecs,
            same,
            key: layout.key.as_ref().zip(layout.id),
            digest: layout.digest.as_ref(),
        }
    }

    /// Codes all records of a chunk, and tells whose they are.
    pub(super) fn encode(&self, chunk: &Chunk) -> Piece {
        let width = self.width;
        let mut tags = Vec::new();
        let mut sums = RecordSums::default();
        let mut scratch = Default::default();
        let mut splitter = Splitter::new(chunk, self.dialect, &self.slots, width);
        let looks_up = self.codecs.len() <= MOST_LOOKED_UP;
        let mut columns: Vec<Column<'_>> = self.codecs.iter().map(|codec| Column::new(codec, looks_up)).collect();
        let mut cells = Vec::new();
        let mut rows = 0;
        let stripe = stripe_of(self.width, STRIPE);
        loop {
            let count = splitter.split(stripe, &mut cells);
            if count == 0 {
                break;
            }
            rows += count;
            for (k, column) in columns.iter_mut().enumerate() {
                match (self.same[k], self.differences[k]) {
                    (_, Some((difference, own, earlier))) => {
                        let rows = cells.chunks_exact(width);
                        column.codes.extend(rows.map(|row| {
                            difference.code_of_texts(earlier.bytes(&splitter, row), own.bytes(&splitter, row))
                        }));
                    }
                    (Some(code), None) => column.codes.extend(std::iter::repeat_n(code, count)),
                    (None, None) => column.push(&splitter, &cells, k, width),
                }
            }
            let cell_of = |column: usize, row: &[Cell]| self.cells[column].bytes(&splitter, row);
            if let Some((key, id)) = self.key {
                tags.extend(cells.chunks_exact(width).map(|row| key.of_cell(cell_of(id, row))));
            }
            if let Some(digest) = self.digest {
                for row in cells.chunks_exact(width) {
                    let cell = |column: usize| cell_of(column, row);
                    digest.add(&mut sums, cell, &mut scratch);
                }
            }
        }
        let block = Block::new(rows, columns.into_iter().map(|column| column.codes).collect());
        Piece { block, tags, sums }
    }
}

/// A column while it is coded. Short cells that repeat are looked up instead of parsed.
struct Column<'a> {
    codec: &'a Codec,
    codes: Codes,
    /// What was parsed lately; `None` once looking up does not pay.
    recent: Option<Box<Recent>>,
}

/// Cells and their codes, directly mapped.
struct Recent {
    /// Words of cells of up to 7 bytes. Starts with the empty cell everywhere, which is true.
    short: [(u64, u32); 256],
    /// Words of cells of 8 to 15 bytes. Starts with the word 0, which no such cell has.
    long: [(u128, u32); 256],
    /// Cells since it was last judged whether this pays, and how many of them were not found.
    seen: usize,
    parsed: usize,
}

/// With more columns than this, a chunk has too few rows for looking up to pay, and the tables
/// would not be small.
const MOST_LOOKED_UP: usize = 1000;

/// Cells after which it is judged whether looking up pays; once it does not, it is left for the
/// rest of the chunk.
const TRIAL: usize = 1024;

/// Spreads a word over 256 places.
#[inline]
fn place(word: u64) -> usize {
    usize::from((word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8)
}

impl<'a> Column<'a> {
    fn new(codec: &'a Codec, looks_up: bool) -> Self {
        let codes = Codes::with_capacity(Width::of(codec.size()), 0);
        Self { codec, codes, recent: looks_up.then(|| Box::new(Recent::new(code(codec, b"")))) }
    }

    /// Codes every `width`-th cell from the `first` on; at most [`STRIPE`] of them.
    fn push(&mut self, splitter: &Splitter<'_>, cells: &[Cell], first: usize, width: usize) {
        let mut codes = [0u32; STRIPE];
        let rows = cells.len() / width;
        let cells = cells.chunks_exact(width).map(|row| row[first]);
        if let Some(recent) = &mut self.recent {
            for (out, cell) in codes.iter_mut().zip(cells) {
                *out = recent.code(self.codec, splitter, cell);
            }
            if recent.is_useless(rows) {
                self.recent = None;
            }
        } else {
            for (out, cell) in codes.iter_mut().zip(cells) {
                *out = code(self.codec, splitter.bytes(cell));
            }
        }
        self.codes.extend(codes[..rows].iter().copied());
    }
}

impl Recent {
    fn new(empty: u32) -> Self {
        Self { short: [(0, empty); 256], long: [(0, 0); 256], seen: 0, parsed: 0 }
    }

    #[inline]
    fn code(&mut self, codec: &Codec, splitter: &Splitter<'_>, cell: Cell) -> u32 {
        if let Some(word) = splitter.short_word(cell) {
            let known = &mut self.short[place(word)];
            if known.0 != word {
                self.parsed += 1;
                *known = (word, code(codec, splitter.bytes(cell)));
            }
            return known.1;
        }
        self.long_code(codec, splitter, cell)
    }

    /// The code of a longer cell. Kept out of the loop over short ones.
    #[inline(never)]
    fn long_code(&mut self, codec: &Codec, splitter: &Splitter<'_>, cell: Cell) -> u32 {
        let Some(word) = splitter.long_word(cell) else { return code(codec, splitter.bytes(cell)) };
        let known = &mut self.long[place(word as u64 ^ (word >> 64) as u64)];
        if known.0 != word {
            self.parsed += 1;
            *known = (word, code(codec, splitter.bytes(cell)));
        }
        known.1
    }

    /// Whether more than half of the cells were not found, once enough were seen.
    fn is_useless(&mut self, rows: usize) -> bool {
        self.seen += rows;
        if self.seen < TRIAL {
            return false;
        }
        let useless = 2 * self.parsed > self.seen;
        (self.seen, self.parsed) = (0, 0);
        useless
    }
}

/// The code of a cell, certainly below the codec's size.
#[inline(never)]
fn code(codec: &Codec, cell: &[u8]) -> u32 {
    codec.encode_text(cell).min(codec.size() - 1)
}
