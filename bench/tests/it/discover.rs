//! `lookalike-bench discover`, as a user runs it.

use serde_json::Value;

use crate::{bench, text};

/// Rows of a table of which everything is found at a large epsilon.
const ROWS: usize = 2000;

/// A folder like that of the benchmark tables, with a raw table and a table of labels.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir(path("raw")).unwrap();
    let colours = ["red", "green", "blue"];
    let rows = |of: &dyn Fn(usize) -> String| (0..ROWS).map(|row| of(row) + "\n").collect::<String>();
    let tiny = rows(&|row| format!("{},{},{}", row % 50, colours[row % 3], if row == 0 { "rare" } else { "common" }));
    std::fs::write(path("raw/tiny.csv"), "age,colour,kind\n".to_owned() + &tiny).unwrap();
    let schema = "version = 1\n[columns.age]\ntype = \"integer\"\nrange = [0, 120]\n\
        [columns.colour]\ntype = \"category\"\nvalues = [\"red\", \"green\", \"blue\"]\n\
        [columns.kind]\ntype = \"category\"\nvalues = [\"common\", \"rare\"]\n";
    std::fs::write(path("raw/tiny.toml"), schema).unwrap();
    let labels = rows(&|row| format!("{},{}", colours[row % 3], ["F", "M"][row % 2]));
    std::fs::write(path("some-labels.csv"), "colour,sex\n".to_owned() + &labels).unwrap();
    std::fs::write(path("some-labels.json"), r#"{"colour": ["red", "green", "blue"], "sex": ["F", "M"]}"#).unwrap();
    folder
}

/// At epsilon 100 the noise of a count is less than a row, so that nothing here is left to chance
/// but with a probability far below one in a billion.
#[test]
fn what_was_found_stands_beside_what_was_stated() {
    let folder = folder();
    let out = folder.path().join("discover.jsonl");
    let words = ["discover", "--tables", "tiny,some-labels", "--method", "independent", "--epsilon", "100"];
    let run = |more: &[&str]| {
        let mut command = bench(&words);
        command.args(more).arg("--data").arg(folder.path()).arg("--results").arg(&out);
        text(&command.output().unwrap())
    };
    let summary = run(&[]);
    for wanted in ["Found beside stated", "tiny", "some-labels", "2000 x 3", "1 + 1", "1 of 1"] {
        assert!(summary.contains(wanted), "{wanted}: {summary}");
    }
    let written = std::fs::read_to_string(&out).unwrap();
    let lines: Vec<Value> = written.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 4);
    for line in &lines {
        assert!(line["bench"] == "discover" && line["failed"].is_null(), "{line}");
        assert!(line["used_epsilon"].as_f64() <= Some(100.0), "{line}");
        assert_eq!(line["found"].is_object(), line["settings"]["schema"] == "found", "{line}");
    }
    let found = &lines[1]["found"];
    let age = &found["ranges"]["age"];
    let ends = [0, 1].map(|end| age["ends"][end].as_f64().unwrap());
    assert!(ends[0] <= 0.0 && (49.0..=64.0).contains(&ends[1]) && age["beyond"] == 0.0, "{found}");
    let width = (ends[1] - ends[0]) / 49.0;
    assert!((age["width"].as_f64().unwrap() - width).abs() < 1e-9, "the 1st percentile is 0, the 99th 49: {found}");
    assert_eq!(found["certain"], serde_json::json!([4, 4]), "three colours and the common kind: {found}");
    assert_eq!(found["other_kind"], serde_json::json!([]), "{found}");
    assert!(lines.iter().all(|line| line["tvd3"].as_f64() < Some(0.1)), "{written}");

    assert_eq!(run(&[]), summary, "nothing is run again");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), written);
    assert!(run(&["--markdown"]).contains("|---|"));
}

#[test]
fn a_table_that_is_not_there_is_told() {
    let output = bench(&["discover", "--tables", "no-such"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("tails"));
}
