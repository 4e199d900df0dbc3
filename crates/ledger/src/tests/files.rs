//! Files that are no ledger, not whole, or not ours.

use std::fs;
use std::path::Path;

use super::{Bench, mistake, request, reserve, sums, terms};
use crate::{LedgerError, LedgerFile, PrivacyFilter};

fn used() -> Bench {
    let (bench, mut ledger) = Bench::with_people(&terms(4.0, 1e-6, PrivacyFilter::Rho));
    let run = reserve(&mut ledger, &request("people", 1.0, 1e-9), 1).unwrap();
    ledger.end(&run, true).unwrap();
    reserve(&mut ledger, &request("people", 0.5, 1e-9), 1).unwrap();
    bench
}

#[cfg(unix)]
#[test]
fn all_files_are_the_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let (bench, mut ledger) = Bench::with_people(&terms(4.0, 1e-6, PrivacyFilter::Rho));
    reserve(&mut ledger, &request("people", 1.0, 1e-9), 1).unwrap();
    let mut names = Vec::new();
    for entry in fs::read_dir(bench.path(".")).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", entry.file_name());
        names.push(entry.file_name().into_string().unwrap());
    }
    names.sort();
    assert_eq!(names, ["L.db", "L.db-shm", "L.db-wal", "L.key"]);
    drop(ledger);
    for name in ["L.db", "L.key"] {
        fs::set_permissions(bench.path(name), fs::Permissions::from_mode(0o640)).unwrap();
        assert!(mistake(LedgerFile::open(&bench.path("L.db"))).contains("chmod 600"), "{name}");
        fs::set_permissions(bench.path(name), fs::Permissions::from_mode(0o600)).unwrap();
    }
    LedgerFile::open(&bench.path("L.db")).unwrap();
}

#[test]
fn what_is_not_there_or_not_a_ledger() {
    let bench = used();
    assert!(mistake(LedgerFile::open(&bench.path("other.db"))).contains("no such ledger"));
    assert!(!bench.path("other.db").exists() && !bench.path("other.key").exists());
    mistake(LedgerFile::open_or_create(&bench.path("no/such/L.db")));
    mistake(LedgerFile::open_or_create(&bench.path("L.key")));
    fs::create_dir(bench.path("folder")).unwrap();
    mistake(LedgerFile::open(&bench.path("folder")));
    for foreign in ["a,b\n1,2\n".repeat(1000), String::new(), "SQLite format 3\0".into()] {
        private(&bench.path("L2.db"), foreign.as_bytes());
        fs::copy(bench.path("L.key"), bench.path("L2.key")).unwrap();
        assert!(mistake(LedgerFile::open(&bench.path("L2.db"))).contains("is not a ledger"), "{foreign:.20}");
    }
    // Another program's database.
    fs::remove_file(bench.path("L2.db")).unwrap();
    let other = rusqlite::Connection::open(bench.path("L2.db")).unwrap();
    other.execute_batch("CREATE TABLE entries (a)").unwrap();
    drop(other);
    private(&bench.path("L2.db"), &fs::read(bench.path("L2.db")).unwrap());
    mistake(LedgerFile::open(&bench.path("L2.db")));
    mistake(LedgerFile::open_or_create(&bench.path("L2.db")));
}

fn private(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
}

#[test]
fn a_lost_key_another_key_and_half_a_key() {
    let bench = used();
    let (ledger, key) = (bench.path("L.db"), bench.path("L.key"));
    let own = fs::read(&key).unwrap();
    private(&key, format!("{}\n", "ab".repeat(32)).as_bytes());
    assert!(mistake(LedgerFile::open(&ledger)).contains("another key"));
    for bad in [&own[..20], b"", b"\xff\xfe", "zz".repeat(32).as_bytes()] {
        private(&key, bad);
        assert!(mistake(LedgerFile::open(&ledger)).contains("is not the key"));
    }
    fs::remove_file(&key).unwrap();
    assert!(mistake(LedgerFile::open(&ledger)).contains("key is missing"));
    // It is not made anew: that would forget which rows are known.
    mistake(LedgerFile::open_or_create(&ledger));
    assert!(!key.exists());
    private(&key, &own);
    assert_eq!(sums(&ledger).len(), 1);
}

#[test]
fn a_newer_version_is_refused_in_one_line() {
    let bench = used();
    let connection = rusqlite::Connection::open(bench.path("L.db")).unwrap();
    connection.pragma_update(None, "user_version", 3).unwrap();
    drop(connection);
    assert!(mistake(LedgerFile::open(&bench.path("L.db"))).contains("newer than this program"));
}

/// A ledger of version 1 knew rows by the digest of their codes. It is still read, still recognizes
/// them, and becomes one of version 2 with the first entry that is written.
#[test]
fn rows_that_an_older_program_drew_on_are_recognized() {
    let bench = used();
    let place = bench.path("L.db");
    let version = || -> i64 {
        let connection = rusqlite::Connection::open(&place).unwrap();
        connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
    };
    let mut ledger = LedgerFile::open(&place).unwrap();
    assert!(!ledger.knows_older().unwrap());
    let name = ledger.data_sets().unwrap()[0].name().to_owned();
    ledger.reserve_as_version_1(&request(&name, 0.01, 0.0), &[7; 32]).unwrap();
    assert!(ledger.knows_older().unwrap());
    ledger.open_data_set("other", &terms(1.0, 1e-9, PrivacyFilter::Rho)).unwrap();
    let mut known = |records: u8, older: Option<u8>| {
        let rows = crate::RowDigests { records: [records; 32], older: older.map(|byte| [byte; 32]) };
        ledger.reserve(&request("other", 0.01, 0.0), &rows).unwrap().known_as().to_vec()
    };
    assert!(known(100, None).is_empty() && known(101, Some(8)).is_empty());
    assert_eq!(known(102, Some(7)), [name.as_str()]);
    // From now on the records themselves are known there.
    assert_eq!(known(102, None), [name.as_str()]);
    // Digests of the two kinds are never taken for each other.
    assert!(known(7, Some(102)).is_empty());
    assert_eq!(version(), 2);
    let connection = rusqlite::Connection::open(&place).unwrap();
    connection.pragma_update(None, "user_version", 1).unwrap();
    drop(connection);
    let mut ledger = LedgerFile::open(&place).unwrap();
    assert!(ledger.knows_older().unwrap());
    ledger.close_data_set("other").unwrap();
    assert_eq!(version(), 2);
}

#[test]
fn a_changed_lost_or_exchanged_entry_is_noticed() {
    let changes = [
        "UPDATE entries SET body = replace(body, '\"epsilon\":1.0', '\"epsilon\":0.1') WHERE number = 2",
        "UPDATE entries SET tag = zeroblob(32) WHERE number = 4",
        "DELETE FROM entries WHERE number = 2",
        "DELETE FROM entries",
        "UPDATE entries SET number = number + 10 WHERE number > 2",
        "INSERT INTO entries VALUES (5, '{}', zeroblob(32))",
        "DROP TABLE entries",
    ];
    for change in changes {
        let bench = used();
        let connection = rusqlite::Connection::open(bench.path("L.db")).unwrap();
        connection.execute_batch(change).unwrap();
        drop(connection);
        let opened = LedgerFile::open(&bench.path("L.db"));
        match opened {
            Err(LedgerError::Usage { .. } | LedgerError::Fault { .. }) => {}
            Err(other) => panic!("{change}: {other}"),
            Ok(_) => panic!("{change}: not noticed"),
        }
    }
}

/// Two copies of a ledger go different ways: an entry of one, genuine as it is, has no place in the
/// other.
#[test]
fn an_entry_of_another_history_is_noticed() {
    let (bench, ledger) = Bench::with_people(&terms(4.0, 1e-6, PrivacyFilter::Rho));
    drop(ledger);
    fs::copy(bench.path("L.db"), bench.path("C.db")).unwrap();
    fs::copy(bench.path("L.key"), bench.path("C.key")).unwrap();
    for (name, first) in [("L.db", 1.0), ("C.db", 0.1)] {
        let mut ledger = LedgerFile::open(&bench.path(name)).unwrap();
        reserve(&mut ledger, &request("people", first, 1e-9), 1).unwrap();
        reserve(&mut ledger, &request("people", 0.5, 1e-9), 1).unwrap();
    }
    let connection = rusqlite::Connection::open(bench.path("L.db")).unwrap();
    let cheaper = bench.path("C.db").display().to_string();
    connection.execute("ATTACH ?1 AS other", [cheaper]).unwrap();
    let change =
        "UPDATE main.entries SET (body, tag) = (SELECT body, tag FROM other.entries WHERE number = 2) WHERE number = 2";
    assert_eq!(connection.execute(change, []).unwrap(), 1);
    drop(connection);
    assert!(mistake(LedgerFile::open(&bench.path("L.db"))).contains("damaged"));
}

/// Every fifth byte of the file, one at a time: noticed, or without a change of any sum. Never a
/// panic.
#[test]
fn a_flipped_byte_is_noticed_or_harmless() {
    let bench = used();
    let (whole, expected) = (fs::read(bench.path("L.db")).unwrap(), sums(&bench.path("L.db")));
    let place = bench.path("F.db");
    fs::copy(bench.path("L.key"), bench.path("F.key")).unwrap();
    let mut noticed = 0;
    for at in (0..whole.len()).step_by(5) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        private(&place, &bytes);
        for beside in ["F.db-wal", "F.db-shm", "F.db-journal"] {
            let _ = fs::remove_file(bench.path(beside));
        }
        match LedgerFile::open(&place) {
            Err(_) => noticed += 1,
            Ok(ledger) => {
                drop(ledger);
                assert_eq!(sums(&place), expected, "byte {at}");
            }
        }
    }
    assert!(noticed > 100, "the bodies alone are longer: {noticed}");
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let bench = used();
    fs::create_dir(bench.path("closed")).unwrap();
    for name in ["L.db", "L.key"] {
        fs::copy(bench.path(name), bench.path("closed").join(name)).unwrap();
    }
    let mode = |mode| fs::set_permissions(bench.path("closed"), fs::Permissions::from_mode(mode)).unwrap();
    mode(0o500);
    // The superuser may write everywhere: nothing to see then.
    if fs::write(bench.path("closed").join("probe"), "").is_err() {
        assert!(mistake(LedgerFile::open(&bench.path("closed").join("L.db"))).contains("may not be written"));
        mistake(LedgerFile::open_or_create(&bench.path("closed").join("new.db")));
    }
    mode(0o700);
}

/// A trigger that takes entries back, or a view that never ends, is not waited for.
#[test]
fn a_ledger_with_anything_beside_its_table_is_damaged() {
    for (name, more) in [
        (
            "trigger",
            "CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries WHERE number = new.number; END",
        ),
        ("table", "CREATE TABLE more (a)"),
        (
            "view",
            "ALTER TABLE entries RENAME TO kept; CREATE VIEW entries AS WITH RECURSIVE endless(number) AS \
             (SELECT 0 UNION ALL SELECT 0 FROM endless) SELECT number, '' AS body, x'' AS tag FROM endless",
        ),
    ] {
        let bench = used();
        let other = rusqlite::Connection::open(bench.path("L.db")).unwrap();
        other.execute_batch(more).unwrap();
        drop(other);
        assert!(mistake(LedgerFile::open(&bench.path("L.db"))).contains("is damaged"), "{name}");
    }
}
