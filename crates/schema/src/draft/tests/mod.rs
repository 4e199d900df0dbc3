//! Tests of drafting, on generated data of every kind: types and ranges here.

mod marks;
mod spelling;

use super::{Draft, Drafter};
use crate::codec::{CodecKind, IntegerAxis, NumberAxis};
use crate::{AttrId, Column, Mark, MarkKind, OpenSchema, Role, Schema};

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
    let (schema, text) = (stated(&draft), draft.to_toml());
    assert_eq!(OpenSchema::parse(&text, "draft").unwrap(), *draft.schema(), "{text}");
    assert_eq!(Schema::parse(&schema.to_toml(), "draft").unwrap(), schema, "{text}");
    assert_eq!(Schema::parse(&schema.to_json().to_string(), "draft").unwrap(), schema);
    assert!(schema.columns()[0].marks.names("type"));
    every_key_is_marked(&text);
    draft
}

/// The schema of a draft, with something in the place of what is to be discovered.
fn stated(draft: &Draft) -> Schema {
    draft.schema().stand_in().unwrap().unwrap()
}

/// Every key of a drafted file is marked, but for the few that do not depend on rows.
fn every_key_is_marked(text: &str) {
    let file: toml::Table = toml::from_str(text).unwrap();
    let marked = |table: &toml::Table, key: &str| {
        let facts = ["review", "harmless"].into_iter().filter_map(|kind| table.get(kind)?.as_array()).flatten();
        facts.filter_map(toml::Value::as_str).any(|fact| {
            let mark = Mark { column: None, fact, kind: MarkKind::Telling };
            mark.keys().contains(&key)
        })
    };
    // How rows are written is the header line's, and the same for all rows.
    let unmarked = ["version", "order", "written", "columns", "harmless"];
    for key in file.keys().filter(|key| !unmarked.contains(&key.as_str())) {
        assert!(marked(&file, key), "{key}: {text}");
    }
    for (name, column) in file["columns"].as_table().unwrap() {
        let column = column.as_table().unwrap();
        let public = crate::draft::catalogue::bounds(name).map(|(low, high)| [low as f64, high as f64]);
        let modelled = !["id", "ignore"].contains(&column["type"].as_str().unwrap());
        assert_eq!(column.get("missing"), modelled.then_some(&toml::Value::Boolean(true)), "{text}");
        for (key, value) in column.iter().filter(|(key, _)| !["missing", "review", "harmless"].contains(&key.as_str()))
        {
            let bounds = || {
                let bound = |value: &toml::Value| value.as_float().or(value.as_integer().map(|value| value as f64));
                value.as_array().map(|bounds| bounds.iter().filter_map(bound).collect::<Vec<_>>())
            };
            let by_name = key == "range" && public.is_some_and(|public| bounds().as_deref() == Some(&public));
            assert!(marked(column, key) != by_name, "{key}: {text}");
        }
    }
}

fn draft_named(name: &str, cells: impl IntoIterator<Item = String>) -> (Column, Schema) {
    let schema = stated(&drafted(name, cells));
    (schema.columns()[0].clone(), schema)
}

fn draft(cells: impl IntoIterator<Item = String>) -> Column {
    draft_named("x", cells).0
}

fn texts(cells: &[&str]) -> Vec<String> {
    cells.iter().cycle().take(cells.len().max(60)).map(|cell| (*cell).to_owned()).collect()
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
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
    let schema = stated(draft);
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
    assert_eq!((&column.marks.review, &column.marks.harmless), (&vec![], &owned(&["type", "range"])));
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
fn numbers_get_a_range_and_no_bins() {
    let text = drafted("x", (0..3000).map(|i| if i % 3 == 0 { 0 } else { noise(i) % 100_000 }.to_string())).to_toml();
    for key in ["bins", "edges", "spacing", "spikes"] {
        assert!(!text.contains(&format!("\n{key} = ")), "{text}");
    }
    let even = draft((0..3000).map(|i| (1000 + noise(i) % 9000).to_string()));
    assert_eq!((&even.marks.review, &even.marks.harmless), (&owned(&["range"]), &owned(&["type"])));
}

#[test]
fn words_become_sorted_categories() {
    let column = draft(texts(&["b", "a ", "NA", " c"]));
    assert_eq!(values(&column), ["a", "b", "c"]);
    assert!(column.codec().unwrap().missing_code().is_some());
    assert_eq!((&column.marks.review, &column.marks.harmless), (&owned(&["values"]), &owned(&["type"])));
    let codes = draft(texts(&["01", "02", "10"]));
    assert_eq!(values(&codes), ["01", "02", "10"], "a leading zero is a code's");
}

#[test]
fn date_ranges_are_whole_years() {
    let column = draft((0..100).map(|i| format!("{}-0{}-1{}", 1991 + noise(i) % 9, 2 + noise(i) % 7, noise(i) % 9)));
    let codec = column.codec().unwrap();
    assert!(codec.label(0).starts_with("1991-01-01"));
    assert!(codec.label(codec.size() - 2).ends_with("1999-12-31"), "the last code is missing");
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
        assert!(column.marks.names("type"), "{cells:?}");
    }
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
