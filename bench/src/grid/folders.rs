//! Where coded tables are: in the data folder, or generated.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::cells::is_generated;
use crate::simulate::files;

/// Where tables are: in the data folder, or in a temporary one into which they are generated when
/// first needed.
pub struct TableFolders<'a> {
    data: Option<&'a Path>,
    generated: Option<TempDir>,
}

impl<'a> TableFolders<'a> {
    /// With the data folder, where there is one.
    pub fn new(data: Option<&'a Path>) -> Self {
        Self { data, generated: None }
    }

    /// The folder that has the table's three files.
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
