//! Mistakes: one line, the right exit code, nothing half-written.

use lookalike_testkit::people::table;

use crate::{empty, with_people};

/// Runs synth with these words and expects a refusal that leaves nothing behind.
fn refused(words: &[&str], told: &[&str]) {
    let sandbox = with_people();
    let before = sandbox.names(".");
    sandbox.try_synth(&[&["--out", "deep/er/x"], words].concat()).refused(2, told);
    assert_eq!(sandbox.names("."), before, "something was left behind by {words:?}");
}

#[test]
fn numbers_that_are_none_of_theirs() {
    for epsilon in ["0", "-1", "NaN", "inf", "-inf", "1e999", "much", ""] {
        let sandbox = with_people();
        let before = sandbox.names(".");
        let ran = sandbox.run(&["synth", "people.csv", "--schema", "people.toml", "--epsilon", epsilon, "--out", "x"]);
        ran.refused(2, &["epsilon"]);
        assert_eq!(sandbox.names("."), before, "{epsilon}");
    }
    for delta in ["1", "-1e-5", "2", "NaN", "tiny"] {
        refused(&["--delta", delta], &["delta"]);
    }
    // In plain words.
    refused(&["--delta", "tiny"], &["invalid value 'tiny'", ": not a number;"]);
    refused(&["--rows", "many"], &["invalid value 'many'", ": not a whole number, 0 or more;"]);
    refused(&["--rows", "-3"], &["--rows"]);
    refused(&["--rows", "99999999999999999"], &["rows"]);
    refused(&["--seed", "x"], &["--seed"]);
    refused(&["--threads", "0"], &["threads"]);
    refused(&["--memory", "lots"], &["memory", "GiB"]);
    refused(&["--time", "soon"], &["time", "5min"]);
    refused(&["--time", "-1"], &["time"]);
    refused(&["--epsilon", "1e-300"], &[]);
}

#[test]
fn workloads_that_cannot_be() {
    refused(&["--method", "aim", "--workload", "4-way"], &["workload", "4-way", "3-way"]);
    refused(&["--method", "aim", "--target", "wealth"], &["target", "wealth"]);
    refused(&["--method", "aim", "--target", "agee"], &["target", "did you mean \"age\"?"]);
    let discovering = ["synth", "people.csv", "--discover", "--epsilon", "1", "--out", "x", "--target", "agee"];
    with_people().run(&discovering).refused(2, &["\"agee\"", "did you mean \"age\"?"]);
    refused(&["--method", "independent", "--target", "age"], &["target", "independent", "aim"]);
    refused(&["--method", "independent", "--workload", "2-way"], &["workload", "aim"]);
    let sandbox = with_people();
    sandbox.write("tables.txt", "age\nage, wealth: 2\n");
    let words = ["--method", "aim", "--workload", "tables.txt", "--out", "x"];
    sandbox.try_synth(&words).refused(2, &["tables.txt, line 2", "wealth"]);
    sandbox.write("tables.txt", "age: much\n");
    sandbox.try_synth(&words).refused(2, &["tables.txt, line 1", "much"]);
}

#[test]
fn words_that_are_not_known() {
    refused(&["--method", "magic"], &["magic", "independent"]);
    refused(&["--set", "theta=6"], &["theta"]);
    refused(&["--set", "count-share=7"], &["count-share"]);
    refused(&["--set", "count-share"], &["name=value"]);
    refused(&["--method", "privbayes", "--set", "score=i"], &["score = i", "relation replace-one"]);
    refused(&["--relation", "neighbourly"], &["relation", "add-remove"]);
    refused(&["--format", "xlsx"], &["format", "parquet"]);
    refused(&["--delimiter", "ab"], &["delimiter"]);
    refused(&["--decimal", ";"], &["decimal"]);
    refused(&["--epsilonn", "1"], &["--epsilonn", "--epsilon"]);
}

#[test]
fn files_that_are_none() {
    let sandbox = with_people();
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    sandbox.write("empty.csv", "");
    std::fs::write(sandbox.path("junk.csv"), [0u8, 159, 146, 150, 0, 255, 10, 0, 1, 2, 3]).unwrap();
    std::fs::write(sandbox.path("junk.parquet"), b"PAR1 this is no parquet file PAR1").unwrap();
    sandbox.write("other.csv", "a,b\n1,2\n");
    sandbox.write("twice.csv", &table(2).replacen("remark\n", "remark,id\n", 1));
    sandbox.write("bad.toml", "[columns.age]\ntype = \"poem\"\n");
    let before = sandbox.names(".");
    for (data, told) in [
        ("missing.csv", "missing.csv: no such file"),
        ("folder", "folder: has no files to read"),
        ("folder/*.csv", "folder/*.csv: has no files to read"),
        ("empty.csv", "empty.csv"),
        ("junk.csv", "junk.csv"),
        ("junk.parquet", "junk.parquet"),
        ("other.csv", "column"),
        ("twice.csv", "\"id\": stands twice"),
    ] {
        let ran = sandbox.run(&["synth", data, "--schema", "people.toml", "--epsilon", "1", "--out", "x"]);
        ran.refused(2, &[told]);
    }
    for (schema, told) in
        [("missing.toml", "missing.toml: no such file"), ("folder", "folder"), ("bad.toml", "age"), ("people.csv", "")]
    {
        let ran = sandbox.run(&["synth", "people.csv", "--schema", schema, "--epsilon", "1", "--out", "x"]);
        ran.refused(2, &[told]);
    }
    sandbox.run(&["synth", "people.csv", "--epsilon", "1"]).refused(2, &["schema"]);
    sandbox.run(&["synth", "people.csv", "--schema", "people.toml"]).refused(2, &["epsilon"]);
    sandbox.run(&["synth", "--schema", "people.toml", "--epsilon", "1"]).refused(2, &["table"]);
    sandbox.run_with_input(&["synth", "-", "--schema", "people.toml", "--epsilon", "1"], b"").refused(2, &[]);
    sandbox.run(&["verify", "nowhere"]).refused(2, &["nowhere: no such folder"]);
    sandbox.run(&["verify", "folder"]).refused(2, &["privacy.json"]);
    sandbox.run(&["verify", "people.csv"]).refused(2, &["not a folder"]);
    assert_eq!(sandbox.names("."), before);
}

#[test]
fn messages_never_quote_a_cell() {
    let sandbox = with_people();
    let secret = "kx93secretcell";
    // No line end, a lone quote, undecodable bytes: none of it is a reason to stop, and none of it
    // is told.
    let text = format!("{}{secret},{secret}\n\"{secret}\nid,\u{fffd},{secret}", table(1));
    sandbox.write("people.csv", &text);
    let ran = sandbox.synth(&["--out", "x"]);
    assert!(!ran.err.contains(secret) && !ran.out.contains(secret));
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = with_people();
    std::fs::create_dir(sandbox.path("closed")).unwrap();
    std::fs::set_permissions(sandbox.path("closed"), std::fs::Permissions::from_mode(0o555)).unwrap();
    // The owner of everything may write everywhere: then there is nothing to refuse.
    if std::fs::write(sandbox.path("closed/probe"), "").is_err() {
        sandbox.try_synth(&["--out", "closed/x"]).refused(2, &["closed"]);
        assert_eq!(sandbox.names("closed"), Vec::<String>::new());
    }
    sandbox.try_synth(&["--out", "/proc/x"]).refused(2, &["/proc/x"]);
    sandbox.try_synth(&["--out", "people.csv/x"]).refused(2, &["people.csv"]);
    sandbox.try_synth(&["--out", "people.csv"]).refused(2, &["people.csv", "not a folder"]);
    sandbox.try_synth(&["--out", "."]).refused(2, &["out"]);
    sandbox.try_synth(&["--out", "x", "--log-file", "nowhere/log"]).refused(2, &["nowhere"]);
    assert_eq!(sandbox.names("."), ["closed", "people.csv", "people.toml"]);
}

#[test]
fn help_and_versions_are_no_mistakes() {
    let sandbox = empty();
    for words in [&["--help"][..], &["--version"], &["synth", "--help"], &["schema", "draft", "-h"]] {
        let ran = sandbox.run(words);
        assert_eq!(ran.code, 0, "{words:?}: {}", ran.err);
        assert!(!ran.out.is_empty() && ran.err.is_empty());
    }
    assert!(sandbox.run(&["synth", "--help"]).out.contains("Examples:"));
    assert!(!sandbox.run(&["--help"]).out.contains("steward-report"), "the child's command is hidden");
    assert_eq!(sandbox.run(&[]).code, 2);
    sandbox.run(&["synt"]).refused(2, &["synt", "synth"]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = sandbox.run(&["completions", shell]);
        assert_eq!(ran.code, 0);
        assert!(ran.out.contains("lookalike"), "{shell}");
    }
    let methods = sandbox.run(&["methods", "--json"]).json();
    assert_eq!(methods[0]["name"], "auto");
    assert!(sandbox.run(&["methods"]).out.contains("--set count-share="));
}

#[test]
fn synth_knows_nothing_of_baselines_and_published_faults() {
    let sandbox = with_people();
    let methods = sandbox.run(&["methods"]).out;
    for name in ["laplace", "fourier", "contingency", "uniform", "published"] {
        assert!(!methods.lines().any(|line| line.starts_with(name)), "{name} is offered");
        assert_eq!(sandbox.try_synth(&["--method", name, "--out", "out"]).code, 2);
    }
}
