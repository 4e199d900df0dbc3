//! A line is a record: stray quotes, quoted line ends, and what `schema check` says of records that
//! are not as they should be.

use lookalike_testkit::people::table;
use serde_json::json;

use crate::{empty, with_people};

/// The people's table with the last cell of one line changed.
fn with_remark(rows: usize, line: usize, remark: &str) -> String {
    let lines = table(rows).lines().map(str::to_owned).collect::<Vec<_>>();
    let changed = lines.iter().enumerate().map(|(at, text)| match text.rsplit_once(',') {
        Some((start, _)) if at + 1 == line => format!("{start},{remark}\n"),
        _ => format!("{text}\n"),
    });
    changed.collect()
}

#[test]
fn a_stray_quote_neither_swallows_the_file_nor_passes_unnoticed() {
    let sandbox = with_people();
    sandbox.write("people.csv", &with_remark(1000, 155, "\"so"));
    let check = |more: &[&str]| sandbox.run(&[&["schema", "check", "people.toml", "people.csv"], more].concat());
    let ran = check(&[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("steward-only"), "{}", ran.err);
    assert!(ran.out.contains("a quote that is never closed") && ran.out.contains(": 1, at line 155\n"), "{}", ran.out);
    assert!(!ran.out.contains("so\n") && !ran.out.contains("free text"), "no cell is told: {}", ran.out);
    let found = &check(&["--json"]).json()["steward_only"];
    assert_eq!(found["rows"], 1000);
    let nothing = json!({ "records": 0, "lines": [] });
    let shapes = &found["records_out_of_shape"];
    assert_eq!(shapes["unclosed"], json!({ "records": 1, "lines": [155] }));
    assert!(["spanning", "short", "long", "cut"].iter().all(|name| shapes[name] == nothing), "{shapes}");
    // So little noise that the number of rows shows how many were read.
    let words = ["synth", "people.csv", "--schema", "people.toml", "--epsilon", "500", "--method", "independent"];
    let ran = sandbox.run(&[&words[..], &["--no-steward-report", "--out", "x"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let rows = sandbox.rows("x/release/synthetic.csv");
    assert!((995..=1005).contains(&rows), "{rows}");
    // Where the schema says that quoted fields may go on, the quote takes rows with it.
    sandbox.write("people.toml", &format!("multiline = true\n{}", sandbox.read("people.toml")));
    assert!(check(&["--json"]).json()["steward_only"]["rows"].as_u64().unwrap() < 1000);
}

#[test]
fn ragged_records_and_nameless_columns_are_told_by_their_places() {
    let sandbox = empty();
    sandbox.write("s.toml", "unlisted = \"ignore\"\n[columns.a]\ntype = \"boolean\"\n");
    sandbox.write("t.csv", "a,,c\ntrue,x,y\ntrue\nfalse,1,2,secret\n");
    let ran = sandbox.run(&["schema", "check", "s.toml", "t.csv"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for words in ["without a name in the header: 2", "fewer fields than the header", "at line 3", "at line 4"] {
        assert!(ran.out.contains(words), "{words:?} is not in: {}", ran.out);
    }
    assert!(!ran.out.contains("secret"));
    let found = &sandbox.run(&["schema", "check", "s.toml", "t.csv", "--json"]).json()["steward_only"];
    assert_eq!(
        (&found["unnamed_columns"], &found["records_out_of_shape"]["long"]["lines"]),
        (&json!([2]), &json!([4]))
    );
}

#[test]
fn a_draft_proposes_line_ends_in_quotes_where_it_saw_them_and_marks_it() {
    let sandbox = empty();
    sandbox.write("t.csv", "a,b\n1,\"one\ntwo\"\n2,x\n1,x\n");
    let draft = |name: &str| {
        let ran = sandbox.run(&["schema", "draft", name]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    let text = draft("t.csv");
    assert!(text.contains("\nmultiline = true\n"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("harmless = ") && line.contains("\"multiline\"")), "{text}");
    // The facts are those of whole records.
    assert!(text.contains("one\\ntwo"), "{text}");
    sandbox.write("t.toml", &text);
    let words = ["synth", "t.csv", "--schema", "t.toml", "--epsilon", "1", "--out", "x"];
    sandbox.run(&words).refused(2, &["review"]);
    let found = sandbox.run(&["schema", "check", "t.toml", "t.csv", "--json"]).json();
    assert_eq!(found["steward_only"]["rows"], 3);
    assert_eq!(found["steward_only"]["records_out_of_shape"]["spanning"]["lines"], json!([2]));
    // A stray quote is no reason, also when a later quote seems to close it.
    for stray in ["a,b\n1,\"so\n2,x\n", "a,b\n1,\"so\n2,\"x\"\n"] {
        sandbox.write("stray.csv", stray);
        assert!(!draft("stray.csv").contains("multiline = true"), "{stray}");
    }
}
