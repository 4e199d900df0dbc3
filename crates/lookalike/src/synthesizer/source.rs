//! Where the rows of a run come from.

use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use lookalike_curator::Counts;
use lookalike_table::far::FarRows;
use lookalike_table::{Input, PrivateTable, Table};

use crate::error::Error;
use crate::input::{server_address, table_input};

/// The rows of a run, wherever they lie.
pub enum Source<'a> {
    /// A file, several, or standard input.
    Input(Input),
    /// Arrow batches, all with the same columns. They are coded one after the other; nothing of
    /// them is written to disk but codes beyond the memory allowed.
    Batches(Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send + 'a>),
    /// A table that is coded already.
    Table(Box<PrivateTable>),
    /// An engine that counts rows elsewhere, by the schema of the run.
    Engine(Box<dyn Counts>),
    /// Rows that stay where they are: coded there as the method wants them, bounded by person, and
    /// counted. Neither a ledger nor [`once_only`](crate::Synthesizer::once_only) can recognize
    /// them.
    Far(Box<dyn FarRows>),
}

impl Source<'_> {
    /// The same, where a path may have been an address of a server's table.
    ///
    /// `Err` when the address cannot be read.
    pub(super) fn resolved(self) -> Result<Self, Error> {
        match self {
            Self::Input(Input::Path(path)) if server_address(&path).is_some() => Ok(Self::Input(table_input(&path)?)),
            source => Ok(source),
        }
    }
}

/// An engine of one's own as a source: `fit(Engine(mine))`.
pub struct Engine<C>(pub C);

/// What [`fit`](crate::Synthesizer::fit) takes: a path (of a file, a folder, or a pattern such as
/// `data/*.parquet`; also the address of a server's table, see [`table_input`]), an [`Input`],
/// Arrow batches (an iterator of them, or of results of them, as Arrow's readers are), a
/// [`Table`], a [`PrivateTable`] or an [`Engine`]. The marker tells the kinds apart and is
/// inferred.
pub trait IntoSource<'a, Marker> {
    /// The source.
    fn into_source(self) -> Source<'a>;
}

/// Kinds of sources, for the compiler alone.
pub mod kinds {
    /// One of the types that are named.
    pub struct Named;
    /// A path.
    pub struct AtPath;
    /// An iterator of batches.
    pub struct OfBatches;
    /// An iterator of results of batches.
    pub struct OfResults;
}

impl<'a> IntoSource<'a, kinds::Named> for Source<'a> {
    fn into_source(self) -> Source<'a> {
        self
    }
}

impl<'a> IntoSource<'a, kinds::Named> for Input {
    fn into_source(self) -> Source<'a> {
        Source::Input(self)
    }
}

impl<'a> IntoSource<'a, kinds::Named> for PrivateTable {
    fn into_source(self) -> Source<'a> {
        Source::Table(Box::new(self))
    }
}

impl<'a> IntoSource<'a, kinds::Named> for Table {
    fn into_source(self) -> Source<'a> {
        Source::Table(Box::new(self.into()))
    }
}

impl<'a, C: Counts + 'static> IntoSource<'a, kinds::Named> for Engine<C> {
    fn into_source(self) -> Source<'a> {
        Source::Engine(Box::new(self.0))
    }
}

macro_rules! paths {
    ($($type:ty),+) => {
        $(impl<'a> IntoSource<'a, kinds::AtPath> for $type {
            fn into_source(self) -> Source<'a> {
                Source::Input(Input::Path(self.into()))
            }
        })+
    };
}

paths!(&str, String, &Path, PathBuf, &PathBuf);

impl<'a, I> IntoSource<'a, kinds::OfBatches> for I
where
    I: IntoIterator<Item = RecordBatch>,
    I::IntoIter: Send + 'a,
{
    fn into_source(self) -> Source<'a> {
        Source::Batches(Box::new(self.into_iter().map(Ok)))
    }
}

impl<'a, I> IntoSource<'a, kinds::OfResults> for I
where
    I: IntoIterator<Item = Result<RecordBatch, ArrowError>>,
    I::IntoIter: Send + 'a,
{
    fn into_source(self) -> Source<'a> {
        Source::Batches(Box::new(self.into_iter()))
    }
}
