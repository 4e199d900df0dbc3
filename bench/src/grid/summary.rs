//! From lines to a verdict.

use anyhow::{Context, Result};

use super::cells::{DECISIVE_RUNS, ERRORS, GridCell, JUDGED, MARGIN};
use super::peers;
use super::record::{Figures, RunFigures, RunRecord};
use crate::text_table::TextTable;

/// A figure of a run that a summary shows.
pub struct Metric<F = RunFigures> {
    /// The name of the field of a line.
    pub name: &'static str,
    /// What it is, for a heading.
    pub words: &'static str,
    /// Digits behind the point.
    pub digits: usize,
    /// Where the list of 2-, 3-, 4- and 5-way distances of a [`peers::PeerFigure`] has it.
    pub index: Option<usize>,
    /// The figure, where the run has it.
    pub of: fn(&F) -> Option<f64>,
}

const fn metric(
    name: &'static str,
    words: &'static str,
    digits: usize,
    index: Option<usize>,
    of: fn(&RunFigures) -> Option<f64>,
) -> Metric {
    Metric { name, words, digits, index, of }
}

/// All metrics: distances of the columns alone and of marginals of two to five, seconds, memory.
pub static METRICS: [Metric; 8] = [
    metric("tvd1", "TVD1", 5, None, |run| Some(run.tvd1)),
    metric("tvd2", "TVD2", 5, Some(0), |run| Some(run.tvd2)),
    metric("tvd3", "TVD3", 5, Some(1), |run| Some(run.tvd3)),
    metric("tvd4", "TVD4", 5, Some(2), |run| Some(run.tvd4)),
    metric("tvd5", "TVD5", 5, Some(3), |run| Some(run.tvd5)),
    metric("seconds", "seconds", 2, None, |run| Some(run.seconds)),
    metric("cpu_seconds", "CPU seconds", 2, None, |run| Some(run.cpu_seconds)),
    metric("peak_bytes", "peak memory, MB", 0, None, |run| Some(run.peak_bytes as f64 / 1e6)),
];

impl Metric {
    /// By the name of the field of a line.
    pub fn find(name: &str) -> Result<&'static Self> {
        METRICS.iter().find(|metric| metric.name == name).with_context(|| format!("no line has a {name}"))
    }
}

/// A method in a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Mean {
    /// Runs that ended well.
    pub runs: usize,
    /// Their mean.
    pub mean: f64,
    /// Its standard error, from two runs on.
    pub error: Option<f64>,
}

impl Mean {
    /// Of these values; `None` of none.
    pub fn of(values: &[f64]) -> Option<Self> {
        let runs = values.len();
        if runs == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / runs as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let error = (runs > 1).then(|| (squares / (runs - 1) as f64 / runs as f64).sqrt());
        Some(Self { runs, mean, error })
    }
}

/// Whether a rule holds, or would hold after too few runs, in words.
fn verdict(holds: bool, enough: bool) -> &'static str {
    match (enough, holds) {
        (true, true) => "holds",
        (true, false) => "FAILS",
        (false, true) => "so far",
        (false, false) => "not so far",
    }
}

/// The rule of the wide grid: `judged` against the best of the others.
pub fn judge(judged: &Mean, best: &Mean) -> (f64, &'static str) {
    let squares = judged.error.unwrap_or(0.0).powi(2) + best.error.unwrap_or(0.0).powi(2);
    let allowed = MARGIN * best.mean + ERRORS * squares.sqrt();
    let enough = judged.runs.min(best.runs) >= DECISIVE_RUNS;
    (allowed, verdict(judged.mean <= allowed, enough))
}

/// Lines of some cells, of one kind of run.
pub struct Summary<'a, F = RunFigures> {
    lines: Vec<&'a RunRecord<F>>,
    /// The cells.
    pub cells: Vec<GridCell>,
    /// The methods with their settings.
    pub variants: Vec<String>,
}

impl<'a, F: Figures> Summary<'a, F> {
    /// Of the lines that `keep` keeps, in the order of `cells`; of all their cells when there are
    /// none.
    pub fn new(lines: &'a [RunRecord<F>], cells: Vec<GridCell>, keep: impl Fn(&RunRecord<F>) -> bool) -> Self {
        let lines: Vec<&RunRecord<F>> = lines.iter().filter(|line| keep(line)).collect();
        let (mut found, mut variants) = (Vec::new(), Vec::new());
        for line in &lines {
            let cell = GridCell { table: line.table.clone(), epsilon: line.epsilon };
            if !found.contains(&cell) {
                found.push(cell);
            }
            if !variants.contains(&line.variant()) {
                variants.push(line.variant());
            }
        }
        // The judged method stands last, beside its verdict.
        variants.sort_by_key(|variant| *variant == JUDGED);
        let cells = if cells.is_empty() { found } else { cells };
        Self { lines, cells, variants }
    }

    /// The runs of a method in a cell.
    pub fn of(&self, cell: &GridCell, variant: &str) -> impl Iterator<Item = &RunRecord<F>> {
        let here = move |line: &&RunRecord<F>| {
            line.table == cell.table && line.epsilon == cell.epsilon && line.variant() == variant
        };
        self.lines.iter().copied().filter(here)
    }

    /// The mean of a method in a cell.
    pub fn mean(&self, cell: &GridCell, variant: &str, metric: &Metric<F>) -> Option<Mean> {
        let values: Vec<f64> = self.of(cell, variant).filter_map(|line| (metric.of)(line.result.as_ref()?)).collect();
        Mean::of(&values)
    }

    /// Runs that did not end well, with the reason.
    pub fn failures(&self) -> TextTable {
        let mut table = TextTable::new("table, epsilon, method, run, why");
        for line in &self.lines {
            let made_good = self.lines.iter().any(|other| other.same_run(line) && other.result.is_some());
            if let Some(why) = line.failed.as_ref().filter(|_| !made_good) {
                table.push(&[&line.table, &line.epsilon, &line.variant(), &line.run, why]);
            }
        }
        table
    }
}

impl Summary<'_> {
    /// The methods of a cell other than the judged one, best first.
    pub fn ranking(&self, cell: &GridCell, metric: &Metric) -> Vec<(String, Mean)> {
        let others = self.variants.iter().filter(|variant| *variant != JUDGED);
        let mut means: Vec<(String, Mean)> =
            others.filter_map(|variant| Some((variant.clone(), self.mean(cell, variant, metric)?))).collect();
        means.sort_by(|left, right| left.1.mean.total_cmp(&right.1.mean));
        means
    }

    /// One line a cell: every method, the best marked, and the judged one's ratio to the best
    /// other.
    pub fn table(&self, metric: &Metric) -> TextTable {
        let mut head: Vec<String> = vec!["table".into(), "epsilon".into()];
        head.extend(self.variants.iter().cloned());
        let judged = self.variants.iter().any(|variant| variant == JUDGED) && metric.index.is_some();
        if judged {
            head.extend([format!("{JUDGED} / best other"), "at most".into(), "verdict".into()]);
        }
        let rows = self.cells.iter().map(|cell| self.row(cell, metric, judged)).collect();
        TextTable { head, rows }
    }

    fn row(&self, cell: &GridCell, metric: &Metric, judged: bool) -> Vec<String> {
        let means: Vec<Option<Mean>> = self.variants.iter().map(|variant| self.mean(cell, variant, metric)).collect();
        let least = means.iter().flatten().map(|mean| mean.mean).fold(f64::INFINITY, f64::min);
        let mut row = vec![cell.table.clone(), cell.epsilon.to_string()];
        for (variant, mean) in self.variants.iter().zip(&means) {
            row.push(match mean {
                Some(mean) => {
                    let star = if mean.mean == least { " *" } else { "" };
                    format!("{}{star}", shown(mean, metric))
                }
                None if self.of(cell, variant).next().is_some() => "failed".into(),
                None => "-".into(),
            });
        }
        if judged {
            let ours = self.mean(cell, JUDGED, metric);
            match (ours, self.ranking(cell, metric).first()) {
                (Some(ours), Some((_, best))) => {
                    let (allowed, verdict) = judge(&ours, best);
                    let ratio = |figure: f64| format!("{:.3}", figure / best.mean);
                    row.extend([ratio(ours.mean), ratio(allowed), verdict.into()]);
                }
                _ => row.extend(["-".into(), "-".into(), "-".into()]),
            }
        }
        row
    }

    /// What our methods are held to beside other tools' figures, and `aim` beside `mst`.
    pub fn promises(&self, metrics: &[&Metric]) -> Result<TextTable> {
        let figures = peers::figures()?;
        let mut table = TextTable::new("method, table, epsilon, measure, ours, held against, ratio, at most, verdict");
        let mut held = |method: &str, cell: &GridCell, metric: &Metric, bar: Bar| {
            let Some(ours) = self.mean(cell, method, metric) else { return };
            let ratio = ours.mean / bar.figure;
            let kept = if bar.strict { ratio < bar.most } else { ours.mean <= bar.most * bar.figure };
            let verdict = verdict(kept, ours.runs.min(bar.runs) >= DECISIVE_RUNS);
            let row = [method, &cell.table, &cell.epsilon.to_string(), metric.words, &shown(&ours, metric), &bar.words];
            let judged = [&format!("{ratio:.3}"), &format!("{:.2}", bar.most), verdict];
            table.rows.push(row.into_iter().chain(judged).map(str::to_owned).collect());
        };
        let places = || self.cells.iter().flat_map(|cell| metrics.iter().map(move |metric| (cell, *metric)));
        for promise in &peers::PROMISES {
            for (cell, metric) in places() {
                let place = (cell.table.as_str(), cell.epsilon);
                let best = |index| peers::best(&figures, place, promise.family, index);
                let Some((peer, figure)) = metric.index.and_then(best) else { continue };
                let (words, most) = (format!("{figure:.5} {}", peer.tool), (promise.factor)(cell.epsilon));
                held(promise.method, cell, metric, Bar { figure, words, most, runs: usize::MAX, strict: false });
            }
        }
        for (cell, metric) in places() {
            if let Some(mst) = self.mean(cell, "mst", metric)
                && peers::AIM_EPSILONS.contains(&cell.epsilon)
                && metric.index.is_some()
            {
                let words = format!("{} mst", shown(&mst, metric));
                held("aim", cell, metric, Bar { figure: mst.mean, words, most: 1.0, runs: mst.runs, strict: true });
            }
        }
        Ok(table)
    }
}

/// What a method is held against: a figure in words, the ratio that it may have, and whether it
/// must stay below it.
struct Bar {
    figure: f64,
    words: String,
    most: f64,
    runs: usize,
    strict: bool,
}

/// A mean with its standard error and runs, in words.
pub fn shown<F>(mean: &Mean, metric: &Metric<F>) -> String {
    let digits = metric.digits;
    match mean.error {
        Some(error) => format!("{:.digits$} ±{error:.digits$} ({})", mean.mean, mean.runs),
        None => format!("{:.digits$}", mean.mean),
    }
}
