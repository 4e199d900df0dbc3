//! Coded rows that are kept for a second release: taken where they are of the same run, refused
//! where anything is not.

use std::path::Path;
use std::sync::Mutex;

use crate::common::{SCHEMA, records, table};
use lookalike::{
    Auto, Budget, Error, ErrorKind, Independent, LedgerFile, LedgerSpec, Observer, OpenSchema, ReleaseFolder, Schema,
    Synthesizer, open_in_ledger, show_ledger,
};

fn run() -> Synthesizer<'static> {
    let schema = Schema::parse(SCHEMA, "schema").unwrap();
    Synthesizer::new(schema).budget(Budget::new(1.0, 1e-9).unwrap()).method(Independent::default())
}

#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Observer for Notes {
    fn note(&self, text: &str) {
        self.0.lock().unwrap().push(text.to_owned());
    }
}

/// Whether the rows were those that had been kept.
fn took_kept(run: Synthesizer<'_>, rows: &Path) -> Result<bool, Error> {
    let notes = Notes::default();
    run.progress(&notes).fit(rows.to_owned())?;
    let notes = notes.0.into_inner().unwrap();
    Ok(notes.iter().any(|note| note.contains("the table was not read")))
}

#[test]
fn kept_rows_are_taken_by_the_same_run_and_by_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let (rows, kept) = (folder.path().join("rows.csv"), folder.path().join("rows.coded"));
    std::fs::write(&rows, table(&records(90))).unwrap();
    let keeping = || run().keep_coded(&kept);
    assert!(!took_kept(keeping(), &rows).unwrap());
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&kept).unwrap().permissions());
        assert_eq!(mode & 0o777, 0o600);
    }
    assert!(took_kept(keeping(), &rows).unwrap());
    let refused = |run: Synthesizer<'_>, word: &str| {
        let error = took_kept(run, &rows).unwrap_err();
        assert!(error.to_string().contains(word) && error.kind() == ErrorKind::User, "{word}: {error}");
    };
    refused(keeping().unit("id", 2), "other persons");
    refused(keeping().unit("id", 2).method(Auto::default()), "other");
    let narrower = SCHEMA.replacen("99", "98", 1);
    assert_ne!(narrower, SCHEMA);
    let other = Schema::parse(&narrower, "schema").unwrap();
    let other = Synthesizer::new(other).budget(Budget::new(1.0, 1e-9).unwrap()).method(Independent::default());
    refused(other.keep_coded(&kept), "other columns");
    // The table changed, then changed back to what it was: by its times it is another one.
    std::fs::write(&rows, table(&records(91))).unwrap();
    refused(keeping(), "files that changed");
    // A file that is none, and one that was cut short.
    let whole = std::fs::read(&kept).unwrap();
    for bytes in [&b"nothing"[..], &whole[..whole.len() - 1]] {
        std::fs::write(&kept, bytes).unwrap();
        refused(keeping(), "damaged");
    }
    std::fs::remove_file(&kept).unwrap();
    assert!(!took_kept(keeping(), &rows).unwrap(), "kept anew");
    let open = Synthesizer::discovering(OpenSchema::nothing()).budget(Budget::new(1.0, 1e-9).unwrap());
    refused(open.keep_coded(&kept), "to be discovered");
    let out = ReleaseFolder::new(folder.path().join("out"));
    let inside = run().keep_coded(folder.path().join("out/release/x.coded"));
    let Err(error) = inside.fit_to(rows.clone(), &out) else { panic!("it lies in the release") };
    assert!(error.to_string().contains("in the folder of the release"));
}

/// A ledger knows kept rows as it knows those of the table, and another ledger has none of them.
#[test]
fn a_ledger_is_drawn_on_for_kept_rows_too() {
    let folder = tempfile::tempdir().unwrap();
    let (rows, kept) = (folder.path().join("rows.csv"), folder.path().join("rows.coded"));
    std::fs::write(&rows, table(&records(90))).unwrap();
    let ledger = |name: &str| {
        let file = folder.path().join(name);
        let spec = LedgerSpec { name: "people".into(), epsilon: 4.0, ..LedgerSpec::default() };
        open_in_ledger(&file, &spec).unwrap();
        file
    };
    let (one, two) = (ledger("one.db"), ledger("two.db"));
    let drawn = |file: &Path| run().keep_coded(&kept).ledger(LedgerFile::open(file).unwrap(), "people");
    assert!(!took_kept(drawn(&one), &rows).unwrap());
    assert!(took_kept(drawn(&one), &rows).unwrap());
    assert_eq!(show_ledger(&one, Some("people")).unwrap()[0].drawn().len(), 2);
    for other in [drawn(&two), run().keep_coded(&kept)] {
        let error = took_kept(other, &rows).unwrap_err();
        assert!(error.to_string().contains("another ledger"), "{error}");
    }
}
