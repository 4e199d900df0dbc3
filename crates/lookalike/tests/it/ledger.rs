//! What a run promises to a ledger, and to persons, through the library.

use std::path::PathBuf;

use crate::common::{SCHEMA, Untouched, records, table};
use lookalike::{
    Budget, Engine, Error, Independent, LedgerFile, LedgerSpec, PrivateTable, Schema, SettingError, Synthesizer,
    open_in_ledger, show_ledger,
};

/// A ledger with the data set "people", and a table of 30 rows.
struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    fn new(spec: LedgerSpec) -> Self {
        let home = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::write(home.path("rows.csv"), table(&records(30))).unwrap();
        open_in_ledger(&home.path("L.db"), &LedgerSpec { name: "people".into(), ..spec }).unwrap();
        home
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn ledger(&self) -> LedgerFile {
        LedgerFile::open(&self.path("L.db")).unwrap()
    }

    /// The runs that the ledger knows of.
    fn runs(&self) -> usize {
        show_ledger(&self.path("L.db"), Some("people")).unwrap()[0].drawn().len()
    }
}

fn schema() -> Schema {
    Schema::parse(SCHEMA, "schema").unwrap()
}

fn run() -> Synthesizer<'static> {
    let budget = Budget::new(1.0, 1e-9).unwrap();
    Synthesizer::new(schema()).budget(budget).method(Independent::default())
}

fn refusal(result: Result<impl Sized, Error>) -> SettingError {
    match result {
        Err(Error::Setting(error)) => error,
        Err(other) => panic!("another error: {other}"),
        Ok(_) => panic!("not refused"),
    }
}

/// Rows without ids cannot be bounded by person, and rows without digests cannot be recognized.
#[test]
fn coded_rows_have_neither_persons_nor_a_ledger() {
    let home = Home::new(LedgerSpec { epsilon: 4.0, ..LedgerSpec::default() });
    let coded = || PrivateTable::from_columns(&schema(), vec![vec![0; 4]; 6]);
    let by_person = || run().unit("id", 2);
    assert!(matches!(refusal(by_person().fit(coded())), SettingError::UnitOfCodedRows));
    assert!(matches!(refusal(by_person().fit(Engine(Untouched))), SettingError::UnitOfCodedRows));
    let drawn = || run().ledger(home.ledger(), "people");
    assert!(matches!(refusal(drawn().fit(coded())), SettingError::LedgerOfCodedRows));
    assert!(matches!(refusal(drawn().fit(Engine(Untouched))), SettingError::LedgerOfCodedRows));
    assert_eq!(home.runs(), 0);
}

/// A ledger that sums up rho takes runs that keep a promise of rho.
#[test]
fn a_run_on_a_ledger_in_rho_is_accounted_in_rho() {
    let home = Home::new(LedgerSpec { epsilon: 4.0, ..LedgerSpec::default() });
    let is_exact = |run: Synthesizer<'_>| {
        let release = run.fit(home.path("rows.csv")).unwrap();
        release.statement().to_json().contains("\"exact\"")
    };
    assert!(is_exact(run()), "without a ledger the least noise wins");
    assert!(!is_exact(run().ledger(home.ledger(), "people")));
    assert_eq!(home.runs(), 1);
}

/// A ledger that protects persons takes runs that bound the same persons' rows, and no others.
#[test]
fn a_ledger_of_persons_takes_runs_by_person() {
    let spec = LedgerSpec { epsilon: 4.0, unit: Some("id".into()), contribution: Some(2), ..LedgerSpec::default() };
    let home = Home::new(spec);
    let drawn = || run().ledger(home.ledger(), "people");
    for wrong in [drawn(), drawn().unit("id", 1), drawn().unit("remark", 2)] {
        assert!(matches!(wrong.fit(home.path("rows.csv")), Err(Error::Ledger(_))));
    }
    assert_eq!(home.runs(), 0);
    drawn().unit("id", 2).fit(home.path("rows.csv")).unwrap();
    assert_eq!(home.runs(), 1);
}
