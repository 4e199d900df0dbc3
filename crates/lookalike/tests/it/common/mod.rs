//! Small tables, runs in folders of their own, and everything a run shows.
#![cfg_attr(not(feature = "test-noise"), allow(dead_code))]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use lookalike::engine::{Clique, CountTable, Counts, CuratorError, Derived, Permit};
use lookalike::{Cancel, Error, Format, Input, JobSpec, Observer, Release, Schema, Synthesizer, WrittenRelease};

/// A run that a test may still change.
pub type Run = Synthesizer<'static>;

/// A column of every type; three of them have no home for what they do not know.
pub const SCHEMA: &str = r#"
[columns.id]
type = "id"

[columns.age]
type = "integer"
range = [0, 99]
bins = 10

[columns.income]
type = "number"
range = [0, 1000]
bins = 5
missing = true

[columns.region]
type = "category"
values = ["north", "south", "west"]
other = "elsewhere"

[columns.sex]
type = "category"
values = ["f", "m"]

[columns.married]
type = "boolean"
missing = true

[columns.since]
type = "date"
range = ["2000-01-01", "2020-12-31"]
bins = 7

[columns.remark]
type = "ignore"
"#;

/// The header of tables of that schema.
pub const HEADER: &str = "id,age,income,region,sex,married,since,remark";

/// Ordinary records.
pub fn records(count: usize) -> Vec<String> {
    let region = ["north", "south", "west"];
    let record = |row: usize| {
        let (age, income, sex) = (row * 13 % 100, row * 37 % 1000, if row.is_multiple_of(2) { "f" } else { "m" });
        let married = ["true", "false", ""][row % 3];
        format!("{row},{age},{income},{},{sex},{married},20{:02}-03-05,note {row}", region[row % 3], row % 20)
    };
    (0..count).map(record).collect()
}

/// A table of records.
pub fn table(records: &[String]) -> Vec<u8> {
    let mut text = format!("{HEADER}\n");
    for record in records {
        text.push_str(record);
        text.push('\n');
    }
    text.into_bytes()
}

/// An engine that must not be asked.
pub struct Untouched;

impl Counts for Untouched {
    fn count(&self, _: &[Clique], _: &[Derived], _: Permit, _: &Cancel) -> Result<Vec<CountTable>, CuratorError> {
        panic!("rows are looked at before the settings are checked")
    }
}

/// What a run told, in order, and what it made.
pub struct Shown {
    pub result: Result<(Release, WrittenRelease), Error>,
    /// Every file below the folder of the run, by its path in it. The journal and input are not
    /// part of it.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// Everything that an observer may publish.
    pub story: String,
}

impl Shown {
    pub fn release(&self) -> &Release {
        self.result.as_ref().map(|(release, _)| release).unwrap_or_else(|error| panic!("no release: {error}"))
    }
}

/// A run of a table through a job that the caller may still change.
pub fn run_with(schema: &str, bytes: &[u8], format: Format, adapt: impl FnOnce(Run) -> Run) -> Shown {
    run_method("independent", schema, bytes, format, adapt)
}

/// The methods, each with the number of files of its release. All tests of the whole path hold for
/// all of them.
pub const METHODS: [(&str, usize); 9] = [
    ("auto", 5),
    ("independent", 5),
    ("histogram", 4),
    ("privbayes", 5),
    ("privbayes-nist", 5),
    ("pb-pgm", 5),
    ("privmrf", 5),
    ("mst", 5),
    ("aim", 5),
];

pub fn run_method(method: &str, schema: &str, bytes: &[u8], format: Format, adapt: impl FnOnce(Run) -> Run) -> Shown {
    run_within((None, None), method, schema, bytes, format, adapt)
}

/// The same with this memory and this time.
pub fn run_within(
    (memory, time): (Option<&str>, Option<&str>),
    method: &str,
    schema: &str,
    bytes: &[u8],
    format: Format,
    adapt: impl FnOnce(Run) -> Run,
) -> Shown {
    let spec = JobSpec {
        // So much that most rows of the histogram follow the table; with 1 they would be uniform,
        // and a leak could not show.
        epsilon: Some(match method {
            "histogram" => 400.0,
            // Enough for tables of several columns, so that there is something to select.
            "privbayes" | "pb-pgm" => 20.0,
            // With 1 the share for single columns drowns 30 rows: the estimate of their number is
            // then 0 whatever they are, and no code could show.
            "privmrf" | "mst" | "aim" | "auto" => 20.0,
            _ => 1.0,
        }),
        method: Some(method.to_owned()),
        relation: relation_of(method),
        // The histogram's rows are paid for: 40 are enough for every test to have some.
        rows: (method == "histogram").then_some(40),
        memory: memory.map(str::to_owned),
        time: time.map(str::to_owned),
        format: Some(format.name().to_owned()),
        ..JobSpec::default()
    };
    run_spec(spec, schema, bytes, adapt)
}

/// A run of the method of independent columns under this relation.
pub fn run_related(relation: &str, schema: &str, bytes: &[u8], adapt: impl FnOnce(Run) -> Run) -> Shown {
    let spec = JobSpec {
        epsilon: Some(1.0),
        method: Some("independent".to_owned()),
        relation: Some(relation.to_owned()),
        ..JobSpec::default()
    };
    run_spec(spec, schema, bytes, adapt)
}

/// A run in a folder of its own.
fn run_spec(spec: JobSpec, schema: &str, bytes: &[u8], adapt: impl FnOnce(Run) -> Run) -> Shown {
    let home = tempfile::tempdir().expect("a folder");
    let input = home.path().join("private-rows.csv");
    std::fs::write(&input, bytes).expect("a table");
    let out = home.path().join("out");
    let spec = JobSpec { seed: Some(5), threads: Some(2), out: Some(out.clone()), ..spec };
    let schema = Schema::parse(schema, "schema").expect("a schema");
    let mut job = spec.check_with_schema(schema).expect("a job");
    job.synthesizer = adapt(job.synthesizer);
    let story = Story::default();
    let result = job.run(Input::Path(input), &story, &Cancel::new());
    let mut files = BTreeMap::new();
    if out.exists() {
        collect(&out, &out, &mut files);
    }
    Shown { result, files, story: story.0.into_inner().expect("a story") }
}

/// The relation that a method needs.
pub fn relation_of(method: &str) -> Option<String> {
    (method == "histogram").then(|| "replace-one".to_owned())
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            let name = path.strip_prefix(root).expect("inside").to_owned();
            files.insert(name, std::fs::read(&path).expect("a file"));
        }
    }
}

/// Writes down all that may be published.
#[derive(Default)]
pub struct Story(Mutex<String>);

impl Story {
    fn tell(&self, line: String) {
        let mut story = self.0.lock().expect("a story");
        story.push_str(&line);
        story.push('\n');
    }
}

impl Observer for Story {
    fn phase(&self, name: &str) {
        self.tell(format!("phase {name}"));
    }
    fn round(&self, done: u64, planned: u64) {
        self.tell(format!("round {done} of {planned}"));
    }
    fn budget(&self, share: f64) {
        self.tell(format!("budget {share}"));
    }
    fn note(&self, text: &str) {
        self.tell(format!("note {text}"));
    }
}
