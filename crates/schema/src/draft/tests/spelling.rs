//! How cells are written: decimal marks, dates, words for missing cells, formats.

use super::*;

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
