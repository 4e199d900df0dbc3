//! Raw tables by name: files of a folder, or generated ones.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use lookalike::{HeldBatches, Input, Release, read_schema};
use lookalike_evaluate::raw::RawTable;
use lookalike_schema::Schema;
use lookalike_table::RawFile;
use tempfile::TempDir;

use super::generated::{self, GENERATED_RAW};
use super::hints::TargetHints;
use crate::run::{Quiet, read_options};

/// A table as files, with its rows in memory.
pub struct OpenRaw {
    /// The rows' file.
    pub csv: PathBuf,
    /// The public facts.
    pub schema: Schema,
    /// The cells as they stand.
    pub cells: RawTable,
    /// What to predict.
    pub hints: TargetHints,
}

/// Where raw tables are: a folder, and a temporary one into which generated ones are written when
/// first needed.
pub struct RawFolders {
    given: Option<PathBuf>,
    generated: TempDir,
}

impl RawFolders {
    /// The folder `raw` of the data folder, where there is one.
    pub fn new(data: Option<&Path>) -> Result<Self> {
        let given = data.map(|data| data.join("raw")).filter(|folder| folder.is_dir());
        Ok(Self { given, generated: TempDir::new()? })
    }

    /// The names of the given tables, in order; none without a folder.
    pub fn given(&self) -> Result<Vec<String>> {
        let Some(folder) = &self.given else { return Ok(Vec::new()) };
        let mut names = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "toml") && path.with_extension("csv").is_file() {
                names.extend(path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned));
            }
        }
        names.sort();
        Ok(names)
    }

    /// Opens a table: a given one before a generated one of the same name.
    pub fn open(&self, name: &str) -> Result<OpenRaw> {
        let given = self.given.as_ref().filter(|folder| folder.join(format!("{name}.toml")).is_file());
        let folder = match (given, generated::find(name)?) {
            (Some(folder), _) => folder,
            (None, Some((table, rows))) => {
                table.write(name, rows, self.generated.path())?;
                self.generated.path()
            }
            (None, None) => {
                let names = GENERATED_RAW.map(|table| table.name).join(", ");
                let given = match &self.given {
                    Some(folder) => format!("{} has none of this name", folder.display()),
                    None => "LOOKALIKE_DATA names no folder that has a folder `raw`".to_owned(),
                };
                bail!("no raw table is called {name:?}: {given}, and generated ones are {names}")
            }
        };
        OpenRaw::open(folder, name)
    }
}

impl OpenRaw {
    fn open(folder: &Path, name: &str) -> Result<Self> {
        let path = |suffix: &str| folder.join(format!("{name}.{suffix}"));
        let csv = path("csv");
        let schema = read_schema(&path("toml"))?;
        let hints = match std::fs::read_to_string(path("hints.json")) {
            Ok(text) => serde_json::from_str(&text).with_context(|| format!("{name}.hints.json is not ours"))?,
            Err(_) => TargetHints::default(),
        };
        let cells = read_cells(&csv, &schema)?;
        Ok(Self { csv, schema, cells, hints })
    }

    /// The synthetic rows of a release of this table, decoded.
    pub fn decoded(&self, release: &Release) -> Result<RawTable> {
        let file = RawFile::for_steward_only(
            Input::Batches(HeldBatches::new(release.synthetic_rows()?)),
            self.schema.clone(),
            read_options(),
        );
        Ok(RawTable::read(&file, &self.schema, None, &Quiet)?)
    }
}

/// The cells of a file as they stand.
pub fn read_cells(csv: &Path, schema: &Schema) -> Result<RawTable> {
    let file = RawFile::for_steward_only(Input::Path(csv.to_owned()), schema.clone(), read_options());
    Ok(RawTable::read(&file, schema, None, &Quiet)?)
}
