//! `lookalike sample MODEL -n N`.

use std::path::Path;

use lookalike::{Format, Replacement, SampleSpec, WholeFile, read_model, sample};

use crate::args::SampleArgs;
use crate::fail::{Ended, Outcome};
use crate::interrupt::cancel_on_interrupt;
use crate::progress::Progress;

/// Draws rows from a model: to a file, written whole, or to standard output.
pub fn run(args: SampleArgs) -> Ended {
    let format = match &args.format {
        Some(name) => Format::parse(name)?,
        None => format_of(args.output.as_deref()),
    };
    let spec = SampleSpec {
        rows: args.rows,
        seed: args.seed,
        format,
        threads: args.threads,
        condition: args.condition,
        replacement: args.with_replacement.then_some(Replacement::With),
    };
    let spec = spec.check()?;
    let model = read_model(&args.model)?;
    super::warn_of(&model.origin().guarantee);
    if !args.quiet {
        spec.notes(model.schema())?.iter().for_each(|note| crate::fail::complain(note));
    }
    let cancel = cancel_on_interrupt();
    let progress = Progress::new(args.quiet, None);
    match &args.output {
        Some(path) => {
            let file = WholeFile::create(path, args.force)?;
            sample(&model, &spec, Box::new(file.writer()?), &progress, &cancel)?;
            file.finish()?;
        }
        None => match sample(&model, &spec, Box::new(std::io::stdout()), &progress, &cancel) {
            Err(error) if error.is_broken_pipe() => return Ok(Outcome::Done),
            done => done?,
        },
    }
    drop(progress);
    if !args.quiet && args.seed.is_none() {
        crate::say::say!("lookalike: seed {}; pass --seed {} for the same rows again", spec.seed(), spec.seed());
    }
    Ok(Outcome::Done)
}

fn format_of(output: Option<&Path>) -> Format {
    match output.and_then(Path::extension) {
        Some(ending) if ending.eq_ignore_ascii_case("parquet") => Format::Parquet,
        _ => Format::Csv,
    }
}
