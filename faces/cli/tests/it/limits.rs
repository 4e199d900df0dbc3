//! Tables that are larger than they look: the program stays small, and no row is a reason to stop.
#![cfg(unix)]

use std::io::Write;
use std::process::{Command, Stdio};

use lookalike_testkit::people::table;
use lookalike_testkit::{Ran, Sandbox};

use crate::{PROGRAM, empty, with_people};

/// Kilobytes of address space that a run may take; reading alone takes a tenth of it.
const MOST_KILOBYTES: u64 = 1_500_000;

const SYNTH: [&str; 11] =
    ["synth", "-", "--schema", "people.toml", "--epsilon", "1", "--method", "independent", "--threads", "2", "--out"];

/// Runs the program in little memory, with pieces on its standard input, each given as often as the
/// number beside it says.
fn in_little_memory(sandbox: &Sandbox, words: &[&str], pieces: &[(&[u8], usize)]) -> Ran {
    let script = format!("ulimit -v {MOST_KILOBYTES}; exec \"$0\" \"$@\"");
    let mut command = Command::new("bash");
    command.args(["-c", &script, PROGRAM]).args(words).current_dir(sandbox.path("."));
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("bash starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    for (piece, times) in pieces {
        // A refusal closes the pipe.
        if (0..*times).try_for_each(|_| pipe.write_all(piece)).is_err() {
            break;
        }
    }
    drop(pipe);
    Ran::of(child.wait_with_output().expect("the program ends"))
}

#[test]
fn a_record_without_an_end() {
    let sandbox = with_people();
    let (rows, megabyte) = (table(50), vec![b'7'; 1 << 20]);
    for (out, start) in [("plain", ""), ("quoted", "\"")] {
        let pieces = [(rows.as_bytes(), 1), (start.as_bytes(), 1), (&megabyte[..], 1024)];
        let ran = in_little_memory(&sandbox, &[&SYNTH[..], &[out]].concat(), &pieces);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(sandbox.run(&["verify", out]).code, 0);
    }
}

#[test]
fn a_packed_table_of_gigabytes() {
    let sandbox = with_people();
    // Members of a gzip file follow each other: one megabyte of rows, packed once, given many
    // times.
    let gzip = |bytes: &[u8]| {
        let mut child =
            Command::new("gzip").arg("-c").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("gzip");
        let mut pipe = child.stdin.take().expect("a pipe");
        let bytes = bytes.to_vec();
        let writer = std::thread::spawn(move || pipe.write_all(&bytes));
        let packed = child.wait_with_output().expect("gzip ends").stdout;
        writer.join().expect("a thread").expect("written");
        packed
    };
    let start = gzip(table(50).as_bytes());
    let zeros = gzip(&vec![0; 16 << 20]);
    let ran = in_little_memory(&sandbox, &[&SYNTH[..], &["zeros"]].concat(), &[(&start, 1), (&zeros, 64)]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    // Rows beyond --memory are spilled: 20 million of them here, of 5 bytes each in memory.
    let rows = gzip(&b"1,2,3\n".repeat(1_000_000));
    let words = [&SYNTH[..], &["rows", "--memory", "16MiB", "--rows", "10"]].concat();
    let ran = in_little_memory(&sandbox, &words, &[(&start, 1), (&rows, 20)]);
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn a_million_columns() {
    let sandbox = with_people();
    let header: String = (0..1_000_000).map(|k| format!("c{k},")).collect();
    let ran = in_little_memory(&sandbox, &[&SYNTH[..], &["x"]].concat(), &[(header.as_bytes(), 1), (b"\n1,2\n", 1)]);
    ran.refused(2, &["standard input", "not a table", "first line", "1 MiB"]);
    // As many as fit into the longest header: the schema does not know them.
    let header = "a,".repeat(520_000);
    let ran = in_little_memory(&sandbox, &[&SYNTH[..], &["x"]].concat(), &[(header.as_bytes(), 1), (b"\n", 100_000)]);
    ran.refused(2, &["column"]);
}

/// A table of columns with many values, all of which hang together: a model of it grows as far as
/// it may.
fn wide(sandbox: &Sandbox) {
    let columns = 12;
    let header: Vec<String> = (0..columns).map(|column| format!("c{column}")).collect();
    let mut text = header.join(",") + "\n";
    for row in 0..4000u64 {
        let cells = (0..columns).map(|column| (row * 7919 % 30 + row * column % 3).to_string());
        text += &(cells.collect::<Vec<_>>().join(",") + "\n");
    }
    sandbox.write("wide.csv", &text);
    let domain: Vec<String> = header.iter().map(|name| format!("\"{name}\": 32")).collect();
    sandbox.write("wide.json", &format!("{{{}}}", domain.join(", ")));
}

/// `--memory` and `--time` bound the model, by the schema and the flags alone; the statement names
/// them, and nothing is refused.
#[test]
fn models_stay_within_memory_and_time() {
    let sandbox = empty();
    wide(&sandbox);
    let size = |out: &str, more: &[&str]| {
        let words =
            ["synth", "wide.csv", "--schema", "wide.json", "--epsilon", "50", "--method", "aim", "--rows", "10"];
        let ran = sandbox.run(&[&words[..], &["--no-steward-report", "--out", out], more].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(sandbox.run(&["verify", out]).code, 0);
        let statement: serde_json::Value =
            serde_json::from_slice(&sandbox.bytes(&format!("{out}/release/privacy.json"))).unwrap();
        let job = &statement["job"];
        (sandbox.bytes(&format!("{out}/release/model.lookalike")).len(), job["memory"].clone(), job["seconds"].clone())
    };
    let (small, memory, _) = size("little", &["--memory", "600KiB"]);
    assert_eq!(memory, 600 * 1024);
    let (short, _, seconds) = size("short", &["--time", "1s"]);
    assert_eq!(seconds, 1);
    let (large, ..) = size("large", &["--memory", "1GiB", "--time", "10s"]);
    // 600 KiB are 4,800 cells of a tree; a pair of columns has 1,024.
    assert!(small < 120_000 && small < large / 2, "{small} bytes within little memory, {large} within much");
    assert!(short <= large, "{short} {large}");
}
