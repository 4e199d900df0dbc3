//! A block of consecutive rows, as codes, one vector a column.

use lookalike_schema::Domain;

use crate::TallyError;

/// The most rows a block may have. Below 2^16, so that 16-bit tallies of one block cannot overflow.
pub const BLOCK_ROWS: usize = 65_280;

/// A block's codes should not take more than this, however many columns there are.
const BLOCK_BYTES: usize = 16 << 20;

/// How many bytes one code of a column takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Up to 256 codes.
    One,
    /// Up to 65,536 codes.
    Two,
    /// More.
    Four,
}

impl Width {
    /// The narrowest width for codes `0..size`.
    pub fn of(size: u32) -> Self {
        match size {
            0..=0x100 => Self::One,
            0x101..=0x1_0000 => Self::Two,
            _ => Self::Four,
        }
    }

    /// The bytes of one code.
    pub fn bytes(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
        }
    }
}

/// The codes of one column in one block.
///
/// Private rows may be inside: no `Debug`, no `Clone`.
pub enum Codes {
    /// One byte a code.
    U8(Vec<u8>),
    /// Two bytes a code.
    U16(Vec<u16>),
    /// Four bytes a code.
    U32(Vec<u32>),
}

impl Codes {
    /// No codes yet, with room for some.
    pub fn with_capacity(width: Width, rows: usize) -> Self {
        match width {
            Width::One => Self::U8(Vec::with_capacity(rows)),
            Width::Two => Self::U16(Vec::with_capacity(rows)),
            Width::Four => Self::U32(Vec::with_capacity(rows)),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::U8(codes) => codes.len(),
            Self::U16(codes) => codes.len(),
            Self::U32(codes) => codes.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends codes that the caller knows to be below the column's size.
    pub fn extend(&mut self, codes: impl Iterator<Item = u32>) {
        match self {
            Self::U8(out) => out.extend(codes.map(|code| code as u8)),
            Self::U16(out) => out.extend(codes.map(|code| code as u16)),
            Self::U32(out) => out.extend(codes),
        }
    }

    /// Appends rows `from..to` of a column of the same width.
    /// Whether all codes are below `size`.
    pub fn are_below(&self, size: u32) -> bool {
        match self {
            Self::U8(codes) => codes.iter().all(|&code| u32::from(code) < size),
            Self::U16(codes) => codes.iter().all(|&code| u32::from(code) < size),
            Self::U32(codes) => codes.iter().all(|&code| code < size),
        }
    }

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
    pub fn widen_into(&self, out: &mut Vec<u32>) {
        match self {
            Self::U8(codes) => out.extend(codes.iter().map(|&code| u32::from(code))),
            Self::U16(codes) => out.extend(codes.iter().map(|&code| u32::from(code))),
            Self::U32(codes) => out.extend_from_slice(codes),
        }
    }
}

/// Consecutive rows. Private rows may be inside: no `Debug`, no `Clone`.
pub struct Block {
    rows: usize,
    columns: Vec<Codes>,
}

impl Block {
    /// No rows yet, with room for some.
    pub fn with_capacity(widths: &[Width], rows: usize) -> Self {
        Self { rows: 0, columns: widths.iter().map(|&width| Codes::with_capacity(width, rows)).collect() }
    }

    /// A block of columns that all have `rows` codes, or none where the column is not needed.
    pub fn new(rows: usize, columns: Vec<Codes>) -> Self {
        debug_assert!(columns.iter().all(|codes| codes.len() == rows || codes.is_empty()));
        Self { rows, columns }
    }

    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The codes, column by column.
    pub fn columns(&self) -> &[Codes] {
        &self.columns
    }

    /// Appends rows `from..to` of another block of the same table.
    pub fn append(&mut self, other: &Self, from: usize, to: usize) {
        for (out, codes) in self.columns.iter_mut().zip(&other.columns) {
            out.append(codes, from, to);
        }
        self.rows += to - from;
    }

    /// Gives back memory that it does not use.
    pub fn shrink(&mut self) {
        self.columns.iter_mut().for_each(Codes::shrink);
    }
}

/// The widths of a domain's columns.
pub fn widths(domain: &Domain) -> Vec<Width> {
    domain.sizes().iter().map(|&size| Width::of(size)).collect()
}

/// How many rows a block of these columns holds: from the schema alone.
pub fn block_rows(widths: &[Width]) -> usize {
    let row: usize = widths.iter().map(|width| width.bytes()).sum();
    (BLOCK_BYTES / row.max(1)).clamp(1024, BLOCK_ROWS)
}

/// Rows in blocks, wherever they lie: what can be counted.
pub trait Blocks: Sync {
    /// What can go wrong while rows are fetched, or with the counting itself.
    type Error: From<TallyError> + Send;

    /// The number of all rows.
    fn rows(&self) -> u64;

    /// Calls `each` with every block in row order, until it fails. A block has at most
    /// [`BLOCK_ROWS`] rows. Columns that are not needed may come without codes, so that rows which
    /// lie on a disk are not read for nothing; `None`: all are needed.
    fn for_each_of(
        &self,
        needed: Option<&[bool]>,
        each: &mut (dyn FnMut(&Block) -> Result<(), Self::Error> + Send),
    ) -> Result<(), Self::Error>;

    /// The same with all columns.
    fn for_each(&self, each: &mut (dyn FnMut(&Block) -> Result<(), Self::Error> + Send)) -> Result<(), Self::Error> {
        self.for_each_of(None, each)
    }
}

impl Blocks for [Block] {
    type Error = TallyError;

    fn rows(&self) -> u64 {
        self.iter().map(|block| block.rows as u64).sum()
    }

    fn for_each_of(
        &self,
        _needed: Option<&[bool]>,
        each: &mut (dyn FnMut(&Block) -> Result<(), TallyError> + Send),
    ) -> Result<(), TallyError> {
        self.iter().try_for_each(each)
    }
}

/// Columns of codes, all of one length, in blocks of at most `step` rows.
///
/// The caller knows every code to be below its column's size.
pub fn blocks_of<'a>(columns: &'a [Vec<u32>], widths: &'a [Width], step: usize) -> impl Iterator<Item = Block> + 'a {
    let rows = columns.first().map_or(0, Vec::len);
    (0..rows).step_by(step).map(move |from| {
        let to = rows.min(from + step);
        let pieces = columns.iter().zip(widths).map(|(codes, &width)| {
            let mut piece = Codes::with_capacity(width, to - from);
            piece.extend(codes[from..to].iter().copied());
            piece
        });
        Block::new(to - from, pieces.collect())
    })
}
