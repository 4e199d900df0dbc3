//! At most `c` rows of one person: bounding while a table is read.
//!
//! # Privacy
//! The rule: rows without an id are dropped (`ids.rs` says what an id is). A row of a person has
//! the key HMAC(run key, id, content, k): content is the row's codes in the order of the schema,
//! and k = 0, 1, ... numbers this person's rows of equal content. Of each person the rows with the
//! `c` smallest keys are kept; persons with at most `c` rows keep them all.
//!
//! Rows of equal content are interchangeable, so the rows and their keys, as a multiset, follow
//! from the multiset of that person's own rows and the run key, and so does what is kept. Let D' be
//! D with all rows of one person p added, wherever they stand: for every run key the same rows of
//! every other person are kept in both, and of p at most `c`. So the bounded tables differ by at
//! most `c` rows, the neighbours that every sensitivity is computed for. Neither a place in the
//! file nor anybody else's row has a part in it. The key is drawn from the operating system for
//! every read and never told, so among a person's distinct rows every set of `c` is equally likely:
//! the first months of a sorted file are not preferred.
//!
//! Ids are told apart by 128 bits of HMAC-SHA-256 under the same key. Two ids with one tag would be
//! one person, and then a person could push another's rows out. Nobody can look for such a pair
//! without the key, and among n ids one exists with a chance below n^2 / 2^129: for 2^32 persons
//! 2^-65, as unlikely as a guessed noise key, and counted with it (`SECURITY.md`: what is assumed).
//!
//! # Memory
//! To number rows of equal content, equal rows have to meet. All rows are therefore sorted by tag
//! and content, in runs that go to an unlinked private temporary file beyond the memory allowed,
//! and read back merged (`runs.rs`). In that order one pass with the `c` best rows of one person in
//! hand is enough, however many rows, persons or contents there are. A map of counts was rejected:
//! it holds an entry for every distinct row. Nothing is refused.

mod ids;
mod older;
mod runs;

use std::collections::BinaryHeap;

use lookalike_schema::{Schema, SchemaError};

pub(crate) use self::ids::{PersonKey, TAG_BYTES, Tag};
pub(super) use self::older::FirstRows;

use self::runs::Runs;
use crate::coded::store::BlockBuilder;
use crate::error::TableError;
use crate::read::input::ReadWatch;
use lookalike_tally::{Block, Codes, Width};

/// Kept rows that are passed on at a time, and rows after which a stop is asked for.
const STRIPE: usize = 8192;
/// Bytes of kept rows that are passed on at a time: rows may be wide.
const STRIPE_BYTES: usize = 16 << 20;

/// Which column tells whose row it is, and how many rows of one person are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Persons {
    /// The column's name in the header. It is not modelled.
    pub column: String,
    /// The most rows of one person.
    pub most: u32,
}

/// How the rows of persons are bounded in one read. Holds the run key: no `Debug`, no `Clone`.
pub(crate) struct Bounds<'a> {
    pub(super) persons: &'a Persons,
    secret: [u8; 32],
}

impl<'a> Bounds<'a> {
    /// Under a key of this read alone.
    pub(crate) fn new(persons: &'a Persons) -> Result<Self, TableError> {
        Ok(Self { persons, secret: ids::fresh_key()? })
    }

    /// Under a key of a read that goes on in several places.
    pub(crate) fn with_key(persons: &'a Persons, secret: [u8; 32]) -> Self {
        Self { persons, secret }
    }

    /// The key, for the other places of the same read.
    pub(crate) fn secret(&self) -> &[u8; 32] {
        &self.secret
    }

    /// What makes tags of ids. The schema says which cells are missing.
    pub(super) fn key(&self, schema: &Schema) -> PersonKey {
        PersonKey::new(&self.secret, &schema.text_rules().missing_tokens)
    }

    /// Whose rows are bounded.
    pub(crate) fn persons(&self) -> &'a Persons {
        self.persons
    }

    /// The place of the column that names persons in a header.
    pub(crate) fn person_column(&self, names: &[String]) -> Result<usize, TableError> {
        person_column(self.persons, names)
    }

    /// The same before there is a schema, with the words that mean "missing".
    pub(crate) fn key_without_schema(&self, missing: &[String]) -> PersonKey {
        PersonKey::new(&self.secret, missing)
    }
}

/// Takes rows in any order, and passes on what is kept of each person.
pub(crate) struct Bounder {
    most: usize,
    /// The widths of the columns, in the table's order.
    widths: Vec<Width>,
    /// The table's columns in the schema's order, each with the place of its code in a row's
    /// content.
    content: Vec<(usize, usize)>,
    /// The bytes of a row's content that its key is made from: all of them, or those before what
    /// only goes with it.
    keyed: usize,
    runs: Runs,
}

impl Bounder {
    /// `given` is the schema before it was arranged to the header: its order is that of a row's
    /// content, whatever the order of the file's columns. A quarter of the memory is for persons;
    /// see [`rows_memory`] for the rest.
    pub(super) fn new(persons: &Persons, given: &Schema, arranged: &Schema, widths: Vec<Width>, memory: u64) -> Self {
        let places: std::collections::HashMap<&str, usize> =
            arranged.domain().attributes().map(|a| (arranged.column(a).name.as_str(), a.index())).collect();
        let mut content = Vec::with_capacity(widths.len());
        let mut length = TAG_BYTES;
        for attribute in given.domain().attributes() {
            if let Some(&column) = places.get(given.column(attribute).name.as_str()) {
                content.push((column, length));
                length += widths[column].bytes();
            }
        }
        let most = usize::try_from(persons.most).unwrap_or(usize::MAX);
        Self { most, widths, content, keyed: length - TAG_BYTES, runs: Runs::new(length, memory / 4) }
    }

    /// For rows before there is a schema. The first `keyed` columns are of four bytes each and say
    /// what a row's content is; the others go with it. Codes of texts depend on the order in which
    /// texts were met, and so on other people's rows: they must have no part in a row's key.
    pub(crate) fn of_digests(persons: &Persons, keyed: usize, columns: usize, memory: u64) -> Self {
        let content = (0..columns).map(|column| (column, TAG_BYTES + 4 * column)).collect();
        let most = usize::try_from(persons.most).unwrap_or(usize::MAX);
        let runs = Runs::new(TAG_BYTES + 4 * columns, memory / 4);
        Self { most, widths: vec![Width::Four; columns], content, keyed: 4 * keyed, runs }
    }

    /// Takes in a piece. `tags` has one entry a row; `None` is a row without an id.
    pub(crate) fn take(&mut self, piece: &Block, tags: &[Option<Tag>]) -> Result<(), TableError> {
        let rows: Vec<(usize, Tag)> =
            tags.iter().enumerate().filter_map(|(row, tag)| tag.map(|tag| (row, tag))).collect();
        let length = self.runs.record_bytes();
        let most = self.runs.records_at_once();
        for rows in rows.chunks(most) {
            let mut records = vec![0; rows.len() * length];
            for (record, (_, tag)) in records.chunks_exact_mut(length).zip(rows) {
                record[..TAG_BYTES].copy_from_slice(tag);
            }
            for &(column, at) in &self.content {
                let places = records.chunks_exact_mut(length).zip(rows);
                match &piece.columns()[column] {
                    Codes::U8(codes) => places.for_each(|(record, row)| record[at] = codes[row.0]),
                    Codes::U16(codes) => {
                        places.for_each(|(record, row)| record[at..at + 2].copy_from_slice(&codes[row.0].to_le_bytes()))
                    }
                    Codes::U32(codes) => {
                        places.for_each(|(record, row)| record[at..at + 4].copy_from_slice(&codes[row.0].to_le_bytes()))
                    }
                }
            }
            self.runs.add(&records)?;
        }
        Ok(())
    }

    /// Passes on what is kept.
    pub(crate) fn finish(
        mut self,
        key: &PersonKey,
        builder: &mut BlockBuilder,
        watch: &dyn ReadWatch,
    ) -> Result<(), TableError> {
        let length = self.runs.record_bytes();
        let mut kept = Kept::default();
        let mut person = Person::new(key, self.most, self.keyed);
        let mut merged = self.runs.merged()?;
        let mut record = vec![0; length];
        let mut met = 0;
        while merged.next(&mut record)? {
            met += 1;
            if met % STRIPE == 0 && watch.cancelled() {
                return Err(TableError::Cancelled);
            }
            let (tag, content) = record.split_at(TAG_BYTES);
            if tag != person.tag {
                person.leave(&mut kept);
                person.tag.copy_from_slice(tag);
                if kept.rows >= STRIPE || kept.contents.len() >= STRIPE_BYTES {
                    self.pass_on(&mut kept, builder)?;
                }
            }
            person.meet(content);
        }
        person.leave(&mut kept);
        self.pass_on(&mut kept, builder)
    }

    fn pass_on(&self, kept: &mut Kept, builder: &mut BlockBuilder) -> Result<(), TableError> {
        let length = self.runs.record_bytes() - TAG_BYTES;
        let mut columns: Vec<Codes> = self.widths.iter().map(|&width| Codes::with_capacity(width, kept.rows)).collect();
        for &(column, at) in &self.content {
            let (at, bytes) = (at - TAG_BYTES, self.widths[column].bytes());
            let codes = (0..kept.rows).map(|row| {
                let mut code = [0; 4];
                let from = row * length + at;
                code[..bytes].copy_from_slice(&kept.contents[from..from + bytes]);
                u32::from_le_bytes(code)
            });
            columns[column].extend(codes);
        }
        let block = Block::new(kept.rows, columns);
        *kept = Kept::default();
        builder.append(&block)
    }
}

/// Contents of rows that are kept, one behind the other.
#[derive(Default)]
struct Kept {
    contents: Vec<u8>,
    rows: usize,
}

/// The person whose rows are being met, with the best of them in hand.
struct Person<'a> {
    key: &'a PersonKey,
    most: usize,
    tag: Tag,
    /// The rows with the smallest keys, the largest of them on top. Keys are made only once there
    /// are too many rows.
    best: BinaryHeap<Row>,
    /// How many rows were met.
    met: u64,
    /// The bytes of a content that say what it is.
    keyed: usize,
    /// What the content met last is, and its number among its equals.
    last: (Vec<u8>, u64),
}

/// A row with its key. Equal keys of unlike rows (64 bits are compared) are told apart by the
/// content.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    key: u64,
    content: Vec<u8>,
    number: u64,
}

impl<'a> Person<'a> {
    fn new(key: &'a PersonKey, most: usize, keyed: usize) -> Self {
        Self { key, most, tag: Tag::default(), best: BinaryHeap::new(), met: 0, keyed, last: (Vec::new(), 0) }
    }

    /// Meets the next row of the person; equal ones come one after the other.
    fn meet(&mut self, content: &[u8]) {
        let own = &content[..self.keyed];
        let number = if self.met > 0 && self.last.0 == own { self.last.1 + 1 } else { 0 };
        if number == 0 {
            self.last.0.clear();
            self.last.0.extend_from_slice(own);
        }
        self.last.1 = number;
        self.met += 1;
        if self.best.len() < self.most {
            self.best.push(Row { key: 0, content: content.to_vec(), number });
            return;
        }
        if self.met == self.most as u64 + 1 {
            let (key, tag, own) = (self.key, &self.tag, self.keyed);
            let keyed =
                self.best.drain().map(|row| Row { key: key.of_row(tag, &row.content[..own], row.number), ..row });
            self.best = keyed.collect::<Vec<Row>>().into();
        }
        let key = self.key.of_row(&self.tag, own, number);
        if let Some(mut worst) = self.best.peek_mut()
            && (key, content, number) < (worst.key, worst.content.as_slice(), worst.number)
        {
            *worst = Row { key, content: content.to_vec(), number };
        }
    }

    /// Goes on to another person.
    fn leave(&mut self, kept: &mut Kept) {
        for row in self.best.drain() {
            kept.contents.extend_from_slice(&row.content);
            kept.rows += 1;
        }
        self.met = 0;
    }
}

/// The memory for rows beside that of a [`Bounder`].
pub(crate) fn rows_memory(memory: u64) -> u64 {
    memory - memory / 4
}

/// The place of the column that names persons in the header.
fn person_column(persons: &Persons, names: &[String]) -> Result<usize, TableError> {
    names.iter().position(|name| *name == persons.column).ok_or_else(|| {
        TableError::Schema(SchemaError::Column {
            column: persons.column.clone(),
            what: "is to tell whose row it is, but is not in the file's header".to_owned(),
            help: "correct the name".to_owned(),
        })
    })
}
