//! The folder of a release: one way to write it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use lookalike_measurement::{ReleaseFile, Statement};
use lookalike_methods::Observer;
use lookalike_model::Sampling;
use lookalike_table::Input;

use super::files::{DICTIONARY_FILE, MODEL_FILE, RELEASE_FOLDER, REPORT_FILE, SCHEMA_FILE, STATEMENT_FILE, rows_file};
use super::place::{Partial, Place};
use super::rows::{Format, write_drawn, write_rows};
use super::statement::seal;
use super::{Contents, Release, stop_if};
use crate::error::Error;
use crate::observe::Unwatched;
use crate::{Cancel, hash, limits, pool};

/// How often it is looked at the stop flag while the page is made.
const GLANCE: Duration = Duration::from_millis(20);

/// Where a release is written, and how.
#[derive(Clone, Debug)]
pub struct ReleaseFolder {
    path: PathBuf,
    format: Format,
    move_aside: bool,
}

impl ReleaseFolder {
    /// A new folder at this path, with the rows as CSV.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), format: Format::Csv, move_aside: false }
    }

    /// The form of the rows.
    pub fn format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// Whether a folder that is there already is moved aside. Without it that is refused.
    pub fn move_aside(mut self, move_aside: bool) -> Self {
        self.move_aside = move_aside;
        self
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn row_format(&self) -> Format {
        self.format
    }

    /// Whether the rows or the dictionary would be taken for files of this table.
    pub(crate) fn is_among(&self, input: &Input) -> bool {
        let release = self.path.join(RELEASE_FOLDER);
        [rows_file(self.format), DICTIONARY_FILE].into_iter().any(|file| input.would_take(&release.join(file)))
    }

    /// Whether a file would lie in it.
    pub(crate) fn holds(&self, file: &Path) -> bool {
        let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        whole(file).starts_with(whole(&self.path))
    }

    /// Its place, checked before any row is read.
    pub(crate) fn place(&self) -> Result<Place, Error> {
        Place::check(&self.path, self.move_aside)
    }
}

/// What was written.
#[derive(Clone, Debug)]
pub struct WrittenRelease {
    folder: PathBuf,
    pub(crate) journal: Option<PathBuf>,
    moved_aside: Option<PathBuf>,
    statement: Statement,
    format: Format,
    has_model: bool,
    has_schema: bool,
}

impl WrittenRelease {
    /// The folder that was asked for.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder in it that may be published whole.
    pub fn release_folder(&self) -> PathBuf {
        self.folder.join(RELEASE_FOLDER)
    }

    /// The names of the published files, with what they are.
    pub fn files(&self) -> Vec<(&'static str, &'static str)> {
        let model = self.has_model.then_some((MODEL_FILE, "the model they were drawn from; more rows are free"));
        let rows = (rows_file(self.format), "the synthetic rows");
        let schema = self.has_schema.then_some((SCHEMA_FILE, "what was discovered of the columns, to use again"));
        let others = [
            (DICTIONARY_FILE, "what every column and code means"),
            (REPORT_FILE, "a page about the release, to read in a browser"),
            (STATEMENT_FILE, "the privacy statement: every charge, and the files' hashes"),
        ];
        std::iter::once(rows).chain(model).chain(schema).chain(others).collect()
    }

    /// The statement of `privacy.json`, with the hashes of the other files.
    pub fn statement(&self) -> &Statement {
        &self.statement
    }

    /// The journal of charges beside the folder, when it was kept there.
    pub fn journal(&self) -> Option<&Path> {
        self.journal.as_deref()
    }

    /// Where a folder that was in the way was moved to.
    pub fn moved_aside(&self) -> Option<&Path> {
        self.moved_aside.as_deref()
    }
}

impl Release {
    /// Writes the folder: the rows as CSV, the model, the dictionary, the page and the statement.
    /// Whole, or not at all.
    ///
    /// # Errors
    /// A folder that is in the way or cannot be written.
    pub fn write(&self, path: impl Into<PathBuf>) -> Result<WrittenRelease, Error> {
        self.write_to(&ReleaseFolder::new(path))
    }

    /// Like [`write`](Self::write), where and how this says.
    pub fn write_to(&self, folder: &ReleaseFolder) -> Result<WrittenRelease, Error> {
        let partial = folder.place()?.begin()?;
        pool::on_threads(limits::check_threads(None)?, || {
            self.write_into(partial, folder.format, &Unwatched, &Cancel::new())
        })
    }

    /// Writes the files, the statement with the hashes of the others last, and gives the folder its
    /// name.
    pub(crate) fn write_into(
        &self,
        partial: Partial,
        format: Format,
        observer: &dyn Observer,
        cancel: &Cancel,
    ) -> Result<WrittenRelease, Error> {
        observer.phase("writing");
        let folder = partial.folder().join(RELEASE_FOLDER);
        fs::create_dir(&folder).map_err(|error| Error::writing(&folder, error))?;
        let early = self.statement.clone().with_facts(|facts| {
            facts.job.insert("format".to_owned(), format.name().into());
            facts.files.clear();
        });
        let release = Self { statement: early, ..self.clone() };
        let writing = Writing { folder: &folder, observer, cancel };
        let mut names = vec![writing.rows(&release, format)?];
        stop_if(cancel)?;
        if let Some(model) = release.model() {
            names.push(writing.file(MODEL_FILE, &model.to_bytes())?);
        }
        let found = release.found_schema()?;
        if let Some(text) = &found {
            names.push(writing.file(SCHEMA_FILE, text.as_bytes())?);
        }
        let page = writing.page(&release)?;
        names.push(writing.file(DICTIONARY_FILE, release.dictionary().as_bytes())?);
        names.push(writing.file(REPORT_FILE, page.as_bytes())?);
        let files = names.into_iter().map(|name| describe(&folder, name, cancel)).collect::<Result<Vec<_>, _>>()?;
        let statement = release.statement.with_facts(|facts| facts.files = files);
        writing.file(STATEMENT_FILE, seal(&statement.to_json()).as_bytes())?;
        stop_if(cancel)?;
        let has_model = matches!(release.contents, Contents::Model(_));
        let (folder, moved_aside) = partial.publish()?;
        let has_schema = found.is_some();
        Ok(WrittenRelease { folder, journal: None, moved_aside, statement, format, has_model, has_schema })
    }
}

impl Release {
    /// The schema file with what was discovered; `None` where everything was stated.
    pub fn found_schema(&self) -> Result<Option<String>, Error> {
        let discovers = self.schema.columns().iter().any(|column| column.discovered.is_some());
        Ok(if discovers { Some(self.schema.to_released_toml()?) } else { None })
    }
}

/// Size and digest of a file of the release.
pub(super) fn describe(folder: &Path, name: &str, cancel: &Cancel) -> Result<ReleaseFile, Error> {
    let path = folder.join(name);
    let bytes = fs::metadata(&path).map_err(|error| Error::reading(&path, error))?.len();
    Ok(ReleaseFile { name: name.to_owned(), bytes, sha256: hash::file_sha256(&path, cancel)? })
}

/// Where the files are written, and under whose eyes.
struct Writing<'a> {
    folder: &'a Path,
    observer: &'a dyn Observer,
    cancel: &'a Cancel,
}

impl Writing<'_> {
    /// The synthetic rows; gives the name of their file.
    fn rows(&self, release: &Release, format: Format) -> Result<&'static str, Error> {
        let name = rows_file(format);
        let path = self.folder.join(name);
        let file = Box::new(File::create_new(&path).map_err(|error| Error::writing(&path, error))?);
        match (&release.contents, release.seed) {
            (Contents::Model(model), Some(seed)) => {
                let sampling = Sampling::new(release.rows, seed.0);
                write_rows(model, &sampling, format, file, self.observer, self.cancel)?;
            }
            (Contents::Model(_), None) => return Err(Error::fault("a model without a seed to draw with")),
            (Contents::Rows(paid), _) => {
                write_drawn(&release.schema, &paid.drawn, format, file, self.observer, self.cancel)?;
            }
        }
        Ok(name)
    }

    /// The page. With many columns it takes seconds, so it is made aside: whoever asks to stop need
    /// not wait for it, and what becomes of it then is of no use to anybody.
    fn page(&self, release: &Release) -> Result<String, Error> {
        let release = release.clone();
        let (send, receive) = channel();
        std::thread::spawn(move || send.send(release.report()));
        loop {
            stop_if(self.cancel)?;
            match receive.recv_timeout(GLANCE) {
                Ok(page) => return Ok(page),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Error::fault("the page could not be made")),
            }
        }
    }

    fn file(&self, name: &'static str, bytes: &[u8]) -> Result<&'static str, Error> {
        stop_if(self.cancel)?;
        let path = self.folder.join(name);
        fs::write(&path, bytes).map_err(|error| Error::writing(&path, error))?;
        Ok(name)
    }
}
