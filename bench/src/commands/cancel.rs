//! How long the shipped program takes to end when it is told to: a signal at random moments of
//! every method.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use serde_json::json;

use super::one_run::synth;
use crate::grid::TableFolders;
use crate::measure::emit;
use crate::simulate::draw::uniform;

/// How often it is looked whether the program has ended.
const GLANCE: Duration = Duration::from_millis(2);
/// The exit code of a run that was told to stop.
const INTERRUPTED: i32 = 130;

#[derive(clap::Args)]
pub struct CancelArgs {
    /// The shipped program.
    #[arg(long)]
    program: PathBuf,
    /// Methods, by name [default: all]
    #[arg(long, value_delimiter = ',')]
    methods: Vec<String>,
    /// Tables: NAME or NAME@ROWS, generated or in LOOKALIKE_DATA.
    #[arg(long, value_delimiter = ',', default_value = "binary-110,columns-100@5000,rows-2000")]
    tables: Vec<String>,
    /// Where tables are that are not generated.
    #[arg(long, env = "LOOKALIKE_DATA")]
    data: Option<PathBuf>,
    /// Signals for each method and table.
    #[arg(long, default_value_t = 10)]
    times: u32,
    /// Signals come within this many seconds, or within the run if that is shorter.
    #[arg(long, default_value_t = 60.0)]
    within: f64,
    /// Fixes the moments.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What a run did.
struct StoppedRun {
    seconds: f64,
    code: Option<i32>,
    /// What it last said that it was doing.
    phase: String,
}

impl CancelArgs {
    pub fn run(&self) -> Result<()> {
        let mut tables = TableFolders::new(self.data.as_deref());
        let all: Vec<String> = lookalike::methods().iter().map(|method| method.name.to_owned()).collect();
        let methods = if self.methods.is_empty() { &all } else { &self.methods };
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        for table in &self.tables {
            let folder = tables.folder(table)?;
            for method in methods {
                self.method(&folder, table, method, &mut rng)?;
            }
        }
        Ok(())
    }

    fn method(&self, folder: &Path, table: &str, method: &str, rng: &mut ChaCha8Rng) -> Result<()> {
        // How long there is something to stop.
        let whole = self.once(folder, table, method, self.within)?;
        if whole.code.is_some_and(|code| code != 0 && code != INTERRUPTED) {
            emit(json!({ "table": table, "method": method, "refused": whole.code }));
            return Ok(());
        }
        let mut worst = StoppedRun { seconds: 0.0, code: None, phase: String::new() };
        let mut told = 0;
        for _ in 0..self.times {
            let moment = uniform(rng) * whole.seconds.min(self.within);
            let run = self.once(folder, table, method, moment)?;
            if run.code == Some(0) {
                continue;
            }
            if run.code != Some(INTERRUPTED) {
                bail!("{method} on {table}: ended with {:?} after a signal at {moment:.2} s", run.code);
            }
            told += 1;
            let waited = (run.seconds - moment).max(0.0);
            emit(json!({ "table": table, "method": method, "moment": moment, "waited": waited, "phase": run.phase }));
            if waited > worst.seconds {
                worst = StoppedRun { seconds: waited, ..run };
            }
        }
        emit(json!({
            "table": table, "method": method, "signals": told, "worst": worst.seconds, "phase": worst.phase,
        }));
        Ok(())
    }

    /// One run, told to stop after `moment` seconds if it still runs.
    fn once(&self, folder: &Path, table: &str, method: &str, moment: f64) -> Result<StoppedRun> {
        let out = tempfile::tempdir()?;
        let mut command = synth(&self.program, folder, table, method, 1.0, &out.path().join("out"));
        if method == "histogram" {
            command.args(["--relation", "replace-one"]);
        }
        let begin = Instant::now();
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let lines = lines_of(&mut child)?;
        let mut run = StoppedRun { seconds: 0.0, code: None, phase: String::new() };
        let mut signalled = false;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if !signalled && begin.elapsed().as_secs_f64() >= moment {
                let process = Pid::from_raw(i32::try_from(child.id())?);
                // It may have ended a moment ago.
                let _ = kill(process, Signal::SIGTERM);
                signalled = true;
            }
            match lines.recv_timeout(GLANCE) {
                Ok(line) if !signalled => run.phase = line,
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(GLANCE),
            }
        };
        run.seconds = begin.elapsed().as_secs_f64();
        run.code = status.code();
        Ok(run)
    }
}

/// What the program says, line by line, as it says it.
fn lines_of(child: &mut Child) -> Result<Receiver<String>> {
    let pipe = child.stderr.take().context("the program has no voice")?;
    let (send, receive) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            if send.send(line.trim_start_matches("lookalike: ").to_owned()).is_err() {
                return;
            }
        }
    });
    Ok(receive)
}
