//! Tests of structural zeros.

use crate::{AttrId, Schema};

const COLUMNS: &str = r#"
[columns.age]
type = "integer"
range = [0, 99]
edges = [15, 18, 65]
missing = true

[columns.married]
type = "boolean"
values = ["no", "yes"]

[columns.income]
type = "category"
values = ["<=50K", ">50K", "NA"]
other = "unknown"

[columns.rate]
type = "number"
edges = [0, 0.5, 1, 2]
spikes = [1]

[columns.born]
type = "date"
edges = [1900-01-01, 1950-01-01, 2000-12-31]

[columns.seen]
type = "datetime"
edges = [2020-01-01, 2020-07-01T12:00:00, 2021-01-01]

[columns.person]
type = "id"
"#;

fn parse(rules: &str) -> Result<Schema, crate::SchemaError> {
    Schema::parse(&format!("{COLUMNS}\n{rules}"), "test")
}

/// The codes that one condition covers, in a rule with a second condition on another column.
fn codes(column: &str, condition: &str) -> Vec<u32> {
    let partner = if column == "married" { "age = 15..17" } else { "married = 'yes'" };
    let partner = partner.replace("15..17", "'15..17'");
    let schema =
        parse(&format!("[[impossible]]\n{column} = {condition}\n{partner}")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(Schema::parse(&schema.to_toml(), "toml").unwrap(), schema);
    assert_eq!(Schema::parse(&schema.to_json().to_string(), "json").unwrap(), schema);
    let attribute = schema.attribute(column).unwrap();
    schema.impossible()[0].parts.iter().find(|(a, _)| *a == attribute).unwrap().1.clone()
}

fn refusal(rules: &str) -> String {
    let message = parse(rules).map(|_| ()).unwrap_err().to_string();
    assert!(!message.contains('\n'));
    message
}

#[test]
fn conditions_become_codes() {
    for (column, condition, expected) in [
        ("age", "'< 15'", &[0][..]),
        ("age", "'<= 17'", &[0, 1]),
        ("age", "'>64'", &[3]),
        ("age", "'>= 15'", &[1, 2, 3]),
        ("age", "'15..64'", &[1, 2]),
        ("age", "['15..17', '(missing)']", &[1, 4]),
        ("age", "{ missing = true }", &[4]),
        ("age", "'(missing)'", &[4]),
        ("married", "true", &[1]),
        ("married", "'No'", &[0]),
        ("married", "'!= yes'", &[0]),
        ("income", "'<=50K'", &[0]),
        ("income", "'= >50K'", &[1]),
        ("income", "'!= NA'", &[0, 1, 3]),
        ("income", "['NA', 'unknown']", &[2, 3]),
        ("rate", "'< 0.5'", &[0]),
        ("rate", "'<= 1'", &[0, 1, 2]),
        ("rate", "'< 1'", &[0, 1]),
        ("rate", "1", &[2]),
        ("rate", "1.0", &[2]),
        ("rate", "'!= 1.0'", &[0, 1, 3]),
        ("rate", "'> 1'", &[3]),
        ("born", "'< 1950-01-01'", &[0]),
        ("born", "'1950-01-01..2000-12-31'", &[1]),
        ("seen", "'>= 2020-07-01T12:00:00'", &[1]),
    ] {
        assert_eq!(codes(column, condition), expected, "{column} = {condition}");
    }
}

#[test]
fn rows_are_forbidden_when_all_conditions_hold() {
    let schema = parse("[[impossible]]\nmarried = 'yes'\nage = '< 15'").unwrap();
    let rule = &schema.impossible()[0];
    assert_eq!(rule.parts[0].0, AttrId(0), "parts ascend, whatever the file's order");
    assert!(schema.forbids(&[0, 1, 0, 0, 0, 0]));
    assert!(!schema.forbids(&[0, 0, 0, 0, 0, 0]));
    assert!(!schema.forbids(&[1, 1, 0, 0, 0, 0]));
}

#[test]
fn a_condition_that_cuts_a_bin_is_refused_with_advice() {
    for rule in ["age = '< 16'", "age = 20", "age = '10..20'", "rate = '<= 0.5'", "rate = 0.7", "age = '!= 20'"] {
        let message = refusal(&format!("[[impossible]]\n{rule}\nmarried = 'yes'"));
        assert!(message.contains("cuts the bin") && message.contains("edge"), "{message}");
    }
}

#[test]
fn rules_that_make_no_sense_are_refused() {
    for (rule, part) in [
        ("", "without conditions"),
        ("agee = 3", "did you mean \"age\"?"),
        ("person = 3", "not modelled"),
        ("age = '> 200'", "covers no code"),
        ("age = []", "empty list"),
        ("age = 'abc'", "not one for a column of type"),
        ("age = '< 1.5'", "not one for a column"),
        ("age = { missing = false }", "says missing = false; write { missing = true }"),
        ("age = { missing = true, more = 1 }", "not an [[impossible]] condition; write it as \"< 15\""),
        ("married = 'perhaps'", "not one of the column's values"),
        ("married = '(missing)'", "missing = true"),
        ("income = '> 3'", "no order"),
        ("income = 'unknwon'", "did you mean \"unknown\"?"),
        ("income = 'null'", "not one of the column's values"),
        ("married = ['yes', 'no']", "no row is possible"),
        ("born = '01/02/1950'", "2024-03-31"),
    ] {
        let message = refusal(&format!("[[impossible]]\n{rule}"));
        assert!(message.contains(part), "{rule}: {message}");
    }
    let two = refusal("[[impossible]]\nmarried = 'yes'\n[[impossible]]\nmarried = 'no'");
    assert!(two.contains("no row is possible"), "{two}");
    let shape = Schema::parse(&format!("impossible = 3\n{COLUMNS}"), "test").unwrap_err().to_string();
    assert!(shape.contains("[[impossible]]"), "{shape}");
}

/// In a row all cells of a group are missing, or none is; other columns are free.
#[test]
fn cells_are_missing_together() {
    let column = |name: &str, more: &str| format!("[columns.{name}]\ntype = 'integer'\nrange = [0, 1]\n{more}\n");
    let columns: String = ["a", "b", "c", "free"].map(|name| column(name, "missing = true")).concat();
    let schema =
        |groups: &str| Schema::parse(&format!("missing_together = {groups}\n{columns}{}", column("never", "")), "test");
    let found = schema("[['c', 'a', 'b']]").unwrap();
    for number in 0..162 {
        let row = [(54, 3), (18, 3), (6, 3), (2, 3), (1, 2)].map(|(step, size)| number / step % size);
        let missing: Vec<bool> = row.iter().map(|&code| code == 2).collect();
        assert_eq!(found.forbids(&row), missing[0] != missing[1] || missing[1] != missing[2], "{row:?}");
    }
    // It is written and read back, and goes with a release.
    assert_eq!(Schema::parse(&found.to_toml(), "again").unwrap(), found);
    assert_eq!(found.released().unwrap().impossible(), found.impossible());
    for (groups, word) in [
        ("[['a']]", "fewer than two"),
        ("[['a', 'b'], ['b', 'c']]", "twice"),
        ("[['a', 'never']]", "missing = true"),
        ("[['a', 'bb']]", "did you mean \"b\""),
        ("['a', 'b']", "list of groups"),
    ] {
        let error = schema(groups).unwrap_err().to_string();
        assert!(error.contains(word), "{groups}: {error}");
    }
}
