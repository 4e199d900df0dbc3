//! What a face names: tables, schemas and how to read them.

use std::path::Path;

use lookalike_methods::workload::WorkloadSpec;
use lookalike_schema::{OpenSchema, Schema, TextEncoding};
use lookalike_table::{FileList, Input, ReadOptions};

use crate::error::{Error, SettingError};
use crate::limits::DEFAULT_MEMORY;
use crate::size::parse_size;
use crate::synthesizer::KnownSchema;
use crate::workload_file::parse_workload;

/// The table of that name: a file, a folder of files, a pattern such as `data/*.parquet`, `-` for
/// standard input, or `postgres://USER@HOST/DATABASE?table=NAME` where the program was built with
/// it. Of several files the list is made here, and they have to stay as they are until they were
/// read.
///
/// # Errors
/// When there is no such file, or the address cannot be read, before anything is read.
pub fn table_input(name: &Path) -> Result<Input, Error> {
    if name == Path::new("-") {
        return Ok(Input::Stdin);
    }
    if let Some(address) = server_address(name) {
        return server_input(address);
    }
    if let Some(list) = FileList::find(name)? {
        return Ok(Input::Files(list));
    }
    std::fs::metadata(name).map_err(|error| Error::reading(name, error))?;
    Ok(Input::Path(name.to_owned()))
}

/// The name as an address of a server's table, when it is one.
pub(crate) fn server_address(name: &Path) -> Option<&str> {
    let is_address = |text: &&str| ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme));
    name.to_str().filter(is_address)
}

#[cfg(feature = "postgres")]
fn server_input(address: &str) -> Result<Input, Error> {
    Ok(Input::Remote(lookalike_table::RemoteInput::new(lookalike_postgres::PostgresRows::at(address)?)))
}

#[cfg(not(feature = "postgres"))]
fn server_input(_address: &str) -> Result<Input, Error> {
    Err(lookalike_table::TableError::File {
        file: "PostgreSQL".to_owned(),
        what: "this program was built without it".to_owned(),
        help: "take one of the packages, or build with --features postgres".to_owned(),
    }
    .into())
}

/// Reads a schema file: our TOML, the same shape in JSON, or an mbi domain file.
pub fn read_schema(path: &Path) -> Result<Schema, Error> {
    let text = read_text(path)?;
    Ok(Schema::parse(&text, &path.display().to_string())?)
}

/// Reads a schema file that may leave facts open.
pub fn read_any_schema(path: &Path) -> Result<OpenSchema, Error> {
    Ok(OpenSchema::parse(&read_text(path)?, &path.display().to_string())?)
}

/// The same as a run takes it; `discovers` leaves columns that it does not list open too.
pub(crate) fn read_open_schema(path: &Path, discovers: bool) -> Result<KnownSchema, Error> {
    let open = read_any_schema(path)?;
    let open = if discovers { open.with_unlisted_discovered() } else { open };
    known(open)
}

/// The schema as a run takes it.
pub(crate) fn known(open: OpenSchema) -> Result<KnownSchema, Error> {
    Ok(if open.is_open() { KnownSchema::Open(open) } else { KnownSchema::Stated(open.closed()?) })
}

/// Reads a text file that the user named.
pub fn read_text(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|error| Error::reading(path, error))
}

/// The workload of that name: `2-way`, `3-way`, or a file.
pub(crate) fn read_workload(name: &str) -> Result<WorkloadSpec, Error> {
    if let Some(spec) = WorkloadSpec::named(name) {
        return Ok(spec);
    }
    let text = std::fs::read_to_string(name).map_err(|_| SettingError::Unreadable {
        setting: "workload",
        text: name.to_owned(),
        what: "cannot be read",
        help: "write 2-way, 3-way, or the name of a file",
    })?;
    Ok(parse_workload(&text, name)?)
}

/// Reading options from what was typed.
pub fn read_options(delimiter: Option<&str>, memory: Option<&str>) -> Result<ReadOptions, Error> {
    let delimiter = delimiter.map(parse_delimiter).transpose()?;
    let memory = memory.map_or(Ok(DEFAULT_MEMORY), |text| parse_size("memory", text))?;
    Ok(ReadOptions { delimiter, encoding: None, multiline: false, memory })
}

/// How a file with this schema's columns is read, beside what was typed.
pub(crate) fn as_the_schema_says(options: &ReadOptions, schema: &Schema) -> ReadOptions {
    ReadOptions {
        delimiter: options.delimiter.or(schema.delimiter()),
        encoding: options.encoding.or(schema.encoding()),
        multiline: options.multiline || schema.multiline(),
        ..options.clone()
    }
}

/// The schema with another decimal mark, when one was typed. The mark is part of the schema because
/// released rows are written with it.
pub fn with_decimal(schema: Schema, decimal: Option<&str>) -> Result<Schema, Error> {
    let Some(mark) = decimal else {
        return Ok(schema);
    };
    check_decimal(mark)?;
    with_setting(&schema, "decimal", mark)
}

/// The same of a schema that leaves facts open.
pub(crate) fn open_with_decimal(open: OpenSchema, decimal: Option<&str>) -> Result<OpenSchema, Error> {
    let Some(mark) = decimal else { return Ok(open) };
    check_decimal(mark)?;
    Ok(open.with_decimal(mark))
}

/// The schema of a file with another encoding, when one was typed. Released rows are written in it,
/// unless the schema says otherwise.
pub fn with_encoding(schema: Schema, encoding: Option<&str>) -> Result<Schema, Error> {
    let Some(name) = encoding else { return Ok(schema) };
    with_setting(&schema, "encoding", parse_encoding(name)?.word())
}

/// The same of a schema that leaves facts open.
pub(crate) fn open_with_encoding(open: OpenSchema, encoding: Option<&str>) -> Result<OpenSchema, Error> {
    let Some(name) = encoding else { return Ok(open) };
    Ok(open.with_encoding(parse_encoding(name)?))
}

fn check_decimal(mark: &str) -> Result<(), Error> {
    if mark == "." || mark == "," {
        return Ok(());
    }
    let (what, help) = ("is no decimal mark", "write . or ,");
    Err(SettingError::Unreadable { setting: "decimal", text: mark.to_owned(), what, help }.into())
}

/// The schema with one of its settings changed.
pub(crate) fn with_setting(schema: &Schema, name: &str, value: &str) -> Result<Schema, Error> {
    let mut json = schema.to_json();
    json[name] = serde_json::Value::String(value.to_owned());
    Ok(Schema::parse(&json.to_string(), "schema")?)
}

/// An encoding as it is typed.
pub fn parse_encoding(text: &str) -> Result<TextEncoding, Error> {
    TextEncoding::named(text).ok_or_else(|| {
        let (what, help) = ("is no encoding that is known", "write utf-8, latin-1 or windows-1252");
        SettingError::Unreadable { setting: "encoding", text: text.to_owned(), what, help }.into()
    })
}

pub(crate) fn parse_delimiter(text: &str) -> Result<u8, Error> {
    match text.as_bytes() {
        b"tab" | b"\\t" | b"\t" => Ok(b'\t'),
        [byte] if byte.is_ascii_graphic() && !byte.is_ascii_alphanumeric() && *byte != b'"' => Ok(*byte),
        _ => Err(SettingError::Unreadable {
            setting: "delimiter",
            text: text.to_owned(),
            what: "cannot part fields",
            help: "write one character such as , or ; or |, or the word tab",
        }
        .into()),
    }
}
