//! Tests of drafting, on generated data of every kind.

use super::{Draft, Drafter};
use crate::codec::{CodecKind, IntegerAxis, NumberAxis};
use crate::{Column, Mark, Role, Schema};

/// A stream of pseudo-random numbers that is the same everywhere.
fn noise(i: u64) -> u64 {
    let mixed = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 11
}

/// The draft for one column; it must survive its own file, and say nothing that is not marked.
fn drafted(name: &str, cells: impl IntoIterator<Item = String>) -> Draft {
    let mut drafter = Drafter::new(&[name.to_owned()]).unwrap();
    for cell in cells {
        drafter.observe(&[cell.as_bytes()]);
    }
    let draft = drafter.finish().unwrap();
    let (schema, text) = (draft.schema(), draft.to_toml());
    assert_eq!(Schema::parse(&text, "draft").unwrap(), *schema, "{text}");
    assert_eq!(Schema::parse(&schema.to_toml(), "draft").unwrap(), *schema, "{text}");
    assert_eq!(Schema::parse(&schema.to_json().to_string(), "draft").unwrap(), *schema);
    assert!(schema.columns()[0].review.contains(&"type".to_owned()));
    every_key_is_marked(&text);
    draft
}

/// Every key of a drafted file is marked, but for the few that do not depend on rows.
fn every_key_is_marked(text: &str) {
    let file: toml::Table = toml::from_str(text).unwrap();
    let marked = |table: &toml::Table, key: &str| {
        let facts = table["review"].as_array().unwrap().iter().filter_map(toml::Value::as_str);
        facts.into_iter().any(|fact| Mark { column: None, fact }.keys().contains(&key))
    };
    for key in file.keys().filter(|key| !["version", "columns", "review"].contains(&key.as_str())) {
        assert!(marked(&file, key), "{key}: {text}");
    }
    for column in file["columns"].as_table().unwrap().values() {
        let column = column.as_table().unwrap();
        let modelled = !["id", "ignore"].contains(&column["type"].as_str().unwrap());
        assert_eq!(column.get("missing"), modelled.then_some(&toml::Value::Boolean(true)), "{text}");
        for key in column.keys().filter(|key| !["missing", "review"].contains(&key.as_str())) {
            assert!(marked(column, key), "{key}: {text}");
        }
    }
}

fn draft_named(name: &str, cells: impl IntoIterator<Item = String>) -> (Column, Schema) {
    let schema = drafted(name, cells).schema().clone();
    (schema.columns()[0].clone(), schema)
}

fn draft(cells: impl IntoIterator<Item = String>) -> Column {
    draft_named("x", cells).0
}

fn texts(cells: &[&str]) -> Vec<String> {
    cells.iter().cycle().take(cells.len().max(60)).map(|cell| (*cell).to_owned()).collect()
}

fn integer_axis(column: &Column) -> &IntegerAxis {
    match column.codec().map(|codec| codec.kind()) {
        Some(CodecKind::Integer(axis)) => axis,
        _ => panic!("not an integer column: {column:?}"),
    }
}

fn number_axis(column: &Column) -> &NumberAxis {
    match column.codec().map(|codec| codec.kind()) {
        Some(CodecKind::Number(axis)) => axis,
        _ => panic!("not a number column: {column:?}"),
    }
}

/// What is said about a column is in a comment of the file, and nowhere in the schema.
fn assert_remarked(draft: &Draft, words: &str) {
    let text = draft.to_toml();
    assert!(text.lines().any(|line| line.starts_with('#') && line.contains(words)), "{text}");
    let schema = draft.schema();
    for silent in [schema.to_toml(), schema.to_json().to_string(), format!("{schema:?}")] {
        assert!(!silent.contains(words), "{silent}");
    }
}

fn values(column: &Column) -> &[String] {
    match column.codec().map(|codec| codec.kind()) {
        Some(CodecKind::Category(words)) => words.values(),
        Some(CodecKind::Boolean(words)) => words.words(),
        _ => panic!("no words: {column:?}"),
    }
}

#[test]
fn integers_with_few_values_keep_their_range() {
    let column = draft((0..500).map(|i| (1 + noise(i) % 5).to_string()));
    let axis = integer_axis(&column);
    assert_eq!((axis.low(), axis.high(), axis.len()), (1, 5, 5));
    assert_eq!(column.review, ["type", "range", "bins", "spikes"]);
    let flags = draft((0..500).map(|i| (noise(i) % 2).to_string()));
    assert_eq!((integer_axis(&flags).low(), integer_axis(&flags).high()), (0, 1));
}

#[test]
fn ranges_are_rounded_outward() {
    let column = draft((0..500).map(|i| if i % 7 == 0 { String::new() } else { (17 + noise(i) % 74).to_string() }));
    let axis = integer_axis(&column);
    assert_eq!((axis.low(), axis.high()), (0, 90));
    assert!(column.codec().unwrap().missing_code().is_some());
    let floats = draft((0..500).map(|i| format!("{}.0", 17 + noise(i) % 74)));
    assert_eq!(integer_axis(&floats).high(), 90, "whole numbers with a point are integers");
}

#[test]
fn soft_tokens_become_missing_in_numeric_columns_only() {
    let (column, schema) =
        draft_named("x", (0..300).map(|i| if i % 9 == 0 { "?".into() } else { (noise(i) % 50).to_string() }));
    assert!(column.codec().unwrap().missing_code().is_some());
    assert!(schema.text_rules().missing_tokens.contains(&"?".to_owned()));
    let column = draft(texts(&["?", "Private", "State-gov"]));
    assert_eq!(values(&column), ["?", "Private", "State-gov"]);
    let codec = column.codec().unwrap();
    assert_ne!(Some(codec.encode_text(b"?")), codec.missing_code());
}

#[test]
fn whether_cells_are_missing_is_not_read() {
    let with = |odd: &str| {
        let cells = (0..400u64).map(|i| if i == 7 { odd.to_owned() } else { (noise(i) % 60).to_string() });
        drafted("x", cells).to_toml()
    };
    assert_eq!(with("3"), with(""));
    assert_eq!(with("3"), with("NA"));
    assert_eq!(with("3"), with("17"));
    assert_ne!(with("3"), with("?"), "the control: a token that the file has to know shows, marked");
    for cells in [&["a", "b"][..], &["yes", "no"], &["2020-01-02", "2021-03-04"], &["1.5", "2.5"], &["3", "4"]] {
        assert!(draft(texts(cells)).codec().unwrap().missing_code().is_some(), "{cells:?}");
    }
}

#[test]
fn a_few_odd_cells_do_not_change_what_a_column_is() {
    let numbers =
        |odd: u64| (0..3000).map(move |i| if i % 1000 < odd { "odd one".into() } else { noise(i).to_string() });
    let column = draft(numbers(3));
    integer_axis(&column);
    assert!(column.codec().unwrap().missing_code().is_some(), "odd cells need a code");
    let dates = |odd: u64| {
        let day =
            |i: u64| format!("{:02}.{:02}.{}", 1 + noise(i) % 28, 1 + noise(i + 7) % 12, 1990 + noise(i + 9) % 30);
        (0..3000).map(move |i| if i % 1000 < odd { "x".into() } else { day(i) })
    };
    assert_eq!(draft(dates(3)).type_name(), "date");
    // One in fifty is too many, and in a short list of codes every word counts.
    assert_ne!(draft(dates(20)).type_name(), "date");
    assert_ne!(draft(numbers(20)).type_name(), "integer");
    let codes = draft((0..3000).map(|i| if i % 1000 == 0 { "unknown".into() } else { (noise(i) % 9).to_string() }));
    assert_eq!(values(&codes).len(), 10);
}

#[test]
fn long_tails_and_zeros() {
    let gain = |i: u64| {
        let value = noise(i) % 1000;
        if i.is_multiple_of(3) { 0 } else { value.pow(6) / 1_000_000_000_000 + 7 + i % 97 }
    };
    let column = draft((0..3000).map(|i| gain(i).to_string()));
    let axis = integer_axis(&column);
    assert_eq!(axis.spikes(), [0]);
    let widths: Vec<i64> = (1..axis.len()).map(|bin| axis.bounds(bin).1 - axis.bounds(bin).0 + 1).collect();
    assert!(widths[widths.len() - 1] > 20 * widths[1], "{widths:?}");
    for fact in ["range", "bins", "spikes"] {
        assert!(column.review.contains(&fact.to_owned()), "{fact}");
    }
    let even = draft((0..3000).map(|i| (1000 + noise(i) % 9000).to_string()));
    assert!(integer_axis(&even).spikes().is_empty());
    assert_eq!(integer_axis(&even).len(), 64);
}

#[test]
fn numbers_keep_their_decimals() {
    let column = draft((0..500).map(|i| format!("{:.2}", 36.0 + (noise(i) % 600) as f64 / 100.0)));
    let axis = number_axis(&column);
    assert_eq!((axis.low(), axis.high(), axis.decimals()), (36.0, 42.0, Some(2)));
    let fine = draft((0..500).map(|i| format!("{:e}", noise(i) as f64 * 1e-9)));
    assert!(number_axis(&fine).len() > 10);
    let zeros = draft((0..5000).map(|i| if i % 4 == 0 { "0.0".into() } else { format!("{}.5", noise(i) % 800) }));
    assert_eq!(number_axis(&zeros).spikes(), [0.0]);
}

#[test]
fn decimal_commas_are_found_and_thousands_are_not_mistaken_for_them() {
    let (column, schema) = draft_named("x", (0..200).map(|i| format!("{},{}", noise(i) % 50, noise(i) % 10)));
    assert_eq!(schema.text_rules().decimal, b',');
    assert!(number_axis(&column).high() >= 49.0);
    let (_, schema) = draft_named("x", (0..200).map(|i| format!("1,{}", 100 + noise(i) % 8)));
    assert_eq!(schema.text_rules().decimal, b'.');
}

#[test]
fn words_become_sorted_categories() {
    let column = draft(texts(&["b", "a ", "NA", " c"]));
    assert_eq!(values(&column), ["a", "b", "c"]);
    assert!(column.codec().unwrap().missing_code().is_some());
    assert_eq!(column.review, ["type", "values"]);
    let codes = draft(texts(&["01", "02", "10"]));
    assert_eq!(values(&codes), ["01", "02", "10"], "a leading zero is a code's");
}

#[test]
fn booleans_keep_their_spelling() {
    assert_eq!(values(&draft(texts(&["Yes", "No", ""]))), ["No", "Yes"]);
    assert_eq!(values(&draft(texts(&["TRUE", "FALSE"]))), ["FALSE", "TRUE"]);
    assert_eq!(values(&draft(texts(&["yes", "YES", "No"]))), ["No", "yes"]);
    assert_eq!(values(&draft(texts(&["Y", "Y"]))), ["n", "Y"]);
    assert!(matches!(draft(texts(&["yes", "true", "no"])).codec().unwrap().kind(), CodecKind::Category(_)));
}

#[test]
fn dates_in_their_usual_formats() {
    let civil = |i: u64| (1950 + noise(i) % 70, 1 + noise(i + 9) % 12, 1 + noise(i + 99) % 28);
    let drafted = |write: &dyn Fn(u64, u64, u64) -> String| {
        let column = draft((0..400).map(|i| {
            let (year, month, day) = civil(i);
            write(year, month, day)
        }));
        match column.codec().unwrap().kind() {
            CodecKind::Date(_, format) => format.pattern_text().unwrap_or("iso").to_owned(),
            CodecKind::DateTime(_, format) => format!("time {}", format.pattern_text().unwrap_or("iso")),
            _ => panic!("{column:?}"),
        }
    };
    assert_eq!(drafted(&|y, m, d| format!("{y}-{m:02}-{d:02}")), "iso");
    assert_eq!(drafted(&|y, m, d| format!("{d:02}/{m:02}/{y}")), "%d/%m/%Y");
    assert_eq!(drafted(&|y, m, d| format!("{m}/{d}/{y}")), "%m/%d/%Y");
    assert_eq!(drafted(&|y, m, d| format!("{y}/{m:02}/{d:02}")), "%Y/%m/%d");
    assert_eq!(drafted(&|y, m, d| format!("{d:02}.{m:02}.{y}")), "%d.%m.%Y");
    assert_eq!(drafted(&|y, m, d| format!("{y}{m:02}{d:02}")), "%Y%m%d");
    assert_eq!(drafted(&|y, m, d| format!("{y}-{m:02}-{d:02}T10:{d:02}:07")), "time iso");
    assert_eq!(drafted(&|y, m, d| format!("{y}-{m:02}-{d:02} 10:{d:02}:07")), "time %Y-%m-%d %H:%M:%S");
    assert_eq!(drafted(&|y, m, d| format!("{d:02}/{m:02}/{y} 10:{d:02}")), "time %d/%m/%Y %H:%M");
}

#[test]
fn ambiguous_dates_say_so() {
    let cells = (0..100).map(|i| format!("{:02}/{:02}/2020", 1 + noise(i) % 12, 1 + noise(i + 7) % 12));
    let draft = drafted("x", cells);
    assert_remarked(&draft, "other way round");
    let column = &draft.schema().columns()[0];
    assert!(column.review.contains(&"format".to_owned()));
}

#[test]
fn date_ranges_are_whole_years() {
    let column = draft((0..100).map(|i| format!("{}-0{}-1{}", 1991 + noise(i) % 9, 2 + noise(i) % 7, noise(i) % 9)));
    let codec = column.codec().unwrap();
    assert!(codec.label(0).starts_with("1991-01-01"));
    assert!(codec.label(codec.size() - 2).ends_with("1999-12-31"), "the last code is missing");
}

#[test]
fn identifiers_and_free_text() {
    assert_eq!(draft((0..100).map(|i| (i + 1).to_string())).role, Role::Id);
    assert_eq!(draft((0..200).map(|i| (100_000_000 + noise(i) % 800_000_000).to_string())).role, Role::Id);
    assert_eq!(draft((0..100).map(|i| format!("P{:05}", noise(i)))).role, Role::Id);
    assert_eq!(draft_named("person_id", (0..10).map(|i| noise(i).to_string())).0.role, Role::Id);
    assert_eq!(draft((0..60_000).map(|i| format!("user{i}"))).role, Role::Id);
    assert!(
        matches!(draft((0..100).map(|i| (noise(i) % 100_000).to_string())).role, Role::Modelled(_)),
        "incomes are not ids"
    );
    let prose = drafted("x", (0..100).map(|i| format!("the patient came in {} times, said {}", noise(i), i)));
    assert_eq!(prose.schema().columns()[0].role, Role::Ignored);
    assert_remarked(&prose, "free text");
    assert_eq!(draft((0..100).map(|i| "x".repeat(300 + i % 3))).role, Role::Ignored);
    assert_eq!(draft((0..70_000).map(|i| format!("word {}", noise(i) % 60_000))).role, Role::Ignored);
}

#[test]
fn forty_thousand_categories_and_empty_columns() {
    let column = draft((0..100_000u64).map(|i| format!("m{:05}", i % 40_000)));
    assert_eq!(values(&column).len(), 40_000);
    for nothing in [texts(&["", "NA"]), texts(&["?"]), vec![]] {
        let column = draft(nothing);
        assert_eq!(column.role, Role::Ignored);
        assert_eq!(column.review, ["type"]);
    }
}

#[test]
fn extreme_numbers_are_survived() {
    for cells in [
        &["1e308", "-1e308", "3"][..],
        &["inf", "-inf"],
        &["1e-320", "0.5"],
        &["9223372036854775807", "-9223372036854775808", "12"],
        &["99999999999999999999999", "5"],
        &["0.1", "0.1"],
    ] {
        let column = draft(texts(cells));
        assert!(!column.review.is_empty(), "{cells:?}");
    }
}

#[test]
fn headers_are_checked_and_several_columns_go_together() {
    let header = ["a", "b", "a"].map(str::to_owned);
    assert!(Drafter::new(&header).is_err());
    let header = ["", "größe \"x\""].map(str::to_owned);
    let mut drafter = Drafter::new(&header).unwrap();
    for i in 0..50u64 {
        drafter.observe(&[i.to_string().as_bytes(), b"\xff bad"]);
    }
    let draft = drafter.finish().unwrap();
    let schema = draft.schema();
    assert_eq!(schema.columns()[0].role, Role::Id, "an unnamed first column is an index");
    assert_eq!(schema.columns()[1].role, Role::Ignored);
    assert_eq!(Schema::parse(&draft.to_toml(), "draft").unwrap(), *schema);
    every_key_is_marked(&draft.to_toml());
}

proptest::proptest! {
    #[test]
    fn any_cells_give_a_schema(
        cells in proptest::collection::vec("([0-9]{1,4}[-/.]){0,2}[0-9]{0,9}|[a-c ]{0,3}|-?[0-9]{0,30}(\\.[0-9]{0,20})?(e[0-9]{1,3})?|NA|\\?", 0..60),
    ) {
        draft(cells);
    }

    #[test]
    fn any_numbers_give_a_schema(cells in proptest::collection::vec(proptest::num::f64::ANY, 1..40), exponents: bool) {
        draft(cells.iter().map(|value| if exponents { format!("{value:e}") } else { format!("{value}") }));
    }
}
