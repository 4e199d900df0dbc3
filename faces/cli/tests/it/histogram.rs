//! Releases of rows without a model: the method `histogram` from start to end.

use lookalike_testkit::people::{SCHEMA, table};

use crate::with_people;

const FILES: [&str; 4] = ["dictionary.csv", "privacy.json", "report.html", "synthetic.csv"];
const HISTOGRAM: [&str; 4] = ["--method", "histogram", "--relation", "replace-one"];

fn with(words: &[&'static str]) -> Vec<&'static str> {
    [&HISTOGRAM[..], words].concat()
}

#[test]
fn rows_and_no_model() {
    let sandbox = with_people();
    let ran = sandbox.synth(&with(&["--rows", "50", "--seed", "7", "--out", "x", "--log-file", "run.log"]));
    assert_eq!(sandbox.names("x/release"), FILES);
    assert_eq!(sandbox.rows("x/release/synthetic.csv"), 50);
    assert!(ran.out.contains("(1, 0)-differential privacy against changing any one record"), "{}", ran.out);
    assert!(!ran.out.contains("sample") && !ran.out.contains("model"), "{}", ran.out);
    let log = sandbox.read("run.log");
    for told in ["50 rows of 5040 possible combinations", "allows this many rows", "seed is not used"] {
        assert!(ran.err.contains(told) && log.contains(told), "{told}: {}", ran.err);
    }
    let statement: serde_json::Value = serde_json::from_str(&sandbox.read("x/release/privacy.json")).unwrap();
    let used = statement["used"]["epsilon"].as_f64().unwrap();
    assert!((0.98..=1.0).contains(&used), "{used}");
    assert_eq!(statement["job"]["seed"], serde_json::Value::Null);
    assert_eq!(statement["job"]["rows"], 50);
    let page = sandbox.read("x/release/report.html");
    assert!(page.contains("smoothed histogram") && page.contains("every further row would cost privacy"));
    assert!(page.contains("To undo it") && !page.contains("model.lookalike"));
    // The same seed does not give the same rows: they are noise.
    let again = sandbox.synth(&with(&["--rows", "50", "--seed", "7", "--out", "y", "--json"]));
    assert_eq!(again.json()["seed"], serde_json::Value::Null);
    assert_ne!(sandbox.bytes("x/release/synthetic.csv"), sandbox.bytes("y/release/synthetic.csv"));
    // Nothing to draw from or to ask.
    for model in ["x", "x/release", "x/release/model.lookalike"] {
        sandbox.run(&["sample", model, "-n", "5"]).refused(2, &[model, "histogram has no model", "--rows"]);
        sandbox.run(&["query", model, "age"]).refused(2, &["histogram has no model"]);
    }
}

#[test]
fn verify_agrees_until_a_byte_changes() {
    let sandbox = with_people();
    sandbox.synth(&with(&["--rows", "20", "--out", "x"]));
    let verdict = sandbox.run(&["verify", "x"]);
    assert_eq!(verdict.code, 0, "{}", verdict.out);
    for name in FILES {
        let path = format!("x/release/{name}");
        let whole = sandbox.bytes(&path);
        let mut changed = whole.clone();
        changed[whole.len() / 2] ^= 1;
        std::fs::write(sandbox.path(&path), changed).unwrap();
        let verdict = sandbox.run(&["verify", "x"]);
        assert_eq!(verdict.code, 2, "{name}: {}", verdict.out);
        assert!(verdict.out.contains(name), "{name}: {}", verdict.out);
        std::fs::write(sandbox.path(&path), whole).unwrap();
    }
    // A model that appears from somewhere is noticed too.
    sandbox.write("x/release/model.lookalike", "x");
    assert_eq!(sandbox.run(&["verify", "x"]).code, 2);
}

#[test]
fn any_number_of_records_in_both_forms_with_the_stewards_page() {
    let sandbox = with_people();
    for (rows, form) in [(0, "csv"), (1, "parquet"), (300, "csv"), (300, "parquet")] {
        sandbox.write("few.csv", &table(rows));
        let out = format!("x-{rows}-{form}");
        let words = ["synth", "few.csv", "--schema", "people.toml", "--epsilon", "1", "--format", form, "--out", &out];
        let ran = sandbox.run(&[&words[..], &HISTOGRAM, &["--json"]].concat());
        assert_eq!(ran.code, 0, "{rows} rows: {}", ran.err);
        assert!((0.98..=1.0).contains(&ran.json()["used"].as_f64().unwrap()));
        assert_eq!(sandbox.names(&out), ["release", "steward-only"], "{}", ran.err);
        assert_eq!(sandbox.run(&["verify", &out]).code, 0);
    }
}

#[test]
fn mistakes_are_told_before_anything_is_read() {
    let sandbox = with_people();
    // No table at all: whoever reads it would say so.
    std::fs::write(sandbox.path("people.csv"), [0u8, 159, 146, 150, 0, 255]).unwrap();
    let wide =
        SCHEMA.replace("bins = 10", "bins = 100").replace("bins = 8", "bins = 5000").replace("bins = 7", "bins = 365");
    sandbox.write("wide.toml", &wide);
    let before = sandbox.names(".");
    sandbox.try_synth(&["--method", "histogram", "--out", "x"]).refused(2, &["relation replace-one"]);
    sandbox.try_synth(&with(&["--delta", "1e-9", "--out", "x"])).refused(2, &["pure epsilon", "leave it out"]);
    sandbox.try_synth(&with(&["--rows", "0", "--out", "x"])).refused(2, &["0 rows", "1 to"]);
    sandbox.try_synth(&with(&["--set", "smoothing=0", "--out", "x"])).refused(2, &["smoothing", "auto"]);
    sandbox.try_synth(&with(&["--set", "theta=1", "--out", "x"])).refused(2, &["theta", "smoothing"]);
    let words = ["synth", "people.csv", "--schema", "wide.toml", "--epsilon", "1", "--out", "x"];
    sandbox.run(&[&words[..], &HISTOGRAM].concat()).refused(2, &["1460292000 combinations", "16777216"]);
    assert_eq!(sandbox.names("."), before);
}

#[test]
fn a_budget_that_does_not_reach_says_how_far_it_does() {
    let sandbox = with_people();
    let words = with(&["--rows", "50", "--set", "smoothing=0.5", "--out", "x"]);
    let ran = sandbox.try_synth(&words);
    ran.refused(3, &["50 rows", "at most 0 rows", "need a smoothing of 0.99"]);
    assert!(!sandbox.path("x").exists());
    let rich = ["synth", "people.csv", "--schema", "people.toml", "--epsilon", "200"];
    let ran = sandbox.run(&[&rich[..], &words].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("50 rows of 5040"), "{}", ran.err);
}
