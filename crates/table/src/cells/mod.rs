//! Private rows as texts: what facts of a schema are bought from, before there are codes.
//!
//! The source is read once. Each column's texts are numbered, and rows are numbers in blocks, as
//! codes are in a [`PrivateTable`]; both spill. A count is then a count of numbers, and once the
//! schema is known, rows are coded by looking up what became of each text.

mod count;
mod rare;
mod texts;

use std::collections::HashMap;

use lookalike_schema::discover::as_value;
use lookalike_schema::{AttrId, Codec, Schema, SchemaError};
use lookalike_tally::{Block, Blocks, Codes, Width, block_rows, widths};

use self::texts::Texts;
use crate::coded::CodedTable;
use crate::coded::store::{BlockBuilder, BlockStore};
use crate::dataset::PrivateTable;
use crate::digest::{DigestWish, Digests, RecordDigest, RecordSums};
use crate::error::TableError;
use crate::read::{
    Bounder, Bounds, Difference, PersonKey, Persons, ReadOptions, ReadWatch, RowSource, for_each_exact_record,
    rows_memory,
};

/// Rows that are gathered before they are kept.
const STRIPE: usize = 4096;
/// Words of a row's digest, which stand before its cells where rows of persons are bounded.
const DIGEST_WORDS: usize = 4;

/// Private rows as texts. Unprintable by construction, like [`PrivateTable`]: no `Debug`, `Clone`
/// or serialization, and no way to a cell or a count but against a permit.
pub struct RawCells {
    names: Vec<String>,
    /// For each header column, the place of its texts; `None` where it is left out.
    places: Vec<Option<usize>>,
    texts: Vec<Texts>,
    store: BlockStore,
    memory: u64,
}

/// What becomes of a header before its rows are read: which columns are kept.
pub type KeptColumns<'a> = dyn FnMut(&[String]) -> Result<Vec<bool>, SchemaError> + 'a;

impl RawCells {
    /// Reads the whole source. `kept` says of each column of the header whether its cells are kept.
    /// `missing` are the words that are no ids.
    ///
    /// Cells never cause an error. `Err` as for [`PrivateTable::take`], or from `kept`.
    ///
    /// # Privacy
    /// With `persons`, of each person at most `persons.most` rows are kept, by the rule of
    /// `read/persons/mod.rs`, where a row's content is the texts of its kept columns.
    pub fn take(
        source: RowSource<'_>,
        options: &ReadOptions,
        (persons, missing): (Option<&Persons>, &[String]),
        digest: Option<DigestWish<'_>>,
        kept: &mut KeptColumns<'_>,
        watch: &dyn ReadWatch,
    ) -> Result<(Self, Option<Digests>), TableError> {
        let bounds = persons.map(Bounds::new).transpose()?;
        Self::take_within(source, options, (bounds.as_ref(), missing), digest, kept, watch)
    }

    /// The same under bounds that are there.
    pub(crate) fn take_within(
        source: RowSource<'_>,
        options: &ReadOptions,
        (bounds, missing): (Option<&Bounds<'_>>, &[String]),
        digest: Option<DigestWish<'_>>,
        kept: &mut KeptColumns<'_>,
        watch: &dyn ReadWatch,
    ) -> Result<(Self, Option<Digests>), TableError> {
        let mut reading = Reading::default();
        let mut failed = None;
        // The header is told before the first record; both share what is being read.
        let cell = std::cell::RefCell::new(&mut reading);
        for_each_exact_record(
            source,
            options,
            watch,
            &mut |names| {
                let kept = kept(names)?;
                let intake = Intake::new(names, &kept, options.memory, bounds, missing, digest)?;
                cell.borrow_mut().0 = Some(intake);
                Ok(())
            },
            &mut |cells| {
                if let (Some(intake), None) = (&mut cell.borrow_mut().0, &failed) {
                    failed = intake.take(cells).err();
                }
            },
        )?;
        match (failed, reading.0) {
            (Some(error), _) => Err(error),
            (None, Some(intake)) => intake.finish(watch),
            (None, None) => Err(TableError::Cancelled),
        }
    }

    /// The rows coded by a schema, and gone as texts.
    ///
    /// # Errors
    /// A schema that does not go with the header, or rows that cannot be read back.
    pub fn coded(self, schema: &Schema) -> Result<PrivateTable, TableError> {
        let schema = schema.arranged(&self.names)?;
        let attributes: Vec<_> = schema.domain().attributes().collect();
        let place_of = |attribute: AttrId| {
            let name = &schema.column(attribute).name;
            let place = self.names.iter().position(|known| known == name).and_then(|column| self.places[column]);
            place.ok_or_else(|| left_out(name))
        };
        let mut differences = HashMap::new();
        for difference in Difference::all(&schema) {
            let numbers = |codec: &Codec, attribute| {
                let mut numbers = Vec::new();
                let texts = &self.texts[place_of(attribute)?];
                texts.for_each(|_, text| numbers.push(codec.raw_text(text).unwrap_or(f64::NAN)))?;
                Ok::<_, TableError>(numbers)
            };
            let (own, earlier) = (difference.attribute, difference.on());
            let known = (numbers(difference.own(), own)?, numbers(difference.earlier, earlier)?);
            differences.insert(own.index(), (difference, place_of(earlier)?, known));
        }
        let mut columns = Vec::with_capacity(attributes.len());
        for &attribute in &attributes {
            let place = place_of(attribute)?;
            let codec = schema.codec(attribute);
            let mut codes = Codes::with_capacity(Width::of(codec.size()), self.texts[place].count() as usize);
            let mut list = Vec::with_capacity(self.texts[place].count() as usize);
            self.texts[place].for_each(|_, text| list.push(codec.encode_text(text).min(codec.size() - 1)))?;
            codes.extend(list.into_iter());
            columns.push((place, codes));
        }
        let widths = widths(schema.domain());
        let mut builder = BlockBuilder::new(widths.clone(), block_rows(&widths), self.memory);
        self.store.for_each(&mut |block| {
            let numbers_at = |place: usize| {
                let mut numbers = Vec::with_capacity(block.rows());
                block.columns()[place].widen_into(&mut numbers);
                numbers
            };
            let coded = columns.iter().zip(&widths).enumerate().map(|(attribute, ((place, codes), &width))| {
                let numbers = numbers_at(*place);
                let mut coded = Codes::with_capacity(width, block.rows());
                match differences.get(&attribute) {
                    Some((difference, before, (own, earlier))) => {
                        let rows = numbers_at(*before).into_iter().zip(numbers);
                        let code = |(before, number): (u32, u32)| {
                            difference.code(earlier[before as usize], own[number as usize])
                        };
                        coded.extend(rows.map(code));
                    }
                    None => coded.extend(numbers.into_iter().map(|number| code_at(codes, number))),
                }
                coded
            });
            builder.append(&Block::new(block.rows(), coded.collect()))
        })?;
        Ok(PrivateTable(CodedTable { schema, store: builder.finish()? }))
    }
}

fn code_at(codes: &Codes, number: u32) -> u32 {
    match codes {
        Codes::U8(codes) => u32::from(codes[number as usize]),
        Codes::U16(codes) => u32::from(codes[number as usize]),
        Codes::U32(codes) => codes[number as usize],
    }
}

fn left_out(name: &str) -> TableError {
    TableError::Schema(SchemaError::Column {
        column: name.to_owned(),
        what: "was not kept when the rows were read".to_owned(),
        help: "this is a mistake in lookalike".to_owned(),
    })
}

/// What is being read, once the header is known.
#[derive(Default)]
struct Reading(Option<Intake>);

/// Rows on their way in.
struct Intake {
    names: Vec<String>,
    places: Vec<Option<usize>>,
    texts: Vec<Texts>,
    /// The numbers of the rows gathered, a vector a column, digests of rows first.
    gathered: Vec<Vec<u32>>,
    tags: Vec<Option<crate::read::Tag>>,
    bounder: Option<(Bounder, PersonKey, usize)>,
    builder: BlockBuilder,
    digest: Option<(RecordDigest, RecordSums, [Vec<u8>; 2])>,
    memory: u64,
}

impl Intake {
    fn new(
        names: &[String],
        kept: &[bool],
        memory: u64,
        bounds: Option<&Bounds<'_>>,
        missing: &[String],
        digest: Option<DigestWish<'_>>,
    ) -> Result<Self, TableError> {
        let mut columns = 0;
        let places = kept.iter().map(|&kept| {
            columns += usize::from(kept);
            kept.then(|| columns - 1)
        });
        let places: Vec<Option<usize>> = places.collect();
        let words = if bounds.is_some() { DIGEST_WORDS } else { 0 };
        let bounder = match bounds {
            None => None,
            Some(bounds) => {
                let id = bounds.person_column(names)?;
                let bounder = Bounder::of_digests(bounds.persons(), words, words + columns, memory);
                Some((bounder, bounds.key_without_schema(missing), id))
            }
        };
        let all = vec![Width::Four; words + columns];
        let rows = block_rows(&all);
        // A quarter for texts, another for rows of persons.
        let for_rows = if bounds.is_some() { rows_memory(memory) } else { memory };
        let share = (memory / 4) as usize / columns.max(1);
        Ok(Self {
            names: names.to_vec(),
            places,
            texts: (0..columns).map(|_| Texts::new(share)).collect(),
            gathered: vec![Vec::new(); words + columns],
            tags: Vec::new(),
            bounder,
            builder: BlockBuilder::new(all, rows, for_rows - memory / 4),
            digest: digest.map(|wish| (RecordDigest::new(wish, names), RecordSums::default(), Default::default())),
            memory,
        })
    }

    fn take(&mut self, cells: &[&[u8]]) -> Result<(), TableError> {
        if let Some((digest, sums, scratch)) = &mut self.digest {
            digest.add(sums, |column| cells[column], scratch);
        }
        let words = self.gathered.len() - self.texts.len();
        for (cell, place) in cells.iter().zip(&self.places) {
            if let Some(place) = *place {
                self.gathered[words + place].push(self.texts[place].number(as_value(cell))?);
            }
        }
        if let Some((_, key, id)) = &self.bounder {
            let kept = cells.iter().zip(&self.places).filter(|(_, place)| place.is_some());
            let content = key.of_content(kept.map(|(cell, _)| as_value(cell)));
            self.gathered.iter_mut().zip(content).for_each(|(column, word)| column.push(word));
            self.tags.push(key.of_cell(cells[*id]));
        }
        match self.gathered.first() {
            Some(first) if first.len() >= STRIPE => self.keep(),
            _ => Ok(()),
        }
    }

    fn keep(&mut self) -> Result<(), TableError> {
        let rows = self.gathered.first().map_or(0, Vec::len);
        let columns = self.gathered.iter_mut().map(|column| Codes::U32(std::mem::take(column)));
        let block = Block::new(rows, columns.collect());
        match &mut self.bounder {
            Some((bounder, ..)) => bounder.take(&block, &std::mem::take(&mut self.tags)),
            None => self.builder.append(&block),
        }
    }

    fn finish(mut self, watch: &dyn ReadWatch) -> Result<(RawCells, Option<Digests>), TableError> {
        self.keep()?;
        let words = self.gathered.len() - self.texts.len();
        if let Some((bounder, key, _)) = self.bounder.take() {
            bounder.finish(&key, &mut self.builder, watch)?;
        }
        let digests = self.digest.map(|(digest, sums, _)| digest.finish(sums, None));
        // Digests of rows stand before the texts.
        let places = self.places.into_iter().map(|place| place.map(|place| place + words)).collect();
        let texts = (0..words).map(|_| Texts::new(0)).chain(self.texts).collect();
        let store = self.builder.finish()?;
        Ok((RawCells { names: self.names, places, texts, store, memory: self.memory }, digests))
    }
}
