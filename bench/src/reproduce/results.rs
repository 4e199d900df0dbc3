//! What a study measured, run by run, and the file it lies in.
//!
//! Everything that is told about a figure (verdicts, pictures, the page) is computed from here, so
//! that no two of them can disagree. A file has a first line about the study and then one line a
//! cell: a panel, a series, a place on the first axis, and one value a run. Values at the same
//! index of two cells belong to the same run, and comparisons are paired by it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::settings::StudySize;
use crate::marginal::{mean, standard_error};
use crate::plot::Panel;
use crate::text_table::TextTable;

/// What was run: the first line of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudyHeader {
    /// The figure's name.
    pub figure: String,
    /// How much was asked for.
    pub size: StudySize,
    /// Whether noise came from seeds, so that a rerun gives the same values.
    pub seeded: bool,
    /// What a reader must know: stand-ins, systems that cannot run on a table.
    pub notes: Vec<String>,
}

/// The values of one series at one place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultCell {
    /// The set of axes that it belongs to.
    pub panel: String,
    /// The curve.
    pub series: String,
    /// The place on the first axis.
    pub x: f64,
    /// One value a run.
    pub values: Vec<f64>,
    /// This cell's part of the CPU seconds of one run. For estimates of time only: no verdict uses
    /// it.
    pub seconds: f64,
}

/// All that a study measured.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyResults {
    /// What was run.
    pub header: StudyHeader,
    /// The cells, in the order in which they came.
    pub cells: Vec<ResultCell>,
}

impl StudyResults {
    /// Nothing yet.
    pub fn new(figure: &str, size: StudySize) -> Self {
        let header =
            StudyHeader { figure: figure.to_owned(), size, seeded: cfg!(feature = "seeded"), notes: Vec::new() };
        Self { header, cells: Vec::new() }
    }

    /// What a file holds; `None` where there is no file.
    pub fn read(path: &Path) -> Result<Option<Self>> {
        if !path.is_file() {
            return Ok(None);
        }
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&text).with_context(|| path.display().to_string()).map(Some)
    }

    /// What the lines of a file say.
    pub fn parse(text: &str) -> Result<Self> {
        let mut lines = text.lines().enumerate();
        let (_, first) = lines.next().context("the file is empty")?;
        let header = serde_json::from_str(first).context("line 1 says nothing about the study")?;
        let cell = |(index, line): (usize, &str)| -> Result<ResultCell> {
            let cell: ResultCell = serde_json::from_str(line).with_context(|| format!("line {}", index + 1))?;
            ensure!(cell.values.iter().all(|value| value.is_finite()), "line {}: a value is not finite", index + 1);
            Ok(cell)
        };
        Ok(Self { header, cells: lines.map(cell).collect::<Result<_>>()? })
    }

    /// The lines of a file.
    pub fn lines(&self) -> Result<String> {
        let mut text = serde_json::to_string(&self.header)? + "\n";
        for cell in &self.cells {
            text += &(serde_json::to_string(cell)? + "\n");
        }
        Ok(text)
    }

    /// The values of a cell; none of a cell that is not there.
    pub fn values(&self, panel: &str, series: &str, x: f64) -> &[f64] {
        let found = self.cells.iter().find(|cell| cell.panel == panel && cell.series == series && cell.x == x);
        found.map_or(&[], |cell| &cell.values)
    }

    /// The panels, in order of appearance.
    pub fn panels(&self) -> Vec<&str> {
        distinct(self.cells.iter().map(|cell| cell.panel.as_str()))
    }

    /// The series of a panel, in order of appearance.
    pub fn series(&self, panel: &str) -> Vec<&str> {
        distinct(self.cells.iter().filter(|cell| cell.panel == panel).map(|cell| cell.series.as_str()))
    }

    /// The places of a series in a panel, from the left.
    pub fn places(&self, panel: &str, series: &str) -> Vec<f64> {
        let mut places: Vec<f64> =
            self.cells.iter().filter(|cell| cell.panel == panel && cell.series == series).map(|cell| cell.x).collect();
        places.sort_by(f64::total_cmp);
        places
    }

    /// The mean of each run over several cells: as many as the cell with the fewest runs has.
    pub fn run_means<'a>(&self, cells: impl IntoIterator<Item = (&'a str, &'a str, f64)>) -> Vec<f64> {
        let cells: Vec<&[f64]> = cells.into_iter().map(|(panel, series, x)| self.values(panel, series, x)).collect();
        let runs = cells.iter().map(|values| values.len()).min().unwrap_or(0);
        (0..runs).map(|run| cells.iter().map(|values| values[run]).sum::<f64>() / cells.len() as f64).collect()
    }

    /// The panels in which a series has a place: not every table has every one.
    pub fn panels_with<'a>(&'a self, series: &'a str, x: f64) -> impl Iterator<Item = &'a str> {
        self.panels().into_iter().filter(move |panel| !self.values(panel, series, x).is_empty())
    }

    /// The fewest and the most runs of a cell.
    pub fn runs(&self) -> (usize, usize) {
        let runs = || self.cells.iter().map(|cell| cell.values.len());
        (runs().min().unwrap_or(0), runs().max().unwrap_or(0))
    }

    /// CPU seconds of all runs.
    pub fn seconds(&self) -> f64 {
        self.cells.iter().map(|cell| cell.seconds * cell.values.len() as f64).sum()
    }

    /// Means with their standard errors, a curve a series.
    pub fn draw(&self, panel: &str, x: &str, y: &str) -> Panel {
        let mut drawn = Panel::new(panel, x, y);
        for series in self.series(panel) {
            for place in self.places(panel, series) {
                let values = self.values(panel, series, place);
                drawn.put_with_error(series, place, mean(values), standard_error(values));
            }
        }
        drawn
    }

    /// The numbers for a spreadsheet.
    pub fn csv(&self) -> String {
        let mut table = TextTable::new("panel, series, x, mean, standard error, runs");
        for ResultCell { panel, series, x, values, .. } in &self.cells {
            table.push(&[panel, series, x, &mean(values), &standard_error(values), &values.len()]);
        }
        table.csv()
    }
}

/// Where a figure's results lie.
pub fn results_file(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.jsonl"))
}

fn distinct<'a>(words: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    words.for_each(|word| {
        if !found.contains(&word) {
            found.push(word);
        }
    });
    found
}
