//! Audits from the command line.

use crate::empty;

#[test]
fn an_audit_is_run_kept_and_not_run_again() {
    let sandbox = empty();
    let words =
        ["audit", "--mechanism", "marginal-laplace", "--epsilon", "1,2", "--runs", "4000", "--out", "audit.jsonl"];
    let first = sandbox.run(&words);
    assert_eq!(first.code, 0, "{}", first.err);
    assert!(first.out.lines().next().is_some_and(|heads| heads.starts_with("audit")), "{}", first.out);
    assert!(first.out.contains("half the noise") && first.out.contains("caught") && !first.out.contains("ABOVE"));
    let kept = sandbox.read("audit.jsonl");
    // A torn last line does no harm, and nothing is run again.
    std::fs::write(sandbox.path("audit.jsonl"), format!("{kept}{{\"kind\":\"wh")).expect("a file");
    let again = sandbox.run(&[&words[..], &["--json"]].concat());
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(!again.err.contains("marginal-laplace"), "{}", again.err);
    let rows = again.json();
    assert_eq!(rows.as_array().map(Vec::len), Some(kept.lines().count()));
    let honest = rows.as_array().expect("rows").iter().filter(|row| row["control"].is_null());
    for row in honest {
        assert!(row["found"].as_f64() <= row["claimed"].as_f64(), "{row}");
        assert!(row["found"].as_f64() > Some(0.5), "{row}");
    }
}

#[test]
fn methods_are_audited_on_their_rows() {
    let sandbox = empty();
    let ran = sandbox.run(&["audit", "--method", "independent", "--runs", "40", "--markdown", "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("| independent | add-remove, 1 column | 1 |"), "{}", ran.out);
    assert_eq!(ran.err, "");
}

#[test]
fn what_does_not_exist_is_refused() {
    let sandbox = empty();
    sandbox.run(&["audit", "--mechanism", "magic"]).refused(2, &["no mechanism", "marginal-gaussian", "select-R"]);
    sandbox.run(&["audit", "--method", "magic"]).refused(2, &["no method", "mst"]);
    sandbox.run(&["audit", "--epsilon", "0"]).refused(2, &["epsilon 0", "above 0"]);
    sandbox.run(&["audit", "--runs", "0"]).refused(2, &["runs"]);
    sandbox.run(&["audit", "--threads", "0", "--mechanism", "row-count-laplace"]).refused(2, &["threads"]);
    sandbox.run(&["audit", "--out", "no/such/folder/audit.jsonl"]).refused(2, &["audit.jsonl"]);
}
