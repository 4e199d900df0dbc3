use super::StoredType;
use crate::Schema;

fn schema(column: &str) -> Result<Schema, String> {
    Schema::parse(&format!("[columns.a]\n{column}"), "test").map_err(|error| error.to_string())
}

#[test]
fn types_are_written_as_they_are_read() {
    let words = [
        "int8",
        "uint64 not null",
        "halffloat",
        "float",
        "double",
        "bool",
        "decimal32(9, 0)",
        "decimal128(5, 2)",
        "decimal128(5, 2) as int32 not null",
        "decimal256(76, 76) as byte_array",
        "date32[day]",
        "date64[ms]",
        "time32[s]",
        "time32[ms]",
        "time64[us]",
        "time64[ns]",
        "timestamp[s]",
        "timestamp[us, tz=Europe/Vienna]",
        "timestamp[ns, tz=+02:00]",
        "timestamp[ns] as int96",
        "string",
        "large_string",
        "string_view not null",
        "binary",
        "large_binary",
        "binary_view",
        "dictionary<values=string, indices=int8, ordered=0>",
        "dictionary<values=timestamp[us, tz=UTC], indices=uint32, ordered=1>",
        "null",
    ];
    for word in words {
        assert_eq!(StoredType::parse(word).unwrap().to_string(), word);
    }
    let others =
        [("float32", "float"), ("utf8 not null", "string not null"), ("timestamp[us, UTC]", "timestamp[us, tz=UTC]")];
    for (other, word) in others {
        assert_eq!(StoredType::parse(other).unwrap().to_string(), word);
    }
    for word in [
        "",
        "int12",
        "int",
        "decimal128(39, 2)",
        "decimal128(5, 6)",
        "decimal128(5, -2)",
        "decimal512(5, 2)",
        "decimal128(5, 2) as int96",
        "decimal128(12, 2) as int32",
        "int32 as int64",
        "timestamp[m]",
        "timestamp[us, tz=]",
        "timestamp[us, tz=a b]",
        "time32[us]",
        "dictionary<values=null, indices=int8, ordered=0>",
        "dictionary<values=string, indices=string, ordered=0>",
        "dictionary<values=dictionary<values=string, indices=int8, ordered=0>, indices=int8, ordered=0>",
        "list<item: int32>",
        "not null",
    ] {
        assert!(StoredType::parse(word).is_err(), "{word}");
    }
}

/// What a type cannot hold is a mistake of the schema, told in one line when it is read.
#[test]
fn what_a_type_cannot_hold_is_refused() {
    let integer = "type = 'integer'\nrange = [-5, 300]\n";
    let number = "type = 'number'\nrange = [0, 999.99]\ndecimals = 2\n";
    let date = "type = 'date'\nrange = ['1600-01-01', '2020-12-31']\nbins = 3\n";
    let words = "type = 'category'\nvalues = ['1', '2', 'x']\n";
    let codes = "type = 'category'\nvalues = ['1', '2']\n";
    let cases = [
        (integer, "int16", None),
        (integer, "int8", Some("the range")),
        (integer, "uint16", Some("the range")),
        (integer, "float16", None),
        (integer, "decimal128(3, 0)", None),
        (integer, "decimal128(4, 2)", Some("the range")),
        (integer, "time32[s]", Some("the range")),
        (integer, "bool", Some("the range")),
        (integer, "string", None),
        (integer, "dictionary<values=int64, indices=int8, ordered=0>", Some("as many values")),
        (integer, "dictionary<values=int64, indices=int16, ordered=0>", None),
        (integer, "list<int8>", Some("no type that is known")),
        (number, "float", None),
        (number, "decimal128(5, 2)", None),
        (number, "decimal128(5, 1)", Some("the decimals")),
        (number, "decimal128(4, 2)", Some("the range")),
        (number, "int32", Some("the decimals")),
        (number, "date32", Some("the range")),
        (date, "date64", None),
        (date, "timestamp[us]", None),
        (date, "timestamp[ns]", Some("the range")),
        (words, "string", None),
        (words, "int32", Some("all of the words")),
        (codes, "int32", None),
        (codes, "dictionary<values=string, indices=int8, ordered=0>", None),
        ("type = 'boolean'\n", "bool", None),
        ("type = 'boolean'\n", "int8", Some("all of the words")),
        ("type = 'boolean'\nvalues = ['0', '1']\n", "int8", None),
        ("type = 'id'\n", "int32", None),
        ("type = 'id'\n", "int16", Some("ids")),
        ("type = 'id'\n", "string", None),
        ("type = 'ignore'\n", "int16", None),
    ];
    for (column, stored, mistake) in cases {
        // Derived columns and ids have no code for missing cells, and ignored ones nothing else.
        match (schema(&format!("{column}stored = '{stored}'")), mistake) {
            (Ok(_), None) => {}
            (Err(line), Some(mistake)) => assert!(line.contains(mistake) && !line.contains('\n'), "{line}"),
            (found, _) => panic!("{column} stored as {stored}: {:?}", found.err()),
        }
    }
}

#[test]
fn cells_that_are_missing_need_a_place() {
    let missing = "type = 'integer'\nrange = [0, 9]\nmissing = true\n";
    assert!(schema(&format!("{missing}stored = 'int8 not null'")).unwrap_err().contains("missing cells"));
    assert!(schema(&format!("{missing}stored = 'int8'")).is_ok());
    // Texts and floating-point numbers have a value that tells it.
    assert!(schema(&format!("{missing}stored = 'double not null'")).is_ok());
    assert!(schema(&format!("{missing}stored = 'string not null'")).is_ok());
    assert!(schema("type = 'ignore'\nstored = 'int8 not null'").is_err());
    let derived = "type = 'integer'\nrange = [0, 9]\n[columns.b]\ntype = 'derived'\nformula = 'a / 2'\n";
    assert!(schema(&format!("{derived}stored = 'double'")).is_ok());
    assert!(schema(&format!("{derived}stored = 'int64'")).unwrap_err().contains("formula"));
    assert!(schema(&format!("{derived}stored = 'decimal128(9, 1) not null'")).unwrap_err().contains("missing cells"));
}

/// A draft is fitted to the type of its header: ranges end where it does, and what cannot be kept
/// gives way.
#[test]
fn drafts_are_fitted_to_their_types() {
    let fitted = |column: &str, stored: &str| {
        let read = crate::file::read_file(&format!("[columns.a]\n{column}"), "test").unwrap();
        let entry = super::fitted(read.columns.0[0].1.clone(), &StoredType::parse(stored).unwrap());
        serde_json::to_value(&entry).unwrap()
    };
    let integer = fitted("type = 'integer'\nrange = [-10, 300]\n", "uint8");
    assert_eq!((&integer["range"], &integer["stored"]), (&serde_json::json!([0, 255]), &"uint8".into()));
    let number = fitted("type = 'number'\nrange = [0.0, 1000.0]\ndecimals = 2\n", "decimal128(5, 2)");
    assert_eq!((&number["range"], &number["stored"]), (&serde_json::json!([0.0, 999.99]), &"decimal128(5, 2)".into()));
    let missing = fitted("type = 'integer'\nrange = [0, 9]\nmissing = true\n", "int8 not null");
    assert_eq!((&missing["stored"], missing.get("missing")), (&"int8 not null".into(), None), "none can be missing");
    let bought = "type = 'integer'\nrange = [0, 9]\nmissing = true\ndiscovered = { facts = ['range'], noise = 1.0 }\n";
    let bought = fitted(bought, "int8 not null");
    assert_eq!((&bought["stored"], bought.get("missing")), (&"int8 not null".into(), None), "the header says none is");
    let wide = fitted("type = 'integer'\nrange = [0, 900]\n", "dictionary<values=int64, indices=int8, ordered=0>");
    assert_eq!(wide["stored"], "int64");
    assert_eq!(fitted("type = 'category'\nvalues = ['x']\n", "int8").get("stored"), None);
    assert_eq!(fitted("type = 'category'\nvalues = 'discover'\n", "string")["stored"], "string");
    let old = fitted("type = 'date'\nrange = ['1500-01-01', '2400-12-31']\nbins = 3\n", "timestamp[ns]");
    assert_eq!(old["range"], serde_json::json!(["1677-09-22", "2262-04-10"]));
}
