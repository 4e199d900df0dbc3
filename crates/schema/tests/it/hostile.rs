//! Whatever stands in a schema file, reading it ends with a schema or with one line.

use lookalike_schema::{Review, Schema};
use proptest::prelude::*;

/// A schema that was accepted must survive its own written forms and code any cell.
fn check(text: &str) -> Result<(), TestCaseError> {
    match Schema::parse(text, "hostile") {
        Err(error) => prop_assert!(!error.to_string().contains('\n'), "{error}"),
        Ok(schema) => {
            let toml = schema.to_toml();
            prop_assert_eq!(
                &Schema::parse(&toml, "toml").map_err(|e| TestCaseError::fail(format!("{e}\n{toml}")))?,
                &schema
            );
            let json = schema.to_json().to_string();
            prop_assert_eq!(
                &Schema::parse(&json, "json").map_err(|e| TestCaseError::fail(format!("{e}\n{json}")))?,
                &schema
            );
            for attribute in schema.domain().attributes() {
                let codec = schema.codec(attribute);
                for code in [0, codec.size() / 2, codec.size() - 1] {
                    let mut cell = Vec::new();
                    codec.write_text(&codec.decode(code, 0x5555_5555_5555_5555), &mut cell);
                    prop_assert_eq!(codec.encode_text(&cell), code, "{}", toml);
                }
            }
        }
    }
    review(text)
}

/// Whatever is answered in a review, the file can be read; when all is answered, nothing is left.
fn review(text: &str) -> Result<(), TestCaseError> {
    let Ok(mut review) = Review::parse(text, "hostile") else { return Ok(()) };
    prop_assert_eq!(review.pending().len(), review.schema().map(|open| open.unreviewed().len()).unwrap_or_default());
    let bulk = [review.accept_harmless().is_ok(), review.discover_telling().is_ok()];
    prop_assert!(review.schema().is_ok(), "{:?}: {}", bulk, review.text());
    for fact in review.pending() {
        // A fact that stands twice is settled once.
        let _ = review.accept(&fact);
    }
    prop_assert!(review.schema().is_ok_and(|open| open.unreviewed().is_empty()), "{}", review.text());
    Ok(())
}

fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|value| value.to_string()),
        (-50i64..5000).prop_map(|value| value.to_string()),
        any::<f64>().prop_map(|value| format!("{value:?}").replace("NaN", "nan")),
        (-5.0f64..50.0).prop_map(|value| format!("{value:?}")),
        Just("true".to_owned()),
        Just("'2020-02-29'".to_owned()),
        Just("1999-12-31T23:59:59".to_owned()),
        Just("2031-01-01".to_owned()),
        Just("'(missing)'".to_owned()),
        "'[a-c<>=!. 0-9-]{0,6}'",
        "\"\\PC{0,4}\"",
    ]
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => scalar(),
        4 => proptest::collection::vec(scalar(), 0..5).prop_map(|items| format!("[{}]", items.join(", "))),
        1 => Just("{ missing = true }".to_owned()),
        1 => Just("[[1, 2], {}]".to_owned()),
    ]
}

const TYPES: &[&str] = &["integer", "number", "category", "boolean", "date", "datetime", "id", "ignore", "text"];
const KEYS: &[&str] = &[
    "range",
    "bins",
    "edges",
    "decimals",
    "spikes",
    "values",
    "other",
    "missing",
    "review",
    "harmless",
    "spacing",
    "format",
    "depends_on",
    "table",
];
const USUAL: &[&str] = &[
    "['range', 'type']",
    "'discover'",
    "'log'",
    "'even'",
    "'%d/%m/%Y'",
    "'%Y-%m-%d %H:%M'",
    "'%y%m%d'",
    "true",
    "4",
    "0",
    "100000",
    "[0, 900]",
    "['a']",
    "[[1, 2], ['', 3]]",
];

fn entry() -> impl Strategy<Value = String> {
    let any = prop_oneof![2 => value(), 1 => proptest::sample::select(USUAL).prop_map(str::to_owned)];
    let keys = proptest::sample::subsequence(KEYS, 0..4);
    (proptest::sample::select(TYPES), keys, proptest::collection::vec(any, 4)).prop_map(|(kind, keys, values)| {
        let lines = keys.iter().zip(values).map(|(key, value)| format!("{key} = {value}\n")).collect::<String>();
        format!("type = '{kind}'\n{lines}")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_text(text in "\\PC{0,200}") {
        check(&text)?;
    }

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        check(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn nearly_schemas(entries in proptest::collection::vec(entry(), 1..4), rule in value()) {
        let columns: String = entries.iter().enumerate().map(|(i, entry)| format!("[columns.c{i}]\n{entry}\n")).collect();
        check(&columns)?;
        check(&format!("{columns}\n[[impossible]]\nc0 = {rule}"))?;
    }

    #[test]
    fn plausible_axes(
        kind in proptest::sample::select(vec!["integer", "number"]), low in -1e4f64..1e4, width in 0.0f64..1e5, bins in 1u32..200,
        log: bool, decimals in 0u8..5, spike in 0.0f64..1.0,
    ) {
        let (low, high) = (low.floor(), (low + width).floor());
        let spacing = if log { "log" } else { "even" };
        let extra = if kind == "number" { format!("decimals = {decimals}") } else { String::new() };
        check(&format!(
            "[columns.x]\ntype = '{kind}'\nrange = [{low}, {high}]\nbins = {bins}\nspacing = '{spacing}'\nspikes = [{}]\n{extra}",
            (low + (high - low) * spike).floor(),
        ))?;
    }
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("{a=", "}")] {
        let deep = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        assert!(Schema::parse(&deep, "deep").is_err());
        assert!(Schema::parse(&format!("x = {deep}"), "deep").is_err());
    }
    let dotted = format!("{}x = 1", "a.".repeat(50_000));
    assert!(Schema::parse(&dotted, "deep").is_err());
}
