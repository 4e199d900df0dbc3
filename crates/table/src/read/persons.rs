//! At most so many rows of one person: bounding while a table is read.
//!
//! # Privacy
//! The rule: of each id the first `c` rows in file order are kept, ids compared byte by byte; rows without an id are dropped.
//! Let D' be D with all rows of one person p added, wherever they stand. The rows of every other id are the same rows in the
//! same order in both, so the same of them are kept; of p at most c are. So the bounded tables differ by at most c rows: the
//! neighbours that every sensitivity is computed for. What is kept of one id never depends on another.
//!
//! Ids are told apart by 128 bits of HMAC-SHA-256 under a key that is drawn anew for every read and is never told. Two ids
//! with one tag would share their c rows, and then a person could push another's rows out. Nobody can look for such a pair
//! without the key, and among n ids one exists with a chance below n^2 / 2^129: for 2^32 persons 2^-65, as unlikely as a
//! guessed noise key, and counted with it (`SECURITY.md`: what is assumed).
//!
//! Memory: tags and their counts have a bound that follows from the memory allowed. Rows of persons who find no more room go
//! to an unlinked private temporary file and are bounded after the rest, with an empty memory, as often as it takes. All
//! rows of one person go the same way in their order, so the rule is kept; nothing is refused.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

use hmac::{Hmac, KeyInit, Mac};
use lookalike_schema::Schema;
use sha2::Sha256;

use crate::TableError;
use crate::coded::block::{Block, Codes, Width};
use crate::coded::store::BlockBuilder;

/// Rows of late persons that are read back at a time.
const STRIPE: usize = 8192;

/// What a person takes in memory: the tag, the count, and the table's own room while it grows.
const BYTES_A_PERSON: u64 = 128;

/// Fewer persons than this in memory are not worth a bound.
const LEAST_PERSONS: u64 = 1024;

/// Which column tells whose row it is, and how many rows of one person are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Persons {
    /// The column's name in the header. It is not modelled.
    pub column: String,
    /// The most rows of one person.
    pub most: u32,
}

/// Stands for an id.
pub(super) type Tag = u128;

/// Turns ids into tags.
pub(super) struct PersonKey {
    mac: Hmac<Sha256>,
    /// Cells that are no ids.
    missing: Vec<Vec<u8>>,
}

impl PersonKey {
    /// A key of this read alone. The schema says which cells are missing.
    pub(super) fn new(schema: &Schema) -> Result<Self, TableError> {
        let mut key = [0u8; 32];
        getrandom::fill(&mut key).map_err(|error| TableError::Io {
            what: "no entropy from the operating system".to_owned(),
            source: io::Error::other(error),
        })?;
        let mac = Hmac::new_from_slice(&key).unwrap_or_else(|_| unreachable!("HMAC takes keys of every length"));
        let missing = schema.text_rules().missing_tokens.iter().map(|token| token.clone().into_bytes()).collect();
        Ok(Self { mac, missing })
    }

    /// The tag of a cell of text; `None` without an id.
    pub(super) fn of_text(&self, cell: &[u8]) -> Option<Tag> {
        let trimmed = cell.trim_ascii();
        let is_missing = trimmed.is_empty() || self.missing.iter().any(|token| token == trimmed);
        (!is_missing).then(|| self.of_bytes(cell))
    }

    /// The tag of a value by its bytes.
    pub(super) fn of_bytes(&self, bytes: &[u8]) -> Tag {
        let mut mac = self.mac.clone();
        mac.update(bytes);
        let tag: [u8; 32] = mac.finalize().into_bytes().into();
        tag.first_chunk().map_or(0, |half| u128::from_le_bytes(*half))
    }
}

/// Passes on the first rows of each person.
pub(super) struct Bounder {
    most: u32,
    /// The most persons in memory.
    limit: usize,
    seen: HashMap<Tag, u32>,
    widths: Vec<Width>,
    late: Option<Late>,
}

/// Rows of persons for whom there was no room, each behind its tag.
struct Late {
    file: BufWriter<File>,
    rows: u64,
}

/// What becomes of a row.
enum Fate {
    Kept,
    Dropped,
    Late,
}

impl Bounder {
    /// A quarter of the memory is for persons; see [`rows_memory`] for the rest.
    pub(super) fn new(persons: &Persons, widths: Vec<Width>, memory: u64) -> Self {
        let limit = (memory / 4 / BYTES_A_PERSON).max(LEAST_PERSONS);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Self { most: persons.most, limit, seen: HashMap::new(), widths, late: None }
    }

    /// Passes on what is kept of a piece, in its order. `tags` has one entry a row; `None` is a row without an id.
    pub(super) fn take(
        &mut self,
        piece: &Block,
        tags: &[Option<Tag>],
        builder: &mut BlockBuilder,
    ) -> Result<(), TableError> {
        let mut kept = Block::with_capacity(&self.widths, piece.rows());
        // The kept rows that were not passed on yet are `from..row`.
        let mut from = 0;
        for (row, tag) in tags.iter().enumerate() {
            let fate = tag.map_or(Fate::Dropped, |tag| self.fate(tag));
            if let (Fate::Late, Some(tag)) = (&fate, tag) {
                self.put_aside(*tag, piece, row)?;
            }
            if !matches!(fate, Fate::Kept) {
                kept.append(piece, from, row);
                from = row + 1;
            }
        }
        kept.append(piece, from, piece.rows());
        builder.append(&kept)
    }

    /// Passes on what is kept of the late rows.
    pub(super) fn finish(mut self, builder: &mut BlockBuilder) -> Result<(), TableError> {
        while let Some(late) = self.late.take() {
            self.seen.clear();
            let mut file = late.file.into_inner().map_err(|error| failed(error.into_error()))?;
            file.seek(SeekFrom::Start(0)).map_err(failed)?;
            let mut file = BufReader::new(file);
            let mut left = late.rows;
            while left > 0 {
                let rows = left.min(STRIPE as u64) as usize;
                let (piece, tags) = self.read_back(&mut file, rows).map_err(failed)?;
                self.take(&piece, &tags, builder)?;
                left -= rows as u64;
            }
        }
        Ok(())
    }

    fn fate(&mut self, tag: Tag) -> Fate {
        if let Some(rows) = self.seen.get_mut(&tag) {
            let has_room = *rows < self.most;
            *rows += u32::from(has_room);
            return if has_room { Fate::Kept } else { Fate::Dropped };
        }
        if self.seen.len() >= self.limit {
            return Fate::Late;
        }
        self.seen.insert(tag, 1);
        Fate::Kept
    }

    fn put_aside(&mut self, tag: Tag, piece: &Block, row: usize) -> Result<(), TableError> {
        let late = match &mut self.late {
            Some(late) => late,
            none => {
                let file = BufWriter::new(tempfile::tempfile().map_err(failed)?);
                none.insert(Late { file, rows: 0 })
            }
        };
        late.rows += 1;
        let file = &mut late.file;
        let mut write = |bytes: &[u8]| file.write_all(bytes).map_err(failed);
        write(&tag.to_le_bytes())?;
        for codes in piece.columns() {
            match codes {
                Codes::U8(codes) => write(&[codes[row]])?,
                Codes::U16(codes) => write(&codes[row].to_le_bytes())?,
                Codes::U32(codes) => write(&codes[row].to_le_bytes())?,
            }
        }
        Ok(())
    }

    fn read_back(&self, file: &mut impl Read, rows: usize) -> io::Result<(Block, Vec<Option<Tag>>)> {
        let mut columns: Vec<Codes> = self.widths.iter().map(|&width| Codes::with_capacity(width, rows)).collect();
        let mut tags = Vec::with_capacity(rows);
        for _ in 0..rows {
            let mut tag = [0; 16];
            file.read_exact(&mut tag)?;
            tags.push(Some(Tag::from_le_bytes(tag)));
            for (codes, width) in columns.iter_mut().zip(&self.widths) {
                let mut code = [0; 4];
                file.read_exact(&mut code[..width.bytes()])?;
                codes.extend(std::iter::once(u32::from_le_bytes(code)));
            }
        }
        Ok((Block::new(rows, columns), tags))
    }
}

/// The memory for rows beside that of a [`Bounder`].
pub(super) fn rows_memory(memory: u64) -> u64 {
    memory - memory / 4
}

fn failed(source: io::Error) -> TableError {
    TableError::Io { what: "putting rows aside in a temporary file".to_owned(), source }
}
