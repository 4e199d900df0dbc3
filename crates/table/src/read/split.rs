//! From a chunk of records to the places of their cells.
//!
//! Rules, in one place:
//! - a quote opens a field only at its very start; inside, two quotes are one; text behind the
//!   closing quote belongs to the cell as it stands; quotes elsewhere are plain characters;
//! - a line is a record: a quoted field that is not closed in its line holds the rest of the line,
//!   and the columns behind it are empty. In multiline text it goes on in the next line, and one
//!   that never closes ends with its record's last byte;
//! - a carriage return before the line feed is dropped;
//! - a short record is padded with empty cells, a long one is cut;
//! - an empty line is no record, except in a table of one column, where it is an empty cell;
//! - a record of more than [`Dialect::longest`] bytes is cut there.

use memchr::{memchr, memchr2};

use super::chunks::{Chunk, PADDING};
use super::records::Dialect;

/// A cell's place: in the chunk, or (from the chunk's padded length on) in the splitter's own store
/// of unquoted cells.
#[derive(Clone, Copy, Default)]
pub(super) struct Cell {
    pub(super) start: u32,
    pub(super) length: u32,
}

/// The place of a cell that nobody wants: beyond every row.
pub(super) const UNWANTED: u32 = u32::MAX;

/// Walks over the records of one chunk.
pub(super) struct Splitter<'a> {
    padded: &'a [u8],
    length: usize,
    dialect: Dialect,
    /// For each column of the header, where its cell goes in a row of cells; [`UNWANTED`]: nowhere.
    slots: &'a [u32],
    width: usize,
    /// Where the next record starts.
    at: usize,
    /// The marks of the 64 bytes from `base` on that were not passed yet. `base` is never behind
    /// the text's end, unless the text is empty.
    base: usize,
    marks: u64,
    /// Cells that are not a plain piece of the chunk: quotes undoubled.
    unquoted: Vec<u8>,
}

impl<'a> Splitter<'a> {
    /// `slots` has one entry a header column; the slots in use are `0..width`.
    pub(super) fn new(chunk: &'a Chunk, dialect: Dialect, slots: &'a [u32], width: usize) -> Self {
        let (padded, length) = (chunk.padded(), chunk.text().len());
        let mut new = Self { padded, length, dialect, slots, width, at: 0, base: 0, marks: 0, unquoted: Vec::new() };
        new.look_from(0);
        new
    }

    /// The cell's bytes.
    pub(super) fn bytes(&self, cell: Cell) -> &[u8] {
        let start = cell.start as usize;
        match start.checked_sub(self.padded.len()) {
            None => &self.padded[start..start + cell.length as usize],
            Some(start) => &self.unquoted[start..start + cell.length as usize],
        }
    }

    /// A cell of up to 7 bytes as one word: its bytes and their number. `None` when it is longer,
    /// or unquoted.
    #[inline]
    pub(super) fn short_word(&self, cell: Cell) -> Option<u64> {
        let start = cell.start as usize;
        if cell.length > 7 {
            return None;
        }
        let bytes = self.padded.get(start..start + 8)?.try_into().ok()?;
        let mask = (1u64 << (8 * cell.length)) - 1;
        Some(u64::from_le_bytes(bytes) & mask | u64::from(cell.length) << 56)
    }

    /// A cell of up to 15 bytes as one word: its bytes and their number. `None` when it is longer,
    /// or unquoted.
    #[inline]
    pub(super) fn long_word(&self, cell: Cell) -> Option<u128> {
        let start = cell.start as usize;
        if cell.length > 15 {
            return None;
        }
        let bytes = self.padded.get(start..start + 16)?.try_into().ok()?;
        let mask = (1u128 << (8 * cell.length)) - 1;
        Some(u128::from_le_bytes(bytes) & mask | u128::from(cell.length) << 120)
    }

    /// Splits up to `most` records into `cells`, `width` cells a record. Returns how many; 0 at the
    /// end of the chunk.
    pub(super) fn split(&mut self, most: usize, cells: &mut Vec<Cell>) -> usize {
        cells.clear();
        self.unquoted.clear();
        let mut rows = 0;
        while rows < most && self.at < self.length {
            let row = cells.len();
            cells.resize(row + self.width, Cell::default());
            if self.record(&mut cells[row..]) {
                rows += 1;
            } else {
                cells.truncate(row);
            }
        }
        rows
    }

    /// Splits one record and steps behind it. `false` when it was an empty line that is no record.
    fn record(&mut self, row: &mut [Cell]) -> bool {
        let start = self.at;
        let (padded, slots, Dialect { delimiter, terminator, .. }) = (self.padded, self.slots, self.dialect);
        let mut field = start;
        let mut column = 0;
        loop {
            let mut marks = self.marks;
            // The inner loop: up to the next mark that is no delimiter.
            let (at, byte) = loop {
                while marks == 0 {
                    if self.base + 64 >= self.length {
                        self.marks = 0;
                        return self.last_field(row, start, field, column);
                    }
                    self.look_from(self.base + 64);
                    marks = self.marks;
                }
                let at = self.base + marks.trailing_zeros() as usize;
                marks &= marks - 1;
                let byte = padded[at];
                if byte != delimiter {
                    break (at, byte);
                }
                put(row, slots, column, Cell { start: field as u32, length: (at - field) as u32 });
                column += 1;
                field = at + 1;
            };
            self.marks = marks;
            if byte == terminator {
                self.at = at + 1;
                return self.end_of_record(row, start, field, at, column);
            }
            if at == field {
                let (cell, end) = self.quoted(at);
                put(row, slots, column, cell);
                if end + 1 < self.length {
                    self.look_from(end + 1);
                }
                if end >= self.length || padded[end] == terminator {
                    self.at = end + 1;
                    self.cut(row, start, end);
                    return true;
                }
                column += 1;
                field = end + 1;
                if field >= self.length {
                    return self.last_field(row, start, field, column);
                }
            }
        }
    }

    /// The text ends without a terminator.
    fn last_field(&mut self, row: &mut [Cell], start: usize, field: usize, column: usize) -> bool {
        self.at = self.length;
        self.end_of_record(row, start, field, self.length, column)
    }

    /// The last field of a record is unquoted and goes from `field` to `end`.
    fn end_of_record(&mut self, row: &mut [Cell], start: usize, field: usize, end: usize, column: usize) -> bool {
        let stop = without_return(self.padded, field, end, self.dialect);
        if column == 0 && stop == start && self.slots.len() > 1 {
            return false;
        }
        put(row, self.slots, column, Cell { start: field as u32, length: (stop - field) as u32 });
        self.cut(row, start, end);
        true
    }

    /// Splits an over-long record again, from what may be kept of it.
    fn cut(&mut self, row: &mut [Cell], start: usize, end: usize) {
        if end - start <= self.dialect.longest {
            return;
        }
        row.fill(Cell::default());
        let kept = &self.padded[start..start + self.dialect.longest];
        for (column, text) in split_record(kept, self.dialect).into_iter().enumerate() {
            let cell = self.unquote(&text);
            put(row, self.slots, column, cell);
        }
    }

    fn unquote(&mut self, text: &[u8]) -> Cell {
        let start = self.padded.len() + self.unquoted.len();
        self.unquoted.extend_from_slice(text);
        Cell { start: start as u32, length: text.len() as u32 }
    }

    /// The cell of a field that opens with the quote at `open`, and the place of the delimiter or
    /// terminator behind it.
    fn quoted(&mut self, open: usize) -> (Cell, usize) {
        let text = match self.dialect.multiline {
            true => &self.padded[..self.length],
            // Nothing behind the line is looked at.
            false => {
                let end = memchr(self.dialect.terminator, &self.padded[open..self.length]);
                &self.padded[..end.map_or(self.length, |found| open + found)]
            }
        };
        if let Some(found) = memchr(b'"', &text[open + 1..]) {
            let close = open + 1 + found;
            let next = text.get(close + 1).copied();
            let plain = Cell { start: (open + 1) as u32, length: found as u32 };
            if next.is_none_or(|byte| byte == self.dialect.delimiter || byte == self.dialect.terminator) {
                return (plain, close + 1);
            }
            let returned = next == Some(b'\r') && self.dialect.terminator == b'\n';
            if returned && text.get(close + 2).is_none_or(|&byte| byte == b'\n') {
                return (plain, close + 2);
            }
        }
        let mut cell = Vec::new();
        let end = unquote(text, open, self.dialect, &mut cell);
        (self.unquote(&cell), end)
    }

    /// Marks the 64 bytes from `at` on.
    #[inline]
    fn look_from(&mut self, at: usize) {
        self.base = at;
        self.marks = match self.padded[at..].first_chunk::<64>() {
            Some(bytes) => marks(bytes, self.dialect.delimiter, self.dialect.terminator),
            None => unreachable!("a chunk is padded with {PADDING} bytes"),
        };
    }
}

/// Lays the cell of a column into its place, if it has one.
#[inline]
fn put(row: &mut [Cell], slots: &[u32], column: usize, cell: Cell) {
    if let Some(&slot) = slots.get(column)
        && let Some(place) = row.get_mut(slot as usize)
    {
        *place = cell;
    }
}

/// Where the text `from..end` ends without its carriage return.
fn without_return(text: &[u8], from: usize, end: usize, dialect: Dialect) -> usize {
    if dialect.terminator == b'\n' && end > from && text[end - 1] == b'\r' { end - 1 } else { end }
}

/// Appends the content of the field that opens with the quote at `open`, in text that ends with the
/// line unless it is multiline. Returns the place of what ends the field.
fn unquote(text: &[u8], open: usize, dialect: Dialect, cell: &mut Vec<u8>) -> usize {
    let mut at = open + 1;
    loop {
        let Some(found) = memchr(b'"', &text[at..]) else {
            // A carriage return belongs to the line end that the quote cannot pass.
            let stop = if dialect.multiline { text.len() } else { without_return(text, at, text.len(), dialect) };
            cell.extend_from_slice(&text[at..stop]);
            return text.len();
        };
        let quote = at + found;
        cell.extend_from_slice(&text[at..quote]);
        at = quote + 1;
        if text.get(at) != Some(&b'"') {
            break;
        }
        cell.push(b'"');
        at += 1;
    }
    let end = memchr2(dialect.delimiter, dialect.terminator, &text[at..]).map_or(text.len(), |found| at + found);
    let last = text.get(end) != Some(&dialect.delimiter);
    let stop = if last { without_return(text, at, end, dialect) } else { end };
    cell.extend_from_slice(&text[at..stop]);
    end
}

/// The cells of one record, for the header and for records that are cut. `text` has no terminator
/// at its end.
pub(super) fn split_record(text: &[u8], dialect: Dialect) -> Vec<Vec<u8>> {
    let mut cells = Vec::new();
    let mut at = 0;
    loop {
        let mut cell = Vec::new();
        let end = if text.get(at) == Some(&b'"') {
            unquote(text, at, dialect, &mut cell)
        } else {
            let end = memchr(dialect.delimiter, &text[at..]).map_or(text.len(), |found| at + found);
            let stop = if end == text.len() { without_return(text, at, end, dialect) } else { end };
            cell.extend_from_slice(&text[at..stop]);
            end
        };
        cells.push(cell);
        if end >= text.len() {
            return cells;
        }
        at = end + 1;
    }
}

/// A bit for each byte that is a delimiter, a terminator or a quote. Plain code of two halves that
/// compilers turn into wide comparisons and eight multiplications, so that nothing here depends on
/// the machine.
#[inline]
fn marks(bytes: &[u8; 64], delimiter: u8, terminator: u8) -> u64 {
    let mut hits = [0u8; 64];
    for (hit, &byte) in hits.iter_mut().zip(bytes) {
        *hit = u8::from(byte == delimiter) | u8::from(byte == terminator) | u8::from(byte == b'"');
    }
    let mut out = 0;
    for (k, eight) in hits.as_chunks().0.iter().enumerate() {
        // Gathers the lowest bits of eight bytes into one byte.
        out |= (u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * k);
    }
    out
}
