//! `lookalike-bench methods`, as a user runs it.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::{bench, text};

fn methods(words: &[&str], out: &Path) -> Output {
    bench(&["methods"]).args(words).arg("--out").arg(out).output().expect("the benchmark program starts")
}

fn lines(output: &Output) -> Vec<Value> {
    text(output).lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
}

const SMALL: [&str; 6] =
    ["--tables", "rows-2000@300,independent@300", "--methods", "independent", "--epsilons", "0.5,2"];

#[test]
fn a_study_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("runs.jsonl");
    let first = lines(&methods(&SMALL, &out));
    assert_eq!(first.len(), 4);
    for line in &first {
        assert!(line["used_epsilon"].as_f64() <= line["epsilon"].as_f64());
        assert!(["tvd2", "tvd3", "tvd4", "tvd5"].iter().all(|key| line[*key].as_f64().is_some_and(|tvd| tvd > 0.0)));
        assert!(line["peak_bytes"].as_u64() > Some(1_000_000) && line["cpu_seconds"].as_f64() > Some(0.0), "{line}");
    }
    assert_eq!(lines(&methods(&SMALL, &out)).len(), 0, "all runs are there");
    // As after a kill in the middle of a line.
    let written = std::fs::read_to_string(&out).unwrap();
    std::fs::write(&out, &written[..written.len() - 20]).unwrap();
    assert_eq!(lines(&methods(&SMALL, &out)).len(), 1);
    assert_eq!(lines(&methods(&[&SMALL[..], &["--first-run", "1", "--runs", "2"]].concat(), &out)).len(), 8);
    let summary = text(&bench(&["methods", "--markdown", "--summary"]).arg(&out).output().unwrap());
    assert!(summary.contains("| rows-2000@300 | 0.5 | ") && summary.contains("(3) * |"), "{summary}");
    // Somebody who reads no further, as `head` does.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let unread = bench(&["methods", "--summary"]).arg(&out).stdout(writer).output().unwrap();
    assert!(unread.status.success() && unread.stderr.is_empty(), "{}", String::from_utf8_lossy(&unread.stderr));
}

#[test]
fn runs_that_fail_are_lines_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("runs.jsonl");
    let late = lines(&methods(&[&SMALL[..], &["--limit", "0"]].concat(), &out));
    assert!(late.iter().all(|line| line["failed"] == "stopped after 0 seconds" && line["tvd3"].is_null()), "{late:?}");
    assert_eq!(lines(&methods(&SMALL, &out)).len(), 0, "failed runs are there too");
    assert_eq!(lines(&methods(&[&SMALL[..], &["--again"]].concat(), &out)).len(), 4);
    // The smoothed histogram refuses a table of many cells.
    let words = ["--tables", "columns-100@300", "--methods", "histogram", "--epsilons", "1", "--delta", "0"];
    let refused = lines(&methods(&words, &out));
    assert!(refused[0]["failed"].as_str().is_some_and(|why| !why.is_empty()), "{refused:?}");
    // The user's own mistakes are no lines.
    for words in [["--tables", "no-such-table"], ["--set", "privbayes:beta"], ["--methods", "magic"]] {
        let output = methods(&[&SMALL[..2], &words[..]].concat(), &folder.path().join("none.jsonl"));
        assert_eq!(output.status.code(), Some(2), "{words:?}");
    }
}
