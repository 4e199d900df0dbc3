//! Runs what is not recorded yet, and records it.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use lookalike::write_whole;
use rayon::prelude::*;

use super::results::{ResultCell, StudyResults};
use super::settings::StudySettings;
use crate::measure::spent;

/// 2^64 over the golden ratio, which spreads neighbouring numbers far apart.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// One run of one series at one place.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// Its number: runs of other series with the same number are its pair.
    pub run: u64,
    /// The seed of everything that is drawn in it; another one for every series and place.
    pub seed: u64,
}

impl Trial {
    /// The seed of one repetition, where a run is a batch of them.
    pub fn repetition(self, index: u64) -> u64 {
        self.seed.wrapping_add(index.wrapping_mul(GOLDEN))
    }
}

/// A study on its way: what it may use, and what it measured so far.
pub struct Recorder<'a> {
    /// What it may use.
    pub settings: &'a StudySettings<'a>,
    results: StudyResults,
    path: Option<PathBuf>,
    left: f64,
}

impl<'a> Recorder<'a> {
    /// Goes on with the file, if there is one of the same study, or begins.
    pub fn open(figure: &str, settings: &'a StudySettings<'a>, path: Option<PathBuf>) -> Result<Self> {
        let fresh = StudyResults::new(figure, settings.size);
        let known = path.as_deref().map(StudyResults::read).transpose()?.flatten();
        let mut results = match known {
            None => fresh,
            Some(known) => {
                let (old, new) = (&known.header, &fresh.header);
                ensure!(
                    (&old.figure, old.size, old.seeded) == (&new.figure, new.size, new.seeded),
                    "the results there are of another kind of run; give another folder with --out, or --fresh"
                );
                known
            }
        };
        results.header.notes.clear();
        Ok(Self { settings, results, path, left: 0.0 })
    }

    /// Adds what a reader must know, once.
    pub fn note(&mut self, words: impl Into<String>) {
        let words = words.into();
        if !self.results.header.notes.contains(&words) {
            self.results.header.notes.push(words);
        }
    }

    /// Sees that a series has these runs at a place. `trial` gives one value for each panel; it is
    /// called for the runs that are not recorded yet, several at once.
    pub fn trials(
        &mut self,
        panels: &[&str],
        series: &str,
        x: f64,
        runs: u64,
        trial: impl Fn(Trial) -> Result<Vec<f64>> + Sync,
    ) -> Result<()> {
        self.cells(&panels.iter().map(|panel| (*panel, series)).collect::<Vec<_>>(), x, runs, trial)
    }

    /// The same for a trial that gives one value for each series of a panel.
    pub fn series(
        &mut self,
        panel: &str,
        series: &[&str],
        x: f64,
        runs: u64,
        trial: impl Fn(Trial) -> Result<Vec<f64>> + Sync,
    ) -> Result<()> {
        self.cells(&series.iter().map(|series| (panel, *series)).collect::<Vec<_>>(), x, runs, trial)
    }

    /// The same for any cells of one place: a panel and a series each.
    pub fn cells(
        &mut self,
        cells: &[(&str, &str)],
        x: f64,
        runs: u64,
        trial: impl Fn(Trial) -> Result<Vec<f64>> + Sync,
    ) -> Result<()> {
        let known = |(panel, series): &(&str, &str)| self.results.values(panel, series, x).len() as u64;
        let known = cells.iter().map(known).min().unwrap_or(0);
        let Some(&(panel, series)) = cells.first() else { return Ok(()) };
        let (asked, runs) = (runs, runs.min(self.settings.most_runs.unwrap_or(u64::MAX)));
        if known >= runs {
            self.left += self.seconds(cells, x) * asked.saturating_sub(known) as f64;
            return Ok(());
        }
        // Places on a logarithmic scale have all digits that there are; three tell them apart.
        let told: f64 = format!("{x:.2e}").parse()?;
        (self.settings.tell)(&format!("{}: {panel}, {series}, at {told}", self.results.header.figure));
        let one = |run: u64| {
            let seed = seed(&self.results.header.figure, panel, series, x, run);
            trial(Trial { run, seed }).with_context(|| format!("{panel}, {series}, at {x}"))
        };
        let (found, cost) = spent(|| (known..runs).into_par_iter().map(one).collect::<Result<Vec<_>>>());
        let seconds = (1e4 * cost.cpu / ((runs - known) * cells.len() as u64) as f64).round() / 1e4;
        for values in found? {
            ensure!(values.len() == cells.len(), "{series}: {} values for {} cells", values.len(), cells.len());
            for (&(panel, series), value) in cells.iter().zip(values) {
                ensure!(value.is_finite(), "{panel}, {series}, at {x}: a value is not finite");
                // Seven digits are far below any run's noise, and keep the files short.
                let value = format!("{value:.6e}").parse()?;
                self.cell(panel, series, x, seconds).values.push(value);
            }
        }
        self.left += self.seconds(cells, x) * (asked - runs) as f64;
        self.keep()
    }

    /// CPU seconds of one trial that fills these cells.
    fn seconds(&self, cells: &[(&str, &str)], x: f64) -> f64 {
        let at = |&(panel, series): &(&str, &str)| {
            let same = |cell: &&ResultCell| cell.panel == panel && cell.series == series && cell.x == x;
            self.results.cells.iter().find(same).map_or(0.0, |cell| cell.seconds)
        };
        cells.iter().map(at).sum()
    }

    /// CPU seconds that the runs will take which are asked for and were not made.
    pub fn seconds_left(&self) -> f64 {
        self.left
    }

    fn cell(&mut self, panel: &str, series: &str, x: f64, seconds: f64) -> &mut ResultCell {
        let same = |cell: &ResultCell| cell.panel == panel && cell.series == series && cell.x == x;
        let index = self.results.cells.iter().position(same).unwrap_or(self.results.cells.len());
        if index == self.results.cells.len() {
            let (panel, series) = (panel.to_owned(), series.to_owned());
            self.results.cells.push(ResultCell { panel, series, x, values: Vec::new(), seconds });
        }
        &mut self.results.cells[index]
    }

    /// Writes the file whole, so that a study that is stopped loses one place at most.
    fn keep(&self) -> Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        Ok(write_whole(path, true, self.results.lines()?.as_bytes())?)
    }

    /// What was measured.
    pub fn finish(self) -> Result<StudyResults> {
        self.keep()?;
        Ok(self.results)
    }
}

/// FNV-1a over what names a trial, then stirred: the same on every machine.
fn seed(figure: &str, panel: &str, series: &str, x: f64, run: u64) -> u64 {
    let words =
        [figure.as_bytes(), panel.as_bytes(), series.as_bytes(), &x.to_bits().to_le_bytes(), &run.to_le_bytes()];
    let stir = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = words
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, word| stir(word.iter().fold(hash, |hash, &byte| stir(hash, byte)), 0xff));
    (hash ^ (hash >> 31)).wrapping_mul(GOLDEN)
}
