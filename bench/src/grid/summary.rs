//! From lines to a verdict.

use std::fmt::Write;

use super::cells::{Cell, DECISIVE_RUNS, ERRORS, JUDGED, MARGIN};
use super::line::{Figures, Line};
use super::peers;

/// A figure of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Distance of the columns alone.
    Tvd1,
    /// Distance of marginals: an index of the list 2, 3, 4, 5.
    Tvd(usize),
    /// Wall seconds.
    Seconds,
    /// CPU seconds.
    CpuSeconds,
    /// Peak resident memory, in megabytes.
    PeakMegabytes,
}

impl Measure {
    /// By the name of the field of a line.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "tvd1" => Self::Tvd1,
            "tvd2" => Self::Tvd(0),
            "tvd3" => Self::Tvd(1),
            "tvd4" => Self::Tvd(2),
            "tvd5" => Self::Tvd(3),
            "seconds" => Self::Seconds,
            "cpu_seconds" => Self::CpuSeconds,
            "peak_bytes" => Self::PeakMegabytes,
            _ => return None,
        })
    }

    /// What it is, for a heading.
    pub fn words(self) -> &'static str {
        match self {
            Self::Tvd1 => "TVD1",
            Self::Tvd(0) => "TVD2",
            Self::Tvd(1) => "TVD3",
            Self::Tvd(2) => "TVD4",
            Self::Tvd(_) => "TVD5",
            Self::Seconds => "seconds",
            Self::CpuSeconds => "CPU seconds",
            Self::PeakMegabytes => "peak memory, MB",
        }
    }

    fn of(self, figures: &Figures) -> f64 {
        match self {
            Self::Tvd1 => figures.tvd1,
            Self::Tvd(index) => [figures.tvd2, figures.tvd3, figures.tvd4, figures.tvd5][index.min(3)],
            Self::Seconds => figures.seconds,
            Self::CpuSeconds => figures.cpu_seconds,
            Self::PeakMegabytes => figures.peak_bytes as f64 / 1e6,
        }
    }

    fn digits(self) -> usize {
        match self {
            Self::Tvd1 | Self::Tvd(_) => 5,
            Self::Seconds | Self::CpuSeconds => 2,
            Self::PeakMegabytes => 0,
        }
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

/// Whether a rule holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Holds,
    /// It does not.
    Fails,
    /// Too few runs; so far it would hold, or not.
    Open(bool),
}

impl Verdict {
    fn new(holds: bool, enough: bool) -> Self {
        match (enough, holds) {
            (true, true) => Self::Holds,
            (true, false) => Self::Fails,
            (false, holds) => Self::Open(holds),
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "FAILS",
            Self::Open(true) => "so far",
            Self::Open(false) => "not so far",
        }
    }
}

/// The rule of the wide grid: `judged` against the best of the others.
pub fn judge(judged: &Mean, best: &Mean) -> (f64, Verdict) {
    let squares = judged.error.unwrap_or(0.0).powi(2) + best.error.unwrap_or(0.0).powi(2);
    let allowed = MARGIN * best.mean + ERRORS * squares.sqrt();
    let enough = judged.runs.min(best.runs) >= DECISIVE_RUNS;
    (allowed, Verdict::new(judged.mean <= allowed, enough))
}

/// Lines of some cells, of one kind of run.
pub struct Summary<'a> {
    lines: Vec<&'a Line>,
    cells: Vec<Cell>,
    variants: Vec<String>,
}

impl<'a> Summary<'a> {
    /// Of the lines that `keep` keeps, in the order of `cells`; of all their cells when there are
    /// none.
    pub fn new(lines: &'a [Line], cells: Vec<Cell>, keep: impl Fn(&Line) -> bool) -> Self {
        let lines: Vec<&Line> = lines.iter().filter(|line| keep(line)).collect();
        let (mut found, mut variants) = (Vec::new(), Vec::new());
        for line in &lines {
            let cell = Cell { table: line.table.clone(), epsilon: line.epsilon };
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

    /// Methods with their settings, in the order of the file.
    pub fn variants(&self) -> &[String] {
        &self.variants
    }

    fn of(&self, cell: &Cell, variant: &str) -> impl Iterator<Item = &'a Line> {
        let here =
            |line: &&&Line| line.table == cell.table && line.epsilon == cell.epsilon && line.variant() == variant;
        self.lines.iter().filter(here).copied().collect::<Vec<_>>().into_iter()
    }

    /// The mean of a method in a cell.
    pub fn mean(&self, cell: &Cell, variant: &str, measure: Measure) -> Option<Mean> {
        let values: Vec<f64> =
            self.of(cell, variant).filter_map(|line| Some(measure.of(line.result.as_ref()?))).collect();
        Mean::of(&values)
    }

    /// The methods of a cell other than the judged one, best first.
    pub fn ranking(&self, cell: &Cell, measure: Measure) -> Vec<(String, Mean)> {
        let others = self.variants.iter().filter(|variant| *variant != JUDGED);
        let mut means: Vec<(String, Mean)> =
            others.filter_map(|variant| Some((variant.clone(), self.mean(cell, variant, measure)?))).collect();
        means.sort_by(|left, right| left.1.mean.total_cmp(&right.1.mean));
        means
    }

    /// One line a cell: every method, the best marked, and the judged one's ratio to the best
    /// other.
    pub fn table(&self, measure: Measure) -> Sheet {
        let mut head: Vec<String> = vec!["table".into(), "epsilon".into()];
        head.extend(self.variants.iter().cloned());
        let judged = self.variants.iter().any(|variant| variant == JUDGED) && matches!(measure, Measure::Tvd(_));
        if judged {
            head.extend([format!("{JUDGED} / best other"), "at most".into(), "verdict".into()]);
        }
        let rows = self.cells.iter().map(|cell| self.row(cell, measure, judged)).collect();
        Sheet { head, rows }
    }

    fn row(&self, cell: &Cell, measure: Measure, judged: bool) -> Vec<String> {
        let means: Vec<Option<Mean>> = self.variants.iter().map(|variant| self.mean(cell, variant, measure)).collect();
        let least = means.iter().flatten().map(|mean| mean.mean).fold(f64::INFINITY, f64::min);
        let mut row = vec![cell.table.clone(), cell.epsilon.to_string()];
        for (variant, mean) in self.variants.iter().zip(&means) {
            row.push(match mean {
                Some(mean) => {
                    let star = if mean.mean == least { " *" } else { "" };
                    format!("{}{star}", shown(mean, measure))
                }
                None if self.of(cell, variant).next().is_some() => "failed".into(),
                None => "-".into(),
            });
        }
        if judged {
            let ours = self.mean(cell, JUDGED, measure);
            match (ours, self.ranking(cell, measure).first()) {
                (Some(ours), Some((_, best))) => {
                    let (allowed, verdict) = judge(&ours, best);
                    let ratio = |figure: f64| format!("{:.3}", figure / best.mean);
                    row.extend([ratio(ours.mean), ratio(allowed), verdict.words().into()]);
                }
                _ => row.extend(["-".into(), "-".into(), "-".into()]),
            }
        }
        row
    }

    /// What our methods are held to beside other tools' figures.
    pub fn promises(&self, measures: &[Measure]) -> Sheet {
        let head = ["method", "table", "epsilon", "measure", "ours", "held against", "ratio", "at most", "verdict"];
        let mut rows = Vec::new();
        for promise in &peers::PROMISES {
            for cell in &self.cells {
                for &measure in measures {
                    let Measure::Tvd(index) = measure else { continue };
                    let Some(ours) = self.mean(cell, promise.method, measure) else { continue };
                    let Some((figure, bar)) = peers::best(cell, promise.family, index) else { continue };
                    let most = (promise.factor)(cell.epsilon);
                    let against = format!("{bar:.5} {}", figure.tool);
                    let verdict = Verdict::new(ours.mean <= most * bar, ours.runs >= DECISIVE_RUNS);
                    rows.push(held(promise.method, cell, measure, &ours, against, [ours.mean / bar, most], verdict));
                }
            }
        }
        for cell in self.cells.iter().filter(|cell| peers::AIM_EPSILONS.contains(&cell.epsilon)) {
            for &measure in measures.iter().filter(|measure| matches!(measure, Measure::Tvd(_))) {
                let (Some(aim), Some(mst)) = (self.mean(cell, "aim", measure), self.mean(cell, "mst", measure)) else {
                    continue;
                };
                let verdict = Verdict::new(aim.mean < mst.mean, aim.runs.min(mst.runs) >= DECISIVE_RUNS);
                let against = format!("{} mst", shown(&mst, measure));
                rows.push(held("aim", cell, measure, &aim, against, [aim.mean / mst.mean, 1.0], verdict));
            }
        }
        Sheet { head: head.map(String::from).to_vec(), rows }
    }

    /// Runs that did not end well, with the reason.
    pub fn failures(&self) -> Sheet {
        let head = ["table", "epsilon", "method", "run", "why"].map(String::from).to_vec();
        let made_good = |line: &Line| self.lines.iter().any(|other| other.same_run(line) && other.result.is_some());
        let row = |line: &&Line| {
            let why = line.failed.clone().filter(|_| !made_good(line))?;
            Some(vec![line.table.clone(), line.epsilon.to_string(), line.variant(), line.run.to_string(), why])
        };
        Sheet { head, rows: self.lines.iter().filter_map(row).collect() }
    }
}

fn held(
    method: &str,
    cell: &Cell,
    measure: Measure,
    ours: &Mean,
    against: String,
    [ratio, most]: [f64; 2],
    verdict: Verdict,
) -> Vec<String> {
    let words = [method, &cell.table, &cell.epsilon.to_string(), measure.words(), &shown(ours, measure), &against]
        .map(String::from);
    words.into_iter().chain([format!("{ratio:.3}"), format!("{most:.2}"), verdict.words().into()]).collect()
}

fn shown(mean: &Mean, measure: Measure) -> String {
    let digits = measure.digits();
    match mean.error {
        Some(error) => format!("{:.digits$} ±{error:.digits$} ({})", mean.mean, mean.runs),
        None => format!("{:.digits$}", mean.mean),
    }
}

/// Rows and columns of words.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// Headings.
    pub head: Vec<String>,
    /// Rows, as long as the head.
    pub rows: Vec<Vec<String>>,
}

impl Sheet {
    /// Columns set under each other.
    pub fn plain(&self) -> String {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| &row[column]).chain([&self.head[column]]);
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let mut text = String::new();
        for row in std::iter::once(&self.head).chain(&self.rows) {
            let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
            let _ = writeln!(text, "{}", cells.join("  ").trim_end());
        }
        text
    }

    /// The same for a document.
    pub fn markdown(&self) -> String {
        let line = |row: &Vec<String>| format!("| {} |\n", row.join(" | "));
        let rule = format!("|{}\n", "---|".repeat(self.head.len()));
        line(&self.head) + &rule + &self.rows.iter().map(line).collect::<String>()
    }
}
