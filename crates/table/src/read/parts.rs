//! The files of a table, one after the other.

use std::collections::HashMap;
use std::path::PathBuf;

use lookalike_schema::{RowForm, StoredType};

use super::files::{FileList, FileStamp, ListedFile};
use super::fitting::Fitting;
use super::input::{BATCHES, Input, ReadWatch};
use super::part::Part;
use super::source::{open_path, open_stdin};
use super::text_wish::TextWish;
use crate::arrow_types::stored_type;
use crate::error::{TableError, file_error};

/// What a header tells of how rows are written: a fact of no row.
#[derive(Clone, Debug, Default)]
pub struct HeaderForm {
    /// How text is written; `None` where it is no text, or cannot be read again.
    pub text: Option<RowForm>,
    /// How columns of typed files and batches are stored, by name.
    pub stored: HashMap<String, StoredType>,
}

impl HeaderForm {
    /// What batches tell.
    pub fn of_batches(header: &arrow_schema::Schema) -> Self {
        let fields = header.fields().iter();
        let stored = fields.filter_map(|field| Some((field.name().clone(), stored_type(field)?)));
        Self { text: None, stored: stored.collect() }
    }
}

fn form_of(part: &Part<'_>) -> HeaderForm {
    let stored = part.names().into_iter().zip(part.stored_types());
    HeaderForm { text: part.form(), stored: stored.filter_map(|(name, stored)| Some((name, stored?))).collect() }
}

/// What is done with a file, given where it has the table's columns and who watches it.
type EachPart<'e> = dyn FnMut(Part<'_>, &Fitting, &dyn ReadWatch) -> Result<(), TableError> + 'e;

/// A table whose columns are known, before its first row.
pub(super) struct Parts<'a> {
    names: Vec<String>,
    wish: TextWish,
    files: Opened<'a>,
}

enum Opened<'a> {
    /// One file or stream, and what it looked like where it can be looked at again.
    One(Box<Part<'a>>, Option<(PathBuf, FileStamp)>),
    /// Several, which are opened one by one.
    Several(FileList),
}

impl<'a> Parts<'a> {
    /// Opens the input. Of several files all headers are read, so that one with other columns is
    /// told before the first row.
    ///
    /// `Err` when one of them cannot be opened or is not a table, or when they are not of one kind
    /// or do not have the same columns.
    pub(super) fn open(input: &Input, wish: TextWish, watch: &'a dyn ReadWatch) -> Result<Self, TableError> {
        if let Some(list) = input.files()? {
            let names = common_names(&list, wish, watch)?;
            return Ok(Self { names, wish, files: Opened::Several(list) });
        }
        let (source, seen) = match input {
            Input::Stdin => (open_stdin(watch)?, None),
            Input::Kept(kept) => (kept.open()?, None),
            Input::Path(path) => {
                let (source, about) = open_path(path, watch)?;
                (source, about.map(|about| (path.clone(), FileStamp::of(&about))))
            }
            // Neither has files: batches are read in `arrow.rs`, and lists were dealt with above.
            Input::Batches(_) | Input::Remote(_) | Input::Files(_) => {
                return Err(file_error(BATCHES, "are no file", "this is a mistake in lookalike"));
            }
        };
        let part = Part::open(source, wish)?;
        Ok(Self { names: part.names(), wish, files: Opened::One(Box::new(part), seen) })
    }

    /// How the first file is written.
    pub(super) fn first_form(
        input: &Input,
        wish: TextWish,
        watch: &'a dyn ReadWatch,
    ) -> Result<HeaderForm, TableError> {
        match Self::open(input, wish, watch)?.files {
            Opened::One(part, _) => Ok(form_of(&part)),
            Opened::Several(list) => match list.files().iter().find(|file| !file.is_blank()) {
                Some(file) => Ok(form_of(&opened(file, wish, watch)?)),
                None => Ok(HeaderForm::default()),
            },
        }
    }

    /// The table's columns: those of the first file, and then what folders say.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Calls `each` with one file after the other, and where it has the table's columns.
    ///
    /// `Err` from `each`, or when a file was not the same before and after.
    pub(super) fn for_each(self, watch: &dyn ReadWatch, each: &mut EachPart<'_>) -> Result<(), TableError> {
        match self.files {
            Opened::One(part, seen) => {
                let read = each(*part, &Fitting::alone(self.names.len()), watch);
                with_check(read, || seen.map_or(Ok(()), |(path, stamp)| stamp.is_still_that_of(&path)))
            }
            Opened::Several(list) => {
                let read = read_all(&list, &self.names, self.wish, watch, each);
                with_check(read, || list.is_unchanged())
            }
        }
    }
}

/// What became of a reading, unless the files changed: then a fault of theirs is that change's.
fn with_check(
    read: Result<(), TableError>,
    unchanged: impl FnOnce() -> Result<(), TableError>,
) -> Result<(), TableError> {
    match read {
        Ok(()) | Err(TableError::File { .. } | TableError::Io { .. }) => unchanged().and(read),
        Err(_) => read,
    }
}

/// The columns of all files.
fn common_names(list: &FileList, wish: TextWish, watch: &dyn ReadWatch) -> Result<Vec<String>, TableError> {
    let mut first: Option<(String, &'static str, Vec<String>)> = None;
    for file in list.files().iter().filter(|file| !file.is_blank()) {
        if watch.cancelled() {
            return Err(TableError::Cancelled);
        }
        let (name, part) = (file.path.display().to_string(), opened(file, wish, watch)?);
        match &first {
            None => {
                let (_, names) = Fitting::first(&name, &part.names(), &file.keys)?;
                first = Some((name, part.kind(), names));
            }
            Some((other, kind, _)) if *kind != part.kind() => {
                let what = format!("is {}, unlike {other}, which is {kind}", part.kind());
                return Err(file_error(&name, what, "name files of one kind by a pattern, such as data/*.parquet"));
            }
            Some((other, _, names)) => {
                Fitting::further((other, names), (&name, &part.names()), &file.keys)?;
            }
        }
    }
    let empty = || {
        file_error(&list.given().display().to_string(), "has empty files only", "the first line must name the columns")
    };
    first.map(|(_, _, names)| names).ok_or_else(empty)
}

fn read_all(
    list: &FileList,
    names: &[String],
    wish: TextWish,
    watch: &dyn ReadWatch,
    each: &mut EachPart<'_>,
) -> Result<(), TableError> {
    let all = list.files().iter().map(|file| file.stamp.size).sum::<u64>().max(1) as f64;
    let mut before = 0;
    for file in list.files().iter().filter(|file| !file.is_blank()) {
        let part = opened(file, wish, watch)?;
        // The columns were compared before, so that another one now is a change.
        let names_now = part.names();
        let fitting = Fitting::further(("", names), ("", &names_now), &file.keys).map_err(|_| TableError::Changed)?;
        let (from, length) = (before as f64 / all, file.stamp.size as f64 / all);
        each(part, &fitting, &Stretch { watch, from, length })?;
        before += file.stamp.size;
    }
    Ok(())
}

/// Opens a file of a list. `Err` when it is not the one that was listed.
fn opened<'a>(file: &ListedFile, wish: TextWish, watch: &'a dyn ReadWatch) -> Result<Part<'a>, TableError> {
    let (source, about) = open_path(&file.path, watch)?;
    if about.as_ref().map(FileStamp::of) != Some(file.stamp) {
        return Err(TableError::Changed);
    }
    Part::open(source, wish)
}

/// Watches one file of several.
struct Stretch<'a> {
    watch: &'a dyn ReadWatch,
    /// The share of all files that comes before it, and its own.
    from: f64,
    length: f64,
}

impl ReadWatch for Stretch<'_> {
    fn share_read(&self, share: f64) {
        self.watch.share_read((self.from + share * self.length).min(1.0));
    }

    fn cancelled(&self) -> bool {
        self.watch.cancelled()
    }
}
