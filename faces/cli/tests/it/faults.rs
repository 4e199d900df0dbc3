//! Full disks, Ctrl-C and kill -9: outputs are whole or absent, and the journal is true.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};

use lookalike_testkit::people::table;
use lookalike_testkit::{Dice, Ran, Sandbox};

use crate::{PROGRAM, kills, with_people};

/// Runs the program under a limit on the size of any file it writes: the disk is full after that
/// many blocks of 1,024 bytes.
fn with_small_disk(sandbox: &Sandbox, blocks: u32, words: &[&str]) -> Ran {
    // XFSZ is ignored, as on a full disk: the write fails instead of a signal.
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = Command::new("bash");
    command.args(["-c", &script, PROGRAM]).args(words).current_dir(sandbox.path(".")).stdin(Stdio::null());
    Ran::of(command.output().expect("bash starts"))
}

#[test]
fn a_full_disk_leaves_nothing_half_written() {
    let sandbox = with_people();
    let synth = ["synth", "people.csv", "--schema", "people.toml", "--epsilon", "1", "--rows", "20000", "--out", "x"];
    let synth = [&synth[..], &["--method", "independent"]].concat();
    for format in ["csv", "parquet"] {
        let ran = with_small_disk(&sandbox, 16, &[&synth[..], &["--format", format]].concat());
        ran.refused(1, &[]);
        assert_eq!(sandbox.names("."), ["people.csv", "people.toml", "x.journal.jsonl"], "{format}: {}", ran.err);
    }
    // Both failed runs were charged, and say so; a rerun works.
    let ran = sandbox.synth(&["--out", "x", "--json"]);
    assert_eq!(ran.json()["charged_runs"], 3);
    let ran = with_small_disk(&sandbox, 16, &["sample", "x", "-n", "20000", "-o", "more.csv"]);
    ran.refused(1, &["writing"]);
    assert!(!sandbox.path("more.csv").exists());
    // No room even for the journal: nothing is charged, nothing is looked at.
    let before = sandbox.bytes("x.journal.jsonl");
    let ran = with_small_disk(&sandbox, 0, &[&synth[..], &["--force"]].concat());
    ran.refused(1, &[]);
    assert_eq!(sandbox.bytes("x.journal.jsonl"), before);
    assert_eq!(sandbox.run(&["verify", "x"]).code, 0, "the earlier release is untouched");
}

/// The disk is full while rows are spilled, or while coded rows are kept: a fixed sentence, nothing
/// charged, nothing left, and a rerun works.
#[test]
fn a_disk_that_fills_up_with_coded_rows() {
    let sandbox = with_people();
    sandbox.write("many.csv", &lookalike_testkit::people::table(60_000));
    let synth = ["synth", "many.csv", "--schema", "people.toml", "--epsilon", "1", "--rows", "100", "--out", "x"];
    let synth = [&synth[..], &["--method", "independent", "--no-steward-report"]].concat();
    let before = sandbox.names(".");
    for (words, what) in
        [(&["--memory", "64KiB"][..], "exceed the memory bound"), (&["--keep-coded", "many.coded"], "coded rows")]
    {
        let ran = with_small_disk(&sandbox, 100, &[&synth[..], words].concat());
        ran.refused(1, &[what]);
        assert_eq!(sandbox.names("."), before, "{}", ran.err);
        let ran = sandbox.run(&[&synth[..], words, &["--force"]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(sandbox.run(&["verify", "x"]).code, 0);
        for left in ["x", "x.journal.jsonl", "many.coded"] {
            let path = sandbox.path(left);
            let _ = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
        }
    }
}

#[test]
fn a_device_that_is_full() {
    let sandbox = with_people();
    sandbox.synth(&["--out", "x"]);
    sandbox.run(&["sample", "x", "-n", "1000", "-o", "/dev/full"]).refused(1, &[]);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = sandbox.command(&["sample", "x", "-n", "1000", "--seed", "1"]).stdout(full).output().unwrap();
    Ran::of(output).refused(1, &[]);
}

#[test]
fn a_closed_standard_output_is_no_fault() {
    let sandbox = with_people();
    sandbox.synth(&["--out", "x"]);
    let mut child = sandbox.start(&["sample", "x", "-n", "200000", "--seed", "1", "--quiet"]);
    drop(child.stdout.take());
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

/// `| head -1`: whoever reads goes away, and nothing is said of it.
#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let sandbox = with_people();
    for words in [
        &["schema", "draft", "people.csv", "-q"][..],
        &["schema", "check", "people.toml", "people.csv", "-q", "--json"],
        &["schema", "reference"],
        &["plan", "--schema", "people.toml", "--rows", "1000", "--epsilon", "1"],
        &["methods"],
        &["completions", "bash"],
        &["--help"],
    ] {
        let mut child = sandbox.start(words);
        drop(child.stdout.take());
        let ran = Ran::of(child.wait_with_output().unwrap());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words:?}");
    }
}

/// `2>&1 | head -1`: nobody reads what the run says, and its release is made all the same.
#[test]
fn whoever_reads_messages_may_go_away() {
    let sandbox = with_people();
    let words = ["synth", "people.csv", "--schema", "people.toml", "--epsilon", "1", "--out", "x"];
    let mut child = sandbox.start(&words);
    drop((child.stdout.take(), child.stderr.take()));
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(sandbox.run(&["verify", "x/release"]).code, 0);
    assert!(!sandbox.names(".").iter().any(|name| name.contains(".partial-")));
}

fn interrupt(id: u32) {
    signal("-INT", id);
}

fn signal(name: &str, id: u32) {
    let status = Command::new("kill").args([name, &id.to_string()]).status().expect("kill");
    assert!(status.success());
}

/// Waits until the program has made its partial folder: it is then reading.
fn until_begun(sandbox: &Sandbox) {
    let patience = Instant::now() + Duration::from_secs(60);
    while !sandbox.names(".").iter().any(|name| name.contains(".partial-")) {
        assert!(Instant::now() < patience, "the program never began");
        std::thread::yield_now();
    }
}

#[test]
fn ctrl_c_while_reading_a_pipe_that_stays_open() {
    let sandbox = with_people();
    let words = ["synth", "-", "--schema", "people.toml", "--epsilon", "1", "--out", "x"];
    for text in [String::new(), table(50)] {
        let mut child = sandbox.start(&words);
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(text.as_bytes()).unwrap();
        pipe.flush().unwrap();
        until_begun(&sandbox);
        interrupt(child.id());
        let ran = Ran::of(child.wait_with_output().unwrap());
        drop(pipe);
        assert_eq!(ran.code, 130, "{}", ran.err);
        assert!(ran.err.contains("interrupted"), "{}", ran.err);
        assert_eq!(sandbox.names("."), ["people.csv", "people.toml"], "{}", ran.err);
    }
}

/// A shutdown and a terminal that goes away are like Ctrl-C.
#[test]
fn polite_signals_stop_cleanly() {
    for name in ["-TERM", "-HUP"] {
        let sandbox = with_people();
        let words = ["synth", "-", "--schema", "people.toml", "--epsilon", "1", "--out", "x"];
        let mut child = sandbox.start(&words);
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(table(50).as_bytes()).unwrap();
        until_begun(&sandbox);
        signal(name, child.id());
        let ran = Ran::of(child.wait_with_output().unwrap());
        drop(pipe);
        assert_eq!(ran.code, 130, "{name}: {}", ran.err);
        assert_eq!(sandbox.names("."), ["people.csv", "people.toml"], "{name}");
    }
}

/// Two runs that are to make the same folder: one makes it, whole, the other says no, and both are
/// charged for what they asked.
#[test]
fn two_runs_into_one_folder() {
    for round in 0..3 {
        let sandbox = with_people();
        let words = ["synth", "people.csv", "--schema", "people.toml", "--epsilon", "1", "--method", "independent"];
        let words = [&words[..], &["--no-steward-report", "--quiet", "--out", "x"]].concat();
        let children = [sandbox.start(&words), sandbox.start(&words)];
        let mut codes = children.map(|child| Ran::of(child.wait_with_output().unwrap()).code);
        codes.sort_unstable();
        assert!(codes[0] == 0 && codes[1] > 0 && codes[1] <= 2, "round {round}: {codes:?}");
        let left: Vec<String> = sandbox.names(".").into_iter().filter(|name| !name.starts_with("people.")).collect();
        assert!(left.iter().all(|name| name == "x" || name.starts_with("x.journal")), "round {round}: {left:?}");
        let verdict = sandbox.run(&["verify", "x", "--json"]);
        assert_eq!(verdict.code, 0, "round {round}: {}", verdict.out);
        assert!(charged(&sandbox) >= 1, "round {round}");
        sandbox.try_synth(&["--out", "x"]).refused(2, &["already"]);
        sandbox.synth(&["--out", "x", "--force"]);
    }
}

#[test]
fn ctrl_c_while_writing_leaves_only_a_true_journal() {
    let sandbox = with_people();
    // Far more rows than can be written before the signal comes.
    let words = ["synth", "people.csv", "--schema", "people.toml", "--epsilon", "1", "--out", "x"];
    let mut child = sandbox.start(&[&words[..], &["--rows", "1000000000"]].concat());
    let patience = Instant::now() + Duration::from_secs(60);
    while !sandbox.path("x.journal.jsonl").exists() || !writing(&sandbox) {
        assert!(Instant::now() < patience && child.try_wait().unwrap().is_none(), "the program never wrote");
        std::thread::yield_now();
    }
    interrupt(child.id());
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 130, "{}", ran.err);
    assert_eq!(sandbox.names("."), ["people.csv", "people.toml", "x.journal.jsonl"]);
    assert_eq!(sandbox.synth(&["--out", "x", "--json"]).json()["charged_runs"], 2);
}

/// Reads what the program says until it begins this phase, and stays ready for the rest.
fn until_phase(child: &mut Child, phase: &str) -> BufReader<ChildStderr> {
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let (mut line, sought) = (String::new(), format!("lookalike: {phase}\n"));
    while line != sought {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "the program ended before {phase}");
    }
    said
}

#[test]
fn ctrl_c_in_any_phase_of_a_method_with_rounds() {
    let phases = [
        ("privbayes", &["counting", "choosing the network", "measuring", "fitting", "writing"][..]),
        ("privbayes-nist", &["scoring pairs", "measuring", "fitting", "writing"]),
        ("mst", &["measuring columns", "choosing pairs", "measuring pairs", "fitting", "writing"]),
        ("aim", &["measuring columns", "measuring tables", "fitting", "writing"]),
        ("auto", &["measuring columns", "measuring tables", "fitting", "writing"]),
        ("pb-pgm", &["counting", "choosing the network", "measuring", "fitting", "writing"]),
        ("privmrf", &["counting", "scoring pairs", "measuring", "fitting", "writing"]),
    ];
    for (method, phases) in phases {
        for phase in phases {
            let sandbox = with_people();
            // A run that never ends by itself: whatever the signal hits, it is before the release.
            let words = ["synth", "people.csv", "--schema", "people.toml", "--epsilon", "1", "--out", "x"];
            let more = ["--method", method, "--rows", "1000000000"];
            let mut child = sandbox.start(&[&words[..], &more].concat());
            let mut said = until_phase(&mut child, phase);
            interrupt(child.id());
            let mut rest = String::new();
            said.read_to_string(&mut rest).unwrap();
            assert_eq!(child.wait().unwrap().code(), Some(130), "{method}, {phase}: {rest}");
            assert!(rest.ends_with("lookalike: interrupted\n"), "{method}, {phase}: {rest}");
            // The journal is there once something was charged, and then the steward is told.
            let left: Vec<String> =
                sandbox.names(".").into_iter().filter(|name| !name.starts_with("people.")).collect();
            let told = rest.contains("stays charged in x.journal.jsonl");
            assert!(left.iter().all(|name| name == "x.journal.jsonl"), "{method}, {phase}: {left:?}");
            let charges = if left.is_empty() { 0 } else { charged(&sandbox) };
            assert_eq!(told, charges == 1, "{method}, {phase}: {rest}");
            assert!(charges == 1 || *phase == phases[0], "{method}, {phase}: a later phase has charged");
            let again = sandbox.synth(&["--out", "x", "--json"]).json()["charged_runs"].as_u64();
            assert_eq!(again, Some(charges + 1), "{method}, {phase}");
        }
    }
}

fn writing(sandbox: &Sandbox) -> bool {
    let partial = sandbox.names(".").into_iter().find(|name| name.contains(".partial-"));
    partial.is_some_and(|name| sandbox.path(&name).join("whole/release/synthetic.csv").exists())
}

/// Kills at random points of a run. Which point is hit depends on the machine; what must hold does
/// not.
#[test]
fn kill_at_random_points() {
    let sandbox = with_people();
    let words = ["synth", "people.csv", "--schema", "people.toml", "--epsilon", "1", "--rows", "30000", "--out", "x"];
    let words = [&words[..], &["--no-steward-report", "--force", "--quiet"]].concat();
    let begin = Instant::now();
    assert_eq!(sandbox.run(&words).code, 0);
    let whole = begin.elapsed().as_micros().max(1) as u64;
    let mut dice = Dice(11);
    for kill in 0..kills() {
        let mut child = sandbox.start(&words);
        std::thread::sleep(Duration::from_micros(dice.below(whole + whole / 4)));
        child.kill().unwrap();
        child.wait().unwrap();
        // Whole: the release that is there agrees with itself. (--force moves the old one a moment
        // before the new one takes its place; a kill in between leaves the old one beside.)
        let verdict = if sandbox.path("x").exists() { sandbox.run(&["verify", "x", "--json"]) } else { continue };
        assert_eq!(verdict.code, 0, "kill {kill}: {}", verdict.out);
        // The journal never says less than what was released: it has a charge for every release
        // that there is.
        let stated = verdict.json()["charged_runs"].as_u64().unwrap();
        assert!(charged(&sandbox) >= stated, "kill {kill}");
    }
    let releases = sandbox.names(".").iter().filter(|name| *name == "x" || name.starts_with("x.old-")).count() as u64;
    assert!(charged(&sandbox) >= releases);
    let ran = sandbox.synth(&["--out", "x", "--force", "--json"]);
    assert_eq!(ran.json()["charged_runs"].as_u64().unwrap(), charged(&sandbox));
    assert_eq!(sandbox.run(&["verify", "x"]).code, 0);
    let left: Vec<String> = sandbox.names(".").into_iter().filter(|name| name.contains(".partial-")).collect();
    assert_eq!(left, Vec::<String>::new(), "what a kill left was not taken away by the next run");
}

/// Runs with a charge in the journal, counted by hand.
fn charged(sandbox: &Sandbox) -> u64 {
    let text = sandbox.read("x.journal.jsonl");
    let runs: std::collections::BTreeSet<&str> = text
        .lines()
        .filter(|line| line.contains("\"charge\":"))
        .filter_map(|line| line.split("\"run\":\"").nth(1)?.split('"').next())
        .collect();
    runs.len() as u64
}
