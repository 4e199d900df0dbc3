//! Books of every dialect become the schema that they state, and mistakes are one line.

use serde_json::json;

use super::*;
use crate::Schema;

fn json_book(text: &str) -> String {
    written(CodeBook::parse(text, "book.json", false))
}

fn yaml_book(text: &str) -> String {
    written(CodeBook::parse(text, "book.yaml", true))
}

/// The keys of the file that is written, without comments and blank lines.
fn written(book: Result<CodeBook, SchemaError>) -> String {
    let lines = book.unwrap().to_toml();
    lines.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn table(rows: &[&str]) -> Result<CodeBook, SchemaError> {
    let cells = |row: &str| row.split(',').map(|cell| cell.replace('/', ",")).collect::<Vec<_>>();
    let mut book = BookTable::new(&cells(rows[0]))?;
    for row in &rows[1..] {
        let cells = cells(row);
        book.row(&cells.iter().map(String::as_bytes).collect::<Vec<_>>())?;
    }
    book.finish()
}

fn refusal(book: Result<CodeBook, SchemaError>) -> String {
    let error = book.unwrap_err().to_string();
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

#[test]
fn one_row_a_column() {
    let book = table(&[
        "Name,Type,Values,Labels,Min,Max,Missing,Description",
        "person,id,,,,,,",
        "age,integer,,,0,120,no,years",
        "height,number,,,0.3,2.5,,",
        "income,numeric,,,,,,",
        "sex,category,F; M,female; male,,,,",
        "smokes,boolean,yes/no,,,,,",
        "party,,1=red|2=green,,,,,",
        "hours,int,0-80,,,,,",
        "note,free text,,,,,,",
        "seen,date,2020-01-01 to 2024-12-31,,,,,",
        "weight,,,,,,,",
    ]);
    let toml = book.as_ref().unwrap().to_toml();
    for comment in ["# years", "# F = female, M = male", "# 1 = red, 2 = green", "\"discover\": a release"] {
        assert!(toml.contains(comment), "{comment} is not in {toml}");
    }
    assert_eq!(book.as_ref().unwrap().open_facts(), ["income: range", "weight: type"]);
    let expected = r#"version = 1
[columns.person]
type = "id"
[columns.age]
type = "integer"
range = [0, 120]
missing = false
[columns.height]
type = "number"
range = [0.3, 2.5]
missing = true
[columns.income]
type = "number"
range = "discover"
missing = true
[columns.sex]
type = "category"
values = ["F", "M"]
missing = true
[columns.smokes]
type = "boolean"
values = ["no", "yes"]
missing = true
[columns.party]
type = "category"
values = ["1", "2"]
missing = true
[columns.hours]
type = "integer"
range = [0, 80]
missing = true
[columns.note]
type = "ignore"
[columns.seen]
type = "date"
range = ["2020-01-01", "2024-12-31"]
missing = true
[columns.weight]
type = "discover""#;
    assert_eq!(written(book), expected);
}

#[test]
fn codes_beside_bounds_and_labels_of_columns() {
    let book = table(&[
        "name,type,values,label,min,max",
        "hours,integer,0=none;99=refused,,0,99",
        "sex,,F;M,Sex of the person,,",
        "age,integer,,Age in years,0,120",
    ]);
    let toml = book.as_ref().unwrap().to_toml();
    for comment in ["# 0 = none, 99 = refused", "# Sex of the person", "# Age in years"] {
        assert!(toml.contains(comment), "{comment} is not in {toml}");
    }
    let text = written(book);
    assert!(text.contains("type = \"integer\"\nrange = [0, 99]\nspikes = [0, 99]\n"), "{text}");
    assert!(text.contains("[columns.sex]\ntype = \"category\"\nvalues = [\"F\", \"M\"]\n"), "{text}");
    let outside = refusal(table(&["name,type,values,min,max", "age,integer,998;999,0,120"]));
    assert!(outside.contains("\"age\": it has bounds and lists \"998\""), "{outside}");
}

#[test]
fn one_row_a_value() {
    let book = table(&[
        "variable,type,code,label",
        "region,,1,north; the cold one",
        ",,2,south",
        "region,,<=3,elsewhere",
        "",
        "age,integer,,",
        "alone,,a;b,",
    ]);
    assert!(book.as_ref().unwrap().to_toml().contains("1 = north; the cold one, 2 = south, <=3 = elsewhere"));
    let text = written(book);
    assert!(text.contains("[columns.region]\ntype = \"category\"\nvalues = [\"1\", \"2\", \"<=3\"]"), "{text}");
    assert!(text.contains("[columns.age]\ntype = \"integer\"\nrange = \"discover\""), "{text}");
    // In a book of one row a value a cell is a value, whatever stands in it.
    assert!(text.contains("[columns.alone]\ntype = \"category\"\nvalues = [\"a;b\"]"), "{text}");
}

#[test]
fn lists_and_ranges_as_people_write_them() {
    let lists: [(&str, &[&str], &[&str]); 8] = [
        ("a; b;c", &["a", "b", "c"], &[]),
        ("a|b, c", &["a", "b, c"], &[]),
        ("1, Male | 2, Female", &["1", "2"], &["Male", "Female"]),
        ("1=Male;2 = Female, other", &["1", "2"], &["Male", "Female, other"]),
        ("<=50K; >50K", &["<=50K", ">50K"], &[]),
        ("[\"a, b\", 2]", &["a, b", "2"], &[]),
        ("one\ntwo; three\n", &["one", "two; three"], &[]),
        ("alone", &["alone"], &[]),
    ];
    for (cell, values, labels) in lists {
        let found = cells::list(cell);
        assert_eq!((found.0.as_slice(), found.1.as_slice()), (&own(values)[..], &own(labels)[..]), "{cell:?}");
    }
    for (cell, low, high) in [
        ("0-99", json!(0), json!(99)),
        ("-5 - -1", json!(-5), json!(-1)),
        ("-5..5.5", json!(-5), json!(5.5)),
        ("[0, 10]", json!(0), json!(10)),
        ("1e3 to 2e3", json!(1000.0), json!(2000.0)),
        ("2020-01-01..2021-12-31", json!("2020-01-01"), json!("2021-12-31")),
    ] {
        assert_eq!(cells::range(cell), Some([low, high]), "{cell:?}");
    }
    for cell in ["", "99", "a-b", "-", "inf to nan", "-5"] {
        assert_eq!(cells::range(cell), None, "{cell:?}");
    }
}

fn own(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn domains_of_mbi() {
    let text = json_book(r#"{"age": 85, "sex": 2}"#);
    let again = Schema::parse(&text, "schema").unwrap();
    assert_eq!(again, Schema::parse(r#"{"age": 85, "sex": 2}"#, "schema").unwrap(), "{text}");
    let wrong = refusal(CodeBook::parse(r#"{"age": 0.5}"#, "book.json", false));
    assert!(wrong.contains("\"age\"") && wrong.contains("size"), "{wrong}");
}

#[test]
fn domains_of_dpmm() {
    let text = json_book(
        r#"{"type": {"categories": ["white", "red", null]}, "acidity": {"lower": 3.8, "upper": 16.0},
            "LOAN": {"lower": 1100, "upper": 89900}, "quality": {"categories": [0, 1]},
            "joined": {"lower": "2020-01-01", "upper": "2024-12-31"}, "half": {"lower": 3}, "rest": {}}"#,
    );
    let expected = r#"version = 1
[columns.type]
type = "category"
values = ["white", "red"]
missing = true
[columns.acidity]
type = "number"
range = [3.8, 16.0]
missing = true
[columns.LOAN]
type = "integer"
range = [1100, 89900]
missing = true
[columns.quality]
type = "category"
values = ["0", "1"]
missing = true
[columns.joined]
type = "date"
range = ["2020-01-01", "2024-12-31"]
missing = true
[columns.half]
type = "discover"
[columns.rest]
type = "discover""#;
    assert_eq!(text, expected);
}

#[test]
fn domains_of_dpsynth() {
    let text = yaml_book(
        "# a comment\nworkclass:\n  possible_values:\n    - '?' # fallback\n    - Private\n    - 'Self-emp'\n  \
         out_of_domain_index: 0\nage:\n  clip_to_range: true\n  dtype: int\n  max_value: 90.0\n  min_value: 17.0\n\
         gain: {min_value: 0.0, max_value: 99999.0, type: NumericalAttribute}\noccupation: {}\ncity:\nzip:\n  \
         default_value: <OOD>\n  type: OpenSetCategoricalAttribute\nrich:\n  possible_values: [false, true]\nremark:\n  \
         max_tokens: 256\nlong:\n  possible_values:\n  - a word that\n    goes on\n  - 007\n  - 7\n",
    );
    let expected = r#"version = 1
[columns.workclass]
type = "category"
values = ["?", "Private", "Self-emp"]
other = "?"
missing = true
[columns.age]
type = "integer"
range = [17, 90]
missing = true
[columns.gain]
type = "number"
range = [0.0, 99999.0]
missing = true
[columns.occupation]
type = "category"
values = "discover"
missing = true
[columns.city]
type = "category"
values = "discover"
missing = true
[columns.zip]
type = "category"
values = "discover"
other = "<OOD>"
missing = true
[columns.rich]
type = "boolean"
missing = true
[columns.remark]
type = "ignore"
[columns.long]
type = "category"
values = ["a word that goes on", "007", "7"]
missing = true"#;
    assert_eq!(text, expected);
    let same = json_book(r#"{"age": {"min_value": 17, "max_value": 90, "dtype": "int"}}"#);
    assert!(same.contains("range = [17, 90]"), "{same}");
}

#[test]
fn metadata_of_sdv() {
    let columns = r#""columns": {
        "guest": {"sdtype": "id", "regex_format": "G[0-9]{3}"}, "mail": {"sdtype": "email", "pii": true},
        "card": {"sdtype": "credit_card_number"}, "rewards": {"sdtype": "boolean"},
        "room": {"sdtype": "categorical"}, "size": {"sdtype": "ordinal", "order": ["S", "M"]},
        "fee": {"sdtype": "numerical"}, "nights": {"sdtype": "numerical", "computer_representation": "Int64"},
        "rate": {"sdtype": "numerical", "computer_representation": "Float"},
        "checkin": {"sdtype": "datetime", "datetime_format": "%d %b %Y"},
        "paid": {"sdtype": "datetime", "datetime_format": "%Y-%m-%d %H:%M:%S"},
        "odd": {"sdtype": "datetime", "datetime_format": "%q"}, "country": {"sdtype": "country_code", "pii": false},
        "what": {"sdtype": "unknown"}}, "primary_key": "guest", "alternate_keys": ["card"]"#;
    let expected = r#"version = 1
[columns.guest]
type = "id"
[columns.mail]
type = "ignore"
[columns.card]
type = "id"
[columns.rewards]
type = "boolean"
missing = true
[columns.room]
type = "category"
values = "discover"
missing = true
[columns.size]
type = "category"
values = ["S", "M"]
missing = true
[columns.fee]
type = "discover"
[columns.nights]
type = "integer"
range = "discover"
missing = true
[columns.rate]
type = "number"
range = "discover"
missing = true
[columns.checkin]
type = "date"
range = "discover"
format = "%d %b %Y"
missing = true
[columns.paid]
type = "datetime"
range = "discover"
format = "%Y-%m-%d %H:%M:%S"
missing = true
[columns.odd]
type = "discover"
[columns.country]
type = "category"
values = "discover"
missing = true
[columns.what]
type = "discover""#;
    let single = format!(r#"{{"METADATA_SPEC_VERSION": "SINGLE_TABLE_V1", {columns}}}"#);
    let several =
        format!(r#"{{"METADATA_SPEC_VERSION": "V1", "tables": {{"guests": {{{columns}}}}}, "relationships": []}}"#);
    assert_eq!(json_book(&single), expected);
    assert_eq!(json_book(&several), expected);
    let two = r#"{"METADATA_SPEC_VERSION": "V1", "tables": {"a": {}, "b": {}}}"#;
    assert!(refusal(CodeBook::parse(two, "book.json", false)).contains("2 tables"));
}

#[test]
fn mistakes_are_told_with_their_place() {
    for (text, is_yaml, told) in [
        ("{", false, "book: not a code book in JSON"),
        ("[1]", false, "not a code book"),
        ("{}", false, "not the code book of a tool"),
        ("{\"a\": 1, \"a\": 2}", false, "twice"),
        ("{\"a\": \"text\"}", false, "not the code book of a tool"),
        ("{\"columns\": {\"a\": {\"type\": \"id\"}}}", false, "a schema already"),
        ("{\"a\": {\"categories\": \"x\"}}", false, "\"a\": its values are no list"),
        ("{\"a\": {\"categories\": [[1]]}}", false, "\"a\": a value is neither"),
        ("{\"a\": {\"categories\": [\"x\", \"x\"]}}", false, "\"a\": `values` lists \"x\" twice"),
        ("{\"a\": {\"lower\": 5, \"upper\": 1}}", false, "\"a\": `range` is reversed"),
        ("{\"a\": {\"lower\": true, \"upper\": 1}}", false, "\"a\": a bound is neither"),
        ("{\"METADATA_SPEC_VERSION\": \"V1\"}", false, "no columns"),
        ("{\"columns\": {\"a\": {\"sdtype\": \"id\"}, \"b\": {}}}", false, "\"b\": no sdtype"),
        ("a: [", true, "line"),
        ("a: &x {}\nb: *x\n", true, "line 2: an alias"),
        ("a: {}\na: {}\n", true, "line 2: the key \"a\" stands twice"),
        ("- a\n", true, "no table of columns"),
        ("a: {min_value: 0, max_value: 1, dtype: complex}", true, "\"a\": its dtype"),
        ("a: {min_value: 0.5, max_value: 1, dtype: int}", true, "\"a\": a bound of whole numbers"),
        ("a: {possible_values: [x], out_of_domain_index: 3}", true, "\"a\": its out_of_domain_index"),
        ("a: {colour: red}", true, "\"a\": unknown key \"colour\""),
        ("tables:\n  a: {}\n", true, "several tables"),
    ] {
        let error = refusal(CodeBook::parse(text, "book", is_yaml));
        assert!(error.contains(told), "{text}: {error}");
    }
    for (rows, told) in [
        (&["type,values", "a,b"][..], "no column for names"),
        (&["name,variable", "a,b"], "say the same"),
        (&["name,age", "Ann,3"], "nothing but names"),
        (&["name,type", ",integer"], "no name"),
        (&["name,type"], "no columns"),
        (&["name,type", "a,id", "b,id", "a,id"], "\"a\": the book has it twice"),
        (&["name,type", "a,intger"], "\"a\": unknown type \"intger\" (did you mean \"integer\"?)"),
        (&["name,type,values", "a,boolean,x;y;z"], "\"a\": a truth value"),
        (&["name,values,labels", "a,1;2;3,one;two"], "\"a\": 3 values and 2 labels"),
        (&["name,min,max", "a,zero,9"], "\"a\": \"zero\" is no bound"),
        (&["name,range", "a,wide"], "\"a\": \"wide\" is no range"),
        (&["name,min,max", "a,9,0"], "\"a\": `range` is reversed"),
        (&["name,type,missing", "a,integer,perhaps"], "\"a\": missing: \"perhaps\""),
        (&["name,type,min,max", "a,text,1,2"], "\"a\": words have no bounds"),
        (&["name,type,decimals,min,max", "a,number,two,0,1"], "\"a\": decimals: \"two\""),
        (&["name,type,format,min,max", "a,date,%Q,2020-01-01,2021-01-01"], "\"a\": the format"),
        (&["name,type,format", "a,date,%Q"], "\"a\": the format"),
    ] {
        let error = refusal(table(rows));
        assert!(error.contains(told), "{rows:?}: {error}");
    }
    let mut book = BookTable::new(&own(&["name", "type"])).unwrap();
    assert!(book.row(&[b"\xff"]).unwrap_err().to_string().contains("UTF-8"));
}

#[test]
fn guesses_are_told_and_so_are_spaces_around_names() {
    let book = table(&[
        "name,type,values",
        "smokes,boolean,yes;no",
        "arm,boolean,left;right",
        "code,boolean,1;2",
        "coded,boolean,1=yes;2=no",
        "flag,boolean,1;0",
        "half,boolean,yes;nay",
        " age ,integer,0-99",
    ])
    .unwrap();
    let text = written(Ok(book.clone()));
    for values in [["no", "yes"], ["left", "right"], ["1", "2"], ["2", "1"], ["0", "1"], ["nay", "yes"]]
        .map(|[no, yes]| format!("values = [\"{no}\", \"{yes}\"]"))
    {
        assert!(text.contains(&values), "{values}: {text}");
    }
    assert!(text.contains("[columns.age]"), "{text}");
    let warnings = book.warnings();
    let guess = "which of its two words means true is a guess";
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert!(warnings[0].starts_with(&format!("arm: {guess}: \"left\" was taken for false")), "{warnings:?}");
    assert!(warnings[1].starts_with(&format!("code: {guess}")), "{warnings:?}");
    assert!(warnings[2].starts_with("age: the book writes its name with spaces around it, \" age \""), "{warnings:?}");
    assert!(book.to_toml().contains("# Which of its two words means true is a guess"), "{}", book.to_toml());
}
