//! Canaries through the whole program: values outside of the schema's lists and ranges occur in no byte of what it writes or prints.
//!
//! Commands that look at the real rows without paying (`schema draft`, `schema check` with a table, `evaluate`, the steward's report) may
//! show them, and are not part of this: the last test has them say so.

mod common;

use std::io::Write;
use std::path::{Path, PathBuf};

use common::{Dice, Ran, SCHEMA, Sandbox, table};

/// Every method; the first three are fast.
const METHODS: [&str; 9] =
    ["independent", "privbayes", "mst", "privbayes-nist", "aim", "pb-pgm", "privmrf", "auto", "histogram"];

/// Runs with every method and every command.
const FULL_RUNS: usize = METHODS.len();

/// Runs of the test; those beyond [`FULL_RUNS`] are a `synth` of a fast method and one that fails. The study of record has 1,000.
fn runs() -> usize {
    std::env::var("LOOKALIKE_LEAK_RUNS").ok().and_then(|text| text.parse().ok()).unwrap_or(FULL_RUNS + 3)
}

/// A text of 16 random characters and a number of 12 digits.
struct Canary {
    word: String,
    number: String,
}

impl Canary {
    fn new(dice: &mut Dice) -> Self {
        let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        let word = (0..16).map(|_| char::from(letters[dice.below(letters.len() as u64) as usize])).collect();
        Self { word, number: (100_000_000_000 + dice.below(899_999_999_999)).to_string() }
    }

    /// Ordinary rows, and rows with the canary in every cell, too many cells, an open quote, and bytes that are no text.
    fn table(&self) -> Vec<u8> {
        let Self { word, number } = self;
        let mut bytes = table(40).into_bytes();
        for line in [
            format!("{word},{number},-{number},{word},{word},{word},{word}"),
            format!("{number},{word},{number}.5,{number},{number},{number},{number}"),
            format!("p1,5,5,north,true,2001-01-01,x,{word},{number}"),
            format!("\"{word}\",\"{number}\",\"{word}\n{number}\",\"{word}"),
        ] {
            bytes.extend_from_slice(line.as_bytes());
            bytes.extend_from_slice(b"\xff\n");
        }
        bytes
    }

    /// Where the canary stands in these bytes: as text, or as a number of 8 bytes.
    fn is_in(&self, bytes: &[u8]) -> bool {
        let number: i64 = self.number.parse().expect("a number");
        let mut forms = vec![self.word.clone().into_bytes(), self.number.clone().into_bytes()];
        for signed in [number, -number] {
            forms.extend(
                [signed.to_le_bytes(), (signed as f64).to_le_bytes(), (signed as f64).to_be_bytes()].map(Vec::from),
            );
        }
        forms.iter().any(|form| bytes.windows(form.len()).any(|window| window == form))
    }

    fn search(&self, what: &str, bytes: &[u8]) {
        assert!(!self.is_in(bytes), "a canary is in {what}");
    }

    fn search_ran(&self, what: &str, ran: &Ran) {
        self.search(&format!("what {what} prints"), ran.out.as_bytes());
        self.search(&format!("what {what} complains of"), ran.err.as_bytes());
    }
}

/// All files below a folder, and their names.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

#[test]
fn canaries_occur_in_no_byte_of_any_command() {
    let mut dice = Dice(29);
    for run in 0..runs() {
        let is_full = run < FULL_RUNS;
        let method = if is_full { METHODS[run] } else { METHODS[run % 3] };
        let (canary, sandbox) = (Canary::new(&mut dice), Sandbox::new());
        sandbox.write("people.toml", SCHEMA);
        std::fs::File::create(sandbox.path("people.csv")).and_then(|mut file| file.write_all(&canary.table())).unwrap();
        let form = if run % 5 == 4 { "parquet" } else { "csv" };
        // Rows of a Parquet release are drawn again as text below.
        let mut words = vec!["synth", "people.csv", "--schema", "people.toml", "--no-steward-report", "--out", "x"];
        words.extend(["--log-file", "log.txt", "--format", form, "--method", method, "--rows", "30"]);
        words.extend(["--epsilon", if method == "histogram" { "400" } else { "5" }]);
        if method == "histogram" {
            words.extend(["--relation", "replace-one"]);
        }
        if run % 2 == 0 {
            words.push("--json");
        }
        let ran = sandbox.run(&words);
        assert_eq!(ran.code, 0, "{method}: {}", ran.err);
        canary.search_ran(method, &ran);
        for words in after(method).iter().filter(|_| is_full) {
            let ran = sandbox.run(words);
            assert_eq!(ran.code, 0, "{method}, {words:?}: {}", ran.err);
            canary.search_ran(words[0], &ran);
        }
        for (code, words) in mistakes().into_iter().skip(if is_full { 0 } else { 6 }) {
            let ran = sandbox.run(&words);
            assert_eq!(ran.code, code, "{words:?}: {}", ran.err);
            canary.search_ran(&format!("{words:?}"), &ran);
        }
        let mut found = Vec::new();
        files(&sandbox.path("."), &mut found);
        assert!(found.len() > 6, "{method}: {found:?}");
        for path in found.iter().filter(|path| !path.ends_with("people.csv")) {
            canary.search(&format!("run {run}, {method}: {}", path.display()), &std::fs::read(path).unwrap());
        }
    }
}

/// What is done with a release. One without a model cannot be asked.
fn after(method: &str) -> &'static [&'static [&'static str]] {
    let asked: &[&[&str]] = &[
        &["verify", "x"],
        &["verify", "x", "--json"],
        &["sample", "x", "-n", "50", "--seed", "1"],
        &["sample", "x", "-n", "50", "--with-replacement", "-o", "more.parquet"],
        &["query", "x", "age,married"],
        &["query", "x", "home region", "--where", "age >= 50", "--format", "json"],
    ];
    if method == "histogram" { &asked[..2] } else { asked }
}

/// Runs that fail in the face of the same rows.
fn mistakes() -> Vec<(i32, Vec<&'static str>)> {
    let synth =
        |more: &[&'static str]| [&["synth", "people.csv", "--epsilon", "1", "--no-steward-report"], more].concat();
    vec![
        // The folder is in the way; no such method; not a schema; last: a column that the table lacks.
        (2, synth(&["--schema", "people.toml", "--out", "x"])),
        (2, synth(&["--schema", "people.toml", "--out", "y", "--method", "none"])),
        (2, synth(&["--schema", "people.csv", "--out", "y"])),
        (2, vec!["verify", "people.csv"]),
        (2, vec!["sample", "people.csv", "-n", "5"]),
        (2, vec!["query", "people.csv", "age"]),
        (2, synth(&["--schema", "people.toml", "--out", "y", "--delimiter", ";"])),
    ]
}

#[test]
fn the_search_finds_a_canary_and_steward_only_commands_say_so() {
    let mut dice = Dice(31);
    let (canary, sandbox) = (Canary::new(&mut dice), Sandbox::new());
    sandbox.write("people.toml", &SCHEMA.replace("\"north\"", &format!("{:?}", canary.word)));
    sandbox.write("people.csv", &table(300).replace("north", &canary.word));
    sandbox.synth(&["--out", "x", "--method", "independent", "--rows", "200"]);
    assert!(canary.is_in(&sandbox.bytes("x/release/synthetic.csv")), "the control: a value of the schema is found");
    assert!(canary.is_in(format!("a {} b", canary.number).as_bytes()));
    sandbox.write("people.toml", SCHEMA);
    for words in [
        &["schema", "draft", "people.csv"][..],
        &["schema", "check", "people.toml", "people.csv"],
        &["evaluate", "people.csv", "x", "--schema", "people.toml"],
    ] {
        let ran = sandbox.run(words);
        assert_eq!(ran.code, 0, "{words:?}: {}", ran.err);
        assert!((ran.out + &ran.err).contains("steward-only"), "{words:?} does not say what it is");
    }
}
