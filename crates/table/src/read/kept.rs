//! Standard input and pipes that are to be read more than once.

use std::io::{self, Seek, SeekFrom};
use std::sync::Arc;

use super::input::{Input, Kept, ReadWatch};
use super::patient::Patient;
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
