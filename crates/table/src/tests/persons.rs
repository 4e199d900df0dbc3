//! The first rows of each person, against a reference that is plain to see.

use std::collections::HashMap;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use lookalike_schema::Schema;
use proptest::prelude::*;

use super::{OPTIONS, Quiet, codes, write_file};
use crate::{Input, Persons, PrivateTable, ReadOptions, TableError};

/// Ids that are easily mixed up, and cells that are none.
const IDS: [&str; 12] = ["a", "A", "a ", " a", "aa", "", "NA", " ", "7", "07", "é", "\"q\", x"];

fn schema() -> Schema {
    let text = "[columns.pid]\ntype = \"id\"\n[columns.v]\ntype = \"integer\"\nrange = [0, 999]\nbins = 1000\n";
    Schema::parse(text, "test").unwrap()
}

fn persons(most: u32) -> Persons {
    Persons { column: "pid".to_owned(), most }
}

fn read(input: &Input, most: u32, memory: u64) -> Vec<u32> {
    let options = ReadOptions { memory, ..OPTIONS };
    let table = PrivateTable::read_persons(input, &schema(), &options, &persons(most), &Quiet).unwrap();
    codes(&table.open_for_steward_only()).remove(0)
}

fn read_text(name: &str, bytes: &[u8], most: u32) -> Vec<u32> {
    let folder = tempfile::tempdir().unwrap();
    read(&write_file(folder.path(), name, bytes), most, u64::MAX)
}

/// The rows as CSV; the value of a row is its number.
fn csv(ids: &[&str]) -> String {
    let rows = ids.iter().enumerate().map(|(row, id)| format!("\"{}\",{row}\n", id.replace('"', "\"\"")));
    std::iter::once("pid,v\n".to_owned()).chain(rows).collect()
}

/// What is kept, in order.
fn reference(ids: &[&str], most: u32) -> Vec<u32> {
    let mut seen: HashMap<&str, u32> = HashMap::new();
    let mut kept = Vec::new();
    for (row, id) in ids.iter().enumerate() {
        if ["", "NA"].contains(&id.trim()) {
            continue;
        }
        let rows = seen.entry(id).or_default();
        *rows += 1;
        if *rows <= most {
            kept.push(row as u32);
        }
    }
    kept
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_first_rows_of_each_id_in_file_order(picks in prop::collection::vec(0..IDS.len(), 0..300), most in 1u32..5) {
        let ids: Vec<&str> = picks.iter().map(|&pick| IDS[pick]).collect();
        let (text, expected) = (csv(&ids), reference(&ids, most));
        prop_assert_eq!(read_text("a.csv", text.as_bytes(), most), expected.clone());
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(text.as_bytes()).unwrap();
        prop_assert_eq!(read_text("a.csv.gz", &packed.finish().unwrap(), most), expected);
    }
}

/// Many chunks, several threads, persons whose rows lie far apart; and less memory than the persons need.
#[test]
fn large_files_and_little_memory() {
    let names: Vec<String> = (0..20_000u32).map(|person| format!("person number {person}")).collect();
    // 7,919 and 20,000 have no common factor: everybody comes once in each third of the file.
    let ids: Vec<&str> = (0..60_000usize).map(|row| names[row * 7919 % 20_000].as_str()).collect();
    let mut text = String::from("pid,v\n");
    for (row, id) in ids.iter().enumerate() {
        text.push_str(&format!("{id},{}\n", row % 1000));
    }
    let folder = tempfile::tempdir().unwrap();
    let input = write_file(folder.path(), "a.csv", text.as_bytes());
    for most in [1, 2] {
        let mut expected: Vec<u32> = reference(&ids, most).iter().map(|row| row % 1000).collect();
        assert_eq!(expected.len(), 20_000 * most as usize);
        assert_eq!(read(&input, most, u64::MAX), expected);
        // Room for 1,024 persons: the others are late, twenty times over. The same rows, in another order.
        let mut found = read(&input, most, 1);
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}

/// Every table of up to four rows of two persons and of nobody, and its neighbour without the one person: no count of a
/// marginal differs by more than the contribution, in all.
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
                let [with, without] = [&rows, &others].map(|rows| {
                    let lines: String = rows.iter().map(|(id, value)| format!("{id},{value}\n")).collect();
                    let found = read_text("a.csv", format!("pid,v\n{lines}").as_bytes(), most);
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
    let input = write_file(folder.path(), "a.csv", b"v,w,pid\n1,x,a\n2,x,a\n3,x\n4,x,b\n");
    let unlisted = Schema::parse("{\"v\": 1000}", "domain.json").unwrap();
    let found = PrivateTable::read_persons(&input, &unlisted, &OPTIONS, &persons(1), &Quiet).unwrap();
    assert_eq!(codes(&found.open_for_steward_only()), [[1, 4]]);
    let missing = Persons { column: "nobody".to_owned(), most: 1 };
    let refused = PrivateTable::read_persons(&input, &unlisted, &OPTIONS, &missing, &Quiet);
    assert!(matches!(refused, Err(TableError::Schema(_))));
}

#[test]
fn a_table_without_rows_and_one_without_ids() {
    assert!(read_text("a.csv", b"pid,v\n", 2).is_empty());
    assert!(read_text("a.csv", b"pid,v\n,1\nNA,2\n\"\",3\n", 2).is_empty());
}
