//! The papers' figures from the command line.

use serde_json::Value;

use crate::{bench, text};

#[test]
fn figures_are_listed_run_and_refused() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &[&str]| bench(words).current_dir(folder.path()).output().expect("the program starts");
    let listed = text(&run(&["reproduce"]));
    for name in ["aau-histogram", "pb14-marginals", "pb21-nist", "mrf-svm", "th-bounds"] {
        assert!(listed.lines().any(|line| line.starts_with(name)), "{name} is not in the list");
    }
    refused(&["reproduce", "aau-9"], &["no figure is called", "aau-network"]);
    let ran = text(&run(&["reproduce", "aau-network", "--out", "figures", "--quiet"]));
    assert!(ran.contains("  seen: the less privacy, the closer to the greedy network."), "{ran}");
    let figures = folder.path().join("figures");
    assert_eq!(std::fs::read_dir(&figures).unwrap().count(), 3);
    assert!(figures.join("aau-network.jsonl").is_file());
    assert!(figures.join("aau-network.csv").is_file());
    assert!(std::fs::read_to_string(figures.join("aau-network.svg")).unwrap().ends_with("</svg>\n"));
    let json = text(&run(&["reproduce", "aau-network", "--out", "figures", "--quiet", "--json"]));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json[0]["name"], "aau-network");
    let finding = &json[0]["findings"].as_array().filter(|findings| findings.len() == 3).expect("three findings")[0];
    assert!(finding["claim"].is_string() && finding["verdict"] == "seen" && finding["words"].is_string());
    // The page of these results tells of this figure, and that the others were not run.
    text(&run(&["reproduce", "page", "--out", "figures", "--documents", "documents"]));
    let page = std::fs::read_to_string(folder.path().join("documents/reproduction.md")).unwrap();
    assert!(page.contains("| [`aau-network`](#aau-network) |") && page.contains("| 3 seen |"), "{page}");
    assert!(page.contains("| not run |"), "{page}");
    assert!(folder.path().join("documents/figures/aau-network.svg").is_file());
}

#[test]
fn a_study_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &[&str]| {
        let output = bench(words).current_dir(folder.path()).output().expect("the program starts");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let first = run(&["reproduce", "th-risk", "--runs", "1", "--out", "r"]);
    assert!(first.contains("the runs that are left take about"), "{first}");
    let second = run(&["reproduce", "th-risk", "--runs", "1", "--out", "r"]);
    assert!(!second.contains("as rows grow"), "it was run again: {second}");
}

#[test]
fn a_missing_table_is_named() {
    refused(&["reproduce", "pb14-theta", "--quiet"], &["nltcs.csv", "LOOKALIKE_DATA", "--simulated"]);
}

fn refused(words: &[&str], told: &[&str]) {
    let output = bench(words).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    let reason = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.iter().all(|word| reason.contains(word)), "{reason}");
}
