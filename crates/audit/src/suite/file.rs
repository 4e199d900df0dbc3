//! Results that survive a stop: one JSON line an audit, appended and flushed.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::list::Audit;
use super::result::AuditResult;
use crate::AuditError;

/// The rows that are there already, and where new ones go.
#[derive(Debug, Default)]
pub struct ResultsFile {
    rows: Vec<AuditResult>,
    file: Option<(PathBuf, File)>,
}

impl ResultsFile {
    /// Rows in memory alone.
    pub fn new() -> Self {
        Self::default()
    }

    /// Opens or makes the file. Lines that are no rows are passed over: a stop may have torn the
    /// last one.
    pub fn open(path: &Path) -> Result<Self, AuditError> {
        let failed = |error| AuditError::File { path: path.display().to_string(), error };
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let rows = bytes.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
        // What follows must not be glued to a torn line.
        if bytes.last().is_some_and(|&byte| byte != b'\n') {
            file.write_all(b"\n").map_err(failed)?;
        }
        Ok(Self { rows, file: Some((path.to_owned(), file)) })
    }

    /// The rows so far.
    pub fn rows(&self) -> &[AuditResult] {
        &self.rows
    }

    /// The row of this very audit.
    pub fn find(&self, audit: &Audit) -> Option<&AuditResult> {
        self.rows.iter().find(|row| row.audit == audit.id)
    }

    /// Keeps a finished row, on the disk if there is a file.
    pub fn keep(&mut self, row: &AuditResult) -> Result<(), AuditError> {
        if let Some((path, file)) = &mut self.file {
            let failed = |error| AuditError::File { path: path.display().to_string(), error };
            let mut line = serde_json::to_string(row).map_err(|error| failed(error.into()))?;
            line.push('\n');
            file.write_all(line.as_bytes()).and_then(|()| file.sync_data()).map_err(failed)?;
        }
        self.rows.push(row.clone());
        Ok(())
    }
}
