//! Tests of the codecs together.

use crate::codec::TypedCell;
use crate::codec::rule::RuleForm;
use crate::{AttrId, CellValue, Codec, OpenSchema, Schema};

/// The codec of a schema with the single column `x`.
fn codec(entry: &str) -> Codec {
    codec_with("", entry)
}

fn codec_with(top: &str, entry: &str) -> Codec {
    let schema = Schema::parse(&format!("{top}\n[columns.x]\n{entry}"), "test")
        .unwrap_or_else(|error| panic!("{entry}: {error}"));
    schema.codec(AttrId(0)).clone()
}

fn text_of(codec: &Codec, code: u32, bits: u64) -> String {
    let mut out = Vec::new();
    codec.write_text(&codec.decode(code, bits), &mut out);
    String::from_utf8(out).unwrap()
}

/// One entry of every kind, with and without the extras.
const ENTRIES: &[&str] = &[
    "type = 'integer'\nrange = [0, 99]",
    "type = 'integer'\nrange = [-500, 100000]\nmissing = true",
    "type = 'integer'\nrange = [0, 250000]\nspacing = 'log'\nspikes = [0, 500]",
    "type = 'integer'\nedges = [0, 15, 65, 120]",
    "type = 'integer'\nrange = [-9223372036854775808, 9223372036854775807]\nbins = 7",
    "type = 'number'\nrange = [0, 1]",
    "type = 'number'\nrange = [-3.5, 1e6]\ndecimals = 2\nbins = 100\nmissing = true",
    "type = 'number'\nrange = [0, 5000]\nspacing = 'log'\nspikes = [0]",
    "type = 'number'\nrange = [-1e300, 1e300]",
    "type = 'number'\nrange = [0, 1e-12]\nbins = 10",
    "type = 'number'\nrange = [2.5, 2.5]",
    "type = 'number'\nedges = [0, 0.1, 0.25, 7]",
    "type = 'category'\nvalues = ['a', ' b', 'NA', 'ü\"x']\nother = 'elsewhere'",
    "type = 'category'\nvalues = ['a', 'b', 'Other']\nother = 'Other'\nmissing = true",
    "type = 'category'\nvalues = [1, 2.5, true]",
    "type = 'boolean'\nmissing = true",
    "type = 'boolean'\nvalues = ['M', 'F']",
    "type = 'date'\nrange = ['2020-01-01', '2020-02-29']",
    "type = 'date'\nrange = ['1900-01-01', '2024-12-31']\nformat = '%d/%m/%Y'\nmissing = true",
    "type = 'date'\nrange = [1990-01-01, 2024-12-31]\nformat = '%d %b %y'\nbins = 12",
    "type = 'datetime'\nrange = ['2020-01-01', '2020-12-31T23:59:59']\nmissing = true",
    "type = 'datetime'\nrange = ['2020-01-01', '2020-01-02']\nformat = '%d.%m.%Y %H:%M'",
];

#[test]
fn every_decoded_cell_encodes_back_to_its_code() {
    for entry in ENTRIES {
        let codec = codec(entry);
        let places = (0..64u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).chain([0, u64::MAX, 1 << 63]);
        for bits in places {
            for code in 0..codec.size() {
                let value = codec.decode(code, bits);
                let mut text = Vec::new();
                codec.write_text(&value, &mut text);
                assert_eq!(codec.encode_text(&text), code, "{entry}: {:?} as text", value);
                let typed = match value {
                    CellValue::Missing => codec.encode_missing(),
                    CellValue::Integer(value) => codec.encode(TypedCell::Integer(value)),
                    CellValue::Number(value) => codec.encode(TypedCell::Number(value)),
                    CellValue::Text(word) => codec.encode_text(word.as_bytes()),
                    CellValue::Date(days) => codec.encode(TypedCell::Date(days.into())),
                    CellValue::DateTime(seconds) => codec.encode(TypedCell::DateTime(seconds)),
                };
                assert_eq!(typed, code, "{entry}: {:?} typed", codec.decode(code, bits));
            }
        }
    }
}

#[test]
fn labels_are_distinct_and_codes_have_the_documented_order() {
    for entry in ENTRIES {
        let codec = codec(entry);
        let labels: Vec<String> = (0..codec.size()).map(|code| codec.label(code)).collect();
        let distinct: std::collections::HashSet<&String> = labels.iter().collect();
        assert_eq!(distinct.len(), labels.len(), "{entry}: {labels:?}");
        assert_eq!(codec.missing_code().map(|code| code + 1), entry.contains("missing = true").then(|| codec.size()));
    }
    let codec = codec("type = 'category'\nvalues = ['a', 'b']\nother = 'rest'\nmissing = true");
    let labels: Vec<String> = (0..codec.size()).map(|code| codec.label(code)).collect();
    assert_eq!(labels, ["a", "b", "rest", "(missing)"]);
}

#[test]
fn labels_are_for_people() {
    let labels = |entry: &str| {
        let codec = codec(entry);
        (0..codec.size()).map(|code| codec.label(code)).collect::<Vec<_>>()
    };
    assert_eq!(labels("type = 'integer'\nrange = [-2, 5]\nbins = 2"), ["-2 to 1", "2-5"]);
    assert_eq!(labels("type = 'number'\nrange = [0, 0.3]\nbins = 3"), ["0 to 0.1", "0.1 to 0.2", "0.2 to 0.3"]);
    assert_eq!(
        labels("type = 'number'\nrange = [0, 2]\nbins = 2\nspikes = [0, 1.5]"),
        ["0", "> 0 to 1", "1 to 1.5", "1.5", "> 1.5 to 2"]
    );
    assert_eq!(labels("type = 'number'\nrange = [0, 1e-30]\nbins = 2"), ["0 to 5e-31", "5e-31 to 1e-30"]);
    let times = labels("type = 'datetime'\nrange = ['2020-01-01', '2020-01-01T00:01:59']\nbins = 2");
    assert_eq!(times[0], "2020-01-01T00:00:00 to 2020-01-01T00:00:59");
}

#[test]
fn default_bins() {
    assert_eq!(codec("type = 'integer'\nrange = [0, 127]").size(), 128);
    assert_eq!(codec("type = 'integer'\nrange = [0, 128]").size(), 64);
    assert_eq!(codec("type = 'integer'\nrange = [0, 5]\nbins = 100").size(), 6);
    assert_eq!(codec("type = 'number'\nrange = [0, 128]").size(), 32);
    assert_eq!(codec("type = 'date'\nrange = ['2024-01-01', '2024-01-31']").size(), 31);
    assert_eq!(codec("type = 'date'\nrange = ['1924-01-01', '2024-01-31']").size(), 64);
    assert_eq!(codec("type = 'datetime'\nrange = ['2024-01-01', '2024-01-31']").size(), 64);
}

#[test]
fn integers_outside_are_clamped_and_bad_cells_have_a_place() {
    let plain = codec("type = 'integer'\nrange = [10, 19]");
    let with_missing = codec("type = 'integer'\nrange = [10, 19]\nmissing = true");
    let huge = "9".repeat(40);
    for (cell, code) in [
        ("10", 0),
        (" 12 ", 2),
        ("+13", 3),
        ("13.0", 3),
        ("13.9", 3),
        ("1e1", 0),
        ("1e99", 9),
        ("-5", 0),
        ("inf", 9),
        ("-inf", 0),
        (huge.as_str(), 9),
        ("1e-400", 0),
    ] {
        assert_eq!(plain.encode_text(cell.as_bytes()), code, "{cell}");
        assert_eq!(with_missing.encode_text(cell.as_bytes()), code, "{cell}");
    }
    for cell in ["", "NA", "nan", "NaN", "null", "abc", "1,000", "12 13", "0x0f"] {
        assert_eq!(plain.encode_text(cell.as_bytes()), 0, "{cell}");
        assert_eq!(with_missing.encode_text(cell.as_bytes()), 10, "{cell}");
    }
    assert_eq!(with_missing.encode_text(b"\xff\xfe"), 10);
    assert_eq!((plain.encode(TypedCell::Integer(i64::MAX)), plain.encode(TypedCell::Integer(i64::MIN))), (9, 0));
    assert_eq!(
        (plain.encode(TypedCell::Number(f64::INFINITY)), with_missing.encode(TypedCell::Number(f64::NAN))),
        (9, 10)
    );
    assert_eq!(
        (with_missing.encode(TypedCell::Date(0)), with_missing.encode_missing(), plain.encode_missing()),
        (10, 10, 0)
    );
}

#[test]
fn tokens_outside_the_range_are_missing_and_inside_it_they_are_values() {
    let top = "missing_tokens = ['-', '9999', '12']";
    let codec = codec_with(top, "type = 'integer'\nrange = [0, 99]\nmissing = true");
    for cell in ["-", " - ", "9999", "9999.0", ""] {
        assert_eq!(codec.encode_text(cell.as_bytes()), 100, "{cell}");
    }
    assert_eq!(codec.encode(TypedCell::Integer(9999)), 100);
    assert_eq!(codec.encode(TypedCell::Number(9999.0)), 100);
    assert_eq!(codec.encode_text(b"12"), 12);
    assert_eq!(codec.encode_text(b"9998"), 99);
    let number = codec_with(top, "type = 'number'\nrange = [0, 1]\nmissing = true");
    assert_eq!((number.encode_text(b"12"), number.encode_text(b"13")), (32, 31));
    let date = codec_with(
        "missing_tokens = ['9999-12-31']",
        "type = 'date'\nrange = ['2020-01-01', '2020-01-02']\nmissing = true",
    );
    assert_eq!((date.encode_text(b"9999-12-31"), date.encode_text(b"9999-12-30")), (2, 1));
}

#[test]
fn categories_match_exactly_then_trimmed_and_win_over_tokens() {
    let codec = codec("type = 'category'\nvalues = ['NA', 'a', ' a']\nother = 'rest'\nmissing = true");
    for (cell, code) in
        [("NA", 0), ("a", 1), (" a", 2), ("a ", 1), ("rest", 3), ("zzz", 3), ("A", 3), ("", 4), ("N/A", 4), (" ", 4)]
    {
        assert_eq!(codec.encode_text(cell.as_bytes()), code, "{cell:?}");
    }
    let no_missing = self::codec("type = 'category'\nvalues = ['a', 'b']\nother = 'b'");
    assert_eq!((no_missing.size(), no_missing.encode_text(b""), no_missing.encode_text(b"x")), (2, 1, 1));
    let bare = self::codec("type = 'category'\nvalues = ['a', 'b']");
    assert_eq!((bare.encode_text(b""), bare.encode_text(b"x"), bare.encode_missing()), (0, 0, 0));
    let numbers = self::codec("type = 'category'\nvalues = [3, 1.5, 'True']\nother = 'x'");
    assert_eq!(
        (
            numbers.encode(TypedCell::Integer(3)),
            numbers.encode(TypedCell::Number(3.0)),
            numbers.encode(TypedCell::Number(1.5))
        ),
        (0, 0, 1)
    );
    assert_eq!((numbers.encode(TypedCell::Boolean(true)), numbers.encode(TypedCell::Boolean(false))), (2, 3));
}

/// pandas writes `True` where a code book has `true`; another engine's rule knows it too.
#[test]
fn a_category_knows_the_spellings_of_its_truth_values() {
    let listed = codec("type = 'category'\nvalues = ['false', 'true']\nmissing = true");
    let cells = ["False", "FALSE", "True", "TRUE", " True ", "tRUE", "1", "yes"];
    assert_eq!(cells.map(|cell| listed.encode_text(cell.as_bytes())), [0, 0, 1, 1, 1, 2, 2, 2]);
    let RuleForm::Words { words, .. } = listed.rule().form else { panic!("no words") };
    assert!(words.contains(&("TRUE".to_owned(), 1)));
    let both = codec("type = 'category'\nvalues = ['True', 'other', 'true']\nother = 'other'");
    let cells = ["True", "true", "TRUE", "False", "false"];
    assert_eq!(cells.map(|cell| both.encode_text(cell.as_bytes())), [0, 2, 2, 1, 1], "listed ones are their own");
    let token = codec_with("missing_tokens = ['TRUE']", "type = 'category'\nvalues = ['true']\nmissing = true");
    assert_eq!((token.encode_text(b"TRUE"), token.encode_text(b"True")), (1, 0));
}

#[test]
fn booleans_in_their_own_words_and_the_usual_ones() {
    let codec = codec("type = 'boolean'\nvalues = ['Nein', 'Ja']\nmissing = true");
    for (cell, code) in [
        ("Ja", 1),
        ("ja", 1),
        (" NEIN ", 0),
        ("true", 1),
        ("F", 0),
        ("Yes", 1),
        ("n", 0),
        ("0", 0),
        ("1", 1),
        ("NA", 2),
        ("maybe", 2),
        ("", 2),
    ] {
        assert_eq!(codec.encode_text(cell.as_bytes()), code, "{cell:?}");
    }
    assert_eq!(codec.encode_text("y".repeat(500).as_bytes()), 2);
    assert_eq!(
        (
            codec.encode(TypedCell::Boolean(true)),
            codec.encode(TypedCell::Integer(1)),
            codec.encode(TypedCell::Number(0.0))
        ),
        (1, 1, 0)
    );
    assert_eq!(text_of(&codec, 1, 0), "Ja");
    assert_eq!(text_of(&self::codec("type = 'boolean'"), 0, 0), "false");
}

#[test]
fn decimal_comma_both_ways() {
    let codec = codec_with("decimal = ','", "type = 'number'\nrange = [0, 10]\ndecimals = 1\nbins = 10");
    assert_eq!(codec.encode_text(b"4,5"), codec.encode(TypedCell::Number(4.5)));
    assert!(text_of(&codec, 3, 1 << 62).contains(','));
}

#[test]
fn dates_and_moments_cross_over() {
    let date = codec("type = 'date'\nrange = ['2020-01-01', '2020-01-10']\nmissing = true");
    let day = 18_262 + 3;
    assert_eq!(date.encode(TypedCell::Date(day)), 3);
    assert_eq!(date.encode(TypedCell::DateTime(day * 86_400 + 5)), 3);
    assert_eq!(date.encode_text(b"2020-01-04 10:00"), 3);
    assert_eq!((date.encode_text(b"1066-10-14"), date.encode_text(b"31/01/2020")), (0, 10));
    assert_eq!(
        (
            date.encode(TypedCell::Date(i64::MAX)),
            date.encode(TypedCell::DateTime(i64::MIN)),
            date.encode(TypedCell::Integer(7))
        ),
        (9, 0, 10)
    );
    let compact = codec("type = 'date'\nrange = ['2020-01-01', '2020-01-10']\nformat = '%Y%m%d'");
    assert_eq!(compact.encode(TypedCell::Integer(20_200_104)), 3);
    let moment = codec("type = 'datetime'\nrange = ['2020-01-01', '2020-01-10']\nbins = 9");
    assert_eq!(moment.encode(TypedCell::Date(day)), moment.encode_text(b"2020-01-04"));
}

#[test]
fn decoding_is_uniform_inside_a_bin() {
    // 4,000 evenly placed bits over a bin of ten values: each value 400 times, exactly.
    let codec = codec("type = 'integer'\nedges = [0, 10, 20]");
    let mut seen = [0u32; 10];
    for i in 0..4000u64 {
        if let CellValue::Integer(value) = codec.decode(0, (u64::MAX / 4000 + 1) * i) {
            seen[value as usize] += 1;
        }
    }
    assert_eq!(seen, [400; 10]);
}

#[test]
fn a_code_that_is_not_there_decodes_to_missing() {
    for entry in ENTRIES {
        let codec = codec(entry);
        assert_eq!(codec.decode(codec.size(), 7), CellValue::Missing);
        assert_eq!(codec.decode(u32::MAX, 7), CellValue::Missing);
    }
}

proptest::proptest! {
    #[test]
    fn any_cell_has_a_code(cell in proptest::collection::vec(proptest::num::u8::ANY, 0..30), index in 0..ENTRIES.len()) {
        let codec = codec(ENTRIES[index]);
        proptest::prop_assert!(codec.encode_text(&cell) < codec.size());
    }

    #[test]
    fn any_number_has_a_code(cell in "[-+]?[0-9]{0,25}[.,]?[0-9]{0,25}(e[-+]?[0-9]{1,6})?", value: f64, whole: i64, index in 0..ENTRIES.len()) {
        let codec = codec(ENTRIES[index]);
        let codes = [
            codec.encode_text(cell.as_bytes()), codec.encode(TypedCell::Number(value)), codec.encode(TypedCell::Integer(whole)),
            codec.encode(TypedCell::Date(whole)), codec.encode(TypedCell::DateTime(whole)), codec.encode(TypedCell::Boolean(whole > 0)),
        ];
        proptest::prop_assert!(codes.iter().all(|&code| code < codec.size()));
    }
}

#[test]
fn groups_of_codes_are_told_as_ranges() {
    let text = "[columns.price]\ntype = 'number'\nrange = [-1, 20]\ndecimals = 1\nmissing = true\n\
                [columns.age]\ntype = 'integer'\nrange = [0, 99]\n";
    let schema = crate::Schema::parse(text, "test").unwrap().on_grid(1024).unwrap();
    let labels = |column: u32, group: fn(u32) -> u32| {
        let codec = schema.codec(crate::AttrId(column));
        codec.labels(&crate::Grouping::new((0..codec.size()).map(group).collect()).unwrap())
    };
    assert_eq!(labels(0, |code| (code / 100).min(2) + code / 211), ["-1 to 8.9", "9 to 18.9", "19 to 20", "(missing)"]);
    assert_eq!(labels(1, |code| u32::from((20..30).contains(&code))), ["0-19, 30-99", "20-29"]);
}

/// Numbers in their dress are coded as plain ones, and written in their dress again.
#[test]
fn dressed_numbers_have_the_codes_of_plain_ones() {
    let text = |format: &str| {
        format!(
            "[columns.a]\ntype = 'number'\nrange = [-5000, 5000]\nbins = 40\ndecimals = 2\nmissing = true\n{format}"
        )
    };
    let plain = Schema::parse(&text(""), "test").unwrap();
    let dressed = Schema::parse(&text("format = '($#,###)'"), "test").unwrap();
    let (plain, codec) = (plain.codec(AttrId(0)), dressed.codec(AttrId(0)));
    for (cell, number) in [("$1,234.50", "1234.5"), ("($4,999.00)", "-4999"), ("17", "17"), ("", ""), ("$1,2", "x")] {
        assert_eq!(codec.encode_text(cell.as_bytes()), plain.encode_text(number.as_bytes()), "{cell}");
        assert_eq!(codec.raw_text(cell.as_bytes()), plain.raw_text(number.as_bytes()), "{cell}");
    }
    for code in 0..codec.size() {
        let mut cell = Vec::new();
        codec.write_text(&codec.decode(code, u64::MAX / 3), &mut cell);
        assert_eq!(codec.encode_text(&cell), code);
        assert!(cell.is_empty() || cell.contains(&b'$'));
    }
    assert_eq!(Schema::parse(&dressed.to_toml(), "again").unwrap(), dressed);
    assert_eq!(Schema::parse(&dressed.to_json().to_string(), "again").unwrap(), dressed);
    assert_ne!(codec.kind_name(), "");
}

/// Clock numbers in bins, on their grid, and in files.
#[test]
fn clock_numbers_are_those_of_a_clock() {
    for column in ["", "bins = 10", "edges = [0, 559, 1200, 2359]", "range = [0, 2400]\nspikes = [0]"] {
        let text = format!("[columns.a]\ntype = 'integer'\nformat = 'hmm'\nmissing = true\n{column}");
        let schema = Schema::parse(&text, "test").unwrap();
        for schema in [schema.clone(), schema.on_grid(4096).unwrap(), schema.released().unwrap()] {
            let codec = schema.codec(AttrId(0));
            for code in 0..codec.present() {
                for bits in [0, u64::MAX / 7, u64::MAX / 2, u64::MAX] {
                    let CellValue::Integer(value) = codec.decode(code, bits) else { panic!("no integer") };
                    assert!(value % 100 < 60 && (0..=2400).contains(&value), "{column}: {value}");
                    assert_eq!(codec.encode(TypedCell::Integer(value)), code, "{column}: {value}");
                }
            }
            assert_eq!(codec.encode_text(b"1275"), codec.encode_text(b"1259"));
            assert_eq!(Schema::parse(&schema.to_json().to_string(), "again").unwrap(), schema);
        }
    }
    for column in ["", "bins = 10", "edges = [0, 55930, 120000, 235959]", "range = [90000, 180000]"] {
        let text = format!("[columns.a]\ntype = 'integer'\nformat = 'hh:mm:ss'\nmissing = true\n{column}");
        let schema = Schema::parse(&text, "test").unwrap();
        for schema in [schema.clone(), schema.on_grid(4096).unwrap(), schema.released().unwrap()] {
            let codec = schema.codec(AttrId(0));
            assert!(codec.size() <= 4097);
            for code in 0..codec.present() {
                for bits in [0, u64::MAX / 7, u64::MAX] {
                    let value = codec.decode(code, bits);
                    let mut cell = Vec::new();
                    codec.write_text(&value, &mut cell);
                    assert_eq!((cell.len(), cell[2], cell[5]), (8, b':', b':'), "{column}: {value:?}");
                    assert_eq!(codec.encode_text(&cell), code, "{column}: {value:?}");
                }
            }
            assert_eq!(codec.encode_text(b"10:75"), codec.encode_missing());
            assert_eq!(Schema::parse(&schema.to_json().to_string(), "again").unwrap(), schema);
        }
    }
    for bad in ["range = [0, 1275]", "range = [-5, 100]", "range = 'discover'", "spacing = 'log'", "range = [0, 2401]"]
    {
        let text = format!("[columns.a]\ntype = 'integer'\nformat = 'hmm'\n{bad}");
        assert!(Schema::parse(&text, "test").is_err() && OpenSchema::parse(&text, "test").is_err(), "{bad}");
    }
    assert!(Schema::parse("[columns.a]\ntype = 'number'\nrange = [0, 1]\nformat = 'hmm'", "test").is_err());
}
