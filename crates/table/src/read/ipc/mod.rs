//! Arrow's own format (IPC): files with a footer, and streams of messages.
//!
//! Texts are read as bytes, so that text which is not UTF-8 is a bad cell and not an abort. Columns
//! that nobody wants, nested ones among them, are not unpacked. Metadata that others left in the
//! file is never looked at.

mod damage;
mod message;
#[cfg(test)]
mod tests;
mod unpacked;

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_ipc::reader::{read_dictionary, read_record_batch};
use arrow_ipc::{MessageHeader, root_as_message};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema as ArrowSchema, SchemaRef};
use lookalike_schema::{Schema, StoredType};

use self::damage::damaged;
use self::message::{IpcMessage, Messages};
use self::unpacked::is_plausible;
use super::arrow::{ArrowColumn, each_record, is_flat, names_of, take_batch};
use super::damage::guarded;
use super::fitting::Fitting;
use super::input::ReadWatch;
use super::intake::{Intake, Layout};
use super::raw_block::{RawBlock, raw_codecs};
use super::source::Progress;
use super::typed::{self, nested};
use crate::arrow_types::stored_type;
use crate::error::{TableError, file_error};

/// An Arrow file or stream whose columns are known.
pub(super) struct IpcFile<'a> {
    name: String,
    header: SchemaRef,
    /// How the columns are stored, in their order.
    stored: Vec<Option<StoredType>>,
    messages: Messages<'a>,
}

impl<'a> IpcFile<'a> {
    /// Reads the footer of a file.
    pub(super) fn of_file(name: String, file: File) -> Result<Self, TableError> {
        let opened = guarded(|| Messages::of_file(file)).ok_or_else(|| damaged(&name))?;
        Self::new(name, opened)
    }

    /// Reads the first message of a stream.
    pub(super) fn of_stream(
        name: String,
        stream: Box<dyn Read + Send + 'a>,
        progress: Progress,
    ) -> Result<Self, TableError> {
        let opened = Messages::of_stream(&name, stream, progress)?;
        Self::new(name, opened)
    }

    fn new(name: String, (header, messages): (ArrowSchema, Messages<'a>)) -> Result<Self, TableError> {
        if header.fields().is_empty() {
            return Err(file_error(&name, "has no columns", "write a table with at least one column"));
        }
        let fields: Vec<FieldRef> = header.fields().iter().map(text_as_bytes).collect();
        let stored = header.fields().iter().map(|field| stored_type(field)).collect();
        Ok(Self { name, header: Arc::new(ArrowSchema::new(fields)), stored, messages })
    }

    pub(super) fn names(&self) -> Vec<String> {
        names_of(&self.header)
    }

    /// How its columns are stored, in their order.
    pub(super) fn stored_types(&self) -> Vec<Option<StoredType>> {
        self.stored.clone()
    }

    /// Codes all rows into the table.
    pub(super) fn read_into(
        self,
        fitting: &Fitting,
        (layout, intake): (&Layout<'_>, &mut Intake),
        watch: &dyn ReadWatch,
    ) -> Result<(), TableError> {
        let wanted = typed::wanted(layout, |column| self.is_flat(fitting, column))?;
        let read: Vec<usize> = wanted.iter().map(|wanted| wanted.column).collect();
        self.for_each_batch(fitting, &read, watch, |columns, rows| {
            take_batch((columns, rows), fitting, &wanted, (layout, &mut *intake), watch)
        })
    }

    /// Calls `each` with blocks of these columns as numbers, one a batch. `names` and `schema` are
    /// the table's. Steward-only, see `read/raw.rs`.
    pub(super) fn for_each_raw_block(
        self,
        fitting: &Fitting,
        (names, schema): (&[String], &Schema),
        columns: &[&str],
        watch: &dyn ReadWatch,
        each: &mut dyn FnMut(RawBlock) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let codecs = raw_codecs(schema, columns);
        let (read, places) = typed::raw_places(names, columns, |column| self.is_flat(fitting, column))?;
        self.for_each_batch(fitting, &read, watch, |columns, rows| {
            let stored = columns.iter().filter_map(|&column| ArrowColumn::new(column));
            each(typed::read_raw(&mut fitting.typed(read.iter().copied(), stored), &places, &codecs, rows)?)
        })
    }

    /// Calls `each` with every record as text, in the columns of the table: as a CSV file would
    /// show it, or exactly. Cells of nested columns are empty.
    pub(super) fn for_each_record(
        self,
        fitting: &Fitting,
        exactly: bool,
        watch: &dyn ReadWatch,
        each: &mut dyn FnMut(&[&[u8]]),
    ) -> Result<(), TableError> {
        let flat: Vec<usize> = (0..fitting.columns()).filter(|&column| self.is_flat(fitting, column)).collect();
        if flat.is_empty() {
            return Err(nested(self.header.field(0).name()));
        }
        self.for_each_batch(fitting, &flat, watch, |columns, rows| {
            each_record((columns, rows), fitting, &flat, exactly, watch, each)
        })
    }

    /// Whether a column of the table has one value a row in this file.
    fn is_flat(&self, fitting: &Fitting, column: usize) -> bool {
        fitting.column(column).is_none_or(|own| is_flat(&self.header, own))
    }

    /// Calls `each` with batch after batch: these columns of the table, as far as the file has
    /// them, and the number of rows.
    fn for_each_batch(
        mut self,
        fitting: &Fitting,
        of_table: &[usize],
        watch: &dyn ReadWatch,
        mut each: impl FnMut(&[&dyn Array], usize) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        let read: Vec<usize> = of_table.iter().filter_map(|&column| fitting.column(column)).collect();
        let mut dictionaries = HashMap::new();
        while let Some(message) = self.messages.next(&self.name)? {
            if watch.cancelled() {
                return Err(TableError::Cancelled);
            }
            let decoded = guarded(|| decode(&message, &self.header, &mut dictionaries, &read));
            if let Some(batch) = decoded.ok_or_else(|| damaged(&self.name))? {
                let columns: Vec<&dyn Array> = batch.columns().iter().map(|column| &**column).collect();
                each(&columns, batch.num_rows())?;
            }
            if let Some(share) = self.messages.share() {
                watch.share_read(share);
            }
        }
        Ok(())
    }
}

/// The rows of a message with these columns; `None` when it is a dictionary for later ones.
fn decode(
    message: &IpcMessage,
    header: &SchemaRef,
    dictionaries: &mut HashMap<i64, ArrayRef>,
    columns: &[usize],
) -> Result<Option<RecordBatch>, ArrowError> {
    let failed = || ArrowError::IpcError("damaged".to_owned());
    let (head, body) = (root_as_message(&message.head).map_err(|_| failed())?, &message.body);
    let version = head.version();
    match head.header_type() {
        MessageHeader::RecordBatch => {
            let batch = head.header_as_record_batch().filter(|batch| is_plausible(*batch, body)).ok_or_else(failed)?;
            read_record_batch(body, batch, Arc::clone(header), dictionaries, Some(columns), &version).map(Some)
        }
        MessageHeader::DictionaryBatch => {
            let batch = head.header_as_dictionary_batch().ok_or_else(failed)?;
            batch.data().filter(|data| is_plausible(*data, body)).ok_or_else(failed)?;
            read_dictionary(body, batch, header, dictionaries, &version).map(|()| None)
        }
        _ => Err(failed()),
    }
}

/// The field with every text in it as bytes, which are laid out alike.
fn text_as_bytes(field: &FieldRef) -> FieldRef {
    let kind = bytes_for(field.data_type());
    if kind == *field.data_type() {
        return Arc::clone(field);
    }
    // Other than a new field, this one still knows its dictionary.
    Arc::new(Field::clone(field).with_data_type(kind))
}

fn bytes_for(kind: &DataType) -> DataType {
    match kind {
        DataType::Utf8 => DataType::Binary,
        DataType::LargeUtf8 => DataType::LargeBinary,
        DataType::Utf8View => DataType::BinaryView,
        DataType::Dictionary(key, value) => DataType::Dictionary(key.clone(), Box::new(bytes_for(value))),
        DataType::List(inner) => DataType::List(text_as_bytes(inner)),
        DataType::LargeList(inner) => DataType::LargeList(text_as_bytes(inner)),
        DataType::FixedSizeList(inner, length) => DataType::FixedSizeList(text_as_bytes(inner), *length),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(text_as_bytes).collect()),
        other => other.clone(),
    }
}
