//! Tests of formulas.

use super::{FormulaKind, FormulaValue};
use crate::{AttrId, CellValue, Formula, Role, Schema};

const COLUMNS: &str = r#"
[columns.pieces]
type = "integer"
range = [0, 100]
missing = true

[columns.price]
type = "number"
range = [0, 50]
decimals = 2

[columns.town]
type = "category"
values = ["York", "Ely"]
missing = true

[columns."born on"]
type = "date"
range = [1900-01-01, 2030-12-31]
format = "%d/%m/%Y"

[columns.died]
type = "date"
range = [1900-01-01, 2030-12-31]

[columns.left]
type = "datetime"
range = [2013-01-01T00:00:00, 2013-12-31T23:59:59]

[columns.person]
type = "id"

[columns.made]
type = "derived"
"#;

fn schema(formula: &str) -> Result<Schema, String> {
    Schema::parse(&format!("{COLUMNS}formula = {formula}\n"), "test").map_err(|error| error.to_string())
}

fn formula_of(schema: &Schema) -> &Formula {
    match &schema.columns().last().unwrap().role {
        Role::Derived(formula) => formula,
        _ => panic!("not derived"),
    }
}

/// A row of raw cells, one a modelled column.
fn row<'a>(schema: &'a Schema, formula: &Formula, cells: &[CellValue<'a>]) -> FormulaValue {
    formula.value(&|place| {
        let attribute: AttrId = formula.inputs()[place];
        (cells[attribute.index()].clone(), schema.codec(attribute))
    })
}

fn written(formula: &str) -> String {
    let schema = schema(&format!("'''{formula}'''")).unwrap_or_else(|error| panic!("{formula}: {error}"));
    let cells = [
        CellValue::Integer(12),
        CellValue::Number(0.25),
        CellValue::Text("York"),
        // 29 February 2000 and 1 March 2013, a Friday.
        CellValue::Date(11_016),
        CellValue::Date(15_765),
        // 1 March 2013, 17:05:09.
        CellValue::DateTime(15_765 * 86_400 + 17 * 3600 + 5 * 60 + 9),
    ];
    let formula = formula_of(&schema);
    let mut text = Vec::new();
    formula.write_text(&row(&schema, formula, &cells), b'.', &mut text);
    String::from_utf8(text).unwrap()
}

#[test]
fn sums_ratios_dates_and_texts() {
    for (formula, expected) in [
        ("pieces * price", "3.00"),
        ("pieces + 1", "13"),
        ("pieces - 2 - 3", "7"),
        ("2 + pieces * 3 - -1", "39"),
        ("(2 + pieces) * 3", "42"),
        ("pieces / 7", "1.714286"),
        ("-pieces", "-12"),
        ("pieces / (price - 0.25)", ""),
        ("abs(price - pieces)", "11.75"),
        ("floor(pieces / 7) & '/' & ceil(pieces / 7)", "1/2"),
        ("min(pieces, 3.5)", "3.5"),
        ("max(pieces, price, 99)", "99.00"),
        ("died - \"born on\"", "4749"),
        ("died + 1", "2013-03-02"),
        ("\"born on\" + 366", "2001-03-01"),
        ("max(died, \"born on\")", "2013-03-01"),
        ("year(died) - year(\"born on\")", "13"),
        ("month(\"born on\") * 100 + day(\"born on\")", "229"),
        ("weekday(died)", "5"),
        ("weekday(\"born on\")", "2"),
        ("hour(left) * 100 + minute(left)", "1705"),
        ("date(left)", "2013-03-01"),
        ("year(date(left))", "2013"),
        ("date(left) - died", "0"),
        ("left - 9", "2013-03-01T17:05:00"),
        ("left - left", "0"),
        ("town & ', ' & price & ' of ' & \"born on\"", "York, 0.25 of 29/02/2000"),
        ("'it''s ' & (pieces + 1)", "it's 13"),
    ] {
        assert_eq!(written(formula), expected, "{formula}");
    }
}

#[test]
fn what_is_missing_stays_missing() {
    let schema = schema("'town & pieces'").unwrap();
    let formula = formula_of(&schema);
    let cells = |first, second| [first, CellValue::Number(0.0), second];
    let all = row(&schema, formula, &cells(CellValue::Integer(1), CellValue::Text("Ely")));
    assert_eq!(all, FormulaValue::Text("Ely1".to_owned()));
    for cells in [
        cells(CellValue::Missing, CellValue::Text("Ely")),
        cells(CellValue::Integer(1), CellValue::Missing),
        cells(CellValue::Missing, CellValue::Missing),
    ] {
        assert_eq!(row(&schema, formula, &cells), FormulaValue::Missing);
    }
}

#[test]
fn kinds_and_decimals_are_known_before_any_row() {
    let made =
        |formula: &str| schema(formula).map(|schema| (formula_of(&schema).kind(), formula_of(&schema).is_whole()));
    assert_eq!(made("'pieces + 1'"), Ok((FormulaKind::Number, true)));
    assert_eq!(made("'pieces + 1.5'"), Ok((FormulaKind::Number, false)));
    assert_eq!(made("'pieces / 2'"), Ok((FormulaKind::Number, false)));
    assert_eq!(made("\"pieces / 2\"\ndecimals = 0"), Ok((FormulaKind::Number, true)));
    assert_eq!(made("'town'"), Ok((FormulaKind::Text, false)));
    assert_eq!(made("'died + 1'\nformat = '%Y'").unwrap_err().matches("does not read back").count(), 1);
}

#[test]
fn mistakes_are_told_in_a_line() {
    for (formula, word) in [
        ("'piece + 1'", "did you mean \"pieces\""),
        ("'person'", "a column of type \"id\""),
        ("'made'", "a column of type \"derived\""),
        ("'town + 1'", "a text + a number"),
        ("'died * 2'", "a date * a number"),
        ("'years(died)'", "did you mean \"year\""),
        ("'year(pieces)'", "year() of a number"),
        ("'hour(died)'", "hour() of a date"),
        ("'min(pieces)'", "min() of a number"),
        ("'pieces +'", "ends where"),
        ("'(pieces'", "lacks a ')'"),
        ("'pieces price'", "\"price\" where something else"),
        ("'1..2 + pieces'", "\"1..2\""),
        ("'pieces ^ 2'", "the sign '^'"),
        ("'\"pieces'", "never closed"),
        ("''", "ends where"),
        ("'town'\ndecimals = 2", "`decimals` of something"),
        ("'pieces'\nformat = '%Y'", "not one of numbers"),
        ("'town'\nformat = '#%'", "`format` of something"),
        ("'price'\nformat = 'hmm'", "a clock number that is not whole"),
        ("'pieces'\ndecimals = 16", "decimals = 16"),
        ("'pieces'\nrange = [0, 1]", "no meaning"),
    ] {
        let error = schema(formula).expect_err(formula);
        assert!(error.contains(word) && error.contains("made") && !error.contains('\n'), "{formula}: {error}");
    }
    let deep = format!("'{}pieces{}'", "(".repeat(5000), ")".repeat(5000));
    assert!(schema(&deep).unwrap_err().contains("bytes"));
    let deep = format!("'{}pieces{}'", "(".repeat(500), ")".repeat(500));
    assert!(schema(&deep).unwrap_err().contains("brackets"));
    let long = format!("'pieces{}'", "+1".repeat(400));
    assert!(schema(&long).unwrap_err().contains("too long"));
}

#[test]
fn numbers_are_dressed_as_their_format_says() {
    for (formula, value, expected) in [
        ("'pieces * 1.5'\nformat = '#.0'", 2, "3.0"),
        ("'pieces * 1000'\nformat = '€#,###'", -12, "-€12,000"),
        ("'pieces'\nformat = '(# kg)'", -3, "(3 kg)"),
        ("'pieces * 100 + 7'\nformat = 'hhmm'", 5, "0507"),
    ] {
        let schema = schema(formula).unwrap();
        let made = formula_of(&schema);
        let mut out = b"x".to_vec();
        let value = made.value(&|_| (CellValue::Integer(value), schema.codec(AttrId(0))));
        made.write_text(&value, b'.', &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), format!("x{expected}"), "{formula}");
        assert_eq!(Schema::parse(&schema.to_toml(), "again").unwrap(), schema);
    }
    // The decimal mark is that of the file.
    let comma = |format: &str| {
        let formula = format!("decimal = ','\n{COLUMNS}formula = 'price'\nformat = '{format}'\n");
        Schema::parse(&formula, "test").is_ok_and(|schema| {
            let mut out = Vec::new();
            formula_of(&schema).write_text(&FormulaValue::Number(1234.5), b',', &mut out);
            out == b"1.234,5"
        })
    };
    assert!(comma("#.###,0") && !comma("#,###.0"));
}

/// A schema is read back from what it writes, in another order of columns too.
#[test]
fn formulas_are_written_and_found_again() {
    let made = schema("'pieces * price'\ndecimals = 1").unwrap();
    assert_eq!(Schema::parse(&made.to_toml(), "again").unwrap(), made);
    let explicit = Schema::parse(&made.to_json().to_string(), "again").unwrap();
    assert_eq!(formula_of(&explicit), formula_of(&made));
    let mut header: Vec<String> = made.columns().iter().map(|column| column.name.clone()).collect();
    header.reverse();
    let turned = made.arranged(&header).unwrap();
    let Role::Derived(formula) = &turned.columns()[0].role else { panic!() };
    let names: Vec<&str> = formula.inputs().iter().map(|&input| turned.column(input).name.as_str()).collect();
    assert_eq!(names, ["pieces", "price"]);
    assert_eq!(formula_of(&made.released().unwrap()).text(), "pieces * price");
}

#[test]
fn a_lookup_agrees_with_its_table() {
    let text = "[columns.town]\ntype = 'category'\nvalues = ['a', 'b', 'c']\nmissing = true\n[columns.year]\ntype = 'integer'\nrange = [1, 2]\n\
                [columns.price]\ntype = 'derived'\nformula = \"town & '/' & year\"\n[columns.price.lookup]\n'a/1' = 1.25\n'b/2' = 7\n";
    let schema = Schema::parse(text, "test").unwrap();
    let price = |codes: [u32; 2]| {
        let Role::Derived(formula) = &schema.columns()[2].role else { panic!("not derived") };
        let value = formula.value(&|place| {
            let attribute = formula.inputs()[place];
            (schema.cell(attribute, &|one| (codes[one.index()], 0)), schema.codec(attribute))
        });
        let mut out = Vec::new();
        formula.write_text(&value, b'.', &mut out);
        String::from_utf8(out).unwrap()
    };
    assert_eq!([price([0, 0]), price([1, 1]), price([0, 1]), price([3, 0])], ["1.25", "7.00", "", ""]);
    assert_eq!(Schema::parse(&schema.to_toml(), "again").unwrap(), schema);
    assert_eq!(Schema::parse(&schema.to_json().to_string(), "again").unwrap(), schema);
    let words = Schema::parse(&text.replace("7\n", "'x'\n"), "test").unwrap();
    let Role::Derived(formula) = &words.columns()[2].role else { panic!("not derived") };
    assert_eq!(formula.kind(), FormulaKind::Text);
    for wrong in ["decimals = 20", "format = '%Y'"] {
        let text = text.replace("type = 'derived'", &format!("type = 'derived'\n{wrong}"));
        assert!(Schema::parse(&text, "test").is_err(), "{wrong}");
    }
}
