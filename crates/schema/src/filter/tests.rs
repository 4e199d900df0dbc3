//! Conditions against a naive evaluator, and every mistake with its line.

use proptest::prelude::*;

use super::{CodeBox, Filter, written_name};
use crate::{AttrId, Schema};

const SCHEMA: &str = r#"
[columns.age]
type = "integer"
range = [0, 99]
edges = [20, 40, 65]
missing = true

[columns.sex]
type = "category"
values = ["F", "M"]

[columns."home region"]
type = "category"
values = ["north", "it's \"old\"", "west"]
other = "elsewhere"
missing = true

[columns.married]
type = "boolean"
values = ["no", "yes"]
missing = true

[columns.rate]
type = "number"
edges = [0, 0.5, 1, 2]
spikes = [1]

[columns.born]
type = "date"
edges = [1900-01-01, 1950-01-01, 2000-12-31]
format = "%d/%m/%Y"

[columns.person]
type = "id"
"#;

fn schema() -> Schema {
    Schema::parse(SCHEMA, "test").unwrap()
}

fn codes(text: &str) -> Vec<u32> {
    let filter = Filter::parse(&schema(), text).unwrap_or_else(|error| panic!("{text}: {error}"));
    match filter.boxes() {
        [] => vec![],
        [CodeBox { parts }] if parts.len() == 1 => parts[0].1.clone(),
        boxes => panic!("{text}: {boxes:?}"),
    }
}

fn refusal(text: &str) -> String {
    let message = Filter::parse(&schema(), text).map(|filter| panic!("{text}: {filter:?}")).unwrap_err().to_string();
    assert!(!message.contains('\n') && message.starts_with("condition: "), "{message}");
    message
}

#[test]
fn comparisons_become_codes() {
    for (text, expected) in [
        ("age >= 65", &[3][..]),
        ("age > 64", &[3]),
        ("age<20", &[0]),
        ("age <= 39", &[0, 1]),
        ("age between 20 and 64", &[1, 2]),
        ("age not between 20 and 64", &[0, 3, 4]),
        ("age > 200", &[]),
        ("age < 1000", &[0, 1, 2, 3]),
        ("not age < 20", &[1, 2, 3, 4]),
        ("age is missing", &[4]),
        ("age IS NULL", &[4]),
        ("age is not missing", &[0, 1, 2, 3]),
        ("sex = 'F'", &[0]),
        ("sex = F", &[0]),
        ("sex == 'F'", &[0]),
        ("sex != 'F'", &[1]),
        ("sex <> 'F'", &[1]),
        ("sex is missing", &[]),
        ("\"home region\" = 'it''s \"old\"'", &[1]),
        ("\"home region\" != 'north'", &[1, 2, 3, 4]),
        ("\"home region\" in ('west', elsewhere)", &[2, 3]),
        ("\"home region\" not in ('west', 'elsewhere')", &[0, 1, 4]),
        ("married = true", &[1]),
        ("married = 'No'", &[0]),
        ("rate = 1", &[2]),
        ("rate <= 1", &[0, 1, 2]),
        ("rate < 0.5", &[0]),
        ("rate >= 0.5 and rate < 1", &[1]),
        ("born < 1950-01-01", &[0]),
        ("born < '01/01/1950'", &[0]),
        ("born >= '1950-01-01'", &[1]),
        ("(((age >= 65)))", &[3]),
        ("not not age >= 65", &[3]),
        ("age >= 20 and age >= 40 and age is not null", &[2, 3]),
    ] {
        assert_eq!(codes(text), expected, "{text}");
    }
    assert_eq!(Filter::parse(&schema(), "age >= 65 or not age >= 65").unwrap(), Filter::everything());
    assert_eq!(Filter::parse(&schema(), "sex = 'F' and sex = 'M'").unwrap().boxes(), []);
}

#[test]
fn not_binds_before_and_before_or() {
    let filter = |text: &str| Filter::parse(&schema(), text).unwrap();
    let plain = filter("not sex = 'F' and married = true or age < 20");
    assert_eq!(plain, filter("((not (sex = 'F')) and married = true) or age < 20"));
    assert_ne!(plain, filter("not (sex = 'F' and married = true or age < 20)"));
    assert_ne!(plain, filter("not sex = 'F' and (married = true or age < 20)"));
    // The "and" of "between" is its own.
    let span = filter("age between 20 and 39 and sex = F");
    assert_eq!(span.boxes(), [CodeBox { parts: vec![(AttrId(0), vec![1]), (AttrId(1), vec![0])] }]);
    assert_eq!(span.attributes().len(), 2);
}

#[test]
fn mistakes_have_a_place_and_a_mend() {
    for (text, words) in [
        ("", &["an empty condition", "leave it out"][..]),
        ("  ", &["an empty condition"]),
        ("agee >= 65", &["\"agee\" (letter 1)", "did you mean \"age\"?", "\"home region\""]),
        ("sex = 'F' and agee >= 65", &["\"agee\" (letter 15)"]),
        ("person = 3", &["type \"id\", which no model holds"]),
        ("65 <= age", &["write the column first", "age"]),
        ("age", &["at letter 4", "no comparison after the column \"age\""]),
        ("married", &["write married = true"]),
        ("age >=", &["ends where a value of \"age\" should follow"]),
        ("age >= and", &["not a value of \"age\""]),
        ("age = 'abc'", &["\"'abc'\" (letter 7)", "type \"integer\"", "whole number"]),
        ("age = 1.5", &["whole number"]),
        ("age = missing", &["age is missing"]),
        ("sex = null", &["sex is missing"]),
        ("sex = 'X'", &["the values are 'F', 'M'"]),
        ("\"home region\" = 'nort'", &["did you mean \"north\"?", "held as 'elsewhere'"]),
        ("sex > 'F'", &["no order", "sex in (...)"]),
        ("sex = \"F\"", &["double quotes are for columns", "'F'"]),
        ("'age' > 5", &["single quotes are for values", "write age"]),
        ("sex = 'F", &["never closed", "write ' at its end"]),
        ("\"sex = 3", &["never closed"]),
        ("(sex = 'F'", &["\"(\" (letter 1)", "never closed"]),
        ("sex = 'F')", &["never opened"]),
        ("sex = 'F' age > 5", &["neither \"and\" nor \"or\"", "\"age\" (letter 11)"]),
        ("sex = 'F' && age > 5", &["write \"and\""]),
        ("sex = 'F' || age > 5", &["write \"or\""]),
        ("age => 65", &["write >="]),
        ("!age", &["write \"not\""]),
        ("age not = 3", &["put \"not\" before the column"]),
        ("age is 3", &["is missing"]),
        ("sex in 'F'", &["no list"]),
        ("sex in ()", &["not a value"]),
        ("sex in ('F' 'M')", &["neither a comma nor )"]),
        ("age between 3", &["no \"and\""]),
        ("age between 40 and 19", &["exchange the two"]),
        ("and age > 3", &["\"and\" (letter 1)", "double quotes"]),
        ("sex = 'F' and", &["ends where a column should follow"]),
        ("born = '31.12.1999'", &["%d/%m/%Y", "2024-03-31"]),
        ("äöü = 'ß' and x = 1", &["\"äöü\" (letter 1)"]),
        ("sex = 'F' and \u{7} = 1", &["control"]),
    ] {
        let message = refusal(text);
        for word in words {
            assert!(message.contains(word), "{text}: {word:?} is not in: {message}");
        }
    }
}

#[test]
fn what_is_too_much_is_refused() {
    let deep = format!("{}age >= 65{}", "(".repeat(101), ")".repeat(101));
    assert!(refusal(&deep).contains("brackets"), "{deep}");
    assert!(Filter::parse(&schema(), &format!("{}age >= 65", "not ".repeat(90))).is_ok());
    assert!(refusal(&format!("{}age >= 65", "not ".repeat(100_000))).contains("brackets"));
    assert!(refusal(&"(".repeat(100_000)).contains("brackets"));
    let long = vec!["age >= 65"; 1_001].join(" or ");
    assert!(refusal(&long).contains("1000 comparisons"));
    assert!(refusal(&" ".repeat(2_000_000)).contains("million letters"));
    // An odd number of them is true: every box holds one value of every column.
    let text: String = (0..12).map(|i| format!("[columns.c{i}]\ntype = \"boolean\"\n")).collect();
    let wide = Schema::parse(&text, "wide").unwrap();
    let odd = |columns: std::ops::Range<usize>| {
        columns.fold(String::from("c0 = true"), |sum, i| {
            format!("(({sum}) and c{i} = false or not ({sum}) and c{i} = true)")
        })
    };
    assert_eq!(Filter::parse(&wide, &odd(1..8)).map(|filter| filter.boxes().len()), Ok(128));
    let pairs = (0..6).map(|i| format!("(c{i} = true or c{} = true)", i + 6)).collect::<Vec<_>>().join(" and ");
    assert!(Filter::parse(&wide, &pairs).unwrap().boxes().len() <= 64);
}

#[test]
fn too_many_boxes_are_refused() {
    let text: String = (0..40).map(|i| format!("[columns.c{i}]\ntype = \"boolean\"\n")).collect();
    let wide = Schema::parse(&text, "wide").unwrap();
    let pairs = (0..20).map(|i| format!("(c{i} = true or c{} = true)", i + 20)).collect::<Vec<_>>().join(" and ");
    let message = Filter::parse(&wide, &pairs).unwrap_err().to_string();
    assert!(message.contains("more than 1000 separate parts"), "{message}");
}

#[test]
fn names_are_written_so_that_they_read_back() {
    for name in ["age", "hours-per-week", "home region", "and", "a\"b", "", "x=y", "NOT", "5"] {
        let text = format!("[columns.{:?}]\ntype = \"boolean\"\n", name);
        let schema = Schema::parse(&text, "test").unwrap_or_else(|error| panic!("{name}: {error}"));
        let filter = Filter::parse(&schema, &format!("{} = true", written_name(name)));
        assert_eq!(filter.map(|filter| filter.boxes().len()), Ok(1), "{name}");
    }
}

/// A condition as a tree, with its text and its truth for a row worked out apart from the code
/// under test.
#[derive(Clone, Debug)]
enum Tree {
    Age(&'static str, i64),
    Sex(&'static str),
    Region(Vec<&'static str>, bool),
    Married(bool, bool),
    Missing(&'static str, bool),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
}

const REGIONS: [&str; 4] = ["north", "it's \"old\"", "west", "elsewhere"];

impl Tree {
    fn text(&self) -> String {
        let quoted = |word: &str| format!("'{}'", word.replace('\'', "''"));
        match self {
            Self::Age(sign, value) => format!("age {sign} {value}"),
            Self::Sex(value) => format!("sex = {}", quoted(value)),
            Self::Region(values, positive) => {
                let list = values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(",");
                format!("\"home region\" {}in({list})", if *positive { "" } else { "not " })
            }
            Self::Married(value, equal) => format!("married {} {value}", if *equal { "=" } else { "!=" }),
            Self::Missing(column, positive) => {
                format!("{} is {}missing", written_name(column), if *positive { "" } else { "NOT " })
            }
            Self::Not(inner) => format!("not ({})", inner.text()),
            Self::And(one, two) => format!("({}) and ({})", one.text(), two.text()),
            Self::Or(one, two) => format!("({} or ({}))", one.text(), two.text()),
        }
    }

    fn holds(&self, row: &[u32]) -> bool {
        let age = [0, 20, 40, 65].get(row[0] as usize).copied();
        match self {
            Self::Age(sign, value) => age.is_some_and(|age: i64| match *sign {
                ">=" => age >= *value,
                "<" => age < *value,
                ">" => age > *value,
                "<=" => age <= *value,
                _ => unreachable!(),
            }),
            Self::Sex(value) => ["F", "M"][row[1] as usize] == *value,
            Self::Region(values, positive) => {
                REGIONS.get(row[2] as usize).is_some_and(|region| values.contains(region)) == *positive
            }
            Self::Married(value, equal) => (row[3] == u32::from(*value)) == *equal,
            Self::Missing("age", positive) => (row[0] == 4) == *positive,
            Self::Missing(_, positive) => (row[2] == 4) == *positive,
            Self::Not(inner) => !inner.holds(row),
            Self::And(one, two) => one.holds(row) && two.holds(row),
            Self::Or(one, two) => one.holds(row) || two.holds(row),
        }
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    let edge = prop_oneof![Just(0i64), Just(20), Just(40), Just(65), Just(200)];
    let leaf = prop_oneof![
        (edge.clone(), any::<bool>()).prop_map(|(edge, from)| Tree::Age(if from { ">=" } else { "<" }, edge)),
        (edge, any::<bool>()).prop_map(|(edge, above)| Tree::Age(if above { ">" } else { "<=" }, edge - 1)),
        prop_oneof![Just("F"), Just("M")].prop_map(Tree::Sex),
        (proptest::sample::subsequence(REGIONS.to_vec(), 1..=4), any::<bool>())
            .prop_map(|(values, positive)| Tree::Region(values, positive)),
        any::<(bool, bool)>().prop_map(|(value, equal)| Tree::Married(value, equal)),
        (prop_oneof![Just("age"), Just("home region")], any::<bool>())
            .prop_map(|(column, positive)| Tree::Missing(column, positive)),
    ];
    leaf.prop_recursive(6, 40, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|tree| Tree::Not(Box::new(tree))),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Tree::And(Box::new(a), Box::new(b))),
            (inner.clone(), inner).prop_map(|(a, b)| Tree::Or(Box::new(a), Box::new(b))),
        ]
    })
}

fn all_rows(schema: &Schema) -> Vec<Vec<u32>> {
    let sizes = schema.domain().sizes();
    sizes.iter().fold(vec![vec![]], |rows: Vec<Vec<u32>>, &size| {
        rows.iter().flat_map(|row| (0..size).map(move |code| [row.as_slice(), &[code]].concat())).collect()
    })
}

proptest! {
    #[test]
    fn boxes_hold_the_rows_that_are_meant_once_each(tree in trees()) {
        let schema = schema();
        let filter = Filter::parse(&schema, &tree.text()).map_err(|error| TestCaseError::fail(error.to_string()))?;
        for row in all_rows(&schema) {
            let hits = filter.boxes().iter().filter(|one| one.holds(&row)).count();
            prop_assert_eq!(hits, usize::from(tree.holds(&row)), "{} at {:?}", tree.text(), row);
        }
        for one in filter.boxes() {
            prop_assert!(one.parts.windows(2).all(|pair| pair[0].0 < pair[1].0));
            prop_assert!(one.parts.iter().all(|(_, codes)| !codes.is_empty() && codes.is_sorted()));
        }
    }

    #[test]
    fn any_text_is_survived_in_one_line(text in any::<String>()) {
        if let Err(error) = Filter::parse(&schema(), &text) {
            prop_assert!(!error.to_string().contains('\n'));
        }
    }

    #[test]
    fn any_row_of_words_is_survived(
        words in proptest::collection::vec(
            proptest::sample::select(vec![
                "age", "sex", "\"home region\"", "and", "or", "not", "in", "(", ")", ",", "between", "is", "missing", "null",
                "=", "<", ">=", "!=", "'F'", "20", "65", "63", "true", "married", "'", "\"", "rate", "0.5", "born", "1950-01-01",
                "-", "é", "1e999", "NaN", "99999999999999999999",
            ]),
            0..24,
        ),
        gap in prop_oneof![Just(""), Just(" "), Just("\t\n")],
    ) {
        if let Err(error) = Filter::parse(&schema(), &words.join(gap)) {
            prop_assert!(!error.to_string().contains('\n'), "{}", error);
        }
    }
}
