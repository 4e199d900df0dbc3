//! Clocks. CPU time is the process's own, all threads; wall time is noisy on shared machines and
//! printed beside it.

use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;

/// CPU and wall seconds of a piece of work.
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    pub cpu: f64,
    pub wall: f64,
}

/// Runs the work once and says what it cost.
pub fn spent<T>(work: impl FnOnce() -> T) -> (T, Spent) {
    let (cpu, wall) = (cpu_seconds(), Instant::now());
    let result = work();
    (result, Spent { cpu: cpu_seconds() - cpu, wall: wall.elapsed().as_secs_f64() })
}

/// Runs the work `times` times, or once: the last result, and the median cost by CPU seconds.
pub fn repeated<T>(times: usize, mut work: impl FnMut() -> Result<T>) -> Result<(T, Spent)> {
    let (result, cost) = spent(&mut work);
    let (mut last, mut costs) = (result?, vec![cost]);
    for _ in 1..times {
        drop(last);
        let (result, cost) = spent(&mut work);
        last = result?;
        costs.push(cost);
    }
    costs.sort_by(|a, b| a.cpu.total_cmp(&b.cpu));
    Ok((last, costs[costs.len() / 2]))
}

/// The process's peak resident memory in bytes, where the system tells (Linux).
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// A line to whoever reads, who may have gone: the error says so.
pub fn say(line: &str) -> Result<()> {
    Ok(writeln!(std::io::stdout().lock(), "{line}")?)
}

/// One measurement, one line.
pub fn emit(line: Value) {
    println!("{line}");
}

fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
