//! What is kept of a run, and the one number by which two runs are compared.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::class::TableClass;
use crate::grid::RunRecord;
use crate::grid::record::Figures;
use crate::raw::average::mean;

/// Parameters that differ from the defaults.
pub type Settings = BTreeMap<String, String>;
/// One run, one line.
pub type AblationLine = RunRecord<AblationFigures>;

/// The name of 1 - kS: the share of Spearman's correlation that is lost, over strong pairs.
pub const LOST_SPEARMAN: &str = "lost_spearman";

/// The figures that parts are judged by, and the least mean of the default that a change is held
/// against. kS rests on few pairs, and real rows drawn again lose up to 0.01 of it: half of almost
/// nothing is no change. A coded table has the first five, a raw one those of the rest that its
/// columns allow.
pub const JUDGED_FIGURES: [(&str, f64); 10] = [
    ("tvd1", 1e-4),
    ("tvd2", 1e-4),
    ("tvd3", 1e-4),
    ("tvd4", 1e-4),
    ("tvd5", 1e-4),
    (LOST_SPEARMAN, 0.02),
    ("spearman_mae", 1e-3),
    ("group_means", 1e-3),
    ("ks", 1e-3),
    ("tvd", 1e-3),
];

/// The same in words.
pub const CHANGE_IN_WORDS: &str = "The change of a run is the mean over its figures of what leaving the part out adds \
    to them, over the default's mean. Figures of coded tables: TVD1 to TVD5; of raw ones: 1 - kS where there are \
    strong pairs, Spearman MAE, group means in standard deviations, KS of numbers, TVD of categories.";

/// What a run reached, and what it took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AblationFigures {
    /// The table's class.
    pub class: TableClass,
    /// Synthetic rows.
    pub rows: u64,
    /// The epsilon recomputed from the scales used.
    pub used_epsilon: f64,
    /// Wall seconds from the file to the fitted model.
    pub seconds: f64,
    /// CPU seconds of the same, all threads.
    pub cpu_seconds: f64,
    /// All single figures, as `methods` or `raw` names them, and [`LOST_SPEARMAN`].
    pub figures: BTreeMap<String, f64>,
}

impl Figures for AblationFigures {
    const BENCH: &'static str = "ablate";
}

/// The default's mean of each judged figure that its runs on a table have.
pub fn default_means(runs: &[&AblationFigures]) -> BTreeMap<&'static str, f64> {
    let of = |name| mean(runs.iter().filter_map(|run| run.figures.get(name).copied()));
    JUDGED_FIGURES.iter().filter_map(|&(name, least)| Some((name, of(name)?.max(least)))).collect()
}

/// What leaving a part out adds to the judged figures, relative to the default's means; the mean
/// over the figures that both runs have.
pub fn change(default: &AblationFigures, without: &AblationFigures, means: &BTreeMap<&str, f64>) -> Option<f64> {
    let one = |(&name, over): (&&str, &f64)| Some((without.figures.get(name)? - default.figures.get(name)?) / over);
    mean(means.iter().filter_map(one))
}
