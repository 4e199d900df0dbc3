//! One run in a process of its own, so that its CPU time and peak memory are its own, and a run
//! that dies takes nothing along.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use lookalike_bench::grid::Line;
use lookalike_bench::grid::line::Figures;
use lookalike_bench::run::{Benchmark, Setting};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::meter::{peak_memory, spent};

/// How often a waiting process looks whether the other has ended.
const GLANCE: Duration = Duration::from_millis(5);

/// What a child is asked to do.
#[derive(Serialize, Deserialize)]
pub struct Order {
    /// Where the table's files are.
    pub folder: PathBuf,
    /// The run, without its result.
    pub line: Line,
    /// The shipped program; without it the library is run.
    pub program: Option<PathBuf>,
    /// Seconds that it may take.
    pub limit: Option<f64>,
}

/// Hidden: what a child runs.
#[derive(clap::Args)]
pub struct OneRun {
    /// The order, in JSON.
    order: String,
}

impl OneRun {
    pub fn run(&self) -> Result<()> {
        let order: Order = serde_json::from_str(&self.order).context("the order is not ours")?;
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
pub fn in_a_child(order: &Order) -> Result<Line> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("one-run").arg(serde_json::to_string(order)?);
    // With the shipped program, the child watches the limit itself: it must also end the program.
    let limit = if order.program.is_some() { None } else { order.limit };
    let mut line = order.line.clone();
    match watched(command, limit)? {
        Ended::Well(text) => line.result = Some(serde_json::from_str(&text).context("the child's line is not ours")?),
        Ended::Badly(why) => line.failed = Some(why),
    }
    Ok(line)
}

/// The library: everything from the file to coded rows is measured, and then judged.
fn in_here(benchmark: &Benchmark, line: &Line) -> Result<Figures> {
    let settings = line.settings.clone().into_iter().collect();
    let setting = Setting { method: line.method.clone(), settings, epsilon: line.epsilon, delta: line.delta };
    let (made, cost) = spent(|| benchmark.make(&setting, line.run));
    let peak_bytes = peak_memory().unwrap_or(0);
    let made = made?;
    let tvd1 = benchmark.column_distance(&made.table)?;
    let [tvd2, tvd3, tvd4, tvd5] = benchmark.distances(&made.table)?;
    let (rows, used_epsilon) = (made.table.rows(), made.used);
    Ok(Figures {
        tvd1,
        tvd2,
        tvd3,
        tvd4,
        tvd5,
        rows,
        used_epsilon,
        seconds: cost.wall,
        cpu_seconds: cost.cpu,
        peak_bytes,
        model_bytes: 0,
    })
}

/// The shipped program: its whole process is measured, from the file to the closed release, which
/// is then judged.
fn with_program(benchmark: &Benchmark, order: &Order, program: &Path) -> Result<Figures> {
    let folder = tempfile::tempdir()?;
    let (line, out) = (&order.line, folder.path().join("out"));
    let file = |suffix: &str| order.folder.join(format!("{}{suffix}", line.table));
    let mut command = Command::new(program);
    command.arg("synth").arg(file(".csv")).arg("--schema").arg(file("-domain.json")).arg("--out").arg(&out);
    command.args(["--no-steward-report", "--quiet", "--json", "--method", &line.method]);
    command.args(["--epsilon", &line.epsilon.to_string(), "--delta", &line.delta.to_string()]);
    command.args(["--seed", &line.run.to_string()]);
    for (name, value) in &line.settings {
        command.args(["--set", &format!("{name}={value}")]);
    }
    let begin = Instant::now();
    let ended = watched(command, order.limit)?;
    let seconds = begin.elapsed().as_secs_f64();
    let text = match ended {
        Ended::Well(text) => text,
        Ended::Badly(why) => bail!("{why}"),
    };
    // The program was this process's only child.
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    let peak_bytes = u64::try_from(usage.max_rss()).unwrap_or(0) * 1024;
    let told: Value = serde_json::from_str(&text).context("the program's answer is not JSON")?;
    let used_epsilon = told["used"].as_f64().context("the program does not say what was used")?;
    let synthetic = benchmark.read(&out.join("release").join("synthetic.csv"))?;
    let tvd1 = benchmark.column_distance(&synthetic)?;
    let [tvd2, tvd3, tvd4, tvd5] = benchmark.distances(&synthetic)?;
    let (rows, cpu_seconds) = (synthetic.rows(), cpu as f64 * 1e-6);
    // Rows without a model have no such file.
    let model_bytes = std::fs::metadata(out.join("release").join("model.lookalike")).map_or(0, |file| file.len());
    Ok(Figures { tvd1, tvd2, tvd3, tvd4, tvd5, rows, used_epsilon, seconds, cpu_seconds, peak_bytes, model_bytes })
}

enum Ended {
    /// With this on standard output.
    Well(String),
    /// For this reason.
    Badly(String),
}

/// Runs a command to its end or to the limit. Its output must be short enough for a pipe.
fn watched(mut command: Command, limit: Option<f64>) -> Result<Ended> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if let Some(limit) = limit.filter(|limit| begin.elapsed().as_secs_f64() > *limit) {
            child.kill()?;
            child.wait()?;
            return Ok(Ended::Badly(format!("stopped after {limit} seconds")));
        }
        std::thread::sleep(GLANCE);
    };
    let text = |pipe: Option<&mut dyn Read>| {
        let mut bytes = Vec::new();
        pipe.map_or(Ok(0), |pipe| pipe.read_to_end(&mut bytes)).map(|_| String::from_utf8_lossy(&bytes).into_owned())
    };
    let out = text(child.stdout.as_mut().map(|pipe| pipe as &mut dyn Read))?;
    let err = text(child.stderr.as_mut().map(|pipe| pipe as &mut dyn Read))?;
    Ok(if status.success() { Ended::Well(out) } else { Ended::Badly(why(status, &err)) })
}

fn why(status: ExitStatus, err: &str) -> String {
    let last = err.lines().rfind(|line| !line.starts_with("note:")).unwrap_or("no reason given");
    let last = last.strip_prefix("lookalike-bench: ").unwrap_or(last);
    if status.code().is_some() { last.to_owned() } else { format!("{status}: {last}") }
}
