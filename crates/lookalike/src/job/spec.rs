//! A job as typed: flags and job file, nothing checked yet.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Deserializer};

use crate::error::{Error, SettingError};

/// A job as typed. Every field may be left out; [`check`](JobSpec::check) says what is missing or
/// wrong, and gives the [`Synthesizer`](crate::Synthesizer) that was meant.
///
/// A job file is TOML with the names of the flags: `epsilon = 1.0`, `accept-draft = true`, and a
/// table `[set]` for the method's settings. Paths are as if typed on the command line: relative to
/// the current folder.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct JobSpec {
    /// The table to read (`-` for standard input). The face reads it; a run is given its input
    /// apart.
    pub data: Option<PathBuf>,
    /// The schema file.
    pub schema: Option<PathBuf>,
    /// Whether facts that the schema does not state, or all of them without a schema, are bought.
    pub discover: Option<bool>,
    /// The share of the budget that this takes; left out: 0.1.
    pub discover_share: Option<f64>,
    /// The epsilon for everything.
    pub epsilon: Option<f64>,
    /// The delta for everything; left out: the method's own.
    pub delta: Option<f64>,
    /// The method's name; left out: the first of the list.
    pub method: Option<String>,
    /// The method's settings.
    #[serde(deserialize_with = "settings")]
    pub set: BTreeMap<String, String>,
    /// How many synthetic rows; left out: the noisy number of rows.
    pub rows: Option<u64>,
    /// The seed of sampling (never of the noise); left out: random.
    pub seed: Option<u64>,
    /// `add-remove` (the default) or `replace-one`.
    pub relation: Option<String>,
    /// The column that tells whose row it is: persons are protected then, not records.
    pub unit: Option<String>,
    /// The most rows of one person; with `unit`.
    pub contribution: Option<u32>,
    /// A ledger that the run draws on.
    pub ledger: Option<PathBuf>,
    /// The name of the data set in the ledger.
    pub dataset: Option<String>,
    /// Memory allowed, such as `2GiB`: coded rows beyond it go to a private temporary file, and
    /// models stay within it.
    pub memory: Option<String>,
    /// Memory for exact tables that later rounds may need again, such as `1GiB`; left out: 256 MiB.
    pub door_memory: Option<String>,
    /// A private file that keeps the coded rows for a second release of the same data.
    pub keep_coded: Option<PathBuf>,
    /// Time allowed, such as `30s` or `5min`. It becomes sizes and numbers of rounds, never a
    /// clock.
    pub time: Option<String>,
    /// The tables that the release should be good at: `2-way`, `3-way`, or a file.
    pub workload: Option<String>,
    /// A column whose tables count more.
    pub target: Option<String>,
    /// Threads; left out: all cores.
    pub threads: Option<usize>,
    /// Whether a schema with unreviewed facts is taken, at the price of the guarantee.
    pub accept_draft: Option<bool>,
    /// The folder to write; left out: `lookalike-out`.
    pub out: Option<PathBuf>,
    /// `csv` (the default) or `parquet`.
    pub format: Option<String>,
    /// Whether a folder that is there already is moved aside.
    pub force: Option<bool>,
    /// The field delimiter of the input: one character, or `tab`.
    pub delimiter: Option<String>,
    /// The decimal mark of the input: `.` or `,`.
    pub decimal: Option<String>,
    /// The encoding of the input: `utf-8`, `latin-1` or `windows-1252`.
    pub encoding: Option<String>,
}

impl JobSpec {
    /// Reads a job file. `name` is the file's name, for messages.
    pub fn parse(text: &str, name: &str) -> Result<Self, Error> {
        toml::from_str(text).map_err(|error| job_file_error(name, text, &error))
    }

    /// What `self` says, and where it says nothing, what `file` says: flags beat the job file.
    pub fn or(self, file: Self) -> Self {
        let mut set = file.set;
        set.extend(self.set);
        Self {
            data: self.data.or(file.data),
            schema: self.schema.or(file.schema),
            discover: self.discover.or(file.discover),
            discover_share: self.discover_share.or(file.discover_share),
            epsilon: self.epsilon.or(file.epsilon),
            delta: self.delta.or(file.delta),
            method: self.method.or(file.method),
            set,
            rows: self.rows.or(file.rows),
            seed: self.seed.or(file.seed),
            relation: self.relation.or(file.relation),
            unit: self.unit.or(file.unit),
            contribution: self.contribution.or(file.contribution),
            ledger: self.ledger.or(file.ledger),
            dataset: self.dataset.or(file.dataset),
            memory: self.memory.or(file.memory),
            door_memory: self.door_memory.or(file.door_memory),
            keep_coded: self.keep_coded.or(file.keep_coded),
            time: self.time.or(file.time),
            workload: self.workload.or(file.workload),
            target: self.target.or(file.target),
            threads: self.threads.or(file.threads),
            accept_draft: self.accept_draft.or(file.accept_draft),
            out: self.out.or(file.out),
            format: self.format.or(file.format),
            force: self.force.or(file.force),
            delimiter: self.delimiter.or(file.delimiter),
            decimal: self.decimal.or(file.decimal),
            encoding: self.encoding.or(file.encoding),
        }
    }
}

/// One line with the place, instead of the picture that the TOML reader draws.
fn job_file_error(name: &str, text: &str, error: &toml::de::Error) -> Error {
    let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
    let place = line.map_or_else(|| name.to_owned(), |line| format!("{name}, line {line}"));
    let what = error.message().lines().collect::<Vec<_>>().join(" ");
    SettingError::JobFile { place, what }.into()
}

/// Settings may be written as numbers, booleans or text; methods read text.
fn settings<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    let table = BTreeMap::<String, toml::Value>::deserialize(deserializer)?;
    let as_text = |(name, value): (String, toml::Value)| {
        let text = match value {
            toml::Value::String(text) => text,
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Float(number) => number.to_string(),
            toml::Value::Boolean(yes) => yes.to_string(),
            _ => return Err(serde::de::Error::custom(format!("set.{name} must be a number, a text, true or false"))),
        };
        Ok((name, text))
    };
    table.into_iter().map(as_text).collect()
}
