//! What a draft marks for review, tells loudly and leaves out.

use super::*;

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
