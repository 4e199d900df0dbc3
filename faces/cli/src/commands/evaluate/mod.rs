//! `lookalike evaluate REAL SYNTH`.

mod raw;
mod text;

use std::io::{self, IsTerminal};

use lookalike::{
    EvaluateSpec, WholeFile, evaluate, evaluation_page, read_schema, synthetic_input, table_input, with_decimal,
    with_encoding, write_private,
};

use crate::args::EvaluateArgs;
use crate::fail::{Ended, Outcome};
use crate::progress::watching;
use crate::stdout;

/// Compares, then shows what was asked for.
pub fn run(args: EvaluateArgs) -> Ended {
    if let Some(path) = &args.html {
        // Refused before the rows are read, not after.
        drop(WholeFile::create_private(path, args.force)?);
    }
    let schema = with_decimal(read_schema(&args.schema)?, args.read.decimal.as_deref())?;
    let schema = with_encoding(schema, args.read.encoding.as_deref())?;
    let nist = args.nist.as_deref().and_then(|names| <[String; 3]>::try_from(names.to_vec()).ok());
    let spec = EvaluateSpec {
        synthetic: synthetic_input(&args.synthetic)?,
        real: table_input(&args.real)?,
        holdout: args.holdout.as_deref().map(table_input).transpose()?,
        targets: args.target,
        all_targets: args.all_targets,
        nist,
        marginals: args.marginals,
        seed: Some(args.seed),
        delimiter: args.read.delimiter,
        memory: args.memory,
        threads: args.threads,
    };
    let found = watching(args.quiet, |progress, cancel| evaluate(&spec, &schema, progress, cancel))?;
    if let Some(path) = &args.html {
        write_private(path, args.force, evaluation_page(&found).as_bytes())?;
    }
    if args.json {
        stdout::json(&found.to_json())?;
    } else if !args.quiet {
        stdout::text_of(&text::show(&found, width()))?;
    }
    if !args.quiet {
        if let Some(path) = &args.html {
            crate::say::say!("lookalike: the page is {}", stdout::shown(path));
        }
        crate::say::say!("lookalike: {}", super::STEWARD_ONLY);
    }
    Ok(Outcome::Done)
}

/// The width that a person has, within reason.
fn width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse::<usize>().ok());
    match said.filter(|_| io::stdout().is_terminal()) {
        Some(columns) => columns.clamp(60, 120),
        None => 100,
    }
}
