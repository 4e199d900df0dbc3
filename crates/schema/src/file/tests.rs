//! Tests of reading and writing schema files.

use crate::{AttrId, Mark, MarkKind, Meaning, Role, Schema, SchemaError};

const FULL: &str = r#"
version = 1
missing_tokens = ["-", "9999"]
delimiter = ";"
decimal = ","
unlisted = "ignore"

[columns.age]
type = "integer"
range = [0, 99]
bins = 20
missing = true
review = ["range", "missing"]

[columns."hours per \"week\".x"]
type = "number"
range = [0, 100.5]
spikes = [0, 40]

[columns."größe"]
type = "category"
values = ["small", "a \"b\" \\ \t \u0001", "", "🙂", "1"]
other = "elsewhere"
note = "sizes of the shop"

[columns.married]
type = "boolean"
values = ["no", "yes"]

[columns.born]
type = "date"
range = [1900-01-01, 2024-12-31]
format = "%d/%m/%Y"

[columns.seen]
type = "datetime"
edges = ["2020-01-01", "2020-06-01T12:00:00", "2021-01-01"]

[columns.income]
type = "integer"
range = [0, 1000000]
spacing = "log"
bins = 30
spikes = [0]

[columns.rate]
type = "number"
range = [0, 300]
spacing = "log"
decimals = 4

[columns.person]
type = "id"

[columns.remarks]
type = "ignore"

[[impossible]]
age = "< 15"
married = "yes"

[[impossible]]
age = { missing = true }
"größe" = ["small", "elsewhere"]
"#;

fn parse(text: &str) -> Result<Schema, SchemaError> {
    Schema::parse(text, "schema.toml")
}

/// The message of a refusal.
fn refusal(text: &str) -> String {
    match parse(text) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => error.to_string(),
    }
}

/// The message for a schema with one column.
fn column_refusal(entry: &str) -> String {
    refusal(&format!("[columns.x]\n{entry}"))
}

#[test]
fn the_full_schema_is_read_in_order() {
    let schema = parse(FULL).unwrap();
    let names: Vec<&str> = schema.columns().iter().map(|column| column.name.as_str()).collect();
    let expected =
        ["age", "hours per \"week\".x", "größe", "married", "born", "seen", "income", "rate", "person", "remarks"];
    assert_eq!(names, expected);
    assert_eq!(schema.domain().len(), 8);
    assert_eq!(schema.domain().size(AttrId(0)), 21);
    assert_eq!(schema.delimiter(), Some(b';'));
    assert!(schema.skips_unlisted());
    let mark = |fact| Mark { column: Some("age"), fact, kind: MarkKind::Telling };
    assert_eq!(schema.unreviewed(), [mark("range"), mark("missing")]);
    assert_eq!(schema.attribute("married"), Some(AttrId(3)));
    assert_eq!(schema.attribute("person"), None);
    assert_eq!(schema.columns()[8].role, Role::Id);
    assert_eq!(schema.text_rules().missing_tokens, ["", "-", "9999"]);
    assert_eq!(schema.codec(AttrId(0)).label(3), "15-19");
}

#[test]
fn both_written_forms_read_back_to_an_equal_schema() {
    let schema = parse(FULL).unwrap();
    let toml = schema.to_toml();
    assert_eq!(parse(&toml).unwrap(), schema, "{toml}");
    let json = schema.to_json();
    for text in [json.to_string(), serde_json::to_string_pretty(&json).unwrap()] {
        assert_eq!(parse(&text).unwrap(), schema, "{text}");
    }
    assert_eq!(parse(&toml).unwrap().to_json(), json);
    assert!(toml.contains("DRAFT"), "a draft explains its marks");
    assert!(toml.contains("spacing = \"log\""), "people read the short form");
    assert!(!json.to_string().contains("spacing"), "model files need no logarithm: {json}");
}

#[test]
fn reviewed_schemas_do_not_speak_of_drafts() {
    assert!(!parse("[columns.a]\ntype = 'id'").unwrap().to_toml().contains("DRAFT"));
}

#[test]
fn notes_are_read_over_and_never_written() {
    let plain = parse(&FULL.replace("note = \"sizes of the shop\"\n", "")).unwrap();
    let schema = parse(FULL).unwrap();
    assert_eq!(schema, plain);
    for text in [schema.to_toml(), schema.to_json().to_string(), format!("{schema:?}")] {
        assert!(!text.contains("sizes of the shop"), "{text}");
    }
    let json = r#"{"columns": {"a": {"type": "id", "note": "every cell is different"}}}"#;
    assert_eq!(parse(json).unwrap(), parse("[columns.a]\ntype = 'id'").unwrap());
}

#[test]
fn marks_of_the_whole_file_make_a_draft() {
    let text = "decimal = '.'\nreview = ['decimal', 'whatever']\n[columns.a]\ntype = 'id'\nreview = ['type']";
    let schema = parse(text).unwrap();
    let shown: Vec<String> = schema.unreviewed().iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["decimal", "whatever", "a: type"]);
    let (toml, json) = (schema.to_toml(), schema.to_json());
    assert!(toml.contains("DRAFT") && toml.contains("\nreview = [\"decimal\", \"whatever\"]\n"), "{toml}");
    assert!(toml.contains("decimal = \".\""), "a marked fact is spelled out: {toml}");
    assert!(!toml.contains("missing_tokens"), "{toml}");
    assert_eq!(json["review"], serde_json::json!(["decimal", "whatever"]));
    assert_eq!(parse(&toml).unwrap(), schema);
    assert_eq!(parse(&json.to_string()).unwrap(), schema);
    // The order of another header changes nothing about the marks.
    assert_eq!(schema.arranged(&["a".to_owned()]).unwrap().unreviewed(), schema.unreviewed());
    assert!(refusal("review = 'decimal'\n[columns.a]\ntype = 'id'").contains("`review`"));
}

#[test]
fn mbi_domain_files() {
    let schema = parse("\u{feff} {\"age\": 85, \"columns\": 2, \"version\": 3}").unwrap();
    assert_eq!(schema.domain().sizes(), [85, 2, 3]);
    assert!(schema.skips_unlisted());
    assert_eq!(schema.codec(AttrId(0)).encode_text(b"84"), 84);
    assert_eq!(schema.codec(AttrId(0)).meaning(7), Meaning::Integers(7, 7));
    assert_eq!(parse(&schema.to_json().to_string()).unwrap(), schema);
    assert_eq!(parse(&schema.to_toml()).unwrap(), schema);
    for bad in ["{\"age\": 0}", "{\"age\": -1}", "{\"age\": 2000000}", "{\"age\": 85, \"age\": 3}"] {
        assert!(refusal(bad).contains("age"), "{bad}");
    }
    for bad in
        ["{}", "{\"age\": 1.5}", "{\"age\": [1, 2]}", "{\"age\": \"x\"}", "[]", "[1]", "7", "", "{\"columns\": {}}"]
    {
        assert!(parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn repeated_columns_are_refused_in_both_forms() {
    assert!(refusal("[columns.a]\ntype='id'\n[columns.a]\ntype='id'").contains("line 3"));
    let json = r#"{"columns": {"a": {"type": "id"}, "a": {"type": "id"}}}"#;
    assert!(refusal(json).contains("\"a\" stands twice"), "{}", refusal(json));
}

#[test]
fn unknown_keys_are_named_with_the_column_and_what_was_meant() {
    let message = column_refusal("type = 'integer'\nrange = [0, 9]\nbin = 3");
    for part in ["\"x\"", "\"bin\"", "did you mean \"bins\"?"] {
        assert!(message.contains(part), "{message}");
    }
    assert!(
        column_refusal("type = 'category'\nvalues = ['a']\nrange = [0, 1]")
            .contains("no meaning for type \"category\"")
    );
    assert!(column_refusal("type = 'integer'\nrange = [0, 1]\nother = 'x'").contains("missing = true"));
    assert!(refusal("colums = 3\n[columns.a]\ntype='id'").contains("did you mean \"columns\"?"));
    assert!(refusal("[age]\ntype='id'").contains("[columns.NAME]"));
    assert!(column_refusal("type = 'intger'").contains("did you mean \"integer\"?"));
    assert!(column_refusal("range = [0, 1]").contains("no `type`"));
}

#[test]
fn free_text_is_refused_with_advice() {
    for word in ["text", "string", "String"] {
        let message = column_refusal(&format!("type = '{word}'"));
        assert!(message.contains("free text") && message.contains("ignore"), "{message}");
    }
}

#[test]
fn newer_versions_are_refused_in_one_line() {
    let message = refusal("version = 2\nsomething = 'new'");
    assert!(message.contains("version 2") && message.contains("newer") && !message.contains('\n'), "{message}");
    for bad in ["version = 0", "version = '1'", "version = 1.5"] {
        assert!(refusal(&format!("{bad}\n[columns.a]\ntype = 'id'")).contains("version"), "{bad}");
    }
}

#[test]
fn wrong_bounds_are_refused_one_by_one() {
    for (entry, part) in [
        ("type = 'integer'", "no `range`"),
        ("type = 'integer'\nrange = [9, 0]", "reversed"),
        ("type = 'integer'\nrange = [0]", "two bounds"),
        ("type = 'integer'\nrange = 7", "two bounds"),
        ("type = 'integer'\nrange = [0, 1.5]", "whole number"),
        ("type = 'integer'\nrange = ['0', '9']", "whole number"),
        ("type = 'integer'\nrange = [0, 9]\nbins = 0", "bins = 0"),
        ("type = 'integer'\nrange = [0, 9]\nbins = -4", "bins = -4"),
        ("type = 'integer'\nrange = [0, 9]\nbins = 2.5", "whole number"),
        ("type = 'integer'\nrange = [0, 99999999]\nbins = 5000000", "more than 1000000 codes"),
        ("type = 'integer'\nrange = [0, 9]\nedges = [3, 2]", "ascend"),
        ("type = 'integer'\nrange = [0, 9]\nedges = [3, 3]", "ascend"),
        ("type = 'integer'\nrange = [0, 9]\nedges = [3, 12]", "outside"),
        ("type = 'integer'\nrange = [0, 9]\nedges = [3]\nbins = 2", "both"),
        ("type = 'integer'\nedges = [3]", "fewer than two"),
        ("type = 'integer'\nedges = []", "fewer than two"),
        ("type = 'integer'\nrange = [0, 2359]\nformat = 'hmm'\nspikes = [2400]", "outside"),
        ("type = 'number'\nrange = [0, 9]\ndecimals = 1\nspikes = [12.25]", "few decimals"),
        ("type = 'integer'\nrange = [0, 9]\nspikes = [1, 1]", "repeats"),
        ("type = 'integer'\nrange = [-5, 900]\nspacing = 'log'", "below zero"),
        (
            "type = 'integer'\nrange = [0, 9]\nspacing = 'odd'",
            "`spacing`: unknown variant `odd`, expected `even` or `log`",
        ),
        ("type = 'integer'\nrange = [0, 9]\nmissing = 'yes'", "true or false"),
        ("type = 'number'\nrange = [0, nan]", "finite"),
        ("type = 'number'\nrange = [-inf, 1]", "finite"),
        ("type = 'number'\nrange = [0, 1e301]", "1e300"),
        ("type = 'number'\nrange = [0, 1]\ndecimals = 16", "decimals"),
        ("type = 'number'\nrange = [0, 1]\ndecimals = -1", "decimals"),
        ("type = 'number'\nrange = [0, 1e15]\ndecimals = 5", "too wide"),
        ("type = 'number'\nedges = [0, 0.2, 0.4, 1]\ndecimals = 0", "decimals"),
        ("type = 'number'\nrange = [1, 1.0000000000000002]", "too narrow"),
        ("type = 'category'", "no `values`"),
        ("type = 'category'\nvalues = []", "without values"),
        ("type = 'category'\nvalues = 'a'", "a list"),
        ("type = 'category'\nvalues = [['a']]", "plain values"),
        ("type = 'category'\nvalues = ['a', 'a']", "twice"),
        ("type = 'category'\nvalues = [1, '1']", "twice"),
        ("type = 'category'\nvalues = ['', 'a']\nmissing = true", "told apart"),
        ("type = 'boolean'\nvalues = ['a']", "two words"),
        ("type = 'boolean'\nvalues = ['a', 'A']", "same"),
        ("type = 'boolean'\nvalues = ['yes', 'no']", "false first"),
        ("type = 'date'\nrange = ['2020-01-01', '2019-01-01']", "reversed"),
        ("type = 'date'\nrange = ['2020-02-30', '2021-01-01']", "not a date"),
        ("type = 'date'\nrange = ['2020-01-01', '2021-01-01']\nformat = '%Y'", "read back"),
        ("type = 'date'\nrange = ['1900-01-01', '2021-01-01']\nformat = '%d/%m/%y'", "four-digit"),
        ("type = 'id'\nmissing = true", "no meaning"),
    ] {
        let message = column_refusal(entry);
        assert!(message.contains(part) && message.contains("\"x\"") && !message.contains('\n'), "{entry}: {message}");
    }
    for (text, part) in [
        ("", "no columns"),
        ("columns = 3", "`columns`: invalid type: integer `3`, expected a table"),
        ("[columns]\nx = 3", "the entry: invalid type: integer `3`, expected a table"),
        ("decimal = ';'\n[columns.a]\ntype = 'id'", "`decimal`"),
        ("delimiter = 'ab'\n[columns.a]\ntype = 'id'", "`delimiter`"),
        ("delimiter = ','\ndecimal = ','\n[columns.a]\ntype = 'id'", "same mark"),
        ("[written]\nmissing = 'gone'\n[columns.a]\ntype = 'id'", "none of the `missing_tokens`"),
        ("[written]\nquotes = 'some'\n[columns.a]\ntype = 'id'", "`written.quotes`"),
        ("[written]\nform = 'csv'\n[columns.a]\ntype = 'id'", "written"),
        ("[columns.a]\ntype = 'id'\npattern = 'N'", "one run of #"),
        ("unlisted = 'maybe'\n[columns.a]\ntype = 'id'", "unlisted"),
        ("[columns.a\ntype = 'id'", "line 1"),
        ("{\"columns\": {\"a\": }}", "line 1"),
    ] {
        let message = refusal(text);
        assert!(message.contains(part) && !message.contains('\n'), "{text}: {message}");
    }
}

#[test]
fn edges_close_the_last_bin() {
    let labels = |entry: &str| {
        let schema = parse(&format!("[columns.x]\n{entry}")).unwrap();
        let codec = schema.codec(AttrId(0)).clone();
        (0..codec.size()).map(|code| codec.label(code)).collect::<Vec<_>>()
    };
    assert_eq!(labels("type = 'integer'\nedges = [0, 15, 65, 99]"), ["0-14", "15-64", "65-99"]);
    assert_eq!(labels("type = 'integer'\nrange = [0, 99]\nedges = [15, 65]"), ["0-14", "15-64", "65-99"]);
    assert_eq!(labels("type = 'integer'\nrange = [-9, 9]\nedges = [0]\nspikes = [9]"), ["-9 to -1", "0-8", "9"]);
    assert_eq!(labels("type = 'integer'\nrange = [1, 4]\nbins = 2\nspikes = [-1, 9]"), ["-1", "1-2", "3-4", "9"]);
    assert_eq!(labels("type = 'number'\nedges = [0, 0.5, 2]\nspikes = [0]"), ["0", "> 0 to 0.5", "0.5 to 2"]);
    assert_eq!(
        labels("type = 'date'\nedges = [2020-01-01, 2020-02-01, 2020-12-31]"),
        ["2020-01-01 to 2020-01-31", "2020-02-01 to 2020-12-31"]
    );
}

#[test]
fn log_spacing_gives_short_growing_edges() {
    let schema = parse("[columns.x]\ntype = 'integer'\nrange = [0, 100000]\nspacing = 'log'\nbins = 10").unwrap();
    let codec = schema.codec(AttrId(0));
    let labels: Vec<String> = (0..codec.size()).map(|code| codec.label(code)).collect();
    assert_eq!(labels[..4], ["0-1", "2-8", "9-30", "31-98"]);
    assert_eq!(labels.last().unwrap(), "32000-100000");
}

#[test]
fn forty_thousand_categories() {
    let values: Vec<String> = (0..40_000).map(|i| format!("\"municipality {i}\"")).collect();
    let schema =
        parse(&format!("[columns.x]\ntype = 'category'\nvalues = [{}]\nmissing = true", values.join(", "))).unwrap();
    assert_eq!(schema.domain().sizes(), [40_001]);
    assert_eq!(schema.codec(AttrId(0)).encode_text(b"municipality 39999"), 39_999);
    assert_eq!(parse(&schema.to_toml()).unwrap(), schema);
    assert_eq!(parse(&schema.to_json().to_string()).unwrap(), schema);
    assert_eq!(schema.warnings().len(), 1);
}

#[test]
fn a_file_may_say_that_quoted_fields_hold_line_ends() {
    let column = "[columns.a]\ntype = \"boolean\"\n";
    let schema = Schema::parse(&format!("multiline = true\nreview = [\"multiline\"]\n{column}"), "s").unwrap();
    assert!(schema.multiline());
    // A fact of the file waits for review as one of a column does.
    assert_eq!(schema.unreviewed().len(), 1);
    for text in [schema.to_toml(), schema.to_json().to_string()] {
        assert_eq!(Schema::parse(&text, "s").unwrap(), schema, "{text}");
    }
    let plain = Schema::parse(column, "s").unwrap();
    assert!(!plain.multiline() && !plain.to_toml().contains("multiline"));
    let error = Schema::parse(&format!("multiline = \"yes\"\n{column}"), "s").unwrap_err().to_string();
    assert!(error.contains("`multiline`") && error.contains("true or false"), "{error}");
}

#[test]
fn columns_without_bins_go_on_their_grid_and_stated_ones_stay() {
    let text = "[columns.price]\ntype = 'number'\nrange = [0, 20000.5]\ndecimals = 2\nspikes = [0, 19.99]\nmissing = true\n\
                [columns.age]\ntype = 'integer'\nrange = [0, 120]\n\
                [columns.income]\ntype = 'integer'\nrange = [-5000, 10000000]\n\
                [columns.levelled]\ntype = 'integer'\nrange = [0, 999999]\nlevels = [[15625]]\n\
                [columns.day]\ntype = 'date'\nrange = ['2013-01-01', '2013-12-31']\n\
                [columns.at]\ntype = 'datetime'\nrange = ['2013-01-01', '2013-12-31']\n\
                [columns.share]\ntype = 'number'\nrange = [0, 1]\n\
                [columns.stated]\ntype = 'number'\nrange = [0, 1]\nbins = 32\n\
                [columns.grown]\ntype = 'integer'\nrange = [0, 5000]\nspacing = 'log'\n\
                [columns.sex]\ntype = 'category'\nvalues = ['F', 'M']\n\
                [[impossible]]\nage = '< 15'\nlevelled = '> 15624'\n";
    let plain = Schema::parse(text, "test").unwrap();
    for most in [64, 4096, 262_144] {
        let fine = plain.on_grid(most).unwrap();
        let on_grid = |schema: &Schema, name: &str| schema.codec(schema.attribute(name).unwrap()).is_on_grid();
        for name in ["price", "age", "income", "day", "at", "share"] {
            assert!(on_grid(&fine, name) && !on_grid(&plain, name), "{name}");
        }
        for name in ["stated", "grown", "sex"] {
            assert!(!on_grid(&fine, name), "{name}");
            let attribute = plain.attribute(name).unwrap();
            assert_eq!(fine.codec(attribute), plain.codec(attribute), "{name}");
        }
        assert!(fine.domain().sizes().iter().all(|&size| size <= most + 1), "{:?}", fine.domain().sizes());
        // Both wordings, what a release carries, and another order of columns keep it.
        assert_eq!(Schema::parse(&fine.to_toml(), "test").unwrap(), fine);
        let back = Schema::parse(&fine.to_json().to_string(), "test").unwrap();
        assert!(back == fine && on_grid(&back, "price") && !on_grid(&back, "stated"));
        assert!(on_grid(&fine.released().unwrap(), "income"));
        assert_eq!(fine.on_grid(most).unwrap(), fine);
        assert_eq!(fine.binned().unwrap(), plain);
    }
    let fine = plain.on_grid(262_144).unwrap();
    let sizes: Vec<u32> =
        ["age", "day", "share"].map(|name| fine.domain().size(fine.attribute(name).unwrap())).to_vec();
    assert_eq!(sizes, [121, 365, 100_001]);
    let levelled = plain.attribute("levelled").unwrap();
    let kept = [64, 262_144].map(|most| plain.on_grid(most).unwrap().codec(levelled).is_on_grid());
    assert_eq!(kept, [false, true], "a level that begins inside a wide code keeps the bins");
    // A column that leaves its bins unsaid leaves them unsaid when written.
    let short = Schema::parse(&plain.to_toml(), "test").unwrap();
    assert_eq!(short.on_grid(262_144).unwrap(), fine);
    assert!(plain.on_grid(10).is_err() && Schema::parse(&format!("grid = 10\n{text}"), "test").is_err());
}

#[test]
fn a_grid_has_a_code_for_every_value_and_reads_back() {
    let text = "grid = 5000\n[columns.a]\ntype = 'number'\nrange = [-10, 1000]\ndecimals = 1\nspikes = [0, 500]\n";
    let schema = Schema::parse(text, "test").unwrap();
    let codec = schema.codec(crate::AttrId(0));
    for code in 0..codec.size() {
        for bits in [0, u64::MAX / 3, u64::MAX] {
            let mut text = Vec::new();
            codec.write_text(&codec.decode(code, bits), &mut text);
            assert_eq!(codec.encode_text(&text), code, "{}", String::from_utf8_lossy(&text));
        }
    }
    assert_eq!(codec.label(codec.encode_text(b"500")), "500", "a spike is alone");
    assert_eq!(codec.label(codec.encode_text(b"-0.3")), "-0.3");
}
