//! Generated tables as files.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::measure::say;
use crate::raw::generated::{self, GENERATED_RAW};
use crate::simulate::{TABLES, files};

#[derive(clap::Args)]
pub struct TablesArgs {
    /// Generated tables, by name: NAME, or NAME@ROWS; the list of them when left out.
    tables: Vec<String>,
    /// The folder for NAME.csv, NAME-domain.json and NAME-marginals.json; of a raw table for
    /// NAME.csv, NAME.toml and NAME.hints.json.
    #[arg(long, default_value = ".")]
    out: PathBuf,
}

impl TablesArgs {
    pub fn run(&self) -> Result<()> {
        if self.tables.is_empty() {
            let coded = TABLES.iter().map(|table| (table.name, table.about));
            let mut all = coded.chain(GENERATED_RAW.iter().map(|table| (table.name, table.about)));
            return all.try_for_each(|(name, about)| say(&format!("{name:<13} {about}")));
        }
        std::fs::create_dir_all(&self.out).with_context(|| format!("cannot make {}", self.out.display()))?;
        self.tables.iter().try_for_each(|name| match generated::find(name)? {
            Some((table, rows)) => table.write(name, rows, &self.out),
            None => files::write(name, &self.out),
        })
    }
}
