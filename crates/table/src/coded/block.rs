//! A block of consecutive rows, as codes, one vector a column.

use lookalike_schema::Domain;

/// The most rows a block may have. Below 2^16, so that 16-bit tallies of one block cannot overflow.
pub(crate) const BLOCK_ROWS: usize = 65_280;

/// A block's codes should not take more than this, however many columns there are.
const BLOCK_BYTES: usize = 16 << 20;

/// How many bytes one code of a column takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    One,
    Two,
    Four,
}

impl Width {
    /// The narrowest width for codes `0..size`.
    pub(crate) fn of(size: u32) -> Self {
        match size {
            0..=0x100 => Self::One,
            0x101..=0x1_0000 => Self::Two,
            _ => Self::Four,
        }
    }

    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
        }
    }
}

/// The codes of one column in one block.
pub(crate) enum Codes {
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
}

impl Codes {
    pub(crate) fn with_capacity(width: Width, rows: usize) -> Self {
        match width {
            Width::One => Self::U8(Vec::with_capacity(rows)),
            Width::Two => Self::U16(Vec::with_capacity(rows)),
            Width::Four => Self::U32(Vec::with_capacity(rows)),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::U8(codes) => codes.len(),
            Self::U16(codes) => codes.len(),
            Self::U32(codes) => codes.len(),
        }
    }

    /// Appends codes that the caller knows to be below the column's size.
    pub(crate) fn extend(&mut self, codes: impl Iterator<Item = u32>) {
        match self {
            Self::U8(out) => out.extend(codes.map(|code| code as u8)),
            Self::U16(out) => out.extend(codes.map(|code| code as u16)),
            Self::U32(out) => out.extend(codes),
        }
    }

    /// Appends rows `from..to` of a column of the same width.
    fn append(&mut self, other: &Self, from: usize, to: usize) {
        match (self, other) {
            (Self::U8(out), Self::U8(codes)) => out.extend_from_slice(&codes[from..to]),
            (Self::U16(out), Self::U16(codes)) => out.extend_from_slice(&codes[from..to]),
            (Self::U32(out), Self::U32(codes)) => out.extend_from_slice(&codes[from..to]),
            _ => unreachable!("all blocks of a table have the widths of its domain"),
        }
    }

    fn shrink(&mut self) {
        match self {
            Self::U8(codes) => codes.shrink_to_fit(),
            Self::U16(codes) => codes.shrink_to_fit(),
            Self::U32(codes) => codes.shrink_to_fit(),
        }
    }

    /// The codes widened, for callers that want one type.
    pub(crate) fn widen_into(&self, out: &mut Vec<u32>) {
        match self {
            Self::U8(codes) => out.extend(codes.iter().map(|&code| u32::from(code))),
            Self::U16(codes) => out.extend(codes.iter().map(|&code| u32::from(code))),
            Self::U32(codes) => out.extend_from_slice(codes),
        }
    }
}

/// Consecutive rows. Private rows may be inside: no `Debug`, no `Clone`.
pub(crate) struct Block {
    rows: usize,
    columns: Vec<Codes>,
}

impl Block {
    pub(crate) fn with_capacity(widths: &[Width], rows: usize) -> Self {
        Self { rows: 0, columns: widths.iter().map(|&width| Codes::with_capacity(width, rows)).collect() }
    }

    /// A block of columns that all have `rows` codes.
    pub(crate) fn new(rows: usize, columns: Vec<Codes>) -> Self {
        debug_assert!(columns.iter().all(|codes| codes.len() == rows));
        Self { rows, columns }
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) fn columns(&self) -> &[Codes] {
        &self.columns
    }

    /// Appends rows `from..to` of another block of the same table.
    pub(crate) fn append(&mut self, other: &Self, from: usize, to: usize) {
        for (out, codes) in self.columns.iter_mut().zip(&other.columns) {
            out.append(codes, from, to);
        }
        self.rows += to - from;
    }

    pub(crate) fn shrink(&mut self) {
        self.columns.iter_mut().for_each(Codes::shrink);
    }
}

/// The widths of a domain's columns.
pub(crate) fn widths(domain: &Domain) -> Vec<Width> {
    domain.sizes().iter().map(|&size| Width::of(size)).collect()
}

/// How many rows a block of these columns holds: from the schema alone.
pub(crate) fn block_rows(widths: &[Width]) -> usize {
    let row: usize = widths.iter().map(|width| width.bytes()).sum();
    (BLOCK_BYTES / row.max(1)).clamp(1024, BLOCK_ROWS)
}
