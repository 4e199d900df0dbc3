//! Job files, log files, quietness, and drafts without a guarantee.

use lookalike_testkit::people::table;

use crate::{empty, with_people};

const JOB: &str = "data = \"people.csv\"\nschema = \"people.toml\"\nepsilon = 1\ndelta = 1e-6\nrows = 40\nseed = 9\nout = \"x\"\nmethod = \"independent\"\n\
                   no-steward-report = true\n\n[set]\ncount-share = 0.02\n";

#[test]
fn a_job_file_alone_and_flags_that_beat_it() {
    let sandbox = with_people();
    sandbox.write("job.toml", JOB);
    let ran = sandbox.run(&["synth", "--job", "job.toml", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let result = ran.json();
    assert_eq!((&result["rows"], &result["seed"], &result["delta"]), (&40.into(), &9.into(), &1e-6.into()));
    assert_eq!(sandbox.names("x"), ["release"]);
    let words = ["synth", "--job", "job.toml", "--json", "--rows", "41", "--out", "y", "--set", "count-share=0.03"];
    let words = [&words[..], &["--method", "independent"]].concat();
    let ran = sandbox.run(&words);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.json()["rows"], 41);
    let statement: serde_json::Value = serde_json::from_str(&sandbox.read("y/release/privacy.json")).unwrap();
    assert_eq!(statement["job"]["set"]["count-share"], "0.03");
}

#[test]
fn job_files_with_mistakes() {
    let sandbox = with_people();
    for (text, told) in [
        ("epsilonn = 1\n", "epsilonn"),
        ("epsilon = \"one\"\n", "line 1"),
        ("rows = -1\n", "line 1"),
        ("quiet = 3\n", "quiet"),
        ("this is no toml", "job.toml"),
        ("[set]\ntheta = [1]\n", "theta"),
    ] {
        sandbox.write("job.toml", text);
        sandbox.run(&["synth", "people.csv", "--job", "job.toml"]).refused(2, &["job.toml", told]);
    }
    sandbox.run(&["synth", "people.csv", "--job", "none.toml"]).refused(2, &["none.toml: no such file"]);
}

#[test]
fn quiet_is_quiet() {
    let sandbox = with_people();
    let words = ["synth", "people.csv", "--schema", "people.toml", "--epsilon", "1", "--out", "x", "--quiet"];
    let ran = sandbox.run(&words);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
    let ran = sandbox.run(&["verify", "x", "--quiet"]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
}

#[test]
fn a_log_tells_nothing_that_was_not_paid_for() {
    let sandbox = with_people();
    // Several megabytes, so that reading it takes several steps.
    let rows = 70_917;
    sandbox.write("very-private-name.csv", &table(rows));
    let words = ["synth", "very-private-name.csv", "--schema", "people.toml", "--epsilon", "1", "--rows", "10"];
    let words = [&words[..], &["--threads", "1", "--no-steward-report", "--quiet", "--method", "independent"]].concat();
    let ran = sandbox.run(&[&words[..], &["--out", "x", "--log-file", "run.log"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let log = sandbox.read("run.log");
    for word in ["phase: reading\n", "phase: measuring", "phase: writing", "budget spent 1.000", "differential privacy"]
    {
        assert!(log.contains(word), "{word:?} is not in:\n{log}");
    }
    for secret in ["very-private-name", "70917", "709", "%", "second", " ms", "people"] {
        assert!(!log.contains(secret), "{secret:?} is in:\n{log}");
    }
    let known = |line: &str| ["lookalike ", "phase: ", "guarantee: "].iter().any(|word| line.starts_with(word));
    assert!(log.lines().all(known), "{log}");
    // The same job on other rows tells the same story.
    sandbox.write("very-private-name.csv", &table(12));
    let ran = sandbox.run(&[&words[..], &["--out", "y", "--log-file", "other.log"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(log, sandbox.read("other.log"));
}

#[test]
fn plain_lines_where_no_terminal_is() {
    let sandbox = with_people();
    let ran = sandbox.synth(&["--out", "x"]);
    assert!(ran.err.starts_with("lookalike: reading\n"), "{}", ran.err);
    assert!(!ran.err.contains('\u{1b}') && !ran.out.contains('\u{1b}'), "escape codes without a terminal");
}

#[test]
fn a_draft_carries_no_guarantee_anywhere() {
    let sandbox = with_people();
    let ran = sandbox.run(&["schema", "draft", "people.csv", "-o", "draft.toml"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("steward-only"), "{}", ran.err);
    sandbox.run(&["schema", "draft", "people.csv", "-o", "draft.toml"]).refused(2, &["draft.toml", "--force"]);
    let to_screen = sandbox.run(&["schema", "draft", "people.csv"]);
    assert_eq!(to_screen.out, sandbox.read("draft.toml"));
    let synth = ["synth", "people.csv", "--schema", "draft.toml", "--epsilon", "1", "--out", "x"];
    sandbox.run(&synth).refused(2, &["reviewed", "--accept-draft"]);
    assert!(!sandbox.path("x").exists() && !sandbox.path("x.journal.jsonl").exists());
    let ran = sandbox.run(&[&synth[..], &["--accept-draft", "--no-steward-report", "--log-file", "run.log"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("NO GUARANTEE") && !ran.out.contains("differential privacy"), "{}", ran.out);
    assert!(!ran.out.contains("may be published"), "{}", ran.out);
    for file in ["x/release/privacy.json", "x/release/report.html", "x/release/model.lookalike", "run.log"] {
        assert!(sandbox.read(file).contains("NO GUARANTEE"), "{file}");
    }
    let statement: serde_json::Value = serde_json::from_str(&sandbox.read("x/release/privacy.json")).unwrap();
    assert_eq!(statement["guarantee"]["epsilon"], serde_json::Value::Null);
    let verdict = sandbox.run(&["verify", "x"]);
    assert_eq!(verdict.code, 0);
    assert!(verdict.out.contains("NO GUARANTEE"), "{}", verdict.out);
}

#[test]
fn a_mark_of_the_whole_file_is_a_mark() {
    let sandbox = with_people();
    assert_eq!(sandbox.run(&["schema", "draft", "people.csv", "-o", "draft.toml"]).code, 0);
    let draft = sandbox.read("draft.toml");
    assert!(draft.contains("\nharmless = [\"missing_tokens\", \"decimal\", \"multiline\"]\n\n[written]\n"), "{draft}");
    // All is reviewed but the decimal mark.
    let lines = draft.lines().filter(|line| !line.starts_with("review =") && !line.starts_with("harmless ="));
    let kept =
        lines.map(|line| if line.starts_with("decimal =") { "decimal = \".\"\nreview = [\"decimal\"]" } else { line });
    sandbox.write("draft.toml", &kept.collect::<Vec<_>>().join("\n"));
    let synth = ["synth", "people.csv", "--schema", "draft.toml", "--epsilon", "1", "--out", "x"];
    sandbox.run(&synth).refused(2, &["schema: decimal was read from the data", "--accept-draft"]);
    let check = sandbox.run(&["schema", "check", "draft.toml"]);
    assert!(check.out.contains("1 facts wait for review") && check.out.contains("\n  decimal\n"), "{}", check.out);
    assert_eq!(
        sandbox.run(&["schema", "check", "draft.toml", "--json"]).json()["unreviewed"],
        serde_json::json!(["decimal"])
    );
    let ran = sandbox.run(&[&synth[..], &["--accept-draft", "--no-steward-report"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    for file in ["x/release/privacy.json", "x/release/report.html", "x/release/model.lookalike"] {
        assert!(sandbox.read(file).contains("NO GUARANTEE"), "{file}");
    }
}

#[cfg(unix)]
#[test]
fn a_draft_is_for_its_owners_eyes() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = with_people();
    let mode = || std::fs::metadata(sandbox.path("draft.toml")).unwrap().permissions().mode() & 0o777;
    assert_eq!(sandbox.run(&["schema", "draft", "people.csv", "-o", "draft.toml"]).code, 0);
    assert_eq!(mode(), 0o600);
    // One that was open to others is closed when it is written anew.
    std::fs::set_permissions(sandbox.path("draft.toml"), std::fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(sandbox.run(&["schema", "draft", "people.csv", "-o", "draft.toml", "--force"]).code, 0);
    assert_eq!(mode(), 0o600);
}

#[test]
fn schema_check_alone_and_against_rows() {
    let sandbox = with_people();
    let ran = sandbox.run(&["schema", "check", "people.toml"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(!ran.err.contains("steward-only"));
    let ran = sandbox.run(&["schema", "check", "people.toml", "people.csv", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("steward-only"), "{}", ran.err);
    let found = ran.json();
    assert_eq!(found["steward_only"]["rows"], 200);
    assert_eq!(found["steward_only"]["cells_outside"], serde_json::json!({ "home region": 50 }));
    sandbox.write("other.csv", "a,b\n1,2\n");
    sandbox.run(&["schema", "check", "people.toml", "other.csv"]).refused(2, &["column"]);
}

#[test]
fn schema_check_says_when_a_column_fits_no_cell() {
    let sandbox = empty();
    sandbox.write("t.csv", "year,kind,empty,code,late\n1999,a,NA,x1,7\n2004,b,,x2,7\n2011,,NA,x1,9\n");
    let schema = "[columns.year]\ntype = \"integer\"\nrange = [0, 99]\nmissing = true\n\n\
                  [columns.kind]\ntype = \"category\"\nvalues = [\"A\", \"B\"]\nother = \"else\"\nmissing = true\n\n\
                  [columns.empty]\ntype = \"integer\"\nrange = [0, 9]\nmissing = true\n\n\
                  [columns.code]\ntype = \"category\"\nvalues = [\"x2\", \"x9\"]\n\n\
                  [columns.late]\ntype = \"integer\"\nrange = \"discover\"\n";
    sandbox.write("t.toml", schema);
    for quiet in [&[][..], &["-q"]] {
        let ran = sandbox.run(&[&["schema", "check", "t.toml", "t.csv"], quiet].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let warned = |column: &str| ran.out.contains(&format!("warning: column {column:?}: not one of its cells is"));
        assert!(warned("year") && warned("kind"), "{}", ran.out);
        assert!(!warned("empty") && !warned("code") && !warned("late"), "{}", ran.out);
    }
    let found = sandbox.run(&["schema", "check", "t.toml", "t.csv", "--json"]).json();
    assert_eq!(found["steward_only"]["columns_that_fit_no_cell"], serde_json::json!(["year", "kind"]));
    // Without rows there is nothing to say.
    assert!(!sandbox.run(&["schema", "check", "t.toml"]).out.contains("not one of its cells"));
}

#[test]
fn decimal_comma_and_other_delimiters() {
    let sandbox = empty();
    sandbox.write("euro.csv", "name;price\na;1,5\nb;2,25\n");
    sandbox.write(
        "euro.toml",
        "[columns.name]\ntype = \"category\"\nvalues = [\"a\", \"b\"]\n\n[columns.price]\ntype = \"number\"\nrange = [0, 10]\ndecimals = 2\n",
    );
    let words = ["schema", "check", "euro.toml", "euro.csv", "--delimiter", ";", "--json"];
    let found =
        |more: &[&str]| sandbox.run(&[&words[..], more].concat()).json()["steward_only"]["cells_outside"].clone();
    assert_eq!(found(&["--decimal", ","]), serde_json::json!({}));
    assert_eq!(found(&[]), serde_json::json!({ "price": 2 }));
    let words = ["synth", "euro.csv", "--schema", "euro.toml", "--epsilon", "1", "--delimiter", ";", "--decimal", ","];
    let ran = sandbox.run(&[&words[..], &["--out", "x", "--rows", "20"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("for your eyes only"), "the steward's page reads the same way: {}", ran.err);
    assert_eq!(sandbox.run(&["verify", "x"]).code, 0);
}

#[test]
fn the_demo_runs_twice_and_spares_other_folders() {
    let sandbox = empty();
    for _ in 0..2 {
        let ran = sandbox.run(&["demo"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        for word in ["30000 invented people", "differential privacy", "agrees", "education", "lookalike sample"] {
            assert!(ran.out.contains(word), "{word:?} is not in:\n{}", ran.out);
        }
        assert_eq!(sandbox.run(&["verify", "lookalike-demo/people-release"]).code, 0);
    }
    std::fs::create_dir(sandbox.path("mine")).unwrap();
    sandbox.write("mine/thesis.txt", "precious");
    sandbox.run(&["demo", "--out", "mine"]).refused(2, &["mine", "--out"]);
    assert_eq!(sandbox.names("mine"), ["thesis.txt"]);
}

#[test]
fn a_drafted_delimiter_need_not_be_told_again() {
    let sandbox = empty();
    sandbox.write("odd.csv", "a#b\n1#x, y\n2#z\n");
    let ran = sandbox.run(&["schema", "draft", "odd.csv", "--delimiter", "#", "-o", "odd.toml"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = sandbox.run(&["schema", "check", "odd.toml", "odd.csv", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.json()["steward_only"]["cells_outside"], serde_json::json!({}));
}
