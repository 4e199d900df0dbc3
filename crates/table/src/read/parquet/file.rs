//! A file that several threads read at once, each at its own place.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

/// Reads by position. (Parquet's own reader of a [`File`] moves one cursor that all clones share.)
#[derive(Clone)]
pub(in crate::read) struct Positional {
    file: Arc<File>,
    size: u64,
}

impl Positional {
    pub(in crate::read) fn new(file: File) -> io::Result<Self> {
        let size = file.metadata()?.len();
        Ok(Self { file: Arc::new(file), size })
    }

    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::read_at(&*self.file, buffer, at);
        #[cfg(windows)]
        return std::os::windows::fs::FileExt::seek_read(&*self.file, buffer, at);
    }
}

impl Length for Positional {
    fn len(&self) -> u64 {
        self.size
    }
}

impl ChunkReader for Positional {
    type T = BufReader<Place>;

    fn get_read(&self, start: u64) -> parquet::errors::Result<Self::T> {
        Ok(BufReader::new(Place { file: self.clone(), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<Bytes> {
        // Lengths come from the file: one that points beyond its end must not be allocated.
        if start.checked_add(length as u64).is_none_or(|end| end > self.size) {
            return Err(ParquetError::EOF("a piece lies beyond the end of the file".to_owned()));
        }
        let mut buffer = vec![0; length];
        Place { file: self.clone(), at: start }.read_exact(&mut buffer)?;
        Ok(buffer.into())
    }
}

/// A place in the file that moves on as it is read.
pub(in crate::read) struct Place {
    file: Positional,
    at: u64,
}

impl Read for Place {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(buffer, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}
