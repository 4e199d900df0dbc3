//! Drafting and checking schemas against rows. Steward-only: rows are looked at without paying.

use lookalike_schema::draft::{Draft, Drafter};
use lookalike_schema::{Codec, Role, Schema};
use lookalike_table::read::for_each_record;
use lookalike_table::{Input, ReadOptions};

use crate::input::Watch;
use crate::{Cancel, Error, Observer};

/// What [`check_against`] found. Steward-only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The number of rows.
    pub rows: u64,
    /// The columns with cells that the schema does not cover, and how many.
    pub outside: Vec<(String, u64)>,
}

/// A first schema; every fact that was read from the rows is marked for review. Steward-only.
pub fn draft_schema(
    input: &Input,
    options: &ReadOptions,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Result<Draft, Error> {
    observer.phase("reading");
    let mut drafter: Option<Drafter> = None;
    let drafter_cell = std::cell::RefCell::new(&mut drafter);
    for_each_record(
        input,
        options,
        &Watch { observer, cancel },
        &mut |header| {
            **drafter_cell.borrow_mut() = Some(Drafter::new(header)?.with_delimiter(options.delimiter));
            Ok(())
        },
        &mut |cells| {
            if let Some(drafter) = drafter_cell.borrow_mut().as_mut() {
                drafter.observe(cells);
            }
        },
    )?;
    let drafter = drafter.ok_or_else(|| Error::fault("a table without a header was read"))?;
    Ok(drafter.finish()?)
}

/// How many cells of a table fall outside of the schema, column by column. Steward-only.
pub fn check_against(
    schema: &Schema,
    input: &Input,
    options: &ReadOptions,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Result<Checked, Error> {
    observer.phase("reading");
    let options = ReadOptions { delimiter: options.delimiter.or(schema.delimiter()), ..options.clone() };
    let tally = std::cell::RefCell::new(Tally::default());
    for_each_record(
        input,
        &options,
        &Watch { observer, cancel },
        &mut |header| {
            *tally.borrow_mut() = Tally::new(&schema.arranged(header)?, header);
            Ok(())
        },
        &mut |cells| tally.borrow_mut().observe(cells),
    )?;
    Ok(tally.into_inner().finish())
}

/// Counts cells that the schema does not cover.
#[derive(Default)]
struct Tally {
    rows: u64,
    /// Place in the record, name, codec and count of each modelled column.
    columns: Vec<(usize, String, Codec, u64)>,
}

impl Tally {
    fn new(schema: &Schema, header: &[String]) -> Self {
        let columns = schema.columns().iter().filter_map(|column| {
            let place = header.iter().position(|name| *name == column.name)?;
            match &column.role {
                Role::Modelled(codec) => Some((place, column.name.clone(), codec.clone(), 0)),
                _ => None,
            }
        });
        Self { rows: 0, columns: columns.collect() }
    }

    fn observe(&mut self, cells: &[&[u8]]) {
        self.rows += 1;
        for (place, _, codec, outside) in &mut self.columns {
            if cells.get(*place).is_some_and(|cell| !codec.covers_text(cell)) {
                *outside += 1;
            }
        }
    }

    fn finish(self) -> Checked {
        let outside = self.columns.into_iter().filter(|column| column.3 > 0).map(|column| (column.1, column.3));
        Checked { rows: self.rows, outside: outside.collect() }
    }
}
