//! The steward's own comparison with the real rows. It looks at them without paying: nothing it
//! makes may be published.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lookalike_evaluate::marginals::Ways;
use lookalike_evaluate::{TableComparison, compare, compare_triples};
use lookalike_schema::{IgnoredColumns, Role};
use lookalike_table::{Input, PrivateTable, ReadOptions, Table};

use crate::error::{Error, FileFault, SettingError};
use crate::input::{read_open_schema, read_options, read_schema, with_decimal, with_encoding, with_setting};
use crate::limits::check_threads;
use crate::release::{SCHEMA_FILE, find, synthetic_rows};
use crate::scratch::{ScratchFolder, private_file};
use crate::synthesizer::KnownSchema;
use crate::watch::Watch;
use crate::{Cancel, Observer, Schema, pool};

/// The folder of the steward's own files.
const STEWARD_FOLDER: &str = "steward-only";
/// The page in it.
const PAGE: &str = "report.html";

/// How the real table is read again, as typed.
#[derive(Clone, Debug, Default)]
pub struct StewardSpec {
    /// The schema's file. A release does not say how the private table was read.
    pub schema: Option<PathBuf>,
    /// The decimal mark, with that file.
    pub decimal: Option<String>,
    /// The encoding of the table.
    pub encoding: Option<String>,
    /// The field delimiter.
    pub delimiter: Option<String>,
    /// Memory for coded rows.
    pub memory: Option<String>,
    /// Threads; left out: all cores.
    pub threads: Option<usize>,
}

/// Compares a release with the real rows and writes `steward-only/report.html` (folder mode 0700,
/// page 0600) into the run's folder.
///
/// Steward-only, and to be run after the release is closed, in a process of its own: nothing of it
/// may flow back.
pub fn steward_report(
    folder: &Path,
    input: &Input,
    spec: &StewardSpec,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Result<PathBuf, Error> {
    let schema = with_decimal(schema_of(folder, spec)?, spec.decimal.as_deref())?;
    let schema = with_encoding(schema, spec.encoding.as_deref())?;
    let found = compare_in_order(folder, input, &schema, spec, observer, cancel, true)?;
    let page = lookalike_report::steward_page(&found.schema, &found.comparison, found.triples.as_ref());
    write_folder(folder, page.as_bytes())
}

/// The schema that was named; where it left facts open, or none was named, the release's, which has
/// what was found.
fn schema_of(folder: &Path, spec: &StewardSpec) -> Result<Schema, Error> {
    if let Some(path) = &spec.schema {
        match read_open_schema(path, false)? {
            KnownSchema::Stated(schema) => return Ok(schema),
            KnownSchema::Open(_) => {}
        }
    }
    let path = find(folder, SCHEMA_FILE).ok_or(SettingError::NoSchema)?;
    let found = read_schema(&path)?;
    with_setting(&found, "unlisted", "ignore")
}

/// Compares the real rows with a release's synthetic ones. Steward-only.
pub fn compare_for_steward(
    folder: &Path,
    input: &Input,
    schema: &Schema,
    spec: &StewardSpec,
    observer: &dyn Observer,
    cancel: &Cancel,
) -> Result<TableComparison, Error> {
    Ok(compare_in_order(folder, input, schema, spec, observer, cancel, false)?.comparison)
}

struct Found {
    comparison: TableComparison,
    triples: Option<Ways>,
    /// In the order of the file, which is the comparison's.
    schema: Schema,
}

fn compare_in_order(
    folder: &Path,
    input: &Input,
    schema: &Schema,
    spec: &StewardSpec,
    observer: &dyn Observer,
    cancel: &Cancel,
    with_triples: bool,
) -> Result<Found, Error> {
    let threads = check_threads(spec.threads)?;
    let options = read_options(spec.delimiter.as_deref(), spec.memory.as_deref())?;
    let schema = &schema.all_modelled()?;
    let form = schema.row_form();
    let plain = ReadOptions { delimiter: Some(form.delimiter), encoding: Some(form.encoding), ..options.clone() };
    let released = released_schema(schema)?;
    let synthetic = synthetic_rows(folder).ok_or_else(|| Error::file(folder, FileFault::LacksRows))?;
    pool::on_threads(threads, || {
        let watch = Watch { observer, cancel };
        observer.phase("reading the real rows for the steward");
        let real = PrivateTable::read(input, schema, &options, &watch)?.open_for_steward_only();
        observer.phase("reading the synthetic rows");
        let synthetic = Table::read(&Input::Path(synthetic), &released, &plain, &watch)?;
        observer.phase("comparing");
        let cancelled = || cancel.is_cancelled();
        let comparison = compare(&real, &synthetic, &cancelled)?;
        let triples = with_triples.then(|| compare_triples(&real, &synthetic, &cancelled)).transpose()?;
        Ok(Found { comparison, triples, schema: real.schema().clone() })
    })
}

/// The schema of released rows: ignored columns are not among them, unless it says so.
fn released_schema(schema: &Schema) -> Result<Schema, Error> {
    if schema.row_form().ignored == IgnoredColumns::Empty {
        return Ok(schema.clone());
    }
    let mut json = schema.to_json();
    if let Some(columns) = json["columns"].as_object_mut() {
        for column in schema.columns().iter().filter(|column| column.role == Role::Ignored) {
            columns.shift_remove(&column.name);
        }
    }
    Ok(Schema::parse(&json.to_string(), "schema")?)
}

/// Written beside its place, closed to others from the start, and renamed.
fn write_folder(folder: &Path, page: &[u8]) -> Result<PathBuf, Error> {
    let target = folder.join(STEWARD_FOLDER);
    write_private_folder(&target, page).map_err(|error| Error::writing(&target, error))?;
    Ok(target.join(PAGE))
}

fn write_private_folder(target: &Path, page: &[u8]) -> io::Result<()> {
    let partial = ScratchFolder::beside(target)?;
    let mut file = private_file().create_new(true).open(partial.path().join(PAGE))?;
    file.write_all(page)?;
    if target.exists() {
        fs::remove_dir_all(target)?;
    }
    partial.rename(target)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn the_page_is_closed_to_others_and_leftovers_go() {
        let home = tempfile::tempdir().unwrap();
        let left = home.path().join("steward-only.partial-0123456789abcdef");
        fs::create_dir(&left).unwrap();
        fs::write(left.join(PAGE), "half").unwrap();
        for text in ["one", "two"] {
            let page = write_folder(home.path(), text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&page).unwrap(), text);
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(&page), 0o600);
            assert_eq!(mode(&home.path().join(STEWARD_FOLDER)), 0o700);
        }
        let names: Vec<_> = fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, [STEWARD_FOLDER]);
    }
}
