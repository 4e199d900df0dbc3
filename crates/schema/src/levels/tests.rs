//! Levels that a file gives, and those that are made without one.

use proptest::prelude::*;

use crate::{AttrId, Grouping, Schema};

const GIVEN: &str = r#"
[columns.education]
type = "category"
values = ["none", "primary", "lower secondary", "upper secondary", "bachelor", "master"]
other = "elsewhere"
missing = true
note = "levels stand behind it"
[[columns.education.levels]]
secondary = ["lower secondary", "upper secondary"]
"uni, \"all\"" = ["bachelor", "master"]
[[columns.education.levels]]
none = ["none", "elsewhere"]
school = ["primary", "secondary"]

[columns.age]
type = "integer"
range = [0, 99]
missing = true
levels = [[0, 10, 20, 60, 90], [20, 60], []]

[columns.weight]
type = "number"
range = [0, 100]
bins = 8
levels = [[12.5, 50.0]]

[columns.born]
type = "date"
edges = [1900-01-01, 1950-01-01, 2000-01-01, 2020-01-01]
levels = [["1950-01-01"]]

[columns.plain]
type = "integer"
range = [0, 9]
"#;

fn parse(text: &str) -> Schema {
    Schema::parse(text, "s.toml").unwrap()
}

fn groups(schema: &Schema, name: &str) -> Vec<Vec<u32>> {
    let levels = schema.column(schema.attribute(name).unwrap()).levels.as_slice();
    levels.iter().map(|level| level.grouping().group_of().to_vec()).collect()
}

#[test]
fn named_groups_make_a_tree() {
    let schema = parse(GIVEN);
    // none, primary, two secondary, two of university, elsewhere, missing.
    assert_eq!(groups(&schema, "education"), [vec![0, 1, 2, 2, 3, 3, 4, 5], vec![0, 1, 1, 1, 2, 2, 0, 3]]);
    let levels = schema.column(AttrId(0)).levels.as_slice();
    assert_eq!(levels[0].labels(), ["none", "primary", "secondary", "uni, \"all\"", "elsewhere", "(missing)"]);
    assert_eq!(levels[1].labels(), ["none", "school", "uni, \"all\"", "(missing)"]);
}

#[test]
fn cuts_make_runs() {
    let schema = parse(GIVEN);
    let age = schema.column(schema.attribute("age").unwrap()).levels.as_slice();
    let group = |level: usize, code: u32| age[level].grouping().group(code);
    assert_eq!(
        [0, 9, 10, 19, 20, 59, 60, 89, 90, 99, 100].map(|code| group(0, code)),
        [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5]
    );
    assert_eq!([0, 19, 20, 59, 60, 99, 100].map(|code| group(1, code)), [0, 0, 1, 1, 2, 2, 3]);
    assert_eq!([0, 99, 100].map(|code| group(2, code)), [0, 0, 1]);
    assert_eq!(age[1].labels(), ["0 .. 19", "20 .. 59", "60 .. 99", "(missing)"]);
    assert_eq!(groups(&schema, "weight"), [[0, 1, 1, 1, 2, 2, 2, 2]]);
    assert_eq!(groups(&schema, "born"), [[0, 1, 1]]);
    assert!(groups(&schema, "plain").is_empty());
}

#[test]
fn levels_are_written_and_read_back() {
    let schema = parse(GIVEN);
    assert_eq!(parse(&schema.to_toml()), schema, "{}", schema.to_toml());
    assert_eq!(Schema::parse(&schema.to_json().to_string(), "s.json").unwrap(), schema);
    let header = ["plain", "born", "weight", "age", "education"].map(str::to_owned);
    assert_eq!(groups(&schema.arranged(&header).unwrap(), "education"), groups(&schema, "education"));
}

/// A refusal names the column, the level and the word, in one line.
#[test]
fn levels_that_make_no_sense_are_refused() {
    let words = "type = \"category\"\nvalues = [\"a\", \"b\", \"c\"]\n";
    let whole = "type = \"integer\"\nrange = [0, 99]\nbins = 10\n";
    let cases = [
        (words, "levels = [[\"a\"]]", "level 1: is a list, but the column has no order"),
        (words, "levels = 3", "`levels`: invalid type: integer `3`, expected a list"),
        (words, "levels = [3]", "`levels[0]`: neither a list"),
        (words, "levels = [{ x = \"a\" }]", "`levels[0]`: neither a list of plain values nor a table of groups"),
        (words, "levels = [{ x = [] }]", "level 1: group \"x\" is empty"),
        (words, "levels = [{ x = [\"a\", \"bb\"] }]", "group \"x\" lists \"bb\", which is no value and no group"),
        (words, "levels = [{ x = [\"a\", \"b\"] }, { y = [\"a\", \"c\"] }]", "level 2: group \"y\" lists \"a\""),
        (words, "levels = [{ x = [\"a\", \"b\"], y = [\"c\", \"b\"] }]", "level 1: \"b\" is listed twice"),
        (words, "levels = [{ c = [\"a\", \"b\"] }]", "group \"c\" has the name of a value or group that is not in it"),
        (words, "levels = [{ x = [\"a\", \"b\"] }, {}]", "level 2: puts nothing together"),
        (words, "levels = [{ x = [\"a\"] }]", "level 1: puts nothing together"),
        (whole, "levels = [{ x = [\"1\"] }]", "level 1: names groups, but the column has an order"),
        (whole, "levels = [[50, 30]]", "level 1: 30 does not ascend"),
        (whole, "levels = [[0, 0]]", "level 1: 0 does not ascend"),
        (whole, "levels = [[30, 200]]", "level 1: 200 lies above the column's range"),
        (whole, "levels = [[\"x\"]]", "level 1: \"x\" is not a value of a column of type \"integer\""),
        (whole, "levels = [[30, 60], [40]]", "level 2: 40 lies inside a group of the level before"),
        (whole, "levels = [[30, 60], [30, 60]]", "level 2: puts nothing together"),
        (whole, "levels = [[[1]]]", "`levels[0]`: neither a list of plain values"),
        ("type = \"boolean\"\n", "levels = [[1]]", "the key \"levels\" has no meaning for type \"boolean\""),
        ("type = \"id\"\n", "levels = [[1]]", "the key \"levels\" has no meaning for type \"id\""),
    ];
    for (head, levels, words) in cases {
        let error = Schema::parse(&format!("[columns.x]\n{head}{levels}\n"), "s.toml").unwrap_err().to_string();
        assert!(error.starts_with("schema: column \"x\": ") && error.contains(words), "{levels}: {error}");
        assert!(!error.contains('\n'), "{error}");
    }
}

/// A level that begins inside a bin cuts it there, and `schema check` says so; levels at edges
/// change no code.
#[test]
fn a_level_inside_a_bin_adds_an_edge() {
    let schema = |head: &str, levels: &str| parse(&format!("[columns.x]\n{head}\n{levels}\n"));
    let labels = |schema: &Schema| {
        let codec = schema.codec(AttrId(0));
        (0..codec.size()).map(|code| codec.label(code)).collect::<Vec<_>>()
    };
    for (head, levels, expected, at_edges, cut) in [
        (
            "type = 'integer'\nrange = [0, 99]\nbins = 4\nmissing = true",
            "levels = [[10, 50, 60], [60]]",
            &["0-9", "10-24", "25-49", "50-59", "60-74", "75-99", "(missing)"][..],
            "levels = [[25, 50]]",
            "\"0-24\", \"50-74\"",
        ),
        (
            "type = 'integer'\nrange = [0, 99]\nedges = [20, 40]\nspikes = [30]",
            "levels = [[30, 35]]",
            &["0-19", "20-29", "30", "31-34", "35-39", "40-99"],
            "levels = [[20, 30, 31]]",
            "\"31-39\"",
        ),
        (
            "type = 'number'\nrange = [0, 2]\nbins = 4\ndecimals = 2",
            "levels = [[0.25, 1]]",
            &["0 to 0.25", "0.25 to 0.5", "0.5 to 1", "1 to 1.5", "1.5 to 2"],
            "levels = [[1]]",
            "\"0 to 0.5\"",
        ),
        (
            "type = 'date'\nedges = [2020-01-01, 2020-07-01, 2020-10-01, 2020-12-31]",
            "levels = [['2020-02-01', '2020-07-01']]",
            &[
                "2020-01-01 to 2020-01-31",
                "2020-02-01 to 2020-06-30",
                "2020-07-01 to 2020-09-30",
                "2020-10-01 to 2020-12-31",
            ],
            "levels = [['2020-07-01']]",
            "\"2020-01-01 to 2020-06-30\"",
        ),
        (
            "type = 'integer'\nformat = 'hhmm'\nedges = [0, 600, 1200, 2359]",
            "levels = [[600, 930]]",
            &["0-559", "600-929", "930-1159", "1200-2359"],
            "levels = [[600]]",
            "\"600-1159\"",
        ),
    ] {
        let (with, without) = (schema(head, levels), schema(head, at_edges));
        assert_eq!(labels(&with), expected, "{levels}");
        let told = format!("levels of \"x\" begin inside bins, which are cut in two there: {cut}");
        let warnings = with.warnings();
        assert!(
            warnings.iter().any(|line| line.replace("\\\"", "").replace('"', "") == told.replace('"', "")),
            "{warnings:?}"
        );
        assert_eq!(without.codec(AttrId(0)), schema(head, "").codec(AttrId(0)), "{at_edges}");
        assert!(!without.warnings().iter().any(|line| line.contains("levels")), "{:?}", without.warnings());
        // What is written has the same codes, and so has what a release carries, without levels.
        assert_eq!(parse(&with.to_toml()), with, "{}", with.to_toml());
        assert_eq!(Schema::parse(&with.to_json().to_string(), "s.json").unwrap(), with);
        assert_eq!(with.released().unwrap().codec(AttrId(0)).kind(), with.codec(AttrId(0)).kind());
    }
}

/// Bins that nobody stated stay open: written without bins, and put on a grid.
#[test]
fn a_level_inside_a_default_bin_leaves_bins_open() {
    let text = "[columns.x]\ntype = 'integer'\nrange = [0, 999]\nlevels = [[1, 500]]\n";
    let schema = parse(text);
    assert_eq!(schema.codec(AttrId(0)).size(), 65, "64 bins, of which the first is cut");
    assert!(schema.codec(AttrId(0)).has_open_bins() && !schema.to_toml().contains("edges"), "{}", schema.to_toml());
    assert_eq!(parse(&schema.to_toml()), schema);
    let fine = schema.on_grid(4096).unwrap();
    assert!(fine.codec(AttrId(0)).is_on_grid());
    assert_eq!(fine.binned().unwrap(), schema);
}

/// A few words of a file cannot ask for gigabytes of groups.
#[test]
fn the_levels_of_a_schema_are_bounded() {
    let column = |k: usize| {
        format!(
            "[columns.c{k}]\ntype = \"integer\"\nrange = [1, 1000000]\nbins = 1000000\nlevels = [[2, 3, 4, 5], [3, 4, 5], [4, 5], [5]]\n"
        )
    };
    let many: String = (0..9).map(column).collect();
    assert!(Schema::parse(&column(0), "s.toml").is_ok());
    assert!(Schema::parse(&many, "s.toml").unwrap_err().to_string().contains("too many `levels`"));
}

fn sized(size: u32, missing: bool) -> Schema {
    parse(&format!("[columns.x]\ntype = \"integer\"\nrange = [1, {size}]\nbins = {size}\nmissing = {missing}\n"))
}

#[test]
fn wide_columns_get_coarser_copies() {
    for (size, expected) in
        [(256, vec![]), (257, vec![17]), (4096, vec![256]), (4097, vec![257, 17]), (70_000, vec![4375, 274, 18])]
    {
        for missing in [false, true] {
            let schema = sized(size, missing);
            let found: Vec<u32> = schema.coarser(AttrId(0)).iter().map(|level| level.grouping.groups()).collect();
            let expected: Vec<u32> = expected.iter().map(|groups| groups + u32::from(missing)).collect();
            assert_eq!(found, expected, "{size}");
        }
    }
    let levels = sized(4097, false).coarser(AttrId(0));
    assert_eq!((levels[0].grouping.group(16), levels[1].grouping.group(255), levels[1].grouping.group(256)), (1, 0, 1));
    assert_eq!((levels[1].name.as_str(), levels[1].base), ("x (level 2)", AttrId(0)));
    // Where the schema gives levels, they are taken.
    let given = parse(GIVEN).coarser(AttrId(1));
    assert_eq!(given.iter().map(|level| level.grouping.groups()).collect::<Vec<_>>(), [6, 4, 2]);
}

proptest! {
    #[test]
    fn equal_bins_differ_by_one_code_at_most(size in 1u32..3000, bins in 1u32..40, missing in any::<bool>()) {
        let schema = sized(size, missing);
        let found: Option<Grouping> = schema.codec(AttrId(0)).equal_bins(bins);
        prop_assert_eq!(found.is_some(), size > bins);
        if let Some(grouping) = found {
            prop_assert_eq!(grouping.groups(), bins + u32::from(missing));
            let mut held = vec![0u32; grouping.groups() as usize];
            grouping.group_of().iter().for_each(|&group| held[group as usize] += 1);
            prop_assert!(held[..bins as usize].iter().all(|&codes| codes == size / bins || codes == size.div_ceil(bins)));
            prop_assert!(grouping.group_of().is_sorted());
            prop_assert!(!missing || held.last() == Some(&1));
        }
    }
}
