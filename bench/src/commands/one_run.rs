//! One run in a process of its own, so that its CPU time and peak memory are its own, and a run
//! that dies takes nothing along.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use lookalike_table::Table;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::grid::RunRecord;
use crate::grid::record::RunFigures;
use crate::measure::{peak_memory, spent};
use crate::run::{Benchmark, MethodSetting};

/// How often a waiting process looks whether the other has ended.
const GLANCE: Duration = Duration::from_millis(5);

/// What a child is asked to do.
#[derive(Serialize, Deserialize)]
pub struct RunOrder {
    /// Where the table's files are.
    pub folder: PathBuf,
    /// The run, without its result.
    pub line: RunRecord,
    /// The shipped program; without it the library is run.
    pub program: Option<PathBuf>,
    /// Seconds that it may take.
    pub limit: Option<f64>,
}

/// Hidden: what a child runs.
#[derive(clap::Args)]
pub struct OneRunArgs {
    /// The order, in JSON.
    order: String,
}

impl OneRunArgs {
    pub fn run(&self) -> Result<()> {
        let order: RunOrder = serde_json::from_str(&self.order).context("the order is not ours")?;
        let benchmark = Benchmark::open(&order.folder, &order.line.table)?;
        let figures = match &order.program {
            None => in_here(&benchmark, &order.line)?,
            Some(program) => with_program(&benchmark, &order, program)?,
        };
        println!("{}", serde_json::to_string(&figures)?);
        Ok(())
    }
}

/// Runs it in a child and fills in the line, whether the run ends well or not.
pub fn in_a_child(order: &RunOrder) -> Result<RunRecord> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("one-run").arg(serde_json::to_string(order)?);
    // With the shipped program, the child watches the limit itself: it must also end the program.
    let limit = if order.program.is_some() { None } else { order.limit };
    let mut line = order.line.clone();
    match watched(command, limit)? {
        Ok(text) => line.result = Some(serde_json::from_str(&text).context("the child's line is not ours")?),
        Err(why) => line.failed = Some(why),
    }
    Ok(line)
}

/// The shipped program: the one that was named, or the one beside this.
pub fn shipped_program(named: Option<&Path>) -> Result<PathBuf> {
    let program = match named {
        Some(named) => named.to_owned(),
        None => std::env::current_exe()?.with_file_name("lookalike"),
    };
    if !program.is_file() {
        bail!("{} is not there; build it (cargo build --release) or give --program FILE", program.display());
    }
    Ok(program)
}

/// The shipped program's `synth` of a table of the folder, at delta and with settings left open.
pub fn synth(program: &Path, folder: &Path, table: &str, method: &str, epsilon: f64, out: &Path) -> Command {
    let file = |suffix: &str| folder.join(format!("{table}{suffix}"));
    let mut command = Command::new(program);
    command.arg("synth").arg(file(".csv")).arg("--schema").arg(file("-domain.json")).arg("--out").arg(out);
    command.args(["--no-steward-report", "--method", method, "--epsilon", &epsilon.to_string()]);
    command.stdin(Stdio::null());
    command
}

/// The figures of some synthetic rows; what they cost is left open.
fn judged(benchmark: &Benchmark, synthetic: &Table, used_epsilon: f64) -> Result<RunFigures> {
    let [tvd1, tvd2, tvd3, tvd4, tvd5] = benchmark.distances(synthetic)?;
    let rows = synthetic.rows();
    Ok(RunFigures { tvd1, tvd2, tvd3, tvd4, tvd5, rows, used_epsilon, ..RunFigures::default() })
}

/// The library: everything from the file to coded rows is measured, and then judged.
fn in_here(benchmark: &Benchmark, line: &RunRecord) -> Result<RunFigures> {
    let parameters = line.settings.clone().into_iter().collect();
    let setting = MethodSetting { parameters, ..MethodSetting::new(&line.method, line.epsilon, line.delta) };
    let (made, cost) = spent(|| benchmark.make(&setting, line.run));
    let peak_bytes = peak_memory().unwrap_or(0);
    let made = made?;
    let figures = judged(benchmark, &made.table, made.used)?;
    Ok(RunFigures { seconds: cost.wall, cpu_seconds: cost.cpu, peak_bytes, ..figures })
}

/// The shipped program: its whole process is measured, from the file to the closed release, which
/// is then judged.
fn with_program(benchmark: &Benchmark, order: &RunOrder, program: &Path) -> Result<RunFigures> {
    let folder = tempfile::tempdir()?;
    let (line, out) = (&order.line, folder.path().join("out"));
    let mut command = synth(program, &order.folder, &line.table, &line.method, line.epsilon, &out);
    command.args(["--quiet", "--json", "--delta", &line.delta.to_string(), "--seed", &line.run.to_string()]);
    for (name, value) in &line.settings {
        command.args(["--set", &format!("{name}={value}")]);
    }
    let begin = Instant::now();
    let text = watched(command, order.limit)?.map_err(anyhow::Error::msg)?;
    let seconds = begin.elapsed().as_secs_f64();
    // The program was this process's only child.
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu_seconds = (usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64 * 1e-6;
    let peak_bytes = u64::try_from(usage.max_rss()).unwrap_or(0) * 1024;
    let told: Value = serde_json::from_str(&text).context("the program's answer is not JSON")?;
    let used = told["used"].as_f64().context("the program does not say what was used")?;
    let release = out.join("release");
    let figures = judged(benchmark, &benchmark.read(&release.join("synthetic.csv"))?, used)?;
    // Rows without a model have no such file.
    let model_bytes = std::fs::metadata(release.join("model.lookalike")).map_or(0, |file| file.len());
    Ok(RunFigures { seconds, cpu_seconds, peak_bytes, model_bytes, ..figures })
}

/// Runs a command to its end or to the limit, and gives its standard output, or why it ended badly.
/// Its output must be short enough for a pipe.
pub fn watched(mut command: Command, limit: Option<f64>) -> Result<Result<String, String>> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let begin = Instant::now();
    while child.try_wait()?.is_none() {
        if let Some(limit) = limit.filter(|limit| begin.elapsed().as_secs_f64() > *limit) {
            child.kill()?;
            child.wait()?;
            return Ok(Err(format!("stopped after {limit} seconds")));
        }
        std::thread::sleep(GLANCE);
    }
    let ended = child.wait_with_output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(if ended.status.success() { Ok(text(&ended.stdout)) } else { Err(why(ended.status, &text(&ended.stderr))) })
}

fn why(status: ExitStatus, err: &str) -> String {
    let last = err.lines().rfind(|line| !line.starts_with("note:")).unwrap_or("no reason given");
    let last = last.strip_prefix("lookalike-bench: ").unwrap_or(last);
    if status.code().is_some() { last.to_owned() } else { format!("{status}: {last}") }
}
