//! Standard input, pipes and servers' tables that are to be read more than once.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom};
use std::sync::Arc;

use arrow_ipc::writer::StreamWriter;
use arrow_schema::ArrowError;

use super::input::{Input, Kept, ReadWatch};
use super::patient::Patient;
use super::remote::Batches;
use super::source::{Source, from_file, open_file, read_error, to_temporary_file};
use crate::error::TableError;

impl Kept {
    pub(super) fn open(&self) -> Result<Source<'static>, TableError> {
        let failed = |error| read_error(&self.name, error);
        let mut file = self.file.try_clone().map_err(failed)?;
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        from_file(self.name.clone(), "".as_ref(), file, size)
    }
}

impl Input {
    /// The same input in a form that can be read again and again: standard input and pipes are read
    /// to their end and laid into an unnamed private temporary file. Steward-only, since a release
    /// reads its table once.
    ///
    /// `Err` when it cannot be read or laid down, or when the watch asked to stop.
    pub fn kept(self, watch: &dyn ReadWatch) -> Result<Self, TableError> {
        let name = self.name();
        let stream = match &self {
            Self::Kept(_) | Self::Batches(_) | Self::Files(_) => return Ok(self),
            Self::Remote(remote) => {
                let file = fetched_to_file(remote.rows().open(watch)?)?;
                return Ok(Self::Kept(Kept { name, file: Arc::new(file) }));
            }
            Self::Stdin => Patient::new(io::stdin(), watch),
            Self::Path(_) if self.files()?.is_some() => return Ok(self),
            Self::Path(path) => {
                let file = open_file(path, &name)?;
                if file.metadata().is_ok_and(|about| about.is_file()) {
                    return Ok(self);
                }
                Patient::new(file, watch)
            }
        };
        let file = to_temporary_file(&name, stream)?;
        Ok(Self::Kept(Kept { name, file: Arc::new(file) }))
    }
}

/// Lays a server's rows into an unnamed private temporary file, so that all readings are of the
/// same rows in the same order.
fn fetched_to_file(batches: Batches<'_>) -> Result<File, TableError> {
    let failed =
        |source: io::Error| TableError::Io { what: "keeping a server's rows to read them again".into(), source };
    let file = tempfile::tempfile().map_err(failed)?;
    let mut writer: Option<StreamWriter<BufWriter<&File>>> = None;
    let broken = |error: ArrowError| failed(io::Error::other(error));
    for batch in batches {
        let batch = batch?;
        let into = match &mut writer {
            Some(writer) => writer,
            none => none.insert(StreamWriter::try_new(BufWriter::new(&file), &batch.schema()).map_err(broken)?),
        };
        into.write(&batch).map_err(broken)?;
    }
    writer.as_mut().map_or(Ok(()), |writer| writer.finish().and_then(|()| writer.flush())).map_err(broken)?;
    drop(writer);
    Ok(file)
}
