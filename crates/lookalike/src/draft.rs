//! Drafting and checking schemas against rows. Steward-only: rows are looked at without paying.

use std::cell::RefCell;
use std::collections::HashMap;

use lookalike_schema::draft::{Draft, Drafter};
use lookalike_schema::{Codec, OpenSchema, Schema, SchemaError};
use lookalike_table::read::{HeaderForm, Shapes, for_each_record_in_shape, header_form};
use lookalike_table::{Input, ReadOptions};

use crate::error::Error;
use crate::input::as_the_schema_says;
use crate::proposals::{RuleFinder, SeenRule};
use crate::watch::Watch;
use crate::{Cancel, Observer};

/// A quoted field of more lines is rather two stray quotes: reading it whole is not proposed.
const MOST_LINES: u64 = 100;

/// What [`check_against`] found. Steward-only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The number of rows.
    pub rows: u64,
    /// The columns with cells that the schema does not cover, and how many.
    pub outside: Vec<(String, u64)>,
    /// The columns with values of which not one is what the schema describes: a release would have
    /// nothing of them.
    pub lost: Vec<String>,
    /// Cells that are not UTF-8, as in a file of another encoding.
    pub undecodable: u64,
    /// Records of a text file that are not what they should be.
    pub shapes: Shapes,
    /// The places of columns without a name in the header, the first being 1.
    pub unnamed: Vec<usize>,
    /// Rules that every row keeps and that the schema does not state, for
    /// [`propose_rules`](crate::propose_rules).
    pub rules: Vec<SeenRule>,
}

/// A first schema; every fact that was read from the rows is marked for review. Steward-only.
///
/// Lines are taken as records. Where quoted fields with a line end inside are seen, a file is read
/// once more with them whole, and `multiline = true` is proposed; standard input cannot be read
/// twice, so its other facts are then those of lines.
pub fn draft_schema(
    input: &Input,
    options: &ReadOptions,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Result<Draft, Error> {
    observer.phase("reading");
    let watch = Watch { observer, cancel };
    let any = |_: &[String]| Ok(());
    let (mut drafter, shapes) = watched(input, options, &watch, &any)?;
    let spans = shapes.spanning.records > 0 && shapes.longest <= MOST_LINES;
    let multiline = options.multiline || spans;
    if multiline && !options.multiline && input.can_be_read_again() {
        (drafter, _) = watched(input, &ReadOptions { multiline, ..options.clone() }, &watch, &any)?;
    }
    let HeaderForm { text, stored } = header_form(input, options)?;
    Ok(drafter.with_multiline(multiline).with_form(text.unwrap_or_default()).with_stored(stored).finish()?)
}

/// What the rows hold of each column of a schema that is reviewed, by name, in a few lines.
/// Steward-only.
pub fn sketch_columns(
    schema: &OpenSchema,
    input: &Input,
    options: &ReadOptions,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Result<HashMap<String, Vec<String>>, Error> {
    observer.phase("reading");
    let delimiter = options.delimiter.or(schema.delimiter());
    let encoding = options.encoding.or(schema.encoding());
    let options = ReadOptions { delimiter, encoding, multiline: schema.multiline(), ..options.clone() };
    let fits = |header: &[String]| schema.wishes(header).map(drop);
    let (drafter, _) = watched(input, &options, &Watch { observer, cancel }, &fits)?;
    Ok(drafter.sketches())
}

/// A drafter that has watched all records under a header that was checked.
fn watched(
    input: &Input,
    options: &ReadOptions,
    watch: &Watch<'_>,
    check: &dyn Fn(&[String]) -> Result<(), SchemaError>,
) -> Result<(Drafter, Shapes), Error> {
    let drafter: RefCell<Option<Drafter>> = RefCell::new(None);
    let mut shapes = Shapes::default();
    for_each_record_in_shape(
        input,
        options,
        watch,
        &mut |header| {
            check(header)?;
            *drafter.borrow_mut() =
                Some(Drafter::new(header)?.with_delimiter(options.delimiter).with_encoding(options.encoding));
            Ok(())
        },
        &mut |cells| {
            if let Some(drafter) = drafter.borrow_mut().as_mut() {
                drafter.observe(cells);
            }
        },
        Some(&mut shapes),
    )?;
    let drafter = drafter.into_inner().ok_or_else(|| Error::fault("a table without a header was read"))?;
    Ok((drafter, shapes))
}

/// Reads the whole table and counts, column by column, the cells that the schema does not cover;
/// and looks over the records of a text file. Steward-only.
pub fn check_against(
    schema: &Schema,
    input: &Input,
    options: &ReadOptions,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Result<Checked, Error> {
    observer.phase("reading");
    let tally = RefCell::new(Tally::default());
    let rules = RefCell::new(RuleFinder::default());
    let mut shapes = Shapes::default();
    for_each_record_in_shape(
        input,
        &as_the_schema_says(options, schema),
        &Watch { observer, cancel },
        &mut |header| {
            let arranged = schema.arranged(header)?;
            *tally.borrow_mut() = Tally::new(&arranged, header);
            *rules.borrow_mut() = RuleFinder::new(&arranged, header);
            Ok(())
        },
        &mut |cells| {
            tally.borrow_mut().observe(cells);
            rules.borrow_mut().observe(cells);
        },
        Some(&mut shapes),
    )?;
    let rules = rules.into_inner().finish();
    Ok(Checked { rules, ..tally.into_inner().finish(shapes) })
}

/// Counts cells that the schema does not cover.
#[derive(Default)]
struct Tally {
    rows: u64,
    undecodable: u64,
    unnamed: Vec<usize>,
    columns: Vec<TalliedColumn>,
}

/// A modelled column, its place in the record, and counts of its cells.
struct TalliedColumn {
    place: usize,
    name: String,
    codec: Codec,
    /// Cells that the schema does not cover.
    outside: u64,
    /// Cells that are not missing, and those of them inside the range or among the words.
    values: u64,
    fitting: u64,
}

impl Tally {
    fn new(schema: &Schema, header: &[String]) -> Self {
        let columns = schema.columns().iter().filter_map(|column| {
            let place = header.iter().position(|name| *name == column.name)?;
            column.codec()?;
            let (name, codec) = (column.name.clone(), column.written_codec()?.clone());
            Some(TalliedColumn { place, name, codec, outside: 0, values: 0, fitting: 0 })
        });
        let unnamed = header.iter().zip(1..).filter(|(name, _)| name.trim().is_empty()).map(|(_, place)| place);
        Self { rows: 0, undecodable: 0, unnamed: unnamed.collect(), columns: columns.collect() }
    }

    fn observe(&mut self, cells: &[&[u8]]) {
        self.rows += 1;
        self.undecodable += cells.iter().filter(|cell| std::str::from_utf8(cell).is_err()).count() as u64;
        for column in &mut self.columns {
            let Some(cell) = cells.get(column.place) else { continue };
            let fits = column.codec.fits_text(cell);
            column.values += u64::from(fits.is_some());
            column.fitting += u64::from(fits == Some(true));
            column.outside += u64::from(!fits.unwrap_or(column.codec.missing_code().is_some()));
        }
    }

    fn finish(self, shapes: Shapes) -> Checked {
        let lost = self.columns.iter().filter(|column| column.values > 0 && column.fitting == 0);
        let lost = lost.map(|column| column.name.clone()).collect();
        let outside = self.columns.into_iter().filter(|column| column.outside > 0);
        let outside = outside.map(|column| (column.name, column.outside)).collect();
        let (rows, undecodable, unnamed) = (self.rows, self.undecodable, self.unnamed);
        Checked { rows, outside, lost, undecodable, shapes, unnamed, rules: Vec::new() }
    }
}
