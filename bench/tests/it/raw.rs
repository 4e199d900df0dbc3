//! `lookalike-bench raw`, as a user runs it.

use serde_json::Value;

use crate::{bench, text};

#[test]
fn raw_runs_go_on_where_they_stopped_and_are_summed_up() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("raw.jsonl");
    let words = ["raw", "--tables", "seasons@200,gaps@200", "--methods", "independent,copula", "--runs", "2"];
    let run = || bench(&words).arg("--results").arg(&out).output().unwrap();
    let summary = text(&run());
    for wanted in ["kS", "group means", "median |log sd ratio|", "seasons@200", " *"] {
        assert!(summary.contains(wanted), "{wanted}: {summary}");
    }
    let written = std::fs::read_to_string(&out).unwrap();
    let lines: Vec<Value> = written.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 8);
    for line in &lines {
        assert!(line["bench"] == "raw" && line["used_epsilon"].as_f64() <= line["epsilon"].as_f64(), "{line}");
        let is_dated = line["table"] == "seasons@200";
        assert_eq!(line["weekdays"].is_number(), is_dated, "{line}");
        assert!(line["missing_joint"].is_number() != is_dated, "{line}");
        assert!(line["columns"]["age"]["quantiles"][1][3].is_number(), "{line}");
    }
    assert_eq!(text(&run()), summary, "nothing is run again");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), written);
}

#[test]
fn tools_that_are_not_there_and_wrong_names_are_told() {
    let words = ["raw", "--tables", "seasons@200", "--methods", "dpmm"];
    let output = bench(&words).env("PYTHON_DPMM", "false").output().unwrap();
    let line: Value = serde_json::from_str(text(&output).trim()).unwrap();
    assert!(line["failed"].is_string() && line["ks"].is_null(), "{line}");
    for (words, reason) in [(["--tables", "no-such"], "tails"), (["--methods", "magic"], "magic")] {
        let output = bench(&["raw"]).args(words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(reason), "{words:?}");
    }
}
