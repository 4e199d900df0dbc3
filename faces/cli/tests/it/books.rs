//! `schema import`, through the real program.

use lookalike_testkit::Sandbox;

use crate::empty;

const BOOK: &str = "\u{feff}name;type;values;labels\r\nage;integer;0-99;\r\nsex;;F|M;\"female\r\nmale\"\r\n";

fn with_book() -> Sandbox {
    let sandbox = empty();
    sandbox.write("book.csv", BOOK);
    sandbox
}

#[test]
fn a_book_becomes_a_schema_that_makes_a_release() {
    let sandbox = with_book();
    let told = sandbox.run(&["schema", "import", "book.csv", "--out", "schema.toml"]);
    assert_eq!((told.code, told.out.as_str()), (0, ""), "{}", told.err);
    assert!(told.err.contains("2 columns") && !told.err.contains("discover"), "{}", told.err);
    let text = sandbox.read("schema.toml");
    assert!(text.contains("# F = female, M = male") && !text.contains("review"), "{text}");
    let quiet = sandbox.run(&["schema", "import", "book.csv", "--quiet"]);
    assert_eq!((quiet.out, quiet.err), (text, String::new()));
    let rows: Vec<String> = (0..300).map(|row| format!("{},{}\n", row % 100, ["F", "M", ""][row % 3])).collect();
    sandbox.write("people.csv", &format!("age,sex\n{}", rows.concat()));
    let made =
        ["synth", "people.csv", "--schema", "schema.toml", "--epsilon", "5", "--out", "x", "--no-steward-report"];
    let made = sandbox.run(&made);
    assert_eq!(made.code, 0, "{}", made.err);
    // Nothing was marked, so there is a guarantee.
    assert!(made.out.contains("(5, 1e-9)-differential privacy"), "{}", made.out);
}

#[test]
fn what_a_book_leaves_open_is_bought() {
    let sandbox = empty();
    sandbox.write(
        "book.json",
        r#"{"columns": {"age": {"sdtype": "numerical", "computer_representation": "Int64"},
            "sex": {"sdtype": "categorical"}, "fee": {"sdtype": "numerical"}}}"#,
    );
    let rows: Vec<String> =
        (0..3000).map(|row| format!("{},{},{}.5\n", row % 90, ["F", "M"][row % 2], row % 7)).collect();
    sandbox.write("people.csv", &format!("age,sex,fee\n{}", rows.concat()));
    assert_eq!(sandbox.run(&["schema", "import", "book.json", "--out", "schema.toml"]).code, 0);
    let made =
        ["synth", "people.csv", "--schema", "schema.toml", "--epsilon", "20", "--out", "x", "--no-steward-report"];
    let made = sandbox.run(&made);
    assert_eq!(made.code, 0, "{}", made.err);
    // Noise of about 2 rows does not hide values of 1,500 rows behind a threshold of 15: by chance
    // in fewer than one of 10^100 runs.
    let found = sandbox.read("x/release/schema.toml");
    assert!(!found.contains("\"discover\"") && found.matches("discovered = ").count() == 3, "{found}");
    assert!(found.contains("\"F\"") && found.contains("\"M\""), "{found}");
}

#[test]
fn every_dialect_is_told_by_its_content_or_its_name() {
    let sandbox = empty();
    sandbox.write("a.txt", "  {\"age\": 85, \"sex\": 2}");
    sandbox.write("b.json", r#"{"age": {"lower": 0, "upper": 99}}"#);
    sandbox.write("c.yaml", "age:\n  min_value: 0\n  max_value: 99\n  dtype: int\n");
    sandbox.write("d.json", r#"{"columns": {"age": {"sdtype": "numerical", "computer_representation": "Int8"}}}"#);
    sandbox.write("e.tsv", "variable\tcode\nage\t1\nage\t2\n");
    for (name, line) in [
        ("a.txt", "range = [0, 84]"),
        ("b.json", "range = [0, 99]"),
        ("c.yaml", "range = [0, 99]"),
        ("d.json", "range = \"discover\""),
        ("e.tsv", "values = [\"1\", \"2\"]"),
    ] {
        let told = sandbox.run(&["schema", "import", name]);
        assert!(told.code == 0 && told.out.lines().any(|found| found == line), "{name}: {} {}", told.out, told.err);
        assert_eq!(told.err.contains("age: range"), name == "d.json", "{}", told.err);
    }
}

#[test]
fn mistakes_are_one_line_and_leave_nothing() {
    let sandbox = with_book();
    sandbox.write("people.csv", "name,age\nAnn,3\n");
    sandbox.write("broken.json", "{\"age\": ");
    sandbox.write("broken.yml", "age: [\n");
    sandbox.write("wrong.csv", "name,type\nage,integr\n");
    sandbox.write("there.toml", "mine");
    let before = sandbox.names(".");
    let refused = |words: &[&str], told: &[&str]| {
        sandbox.run(&[&["schema", "import"], words].concat()).refused(2, told);
        assert_eq!(sandbox.names("."), before);
    };
    refused(&["nowhere.csv", "--out", "x.toml"], &["nowhere.csv"]);
    refused(&["people.csv", "--out", "x.toml"], &["nothing but names"]);
    refused(&["broken.json", "--out", "x.toml"], &["broken.json", "JSON"]);
    refused(&["broken.yml", "--out", "x.toml"], &["broken.yml", "line"]);
    refused(&["wrong.csv", "--out", "x.toml"], &["\"age\"", "integr", "integer"]);
    refused(&["book.csv", "--out", "there.toml"], &["there.toml", "--force"]);
    assert_eq!(sandbox.read("there.toml"), "mine");
}
