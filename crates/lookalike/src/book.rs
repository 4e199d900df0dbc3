//! Code books: files that say what columns hold, in the words of other tools or of people.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use lookalike_schema::{BookTable, CodeBook, SchemaError};
use lookalike_table::read::for_each_record;
use lookalike_table::{Input, ReadOptions};

use crate::error::Error;
use crate::input::{read_text, table_input};
use crate::watch::Watch;
use crate::{Cancel, Unwatched};

/// So much of a file tells whether it is JSON.
const BEGINNING: u64 = 1024;

/// Reads a code book: JSON or YAML of other tools, or a table of columns. No rows are involved.
///
/// # Errors
/// A file that cannot be read or is no code book, in one line.
pub fn import_book(path: &Path, options: &ReadOptions) -> Result<CodeBook, Error> {
    let input = table_input(path)?;
    let ends = |ending: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending));
    let is_yaml = ends("yaml") || ends("yml");
    match &input {
        Input::Path(path) if is_yaml || is_json(path)? => {
            Ok(CodeBook::parse(&read_text(path)?, &path.display().to_string(), is_yaml)?)
        }
        _ => book_table(&input, options),
    }
}

/// Whether the first mark of the file is a brace.
fn is_json(path: &Path) -> Result<bool, Error> {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut start));
    read.map_err(|error| Error::reading(path, error))?;
    let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&start);
    Ok(start.trim_ascii_start().starts_with(b"{"))
}

fn book_table(input: &Input, options: &ReadOptions) -> Result<CodeBook, Error> {
    // Labels often have line ends inside.
    let options = ReadOptions { multiline: true, ..options.clone() };
    let book: std::cell::RefCell<Option<BookTable>> = std::cell::RefCell::new(None);
    let mut wrong: Option<SchemaError> = None;
    for_each_record(
        input,
        &options,
        &Watch { observer: &Unwatched, cancel: &Cancel::default() },
        &mut |header| {
            *book.borrow_mut() = Some(BookTable::new(header)?);
            Ok(())
        },
        &mut |cells| {
            if let (Some(book), None) = (book.borrow_mut().as_mut(), &wrong) {
                wrong = book.row(cells).err();
            }
        },
    )?;
    if let Some(error) = wrong {
        return Err(error.into());
    }
    let book = book.into_inner().ok_or_else(|| Error::fault("a code book without a header was read"))?;
    Ok(book.finish()?)
}
