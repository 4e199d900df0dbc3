//! The texts of a column, each with a number: known ones are looked up, as far as memory allows.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

use crate::error::TableError;

/// Bytes that are gathered before they are kept.
const CHUNK: usize = 1 << 20;

/// Texts of up to 65,535 bytes, numbered in the order in which they came. Most of them are numbered
/// once; those that came when the memory for looking up was used up may have several numbers.
/// Private cells are inside: no `Debug`, no `Clone`.
pub(super) struct Texts {
    known: HashMap<Box<[u8]>, u32>,
    /// Bytes for looking up and for texts that may still be taken.
    look_up: usize,
    resident: usize,
    chunks: Vec<Vec<u8>>,
    current: Vec<u8>,
    /// A file without a name, and the bytes of the chunks in it.
    spilled: Option<(Mutex<File>, Vec<usize>)>,
    count: u32,
}

impl Texts {
    /// Within this many bytes; what is more goes to an unlinked temporary file.
    pub(super) fn new(memory: usize) -> Self {
        Self {
            known: HashMap::new(),
            look_up: memory / 2,
            resident: memory / 2,
            chunks: Vec::new(),
            current: Vec::new(),
            spilled: None,
            count: 0,
        }
    }

    /// How many numbers there are.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// The number of a text.
    pub(super) fn number(&mut self, text: &[u8]) -> Result<u32, TableError> {
        if let Some(number) = self.known.get(text) {
            return Ok(*number);
        }
        let number = self.count;
        self.count = number.checked_add(1).ok_or_else(too_many)?;
        let bytes = text.len() + 64;
        if bytes <= self.look_up {
            self.look_up -= bytes;
            self.known.insert(text.into(), number);
        }
        let length = u16::try_from(text.len()).unwrap_or(u16::MAX);
        self.current.extend_from_slice(&length.to_le_bytes());
        self.current.extend_from_slice(&text[..usize::from(length)]);
        if self.current.len() >= CHUNK {
            self.keep()?;
        }
        Ok(number)
    }

    fn keep(&mut self) -> Result<(), TableError> {
        let chunk = std::mem::take(&mut self.current);
        if self.spilled.is_none() && chunk.len() <= self.resident {
            self.resident -= chunk.len();
            self.chunks.push(chunk);
            return Ok(());
        }
        let failed = |source| TableError::Io { what: "writing texts to a temporary file".to_owned(), source };
        if self.spilled.is_none() {
            self.spilled = Some((Mutex::new(tempfile::tempfile().map_err(failed)?), Vec::new()));
        }
        let Some((file, sizes)) = &mut self.spilled else { return Ok(()) };
        let file = file.get_mut().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&chunk).map_err(failed)?;
        sizes.push(chunk.len());
        Ok(())
    }

    /// Calls `each` with every number and its text, in order.
    pub(super) fn for_each(&self, mut each: impl FnMut(u32, &[u8])) -> Result<(), TableError> {
        let mut number = 0;
        let mut go = |mut chunk: &[u8]| {
            while let Some((length, rest)) = chunk.split_first_chunk::<2>() {
                let (text, rest) = rest.split_at(usize::from(u16::from_le_bytes(*length)));
                each(number, text);
                number += 1;
                chunk = rest;
            }
        };
        self.chunks.iter().for_each(|chunk| go(chunk));
        if let Some((file, sizes)) = &self.spilled {
            let failed = |source| TableError::Io { what: "reading texts back".to_owned(), source };
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(0)).map_err(failed)?;
            for &size in sizes {
                let mut chunk = vec![0; size];
                file.read_exact(&mut chunk).map_err(failed)?;
                go(&chunk);
            }
        }
        go(&self.current);
        Ok(())
    }

    /// The bytes of all texts.
    pub(super) fn bytes(&self) -> usize {
        let spilled = self.spilled.as_ref().map_or(0, |(_, sizes)| sizes.iter().sum());
        self.chunks.iter().map(Vec::len).sum::<usize>() + spilled + self.current.len()
    }
}

fn too_many() -> TableError {
    let source = std::io::Error::other("more than four billion texts in a column");
    TableError::Io { what: "numbering texts".to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_in_order_whatever_the_memory() {
        let words: Vec<String> = (0..40_000).map(|row| format!("{:0>60}", row % 30_000)).collect();
        for (memory, count) in [(0, 40_000), (1 << 16, 40_000 - 264), (1 << 30, 30_000)] {
            let mut texts = Texts::new(memory);
            let numbers: Vec<u32> = words.iter().map(|word| texts.number(word.as_bytes()).unwrap()).collect();
            let mut back = vec![String::new(); texts.count() as usize];
            texts.for_each(|number, text| back[number as usize] = String::from_utf8(text.to_vec()).unwrap()).unwrap();
            assert!(numbers.iter().zip(&words).all(|(&number, word)| back[number as usize] == *word));
            assert_eq!(texts.count(), count, "{memory}");
            assert_eq!(texts.spilled.is_some(), memory < 1 << 20, "{memory}");
        }
    }
}
