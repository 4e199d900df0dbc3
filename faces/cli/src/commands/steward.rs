//! The steward's comparison with the real rows: a process of its own, after the release is closed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lookalike::{JobSpec, StewardSpec, steward_report, table_input};

use crate::args::StewardArgs;
use crate::called::itself;
use crate::fail::{Ended, Outcome, complain};
use crate::progress::watching;

/// What the child needs to read the same rows again.
pub struct Request {
    data: PathBuf,
    schema: Option<PathBuf>,
    flags: Vec<(&'static str, String)>,
    quiet: bool,
}

impl Request {
    /// Remembers how the table was read.
    pub fn new(data: &Path, spec: &JobSpec, quiet: bool) -> Self {
        let flags = [
            ("--decimal", spec.decimal.clone()),
            ("--encoding", spec.encoding.clone()),
            ("--delimiter", spec.delimiter.clone()),
            ("--memory", spec.memory.clone()),
            ("--threads", spec.threads.map(|threads| threads.to_string())),
        ];
        let flags = flags.into_iter().filter_map(|(flag, value)| Some((flag, value?))).collect();
        Self { data: data.to_owned(), schema: spec.schema.clone(), flags, quiet }
    }

    /// Starts the child and waits. Whatever becomes of it is told, and changes nothing.
    pub fn run(&self, folder: &Path) {
        if self.data == Path::new("-") {
            if !self.quiet {
                crate::say::say!("lookalike: standard input cannot be read twice: no steward-only report");
            }
            return;
        }
        let outcome = self.command(folder).status();
        match outcome {
            Ok(status) if status.success() => {
                if !self.quiet {
                    let page = folder.join("steward-only").join("report.html");
                    crate::say::say!("lookalike: for your eyes only, compared with the real rows: {}", page.display());
                }
            }
            Ok(_) => complain("the steward-only report was not made; the release is complete without it"),
            Err(error) => {
                complain(&format!("the steward-only report was not made: {error}; the release is complete without it"))
            }
        }
    }

    fn command(&self, folder: &Path) -> Command {
        let mut command = itself();
        command.arg("steward-report");
        if let Some(path) = &self.schema {
            // One word, and not text: a name may begin with a dash and need not be UTF-8.
            let mut flag = OsString::from("--schema=");
            flag.push(path);
            command.arg(flag);
        }
        for (flag, value) in &self.flags {
            command.arg(format!("{flag}={value}"));
        }
        if self.quiet {
            command.arg("--quiet");
        }
        command.arg("--").arg(&self.data).arg(folder).stdin(Stdio::null()).stdout(Stdio::null());
        command
    }
}

/// The child: reads the rows again and writes `steward-only/report.html`.
pub fn child(args: StewardArgs) -> Ended {
    let spec = StewardSpec {
        schema: args.schema,
        decimal: args.read.decimal,
        encoding: args.read.encoding,
        delimiter: args.read.delimiter,
        memory: args.memory,
        threads: args.threads,
    };
    let input = table_input(&args.data)?;
    watching(args.quiet, |progress, cancel| steward_report(&args.folder, &input, &spec, progress, cancel))?;
    Ok(Outcome::Done)
}
