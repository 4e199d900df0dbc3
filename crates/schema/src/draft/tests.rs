//! Tests of drafting, on generated data of every kind.

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
        let public = super::catalogue::bounds(name).map(|(low, high)| [low as f64, high as f64]);
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
fn words_for_missing_leave_numbers_numbers() {
    for word in ["unknown", "Unknown", "NA", "n/a", "N/a", "-", "none", "?", "not available", "missing"] {
        let cells = |i: u64| if i.is_multiple_of(3) { word.to_owned() } else { (noise(i) % 50).to_string() };
        let (column, schema) = draft_named("x", (0..300).map(cells));
        let codec = column.codec().unwrap();
        assert_eq!((codec.kind_name(), Some(codec.encode_text(word.as_bytes()))), ("integer", codec.missing_code()));
        assert!(schema.text_rules().missing_tokens.contains(&word.to_owned()), "{word}");
        let dates = |i: u64| if i.is_multiple_of(3) { word.to_owned() } else { format!("2020-01-{:02}", 1 + i % 28) };
        assert_eq!(draft((0..300).map(dates)).codec().unwrap().kind_name(), "date", "{word}");
    }
    // Beside yes and no it is an answer.
    assert_eq!(values(&draft(texts(&["yes", "no", "unknown"]))), ["no", "unknown", "yes"]);
}

#[test]
fn no_word_is_both_a_missing_token_and_a_value() {
    let header = ["age", "job", "dashes", "both"].map(str::to_owned);
    let mut drafter = Drafter::new(&header).unwrap();
    for i in 0..600u64 {
        let age = match i % 10 {
            0 => "-".to_owned(),
            1 => "n/a".to_owned(),
            2 => "unknown".to_owned(),
            _ => (noise(i) % 70).to_string(),
        };
        let job = ["-", "smith", "unknown", "n/a", "tailor"][i as usize % 5];
        let both = ["-", "n/a"][i as usize % 2];
        drafter.observe(&[age.as_bytes(), job.as_bytes(), b"-", both.as_bytes()]);
    }
    let draft = drafter.finish().unwrap();
    let (schema, text) = (stated(&draft), draft.to_toml());
    assert_eq!(schema.columns()[0].codec().unwrap().kind_name(), "integer", "{text}");
    assert_eq!(values(&schema.columns()[1]), ["smith", "tailor", "unknown"], "{text}");
    let tokens = &schema.text_rules().missing_tokens;
    assert!(tokens.contains(&"-".to_owned()) && tokens.contains(&"n/a".to_owned()), "{text}");
    assert!(!tokens.contains(&"unknown".to_owned()), "an answer of the jobs: {text}");
    for (column, cell) in [(0, "-"), (0, "unknown"), (1, "-"), (1, "n/a")] {
        let codec = schema.columns()[column].codec().unwrap();
        assert_eq!(Some(codec.encode_text(cell.as_bytes())), codec.missing_code(), "{cell}: {text}");
    }
    assert_eq!((&schema.columns()[2].role, &schema.columns()[3].role), (&Role::Ignored, &Role::Ignored), "{text}");
    every_key_is_marked(&text);
}

#[test]
fn remarks_that_come_again_are_free_text() {
    // Of a thousand cells of three words and more four hundred are different.
    let said = |i: u64| format!("felt {} on day {}", ["ill", "well"][i as usize % 2], noise(i) % 400);
    let remarks = drafted("x", (0..1000).map(said));
    assert_eq!(stated(&remarks).columns()[0].role, Role::Ignored, "{}", remarks.to_toml());
    assert_remarked(&remarks, "FREE TEXT");
    // Two words are enough where the name says what they are.
    let short = |i: u64| format!("day {}", noise(i) % 400);
    let notes = drafted("visit_note", (0..1000).map(short));
    assert_eq!(stated(&notes).columns()[0].role, Role::Ignored, "{}", notes.to_toml());
    assert!(drafted("x", (0..1000).map(short)).to_toml().contains("values = \"discover\""));
    // A list of phrases with many rows each is a list.
    assert_eq!(values(&draft((0..6000u64).map(|i| format!("grade of kind {}", i % 60)))).len(), 60);
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
    let codes = draft((0..3000).map(|i| if i % 1000 == 0 { "perhaps".into() } else { (noise(i) % 9).to_string() }));
    assert_eq!(values(&codes).len(), 10);
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
fn bounds_by_name_need_no_mark_and_hold_whatever_the_cells_say() {
    for cells in [17..90, 0..7, 100..400] {
        let cells: Vec<String> = cells.cycle().take(900).map(|cell: i32| cell.to_string()).collect();
        let outside = cells.iter().any(|cell| cell == "399");
        let draft = drafted("age", cells);
        let column = &stated(&draft).columns()[0].clone();
        assert_eq!((integer_axis(column).low(), integer_axis(column).high()), (0, 120));
        assert_eq!((&column.marks.review, &column.marks.harmless), (&vec![], &owned(&["type"])));
        assert_eq!(draft.warnings().len(), usize::from(outside), "{:?}", draft.warnings());
    }
    let halves = draft_named("age", (0..900).map(|i| format!("{}.5", noise(i) % 90))).0;
    assert_eq!((number_axis(&halves).low(), number_axis(&halves).high()), (0.0, 120.0));
    // Another type has no bounds.
    assert_eq!(values(&draft_named("age", texts(&["old", "young"])).0), ["old", "young"]);
}

#[test]
fn what_an_empty_form_tells_is_harmless() {
    let harmless = |name: &str, cells: Vec<String>| draft_named(name, cells).0.marks.review.is_empty();
    let many = |cells: &[&str], each: usize| owned(&cells.repeat(each));
    let with = |cells: Vec<String>, odd: &str| [cells, owned(&[odd])].concat();
    assert!(harmless("x", many(&["a", "b", "c"], 20)));
    assert!(!harmless("x", many(&["a", "b", "c"], 19)), "values with fewer than 20 rows");
    assert!(!harmless("x", with(many(&["a", "b"], 50), "c")), "a value with one row");
    assert!(!harmless("home city", many(&["Rome", "Oslo"], 50)), "places");
    assert!(harmless("country", many(&["IT", "NO", "FR"], 3)), "a public list as a whole");
    assert!(harmless("x", many(&["yes", "No"], 1)));
    assert!(harmless("x", many(&["1", "2", "5"], 20)));
    assert!(!harmless("x", with(many(&["1", "2", "5"], 20), "9")), "an end with one row");
    assert!(!harmless("x", (0..3000).map(|i| (i % 60).to_string()).collect()), "ends of a long range");
    assert!(!harmless("x", many(&["2020-01-02", "2021-03-04"], 50)), "ends of dates");
    assert!(!harmless("x", (0..8000).map(|i| format!("w{}", i % 200)).collect()), "a long list");
}

#[test]
fn names_ids_and_long_lists_are_told_loudly_and_not_listed() {
    let tails = |i: u64| format!("N{:05}", (i % 4043) * 7 % 100_000);
    let people = |i: u64| format!("{} {}", ["Ada", "Bob", "Cyd"][i as usize % 3], ["Lee", "Fox"][i as usize % 2]);
    let employers = |i: u64| format!("employer of kind {}", noise(i) % 1100);
    for (name, cells, words) in [
        ("tailnum", (0..100_000).map(tails).collect::<Vec<_>>(), "LOOKS LIKE IDS"),
        ("emp_title", (0..10_000).map(employers).collect(), "LOOKS LIKE NAMES"),
        ("x", (0..10_000).map(employers).collect(), "A LONG LIST"),
        ("customer_id", (0..9_000).map(|i| (i % 300).to_string()).collect(), "LOOKS LIKE AN IDENTIFIER"),
        ("customer_id", (0..9_000).map(|i| (i % 300).to_string()).collect(), "SEVERAL ROWS AN ID: `--unit customer_id"),
        ("x", (0..1000).map(|i| format!("p{}", if i % 50 == 0 { 0 } else { i })).collect(), "nearly every cell"),
    ] {
        let draft = drafted(name, cells);
        let column = &stated(&draft).columns()[0].clone();
        let discovered = draft.to_toml().contains("\nvalues = \"discover\"\n");
        assert_eq!(column.role == Role::Id, !discovered, "{column:?}");
        assert_eq!(column.marks.review, [if discovered { "values" } else { "type" }], "{name}");
        assert_remarked(&draft, words);
        assert!(draft.warnings().iter().any(|warning| warning.contains(words)), "{:?}", draft.warnings());
    }
    // Where an id has several rows, it is said how persons are protected.
    let several = |name, rows: u64| {
        let draft = drafted(name, (0..rows).map(|i| format!("P{:06}", (i % 3000) * 7)));
        draft.warnings().join("\n").contains("`--unit \"customer id\" --contribution N` protects persons")
    };
    assert!(several("customer id", 9000) && !several("customer id", 3000));
    assert!(!several("x", 9000), "a list of codes is nobody's id");
    // Six names are a list of codes.
    assert_eq!(values(&draft((0..600).map(people))).len(), 6);
}

#[test]
fn columns_stand_by_risk_and_the_schema_has_the_order_of_the_header() {
    let header = ["sex", "weight", "zip", "job", "id"].map(str::to_owned);
    let mut drafter = Drafter::new(&header).unwrap();
    for i in 0..500u64 {
        let job = if i == 3 { "king" } else { "smith" };
        let cells = [
            ["F", "M"][i as usize % 2].to_owned(),
            noise(i).to_string(),
            (noise(i) % 99).to_string(),
            job.into(),
            i.to_string(),
        ];
        drafter.observe(&cells.each_ref().map(|cell| cell.as_bytes()));
    }
    let draft = drafter.finish().unwrap();
    let text = draft.to_toml();
    let sections: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("[columns.")).collect();
    assert_eq!(sections, ["id]", "zip]", "job]", "weight]", "sex]"], "{text}");
    let names: Vec<String> = stated(&draft).columns().iter().map(|column| column.name.clone()).collect();
    assert_eq!(names, header);
    assert_eq!(Schema::parse(&text, "draft").unwrap(), draft.schema().closed().unwrap());
    let top: Vec<&str> = text.lines().take_while(|line| line.starts_with('#')).collect();
    assert!(top.iter().any(|line| line.contains("QUASI-IDENTIFIERS") && line.ends_with(": zip")), "{text}");
}

#[test]
fn numbers_keep_their_decimals() {
    let column = draft((0..500).map(|i| format!("{:.2}", 36.0 + (noise(i) % 600) as f64 / 100.0)));
    let axis = number_axis(&column);
    assert_eq!((axis.low(), axis.high(), axis.decimals()), (36.0, 42.0, Some(2)));
    let fine = draft((0..500).map(|i| format!("{:e}", noise(i) as f64 * 1e-9)));
    assert!(number_axis(&fine).len() > 10);
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
    assert_eq!((&column.marks.review, &column.marks.harmless), (&owned(&["values"]), &owned(&["type"])));
    let codes = draft(texts(&["01", "02", "10"]));
    assert_eq!(values(&codes), ["01", "02", "10"], "a leading zero is a code's");
}

#[test]
fn booleans_keep_their_spelling() {
    assert_eq!(values(&draft(texts(&["Yes", "No", ""]))), ["No", "Yes"]);
    assert_eq!(values(&draft(texts(&["TRUE", "FALSE"]))), ["FALSE", "TRUE"]);
    assert_eq!(values(&draft(texts(&["yes", "YES", "No"]))), ["No", "YES", "yes"], "two spellings are two values");
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
    assert_eq!(stated(&prose).columns()[0].role, Role::Ignored);
    assert_remarked(&prose, "FREE TEXT");
    assert_eq!(draft((0..100).map(|i| "x".repeat(300 + i % 3))).role, Role::Ignored);
    let notes = drafted("x", (0..60_000).map(|i| format!("came in {i} times")));
    assert_eq!(stated(&notes).columns()[0].role, Role::Ignored);
    let many = drafted("x", (0..200_000).map(|i| format!("word {}", noise(i) % 60_000)));
    assert!(many.to_toml().contains("values = \"discover\""), "too many to list");
}

#[test]
fn many_categories_and_empty_columns() {
    let column = draft((0..100_000u64).map(|i| format!("kind {}", i % 4_000)));
    assert_eq!(values(&column).len(), 4_000);
    assert_eq!(column.marks.review, ["values"]);
    for nothing in [texts(&["", "NA"]), texts(&["?"]), vec![]] {
        let column = draft(nothing);
        assert_eq!(column.role, Role::Ignored);
        assert_eq!(column.marks.review, ["type"]);
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
        assert!(column.marks.names("type"), "{cells:?}");
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
    let schema = stated(&draft);
    assert_eq!(schema.columns()[0].role, Role::Id, "an unnamed first column is an index");
    assert_eq!(schema.columns()[1].role, Role::Ignored);
    assert_eq!(Schema::parse(&draft.to_toml(), "draft").unwrap(), schema);
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

#[test]
fn ends_are_counted_with_the_decimal_mark_of_their_cells() {
    for cells in [["1,250", "3,125", "3,125"], ["1,5", "2,75", "2,75"], ["1.5", "2", "2.0"]] {
        let mut drafter = Drafter::new(&["x".to_owned(), "y".to_owned()]).unwrap();
        for cell in cells {
            drafter.observe(&[cell.as_bytes(), b"unread"]);
        }
        let ends = drafter.sketches()["x"][1].clone();
        assert!(ends.contains("(in 1 rows), largest ") && ends.ends_with("(in 2 rows)"), "{cells:?}: {ends}");
    }
}

/// The format that is drafted for a column of these cells.
fn format_of(name: &str, cells: &[&str]) -> Option<String> {
    let mut drafter = Drafter::new(&[name.to_owned()]).unwrap();
    cells.iter().for_each(|cell| drafter.observe(&[cell.as_bytes()]));
    let draft = drafter.finish().unwrap();
    draft.schema().file().columns.0[0].1.format.clone()
}

#[test]
fn what_stands_around_numbers_is_drafted() {
    for (cells, format) in [
        (["$1,234.50", "$12.00", "-$3.10"], Some("$#,###")),
        (["9,271", "12", "1,234,567"], Some("#,###")),
        (["14.07%", "3%", "0.1%"], Some("#%")),
        (["(12)", "15", "(1,200)"], Some("(#,###)")),
        (["71 kg", "80 kg", "5 kg"], Some("# kg")),
        (["1.234,50 €", "12,10 €", "3,00 €"], Some("#.### €")),
        (["181.0", "17.25", "3.5"], Some("#.0")),
        (["181.0", "17.0", "3.0"], Some("#.0")),
        (["1.50", "17.25", "3.00"], None),
        (["N14", "N15", "N16"], None),
        (["$5", "€5", "£5"], None),
        (["12 apples", "13 pears", "5"], None),
        (["2021-01-03", "2022-01-01", "2023-05-05"], None),
        (["03/04/21", "03/31/21", "01/02/22"], Some("%m/%d/%y")),
        (["2021-01-03T10:00:00Z", "2021-01-03T11:20:00Z", "2021-02-03T10:00:00Z"], Some("%Y-%m-%dT%H:%M:%SZ")),
    ] {
        assert_eq!(format_of("a", &cells).as_deref(), format, "{cells:?}");
    }
    let clock: Vec<String> =
        (0..24).flat_map(|hour| [7, 29, 58].map(|minute| (hour * 100 + minute).to_string())).collect();
    let clock: Vec<&str> = clock.iter().map(String::as_str).cycle().take(500).collect();
    assert_eq!(format_of("dep_time", &clock).as_deref(), Some("hmm"));
    assert_eq!(format_of("price", &clock), None);
    assert_eq!(format_of("dep_time", &[clock.as_slice(), &["1275"]].concat()), None);
    assert_eq!(format_of("x", &["09:05", "10:30", "23:59"]).as_deref(), Some("hh:mm"));
    assert_eq!(format_of("x", &["9:05", "10:30", ""]).as_deref(), Some("h:mm"));
    assert_eq!(format_of("x", &["09:05:10", "10:30:00"]).as_deref(), Some("hh:mm:ss"));
    assert_eq!(format_of("x", &["09:05", "10:30", "36:10"]), None, "hours of a stopwatch");
    // Its range is that of every clock, whatever the rows have: no fact, and nothing to discover.
    let midnight = [clock.as_slice(), &["2400"]].concat();
    let mut drafter = Drafter::new(&["dep_time".to_owned()]).unwrap();
    midnight.iter().for_each(|cell| drafter.observe(&[cell.as_bytes()]));
    let toml = drafter.finish().unwrap().to_toml();
    assert!(toml.contains("range = [0, 2359]") && !toml.contains("\"range\""), "{toml}");
}

#[test]
fn spellings_are_kept_apart() {
    let mut drafter = Drafter::new(&["a".to_owned()]).unwrap();
    ["Yes", "yes", "no"].iter().cycle().take(90).for_each(|cell| drafter.observe(&[cell.as_bytes()]));
    let schema = drafter.finish().unwrap().schema().closed().unwrap();
    assert_eq!(schema.codec(AttrId(0)).size(), 4);
}

#[test]
fn another_encoding_is_told() {
    let mut drafter = Drafter::new(&["town".to_owned()]).unwrap();
    [&b"Z\xfcrich"[..], b"Bern"].iter().cycle().take(80).for_each(|cell| drafter.observe(&[cell]));
    let warnings = drafter.finish().unwrap().warnings();
    assert!(warnings.len() == 1 && warnings[0].contains("--encoding"), "{warnings:?}");
}

#[test]
fn years_of_two_digits_are_those_of_a_life() {
    let mut drafter = Drafter::new(&["born".to_owned()]).unwrap();
    (31..=99).cycle().take(300).for_each(|year| drafter.observe(&[format!("28/02/{year}").as_bytes()]));
    let draft = drafter.finish().unwrap();
    let text = draft.to_toml();
    assert!(text.contains("range = [\"19") && text.contains("%d/%m/%y"), "{text}");
}

#[test]
fn ids_are_drafted_in_their_shape() {
    let pattern = |of: &dyn Fn(u64) -> String| {
        let (column, _) = draft_named("order_id", (0..200).map(of));
        assert_eq!(column.role, Role::Id);
        column.pattern.map(|pattern| pattern.text().to_owned())
    };
    assert_eq!(pattern(&|row| format!("ORD-{:06}", row * 17)).as_deref(), Some("ORD-######"));
    assert_eq!(pattern(&|row| format!("{}-{:06}", noise(row) % 7, row)), None);
    assert_eq!(pattern(&|row| (row + 1).to_string()), None);
}

#[test]
fn a_table_without_cells_is_told() {
    let drafter = Drafter::new(&["a", "b"].map(str::to_owned)).unwrap();
    let draft = drafter.finish().unwrap();
    assert!(draft.warnings()[0].contains("no column has a cell"), "{:?}", draft.warnings());
    let text = draft.to_toml();
    assert!(text.contains("have no cell that is not missing: a, b") && !text.contains("LOOK LIKE"), "{text}");
    let mut drafter = Drafter::new(&["a", "b"].map(str::to_owned)).unwrap();
    drafter.observe(&[b"1", b""]);
    assert_eq!(drafter.finish().unwrap().warnings(), Vec::<String>::new());
}
