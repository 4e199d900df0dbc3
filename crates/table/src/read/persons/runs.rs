//! Records of one length, sorted by their bytes: in runs, of which those beyond a bound lie in a
//! temporary file.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use crate::error::TableError;

/// The most bytes of a run: sorting one takes a fraction of a second, so a stop need not wait for
/// it.
const MOST_BYTES: u64 = 32 << 20;
/// Shorter runs are not worth their places.
const LEAST_BYTES: u64 = 1 << 16;
/// What is read of a run at a time; with very many runs that is what bounds the memory.
const READ_BYTES: std::ops::RangeInclusive<u64> = 1 << 12..=1 << 18;

/// Records on their way into sorted runs. Private rows are inside: no `Debug`, no `Clone`.
pub(super) struct Runs {
    length: usize,
    /// How many bytes of runs may stay in memory.
    memory: u64,
    run_bytes: usize,
    /// The records of the next run, not sorted yet.
    next: Vec<u8>,
    resident: Vec<Vec<u8>>,
    resident_bytes: u64,
    /// A file without a name, and the bytes of the runs in it, one behind the other.
    spilled: Option<(File, Vec<u64>)>,
}

impl Runs {
    /// For records of `length` bytes, at least 8.
    pub(super) fn new(length: usize, memory: u64) -> Self {
        let bytes = (memory / 2).clamp(LEAST_BYTES, MOST_BYTES) as usize;
        let run_bytes = (bytes / length).max(1) * length;
        Self { length, memory, run_bytes, next: Vec::new(), resident: Vec::new(), resident_bytes: 0, spilled: None }
    }

    pub(super) fn record_bytes(&self) -> usize {
        self.length
    }

    /// How many records are worth handing over at a time.
    pub(super) fn records_at_once(&self) -> usize {
        self.run_bytes / self.length
    }

    /// Takes in whole records.
    pub(super) fn add(&mut self, mut records: &[u8]) -> Result<(), TableError> {
        while !records.is_empty() {
            let (now, later) = records.split_at(records.len().min(self.run_bytes - self.next.len()));
            self.next.extend_from_slice(now);
            records = later;
            if self.next.len() == self.run_bytes {
                self.close_run()?;
            }
        }
        Ok(())
    }

    fn close_run(&mut self) -> Result<(), TableError> {
        let run = sorted(&self.next, self.length);
        self.next.clear();
        let bytes = run.len() as u64;
        if self.spilled.is_none() && self.resident_bytes + bytes <= self.memory {
            self.resident_bytes += bytes;
            self.resident.push(run);
            return Ok(());
        }
        let (file, runs) = match &mut self.spilled {
            Some(spilled) => spilled,
            none => none.insert((tempfile::tempfile().map_err(failed)?, Vec::new())),
        };
        file.write_all(&run).map_err(failed)?;
        runs.push(bytes);
        Ok(())
    }

    /// All records in the order of their bytes. Nothing is left here.
    pub(super) fn merged(&mut self) -> Result<Merged, TableError> {
        if !self.next.is_empty() {
            self.close_run()?;
        }
        self.next = Vec::new();
        let mut runs: Vec<(Box<dyn Read>, u64)> = Vec::new();
        for run in self.resident.drain(..) {
            let records = (run.len() / self.length) as u64;
            runs.push((Box::new(Cursor::new(run)), records));
        }
        if let Some((file, spilled)) = self.spilled.take() {
            let file = Arc::new(Mutex::new(file));
            let window = (self.memory / spilled.len().max(1) as u64).clamp(*READ_BYTES.start(), *READ_BYTES.end());
            let mut at = 0;
            for bytes in spilled {
                let stretch = Stretch { file: file.clone(), at, end: at + bytes };
                at += bytes;
                let reader = BufReader::with_capacity(window as usize, stretch);
                runs.push((Box::new(reader), bytes / self.length as u64));
            }
        }
        let mut merged = Merged { heads: BinaryHeap::new(), runs };
        for place in 0..merged.runs.len() {
            let mut head = vec![0; self.length];
            if read_next(&mut merged.runs[place], &mut head)? {
                merged.heads.push(Reverse((head, place)));
            }
        }
        Ok(merged)
    }
}

/// The records of a run in the order of their bytes.
fn sorted(records: &[u8], length: usize) -> Vec<u8> {
    let record = |place: u32| &records[place as usize * length..][..length];
    // The first bytes of a tag nearly always decide, and lie at hand.
    let start = |record: &[u8]| record.first_chunk().map_or(0, |eight| u64::from_be_bytes(*eight));
    let mut order: Vec<(u64, u32)> =
        records.chunks_exact(length).zip(0..).map(|(record, place)| (start(record), place)).collect();
    order.par_sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| record(a.1).cmp(record(b.1))));
    let mut out = Vec::with_capacity(records.len());
    order.iter().for_each(|&(_, place)| out.extend_from_slice(record(place)));
    out
}

/// Sorted records from several runs.
pub(super) struct Merged {
    /// The next record of each run that has one, the smallest on top.
    heads: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
    /// What is left of each run, and how many records that is.
    runs: Vec<(Box<dyn Read>, u64)>,
}

impl Merged {
    /// Copies the next record; `false` when there is none.
    pub(super) fn next(&mut self, record: &mut [u8]) -> Result<bool, TableError> {
        let Some(mut top) = self.heads.peek_mut() else { return Ok(false) };
        let Reverse((head, place)) = &mut *top;
        record.copy_from_slice(head);
        if !read_next(&mut self.runs[*place], head)? {
            PeekMut::pop(top);
        }
        Ok(true)
    }
}

fn read_next((run, left): &mut (Box<dyn Read>, u64), record: &mut [u8]) -> Result<bool, TableError> {
    if *left == 0 {
        return Ok(false);
    }
    *left -= 1;
    run.read_exact(record).map_err(failed)?;
    Ok(true)
}

/// A part of a file that others read, too.
struct Stretch {
    file: Arc<Mutex<File>>,
    at: u64,
    end: u64,
}

impl Read for Stretch {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.end - self.at).unwrap_or(usize::MAX).min(buffer.len());
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.at))?;
        let count = file.read(&mut buffer[..most])?;
        self.at += count as u64;
        Ok(count)
    }
}

fn failed(source: io::Error) -> TableError {
    TableError::Io { what: "putting rows aside in a temporary file".to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_sorted_from_memory_and_from_the_file() {
        let count = 40_000u64;
        let records: Vec<[u8; 12]> = (0..count)
            .map(|k| {
                let mut record = [0; 12];
                record[..8].copy_from_slice(&(k * 7919 % 1009).to_be_bytes());
                record[8..].copy_from_slice(&(k as u32 % 17).to_le_bytes());
                record
            })
            .collect();
        let mut expected = records.clone();
        expected.sort_unstable();
        for memory in [0, 200_000, u64::MAX] {
            let mut runs = Runs::new(12, memory);
            for piece in records.chunks(777) {
                runs.add(piece.as_flattened()).unwrap();
            }
            assert_eq!(runs.spilled.is_some(), memory < 480_000, "{memory}");
            assert_eq!(runs.resident.is_empty(), memory == 0 || memory == u64::MAX, "{memory}");
            let mut merged = runs.merged().unwrap();
            let mut record = [0; 12];
            for expected in &expected {
                assert!(merged.next(&mut record).unwrap());
                assert_eq!(record, *expected);
            }
            assert!(!merged.next(&mut record).unwrap());
        }
    }
}
