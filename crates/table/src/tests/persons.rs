//! What is kept of each person, against a reference that is plain to see.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use hmac::{Hmac, KeyInit, Mac};
use lookalike_schema::Schema;
use proptest::prelude::*;
use sha2::Sha256;

use super::{OPTIONS, codes, write_file};
use super::{read_bounded, read_persons};
use crate::read::Bounds;
use crate::{Input, Persons, ReadOptions, TableError};

/// Ids that are easily mixed up, and cells that are none.
const IDS: [&str; 16] =
    ["a", "A", "a ", " a", "aa", "", "NA", " ", "7", "07", "é", "\"q\", x", "0.0", "-0.0", "nan", "7.0"];

/// A key that tests know.
const KEY: [u8; 32] = [9; 32];

fn schema() -> Schema {
    let text = "[columns.pid]\ntype = \"id\"\n[columns.v]\ntype = \"integer\"\nrange = [0, 999]\nbins = 1000\n";
    Schema::parse(text, "test").unwrap()
}

fn persons(most: u32) -> Persons {
    Persons { column: "pid".to_owned(), most }
}

fn in_order(mut rows: Vec<u32>) -> Vec<u32> {
    rows.sort_unstable();
    rows
}

/// The kept values, in order.
fn read(input: &Input, most: u32, memory: u64, key: [u8; 32]) -> Vec<u32> {
    let options = ReadOptions { memory, ..OPTIONS };
    let persons = persons(most);
    let bounds = Bounds::with_key(&persons, key);
    let table = read_bounded(input, &schema(), &options, &bounds).unwrap();
    in_order(codes(&table).remove(0))
}

fn read_text(name: &str, bytes: &[u8], most: u32, key: [u8; 32]) -> Vec<u32> {
    let folder = tempfile::tempdir().unwrap();
    read(&write_file(folder.path(), name, bytes), most, u64::MAX, key)
}

/// The rows as CSV.
fn csv(rows: &[(&str, u32)]) -> String {
    let rows = rows.iter().map(|(id, value)| format!("\"{}\",{value}\n", id.replace('"', "\"\"")));
    std::iter::once("pid,v\n".to_owned()).chain(rows).collect()
}

fn hmac(parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(&KEY).unwrap();
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().into()
}

/// What is kept under [`KEY`], in order: the definition, word by word.
fn reference(rows: &[(&str, u32)], most: u32) -> Vec<u32> {
    let mut by_person: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for &(id, value) in rows {
        let id = if id == "-0.0" { "0.0" } else { id };
        if !["", "NA", "nan"].contains(&id.trim()) {
            by_person.entry(id).or_default().push(value);
        }
    }
    let mut kept = Vec::new();
    for (id, values) in by_person {
        let tag = hmac(&[b"person", id.as_bytes()]);
        let mut seen: HashMap<u32, u64> = HashMap::new();
        let mut keyed: Vec<([u8; 8], u32)> = Vec::new();
        for value in values {
            let k = seen.entry(value).or_default();
            let key = hmac(&[b"row of", &tag[..16], &k.to_le_bytes(), &(value as u16).to_le_bytes()]);
            keyed.push((*key.first_chunk().unwrap(), value));
            *k += 1;
        }
        keyed.sort_unstable();
        kept.extend(keyed.into_iter().take(most as usize).map(|(_, value)| value));
    }
    in_order(kept)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Any rows in any order, in both kinds of text file: the same rows are kept. Values repeat, so
    /// rows are equal often.
    #[test]
    fn the_rows_with_the_smallest_keys_of_each_person(
        (rows, shuffled) in prop::collection::vec((0..IDS.len(), 0u32..9), 0..300)
            .prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle())),
        most in 1u32..5,
    ) {
        let named = |rows: &[(usize, u32)]| rows.iter().map(|&(pick, value)| (IDS[pick], value)).collect::<Vec<_>>();
        let (rows, shuffled) = (named(&rows), named(&shuffled));
        let expected = reference(&rows, most);
        prop_assert_eq!(read_text("a.csv", csv(&rows).as_bytes(), most, KEY), expected.clone());
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(csv(&shuffled).as_bytes()).unwrap();
        prop_assert_eq!(read_text("a.csv.gz", &packed.finish().unwrap(), most, KEY), expected.clone());
        // Without everybody else the rows of one person stay what they are.
        let own: Vec<(&str, u32)> = shuffled.iter().copied().filter(|row| row.0 == "a").collect();
        let others: Vec<(&str, u32)> = rows.iter().copied().filter(|row| row.0 != "a").collect();
        let own = read_text("a.csv", csv(&own).as_bytes(), most, KEY);
        prop_assert!(own.len() <= most as usize);
        let apart = [own, read_text("a.csv", csv(&others).as_bytes(), most, KEY)].concat();
        prop_assert_eq!(in_order(apart), expected);
    }
}

/// Many chunks, several threads, persons whose rows lie far apart, and one with half of all rows;
/// in much memory and in little, where sorted runs lie in a file.
#[test]
fn large_files_and_little_memory() {
    let names: Vec<String> = (0..20_000u32).map(|person| format!("person number {person}")).collect();
    let mut rows: Vec<(&str, u32)> = (0..60_000usize)
        // 7,919 and 20,000 have no common factor: everybody comes once in each third of the file.
        .map(|row| (names[row * 7919 % 20_000].as_str(), row as u32 % 1000))
        .collect();
    rows.extend((0..60_000).map(|row| ("one of many rows", row * 31 % 800)));
    let folder = tempfile::tempdir().unwrap();
    let input = write_file(folder.path(), "a.csv", csv(&rows).as_bytes());
    for most in [1, 2, 5000] {
        let expected = reference(&rows, most);
        assert_eq!(expected.len(), 20_000 * most.min(3) as usize + most as usize);
        assert_eq!(read(&input, most, u64::MAX, KEY), expected);
        assert_eq!(read(&input, most, 1, KEY), expected);
    }
}

/// In a file that is sorted by month no month is preferred. Each of 4,000 persons has one row of
/// each month, and three are kept, so a month is kept 1,000 times on average, with a standard
/// deviation of 27.4 (4,000 draws with probability 1/4). More than six deviations off in any of
/// twelve months: a false alarm in less than one of 4 * 10^7 runs. The first rows of the file would
/// be 109 deviations off.
#[test]
fn no_month_of_a_sorted_file_is_preferred() {
    let mut text = String::from("pid,v\n");
    for month in 0..12 {
        (0..4000).for_each(|person| text.push_str(&format!("{person},{month}\n")));
    }
    let folder = tempfile::tempdir().unwrap();
    let input = write_file(folder.path(), "a.csv", text.as_bytes());
    let kept = || {
        let table = read_persons(&input, &schema(), &persons(3)).unwrap();
        in_order(codes(&table).remove(0))
    };
    let found = kept();
    assert_eq!(found.len(), 12_000);
    for month in 0..12 {
        let rows = found.iter().filter(|&&value| value == month).count() as f64;
        assert!((rows - 1000.0).abs() < 6.0 * 27.4, "month {month}: {rows}");
    }
    // Every read has a key of its own.
    assert_ne!(kept(), found);
}

/// The order of the file's columns has no part in what is kept: content stands in the schema's
/// order.
#[test]
fn the_order_of_columns_does_not_matter() {
    let schema = Schema::parse("{\"v\": 1000, \"w\": 7}", "domain.json").unwrap();
    let rows: Vec<(u32, u32, u32)> = (0..500).map(|row| (row % 50, row * 7 % 1000, row % 7)).collect();
    let folder = tempfile::tempdir().unwrap();
    let persons = persons(2);
    let [one, other] = ["v,w,pid", "w,pid,v"].map(|header| {
        let line = |&(id, v, w): &(u32, u32, u32)| match header {
            "v,w,pid" => format!("{v},{w},{id}\n"),
            _ => format!("{w},{id},{v}\n"),
        };
        let text: String = std::iter::once(format!("{header}\n")).chain(rows.iter().map(line)).collect();
        let input = write_file(folder.path(), "a.csv", text.as_bytes());
        let bounds = Bounds::with_key(&persons, KEY);
        let table = read_bounded(&input, &schema, &OPTIONS, &bounds).unwrap();
        let v = table.schema().attribute("v").unwrap();
        in_order(table.codes(v).unwrap())
    });
    assert_eq!(one, other);
}

/// Every table of up to four rows of two persons and of nobody, and its neighbour without the one
/// person: under one key no count of a marginal differs by more than the contribution, in all.
#[test]
fn a_person_changes_any_marginal_by_the_contribution_at_most() {
    let cells = [("a", 0), ("a", 1), ("b", 0), ("b", 1), ("", 0)];
    let mut worst = [0; 3];
    for length in 0..=4u32 {
        for number in 0..5usize.pow(length) {
            let rows: Vec<(&str, u32)> = (0..length).map(|place| cells[number / 5usize.pow(place) % 5]).collect();
            let others: Vec<(&str, u32)> = rows.iter().copied().filter(|row| row.0 != "a").collect();
            if others.len() == rows.len() {
                continue;
            }
            for most in 1..=3 {
                let key = [number as u8; 32];
                let [with, without] = [&rows, &others].map(|rows| {
                    let lines: String = rows.iter().map(|(id, value)| format!("{id},{value}\n")).collect();
                    let found = read_text("a.csv", format!("pid,v\n{lines}").as_bytes(), most, key);
                    [0, 1].map(|value| found.iter().filter(|&&code| code == value).count())
                });
                let marginal: usize = with.iter().zip(without).map(|(a, b)| a.abs_diff(b)).sum();
                let count = with.iter().sum::<usize>().abs_diff(without.iter().sum());
                assert!(marginal <= most as usize && count <= most as usize, "{rows:?}");
                worst[most as usize - 1] = marginal.max(worst[most as usize - 1]);
            }
        }
    }
    assert_eq!(worst, [1, 2, 3], "and the bound is reached");
}

#[test]
fn the_column_may_stand_anywhere_and_be_unlisted_and_must_be_there() {
    let folder = tempfile::tempdir().unwrap();
    let input = write_file(folder.path(), "a.csv", b"v,w,pid\n1,x,a\n1,x,a\n3,x\n4,x,b\n");
    let unlisted = Schema::parse("{\"v\": 1000}", "domain.json").unwrap();
    let found = read_persons(&input, &unlisted, &persons(1)).unwrap();
    assert_eq!(in_order(codes(&found).remove(0)), [1, 4]);
    let missing = Persons { column: "nobody".to_owned(), most: 1 };
    let refused = read_persons(&input, &unlisted, &missing);
    assert!(matches!(refused, Err(TableError::Schema(_))));
}

#[test]
fn a_table_without_rows_and_one_without_ids() {
    assert!(read_text("a.csv", b"pid,v\n", 2, KEY).is_empty());
    assert!(read_text("a.csv", b"pid,v\n,1\nNA,2\n\"\",3\n", 2, KEY).is_empty());
}
