//! Several rows a person: `--unit COL --contribution C`, from the flags to the statement.

use lookalike_testkit::Sandbox;
use lookalike_testkit::people::table;
use serde_json::Value;

use crate::with_people;

/// The people's table, in which `id` names ten persons with twenty rows each.
fn with_visits() -> Sandbox {
    let sandbox = with_people();
    sandbox.write("people.csv", &visits());
    sandbox
}

fn visits() -> String {
    let text = table(200);
    let (header, rows) = text.split_once('\n').unwrap();
    let rows: Vec<String> = rows
        .lines()
        .enumerate()
        .map(|(row, line)| format!("person {},{}", row % 10, line.split_once(',').unwrap().1))
        .collect();
    format!("{header}\n{}\n", rows.join("\n"))
}

fn statement(sandbox: &Sandbox, out: &str) -> Value {
    serde_json::from_slice(&sandbox.bytes(&format!("{out}/release/privacy.json"))).unwrap()
}

#[test]
fn a_release_that_protects_persons_says_so_everywhere_and_verifies() {
    let sandbox = with_visits();
    // So little noise that the number of rows shows what was counted.
    let flags =
        ["--unit", "id", "--contribution", "3", "--epsilon", "500", "--method", "independent", "--delta", "1e-9"];
    let mut all = vec!["synth", "people.csv", "--schema", "people.toml", "--no-steward-report", "--out", "x"];
    all.extend(flags);
    let ran = sandbox.run(&all);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let rows = sandbox.rows("x/release/synthetic.csv");
    assert!((25..=35).contains(&rows), "ten persons with three rows each, not {rows}");
    let words = "person (column \"id\", at most 3 rows)";
    assert!(ran.out.contains(&format!("against adding or removing any one {words}")), "{}", ran.out);
    let statement = statement(&sandbox, "x");
    let sentence = statement["guarantee"]["sentence"].as_str().unwrap();
    assert!(sentence.starts_with(&format!("Adding or removing all records of any one {words}")), "{sentence}");
    assert_eq!((&statement["job"]["unit"], &statement["job"]["contribution"]), (&"id".into(), &3.into()));
    assert_eq!(statement["neighbours"]["contribution"], 3);
    // Every count's noise is made for three rows.
    let shifts = |charge: &Value| charge["step"]["sensitivity"]["shifts"].clone();
    let charges = statement["charges"].as_array().unwrap();
    assert!(!charges.is_empty());
    let found = charges.iter().filter(|charge| shifts(charge) == serde_json::json!([3])).count();
    assert!(found > 0 && found == charges.len(), "{charges:?}");
    let page = sandbox.read("x/release/report.html");
    assert!(page.contains("person (column &quot;id&quot;, at most 3 rows)"), "the report names the unit");
    assert_eq!(sandbox.run(&["verify", "x"]).code, 0);
    // Fresh ids: nobody's name is in the release.
    assert!(!sandbox.read("x/release/synthetic.csv").contains("person "));
    // Another number of rows a person would be another promise.
    let text = sandbox.read("x/release/privacy.json").replace("\"contribution\": 3", "\"contribution\": 2");
    sandbox.write("x/release/privacy.json", &text);
    assert_eq!(sandbox.run(&["verify", "x"]).code, 2);
}

#[test]
fn every_method_takes_persons() {
    let sandbox = with_visits();
    for (number, method) in
        ["auto", "independent", "privbayes", "privbayes-nist", "privmrf", "pb-pgm", "mst", "aim"].iter().enumerate()
    {
        let out = format!("x{number}");
        sandbox.synth(&["--unit", "id", "--contribution", "5", "--method", method, "--out", &out]);
        assert_eq!(sandbox.run(&["verify", &out]).code, 0, "{method}");
        // Five rows a person are beyond what exact composition of Gaussians was checked for.
        let stages = statement(&sandbox, &out)["stages"].as_array().unwrap().clone();
        let exact = stages.iter().filter(|stage| stage["composition"] == "exact");
        for stage in exact {
            let gaussian = stage["planned"].to_string().contains("gaussian");
            assert!(!gaussian, "{method}: {stage}");
        }
    }
}

#[test]
fn an_ignored_column_may_name_persons_and_a_modelled_one_may_not() {
    let sandbox = with_visits();
    let synth = |words: &[&str]| sandbox.try_synth(&[&["--method", "independent", "--force"][..], words].concat());
    assert_eq!(synth(&["--unit", "remark", "--contribution", "1"]).code, 0);
    synth(&["--unit", "age", "--contribution", "2"]).refused(2, &["\"age\"", "type = \"id\""]);
    synth(&["--unit", "nobody", "--contribution", "2"]).refused(2, &["no column \"nobody\""]);
    synth(&["--unit", "id"]).refused(2, &["--contribution"]);
    synth(&["--contribution", "2"]).refused(2, &["--unit"]);
    synth(&["--unit", "id", "--contribution", "0"]).refused(2, &["contribution"]);
    synth(&["--unit", "id", "--contribution", "1000000"]).refused(2, &["100000"]);
    for rows in ["1", "2"] {
        synth(&["--unit", "id", "--contribution", rows, "--relation", "replace-one"]).refused(2, &["add-remove"]);
    }
}

#[test]
fn a_job_file_and_a_ledger_know_of_persons() {
    let sandbox = with_visits();
    let open = ["ledger", "open", "visits", "--epsilon", "4", "--unit", "id", "--contribution", "2", "--file", "L.db"];
    let ran = sandbox.run(&open);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("person (column \"id\", at most 2 rows)"), "{}", ran.out);
    let draw = ["--ledger", "L.db", "--dataset", "visits", "--method", "independent", "--out", "x"];
    sandbox.try_synth(&draw).refused(2, &["unit id and contribution 2"]);
    sandbox.write("job.toml", "unit = \"id\"\ncontribution = 2\n");
    sandbox.synth(&[&draw[..], &["--job", "job.toml"]].concat());
    assert_eq!(statement(&sandbox, "x")["job"]["contribution"], 2);
}
