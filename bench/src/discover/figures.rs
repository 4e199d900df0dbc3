//! One run of the study.

use anyhow::Result;
use lookalike::{Budget, OpenSchema, Seed, Synthesizer};
use serde::{Deserialize, Serialize};

use super::facts::FoundFacts;
use super::table::StudyTable;
use crate::grid::RunRecord;
use crate::grid::record::Figures;
use crate::measure::spent;
use crate::raw::makers::{RunLimits, released_by};

/// The setting of a line that says where its schema comes from; it is none of the method's.
pub const SCHEMA: &str = "schema";
/// The public schema.
pub const STATED: &str = "stated";
/// Nothing is stated.
pub const FOUND: &str = "found";

/// What a run reached, and what it took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DiscoverFigures {
    /// Real rows.
    pub rows: u64,
    /// Columns of the public schema that are modelled.
    pub columns: usize,
    /// The mean total variation distance of the 3-way marginals, in groups of the real values.
    pub tvd3: f64,
    /// The epsilon recomputed from the scales used.
    pub used_epsilon: f64,
    /// Wall seconds from the file to the release.
    pub seconds: f64,
    /// CPU seconds of the same.
    pub cpu_seconds: f64,
    /// What was found, where nothing was stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<FoundFacts>,
}

impl Figures for DiscoverFigures {
    const BENCH: &'static str = "discover";
}

/// A line of the study.
pub type DiscoverLine = RunRecord<DiscoverFigures>;

/// Runs the line and fills it in, whether the run ends well or not.
pub fn finished(table: &StudyTable, mut line: DiscoverLine, limits: &RunLimits) -> DiscoverLine {
    match figures(table, &line, limits) {
        Ok(figures) => line.result = Some(figures),
        Err(why) => line.failed = Some(format!("{why:#}")),
    }
    line
}

fn figures(table: &StudyTable, line: &DiscoverLine, limits: &RunLimits) -> Result<DiscoverFigures> {
    let is_open = line.settings.get(SCHEMA).is_some_and(|schema| schema == FOUND);
    let run = match is_open {
        true => Synthesizer::discovering(OpenSchema::nothing()),
        false => Synthesizer::new(table.schema.clone()),
    };
    let run =
        run.budget(Budget::new(line.epsilon, line.delta)?).method_named(&line.method, Vec::new())?.seed(Seed(line.run));
    let (release, cost) = spent(|| released_by(run, &table.csv, limits));
    let release = release?;
    Ok(DiscoverFigures {
        rows: table.rows(),
        columns: table.schema.domain().len(),
        tvd3: table.distance(&release)?,
        used_epsilon: release.used(),
        seconds: cost.wall,
        cpu_seconds: cost.cpu,
        found: if is_open { Some(FoundFacts::new(table, line, release.schema())?) } else { None },
    })
}
