//! Releases of tables that lie in several files: recognized as the same rows, and of one state of
//! them or not at all.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::common::{HEADER, SCHEMA, records, table};
use lookalike::{
    Budget, Cancel, Error, ErrorKind, FileList, FittedRows, Independent, Input, LedgerFile, LedgerSpec, Observer,
    OpenSchema, ReadOptions, ReleaseFolder, Schema, Synthesizer, TableError, Unwatched, check_against, draft_schema,
    open_in_ledger, show_ledger, sketch_columns, table_input,
};

const OPTIONS: ReadOptions = ReadOptions { delimiter: None, encoding: None, multiline: false, memory: 1 << 30 };

fn schema() -> Schema {
    Schema::parse(SCHEMA, "schema").unwrap()
}

fn run() -> Synthesizer<'static> {
    Synthesizer::new(schema()).budget(Budget::new(1.0, 1e-9).unwrap()).method(Independent::default())
}

fn put(path: PathBuf, content: &[u8]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

/// 90 rows in one file, in three, and by sex.
fn in_all_forms(folder: &Path) {
    let rows = records(90);
    put(folder.join("one.csv"), &table(&rows));
    for (k, part) in rows.chunks(30).enumerate() {
        put(folder.join(format!("parts/{k}.csv")), &table(part));
    }
    let header = HEADER.replace(",sex", "");
    for sex in ["f", "m"] {
        let own = rows.iter().filter(|row| row.contains(&format!(",{sex},")));
        let own: Vec<String> = own.map(|row| row.replacen(&format!(",{sex},"), ",", 1)).collect();
        put(folder.join(format!("hive/sex={sex}/0.csv")), format!("{header}\n{}\n", own.join("\n")).as_bytes());
    }
}

#[test]
fn the_same_rows_are_recognized_in_whatever_files() {
    let folder = tempfile::tempdir().unwrap();
    in_all_forms(folder.path());
    let register = FittedRows::new().unwrap();
    let fitted = |name: &str| match run().once_only(&register, false).fit(folder.path().join(name)) {
        Ok(_) => true,
        Err(error) => {
            assert!(matches!(error, Error::Setting(_)), "{error}");
            false
        }
    };
    assert!(fitted("one.csv"));
    for name in ["parts", "parts/*.csv", "hive", "hive/sex=?"] {
        assert!(!fitted(name), "{name} was taken for other rows");
    }
    assert!(fitted("parts/[01].csv"), "two thirds of the rows are other rows");
}

#[test]
fn stewards_may_draft_and_check_them() {
    let folder = tempfile::tempdir().unwrap();
    in_all_forms(folder.path());
    let look = |name: &str| {
        let input = table_input(&folder.path().join(name)).unwrap();
        let draft = draft_schema(&input, &OPTIONS, &Unwatched, &Cancel::new()).unwrap();
        let found = check_against(&schema(), &input, &OPTIONS, &Unwatched, &Cancel::new()).unwrap();
        (draft.to_toml(), found.rows, found.outside)
    };
    let one = look("one.csv");
    assert_eq!(one.1, 90);
    assert!(look("parts") == one);
    let hive = look("hive/**");
    assert!((hive.1, &hive.2) == (one.1, &one.2));
    let open = OpenSchema::parse(SCHEMA, "schema").unwrap();
    let sketch = |name: &str| {
        let input = table_input(&folder.path().join(name)).unwrap();
        sketch_columns(&open, &input, &OPTIONS, &Unwatched, &Cancel::new()).unwrap()
    };
    assert!(sketch("hive") == sketch("one.csv"));
    // Columns stand in another order there, and nothing else is different.
    let lines = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines(&hive.0.replace("order = ", "")).len(), lines(&one.0.replace("order = ", "")).len());
}

#[test]
fn records_out_of_shape_are_told_with_their_file() {
    let folder = tempfile::tempdir().unwrap();
    in_all_forms(folder.path());
    let bad = [table(&records(3)), b"1,2\n".to_vec()].concat();
    put(folder.path().join("parts/1.csv"), &bad);
    let input = table_input(&folder.path().join("parts")).unwrap();
    let found = check_against(&schema(), &input, &OPTIONS, &Unwatched, &Cancel::new()).unwrap();
    assert_eq!((found.shapes.short.records, found.shapes.short.lines), (1, vec![5]));
    assert!(found.shapes.short.file.unwrap().ends_with("1.csv"));
}

/// Writes to a file while it is read.
struct Writing(PathBuf, AtomicBool);

impl Observer for Writing {
    fn reading(&self, _share: f64) {
        if !self.1.swap(true, Ordering::Relaxed) {
            std::fs::write(&self.0, table(&records(31))).unwrap();
        }
    }
}

/// Neither a release nor a charge comes of files that change, and the words are fixed.
#[test]
fn files_that_change_end_the_run() {
    for (source, written) in [("parts", "parts/2.csv"), ("parts", "parts/9.csv"), ("one.csv", "one.csv")] {
        let folder = tempfile::tempdir().unwrap();
        in_all_forms(folder.path());
        let file = folder.path().join("L.db");
        open_in_ledger(&file, &LedgerSpec { name: "people".into(), epsilon: 4.0, ..LedgerSpec::default() }).unwrap();
        let observer = Writing(folder.path().join(written), AtomicBool::new(false));
        let out = folder.path().join("out");
        let run = run().ledger(LedgerFile::open(&file).unwrap(), "people").progress(&observer);
        let input = table_input(&folder.path().join(source)).unwrap();
        let Err(error) = run.fit_to(input, &ReleaseFolder::new(&out)) else { panic!("{written} was not noticed") };
        assert!(matches!(error, Error::Table(TableError::Changed)) && error.kind() == ErrorKind::User, "{error}");
        assert_eq!(error.to_string(), TableError::Changed.to_string());
        assert!(!out.exists());
        assert_eq!(show_ledger(&file, Some("people")).unwrap()[0].drawn().len(), 0);
    }
}

/// A release is not written where the next run would read it, and one that is there is not read.
#[test]
fn releases_are_never_taken_for_rows() {
    let folder = tempfile::tempdir().unwrap();
    in_all_forms(folder.path());
    let input = |name: &str| table_input(&folder.path().join(name)).unwrap();
    for (source, out) in [("parts", "parts/out"), ("parts", "parts/../parts/x/y"), ("**/*.csv", "out")] {
        let place = ReleaseFolder::new(folder.path().join(out));
        let Err(error) = run().fit_to(input(source), &place) else { panic!("{out} was not refused") };
        let told = error.to_string();
        assert!(told.contains("lies among the files that are read") && error.kind() == ErrorKind::User, "{told}");
        assert!(!folder.path().join(out).exists());
    }
    let count = |input: &Input| if let Input::Files(list) = input { list.paths().count() } else { 0 };
    let before = count(&input("*/*.csv"));
    let place = ReleaseFolder::new(folder.path().join("out"));
    run().fit_to(input("parts/*.csv"), &place).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(count(&input("*/*.csv")), before);
    assert_eq!(count(&input("out/release/*.csv")), 2);
}

#[test]
fn a_name_becomes_what_it_names() {
    let folder = tempfile::tempdir().unwrap();
    in_all_forms(folder.path());
    let named = |name: &str| table_input(&folder.path().join(name));
    assert!(matches!(named("one.csv"), Ok(Input::Path(_))));
    let paths = |list: &FileList| list.paths().count();
    assert!(matches!(named("parts/"), Ok(Input::Files(list)) if paths(&list) == 3));
    assert!(matches!(named("hive/*/*.csv"), Ok(Input::Files(list)) if paths(&list) == 2));
    for name in ["nowhere.csv", "parts/*.parquet"] {
        assert!(named(name).is_err_and(|error| error.kind() == ErrorKind::User));
    }
}
