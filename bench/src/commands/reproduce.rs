//! The papers' figures on public or generated tables.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use serde_json::json;

use crate::measure::say;
use crate::reproduce::{FIGURES, PaperFigure, StudySettings, StudySize, find, write};

/// All figures, one after the other.
const ALL: &str = "all";

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    lookalike-bench reproduce                              list the figures\n  \
    lookalike-bench reproduce aau-network --out figures    numbers, a picture, and whether the finding was seen again\n  \
    LOOKALIKE_DATA=tables lookalike-bench reproduce mrf-marginals --full\n\n\
    Benchmark tables (NAME.csv with NAME-domain.json) are looked for in the folder that LOOKALIKE_DATA names.\n\
    Nothing here makes a release: studies look at their tables freely, so give them public ones.")]
pub struct ReproduceArgs {
    /// Figure, or all; the list of figures when left out
    name: Option<String>,
    /// Fewer repetitions, under a minute a figure (the default)
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// The papers' repetitions: may take hours
    #[arg(long)]
    full: bool,
    /// Folder for NAME.csv and NAME.svg
    #[arg(long, short, value_name = "DIR", default_value = "reproduction")]
    out: PathBuf,
    /// Take generated tables where the benchmark tables are not there
    #[arg(long)]
    simulated: bool,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
    /// Say nothing on the way
    #[arg(long, short)]
    quiet: bool,
}

impl ReproduceArgs {
    /// Runs one figure, or all of them.
    pub fn run(&self) -> Result<()> {
        let figures: Vec<&PaperFigure> = match self.name.as_deref() {
            None => return list(),
            Some(ALL) => FIGURES.iter().collect(),
            Some(name) => vec![find(name)?],
        };
        let tell = |text: &str| {
            if !self.quiet {
                eprintln!("lookalike-bench: {text}");
            }
        };
        let settings = StudySettings {
            size: if self.full { StudySize::Full } else { StudySize::Quick },
            data: std::env::var_os("LOOKALIKE_DATA").map(PathBuf::from),
            simulated: self.simulated,
            tell: &tell,
        };
        let mut found = Vec::new();
        for figure in figures {
            let start = Instant::now();
            let study = figure.run(&settings)?;
            let [csv, svg] = write(figure.name, &study, &self.out)?;
            if self.json {
                found.push(json!({
                    "name": figure.name, "from": figure.from, "findings": study.findings, "notes": study.notes,
                    "seconds": start.elapsed().as_secs_f64(),
                }));
                continue;
            }
            say(&format!("{}: {} ({})", figure.name, figure.about, figure.from))?;
            for finding in &study.findings {
                let verdict = if finding.seen { "seen again" } else { "NOT seen again" };
                say(&format!("  {verdict}: {}. {}.", finding.claim, finding.words))?;
            }
            study.notes.iter().try_for_each(|note| say(&format!("  note: {note}.")))?;
            say(&format!("  {} and {}", csv.display(), svg.display()))?;
        }
        if self.json { say(&format!("{:#}", json!(found))) } else { Ok(()) }
    }
}

fn list() -> Result<()> {
    FIGURES.iter().try_for_each(|figure| say(&format!("{:<15} {} ({})", figure.name, figure.about, figure.from)))
}
