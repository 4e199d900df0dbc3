//! What makes synthetic rows of a raw table: a method of the library, the copula, or another tool.

use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Result, bail};
use lookalike::{Budget, Cancel, Release, Seed, Synthesizer};
use lookalike_evaluate::raw::RawTable;
use lookalike_schema::Schema;

use super::copula::copula_rows;
use super::figures::RawFigures;
use super::peers::{PEERS, PeerTool};
use super::tables::OpenRaw;
use crate::grid::RunRecord;

/// The baseline's name.
pub const COPULA: &str = "copula";
/// Methods that are compared unless others are named.
pub const COMPARED: [&str; 6] = ["auto", "mst", "aim", "privmrf", "independent", COPULA];

/// What a run may take.
pub struct RunLimits {
    /// Seconds; a run that takes longer is stopped.
    pub seconds: f64,
    /// Threads of the library; left out: all cores.
    pub threads: Option<usize>,
}

/// Whether the name is that of a method of the library.
pub fn is_method(name: &str) -> bool {
    name != COPULA && !PEERS.contains(&name)
}

/// Synthetic rows, and the epsilon that they used.
pub fn made(table: &OpenRaw, line: &RunRecord<RawFigures>, limits: &RunLimits) -> Result<(RawTable, f64)> {
    let budget = Budget::new(line.epsilon, line.delta)?;
    match line.method.as_str() {
        COPULA => Ok((copula_rows(&table.schema, &table.cells, budget, line.run)?, line.epsilon)),
        name if is_method(name) => with_library(table, line, limits),
        name => {
            let peer = PeerTool { name, table, epsilon: line.epsilon, delta: line.delta, seconds: limits.seconds };
            Ok((peer.rows()?, line.epsilon))
        }
    }
}

/// The release as a user gets it, decoded.
fn with_library(table: &OpenRaw, line: &RunRecord<RawFigures>, limits: &RunLimits) -> Result<(RawTable, f64)> {
    let release = released(&table.schema, &table.csv, line, limits)?;
    Ok((table.decoded(&release)?, release.used()))
}

/// The release of a run of the library: the line's number is the seed of its rows.
pub fn released<F>(schema: &Schema, csv: &Path, line: &RunRecord<F>, limits: &RunLimits) -> Result<Release> {
    let run = Synthesizer::new(schema.clone())
        .budget(Budget::new(line.epsilon, line.delta)?)
        .method_named(&line.method, line.settings.clone())?
        .seed(Seed(line.run));
    released_by(run, csv, limits)
}

/// The release of a run whose settings are made, within limits.
pub fn released_by(run: Synthesizer<'_>, csv: &Path, limits: &RunLimits) -> Result<Release> {
    let cancel = Cancel::new();
    let mut run = run.cancel(cancel.clone());
    if let Some(threads) = limits.threads {
        run = run.threads(threads);
    }
    // The watch ends when the sender is dropped.
    let (running, ended) = channel::<()>();
    let (seconds, stop) = (limits.seconds, cancel.clone());
    std::thread::spawn(move || {
        if ended.recv_timeout(Duration::from_secs_f64(seconds)) == Err(RecvTimeoutError::Timeout) {
            stop.cancel();
        }
    });
    let release = run.fit(csv);
    drop(running);
    if release.is_err() && cancel.is_cancelled() {
        bail!("stopped after {seconds} seconds");
    }
    Ok(release?)
}
