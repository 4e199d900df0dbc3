//! Reviewing a draft: in a terminal, and by flags; how much is left of real tables.

#[cfg(unix)]
mod terminal;

use lookalike_testkit::{Sandbox, benchmark_table};

use super::{empty, with_people};

/// Rows of a clinic: ids, a rare job, weights, two common words, ages.
fn with_draft() -> Sandbox {
    let sandbox = empty();
    let row = |i: u32| {
        let job = if i % 90 == 7 { "king" } else { ["smith", "tailor"][i as usize % 2] };
        format!("p{:04},{job},{}.5,{},{}\n", i * 7919 % 9973, 40 + i * 37 % 71, ["F", "M"][i as usize % 3 % 2], i % 90)
    };
    let rows: String = (0..600).map(row).collect();
    sandbox.write("t.csv", &format!("person,job,weight,sex,age\n{rows}"));
    let ran = sandbox.run(&["schema", "draft", "t.csv", "-o", "t.toml"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("person: LOOKS LIKE AN IDENTIFIER"), "{}", ran.err);
    assert!(ran.err.contains("schema review t.toml t.csv"), "{}", ran.err);
    sandbox
}

/// The facts that `schema check` says are left.
fn left(sandbox: &Sandbox, schema: &str) -> Vec<String> {
    let found = sandbox.run(&["schema", "check", schema, "--json"]).json();
    let facts = found["unreviewed"].as_array().unwrap().iter();
    facts.map(|fact| fact.as_str().unwrap().to_owned()).collect()
}

#[cfg(unix)]
#[test]
fn facts_are_settled_one_by_one_in_a_terminal() {
    let sandbox = with_draft();
    let start = |words: &[&str]| terminal::Terminal::start(&sandbox.path("."), words);
    let mut terminal = start(&["schema", "review", "t.toml", "t.csv"]);
    let screen = terminal.until("(answers are saved)");
    for words in [
        "Left to review: 3 that may tell something, ",
        "column person: type (MAY TELL SOMETHING)\n  type = \"id\"\n",
        "Seen:     LOOKS LIKE AN IDENTIFIER: every cell is different;",
        "Rows:     600 cells with a value, 600 different values\n",
        "[a]ccept, [e]dit, [d]iscover, [i]gnore column, accept all ",
    ] {
        assert!(screen.contains(words), "{words}: {screen}");
    }
    terminal.press("z");
    terminal.until("no such key");
    terminal.press("a");
    let screen = terminal.until("column job: values (MAY TELL SOMETHING)");
    assert!(screen.contains("values = [\"king\", \"smith\", \"tailor\"]"), "{screen}");
    terminal.until("fewer than 20 rows have: king (7)");
    terminal.press("d");
    terminal.until("column weight: range (MAY TELL SOMETHING)");
    // The answer is saved before the next question, and can be taken back.
    assert!(sandbox.read("t.toml").contains("\nvalues = \"discover\"\n"));
    terminal.press("u");
    terminal.until("column job: values");
    assert!(!sandbox.read("t.toml").contains("discover"));
    terminal.press("s");
    terminal.until("column weight: range");
    terminal.press("e");
    terminal.until("\nrange = [40.0, 115.0]");
    terminal.press(&("\u{7f}".repeat(40) + "[300, 0]\r"));
    // A line that is refused stays open: what is typed next is no key that accepts anything.
    terminal.until("schema: column \"weight\":");
    terminal.until("\nrange = [300, 0]");
    terminal.press("a");
    terminal.until("range = [300, 0]a");
    assert_eq!(left(&sandbox, "t.toml").len(), 10, "nothing was changed");
    terminal.press("\u{1b}");
    terminal.until("nothing was changed");
    // The value stands there to be changed, behind its prompt: Esc leaves it as it was, and the
    // cursor moves in it.
    terminal.press("e");
    terminal.until("\nrange = [40.0, 115.0]");
    terminal.press("\u{7f}\u{7f}x");
    terminal.until("range = [40.0, 115.x");
    terminal.press("\u{1b}");
    terminal.until("nothing was changed");
    terminal.press("e");
    terminal.until("\nrange = [40.0, 115.0]");
    terminal.press("\u{1b}[D\u{15}0, 200");
    terminal.until("range = 0, 200]");
    terminal.press("\u{1b}[H[\u{1b}[F\u{1b}[D\u{1b}[D\u{1b}[D\u{7f}3\r");
    let screen = terminal.until("column job: type (harmless)");
    assert!(screen.contains("Left to review: 1 that may tell something, 8 harmless"), "{screen}");
    // Stop here, and go on later.
    terminal.press("q");
    let screen = terminal.until("go on with: ");
    assert!(screen.contains("schema review t.toml t.csv\n"), "{screen}");
    assert_eq!(terminal.code(), Some(0));
    assert!(sandbox.read("t.toml").contains("range = [0, 300]\n"));
    let mut terminal = start(&["schema", "review", "t.toml"]);
    let screen = terminal.until("column job: values");
    assert!(!screen.contains("Rows:"), "no table was named: {screen}");
    terminal.press("i");
    terminal.until("column weight: type (harmless)");
    terminal.press("h");
    terminal.until("t.toml: nothing is left to review");
    assert_eq!(terminal.code(), Some(0));
    let text = sandbox.read("t.toml");
    assert!(text.contains("\n# values: 1 of its 3 values has fewer than 20 rows.\ntype = \"ignore\"\n"), "{text}");
    assert!(text.contains("\nassumed = [\"missing_tokens\", \"decimal\", \"multiline\"]\n"), "{text}");
    assert_eq!(left(&sandbox, "t.toml"), Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn a_review_is_interrupted_without_a_loss_and_never_overwrites_others() {
    let sandbox = with_draft();
    let start = || terminal::Terminal::start(&sandbox.path("."), &["schema", "review", "t.toml"]);
    let mut terminal = start();
    terminal.until("column person: type");
    terminal.press("a");
    terminal.until("column job: values");
    terminal.press("\u{3}");
    terminal.until("go on with: ");
    assert_eq!(terminal.code(), Some(130));
    let saved = sandbox.read("t.toml");
    assert_eq!(left(&sandbox, "t.toml").len(), 10, "the answer before it is saved");
    // In a line that is being changed, too.
    let mut terminal = start();
    terminal.until("column job: values");
    terminal.press("e");
    terminal.until("\nvalues = [");
    terminal.press("x\u{3}");
    terminal.until("go on with: ");
    assert_eq!(terminal.code(), Some(130));
    assert_eq!(sandbox.read("t.toml"), saved);
    let mut terminal = start();
    terminal.until("column job: values");
    let changed = sandbox.read("t.toml") + "# a line of somebody else\n";
    sandbox.write("t.toml", &changed);
    terminal.press("a");
    terminal.until("was changed while it was reviewed");
    assert_eq!(terminal.code(), Some(2));
    assert_eq!(sandbox.read("t.toml"), changed);
}

#[test]
fn flags_settle_facts_in_bulk() {
    let sandbox = with_draft();
    let ran = sandbox.run(&["schema", "review", "t.toml", "--accept", "harmless"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.starts_with("8 harmless facts were accepted"), "{}", ran.out);
    assert!(ran.out.contains("\n  person: type\n  job: values\n  weight: range\n"), "{}", ran.out);
    // In the order of the header.
    assert_eq!(left(&sandbox, "t.toml"), ["person: type", "job: values", "weight: range"]);
    let ran = sandbox.run(&["schema", "review", "t.toml", "--discover", "telling"]);
    assert!(ran.out.contains("nothing is left to review"), "{}", ran.out);
    let text = sandbox.read("t.toml");
    for line in ["type = \"id\"", "values = \"discover\"", "range = \"discover\"", "order = ["] {
        assert!(text.contains(&format!("\n{line}")), "{line}: {text}");
    }
    // Once more changes nothing.
    assert_eq!(sandbox.run(&["schema", "review", "t.toml", "--accept", "harmless", "-q"]).code, 0);
    assert_eq!(sandbox.read("t.toml"), text);
}

#[test]
fn what_cannot_be_reviewed_is_refused_in_one_line() {
    let sandbox = with_draft();
    let before = sandbox.read("t.toml");
    let review = |words: &[&str]| sandbox.run(&[&["schema", "review"][..], words].concat());
    review(&["t.toml"]).refused(2, &["terminal", "--accept harmless", "--discover telling"]);
    review(&["no.toml", "--accept", "harmless"]).refused(2, &["no.toml"]);
    review(&["t.toml", "--accept", "telling"]).refused(2, &["telling", "harmless"]);
    review(&["t.toml", "--discover", "all"]).refused(2, &["all", "telling"]);
    sandbox.write("bad.toml", "[columns.x]\ntype = \"nonsense\"\n");
    review(&["bad.toml", "--accept", "harmless"]).refused(2, &["nonsense"]);
    sandbox.write("s.json", "{\"columns\": {\"x\": {\"type\": \"id\"}}}");
    review(&["s.json", "--accept", "harmless"]).refused(2, &["TOML"]);
    assert_eq!(sandbox.read("t.toml"), before);
}

#[test]
fn a_release_says_which_facts_it_assumes_public() {
    let sandbox = with_people();
    sandbox.run(&["schema", "draft", "people.csv", "-o", "draft.toml", "-q"]);
    let bulk = ["schema", "review", "draft.toml", "--accept", "harmless", "--discover", "telling"];
    assert_eq!(sandbox.run(&bulk).code, 0);
    let ran = sandbox.run(&[
        "synth",
        "people.csv",
        "--schema",
        "draft.toml",
        "--epsilon",
        "4",
        "--out",
        "x",
        "--no-steward-report",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let statement: serde_json::Value = serde_json::from_str(&sandbox.read("x/release/privacy.json")).unwrap();
    let assumed: Vec<&str> =
        statement["assumed_public"].as_array().unwrap().iter().filter_map(|fact| fact.as_str()).collect();
    assert!(assumed.starts_with(&["missing_tokens", "decimal", "multiline"]), "{assumed:?}");
    assert!(assumed.contains(&"age: type"), "{assumed:?}");
    let sentence = statement["guarantee"]["sentence"].as_str().unwrap();
    assert!(sentence.contains("assumes that the facts of the schema in `assumed_public`"), "{sentence}");
    assert!(sandbox.read("x/release/report.html").contains("assumes that these facts are public"));
    assert_eq!(sandbox.run(&["verify", "x"]).code, 0);
}

/// Marks that are left after all harmless facts were accepted.
fn left_of(sandbox: &Sandbox, table: &str) -> Vec<String> {
    let ran = sandbox.run(&["schema", "draft", table, "-o", "draft.toml", "--force", "-q"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(sandbox.run(&["schema", "review", "draft.toml", "--accept", "harmless", "-q"]).code, 0);
    left(sandbox, "draft.toml")
}

#[test]
fn few_facts_are_left_of_real_tables() {
    let names = ["Benefits", "Computers", "DoctorContacts", "HI", "MedExp", "OFP", "RetSchool", "diamonds"];
    let sandbox = empty();
    for name in names.map(|name| format!("raw/{name}.csv")).iter().chain([&"adult-labels.csv".to_owned()]) {
        let Some(table) = benchmark_table(name) else { return };
        let left = left_of(&sandbox, &table.display().to_string());
        assert!(!left.is_empty() && left.len() <= 12, "{name}: {left:?}");
    }
    let Some(wide) = benchmark_table("raw/Car.csv") else { return };
    let left = left_of(&sandbox, &wide.display().to_string());
    assert!(left.len() <= 40, "{left:?}");
}

#[test]
fn few_facts_are_left_of_the_demo_and_of_a_wide_table() {
    let sandbox = empty();
    let mut people = Vec::new();
    lookalike::demo_data::write_csv(lookalike::demo_data::ROWS, 1, &mut people).unwrap();
    sandbox.write("people.csv", &String::from_utf8(people).unwrap());
    let left = left_of(&sandbox, "people.csv");
    assert!(left.contains(&"person_id: type".to_owned()) && left.len() <= 12, "{left:?}");
    // Sixty columns of twelve kinds, five of each.
    let kinds = ["ref", "name", "note", "city", "amount", "since", "flag", "grade", "age", "kind", "month", "score"];
    let header: Vec<String> = (1..=5).flat_map(|copy| kinds.map(|kind| format!("{kind}_{copy}"))).collect();
    let cell = |row: usize, column: usize| {
        let dice = (row * 60 + column + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        match kinds[column % 12] {
            "ref" => format!("R{:05}", dice % 3_000),
            "name" => format!(
                "{} {}",
                ["Ada", "Bo", "Cy", "Di"][dice % 4],
                ["Ash", "Bell", "Cole", "Dean", "East", "Ford"][dice / 4 % 6]
            ),
            "note" => format!("came in {dice} times and then {row}"),
            "city" => ["Oslo", "Rome", "Paris"][dice % 3].to_owned(),
            "amount" => format!("{}.{:02}", dice % 90_000, dice % 100),
            "since" => format!("20{:02}-{:02}-{:02}", dice % 20, dice % 12 + 1, dice % 28 + 1),
            "flag" => ["yes", "no"][dice % 2].to_owned(),
            "grade" => (dice % 5 + 1).to_string(),
            "age" => (dice % 90).to_string(),
            "kind" => ["basic", "plus", "max"][dice % 3].to_owned(),
            "month" => ["Jan", "Feb", "Dec"][dice % 3].to_owned(),
            _ => (dice % 10).to_string(),
        }
    };
    let rows = (0..2_000).map(|row| (0..60).map(|column| cell(row, column)).collect::<Vec<_>>().join(","));
    let text: Vec<String> = std::iter::once(header.join(",")).chain(rows).collect();
    sandbox.write("wide.csv", &(text.join("\n") + "\n"));
    let left = left_of(&sandbox, "wide.csv");
    assert!(left.len() <= 40, "{left:?}");
    for column in header.iter().filter(|name| ["ref", "name", "note", "city"].iter().any(|kind| name.starts_with(kind)))
    {
        assert!(
            left.iter().any(|fact| fact.starts_with(&format!("{column}: "))),
            "{column} was accepted unread: {left:?}"
        );
    }
}
