//! The papers' figures on public or generated tables.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::json;

use crate::measure::say;
use crate::reproduce::{FIGURES, PaperFigure, StudySettings, StudySize, find, results_file, write, write_page};

/// All figures, one after the other.
const ALL: &str = "all";
/// The page about all of them.
const PAGE: &str = "page";

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    lookalike-bench reproduce                              list the figures\n  \
    lookalike-bench reproduce aau-network --out figures    numbers, a picture, and whether the finding was seen again\n  \
    LOOKALIKE_DATA=tables lookalike-bench reproduce mrf-marginals --full\n  \
    lookalike-bench reproduce page --out bench/results --documents docs    the page about all figures, from results\n\n\
    Benchmark tables (NAME.csv with NAME-domain.json) are looked for in the folder that LOOKALIKE_DATA names.\n\
    Nothing here makes a release: studies look at their tables freely, so give them public ones.")]
pub struct ReproduceArgs {
    /// Figure, `all`, or `page`; the list of figures when left out
    name: Option<String>,
    /// Fewer runs and places, about a minute a figure (the default)
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// What the page shows: hours in all
    #[arg(long)]
    full: bool,
    /// The most runs of a place for now; the rest can be added later, and its time is told
    #[arg(long, value_name = "N")]
    runs: Option<u64>,
    /// Folder for NAME.jsonl, NAME.csv and NAME.svg; results that are there are gone on with
    #[arg(long, short, value_name = "DIR", default_value = "reproduction")]
    out: PathBuf,
    /// Begin again where there are results
    #[arg(long)]
    fresh: bool,
    /// With `page`: the folder for reproduction.md and figures/NAME.svg
    #[arg(long, value_name = "DIR", default_value = "docs")]
    documents: PathBuf,
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
            Some(PAGE) => return write_page(&self.out, &self.documents),
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
            most_runs: self.runs,
            tell: &tell,
        };
        let mut found = Vec::new();
        for figure in figures {
            let path = results_file(&self.out, figure.name);
            if self.fresh && path.is_file() {
                std::fs::remove_file(&path)?;
            }
            let results = figure.record(&settings, Some(&self.out))?;
            let study = figure.read(&results);
            let [csv, svg] = write(figure.name, &study, &results, &self.out)?;
            if self.json {
                found.push(json!({
                    "name": figure.name, "from": figure.from, "findings": study.findings,
                    "notes": results.header.notes, "seconds": results.seconds(),
                }));
                continue;
            }
            say(&format!("{}: {} ({})", figure.name, figure.about, figure.from))?;
            for finding in &study.findings {
                say(&format!("  {}: {}. {}.", finding.verdict.word(), finding.claim, finding.words))?;
            }
            results.header.notes.iter().try_for_each(|note| say(&format!("  note: {note}.")))?;
            say(&format!("  {}, {} and {}", path.display(), csv.display(), svg.display()))?;
        }
        if self.json { say(&format!("{:#}", json!(found))) } else { Ok(()) }
    }
}

fn list() -> Result<()> {
    FIGURES.iter().try_for_each(|figure| say(&format!("{:<15} {} ({})", figure.name, figure.about, figure.from)))
}
