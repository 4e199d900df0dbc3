//! Coded rows that are kept for a second release of the same data.

use std::fs::File;
use std::io;
use std::path::Path;

use lookalike_schema::Schema;
use lookalike_table::{Digests, Persons, PrivateTable, SourceFacts};
use serde::{Deserialize, Serialize};

use crate::entropy::random_u64;
use crate::error::{Error, FileFault};
use crate::hash::sha256;
use crate::ledger::Account;
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
    /// The digest of the files' paths, sizes and times of change, or of where else rows lie.
    files: Option<String>,
    /// The columns in the order in which they are coded.
    #[serde(default)]
    columns: Vec<String>,
    /// What the ledger knows the rows by.
    #[serde(default)]
    digests: Option<SealedDigests>,
    /// Where rows came from, for the statement.
    #[serde(default)]
    source: Option<KeptSource>,
}

/// Digests of rows, which nobody can read without the ledger.
#[derive(Serialize, Deserialize)]
struct SealedDigests {
    /// Never the same twice.
    salt: [u8; 16],
    records: [u8; 32],
    older: Option<[u8; 32]>,
}

impl SealedDigests {
    fn new(digests: &Digests, account: &Account) -> Result<Self, Error> {
        let halves = [random_u64()?.to_le_bytes(), random_u64()?.to_le_bytes()].concat();
        let salt = std::array::from_fn(|at| halves[at]);
        let Digests { records, older, .. } = *digests;
        Ok(Self { salt, records: Self::turned(account, salt, 0, records), older: Self::older(account, salt, older) })
    }

    fn opened(&self, account: &Account) -> Digests {
        let records = Self::turned(account, self.salt, 0, self.records);
        Digests { records, older: Self::older(account, self.salt, self.older), second: None }
    }

    fn older(account: &Account, salt: [u8; 16], older: Option<[u8; 32]>) -> Option<[u8; 32]> {
        older.map(|older| Self::turned(account, salt, 1, older))
    }

    /// Sealed, or opened again.
    fn turned(account: &Account, salt: [u8; 16], which: u8, digest: [u8; 32]) -> [u8; 32] {
        let mut place = [which; 17];
        place[..16].copy_from_slice(&salt);
        account.sealed(&place, digest)
    }
}

/// [`SourceFacts`] in the file.
#[derive(Serialize, Deserialize)]
struct KeptSource {
    engine: String,
    version: String,
    rows_of: String,
    assumes: Option<String>,
}

/// Rows that were kept, and what was noted of them.
pub(super) struct Reopened {
    pub table: PrivateTable,
    pub digests: Option<Digests>,
    pub source: Option<SourceFacts>,
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
            source: None,
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
        account: Option<&Account>,
    ) -> Result<Option<Reopened>, Error> {
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(|error| Error::reading(path, error))?,
        };
        let (mut digests, mut source) = (None, None);
        let table = PrivateTable::read_coded(file, &path.display().to_string(), memory, |note| {
            let other = |other| Error::file(path, FileFault::OtherCoded { other });
            let noted: Self = serde_json::from_slice(note).map_err(|_| other("another version"))?;
            self.is_same(&noted).map_err(other)?;
            digests = noted.digests.zip(account).map(|(sealed, account)| sealed.opened(account));
            source = noted.source.map(|KeptSource { engine, version, rows_of, assumes }| SourceFacts {
                engine,
                version,
                rows_of,
                assumes,
            });
            Ok::<Schema, Error>(coding.arranged(&noted.columns)?)
        })?;
        Ok(Some(Reopened { table, digests, source }))
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
    pub fn keep(
        self,
        path: &Path,
        table: &PrivateTable,
        known: Option<(&Digests, &Account)>,
        source: Option<SourceFacts>,
    ) -> Result<(), Error> {
        let schema = table.schema();
        let source = source.map(|SourceFacts { engine, version, rows_of, assumes }| KeptSource {
            engine,
            version,
            rows_of,
            assumes,
        });
        let noted = Self {
            columns: schema.columns().iter().map(|column| column.name.clone()).collect(),
            digests: known.map(|(digests, account)| SealedDigests::new(digests, account)).transpose()?,
            source,
            ..self
        };
        let note = serde_json::to_vec(&noted).map_err(|_| Error::fault("facts that cannot be written"))?;
        let file = WholeFile::create_private(path, false)?;
        table.write_coded(&note, &mut file.writer()?)?;
        file.finish()
    }
}
