//! A folder of its own for each test, and the real program in it.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use crate::people;

/// A folder that goes away with the test.
pub struct Sandbox {
    folder: tempfile::TempDir,
    program: &'static str,
}

/// What a run of the program left.
pub struct Ran {
    /// Its exit code, or -1 when a signal ended it.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Sandbox {
    /// An empty one, in which this program is run.
    pub fn new(program: &'static str) -> Self {
        Self { folder: tempfile::tempdir().expect("a folder"), program }
    }

    /// With `people.csv` (200 rows) and `people.toml` in it.
    pub fn with_people(program: &'static str) -> Self {
        let sandbox = Self::new(program);
        sandbox.write("people.csv", &people::table(200));
        sandbox.write("people.toml", people::SCHEMA);
        sandbox
    }

    /// Where a name lies.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("a file");
    }

    /// The text of a file.
    pub fn read(&self, name: &str) -> String {
        String::from_utf8_lossy(&self.bytes(name)).into_owned()
    }

    /// The bytes of a file.
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

    /// The program with these words, in the folder, without input.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(self.program);
        command.args(words).current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    /// Runs the program to its end.
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

    /// The same, which may fail.
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
    /// From the output of a process.
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

    /// Its output as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}

fn is_phase(line: &str) -> bool {
    ["reading", "measuring", "fitting", "writing"].iter().any(|phase| line == format!("lookalike: {phase}"))
}
