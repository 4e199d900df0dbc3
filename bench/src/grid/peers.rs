//! What other tools reach on the benchmark tables, at delta 1e-5, on the same marginals: figures
//! measured once with their own code, compiled in as the bar.

use anyhow::{Context, Result};
use serde::Deserialize;

const FIGURES: &str = include_str!("../../peers.json");

/// One tool on one table.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeerFigure {
    /// Tool and method.
    pub tool: String,
    /// The method's family.
    pub method: String,
    /// Table.
    pub table: String,
    /// Epsilon, as the tool counts it.
    pub epsilon: f64,
    /// Mean total variation distance of 2-, 3-, 4- and 5-way marginals, where measured.
    pub tvd: [Option<f64>; 4],
    /// What a run took; the least and the most where several runs differ.
    pub seconds: Vec<f64>,
    /// What the seconds are.
    pub clock: Clock,
    /// Whether it spends more than its epsilon. The bar stands nevertheless.
    pub overspends: bool,
}

/// What a tool's seconds are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// CPU seconds of all threads.
    Cpu,
    /// Wall seconds on an H200 GPU.
    Gpu,
}

/// All figures.
pub fn figures() -> Result<Vec<PeerFigure>> {
    serde_json::from_str(FIGURES).context("the peers' figures cannot be read")
}

/// `aim` is compared with `mst` on every benchmark table at these epsilons.
pub const AIM_EPSILONS: [f64; 2] = [0.8, 3.2];

/// A promise that a method keeps in a cell: at most `factor` times the best figure of a family (or
/// of all tools).
#[derive(Clone, Copy, Debug)]
pub struct Promise {
    /// Our method.
    pub method: &'static str,
    /// Whose figures it is held against; all tools when `None`.
    pub family: Option<&'static str>,
    /// The factor at an epsilon.
    pub factor: fn(f64) -> f64,
}

/// What our methods are held to.
pub const PROMISES: [Promise; 3] = [
    Promise { method: "auto", family: None, factor: |_| 0.90 },
    Promise { method: "privmrf", family: Some("privmrf"), factor: |epsilon| if epsilon <= 0.2 { 1.25 } else { 1.10 } },
    Promise { method: "mst", family: Some("mst"), factor: |_| 1.03 },
];

/// The best figure of a table and epsilon for an index of [`PeerFigure::tvd`], among all tools or
/// one family.
pub fn best<'a>(
    figures: &'a [PeerFigure],
    (table, epsilon): (&str, f64),
    family: Option<&str>,
    index: usize,
) -> Option<(&'a PeerFigure, f64)> {
    figures
        .iter()
        .filter(|figure| figure.table == table && figure.epsilon == epsilon)
        .filter(|figure| family.is_none_or(|family| figure.method == family))
        .filter_map(|figure| Some((figure, figure.tvd[index]?)))
        .min_by(|left, right| left.1.total_cmp(&right.1))
}
