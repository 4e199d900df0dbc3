//! Killed at every write, and torn at every place: the ledger never says less than what was
//! reserved.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use super::{Bench, request, reserve, sums, terms};
use crate::file::FaultPoint;
use crate::{LedgerFile, PrivacyFilter};

/// Tells the child where the ledger is and at which point it dies.
const CHILD: &str = "LOOKALIKE_LEDGER_TEST_CHILD";

static POINTS_LEFT: AtomicU32 = AtomicU32::new(u32::MAX);

fn die_at_zero(_: FaultPoint) {
    if POINTS_LEFT.fetch_sub(1, Ordering::SeqCst) == 0 {
        std::process::abort();
    }
}

/// A run as `synth` makes it: reserve, then (only then) look and release, then note it. Told as it
/// goes.
#[test]
fn child() {
    let Ok(what) = std::env::var(CHILD) else { return };
    let (points, path) = what.split_once(' ').unwrap();
    POINTS_LEFT.store(points.parse().unwrap(), Ordering::SeqCst);
    let mut ledger = LedgerFile::open(path.as_ref()).unwrap();
    ledger.fault = Some(die_at_zero);
    for rows in 1..=2 {
        let run = reserve(&mut ledger, &request("people", 0.5, 0.0), rows).unwrap();
        let mut out = std::io::stdout();
        out.write_all(b"\nRELEASED\n").and_then(|()| out.flush()).unwrap();
        ledger.end(&run, true).unwrap();
    }
    let _ = ledger.close_data_set("people");
}

#[test]
fn killed_at_every_write_point() {
    let mut seen = [0; 3];
    for points in 0.. {
        let (bench, ledger) = Bench::with_people(&terms(2.0, 0.0, PrivacyFilter::EpsilonDelta));
        drop(ledger);
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "tests::crash::child", "--nocapture", "--test-threads=1"])
            .env(CHILD, format!("{points} {}", bench.path("L.db").display()))
            .stderr(Stdio::null())
            .output()
            .unwrap();
        let released = String::from_utf8_lossy(&output.stdout).lines().filter(|line| *line == "RELEASED").count();
        let state = sums(&bench.path("L.db"));
        let (_, reserved, runs) = &state[0];
        // Whole: the sum is that of the runs, and there is one for every release.
        assert_eq!(
            reserved.epsilon(&terms(2.0, 0.0, PrivacyFilter::EpsilonDelta)),
            0.5 * *runs as f64,
            "point {points}"
        );
        assert!(*runs >= released && *runs <= released + 1, "point {points}: {runs} runs, {released} releases");
        seen[released] += 1;
        // And it works on.
        let mut ledger = bench.ledger();
        match ledger.data_set("people").unwrap().closed() {
            None => drop(reserve(&mut ledger, &request("people", 0.5, 0.0), 9).unwrap()),
            Some(_) => assert_eq!(*runs, 2),
        }
        if output.status.success() {
            assert_eq!((points, released), (15, 2), "three points in each of five writes");
            break;
        }
    }
    // Begun, written, committed of the first reservation; then its end and the second one; and so
    // on.
    assert_eq!(seen, [3, 6, 7]);
}

/// A power cut may leave any first part of what was written since the last checkpoint. Whatever it
/// is, the ledger opens, and says what some moment said.
#[test]
fn torn_at_every_place_of_the_write_ahead_log() {
    let (bench, mut ledger) = Bench::with_people(&terms(2.0, 0.0, PrivacyFilter::EpsilonDelta));
    drop(ledger);
    ledger = bench.ledger();
    for _ in 0..3 {
        reserve(&mut ledger, &request("people", 0.5, 0.0), 1).unwrap();
    }
    // While it is open the log is there beside the database.
    let (base, log) = (fs::read(bench.path("L.db")).unwrap(), fs::read(bench.path("L.db-wal")).unwrap());
    let torn = Bench::new();
    fs::copy(bench.path("L.key"), torn.path("L.key")).unwrap();
    let mut counts = Vec::new();
    for length in (0..log.len()).step_by(97).chain([log.len()]) {
        let _ = fs::remove_file(torn.path("L.db-shm"));
        for (name, bytes) in [("L.db", &base[..]), ("L.db-wal", &log[..length])] {
            fs::write(torn.path(name), bytes).unwrap();
            #[cfg(unix)]
            fs::set_permissions(torn.path(name), std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        }
        counts.push(sums(&torn.path("L.db"))[0].2);
    }
    assert!(counts.is_sorted() && counts.first() == Some(&0) && counts.last() == Some(&3), "{counts:?}");
}
