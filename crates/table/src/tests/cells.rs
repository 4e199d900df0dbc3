//! Rows as texts: the same codes, the same digests and the same persons as rows that are coded at
//! once.

use std::collections::BTreeMap;

use lookalike_curator::{Cancel, CellCurator, CellQuery, Cells, KnownValues, Noise, RareQuery, ValuesQuery};
use lookalike_privacy::{Budget, Ledger, MemoryStore, Neighbours, Rational, Relation, SeededNoise};
use lookalike_schema::{CellReader, Reading, Schema, discover::READINGS};

use super::{OPTIONS, Quiet, codes, every_type, write_file};
use crate::read::Bounds;
use crate::{DigestWish, Input, Persons, PrivateTable, RawCells, ReadOptions, RowSource, Table};

const ROWS: &str = "person,age,note,height,school,married,born,seen\n\
    1,33,x,1.75,none,true,1990-05-06,2020-01-01T10:00:00\n\
    2,,y,2.5,\"a, b\",false,1899-01-01,2020-01-01T10:00:59\n\
    3,150,z,abc,\"say \"\"hi\"\"\",,2010-12-31,1999-01-01\n\
    4, 40 ,,0.5,größte,yes,nonsense,\n\
    5,NA,,9,elsewhere,NA,,2021-06-07 08:09\n\
    1,33,x,1.75,none,true,1990-05-06,2020-01-01T10:00:00\n";

fn take(input: &Input, memory: u64, persons: Option<&Persons>, schema: &Schema) -> (RawCells, [u8; 32]) {
    let options = ReadOptions { memory, ..OPTIONS };
    let tokens = schema.text_rules().missing_tokens.clone();
    let modelled = |name: &String| schema.attribute(name).is_some();
    let mut kept = |names: &[String]| Ok(names.iter().map(modelled).collect());
    let wish = DigestWish { key: &[3; 32], older: false, second: None };
    let source = RowSource::Input(input);
    let (cells, digests) = RawCells::take(source, &options, (persons, &tokens), Some(wish), &mut kept, &Quiet).unwrap();
    (cells, digests.unwrap().records)
}

fn rows_of(table: PrivateTable) -> Vec<Vec<u32>> {
    codes(&table.open_for_steward_only())
}

#[test]
fn the_same_codes_and_digests_as_rows_that_are_coded_at_once() {
    let schema = every_type();
    let header: Vec<&str> = ROWS.lines().next().unwrap().split(',').collect();
    assert!(schema.columns().iter().all(|column| header.contains(&column.name.as_str())), "{:?}", schema.columns());
    let folder = tempfile::tempdir().unwrap();
    let many: String =
        ROWS.lines().take(1).chain(ROWS.lines().skip(1).cycle().take(20_000)).collect::<Vec<_>>().join("\n");
    for text in [ROWS, &many] {
        let input = write_file(folder.path(), "rows.csv", text.as_bytes());
        let wish = DigestWish { key: &[3; 32], older: false, second: None };
        let (table, digests) =
            PrivateTable::take(RowSource::Input(&input), &schema, &OPTIONS, None, Some(wish), &Quiet).unwrap();
        let expected = rows_of(table);
        for memory in [0, u64::MAX] {
            let (cells, digest) = take(&input, memory, None, &schema);
            assert_eq!(digest, digests.as_ref().unwrap().records);
            assert_eq!(rows_of(cells.coded(&schema).unwrap()), expected, "{memory}");
        }
    }
}

/// The rows of other people that are kept do not hang on whose texts came first.
#[test]
fn persons_are_bounded_by_their_own_cells_alone() {
    let schema = Schema::parse(
        "[columns.pid]\ntype = 'id'\n[columns.v]\ntype = 'integer'\nrange = [0, 999]\nbins = 1000\n",
        "s",
    )
    .unwrap();
    let persons = Persons { column: "pid".to_owned(), most: 2 };
    let folder = tempfile::tempdir().unwrap();
    let row = |person: usize, value: usize| format!("p{person},{value}");
    let plain: Vec<String> = (0..60).flat_map(|person| (0..5).map(move |k| row(person, 7 * person + k))).collect();
    let write = |rows: &[String]| {
        write_file(
            folder.path(),
            "rows.csv",
            ["pid,v".to_owned()].iter().chain(rows).cloned().collect::<Vec<_>>().join("\n").as_bytes(),
        )
    };
    for memory in [0, u64::MAX] {
        let (cells, _) = take(&write(&plain), memory, Some(&persons), &schema);
        let kept = rows_of(cells.coded(&schema).unwrap()).remove(0);
        assert_eq!(kept.len(), 120);
        let mut of = BTreeMap::new();
        kept.iter().for_each(|code| *of.entry(code / 7).or_insert(0) += 1);
        assert!(of.len() == 60 && of.values().all(|&rows| rows == 2), "{of:?}");
    }
}

/// Under one key the same rows of everybody else are kept, whoever comes first in the file: what a
/// row is follows from its cells, and not from the numbers that its texts got.
#[test]
fn rows_of_equal_cells_are_equal_whatever_their_numbers() {
    let schema = Schema::parse(
        "[columns.pid]\ntype = 'id'\n[columns.v]\ntype = 'integer'\nrange = [0, 999]\nbins = 1000\n",
        "s",
    )
    .unwrap();
    let persons = Persons { column: "pid".to_owned(), most: 2 };
    let folder = tempfile::tempdir().unwrap();
    let row = |person: usize, value: usize| format!("p{person},{value}");
    let plain: Vec<String> = (0..40).flat_map(|person| (0..9).map(move |k| row(person, 7 * person + k % 5))).collect();
    let kept = |rows: &[String], memory: u64| {
        let lines = ["pid,v".to_owned()].iter().chain(rows).cloned().collect::<Vec<_>>().join("\n");
        let input = write_file(folder.path(), "rows.csv", lines.as_bytes());
        let bounds = Bounds::with_key(&persons, [9; 32]);
        let mut columns = |_: &[String]| Ok(vec![false, true]);
        let options = ReadOptions { memory, ..OPTIONS };
        let source = RowSource::Input(&input);
        let (cells, _) =
            RawCells::take_within(source, &options, (Some(&bounds), &[]), None, &mut columns, &Quiet).unwrap();
        let mut kept = rows_of(cells.coded(&schema).unwrap()).remove(0);
        kept.sort_unstable();
        kept
    };
    let before = kept(&plain, u64::MAX);
    assert_eq!(before.len(), 80);
    let mut more = vec![row(99, 999), row(99, 998), row(99, 997)];
    more.extend(plain.iter().rev().cloned());
    for memory in [0, u64::MAX] {
        let mut after = kept(&more, memory);
        after.retain(|&value| value < 990);
        assert_eq!(after, before, "{memory}");
    }
}

#[test]
fn the_door_counts_readings_and_distinct_values() {
    let folder = tempfile::tempdir().unwrap();
    let words: Vec<String> = (0..3000)
        .map(|row| if row % 3 == 0 { "rare".to_owned() + &row.to_string() } else { "common".into() })
        .collect();
    let text: String = ["w,n".to_owned()]
        .into_iter()
        .chain(words.iter().map(|word| format!("{word},{}", word.len())))
        .collect::<Vec<_>>()
        .join("\n");
    let input = write_file(folder.path(), "rows.csv", text.as_bytes());
    for memory in [0, u64::MAX] {
        let options = ReadOptions { memory, ..OPTIONS };
        let mut kept = |names: &[String]| Ok(vec![true; names.len()]);
        let (cells, _) =
            RawCells::take(RowSource::Input(&input), &options, (None, &[]), None, &mut kept, &Quiet).unwrap();
        assert_eq!(cells.names(), ["w", "n"]);
        let neighbours = Neighbours::new(Relation::AddRemove, 1).unwrap();
        let budget = Budget::new(900.0, 1e-3).unwrap();
        let ledger = Ledger::open_for_discovery(Box::new(MemoryStore::new()), budget, neighbours).unwrap();
        let noise = Box::new(SeededNoise::new(1));
        let (mut door, _) = CellCurator::begin(cells, ledger, noise, Cancel::new(), 0.5).unwrap();
        let tiny = Noise::Gaussian(Rational::new(1, 10).unwrap());
        let query = |column| CellQuery { column, reader: CellReader::Readings, noise: tiny };
        let answers = door.count(&[query(0), query(1)]).unwrap();
        let place = |reading: Reading| READINGS.iter().position(|other| *other == reading).unwrap();
        assert!((answers[0].values[place(Reading::Text)] - 3000).abs() < 5);
        assert!((answers[1].values[place(Reading::Integer)] - 3000).abs() < 5);
        let values = ValuesQuery {
            column: 0,
            sigma_squared: Rational::new(1, 1).unwrap(),
            threshold: 9,
            most: 10,
            skipped: Vec::new(),
        };
        let found = door.values(std::slice::from_ref(&values)).unwrap().remove(0).values;
        assert_eq!(found.len(), 1, "a thousand words of one row each stay inside");
        assert!(found[0].0 == "common" && (found[0].1 - 2000).abs() < 8, "{found:?}");
        let skipped = ValuesQuery { skipped: vec!["common".into()], ..values };
        assert!(door.values(&[skipped]).unwrap()[0].values.is_empty());
        assert!(door.count(&[query(7)]).is_err());
        let known = |column, values: &[&str]| KnownValues {
            column,
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        };
        let rare = |columns| RareQuery {
            columns,
            sigma_squared: Rational::new(1, 1).unwrap(),
            threshold: 9,
            most: 10,
            skipped: Vec::new(),
        };
        // Rows of the common word count for their numbers, the others for their words.
        let found = door.rare_values(&rare(vec![known(0, &["common"]), known(1, &[])])).unwrap();
        assert!(found[0].values.is_empty() && found[1].values.len() == 1, "{found:?}");
        assert!(found[1].values[0].0 == "6" && (found[1].values[0].1 - 2000).abs() < 8, "{found:?}");
        // What cannot be asked costs nothing.
        assert!(door.rare_values(&rare(vec![known(7, &[])])).is_err());
        let (cells, ledger, _) = door.close();
        assert_eq!(ledger.charged().len(), 5);
        assert_eq!(ledger.charged()[4].label, "rare values");
        assert!(ledger.charged()[4].step.tau() > 0.0);
        let schema = Schema::parse("[columns.w]\ntype = 'category'\nvalues = ['common']\nother = 'other'\n[columns.n]\ntype = 'integer'\nrange = [0, 20]\n", "s").unwrap();
        let table: Table = cells.coded(&schema).unwrap().open_for_steward_only();
        assert_eq!(codes(&table)[0].iter().filter(|&&code| code == 1).count(), 1000);
    }
}
