//! The ledger through the program: what is drawn, refused, kept after a kill, and never published.

use std::time::Duration;

use lookalike_testkit::people::table;
use lookalike_testkit::{Dice, Ran, Sandbox};
use serde_json::Value;

use crate::{kills, with_people};

/// A sandbox with people and a ledger that has them.
fn with_ledger(words: &[&str]) -> Sandbox {
    let sandbox = with_people();
    open(&sandbox, "people", words);
    sandbox
}

fn open(sandbox: &Sandbox, name: &str, words: &[&str]) {
    let ran = sandbox.run(&[&["ledger", "open", name, "--file", "L.db"], words].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
}

/// `synth` at another epsilon than 1, drawing on the ledger.
fn synth_at(sandbox: &Sandbox, epsilon: &str, words: &[&str]) -> Ran {
    let synth = ["synth", "people.csv", "--schema", "people.toml", "--no-steward-report", "--epsilon", epsilon];
    let ran = sandbox.run(&[&synth[..], words].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran
}

/// `synth` at epsilon 1, drawing on the ledger.
fn draw<'a>(dataset: &'a str, out: &'a str, words: &[&'a str]) -> Vec<&'a str> {
    [&["--ledger", "L.db", "--dataset", dataset, "--method", "independent", "--out", out], words].concat()
}

fn shown(sandbox: &Sandbox, name: &str) -> Value {
    sandbox.run(&["ledger", "show", name, "--file", "L.db", "--json"]).json()[0].clone()
}

fn runs(sandbox: &Sandbox, name: &str) -> usize {
    shown(sandbox, name)["releases"].as_array().unwrap().len()
}

#[test]
fn what_is_no_ledger_is_told_in_one_line() {
    let sandbox = with_ledger(&["--epsilon", "4"]);
    sandbox.write("empty.db", "");
    sandbox.write("text.db", &"SQLite format 3 it is not, but long enough for a header of one. ".repeat(9));
    for file in ["people.csv", "empty.db", "text.db"] {
        sandbox.run(&["ledger", "show", "--file", file]).refused(2, &[file, "is not a ledger"]);
        // In the place of the name it is the file that is meant.
        sandbox.run(&["ledger", "show", file]).refused(2, &[file, "is not a ledger"]);
    }
    let ran = sandbox.run(&["ledger", "show", "L.db"]);
    assert!(ran.code == 0 && ran.out.contains("people"), "{}{}", ran.out, ran.err);
    // A ledger whose key is gone is still one.
    std::fs::remove_file(sandbox.path("L.key")).unwrap();
    sandbox.run(&["ledger", "show", "L.db"]).refused(2, &["L.key", "missing"]);
    let words = ["ledger", "open", "x", "--epsilon", "1,5", "--file", "M.db"];
    sandbox.run(&words).refused(2, &["1,5", "the decimal sign is a point"]);
}

#[test]
fn runs_draw_until_the_ledger_refuses_and_says_what_is_left() {
    let sandbox = with_ledger(&["--epsilon", "2.5", "--delta", "1e-8", "--filter", "epsilon-delta"]);
    for out in ["one", "two"] {
        let ran = sandbox.synth(&draw("people", out, &["--delta", "1e-9"]));
        assert!(ran.err.contains("for your eyes only: the data set \"people\" has epsilon"), "{}", ran.err);
    }
    let before = sandbox.bytes("L.db");
    sandbox.try_synth(&draw("people", "three", &[])).refused(3, &["\"people\" has epsilon 0.5", "costs epsilon 1"]);
    assert_eq!(sandbox.bytes("L.db"), before, "a refusal writes nothing");
    assert!(!sandbox.names(".").iter().any(|name| name.starts_with("three")));
    let set = shown(&sandbox, "people");
    assert_eq!((&set["left"]["epsilon"], &set["reserved"]["epsilon"]), (&0.5.into(), &2.0.into()));
    let states: Vec<&str> = set["releases"].as_array().unwrap().iter().filter_map(|r| r["state"].as_str()).collect();
    assert_eq!(states, ["released", "released"]);
    // The statement counts the runs of the name, though each has a folder and a journal of its own.
    assert_eq!(sandbox.run(&["verify", "two", "--json"]).json()["charged_runs"], 2);
    let text = sandbox.run(&["ledger", "show", "--file", "L.db"]).out;
    assert!(text.contains("left       epsilon 0.5 and delta 8e-9") && text.contains("independent"), "{text}");
    synth_at(&sandbox, "0.5", &draw("people", "three", &[]));
    assert_eq!(sandbox.run(&["ledger", "close", "people", "--file", "L.db"]).code, 0);
    sandbox.try_synth(&draw("people", "four", &[])).refused(3, &["is closed"]);
}

#[test]
fn a_ledger_in_rho_takes_runs_by_zcdp_alone() {
    let sandbox = with_ledger(&["--epsilon", "4", "--delta", "1e-6"]);
    sandbox.synth(&draw("people", "x", &["--delta", "1e-9"]));
    let statement: Value = serde_json::from_slice(&sandbox.bytes("x/release/privacy.json")).unwrap();
    let stages = statement["stages"].as_array().unwrap();
    assert!(stages.iter().all(|stage| stage["composition"] != "exact"), "{stages:?}");
    assert_eq!(sandbox.run(&["verify", "x"]).code, 0);
    let rho = shown(&sandbox, "people")["reserved"]["rho"].as_f64().unwrap();
    assert!((0.014..0.0150).contains(&rho), "{rho}");
    // Pure runs are dear in rho; the refusal names the way out.
    let pure = draw("people", "y", &["--delta", "0"]);
    sandbox.try_synth(&pure).refused(3, &["costs rho 0.5", "filter epsilon-delta"]);
    // Every method makes its release within what was reserved for it.
    for (number, method) in ["auto", "aim", "mst", "privbayes", "privbayes-nist", "privmrf"].iter().enumerate() {
        let out = format!("m{number}");
        let words = ["--ledger", "L.db", "--dataset", "people", "--out", &out, "--delta", "1e-9", "--method", method];
        synth_at(&sandbox, "0.5", &words);
        assert_eq!(sandbox.run(&["verify", &out]).code, 0, "{method}");
    }
    assert_eq!(runs(&sandbox, "people"), 7);
}

#[test]
fn known_rows_under_a_new_name_draw_on_the_old_budget() {
    let terms = ["--epsilon", "1.5", "--delta", "1e-8", "--filter", "epsilon-delta"];
    let sandbox = with_ledger(&terms);
    open(&sandbox, "fresh", &["--epsilon", "9", "--delta", "1e-8", "--filter", "epsilon-delta"]);
    sandbox.synth(&draw("people", "one", &[]));
    // Other order of rows, same rows.
    let text = table(200);
    let (header, rows) = text.split_once('\n').unwrap();
    let mut rows: Vec<&str> = rows.lines().collect();
    rows.reverse();
    sandbox.write("people.csv", &format!("{header}\n{}\n", rows.join("\n")));
    sandbox.try_synth(&draw("fresh", "two", &[])).refused(3, &["known as \"people\"", "epsilon 0.5"]);
    let ran = synth_at(&sandbox, "0.5", &draw("fresh", "two", &["--log-file", "two.log"]));
    assert!(ran.err.contains("\"people\", under which these rows are known, has epsilon 0"), "{}", ran.err);
    // That is for the steward alone: no published byte tells of a ledger.
    let mut published = vec![sandbox.bytes("two.log")];
    published.extend(sandbox.names("two/release").iter().map(|name| sandbox.bytes(&format!("two/release/{name}"))));
    for word in ["\"people\"", "\"fresh\"", "L.db", "ledger.db", "known"] {
        let found = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).contains(word);
        assert!(!published.iter().any(found), "{word} was published");
    }
    // A row less: rows that nobody knows, which draw on the name.
    sandbox.write("people.csv", &table(199));
    sandbox.synth(&draw("fresh", "three", &[]));
    assert_eq!((runs(&sandbox, "people"), runs(&sandbox, "fresh")), (2, 2));
}

/// Bins, ignored columns and the unit are no part of what rows are known by; nor are spellings that
/// are a matter of tools.
#[test]
fn known_rows_are_known_whatever_the_schema_says() {
    let sandbox = with_ledger(&["--epsilon", "9", "--delta", "1e-8", "--filter", "epsilon-delta"]);
    sandbox.synth(&draw("people", "one", &[]));
    let schema = sandbox.read("people.toml");
    let text = table(200);
    let changes = [
        (schema.replace("bins = 8", "bins = 5"), text.clone()),
        (schema.replace("type = \"boolean\"", "type = \"ignore\""), text.clone()),
        (schema, text.replace(",true,", ",True,").replace(".5,", ".50,").replace('\n', "\r\n")),
    ];
    for (number, (schema, text)) in changes.iter().enumerate() {
        let name = format!("new {number}");
        open(&sandbox, &name, &["--epsilon", "9", "--delta", "1e-8", "--filter", "epsilon-delta"]);
        sandbox.write("people.toml", schema);
        sandbox.write("people.csv", text);
        let out = format!("x{number}");
        sandbox.synth(&draw(&name, &out, &[]));
        assert_eq!(runs(&sandbox, "people"), 2 + number, "{number}");
    }
}

#[test]
fn mistakes_are_told_before_a_row_is_read_and_cost_nothing() {
    let sandbox = with_ledger(&["--epsilon", "4", "--delta", "1e-6"]);
    sandbox.write("empty.csv", "");
    let try_draw = |words: &[&str]| sandbox.try_synth(&[&["--out", "x"][..], words].concat());
    try_draw(&["--ledger", "L.db"]).refused(2, &["--dataset"]);
    try_draw(&["--dataset", "people"]).refused(2, &["--ledger"]);
    try_draw(&["--ledger", "no.db", "--dataset", "people"]).refused(2, &["no.db: no such ledger"]);
    try_draw(&["--ledger", "people.csv", "--dataset", "people"]).refused(2, &["people.csv: is not a ledger"]);
    try_draw(&["--ledger", "L.db", "--dataset", "other"]).refused(2, &["no data set \"other\"", "\"people\""]);
    try_draw(&["--ledger", "L.db", "--dataset", "people", "--relation", "replace-one"])
        .refused(2, &["opened to protect", "relation add-remove"]);
    let ledger = |words: &[&str]| sandbox.run(&[&["ledger"], words, &["--file", "L.db"]].concat());
    ledger(&["open", "people", "--epsilon", "1"]).refused(2, &["already"]);
    ledger(&["open", "x", "--epsilon", "-1"]).refused(2, &["epsilon must be"]);
    ledger(&["open", "x", "--epsilon", "1", "--filter", "sum"]).refused(2, &["rho-tau, rho or epsilon-delta"]);
    ledger(&["open", "x", "--epsilon", "1", "--delta", "0", "--filter", "rho"]).refused(2, &["delta above 0"]);
    ledger(&["open", "x", "--epsilon", "1", "--unit", "id"]).refused(2, &["--contribution"]);
    ledger(&["open", "x", "--epsilon", "1", "--contribution", "2"]).refused(2, &["--unit"]);
    ledger(&["close", "x"]).refused(2, &["no data set \"x\""]);
    // A schema that nobody reviewed carries no guarantee to add up.
    sandbox.run(&["schema", "draft", "people.csv", "-o", "draft.toml"]);
    let draft = ["--ledger", "L.db", "--dataset", "people", "--schema", "draft.toml", "--accept-draft", "--out", "x"];
    let all = [&["synth", "people.csv", "--epsilon", "1"][..], &draft].concat();
    sandbox.run(&all).refused(2, &["carries no guarantee"]);
    // A damaged ledger.
    assert_eq!(runs(&sandbox, "people"), 0);
    let mut bytes = sandbox.bytes("L.db");
    let middle = bytes.len() - 150;
    bytes[middle] ^= 1;
    std::fs::write(sandbox.path("L.db"), bytes).unwrap();
    try_draw(&["--ledger", "L.db", "--dataset", "people"]).refused(2, &["is damaged or was changed"]);
}

#[test]
fn a_job_file_may_name_the_ledger() {
    let sandbox = with_ledger(&["--epsilon", "4", "--delta", "1e-6"]);
    sandbox.write("job.toml", "ledger = \"L.db\"\ndataset = \"people\"\nmethod = \"independent\"\nout = \"x\"\n");
    sandbox.synth(&["--job", "job.toml"]);
    assert_eq!(runs(&sandbox, "people"), 1);
}

/// Two runs at once, and enough for one.
#[test]
fn of_two_runs_at_once_one_is_refused() {
    for round in 0..3 {
        let sandbox = with_ledger(&["--epsilon", "1.5", "--delta", "1e-8", "--filter", "epsilon-delta"]);
        let words = |out| {
            let synth = ["synth", "people.csv", "--schema", "people.toml", "--epsilon", "1", "--no-steward-report"];
            [&synth[..], &draw("people", out, &[])].concat()
        };
        let (one, two) = (sandbox.start(&words("one")), sandbox.start(&words("two")));
        let codes = [one, two].map(|child| child.wait_with_output().unwrap().status.code());
        assert!(codes == [Some(0), Some(3)] || codes == [Some(3), Some(0)], "round {round}: {codes:?}");
        assert_eq!(runs(&sandbox, "people"), 1);
    }
}

/// Killed at random moments: the ledger has every release, and works on.
#[test]
fn killed_runs_stay_reserved() {
    let sandbox = with_ledger(&["--epsilon", "1000", "--delta", "1e-5", "--filter", "epsilon-delta"]);
    let synth = ["synth", "people.csv", "--schema", "people.toml", "--epsilon", "1", "--no-steward-report"];
    let begin = std::time::Instant::now();
    assert_eq!(sandbox.run(&[&synth[..], &draw("people", "first", &[])].concat()).code, 0);
    let whole = begin.elapsed().as_micros().max(1) as u64;
    let mut dice = Dice(5);
    for kill in 0..kills() {
        let out = format!("x{kill}");
        let mut child = sandbox.start(&[&synth[..], &draw("people", &out, &["--rows", "20000"])].concat());
        std::thread::sleep(Duration::from_micros(dice.below(whole + whole / 4)));
        child.kill().unwrap();
        child.wait().unwrap();
        let set = shown(&sandbox, "people");
        let entries = set["releases"].as_array().unwrap();
        let has = |state: &dyn Fn(&str) -> bool| {
            entries.iter().any(|entry| entry["folder"] == out.as_str() && state(entry["state"].as_str().unwrap()))
        };
        // A journal with a charge, or a release: then it is in the ledger.
        let journal = sandbox.path(&format!("{out}.journal.jsonl"));
        let charged = std::fs::read_to_string(journal).is_ok_and(|text| text.contains("\"charge\":"));
        assert!(!(charged || sandbox.path(&out).exists()) || has(&|_| true), "kill {kill}");
        assert!(!has(&|state| state == "released") || sandbox.path(&out).exists(), "kill {kill}");
        assert_eq!(set["reserved"]["epsilon"].as_f64().unwrap() as usize, entries.len(), "kill {kill}");
    }
    // Interrupted by the user: said aloud.
    assert_eq!(sandbox.run(&[&synth[..], &draw("people", "last", &[])].concat()).code, 0);
}

#[cfg(unix)]
#[test]
fn a_full_disk_spends_nothing_that_was_not_written() {
    use std::process::{Command, Stdio};
    let sandbox = with_ledger(&["--epsilon", "9", "--delta", "1e-8", "--filter", "epsilon-delta"]);
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\"";
    let synth = ["synth", "people.csv", "--schema", "people.toml", "--epsilon", "1", "--no-steward-report"];
    let mut command = Command::new("bash");
    command.args(["-c", script, crate::PROGRAM]).args([&synth[..], &draw("people", "x", &[])].concat());
    let ran = Ran::of(command.current_dir(sandbox.path(".")).stdin(Stdio::null()).output().unwrap());
    assert!(ran.code == 1 || ran.code == 2, "{} {}", ran.code, ran.err);
    assert_eq!(runs(&sandbox, "people"), 0);
    assert!(!sandbox.path("x").exists());
    sandbox.synth(&draw("people", "x", &[]));
}
