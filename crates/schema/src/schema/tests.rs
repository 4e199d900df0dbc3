//! Tests of what concerns the columns together.

use crate::{AttrId, LineEnd, Quotes, RowForm, Schema};

const THREE: &str = r#"
[columns.age]
type = "integer"
range = [0, 9]

[columns.sex]
type = "category"
values = ["F", "M"]
missing = true

[columns.person]
type = "id"

[[impossible]]
age = 0
sex = "F"
"#;

fn header(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn parse(text: &str) -> Schema {
    Schema::parse(text, "test").unwrap()
}

#[test]
fn columns_follow_the_header_and_rules_follow_the_columns() {
    let schema = parse(THREE);
    let arranged = schema.arranged(&header(&["person", "sex", "age"])).unwrap();
    let names: Vec<&str> = arranged.columns().iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["person", "sex", "age"]);
    assert_eq!(arranged.domain().sizes(), [3, 10]);
    assert_eq!(arranged.attribute("age"), Some(AttrId(1)));
    assert_eq!(arranged.column(AttrId(0)).name, "sex");
    assert!(arranged.forbids(&[0, 0]) && schema.forbids(&[0, 0]));
    assert!(arranged.forbids(&[0, 0]) && !arranged.forbids(&[1, 0]) && !arranged.forbids(&[0, 1]));
    assert_eq!(arranged.impossible()[0].parts, [(AttrId(0), vec![0]), (AttrId(1), vec![0])]);
    assert_eq!(arranged.arranged(&header(&["age", "sex", "person"])).unwrap(), schema);
}

#[test]
fn headers_that_do_not_fit_are_refused_by_name() {
    let schema = parse(THREE);
    let refusal = |names: &[&str]| schema.arranged(&header(names)).unwrap_err().to_string();
    let absent = refusal(&["person", "sex", "Age"]);
    assert!(absent.contains("\"age\"") && absent.contains("did you mean \"Age\"?"), "{absent}");
    let unlisted = refusal(&["age", "sex", "person", "income"]);
    assert!(unlisted.contains("\"income\"") && unlisted.contains("ignore"), "{unlisted}");
    let twice = refusal(&["age", "age", "sex", "person"]);
    assert!(twice.contains("\"age\"") && twice.contains("twice"), "{twice}");
    // A stray quote in the header makes a name of the rows below it.
    let below = "x\n41,private";
    for names in
        [&["age", "sex", "person", below][..], &["age", "sex", "person", below, below], &["sex", "person", below]]
    {
        let told = refusal(names);
        assert!(!told.contains("private") && !told.contains('\n'), "{told}");
    }
    // A file without a header has a row in its place.
    for names in [&["41", "private", "private"][..], &["x", "private", "41"], &["41", "private"]] {
        let told = refusal(names);
        assert!(
            told.contains("not in the file's header") && !told.contains("private") && !told.contains("41"),
            "{told}"
        );
    }
    let lenient = parse(&format!("unlisted = \"ignore\"\n{THREE}"));
    assert_eq!(lenient.arranged(&header(&["x", "sex", "age", "y", "person"])).unwrap().columns().len(), 3);
}

#[test]
fn warnings_name_columns_where_bad_cells_have_no_place() {
    let warnings = parse(THREE).warnings();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("\"age\"") && !warnings[0].contains("\"sex\""));
    let many: String = (0..40).map(|i| format!("\"c{i}\": 2,")).collect();
    let warnings = parse(&format!("{{{many} \"one\": 1}}")).warnings();
    assert_eq!(warnings.len(), 2);
    assert!(warnings[0].contains("and 35 more") && warnings[1].contains("\"one\""), "{warnings:?}");
    assert!(parse("[columns.a]\ntype = 'id'").warnings()[0].contains("no column is modelled"));
}

/// A release's schema decodes as the steward's does, and is the same however the table was read.
#[test]
fn a_released_schema_keeps_what_decoding_needs() {
    let columns = "[columns.age]\ntype = 'integer'\nrange = [0, 99]\nbins = 4\nmissing = true\n\
                   [columns.job]\ntype = 'category'\nvalues = ['NA', 'smith']\nother = 'else'\n\
                   [columns.skip]\ntype = 'ignore'\n[[impossible]]\nage = '< 25'\njob = 'smith'\n";
    let marked = columns.replace("bins = 4\n", "bins = 4\nlevels = [[0, 50]]\nreview = ['range']\n");
    let read = "missing_tokens = ['?']\nunlisted = 'ignore'\nreview = ['missing_tokens']\n";
    let parse = |text: &str| Schema::parse(text, "test").unwrap();
    let released = parse(columns).released().unwrap();
    assert_eq!(parse(&format!("{read}{marked}")).released().unwrap(), released);
    assert_eq!(released.released().unwrap(), released);
    assert!(released.unreviewed().is_empty());
    let original = parse(columns);
    assert_eq!((released.domain(), released.impossible()), (original.domain(), original.impossible()));
    for attribute in original.domain().attributes() {
        let (one, other) = (original.codec(attribute), released.codec(attribute));
        assert!((0..one.size()).all(|code| one.label(code) == other.label(code)));
    }
    let comma = parse(&format!("decimal = ','\n{columns}")).released().unwrap();
    assert_ne!(comma, released, "rows are written with the decimal mark");
    let written = "missing_tokens = ['?', '-']\ndelimiter = ';'\n[written]\nmissing = '-'\nquotes = 'all'\n";
    let written = parse(&format!("{written}{columns}")).released().unwrap();
    let form = RowForm { delimiter: b';', missing: "-".to_owned(), quotes: Quotes::All, ..RowForm::default() };
    assert_eq!((written.row_form(), written.delimiter()), (&form, None), "rows are written in the table's dialect");
    assert_eq!(written.text_rules().missing_tokens, ["", "-"]);
    assert_eq!(written.released().unwrap(), written);
}

/// What the header line tells is taken, unless the schema says how rows are written.
#[test]
fn rows_are_written_like_the_header() {
    let columns = "[columns.a]\ntype = 'boolean'\n";
    let header = RowForm { delimiter: b';', line_end: LineEnd::CrLf, ..RowForm::default() };
    for said in ["", "delimiter = ';'\n", "encoding = 'latin-1'\n", "delimiter = ';'\nencoding = 'latin-1'\n"] {
        let schema = parse(&format!("{said}{columns}"));
        let encoding = schema.encoding().unwrap_or_default();
        let header = RowForm { encoding, ..header.clone() };
        assert_eq!(schema.written_like(header.clone()).row_form(), &header, "{said}");
    }
    let stated = parse(&format!("[written]\nquotes = 'all'\n{columns}"));
    assert_eq!(stated.clone().written_like(header), stated);
}

/// What no model holds is told by its own reason, and what to name instead.
#[test]
fn columns_that_follow_from_others_say_so() {
    let text = format!(
        "{THREE}[columns.double]\ntype = 'derived'\nformula = '2 * age'\n\
         [columns.kind]\ntype = 'category'\nvalues = ['a', 'b']\nmissing = true\ndepends_on = ['sex', 'age']\n"
    );
    let schema = parse(&text.replace("[[impossible]]\nage = 0\nsex = \"F\"\n", ""));
    for (name, what, help) in [
        ("double", "computed from age when a row is written", "name what it follows from: age"),
        ("kind", "looked up by sex, age when a row is written", "name what it follows from: sex, age"),
        ("person", "a column of type \"id\", which no model holds", "the columns are age, sex"),
        ("agee", "did you mean \"age\"", "the columns are age, sex"),
    ] {
        let (told, mend) = schema.find(name).unwrap_err();
        assert!(told.contains(what) && mend == help, "{name}: {told}; {mend}");
    }
}
