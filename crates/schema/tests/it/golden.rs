//! Version 1 files are read for ever: these are never changed, and must keep their meaning.

use lookalike_schema::{AttrId, CellValue, Mark, MarkKind, Schema};

const TOML: &str = include_str!("../golden/v1.toml");
const JSON: &str = include_str!("../golden/v1.json");
const MBI: &str = include_str!("../golden/v1-mbi.json");

#[test]
fn the_toml_and_the_json_are_one_schema() {
    let schema = Schema::parse(TOML, "v1.toml").unwrap();
    assert_eq!(Schema::parse(JSON, "v1.json").unwrap(), schema);
    assert_eq!(schema.domain().sizes(), [21, 21, 5, 51, 6, 6, 4, 2, 3, 64, 3]);
    assert_eq!(schema.columns().len(), 13);
    let mark = |fact| Mark { column: Some("wealth"), fact, kind: MarkKind::Telling };
    assert_eq!(schema.unreviewed(), [mark("range"), mark("spikes")]);
    assert_eq!(schema.impossible().len(), 2);
}

#[test]
fn the_written_json_is_still_the_same() {
    let schema = Schema::parse(TOML, "v1.toml").unwrap();
    let mut golden: serde_json::Value = serde_json::from_str(JSON).unwrap();
    // The one thing that is read and not written again: what is said to people does not travel.
    let note = golden["columns"]["remarks"].as_object_mut().and_then(|column| column.remove("note"));
    assert_eq!(note, Some("free text, left out".into()));
    assert_eq!(schema.to_json(), golden, "{}", serde_json::to_string_pretty(&schema.to_json()).unwrap());
}

#[test]
fn cells_keep_their_codes_and_codes_their_cells() {
    let schema = Schema::parse(JSON, "v1.json").unwrap();
    let code = |name: &str, cell: &str| schema.codec(schema.attribute(name).unwrap()).encode_text(cell.as_bytes());
    for (name, cell, expected) in [
        ("age", "37", 7),
        ("age", "9999", 20),
        ("age", "-", 20),
        ("wealth", "0", 0),
        ("wealth", "1", 1),
        ("wealth", "1e9", 4),
        ("weight, in \"kg\"", "70,5", 14),
        ("rate", "0", 0),
        ("rate", "0,3", 3),
        ("rate", "1", 5),
        ("education", "primary", 1),
        ("education", "abroad", 5),
        ("region", "West", 2),
        ("region", "", 3),
        ("married", "TRUE", 1),
        ("active", "n", 0),
        ("born", "31/12/2024", 63),
        ("admitted", "2020-07-01 12:00", 1),
    ] {
        assert_eq!(code(name, cell), expected, "{name}: {cell}");
    }
    let decoded =
        |name: &str, code: u32| schema.codec(schema.attribute(name).unwrap()).decode(code, 0x1234_5678_9abc_def0);
    assert_eq!(decoded("age", 7), CellValue::Integer(35));
    assert_eq!(decoded("weight, in \"kg\"", 14), CellValue::Number(70.6));
    assert_eq!(decoded("rate", 3), CellValue::Number(0.267));
    assert_eq!(decoded("education", 5), CellValue::Text("elsewhere"));
    assert_eq!(decoded("admitted", 1), CellValue::DateTime(1_594_732_224));
    assert_eq!(decoded("active", 2), CellValue::Missing);
}

#[test]
fn mbi_domains() {
    let schema = Schema::parse(MBI, "domain.json").unwrap();
    assert_eq!(schema.domain().sizes(), [85, 16, 2]);
    assert!(schema.skips_unlisted());
    assert_eq!(schema.column(AttrId(1)).name, "education num");
}
