//! A folder of its own for each test, small tables, and the real program.
#![allow(dead_code)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_lookalike");

/// A schema with a column of every type.
pub const SCHEMA: &str = r#"
[columns.id]
type = "id"

[columns.age]
type = "integer"
range = [0, 99]
bins = 10

[columns.income]
type = "number"
range = [0, 100000]
bins = 8
decimals = 2
missing = true

[columns."home region"]
type = "category"
values = ["north", "south, \"old\"", "west"]
other = "elsewhere"

[columns.married]
type = "boolean"

[columns.since]
type = "date"
range = ["2000-01-01", "2020-12-31"]
bins = 7

[columns.remark]
type = "ignore"
"#;

const HEADER: &str = "id,age,income,home region,married,since,remark\n";

/// A table of that many rows for the schema above.
pub fn table(rows: usize) -> String {
    let regions = ["north", "\"south, \"\"old\"\"\"", "west", "nowhere"];
    let mut text = String::from(HEADER);
    for row in 0..rows {
        let income = if row % 7 == 0 { String::new() } else { format!("{}.5", row * 37 % 90_000) };
        let married = if row % 3 == 0 { "true" } else { "false" };
        text.push_str(&format!(
            "p{row},{},{income},{},{married},20{:02}-0{}-15,free text {row}\n",
            row * 13 % 100,
            regions[row % 4],
            row % 20,
            row % 9 + 1,
        ));
    }
    text
}

/// A folder that goes away with the test.
pub struct Sandbox {
    folder: tempfile::TempDir,
}

/// What a run of the program left.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Sandbox {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    /// With `people.csv` (200 rows) and `people.toml` in it.
    pub fn with_people() -> Self {
        let sandbox = Self::new();
        sandbox.write("people.csv", &table(200));
        sandbox.write("people.toml", SCHEMA);
        sandbox
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a file");
    }

    pub fn read(&self, name: &str) -> String {
        String::from_utf8_lossy(&self.bytes(name)).into_owned()
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// All names in a folder of the sandbox, sorted.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(folder)).expect("a folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(words).current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    pub fn run(&self, words: &[&str]) -> Ran {
        Ran::of(self.command(words).output().expect("the program starts"))
    }

    /// Runs with a text on standard input.
    pub fn run_with_input(&self, words: &[&str], input: &[u8]) -> Ran {
        let mut child = self.start(words);
        // The program may stop before it has read everything.
        let _ = child.stdin.take().expect("a pipe").write_all(input);
        Ran::of(child.wait_with_output().expect("the program ends"))
    }

    /// Starts the program with pipes on all sides.
    pub fn start(&self, words: &[&str]) -> Child {
        let mut command = self.command(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    }

    /// `synth people.csv --schema people.toml --epsilon 1` and further words; it must succeed.
    pub fn synth(&self, words: &[&str]) -> Ran {
        let ran = self.try_synth(words);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran
    }

    pub fn try_synth(&self, words: &[&str]) -> Ran {
        let mut all = vec!["synth", "people.csv", "--schema", "people.toml", "--epsilon", "1", "--no-steward-report"];
        all.extend(words);
        self.run(&all)
    }

    /// The lines of a released table after its header.
    pub fn rows(&self, csv: &str) -> usize {
        self.read(csv).lines().count() - 1
    }
}

impl Ran {
    pub fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Self { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
    }

    /// It failed with that code, in one line that has these words.
    pub fn refused(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, code, "{}", self.err);
        let complaints: Vec<&str> = self.err.lines().filter(|line| !is_phase(line)).collect();
        assert_eq!(complaints.len(), 1, "not one line: {}", self.err);
        assert!(complaints[0].starts_with("lookalike: "), "{}", self.err);
        for word in words {
            assert!(complaints[0].contains(word), "{word:?} is not in: {}", complaints[0]);
        }
        assert_eq!(self.out, "");
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}

fn is_phase(line: &str) -> bool {
    ["reading", "measuring", "fitting", "writing"].iter().any(|phase| line == format!("lookalike: {phase}"))
}

/// The benchmark tables, when they are there.
#[allow(clippy::print_stderr)]
pub fn data(name: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("LOOKALIKE_DATA") else {
        eprintln!("skipped: LOOKALIKE_DATA is not set");
        return None;
    };
    let path = Path::new(&folder).join(name);
    assert!(path.is_file(), "{} is not there", path.display());
    Some(path)
}

/// Kills at random moments. The study of record has 200.
pub fn kills() -> u32 {
    std::env::var("LOOKALIKE_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(20)
}

/// Splitmix64: random places for faults, repeatable from the seed.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}
