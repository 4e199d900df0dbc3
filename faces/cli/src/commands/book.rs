//! `lookalike schema import BOOK`.

use lookalike::{WholeFile, import_book, read_options, write_whole};

use crate::args::ImportArgs;
use crate::fail::{Ended, Outcome};
use crate::stdout;

/// Unstated facts that are told by name.
const MOST_TOLD: usize = 8;

/// Writes the schema that a code book states.
pub fn import(args: ImportArgs) -> Ended {
    if let Some(path) = &args.output {
        // Refused before the book is read, not after.
        drop(WholeFile::create(path, args.force)?);
    }
    let book = import_book(&args.book, &read_options(args.delimiter.as_deref(), None)?)?;
    let text = book.to_toml();
    match &args.output {
        Some(path) => write_whole(path, args.force, text.as_bytes())?,
        None => stdout::text_of(&text)?,
    }
    if !args.quiet {
        crate::say::say!("lookalike: {} columns; what the book states is taken as public, by your word", book.len());
        book.warnings().iter().for_each(|warning| crate::say::say!("lookalike: warning: {warning}"));
        let open = book.open_facts();
        if !open.is_empty() {
            let more = open.len().saturating_sub(MOST_TOLD);
            let named = open[..open.len() - more].join(", ");
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            crate::say::say!(
                "lookalike: not stated, so \"discover\": {named}{more}; a release pays for these, stating them is free"
            );
        }
    }
    Ok(Outcome::Done)
}
