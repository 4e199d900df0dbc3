//! Generated tables as files.

use std::path::PathBuf;

use anyhow::{Context, Result};

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
