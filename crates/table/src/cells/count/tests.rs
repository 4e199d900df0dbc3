use std::collections::BTreeMap;

use lookalike_curator::{Cancel, KnownValues};

use super::RawCells;
use crate::tests::{OPTIONS, Quiet, write_file};
use crate::{ReadOptions, RowSource};

fn cells(folder: &std::path::Path, rows: &[[&str; 3]], memory: u64) -> RawCells {
    let lines = rows.iter().map(|row| row.join(","));
    let text: Vec<String> = std::iter::once("a,b,c".to_owned()).chain(lines).collect();
    let input = write_file(folder, "rows.csv", text.join("\n").as_bytes());
    let options = ReadOptions { memory, ..OPTIONS };
    let mut kept = |names: &[String]| Ok(vec![true; names.len()]);
    RawCells::take(RowSource::Input(&input), &options, (None, &[]), None, &mut kept, &Quiet).unwrap().0
}

fn pairs(cells: &RawCells, columns: &[KnownValues], skipped: &[String]) -> Vec<((usize, String), u64)> {
    let mut pairs = Vec::new();
    let mut each = |place: usize, value: &str, count: u64| pairs.push(((place, value.to_owned()), count));
    cells.each_rare_value(columns, skipped, &Cancel::new(), &mut each).unwrap();
    pairs
}

fn known(list: &[(usize, &[&str])]) -> Vec<KnownValues> {
    let known = |(column, values): &(usize, &[&str])| KnownValues {
        column: *column,
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    };
    list.iter().map(known).collect()
}

/// What one row adds, by the rule alone: one pair or none.
fn pair_of(row: [&str; 3], columns: &[KnownValues], skipped: &[String]) -> Option<(usize, String)> {
    columns.iter().enumerate().find_map(|(place, known)| {
        let value = row[known.column];
        let is_rare = !value.is_empty() && !known.values.iter().chain(skipped).any(|word| word == value);
        is_rare.then(|| (place, value.to_owned()))
    })
}

/// By brute force over all tables of up to two rows of three columns and three values: the counts
/// are the sum of what each row adds by itself, at most one pair. So one record changes one count
/// by one, which is the sensitivity that is charged.
#[test]
fn a_row_counts_once_and_for_itself_alone() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["", "x", "y"];
    let row = |number: usize| [words[number % 3], words[number / 3 % 3], words[number / 9]];
    let asked = [
        known(&[(0, &[]), (1, &[]), (2, &[])]),
        known(&[(2, &["x"]), (0, &["x", "y"]), (1, &["y"])]),
        known(&[(1, &["x"])]),
    ];
    let skipped = ["y".to_owned()];
    for first in 0..27 {
        for second in first..28 {
            let rows: Vec<[&str; 3]> = [first, second].into_iter().filter(|&number| number < 27).map(row).collect();
            let cells = cells(folder.path(), &rows, u64::MAX);
            for (columns, skipped) in asked.iter().flat_map(|columns| [(columns, &skipped[..]), (columns, &[])]) {
                let mut expected = BTreeMap::new();
                for row in &rows {
                    pair_of(*row, columns, skipped)
                        .into_iter()
                        .for_each(|pair| *expected.entry(pair).or_insert(0) += 1);
                }
                assert_eq!(pairs(&cells, columns, skipped), expected.into_iter().collect::<Vec<_>>(), "{rows:?}");
            }
        }
    }
}

/// The same with many texts, in memory and where they have several numbers each.
#[test]
fn rare_values_are_counted_exactly_whatever_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let words: Vec<String> = (0..500).map(|word| format!("w{word}")).collect();
    let word =
        |row: usize, column: usize| words[(row * 7919 + column * 104_729) % 65_537 % [7, 90, 500][column]].as_str();
    let rows: Vec<[&str; 3]> = (0..9000).map(|row| [word(row, 0), word(row, 1), word(row, 2)]).collect();
    let columns = known(&[(1, &["w1", "w2", "w3"]), (0, &["w0", "w1", "w2", "w3", "w4"]), (2, &[])]);
    let mut expected = BTreeMap::new();
    for row in &rows {
        pair_of(*row, &columns, &[]).into_iter().for_each(|pair| *expected.entry(pair).or_insert(0) += 1);
    }
    let expected: Vec<_> = expected.into_iter().collect();
    for memory in [0, 40_000, u64::MAX] {
        assert_eq!(pairs(&cells(folder.path(), &rows, memory), &columns, &[]), expected, "{memory}");
    }
}
