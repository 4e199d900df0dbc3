//! Nothing that was not paid for shows: canaries, replay on neighbours, equal codes.

use std::path::Path;

use crate::common::{METHODS, Run, SCHEMA, Shown, records, run_method, run_with, run_within, table};
use lookalike::Format;
use lookalike::testing::Recording;
use lookalike_testkit::Dice;

/// Runs of the canary test; the study of record has 1,000.
fn canary_runs() -> u64 {
    std::env::var("LOOKALIKE_LEAK_RUNS").ok().and_then(|text| text.parse().ok()).unwrap_or(50)
}

/// Values outside of the schema's lists and ranges that no output may contain.
struct Canaries {
    words: Vec<String>,
    numbers: Vec<i64>,
}

impl Canaries {
    fn new(dice: &mut Dice, count: usize) -> Self {
        let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        let mut letter = || char::from(letters[dice.below(letters.len() as u64) as usize]);
        let words = (0..count).map(|_| (0..16).map(|_| letter()).collect()).collect();
        let numbers = (0..count).map(|_| 100_000_000_000 + dice.below(899_999_999_999) as i64).collect();
        Self { words, numbers }
    }

    /// A canary in every cell of some records, and in every column in turn of others.
    fn records(&self) -> Vec<String> {
        let mut all = records(40);
        for (word, number) in self.words.iter().zip(&self.numbers) {
            all.push(format!("{word},{number},-{number},{word},{word},{word},{word},{word}"));
            all.push(format!("{number},{word},{number}.5,{number},{number},{number},{number},{number}"));
            all.push(format!("1,5,5,north,f,true,2001-01-01,x,{word},{number}"));
            all.push(format!("\"{word}\n{number}"));
        }
        all
    }

    /// Every form in which a canary could stand in bytes.
    fn forms(&self) -> Vec<Vec<u8>> {
        let mut forms: Vec<Vec<u8>> = self.words.iter().map(|word| word.clone().into_bytes()).collect();
        for number in &self.numbers {
            forms.push(number.to_string().into_bytes());
            for signed in [*number, -*number] {
                forms.push(signed.to_le_bytes().to_vec());
                forms.push((signed as f64).to_le_bytes().to_vec());
                forms.push((signed as f64).to_be_bytes().to_vec());
            }
        }
        forms
    }
}

fn contains(bytes: &[u8], form: &[u8]) -> bool {
    bytes.windows(form.len()).any(|window| window == form)
}

/// All that a run shows, compressed parts unpacked.
fn everything(shown: &Shown) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<(String, Vec<u8>)> = Vec::new();
    for (name, bytes) in &shown.files {
        all.push((format!("name of {}", name.display()), name.to_string_lossy().into_owned().into_bytes()));
        all.push((name.display().to_string(), bytes.clone()));
        if name.extension().is_some_and(|ending| ending == "parquet") {
            all.push((format!("{} unpacked", name.display()), unpacked(bytes)));
        }
    }
    all.push(("story".to_owned(), shown.story.clone().into_bytes()));
    if let Err(error) = &shown.result {
        all.push(("error".to_owned(), error.to_string().into_bytes()));
    }
    all
}

/// The cells of a Parquet file as text, one after the other.
fn unpacked(bytes: &[u8]) -> Vec<u8> {
    use lookalike_table::read::for_each_record;
    use lookalike_table::{Input, ReadOptions, ReadWatch};
    struct Nobody;
    impl ReadWatch for Nobody {
        fn share_read(&self, _share: f64) {}
        fn cancelled(&self) -> bool {
            false
        }
    }
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("rows.parquet");
    std::fs::write(&path, bytes).unwrap();
    let mut text = Vec::new();
    let options = ReadOptions { delimiter: None, encoding: None, multiline: false, memory: 1 << 30 };
    for_each_record(&Input::Path(path), &options, &Nobody, &mut |_| Ok(()), &mut |cells| {
        for cell in cells {
            text.extend_from_slice(cell);
            text.push(b'\n');
        }
    })
    .unwrap();
    text
}

#[test]
fn canaries_occur_in_no_byte() {
    let mut dice = Dice(3);
    for round in 0..canary_runs() {
        let canaries = Canaries::new(&mut dice, 3);
        let bytes = table(&canaries.records());
        let format = if round % 5 == 4 { Format::Parquet } else { Format::Csv };
        let (method, files) = METHODS[round as usize % METHODS.len()];
        let shown = run_method(method, SCHEMA, &bytes, format, |job| job);
        assert_eq!(shown.files.len(), files, "a release");
        // A run that fails speaks too: here the schema asks for a column that is not there.
        let wrong = SCHEMA.replace("[columns.sex]", "[columns.gender]");
        let failed = run_method(method, &wrong, &bytes, format, |job| job);
        assert!(failed.result.is_err() && failed.files.is_empty());
        for (place, shown) in everything(&shown).into_iter().chain(everything(&failed)) {
            for form in canaries.forms() {
                assert!(!contains(&shown, &form), "run {round}: a canary is in {place}");
            }
        }
    }
}

#[test]
fn the_search_for_canaries_finds_one() {
    // The control: a canary that the schema lists is found, in plain and in packed rows.
    let schema = SCHEMA.replace("\"north\", ", "\"Zq81canary55abcd\", ");
    let bytes = table(&vec!["1,5,5,Zq81canary55abcd,f,true,2001-01-01,x".to_owned(); 400]);
    for format in [Format::Csv, Format::Parquet] {
        let shown = run_with(&schema, &bytes, format, |job| job);
        let found: Vec<String> = everything(&shown)
            .into_iter()
            .filter(|(_, bytes)| contains(bytes, b"Zq81canary55abcd"))
            .map(|(place, _)| place)
            .collect();
        let rows = if format == Format::Csv { "release/synthetic.csv" } else { "release/synthetic.parquet unpacked" };
        assert!(found.iter().any(|place| place == rows), "{found:?}");
    }
}

fn same(one: &Shown, other: &Shown, what: &str) {
    assert_eq!(one.result.is_ok(), other.result.is_ok(), "{what}: exit code");
    assert_eq!(one.files.keys().collect::<Vec<_>>(), other.files.keys().collect::<Vec<_>>(), "{what}: file names");
    for (name, bytes) in &one.files {
        assert!(other.files[name] == *bytes, "{what}: {} differs", name.display());
    }
    assert_eq!(one.story, other.story, "{what}: what the observer is told");
}

#[test]
fn answers_replayed_on_a_neighbour_give_the_same_bytes() {
    let base = records(60);
    let mut added = base.clone();
    added.push("999,77,-5,nowhere,x,maybe,1066-10-14,secret".to_owned());
    let removed = base[1..].to_vec();
    let mut replaced = base.clone();
    replaced[7] = "\"broken,\u{0},,,,,,,,,,,,".to_owned();
    let elsewhere: Vec<String> = (0..60).map(|_| "1,99,5,west,m,true,2020-01-01,x".to_owned()).collect();
    // The number of rows is public under replace-one: there a neighbour has as many.
    let any = [("one more", &added), ("one less", &removed), ("one replaced", &replaced), ("none at all", &vec![])];
    let mut other = base.clone();
    other[7] = added[60].clone();
    let as_many = [("one replaced", &other), ("all replaced", &elsewhere)];
    // Without bins, columns are counted slot by slot.
    let unbinned =
        ["bins = 10\n", "bins = 5\n", "bins = 7\n"].iter().fold(SCHEMA.to_owned(), |s, bins| s.replace(bins, ""));
    for format in [Format::Csv, Format::Parquet] {
        for (method, neighbours) in [
            ("auto", &any[..]),
            ("auto, unbinned", &any[..]),
            ("independent", &any[..]),
            ("privbayes", &any[..]),
            ("privbayes-nist", &any[..]),
            ("pb-pgm", &any[..]),
            ("privmrf", &any[..]),
            ("mst", &any[..]),
            ("aim", &any[..]),
            ("histogram", &as_many[..]),
        ] {
            let (method, schema) = match method.strip_suffix(", unbinned") {
                Some(method) => (method, unbinned.as_str()),
                None => (method, SCHEMA),
            };
            let run =
                |rows: &[String], adapt: &dyn Fn(Run) -> Run| run_method(method, schema, &table(rows), format, adapt);
            let recording = Recording::new();
            let recorded = run(&base, &|job| job.with_test_noise(1).recording_on(&recording));
            assert!(!recording.answers().is_empty(), "nothing was recorded");
            for (what, neighbour) in neighbours {
                let replayed = run(neighbour, &|job| job.with_test_noise(2).replaying(&recording));
                same(&recorded, &replayed, &format!("{method}, {what}"));
            }
            // The control: without the recording the bytes do differ.
            let fresh = run(&base, &|job| job.with_test_noise(2));
            let rows = format!("release/synthetic.{}", format.name());
            let page = Path::new("release/report.html");
            assert!(recorded.files.contains_key(page), "{method}: the page is among what was compared");
            for file in [Path::new("release/model.lookalike"), page, Path::new(&rows)] {
                let there = recorded.files.get(file);
                assert!(there.is_none() || there != fresh.files.get(file), "{method}: {}", file.display());
            }
            assert!(recorded.files.contains_key(Path::new(&rows)));
            let statement = String::from_utf8_lossy(&recorded.files[Path::new("release/privacy.json")]).into_owned();
            let chooses_parents = ["privbayes", "pb-pgm"].contains(&method);
            assert_eq!(chooses_parents, statement.contains("parents in the network"), "{method}: selections");
        }
    }
}

#[test]
fn equal_codes_give_the_same_bytes() {
    // Each pair has the same codes: clamped, other, missing, first code, same bin, or never read.
    let plain = [
        "1,99,1000,elsewhere,f,true,2020-12-31,x",
        "2,0,,nowhere,f,,2000-01-01,y",
        "3,14,150,south,m,false,2003-05-05,z",
    ];
    let other = [
        "whoever,99999,1e300,Atlantis,unknown,yes,9999-01-01,\"long, \n text\"",
        ",-7,NA,,,NA,0001-01-01",
        "0,17,199.99, south ,m,no,2003-05-06,,,,more,cells",
    ];
    let schema = format!("multiline = true\n{SCHEMA}");
    let repeated = |records: &[&str]| table(&(0..30).map(|row| records[row % 3].to_owned()).collect::<Vec<_>>());
    for (method, format) in METHODS.iter().flat_map(|(method, _)| [(method, Format::Csv), (method, Format::Parquet)]) {
        let run = |rows: Vec<u8>| run_method(method, &schema, &rows, format, |job| job.with_test_noise(4));
        let one = run(repeated(&plain));
        let two = run(repeated(&other));
        same(&one, &two, "same codes");
        let marks = String::from_utf8_lossy(&one.files[Path::new("release/privacy.json")]).into_owned();
        assert!(marks.contains("NOT PRIVATE"), "test noise is marked");
        let mut changed = plain;
        changed[2] = "3,54,150,south,m,false,2003-05-05,z";
        let three = run(repeated(&changed));
        assert!(one.files != three.files, "{method}: the control: another code shows");
    }
}

/// `--memory` and `--time` are sizes and numbers of rounds, never a clock or a count of rows:
/// answers recorded on a table that fits give the same bytes on one that is spilled to the disk and
/// takes far longer to read.
#[test]
fn memory_and_time_decide_nothing_by_rows() {
    let (few, many) = (table(&records(60)), table(&records(60_000)));
    for (limits, method) in [
        ((Some("4KiB"), Some("1s")), "auto"),
        ((Some("4KiB"), Some("1s")), "aim"),
        ((Some("4KiB"), None), "privmrf"),
        ((Some("64KiB"), Some("2h")), "mst"),
        ((Some("4KiB"), Some("1s")), "privbayes-nist"),
        ((Some("4KiB"), None), "independent"),
    ] {
        let run =
            |bytes: &[u8], adapt: &dyn Fn(Run) -> Run| run_within(limits, method, SCHEMA, bytes, Format::Csv, adapt);
        let recording = Recording::new();
        let recorded = run(&few, &|job| job.with_test_noise(1).recording_on(&recording));
        assert!(recorded.result.is_ok(), "{method}: little memory is no reason to refuse");
        let replayed = run(&many, &|job| job.with_test_noise(2).replaying(&recording));
        same(&recorded, &replayed, &format!("{method} within {limits:?}"));
    }
}
