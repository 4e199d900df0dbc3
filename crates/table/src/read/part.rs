//! One file of a table, opened as what it is.

use lookalike_schema::{RowForm, Schema, StoredType};

use super::fitting::Fitting;
use super::input::ReadWatch;
use super::intake::{Intake, Layout};
use super::ipc::IpcFile;
use super::parquet::ParquetFile;
use super::raw_block::RawBlock;
use super::raw_text::text_blocks;
use super::shapes::Shapes;
use super::source::{Body, Source};
use super::text::TextFile;
use super::text_wish::TextWish;
use crate::error::TableError;

/// A file or stream whose columns are known.
pub(super) enum Part<'a> {
    Text(TextFile<'a>),
    Parquet(ParquetFile),
    Arrow(IpcFile<'a>),
}

impl<'a> Part<'a> {
    /// Reads the header line, footer or first message. Whether it is a table is judged here.
    pub(super) fn open(source: Source<'a>, wish: TextWish) -> Result<Self, TableError> {
        let Source { name, body, progress, delimiter } = source;
        Ok(match body {
            Body::Text(stream) => {
                let delimiter = wish.delimiter.or(delimiter);
                Self::Text(TextFile::open((name, stream, progress), TextWish { delimiter, ..wish })?)
            }
            Body::Parquet(file) => Self::Parquet(ParquetFile::open(name, file)?),
            Body::ArrowFile(file) => Self::Arrow(IpcFile::of_file(name, file)?),
            Body::ArrowStream(stream) => Self::Arrow(IpcFile::of_stream(name, stream, progress)?),
        })
    }

    pub(super) fn names(&self) -> Vec<String> {
        match self {
            Self::Text(file) => file.names().to_vec(),
            Self::Parquet(file) => file.names(),
            Self::Arrow(file) => file.names(),
        }
    }

    /// How rows have to be written that are to look like this file; `None` where it is no text.
    pub(super) fn form(&self) -> Option<RowForm> {
        match self {
            Self::Text(file) => Some(file.form().clone()),
            Self::Parquet(_) | Self::Arrow(_) => None,
        }
    }

    /// How its columns are stored, in their order; none where it is text.
    pub(super) fn stored_types(&self) -> Vec<Option<StoredType>> {
        match self {
            Self::Text(_) => Vec::new(),
            Self::Parquet(file) => file.stored_types(),
            Self::Arrow(file) => file.stored_types(),
        }
    }

    /// What kind of file it is, in words.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "delimited text",
            Self::Parquet(_) => "Parquet",
            Self::Arrow(_) => "Arrow",
        }
    }

    /// Codes all rows into the table.
    pub(super) fn read_into(
        self,
        fitting: &Fitting,
        into: (&Layout<'_>, &mut Intake),
        watch: &dyn ReadWatch,
    ) -> Result<(), TableError> {
        match self {
            Self::Text(file) => file.read_into(fitting, into, watch),
            Self::Parquet(file) => file.read_into(fitting, into, watch),
            Self::Arrow(file) => file.read_into(fitting, into, watch),
        }
    }

    /// Calls `each` with every record as text, in the columns of the table: typed cells as a CSV
    /// file would show them, or exactly.
    pub(super) fn for_each_record(
        self,
        fitting: &Fitting,
        exactly: bool,
        watch: &dyn ReadWatch,
        each: &mut dyn FnMut(&[&[u8]]),
        shapes: Option<&mut Shapes>,
    ) -> Result<(), TableError> {
        match self {
            Self::Text(file) => file.for_each_record(fitting, watch, each, shapes),
            Self::Parquet(file) => file.for_each_record(fitting, exactly, watch, each),
            Self::Arrow(file) => file.for_each_record(fitting, exactly, watch, each),
        }
    }

    /// Calls `each` with blocks of these columns as numbers, in row order. `names` and `schema` are
    /// the table's. Steward-only, see `read/raw.rs`.
    pub(super) fn for_each_raw_block(
        self,
        fitting: &Fitting,
        table: (&[String], &Schema),
        columns: &[&str],
        watch: &dyn ReadWatch,
        each: &mut dyn FnMut(RawBlock) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        match self {
            Self::Text(file) => text_blocks(file, fitting, table, columns, watch, each),
            Self::Parquet(file) => file.for_each_raw_block(fitting, table, columns, watch, each),
            Self::Arrow(file) => file.for_each_raw_block(fitting, table, columns, watch, each),
        }
    }
}
