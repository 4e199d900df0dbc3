//! The kernel: codes, bounds and counts rows in processes of an engine that Lookalike does not run.
//!
//! It is a function of its arguments: no file, no clock, no chance, so a task that runs twice gives
//! the same bytes twice. What one call gives another takes, as blobs that the engine keeps.
//!
//! # Privacy
//! The kernel is inside the door, and so is whoever calls it: rows come in, blobs and exact counts
//! go out. It serves an implementation of [`FarRows`](super::FarRows), which counts against a
//! permit only. A cell gets its code from the readers that files have, a person's rows are chosen
//! by the rule and the code of `read/persons`, and counts are those of `lookalike_tally`. Errors
//! are fixed sentences, since an engine writes them into logs.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int32Array, Int64Array, RecordBatch};
use lookalike_schema::Domain;
use lookalike_tally::{Block, Blocks, CellCounts, Width, block_rows, count, widths};

use super::blob::{Blob, to_blob};
use super::buckets::Buckets;
use super::{Coding, CountRequest};
use crate::coded::store::BlockBuilder;
use crate::error::TableError;
use crate::read::{Bounds, StretchTerms, Tag};

/// The memory for the rows of persons while they are bounded; more go to a temporary file.
const BOUND_MEMORY: u64 = 256 << 20;

/// Codes, bounds and counts rows where they are. Holds the key of persons: no `Debug`, no `Clone`.
pub struct Kernel {
    coding: Coding,
    widths: Vec<Width>,
    /// One thread: an engine runs as many tasks at a time as it has cores.
    thread: rayon::ThreadPool,
}

impl Kernel {
    /// The kernel of a run. It works on one thread.
    ///
    /// `Err` when the thread cannot be started.
    pub fn new(coding: Coding) -> Result<Self, TableError> {
        let widths = widths(coding.schema().domain());
        let thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|error| TableError::Io {
            what: "starting a thread".to_owned(),
            source: std::io::Error::other(error),
        })?;
        Ok(Self { coding, widths, thread })
    }

    /// The columns that batches must have: those that are modelled, and that of persons.
    pub fn needed(&self) -> Result<Vec<String>, TableError> {
        let bounds = self.coding.bounds();
        self.terms(bounds.as_ref()).needed()
    }

    /// How many codes each modelled column has, in the order of the table's columns.
    pub fn sizes(&self) -> &[u32] {
        self.coding.schema().domain().sizes()
    }

    /// Whether the rows of persons are bounded.
    pub fn bounds_persons(&self) -> bool {
        self.coding.bounds().is_some()
    }

    /// The blobs of some rows, each with its bucket. All rows of a person are in one of `buckets`
    /// buckets, and rows without an id are dropped; where persons are not bounded there is one
    /// bucket.
    ///
    /// `Err` when a needed column is lacking or holds lists or groups.
    pub fn code(&self, batches: &[RecordBatch], buckets: u32) -> Result<Vec<(u32, Vec<u8>)>, TableError> {
        self.thread.install(|| self.coded(batches, buckets))
    }

    fn coded(&self, batches: &[RecordBatch], buckets: u32) -> Result<Vec<(u32, Vec<u8>)>, TableError> {
        let bounds = self.coding.bounds();
        let terms = self.terms(bounds.as_ref());
        let rows = block_rows(&self.widths);
        let mut blobs = Vec::new();
        if bounds.is_some() {
            let mut sorted = Buckets::new(&self.widths, buckets.max(1));
            for batch in batches {
                terms.for_each_piece(batch, |block, tags| {
                    sorted.take(block, tags);
                    Ok(())
                })?;
            }
            sorted.for_each(rows, &mut |bucket, block, tags| blobs.push((bucket, to_blob(block, tags))));
            return Ok(blobs);
        }
        let mut builder = BlockBuilder::new(self.widths.clone(), rows, u64::MAX);
        for batch in batches {
            terms.for_each_piece(batch, |block, _| builder.append(block))?;
        }
        builder.finish()?.for_each(&mut |block| {
            blobs.push((0, to_blob(block, &[])));
            Ok(())
        })?;
        Ok(blobs)
    }

    /// What is kept of the rows of whole buckets, as blobs without tags.
    ///
    /// `Err` when a blob is damaged or has no tags, or a temporary file fails.
    pub fn bound(&self, blobs: &[&[u8]]) -> Result<Vec<Vec<u8>>, TableError> {
        self.thread.install(|| self.bounded(blobs))
    }

    fn bounded(&self, blobs: &[&[u8]]) -> Result<Vec<Vec<u8>>, TableError> {
        let bounds = self.coding.bounds();
        let domain = self.coding.schema().domain();
        let pieces = blobs.iter().map(|bytes| {
            let blob = Blob::open(bytes, &self.widths).ok_or_else(damaged)?;
            let block = blob.block(&self.widths, domain, None).ok_or_else(damaged)?;
            let tags: Vec<Option<Tag>> = blob.tags().map(Some).collect();
            if tags.len() == block.rows() { Ok((block, tags)) } else { Err(damaged()) }
        });
        let mut kept = Vec::new();
        self.terms(bounds.as_ref()).bounded(pieces, BOUND_MEMORY)?.store.for_each(&mut |block| {
            kept.push(to_blob(block, &[]));
            Ok(())
        })?;
        Ok(kept)
    }

    /// The occupied cells of the request's cliques in these blobs, as columns `clique`, `cell` and
    /// `count`: exact counts of a part of the rows, to be added up with those of the others.
    ///
    /// `Err` when a blob is damaged, has tags (its rows were not bounded), or the request is for
    /// other columns.
    pub fn count(&self, blobs: &[&[u8]], request: &CountRequest) -> Result<RecordBatch, TableError> {
        let domain = self.coding.schema().domain();
        if !request.sizes.starts_with(domain.sizes()) {
            return Err(other_request());
        }
        let blobs = OpenBlobs::new(blobs, &self.widths, domain)?;
        let counts = self.thread.install(|| count(&blobs, domain, &request.cliques, &request.derived, &|| false))?;
        let (mut cliques, mut cells, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for (clique, counts) in counts.into_iter().enumerate() {
            let clique = i32::try_from(clique).map_err(|_| other_request())?;
            let mut put = |cell: u64, count: u64| {
                cliques.push(clique);
                cells.push(i64::try_from(cell).map_err(|_| other_request())?);
                numbers.push(i64::try_from(count).map_err(|_| other_request())?);
                Ok::<(), TableError>(())
            };
            match counts {
                CellCounts::Dense(counts) => {
                    (0..).zip(counts).filter(|entry| entry.1 > 0).try_for_each(|(cell, count)| put(cell, count))?;
                }
                CellCounts::Sparse(entries) => entries.into_iter().try_for_each(|(cell, count)| put(cell, count))?,
            }
        }
        let columns: [(&str, ArrayRef); 3] = [
            ("clique", Arc::new(Int32Array::from(cliques))),
            ("cell", Arc::new(Int64Array::from(cells))),
            ("count", Arc::new(Int64Array::from(numbers))),
        ];
        RecordBatch::try_from_iter(columns).map_err(|_| other_request())
    }

    fn terms<'a>(&'a self, bounds: Option<&'a Bounds<'a>>) -> StretchTerms<'a> {
        StretchTerms { given: self.coding.given(), names: self.coding.names(), bounds }
    }
}

/// Blobs that were found whole, to be counted.
struct OpenBlobs<'a> {
    blobs: Vec<Blob<'a>>,
    widths: &'a [Width],
    domain: &'a Domain,
}

impl<'a> OpenBlobs<'a> {
    fn new(blobs: &[&'a [u8]], widths: &'a [Width], domain: &'a Domain) -> Result<Self, TableError> {
        let open = |bytes: &&'a [u8]| {
            let blob = Blob::open(bytes, widths).filter(|blob| blob.tags().next().is_none());
            blob.ok_or_else(damaged)
        };
        Ok(Self { blobs: blobs.iter().map(open).collect::<Result<_, _>>()?, widths, domain })
    }
}

impl Blocks for OpenBlobs<'_> {
    type Error = TableError;

    fn rows(&self) -> u64 {
        self.blobs.iter().map(|blob| blob.rows() as u64).sum()
    }

    fn for_each_of(
        &self,
        needed: Option<&[bool]>,
        each: &mut (dyn FnMut(&Block) -> Result<(), TableError> + Send),
    ) -> Result<(), TableError> {
        for blob in &self.blobs {
            each(&blob.block(self.widths, self.domain, needed).ok_or_else(damaged)?)?;
        }
        Ok(())
    }
}

fn damaged() -> TableError {
    TableError::Server {
        what: "coded rows that an engine kept did not come back as they were",
        help: "run again; nothing is released",
    }
}

fn other_request() -> TableError {
    TableError::Server {
        what: "a request for counts does not fit the coded rows",
        help: "use one version of Lookalike everywhere",
    }
}
