//! Coded rows that are kept for a second release of the same data.

use std::fs::File;
use std::io;
use std::path::Path;

use lookalike_schema::Schema;
use lookalike_table::{Digests, Persons, PrivateTable};
use serde::{Deserialize, Serialize};

use crate::error::{Error, FileFault};
use crate::hash::sha256;
use crate::output::WholeFile;

/// What kept rows were made for: rows of another run are refused.
#[derive(Serialize, Deserialize)]
pub(super) struct CodedFacts {
    /// The digest of the schema that cells were coded with.
    schema: String,
    /// The column of persons and their most rows.
    unit: Option<(String, u32)>,
    /// What tells the ledger's data set, where there is one.
    ledger: Option<String>,
    /// The digest of the files' paths, sizes and times of change.
    files: Option<String>,
    /// The columns in the order in which they are coded.
    #[serde(default)]
    columns: Vec<String>,
    /// What the ledger knows the rows by.
    #[serde(default)]
    digests: Option<KeptDigests>,
}

/// Digests of rows. No `Debug`: they must not be printed.
#[derive(Clone, Serialize, Deserialize)]
struct KeptDigests {
    records: [u8; 32],
    older: Option<[u8; 32]>,
}

impl CodedFacts {
    pub fn new(coding: &Schema, persons: Option<&Persons>, ledger: Option<String>, stamp: Option<Vec<u8>>) -> Self {
        Self {
            schema: sha256(coding.to_json().to_string().as_bytes()),
            unit: persons.map(|persons| (persons.column.clone(), persons.most)),
            ledger,
            files: stamp.map(|stamp| sha256(&stamp)),
            columns: Vec::new(),
            digests: None,
        }
    }

    /// The rows that were kept; `None` when there is no file yet.
    ///
    /// `Err` when the file is damaged, or was written for another run.
    pub fn reopen(
        &self,
        path: &Path,
        coding: &Schema,
        memory: u64,
    ) -> Result<Option<(PrivateTable, Option<Digests>)>, Error> {
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(|error| Error::reading(path, error))?,
        };
        let mut digests = None;
        let table = PrivateTable::read_coded(file, &path.display().to_string(), memory, |note| {
            let other = |other| Error::file(path, FileFault::OtherCoded { other });
            let noted: Self = serde_json::from_slice(note).map_err(|_| other("another version"))?;
            self.is_same(&noted).map_err(other)?;
            digests = noted.digests.map(|kept| Digests { records: kept.records, older: kept.older, second: None });
            Ok::<Schema, Error>(coding.arranged(&noted.columns)?)
        })?;
        Ok(Some((table, digests)))
    }

    /// `Err` with what is not the same.
    fn is_same(&self, noted: &Self) -> Result<(), &'static str> {
        let compared = [
            (self.schema == noted.schema, "other columns, or of a method that codes them otherwise"),
            (self.unit == noted.unit, "other persons, or another contribution"),
            (self.ledger == noted.ledger, "another ledger or data set"),
            (self.files == noted.files, "other files, or of files that changed since"),
        ];
        compared.into_iter().find(|(same, _)| !same).map_or(Ok(()), |(_, other)| Err(other))
    }

    /// Keeps the rows in a new file that only its owner may read, whole or not at all.
    pub fn keep(self, path: &Path, table: &PrivateTable, digests: Option<&Digests>) -> Result<(), Error> {
        let schema = table.schema();
        let noted = Self {
            columns: schema.columns().iter().map(|column| column.name.clone()).collect(),
            digests: digests.map(|it| KeptDigests { records: it.records, older: it.older }),
            ..self
        };
        let note = serde_json::to_vec(&noted).map_err(|_| Error::fault("facts that cannot be written"))?;
        let file = WholeFile::create_private(path, false)?;
        table.write_coded(&note, &mut file.writer()?)?;
        file.finish()
    }
}
