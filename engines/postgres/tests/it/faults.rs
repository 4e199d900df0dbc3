//! Connections that break or stop, and backends that are killed: an error in fixed words, never
//! fewer rows.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use lookalike::Schema;
use lookalike_postgres::PostgresRows;
use lookalike_table::TableError;
use lookalike_testkit::{Dice, Postgres};

use crate::common::{Watching, read};

const ROWS: u64 = 120_000;
/// Rows that the server takes its time for.
const SLOW_ROWS: u64 = 12_000;

fn schema() -> Schema {
    let text = "unlisted = \"ignore\"\n[columns.kind]\ntype = \"integer\"\nrange = [0, 3]\n";
    Schema::parse(text, "schema").unwrap()
}

fn table(server: &Postgres, name: &str, rows: u64) {
    server.sql(&format!(
        "CREATE TABLE IF NOT EXISTS {name} (kind integer, padding text); TRUNCATE {name}; \
         INSERT INTO {name} SELECT k % 4, repeat('x', 300) FROM generate_series(1, {rows}) k"
    ));
}

/// What a proxy does after some bytes of the server.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    Cut,
    Stop,
}

/// Stands between: hands over some bytes of the server over all connections, and then fails.
struct Proxy {
    port: u16,
    left: Arc<AtomicI64>,
}

impl Proxy {
    fn new(server: u16, bytes: i64, fault: Fault) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let left = Arc::new(AtomicI64::new(bytes));
        let shared = left.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let Ok(there) = TcpStream::connect(("127.0.0.1", server)) else { return };
                let left = shared.clone();
                std::thread::spawn(move || between(&client, &there, &left, fault));
            }
        });
        Self { port, left }
    }
}

fn between(client: &TcpStream, server: &TcpStream, left: &AtomicI64, fault: Fault) {
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (mut from, mut to) = (client, server);
            let _ = std::io::copy(&mut from, &mut to);
            let _ = server.shutdown(Shutdown::Both);
        });
        let (mut from, mut to) = (server, client);
        let mut buffer = [0; 4096];
        while let Ok(length @ 1..) = from.read(&mut buffer) {
            let before = left.fetch_sub(length as i64, Ordering::SeqCst);
            if before < length as i64 && fault != Fault::None {
                let _ = to.write_all(&buffer[..before.clamp(0, length as i64) as usize]);
                // Silent, with both connections open, until the client has gone.
                while fault == Fault::Stop && matches!(from.read(&mut buffer), Ok(1..)) {}
                break;
            }
            if to.write_all(&buffer[..length]).is_err() {
                break;
            }
        }
        let _ = client.shutdown(Shutdown::Both);
        let _ = server.shutdown(Shutdown::Both);
    });
}

/// A silence as long as `patience` is a failure of the server.
fn rows_through(server: &Postgres, port: u16, name: &str, patience: Duration) -> Result<u64, TableError> {
    let postgres = PostgresRows::at(&server.address_at(port, &format!("table={name}"))).unwrap();
    let postgres = postgres.connections(2).longest_silence(patience);
    read(postgres, &schema(), &Watching::default()).map(|table| table.rows())
}

/// As many rounds as `LOOKALIKE_FAULTS` says: all rows, or an error.
#[test]
fn never_fewer_rows() {
    let Some(server) = Postgres::shared() else { return };
    table(server, "faulty", ROWS);
    // A busy machine may be silent for a while without any fault.
    let (short, long) = (Duration::from_millis(600), Duration::from_secs(60));
    let whole = Proxy::new(server.port(), i64::MAX, Fault::None);
    assert_eq!(rows_through(server, whole.port, "faulty", long).unwrap(), ROWS);
    let all = i64::MAX - whole.left.load(Ordering::SeqCst);
    let rounds: u64 = std::env::var("LOOKALIKE_FAULTS").ok().and_then(|it| it.parse().ok()).unwrap_or(5);
    let (mut dice, mut noticed) = (Dice(7), 0);
    for round in 0..rounds {
        let fault = if round % 2 == 0 { Fault::Cut } else { Fault::Stop };
        let bytes = dice.below(all as u64) as i64;
        let proxy = Proxy::new(server.port(), bytes, fault);
        match rows_through(server, proxy.port, "faulty", short) {
            // A fault behind the last row takes nothing away.
            Ok(rows) => assert_eq!(rows, ROWS, "{fault:?} after {bytes} of {all} bytes"),
            Err(error) => {
                noticed += 1;
                let error = error.to_string();
                assert!(!error.contains("127.0.0.1") && !error.contains("faulty"), "{error}");
            }
        }
    }
    assert!(noticed * 10 >= rounds * 8, "{noticed} of {rounds} faults were noticed");
    assert_eq!(rows_through(server, server.port(), "faulty", long).unwrap(), ROWS, "a second run works");
}

/// Kills the first backend that is seen at a query of this shape. Ends without one when the reader
/// was seen and is gone.
fn kill_first(server: &Postgres, query: &str) {
    server.sql(&format!(
        "DO $$ DECLARE seen boolean := false; here integer; BEGIN \
         FOR k IN 1..2000000 LOOP \
         PERFORM pg_stat_clear_snapshot(); \
         PERFORM pg_terminate_backend(pid) FROM pg_stat_activity \
         WHERE application_name = 'lookalike' AND query LIKE '{query}'; \
         EXIT WHEN FOUND; \
         SELECT count(*) INTO here FROM pg_stat_activity WHERE application_name = 'lookalike'; \
         EXIT WHEN seen AND here = 0; \
         seen := seen OR here > 0; \
         END LOOP; END $$"
    ));
}

/// Backends are killed at their work, by others or by their server. The server is this test's own:
/// on a shared one the queries of other tests would look like the ones to kill.
#[test]
fn killed_backends() {
    let Some(server) = Postgres::own() else { return };
    table(&server, "killed", SLOW_ROWS);
    // A slow query, so that there is a time to be killed in.
    let rows = "query=SELECT kind FROM killed WHERE slowly(kind) IS NOT NULL";
    server.sql(
        "CREATE FUNCTION slowly(integer) RETURNS text IMMUTABLE LANGUAGE plpgsql AS \
         'BEGIN PERFORM pg_sleep(0.00002); RETURN 1; END'",
    );
    let rounds: u64 = std::env::var("LOOKALIKE_FAULTS").ok().and_then(|it| it.parse().ok()).unwrap_or(5);
    let mut killed = 0;
    for round in 0..rounds {
        let found = std::thread::scope(|scope| {
            let reader = scope.spawn(|| {
                let postgres = PostgresRows::at(&server.address(rows)).unwrap();
                read(postgres, &schema(), &Watching::default()).map(|table| table.rows())
            });
            kill_first(&server, ["COPY%", "SELECT pg_export_snapshot%", "EXPLAIN%"][round as usize % 3]);
            reader.join().unwrap()
        });
        match found {
            Ok(rows) => assert_eq!(rows, SLOW_ROWS),
            Err(error) => {
                killed += 1;
                assert!(matches!(error, TableError::Server { .. }), "{error}");
                assert!(!error.to_string().contains("terminat"), "{error}");
            }
        }
    }
    assert!(killed * 2 > rounds, "{killed} of {rounds} were hit");
}

/// A stop is heard while the server works on.
#[test]
fn a_stop_does_not_wait_for_the_server() {
    let Some(server) = Postgres::shared() else { return };
    let watch = Watching::default();
    let rows = "query=SELECT 1 AS kind WHERE pg_sleep(60) IS NULL";
    // Volatile, so it is refused before it sleeps; a view of the same is, too.
    let Err(error) = read(PostgresRows::at(&server.address(rows)).unwrap(), &schema(), &watch) else { panic!() };
    assert!(error.to_string().contains("volatile"));
    table(server, "stopped", ROWS);
    let proxy = Proxy::new(server.port(), 200_000, Fault::Stop);
    let postgres = PostgresRows::at(&server.address_at(proxy.port, "table=stopped")).unwrap();
    let begun = Instant::now();
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| read(postgres, &schema(), &watch).map(|table| table.rows()));
        while proxy.left.load(Ordering::SeqCst) > 0 {
            std::thread::yield_now();
        }
        watch.stops.store(true, Ordering::Relaxed);
        assert!(matches!(reader.join().unwrap(), Err(TableError::Cancelled)));
    });
    assert!(begun.elapsed() < Duration::from_secs(60));
}
