//! All rows are of one moment, whatever others do meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};

use lookalike::Schema;
use lookalike_postgres::PostgresRows;
use lookalike_table::RemoteRows;
use lookalike_testkit::Postgres;

use crate::common::{Watching, read, sorted};

/// Rows move from one end of the table to the other, are added and deleted, all the time. Each
/// moment of it has the same number of rows of each kind.
#[test]
fn writers_do_not_show() {
    let Some(server) = Postgres::shared() else { return };
    server.sql(
        "CREATE TABLE moving (kind integer, padding text); \
         INSERT INTO moving SELECT k % 4, repeat('x', 400) FROM generate_series(1, 200000) k",
    );
    let schema = "unlisted = \"ignore\"\n[columns.kind]\ntype = \"integer\"\nrange = [0, 3]\n";
    let schema = Schema::parse(schema, "schema").unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                // A transaction each: the numbers of rows of each kind stay what they are.
                server.sql(
                    "BEGIN; WITH gone AS (DELETE FROM moving WHERE ctid IN (SELECT ctid FROM moving LIMIT 2000) \
                     RETURNING kind, padding) INSERT INTO moving SELECT * FROM gone; COMMIT; \
                     UPDATE moving SET padding = 'y' WHERE ctid IN (SELECT ctid FROM moving LIMIT 500)",
                );
            }
        });
        for connections in [1, 4] {
            let postgres = PostgresRows::at(&server.address("table=moving")).unwrap().connections(connections);
            let found = sorted(&read(postgres, &schema, &Watching::default()).unwrap());
            let of = |kind: u32| found.iter().filter(|row| row[0] == kind).count();
            assert_eq!([of(0), of(1), of(2), of(3)], [50_000; 4], "{connections} connections");
        }
        done.store(true, Ordering::Relaxed);
    });
}

/// Emptying a table takes rows away from every snapshot, so nobody can do it while it is read.
#[test]
fn nobody_empties_a_table_that_is_read() {
    let Some(server) = Postgres::shared() else { return };
    for (rows, name) in [("table=held", "held"), ("query=SELECT a FROM held_too WHERE a > 0", "held_too")] {
        server.sql(&format!("CREATE TABLE {name} (a integer); INSERT INTO {name} SELECT generate_series(1, 1000)"));
        let watch = Watching::default();
        let batches = PostgresRows::at(&server.address(rows)).unwrap().open(&watch).unwrap();
        for sentence in ["TRUNCATE", "DROP TABLE", "ALTER TABLE"] {
            let rest = if sentence == "ALTER TABLE" { " DROP COLUMN a" } else { "" };
            assert!(!server.try_sql(&format!("SET lock_timeout = '100ms'; {sentence} {name}{rest}")), "{sentence}");
        }
        let rows: usize = batches.map(|batch| batch.unwrap().num_rows()).sum();
        assert_eq!(rows, 1000);
        server.sql(&format!("TRUNCATE {name}"));
    }
}
