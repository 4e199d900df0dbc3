//! The part of a run in which facts of its schema are bought.

use std::sync::OnceLock;

use lookalike_curator::{CellCurator, Counts};
use lookalike_discovery::discover;
use lookalike_privacy::{Ledger, NoiseBits};
use lookalike_schema::{OpenSchema, Schema, SchemaError, suggestion};
use lookalike_table::read::{HeaderForm, header_form};
use lookalike_table::{DigestWish, RawCells, ReadOptions, RowSource};

use super::KnownSchema;
use super::check::CheckedRun;
use super::fit::{Taken, TakenRows};
use crate::error::{Error, SettingError};
use crate::watch::Watch;

/// Rows that are counted, their schema, the account and the noise: as a run without discovery has
/// them.
type Coded = (Box<dyn Counts>, Schema, Ledger, Box<dyn NoiseBits>);

impl CheckedRun<'_> {
    /// Reads the rows as texts. Whether the header goes with the settings is judged before the
    /// first of them.
    pub(super) fn take_cells(
        &self,
        rows: RowSource<'_>,
        open: &OpenSchema,
        wish: Option<DigestWish<'_>>,
    ) -> Result<Taken, Error> {
        if wish.as_ref().is_some_and(|wish| wish.older) {
            return Err(SettingError::LedgerOfCodes.into());
        }
        let watch = Watch { observer: self.observer, cancel: &self.cancel };
        let read = ReadOptions {
            delimiter: self.read.delimiter.or_else(|| open.delimiter()),
            encoding: self.read.encoding.or_else(|| open.encoding()),
            multiline: self.read.multiline || open.multiline(),
            ..self.read.clone()
        };
        let mut kept = |names: &[String]| {
            open.wishes(names)?;
            self.check_names(names, &open.kept(names))?;
            Ok(open.kept(names))
        };
        let missing = open.missing_tokens();
        let persons = (self.persons.as_ref(), missing.as_slice());
        let (form, (cells, digests)) = match rows {
            RowSource::Input(input) => {
                let form = header_form(input, &read)?;
                (form, RawCells::take(RowSource::Input(input), &read, persons, wish, &mut kept, &watch)?)
            }
            RowSource::Batches(batches) => {
                // What the first batch says of its columns is known once it has come.
                let form = OnceLock::new();
                let mut told = batches.inspect(|batch| {
                    if let Ok(batch) = batch {
                        form.get_or_init(|| HeaderForm::of_batches(&batch.schema()));
                    }
                });
                let taken = RawCells::take(RowSource::Batches(&mut told), &read, persons, wish, &mut kept, &watch)?;
                (form.into_inner().unwrap_or_default(), taken)
            }
        };
        Ok(Taken { rows: TakenRows::Cells(cells, form), digests, source: None })
    }

    /// Columns that a request names must be there: after discovery it would be too late to say so.
    fn check_names(&self, names: &[String], kept: &[bool]) -> Result<(), SchemaError> {
        let none = |column: &str, what: &str| SchemaError::Column {
            column: column.to_owned(),
            what: what.to_owned(),
            help: "correct the name".to_owned(),
        };
        if kept.iter().all(|kept| !kept) {
            return Err(SchemaError::Whole {
                what: "every column is left out".to_owned(),
                help: "model at least one".to_owned(),
            });
        }
        let asked = self.request.workload.iter().flat_map(|workload| workload.columns()).chain(&self.request.target);
        for column in asked {
            if !names.iter().zip(kept).any(|(name, kept)| *kept && name == column) {
                let held = names.iter().zip(kept).filter(|(_, kept)| **kept).map(|(name, _)| name.as_str());
                let near = suggestion(column, held);
                return Err(none(column, &format!("is asked for, and is not among the columns of the release{near}")));
            }
        }
        Ok(())
    }

    /// Buys what is open, and codes the rows by it.
    pub(super) fn discover(
        &self,
        cells: RawCells,
        form: HeaderForm,
        ledger: Ledger,
        noise: Box<dyn NoiseBits>,
    ) -> Result<Coded, Error> {
        let KnownSchema::Open(open) = &self.schema else {
            return Err(Error::fault("cells were kept of a table whose schema is known"));
        };
        self.observer.phase("discovering");
        let (mut door, total) = CellCurator::begin(cells, ledger, noise, self.cancel.clone(), self.discover_share)?;
        #[cfg(feature = "test-noise")]
        self.testing.put_recording_of_cells(&mut door);
        let found = discover(&mut door, open, total, self.budget.is_pure())?;
        found.notes.iter().for_each(|note| self.observer.note(note));
        let (cells, ledger, noise) = door.close();
        let method = &self.chosen.method;
        // The header is no row, so rows may be written as it is.
        let written = found.schema.written_like(form.text.unwrap_or_default()).stored_like(&form.stored)?;
        let schema = method.coding(&written)?;
        method.accept(&schema, self.neighbours, self.budget, &self.request)?;
        let table = cells.coded(&schema)?;
        let schema = table.schema().clone();
        Ok((Box::new(table), schema, ledger, noise))
    }
}
