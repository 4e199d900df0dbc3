//! Where tables are: in the data folder, or generated.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::grid::cells::is_generated;
use crate::measure::say;
use crate::simulate::{TABLES, files};

#[derive(clap::Args)]
pub struct TablesArgs {
    /// Generated tables, by name: NAME, or NAME@ROWS; the list of them when left out.
    tables: Vec<String>,
    /// The folder for NAME.csv, NAME-domain.json and NAME-marginals.json.
    #[arg(long, default_value = ".")]
    out: PathBuf,
}

impl TablesArgs {
    pub fn run(&self) -> Result<()> {
        if self.tables.is_empty() {
            return TABLES.iter().try_for_each(|table| say(&format!("{:<13} {}", table.name, table.about)));
        }
        std::fs::create_dir_all(&self.out).with_context(|| format!("cannot make {}", self.out.display()))?;
        self.tables.iter().try_for_each(|table| files::write(table, &self.out))
    }
}

/// Where tables are: in the data folder, or in a temporary one into which they are generated when
/// first needed.
pub struct TableFolders<'a> {
    data: Option<&'a Path>,
    generated: Option<TempDir>,
}

impl<'a> TableFolders<'a> {
    pub fn new(data: Option<&'a Path>) -> Self {
        Self { data, generated: None }
    }

    pub fn folder(&mut self, table: &str) -> Result<PathBuf> {
        if !is_generated(table, self.data) {
            let data = self.data.context("which folder has the tables? set LOOKALIKE_DATA or give --data DIR")?;
            return Ok(data.to_owned());
        }
        let folder = match &mut self.generated {
            Some(folder) => folder,
            none => none.insert(TempDir::new()?),
        };
        if !folder.path().join(format!("{table}.csv")).exists() {
            files::write(table, folder.path())?;
        }
        Ok(folder.path().to_owned())
    }
}
