//! From paired runs to verdicts: what leaving a part out costs in a class of tables, and whether
//! the part stays.

use std::fmt::{Display, Formatter, Result as Written};

use super::class::TableClass;
use super::figures::{AblationFigures, AblationLine, Settings, change, default_means};
use super::parts::Part;
use super::tables::AblationTable;
use crate::grid::cells::ERRORS;
use crate::grid::summary::Mean;
use crate::raw::average::mean;
use crate::text_table::TextTable;

/// The least relative change that counts.
const LEAST_CHANGE: f64 = 0.02;

/// What leaving a part out does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Figures grow by 2% and two standard errors at least.
    Costs,
    /// Figures shrink by as much.
    Gains,
    /// Neither.
    CannotTell,
    /// Runs fail that the default ends: a fault of the switch, which says nothing of the part.
    Fails,
}

/// Paired runs of the default and of one part left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairedRuns {
    /// The relative change of each pair.
    pub changes: Vec<f64>,
    /// Runs that failed without the part, and not with it.
    pub failed: usize,
}

impl PairedRuns {
    /// What they show.
    pub fn effect(&self) -> Effect {
        // One pair has no standard error and shows nothing.
        let clear = Mean::of(&self.changes).and_then(|change| Some((change.mean, change.error?)));
        let clear = clear.filter(|(mean, error)| mean.abs() >= LEAST_CHANGE.max(ERRORS * error));
        match clear {
            _ if self.failed > 0 => Effect::Fails,
            Some((mean, _)) if mean > 0.0 => Effect::Costs,
            Some(_) => Effect::Gains,
            None => Effect::CannotTell,
        }
    }

    /// The mean change with its standard error and the number of pairs, in per cent.
    fn words(&self) -> String {
        let failed = if self.failed > 0 { format!(" {} failed", self.failed) } else { String::new() };
        let change = Mean::of(&self.changes).map_or("-".into(), |change| {
            let error = change.error.map_or(String::new(), |error| format!(" ±{:.1}", 100.0 * error));
            format!("{:+.1}%{error} ({})", 100.0 * change.mean, change.runs)
        });
        change + &failed
    }
}

impl Display for Effect {
    fn fmt(&self, out: &mut Formatter<'_>) -> Written {
        out.write_str(match self {
            Self::Costs => "costs",
            Self::Gains => "gains",
            Self::CannotTell => "cannot tell",
            Self::Fails => "fails",
        })
    }
}

/// A part stays when leaving it out costs somewhere and gains nowhere; otherwise it goes. As long
/// as runs fail without it, that is open.
pub fn verdict(effects: &[Effect]) -> &'static str {
    let has = |effect| effects.contains(&effect);
    match (has(Effect::Fails), has(Effect::Costs) && !has(Effect::Gains)) {
        (true, _) => "open",
        (false, true) => "stays",
        (false, false) => "goes",
    }
}

/// The runs of one method at one budget.
pub struct Ablation<'a> {
    /// The lines.
    pub lines: Vec<&'a AblationLine>,
    /// What is set for all of them.
    pub base: &'a Settings,
    /// The tables.
    pub tables: &'a [AblationTable],
    /// The parts.
    pub parts: &'a [Part],
}

impl Ablation<'_> {
    /// Each part by class of tables, and whether it stays; the mean seconds of a run without it.
    pub fn by_class(&self) -> TextTable {
        let mut classes: Vec<TableClass> = self.tables.iter().map(|table| table.class).collect();
        classes.sort();
        classes.dedup();
        let mut head = vec!["left out".to_owned()];
        head.extend(classes.iter().flat_map(|class| [class.word().to_owned(), "effect".to_owned()]));
        head.extend(["verdict".to_owned(), "seconds".to_owned()]);
        let mut rows = vec![vec!["nothing".to_owned()]];
        rows[0].resize(head.len() - 1, "-".to_owned());
        rows[0].push(self.seconds(self.base));
        for part in self.parts {
            let paired = |class: &TableClass| self.paired(part, |table| table.class == *class);
            let found: Vec<PairedRuns> = classes.iter().map(paired).collect();
            let effects: Vec<Effect> = found.iter().map(PairedRuns::effect).collect();
            let mut row = vec![part.to_string()];
            row.extend(found.iter().zip(&effects).flat_map(|(runs, effect)| [runs.words(), effect.to_string()]));
            row.push(verdict(&effects).to_owned());
            row.push(self.seconds(&part.left_out(self.base)));
            rows.push(row);
        }
        TextTable { head, rows }
    }

    /// The change on each table, a row a table.
    pub fn by_table(&self) -> TextTable {
        let mut head = vec!["table".to_owned(), "class".to_owned()];
        head.extend(self.parts.iter().map(Part::to_string));
        let row = |table: &AblationTable| {
            let change = |part: &Part| self.paired(part, |other| other == table).words();
            let named = [table.name.clone(), table.class.word().to_owned()].into_iter();
            named.chain(self.parts.iter().map(change)).collect()
        };
        TextTable { head, rows: self.tables.iter().map(row).collect() }
    }

    /// The pairs of a part over some tables.
    pub fn paired(&self, part: &Part, keep: impl Fn(&AblationTable) -> bool) -> PairedRuns {
        let (without, mut found) = (part.left_out(self.base), PairedRuns::default());
        for table in self.tables.iter().filter(|table| keep(table)) {
            let defaults: Vec<(u64, &AblationFigures)> = self.ended(&table.name, self.base).collect();
            let means = default_means(&defaults.iter().map(|run| run.1).collect::<Vec<_>>());
            for (run, default) in defaults {
                match self.ended(&table.name, &without).find(|other| other.0 == run) {
                    Some((_, other)) => found.changes.extend(change(default, other, &means)),
                    None => found.failed += usize::from(self.of(&table.name, &without).any(|line| line.run == run)),
                }
            }
        }
        found
    }

    fn of(&self, table: &str, settings: &Settings) -> impl Iterator<Item = &AblationLine> {
        self.lines.iter().copied().filter(move |line| line.table == table && line.settings == *settings)
    }

    /// The runs that ended well, with their numbers.
    fn ended(&self, table: &str, settings: &Settings) -> impl Iterator<Item = (u64, &AblationFigures)> {
        self.of(table, settings).filter_map(|line| Some((line.run, line.result.as_ref()?)))
    }

    /// The mean seconds of runs with these settings, over tables and runs.
    fn seconds(&self, settings: &Settings) -> String {
        let runs = self.tables.iter().flat_map(|table| self.ended(&table.name, settings));
        mean(runs.map(|run| run.1.seconds)).map_or("-".into(), |seconds| format!("{seconds:.1}"))
    }
}
