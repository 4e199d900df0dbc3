//! `lookalike reproduce`: the papers' figures on public or generated tables.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use lookalike_bench::reproduce::{FIGURES, Figure, Settings, Size, find, write};
use serde_json::json;

use crate::fail::{Ended, Failure, Outcome, complain};
use crate::stdout::{self, shown, strong};

/// All figures, one after the other.
const ALL: &str = "all";

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    lookalike reproduce                              list the figures\n  \
    lookalike reproduce aau-network --out figures    numbers, a picture, and whether the finding was seen again\n  \
    LOOKALIKE_DATA=tables lookalike reproduce mrf-marginals --full\n\n\
    Benchmark tables (NAME.csv with NAME-domain.json) are looked for in the folder that LOOKALIKE_DATA names.\n\
    Nothing here makes a release: studies look at their tables freely, so give them public ones.")]
pub struct ReproduceArgs {
    /// Figure, or all; the list of figures when left out
    pub name: Option<String>,
    /// Fewer repetitions, under a minute a figure (the default)
    #[arg(long, conflicts_with = "full")]
    pub quick: bool,
    /// The papers' repetitions: may take hours
    #[arg(long)]
    pub full: bool,
    /// Folder for NAME.csv and NAME.svg
    #[arg(long, short, value_name = "DIR", default_value = "reproduction")]
    pub out: PathBuf,
    /// Take generated tables where the benchmark tables are not there
    #[arg(long)]
    pub simulated: bool,
    /// Print the findings as JSON
    #[arg(long)]
    pub json: bool,
    /// Say nothing on the way
    #[arg(long, short)]
    pub quiet: bool,
}

/// Runs one figure, or all of them.
pub fn run(args: ReproduceArgs) -> Ended {
    let figures: Vec<&Figure> = match args.name.as_deref() {
        None => return list(),
        Some(ALL) => FIGURES.iter().collect(),
        Some(name) => vec![find(name).map_err(|error| Failure::Usage(error.to_string()))?],
    };
    let tell = |text: &str| {
        if !args.quiet {
            complain(text);
        }
    };
    let settings = Settings {
        size: if args.full { Size::Full } else { Size::Quick },
        data: std::env::var_os("LOOKALIKE_DATA").map(PathBuf::from),
        simulated: args.simulated,
        tell: &tell,
    };
    let mut found = Vec::new();
    for figure in figures {
        let start = Instant::now();
        let failed = |error| Failure::Usage(format!("{error:#}"));
        let study = figure.run(&settings).map_err(failed)?;
        let paths = write(figure.name, &study, &args.out).map_err(failed)?;
        if args.json {
            let findings: Vec<_> = study
                .findings
                .iter()
                .map(|it| json!({ "claim": it.claim, "seen": it.seen, "words": it.words }))
                .collect();
            let seconds = start.elapsed().as_secs_f64();
            found.push(json!({ "name": figure.name, "from": figure.from, "findings": findings, "notes": study.notes, "seconds": seconds }));
            continue;
        }
        stdout::line(strong(&format!("{}: {} ({})", figure.name, figure.about, figure.from)))?;
        for finding in &study.findings {
            let verdict = if finding.seen { "seen again" } else { "NOT seen again" };
            stdout::line(format!("  {verdict}: {}. {}.", finding.claim, finding.words))?;
        }
        for note in &study.notes {
            stdout::line(format!("  note: {note}."))?;
        }
        stdout::line(format!("  {} and {}", shown(&paths[0]), shown(&paths[1])))?;
    }
    if args.json {
        stdout::json(&json!(found))?;
    }
    Ok(Outcome::Done)
}

fn list() -> Ended {
    for figure in &FIGURES {
        stdout::line(format!("{:<15} {} ({})", figure.name, figure.about, figure.from))?;
    }
    Ok(Outcome::Done)
}
