//! Whatever the rows are, there is a release.

use crate::common::{HEADER, METHODS, SCHEMA, records, relation_of, run_method, table};
use lookalike::{Format, verify};
use lookalike_testkit::Dice;

fn released(what: &str, bytes: &[u8]) {
    for format in [Format::Csv, Format::Parquet] {
        for (method, files) in METHODS {
            let shown = run_method(method, SCHEMA, bytes, format, |job| job);
            let release = shown.release();
            let cap = release.epsilon().expect("a guarantee");
            // Where no table is worth a round, `auto` leaves its choices unspent.
            let least = if method == "auto" { 0.9 } else { 0.98 };
            assert!(release.used() <= cap && release.used() >= least * cap, "{method}, {what}: {}", release.used());
            assert_eq!(shown.files.len(), files, "{method}, {what}");
        }
    }
}

#[test]
fn few_rows_and_rows_that_are_all_the_same() {
    released("no rows", &table(&[]));
    released("no rows, no line end", HEADER.as_bytes());
    released("one row", &table(&records(1)));
    released("all rows equal", &table(&vec![records(1).remove(0); 500]));
    released("empty lines", format!("{}\n\n\n,\n,,,,,,,,,,,\n", HEADER).as_bytes());
}

#[test]
fn numbers_that_are_none() {
    let cells =
        ["NaN", "inf", "-inf", "1e308", "-1e308", "1e-308", "9223372036854775808", "-0", "0x10", "1e999", "٣", "1,5"];
    let rows: Vec<String> = cells
        .iter()
        .map(|cell| format!("{cell},\"{cell}\",\"{cell}\",\"{cell}\",\"{cell}\",\"{cell}\",\"{cell}\",x"))
        .collect();
    released("odd numbers", &table(&rows));
}

#[test]
fn hostile_rows_in_any_order() {
    let hostile = [
        "\"",
        "\"\"\"",
        "a,b,c",
        "\0\0\0",
        ",,,,,,,,,,,,,,,,,,,,",
        "\u{feff}",
        "=1+1",
        "'; drop table people; --",
        "\r\r\r",
    ];
    let mut rows: Vec<Vec<u8>> = records(1).into_iter().map(String::into_bytes).collect();
    rows.extend(hostile.iter().map(|row| row.as_bytes().to_vec()));
    rows.push(vec![0xff, 0xfe, 0x80, b',', 0xc3]);
    rows.push("x".repeat(100_000).into_bytes());
    let mut dice = Dice(8);
    for round in 0..6 {
        for place in (1..rows.len()).rev() {
            rows.swap(place, dice.below(place as u64 + 1) as usize);
        }
        let mut bytes = format!("{}\n", HEADER).into_bytes();
        for row in &rows {
            bytes.extend_from_slice(row);
            bytes.push(b'\n');
        }
        released(&format!("order {round}"), &bytes);
    }
}

#[test]
fn verify_notices_every_changed_byte() {
    METHODS.iter().for_each(|(method, _)| every_changed_byte(method));
}

fn every_changed_byte(method: &str) {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("rows.csv");
    std::fs::write(&path, table(&records(50))).unwrap();
    let spec = lookalike::JobSpec {
        epsilon: Some(1.0),
        method: Some(method.to_owned()),
        relation: relation_of(method),
        out: Some(home.path().join("out")),
        rows: Some(20),
        ..Default::default()
    };
    let schema = lookalike::Schema::parse(SCHEMA, "schema").unwrap();
    let job = spec.check_with_schema(schema).unwrap();
    let (_, written) = job.run(lookalike::Input::Path(path), &lookalike::Unwatched, &lookalike::Cancel::new()).unwrap();
    assert!(verify(written.folder()).unwrap().agrees());
    let mut dice = Dice(21);
    for (name, _) in written.files() {
        let path = written.release_folder().join(name);
        let whole = std::fs::read(&path).unwrap();
        // Every byte of a small file; of a large one a hundred places, the ends among them.
        let step = (whole.len() / 100).max(1);
        for place in (0..whole.len()).step_by(step).chain([whole.len() - 1]) {
            let mut changed = whole.clone();
            changed[place] ^= 1 << dice.below(8);
            std::fs::write(&path, &changed).unwrap();
            assert!(!verify(written.folder()).unwrap().agrees(), "{name}: byte {place}");
        }
        std::fs::write(&path, &whole).unwrap();
    }
    assert!(verify(written.folder()).unwrap().agrees());
}
