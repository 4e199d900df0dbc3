use super::*;
use crate::{Discovered, RowForm, Schema};
use proptest::strategy::Strategy;

fn reading(cell: &str) -> Reading {
    let place = CellReader::Readings.place(cell.as_bytes()).unwrap();
    READINGS[place as usize].clone()
}

#[test]
fn a_cell_has_one_reading() {
    let pattern = |pattern| DateWriting { pattern: Some(pattern), timed: false };
    let iso = |timed| DateWriting { pattern: None, timed };
    let word = |format: &str| DressWord::all().find(|word| word.format(None, false, b'.') == format).unwrap();
    let worn = |format, shape| Reading::Dressed(word(format), shape);
    let cases = [
        ("", Reading::Missing(String::new())),
        ("  ", Reading::Missing(String::new())),
        ("NA", Reading::Missing("NA".into())),
        ("?", Reading::Missing("?".into())),
        ("Yes", Reading::Truth(4, true)),
        ("f", Reading::Truth(8, false)),
        ("12", Reading::Integer),
        ("-3", Reading::Integer),
        ("007", Reading::Text),
        ("12345678", Reading::Integer),
        ("20190131", Reading::Date(pattern("%Y%m%d"))),
        ("3.5", Reading::Number(b'.', Some(1))),
        ("7.0", Reading::Number(b'.', Some(0))),
        ("3.50", Reading::Number(b'.', Some(1))),
        (".25", Reading::Number(b'.', Some(2))),
        ("0,125", Reading::Number(b',', Some(3))),
        ("1.123456789012", Reading::Number(b'.', Some(8))),
        ("1e-3", Reading::Number(b'.', None)),
        ("2019-01-31", Reading::Date(iso(false))),
        ("2019-01-31T10:00:00", Reading::Date(iso(true))),
        ("31/01/2019", Reading::Date(pattern("%d/%m/%Y"))),
        ("01/31/2019", Reading::Date(pattern("%m/%d/%Y"))),
        ("01/02/2019", Reading::EitherDate(pattern("%d/%m/%Y"))),
        ("inf", Reading::Text),
        ("hello", Reading::Text),
        ("1,000", Reading::Either(b',')),
        ("-1.234", Reading::Either(b'.')),
        ("0.125", Reading::Number(b'.', Some(3))),
        ("1234.125", Reading::Number(b'.', Some(3))),
        ("10:05", Reading::Time(TimeWriting { seconds: false, full: None })),
        ("9:05", Reading::Time(TimeWriting { seconds: false, full: Some(false) })),
        ("09:05:30", Reading::Time(TimeWriting { seconds: true, full: Some(true) })),
        ("36:05", Reading::Text),
        ("1,000,000", worn("#", NumberShape::Grouped(',', None))),
        ("1.234.567,5", worn("#", NumberShape::Grouped('.', Some((b',', 1))))),
        ("1 234,50", worn("#", NumberShape::Grouped(' ', Some((b',', 2))))),
        ("1\u{202f}234", worn("#", NumberShape::Grouped(' ', None))),
        ("1'234.5678", worn("#", NumberShape::Grouped('\'', Some((b'.', 3))))),
        ("(12.50)", worn("#", NumberShape::Brackets(Some((b'.', 2))))),
        ("($1,234)", worn("$#", NumberShape::Brackets(Some((b',', 3))))),
        ("$1,234.50", worn("$#", NumberShape::Grouped(',', Some((b'.', 2))))),
        ("-$5", worn("$#", NumberShape::Plain(None))),
        ("$-5", worn("$#", NumberShape::Plain(None))),
        ("14%", worn("#%", NumberShape::Plain(None))),
        ("14.5 %", worn("# %", NumberShape::Plain(Some((b'.', 1))))),
        ("12 km", worn("# km", NumberShape::Plain(None))),
        ("1,234 €", worn("# €", NumberShape::Plain(Some((b',', 3))))),
        ("1,23,456", Reading::Text),
        ("1,234,56", Reading::Text),
        ("1.234.567.89", Reading::Text),
        ("(-5)", Reading::Text),
        ("-$-5", Reading::Text),
        ("$007", Reading::Text),
        ("12 parsecs", Reading::Text),
        ("$5 km", Reading::Text),
        ("\u{fffd}", Reading::Text),
    ];
    for (cell, expected) in cases {
        assert_eq!(reading(cell), expected, "{cell:?}");
    }
    let undecodable = CellReader::Readings.place(b"Gen\xe8ve").unwrap();
    assert_eq!(READINGS[undecodable as usize], Reading::Undecodable);
    for (place, reading) in READINGS.iter().enumerate() {
        assert_eq!(READINGS.iter().position(|other| other == reading), Some(place), "{reading:?} stands once");
    }
}

/// A reader by the format that goes with a reading reads what the reading is of, and the format
/// writes it again.
#[test]
fn every_word_has_a_format_that_reads_and_writes_it() {
    for word in DressWord::all() {
        for (thousands, brackets, decimal) in [(None, false, b'.'), (Some(','), true, b'.'), (Some('.'), false, b',')] {
            let format = word.format(thousands, brackets, decimal);
            let text = format!("[columns.a]\ntype = 'integer'\nrange = [-4000, 4000]\nformat = \"{format}\"");
            let text = if decimal == b',' { format!("decimal = ','\n{text}") } else { text };
            let schema = Schema::parse(&text, "s").unwrap();
            let codec = schema.codec(crate::AttrId(0));
            for value in [-1234, -5, 0, 17, 3210] {
                let mut cell = Vec::new();
                codec.write_text(&crate::CellValue::Integer(value), &mut cell);
                assert_eq!(codec.raw_text(&cell), Some(value as f64), "{format}");
                let read = reading(std::str::from_utf8(&cell).unwrap());
                let is_own = match read {
                    Reading::Dressed(known, shape) => known == word && shape.goes_with(decimal),
                    Reading::Integer | Reading::Either(_) => word == DressWord::NONE,
                    _ => false,
                };
                assert!(is_own, "{format}: {read:?}");
                let edges = EdgeGrid::new(vec![-9999.0, value as f64, value as f64 + 1.0, 9999.0]).unwrap();
                let place = CellReader::Edges(NumberText::dressed(decimal, &format), edges).place(&cell);
                assert_eq!(place, Some(1), "{format}");
            }
        }
    }
}

#[test]
fn magnitudes_cover_every_number_in_order() {
    let mut last = Magnitude(0);
    for value in [
        f64::NEG_INFINITY,
        -1e300,
        -1e20,
        -5.0,
        -1.0,
        -0.999,
        -1e-9,
        -1e-30,
        0.0,
        1e-300,
        1e-8,
        0.99,
        1.0,
        1.19,
        2.0,
        7.0,
        1e6,
        1e18,
        1e21,
        1e300,
        f64::INFINITY,
    ] {
        let cell = Magnitude::of(value);
        assert!(cell.0 >= last.0 && cell.0 < MAGNITUDES, "{value}");
        let (low, high) = cell.bounds();
        if value.abs() < 1e20 && value.abs() > 1e-8 {
            assert!(low <= value && value <= high, "{value} in {low}..{high}");
            assert_eq!((high / low).max(low / high), 2.0, "{value}");
        }
        last = cell;
    }
    for cell in 1..MAGNITUDES - 1 {
        let (low, high) = Magnitude(cell).bounds();
        let middle = 0.5 * (low + high);
        assert_eq!(Magnitude::of(middle).0, cell);
        assert_eq!(Magnitude(cell + 1).bounds().0.max(high), Magnitude(cell + 1).bounds().0, "cells meet");
        if low > 0.0 {
            assert_eq!(Magnitude::of(low).0, cell, "a cell holds its lower edge");
        }
    }
}

#[test]
fn months_and_even_cells_hold_what_is_outside_at_their_ends() {
    let grid = MonthGrid { first_year: 2019, months: 1, cells: 24 };
    let at = |text: &str| CellReader::Months(DateText::new(None, false).unwrap(), grid).place(text.as_bytes());
    assert_eq!(
        [at("2019-01-31"), at("2020-12-01"), at("1066-10-14"), at("2300-01-01"), at("soon")],
        [Some(0), Some(23), Some(0), Some(23), None]
    );
    assert_eq!(grid.first_day(1) - grid.first_day(0), 31);
    let grid = EdgeGrid::new(vec![30.0, 10.0, 15.0, 20.0, 25.0, 15.0]).unwrap();
    let at = |text: &str| CellReader::Edges(NumberText::plain(b'.'), grid.clone()).place(text.as_bytes());
    assert_eq!([at("9"), at("10"), at("29.9"), at("1e9"), at("x")], [Some(0), Some(0), Some(3), Some(3), None]);
}

#[test]
fn long_values_are_cut_at_a_character_and_coded_by_the_cut() {
    let long = "\u{e4}".repeat(200);
    let cut = as_value(long.as_bytes());
    assert_eq!((cut.len(), std::str::from_utf8(cut).is_ok()), (256, true));
    let odd = format!("x{long}");
    assert_eq!(as_value(odd.as_bytes()).len(), 255);
    let value = String::from_utf8(cut.to_vec()).unwrap();
    let found = (FoundColumn::Category(vec![value]), Discovered::default());
    let header = ["c".to_owned()];
    let schema = OpenSchema::nothing().filled(&header, &[Some(found)], &FoundText::default()).unwrap();
    let codec = schema.codec(schema.attribute("c").unwrap());
    assert_eq!(codec.encode_text(long.as_bytes()), 0);
    assert_eq!(codec.encode_text(b"short"), 1);
    assert_eq!(codec.encode_text(b""), 2);
}

#[test]
fn wishes_follow_from_the_file_and_the_header() {
    let text = "unlisted = 'discover'\n[columns.age]\ntype = 'integer'\nrange = 'discover'\n\
                [columns.job]\ntype = 'category'\nvalues = 'discover'\n[columns.sex]\ntype = 'category'\nvalues = ['F', 'M']\n\
                [columns.born]\ntype = 'date'\nrange = 'discover'\nformat = '%d.%m.%Y'\n[columns.note]\ntype = 'ignore'\n\
                [columns.kind]\ntype = 'discover'\n";
    let open = OpenSchema::parse(text, "s.toml").unwrap();
    assert!(open.is_open() && open.closed().is_err());
    let header: Vec<String> = ["kind", "note", "born", "sex", "job", "age", "new"].map(str::to_owned).to_vec();
    let dates = Wish::Dates(Some("%d.%m.%Y".into()), false);
    let expected = [Wish::Type, Wish::Nothing, dates, Wish::Nothing, Wish::Values, Wish::Integers, Wish::Type];
    assert_eq!(open.wishes(&header).unwrap(), expected);
    assert!(open.wishes(&header[..3]).is_err(), "a listed column is missing");
    let plain = OpenSchema::parse("[columns.a]\ntype = 'integer'\nrange = [0, 3]\n", "s.toml").unwrap();
    assert!(!plain.is_open());
    assert_eq!(plain.closed().unwrap().domain().sizes(), [4]);
}

#[test]
fn what_was_found_is_a_schema_that_says_so() {
    let header: Vec<String> = ["a", "b", "c", "d", "e", "f", "g", "h", "i"].map(str::to_owned).to_vec();
    let facts = Discovered { facts: vec!["type".into(), "range".into()], noise: 61.5, threshold: None };
    let found = [
        FoundColumn::Integer(0, 120, None, vec![0, 999]),
        FoundColumn::Integer(0, 2359, Some("hmm,0".into()), vec![]),
        FoundColumn::Number(-1.5, 2e6, Some(2), Some("#,0".into()), vec![-9.0, 0.0]),
        FoundColumn::Number(0.0, 5000.0, Some(2), Some("$#.###".into()), vec![]),
        FoundColumn::Time("h:mm:ss".into()),
        FoundColumn::Boolean(["No".into(), "Yes".into()]),
        FoundColumn::Date(Some("%d/%m/%Y".into()), 17_897, 18_261),
        FoundColumn::DateTime(None, 17_897, 18_261),
        FoundColumn::Category(vec!["x".into(), "other".into()]),
    ];
    let found: Vec<_> = found.into_iter().map(|found| Some((found, facts.clone()))).collect();
    let text = FoundText { missing_words: vec!["?".into()], comma: true, usual_missing: Some("?".into()) };
    let schema = OpenSchema::nothing().filled(&header, &found, &text).unwrap();
    let back = Schema::parse(&schema.to_toml(), "s.toml").unwrap();
    assert_eq!(back, schema);
    assert!(schema.columns().iter().all(|column| column.discovered == Some(facts.clone())));
    assert!(schema.columns().iter().all(|column| column.codec().unwrap().missing_code().is_some()));
    assert_eq!(schema.text_rules().decimal, b',');
    assert!(schema.text_rules().missing_tokens.contains(&"?".to_owned()));
    assert_eq!(schema.row_form().missing, "?", "missing cells are written as the table has them");
    assert_eq!(schema.clone().written_like(RowForm { delimiter: b';', ..RowForm::default() }).row_form().missing, "?");
    assert!(schema.released().unwrap().columns().iter().all(|column| column.discovered.is_some()), "it is public");
}

/// A range that is to be found is in order with any other, until it is known; and where what was
/// found leaves nothing in order, there is a schema all the same.
#[test]
fn ranges_that_are_found_may_be_in_order() {
    let text = "in_order = [['a', 'b']]\n[columns.a]\ntype = 'date'\nrange = 'discover'\n\
                [columns.b]\ntype = 'date'\nrange = ['1983-01-01', '1991-12-31']\n";
    let open = OpenSchema::parse(text, "s.toml").unwrap();
    let header = ["a", "b"].map(str::to_owned);
    let filled = |first: i64, last: i64| {
        let found = Some((FoundColumn::Date(None, first, last), Discovered::default()));
        open.filled(&header, &[found, None], &FoundText::default()).unwrap()
    };
    assert_eq!(filled(4000, 6000).in_order().len(), 1);
    assert_eq!(filled(17_000, 18_000).in_order().len(), 0);
}

/// A column that comes after one whose range is found has its own range from it; where its form
/// cannot hold that, it is written plainly.
#[test]
fn a_range_that_is_found_is_counted_from() {
    let text = "[columns.a]\ntype = 'date'\nrange = 'discover'\n\
                [columns.b]\ntype = 'date'\nafter = 'a'\nwithin = 30\nmissing = true\nformat = '%d/%m/%y'\n";
    let open = OpenSchema::parse(text, "s.toml").unwrap();
    let header = ["a", "b"].map(str::to_owned);
    assert_eq!(open.wishes(&header).unwrap(), [Wish::Dates(None, false), Wish::Nothing]);
    let filled = |first: i64, last: i64| {
        let found = Some((FoundColumn::Date(None, first, last), Discovered::default()));
        let schema = open.filled(&header, &[found, None], &FoundText::default()).unwrap();
        let own = schema.written_codec(schema.attribute("b").unwrap()).kind().clone();
        let crate::CodecKind::Date(axis, format) = own else { panic!("it is a date") };
        (axis.low(), axis.high(), format.pattern_text().is_some())
    };
    assert_eq!(filled(4000, 6000), (4000, 6030, true));
    assert_eq!(filled(-80_000, 18_000), (-80_000, 18_030, false));
    for other in ["type = 'discover'", "type = 'integer'\nrange = 'discover'"] {
        let text = format!("[columns.a]\n{other}\n[columns.b]\ntype = 'integer'\nafter = 'a'\nwithin = 30\n");
        let error = OpenSchema::parse(&text, "s.toml").unwrap_err().to_string();
        assert!(error.contains("that is to be discovered"), "{error}");
    }
}

#[test]
fn keys_that_need_what_is_open_are_refused() {
    let refused = |text: &str, words: &str| {
        let error = OpenSchema::parse(text, "s.toml").unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    refused("[columns.a]\ntype = 'integer'\nrange = 'discover'\nbins = 4\n", "needs a range");
    refused("[columns.a]\ntype = 'boolean'\nvalues = 'discover'\n", "cannot be discovered");
    refused("[columns.a]\ntype = 'integer'\nrange = 'find'\n", "discover");
    refused("[columns.a]\ntype = 'discover'\nrange = [0, 1]\n", "no meaning");
    refused("[columns.a]\ntype = 'integer'\nrange = 'discover'\n[[impossible]]\na = '< 3'\n", "impossible");
    let error = Schema::parse("[columns.a]\ntype = 'discover'\n", "s.toml").unwrap_err().to_string();
    assert!(error.contains("to be discovered"), "{error}");
}

proptest::proptest! {
    /// Whatever a cell holds, it has at most one place, and that is one of the list: so one record
    /// changes one count by one, and no cell stops a run.
    #[test]
    fn any_cell_has_a_place_of_the_list_or_none(
        cell in proptest::prop_oneof![
            proptest::collection::vec(proptest::num::u8::ANY, 0..40),
            proptest::num::f64::ANY.prop_map(|value| format!("{value:e}").into_bytes()),
            "[-+0-9.,eE/: ]{0,20}".prop_map(String::into_bytes),
            "[-(]{0,1}[$€]{0,1}[-]{0,1}[0-9]{1,3}[,.' ]{0,1}[0-9]{0,3}[,.]{0,1}[0-9]{0,3}( |)(%|km|€|)[)]{0,1}"
                .prop_map(String::into_bytes),
        ]
    ) {
        let grid = EdgeGrid::new(vec![-1.0, 0.0, 2.5, 1e9]).unwrap();
        let months = MonthGrid { first_year: 2019, months: 1, cells: 24 };
        let mut readers = vec![CellReader::Readings];
        for (mark, format) in [(b'.', ""), (b',', ""), (b'.', "($#,###)"), (b',', "#.### €"), (b'.', "hh:mm:ss")] {
            let text = if format.is_empty() { NumberText::plain(mark) } else { NumberText::dressed(mark, format) };
            readers.extend([CellReader::Magnitudes(text.clone()), CellReader::Clock(text.clone())]);
            readers.push(CellReader::Edges(text, grid.clone()));
        }
        for writing in date_patterns() {
            let text = DateText::new(writing.pattern, writing.timed).unwrap();
            readers.extend([MonthGrid::YEARS, months].map(|grid| CellReader::Months(text.clone(), grid)));
        }
        for reader in readers {
            proptest::prop_assert!(reader.place(&cell).is_none_or(|place| place < reader.cells()), "{:?}", reader);
        }
    }
}

/// Exact, on all tables of up to two of these cells: one record more changes the counts by 1 (L1
/// and L2), another record in its place by at most 2 (L1) and by 2 in squares (L2).
#[test]
fn one_record_changes_counts_of_readings_by_no_more_than_a_marginal() {
    let cells = [
        "",
        "12",
        "1,234",
        "1.234",
        "$1,234.50",
        "($5)",
        "14%",
        "12 km",
        "10:05",
        "9:05:30",
        "9999",
        "-1",
        "yes",
        "2020-01-31",
        "x",
        "1,234,567",
        "0",
    ];
    let cells: Vec<&[u8]> = cells.iter().map(|cell| cell.as_bytes()).chain([&b"Gen\xe8ve"[..]]).collect();
    let text = || NumberText::dressed(b'.', "($#,###)");
    let grid = EdgeGrid::new(vec![-2e15, -1.0, 0.0, 1.0, 1234.0, 9999.0, 10_000.0, 2e15]).unwrap();
    let readers = [CellReader::Readings, CellReader::Magnitudes(text()), CellReader::Edges(text(), grid)];
    for reader in readers {
        let counts = |table: &[&[u8]]| {
            let mut counts = vec![0i64; reader.cells() as usize];
            table.iter().filter_map(|cell| reader.place(cell)).for_each(|place| counts[place as usize] += 1);
            counts
        };
        let change = |one: &[i64], two: &[i64]| {
            let changes = one.iter().zip(two).map(|(one, two)| (one - two).abs());
            changes.fold((0, 0), |(l1, l2), change| (l1 + change, l2 + change * change))
        };
        let (mut added, mut replaced) = ((0, 0), (0, 0));
        let larger = |one: (i64, i64), two: (i64, i64)| (one.0.max(two.0), one.1.max(two.1));
        for &first in &cells {
            let alone = counts(&[first]);
            added = larger(added, change(&alone, &counts(&[])));
            for &second in &cells {
                added = larger(added, change(&alone, &counts(&[first, second])));
                for &third in &cells {
                    let replacement = change(&counts(&[first, second]), &counts(&[first, third]));
                    replaced = larger(replaced, replacement);
                }
            }
        }
        assert_eq!((added, replaced), ((1, 1), (2, 2)), "{}", reader.name());
    }
}
