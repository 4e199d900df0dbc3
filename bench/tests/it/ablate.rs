//! `lookalike-bench ablate`, as a user runs it.

use serde_json::Value;

use crate::{bench, text};

#[test]
fn an_ablation_goes_on_where_it_stopped_and_ends_in_verdicts() {
    let folder = tempfile::tempdir().unwrap();
    let (out, markdown) = (folder.path().join("ablate.jsonl"), folder.path().join("ablate.md"));
    let run = |more: &[&str]| {
        let words = ["ablate", "--tables", "seasons@200,rows-2000@200", "--set", "rounds=1", "--epsilon", "2"];
        let mut command = bench(&[&words[..], more].concat());
        text(&command.arg("--results").arg(&out).arg("--markdown").arg(&markdown).output().unwrap())
    };
    let lines = || -> Vec<Value> {
        std::fs::read_to_string(&out).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    run(&["--only", "signal-test", "--runs", "1"]);
    let first = lines();
    assert_eq!(first.len(), 4);
    let summary = run(&["--only", "signal-test,copula", "--runs", "2"]);
    let all = lines();
    assert_eq!(all.len(), 12);
    assert_eq!(all[..4], first, "what is there is not run again");
    for line in &all {
        assert!(line["bench"] == "ablate" && line["method"] == "auto" && line["epsilon"] == 2.0, "{line}");
        assert!(line["settings"]["rounds"] == "1" && line["class"] == "generated", "{line}");
        assert!(line["used_epsilon"].as_f64().is_some_and(|used| used > 0.0 && used <= 2.0), "{line}");
        let is_coded = line["table"] == "rows-2000@200";
        assert_eq!(line["figures"]["tvd3"].is_number(), is_coded, "{line}");
        assert_eq!(line["figures"]["group_means"].is_number(), !is_coded, "{line}");
    }
    // Each run of the default and of both parts, on both tables, under the same number.
    for table in ["seasons@200", "rows-2000@200"] {
        for run in 0..2 {
            let here = all.iter().filter(|line| line["table"] == table && line["run"] == run);
            let mut left_out: Vec<String> = here
                .map(|line| line["settings"].as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" "))
                .collect();
            left_out.sort();
            assert_eq!(left_out, ["copula rounds", "rounds", "rounds signal-test"]);
        }
    }
    for wanted in ["By class", "By table", "nothing", "signal-test", "(4)", "1 - kS"] {
        assert!(summary.contains(wanted), "{wanted}: {summary}");
    }
    assert!(std::fs::read_to_string(&markdown).unwrap().contains("| left out | generated | effect | verdict |"));
    assert_eq!(run(&["--only", "signal-test,copula", "--runs", "2"]), summary, "nothing is run again");
    assert_eq!(lines(), all);
}

#[test]
fn runs_that_fail_and_wrong_names_are_told() {
    let late = ["ablate", "--tables", "seasons@200", "--only", "signal-test", "--runs", "1", "--limit", "0"];
    let told = text(&bench(&late).output().unwrap());
    let lines: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert!(lines.iter().all(|line| line["failed"] == "stopped after 0 seconds" && line["figures"].is_null()));
    let wrong = [
        (["--tables", "no-such"], "interactions"),
        (["--only", "rounds"], "signal-test"),
        (["--set", "rounds"], "NAME=VALUE"),
        (["--set", "magic=1"], "magic"),
    ];
    for (words, reason) in wrong {
        let output = bench(&["ablate"]).args(words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(reason), "{words:?}");
    }
}
