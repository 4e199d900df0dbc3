//! Canaries through the whole program: values outside of the schema's lists and ranges occur in no
//! byte of what it writes or prints.
//!
//! Commands that look at the real rows without paying (`schema draft`, `schema check` with a table)
//! may show them, and are not part of this: the last test has them say so. The steward's report
//! looks at coded rows, so it shows no canary either. `evaluate` shows quantiles of the numbers as
//! they stand, which may be cells: of its page and standard output, words alone are searched for.

use std::io::Write;
use std::path::{Path, PathBuf};

use lookalike_testkit::people::{SCHEMA, table};
use lookalike_testkit::{Dice, Ran, Sandbox};

use crate::empty;

/// Every method.
const METHODS: [&str; 9] =
    ["independent", "privbayes", "mst", "privbayes-nist", "aim", "pb-pgm", "privmrf", "auto", "histogram"];

/// The first runs, one a method, have every command and every mistake; each of them with canaries
/// of its own. The later ones are a `synth` and one that fails.
const FULL_RUNS: usize = METHODS.len();

/// Runs of the test. The study of record has 1,000.
fn runs() -> usize {
    std::env::var("LOOKALIKE_LEAK_RUNS").ok().and_then(|text| text.parse().ok()).unwrap_or(FULL_RUNS + 3)
}

/// Runs the program with everything that makes programs talk.
fn loudly(sandbox: &Sandbox, words: &[&str]) -> Ran {
    let mut command = sandbox.command(words);
    command.env("RUST_LOG", "trace").env("RUST_BACKTRACE", "full").env("RUST_LIB_BACKTRACE", "full");
    Ran::of(command.output().expect("the program starts"))
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

    /// Ordinary rows, and rows with the canary in every cell, too many cells, an open quote, and
    /// bytes that are no text.
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

    /// A search for the word alone, in what may show quantiles of real numbers.
    fn search_word(&self, what: &str, bytes: &[u8]) {
        let word = self.word.as_bytes();
        assert!(!bytes.windows(word.len()).any(|window| window == word), "a canary is in {what}");
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
pub(crate) fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

#[test]
fn canaries_occur_in_no_byte_of_any_command() {
    let mut dice = Dice(29);
    for run in 0..runs() {
        let (is_full, method) = (run < FULL_RUNS, METHODS[run % METHODS.len()]);
        let (canary, sandbox) = (Canary::new(&mut dice), empty());
        sandbox.write("people.toml", SCHEMA);
        std::fs::File::create(sandbox.path("people.csv")).and_then(|mut file| file.write_all(&canary.table())).unwrap();
        let in_ledger = method != "histogram" && (is_full || run % 8 == 0);
        if in_ledger {
            let open = ["ledger", "open", "people", "--epsilon", "9", "--filter", "epsilon-delta", "--file", "L.db"];
            assert_eq!(loudly(&sandbox, &open).code, 0);
        }
        let ran = loudly(&sandbox, &synth(method, run, in_ledger));
        assert_eq!(ran.code, 0, "{method}: {}", ran.err);
        canary.search_ran(method, &ran);
        for words in after(method, in_ledger).iter().filter(|_| is_full) {
            let ran = loudly(&sandbox, words);
            assert_eq!(ran.code, 0, "{method}, {words:?}: {}", ran.err);
            if words[0] == "evaluate" {
                canary.search_word("what evaluate prints", ran.out.as_bytes());
                canary.search("what evaluate complains of", ran.err.as_bytes());
            } else {
                canary.search_ran(words[0], &ran);
            }
        }
        for (code, words) in mistakes().into_iter().skip(if is_full { 0 } else { 6 }) {
            let ran = loudly(&sandbox, &words);
            assert_eq!(ran.code, code, "{words:?}: {}", ran.err);
            canary.search_ran(&format!("{words:?}"), &ran);
        }
        let mut found = Vec::new();
        files(&sandbox.path("."), &mut found);
        assert!(found.len() > 6, "{method}: {found:?}");
        for path in found.iter().filter(|path| !path.ends_with("people.csv")) {
            canary.search(&format!("the name of {}", path.display()), path.to_string_lossy().as_bytes());
            let (what, bytes) = (format!("run {run}, {method}: {}", path.display()), std::fs::read(path).unwrap());
            if path.ends_with("evaluation.html") {
                canary.search_word(&what, &bytes);
            } else {
                canary.search(&what, &bytes);
            }
        }
    }
}

/// A release of this run's own kind. Rows of a Parquet release are drawn again as text afterwards.
fn synth(method: &'static str, run: usize, in_ledger: bool) -> Vec<&'static str> {
    let form = if run % 5 == 4 { "parquet" } else { "csv" };
    let mut words = vec!["synth", "people.csv", "--schema", "people.toml", "--out", "x", "--log-file", "log.txt"];
    words.extend(["--format", form, "--method", method, "--rows", "30"]);
    words.extend(["--epsilon", if method == "histogram" { "400" } else { "5" }]);
    if method == "histogram" {
        words.extend(["--relation", "replace-one"]);
    }
    if in_ledger {
        words.extend(["--ledger", "L.db", "--dataset", "people"]);
    }
    // The steward's comparison is a process of its own, and takes longer than the run.
    if run >= FULL_RUNS {
        words.push("--no-steward-report");
    }
    if run.is_multiple_of(2) {
        words.push("--json");
    }
    words
}

/// Headers that are none, with canaries in and below them: whatever comes of it, nothing of the
/// rows is told.
#[test]
fn canaries_below_a_broken_header_are_not_told() {
    let mut dice = Dice(37);
    for round in 0..runs().div_ceil(10) {
        let (canary, sandbox) = (Canary::new(&mut dice), empty());
        let Canary { word, number } = &canary;
        sandbox.write("people.toml", SCHEMA);
        let header = "id,age,income,home region,married,since,remark";
        let rows = format!("{word},{number},{number},{word},{word},{word},{word}\n").repeat(3);
        let tables: [Vec<u8>; 8] = [
            format!("id,age,\"income\n{rows}").into_bytes(),
            format!("\"{header}\n{rows}").into_bytes(),
            format!("id,age\n{rows}").into_bytes(),
            format!("{header},{header}\n{rows}").into_bytes(),
            format!("\n{rows}").into_bytes(),
            format!("\u{feff}{header};\r{rows}").into_bytes(),
            [b"PAR1", rows.as_bytes(), b"PAR1"].concat(),
            [&[0x1f, 0x8b, 8, 0], rows.as_bytes()].concat(),
        ];
        for (place, bytes) in tables.iter().enumerate() {
            for name in ["people.csv", "people.parquet", "people.csv.gz"] {
                std::fs::write(sandbox.path(name), bytes).expect("a table");
                let words = ["synth", name, "--schema", "people.toml", "--epsilon", "1", "--no-steward-report"];
                let ran =
                    loudly(&sandbox, &[&words[..], &["--method", "independent", "--out", "x", "--force"]].concat());
                assert!(ran.code == 0 || ran.code == 2, "round {round}, table {place}, {name}: {}", ran.err);
                canary.search_ran(&format!("table {place} as {name}"), &ran);
                std::fs::remove_file(sandbox.path(name)).expect("it is there");
            }
        }
        let mut found = Vec::new();
        files(&sandbox.path("."), &mut found);
        found.iter().for_each(|path| canary.search(&path.display().to_string(), &std::fs::read(path).unwrap()));
    }
}

/// What is done with a release, and beside it. One without a model cannot be asked.
fn after(method: &str, in_ledger: bool) -> Vec<&'static [&'static str]> {
    let mut words: Vec<&[&str]> = vec![
        &["verify", "x"],
        &["verify", "x", "--json"],
        &["evaluate", "people.csv", "x", "--schema", "people.toml", "--html", "evaluation.html"],
        &["evaluate", "people.csv", "x", "--schema", "people.toml", "--target", "married", "--json"],
        &["plan", "--schema", "people.toml", "--rows", "40", "--epsilon", "1", "--method", "independent"],
        &["schema", "check", "people.toml"],
        &["methods", "--json"],
        &["audit", "--mechanism", "row-count-laplace", "--runs", "50", "--threads", "1"],
    ];
    if method != "histogram" {
        words.extend::<[&[&str]; 4]>([
            &["sample", "x", "-n", "50", "--seed", "1"],
            &["sample", "x", "-n", "50", "--with-replacement", "-o", "more.parquet"],
            &["query", "x", "age,married"],
            &["query", "x", "home region", "--where", "age >= 50", "--format", "json"],
        ]);
    }
    if in_ledger {
        words.extend::<[&[&str]; 3]>([
            &["ledger", "show", "--file", "L.db"],
            &["ledger", "show", "people", "--file", "L.db", "--json"],
            &["ledger", "close", "people", "--file", "L.db"],
        ]);
    }
    words
}

/// Runs that fail in the face of the same rows.
fn mistakes() -> Vec<(i32, Vec<&'static str>)> {
    let synth =
        |more: &[&'static str]| [&["synth", "people.csv", "--epsilon", "1", "--no-steward-report"], more].concat();
    vec![
        // The folder is in the way; no such method; not a schema; last: a column that the table
        // lacks.
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
    let (canary, sandbox) = (Canary::new(&mut dice), empty());
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
