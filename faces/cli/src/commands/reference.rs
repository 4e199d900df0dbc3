//! `lookalike schema reference`.

use lookalike::{SchemaKey, json_schema, schema_keys};

use super::layout::Page;
use crate::args::ReferenceArgs;
use crate::fail::{Ended, Outcome};
use crate::stdout;

/// Columns of a terminal.
const WIDTH: usize = 80;

/// Shows every key of a schema file.
pub fn reference(args: ReferenceArgs) -> Ended {
    if args.json {
        stdout::json(&json_schema())?;
    } else {
        stdout::text_of(&text(&schema_keys()))?;
    }
    Ok(Outcome::Done)
}

fn text(keys: &[SchemaKey]) -> String {
    let mut page = Page::new(WIDTH);
    let (top, column): (Vec<&SchemaKey>, Vec<&SchemaKey>) = keys.iter().partition(|key| key.types.is_empty());
    page.heading("At the top of a schema file");
    top.iter().for_each(|key| entry(&mut page, key, ""));
    page.heading("In a column, [columns.NAME]");
    // What every type has needs no list of types.
    let every = column.iter().map(|key| key.types.len()).max().unwrap_or(0);
    for key in column {
        let types = if key.types.len() == every { String::new() } else { format!(" ({})", key.types.join(", ")) };
        entry(&mut page, key, &types);
    }
    page.finish()
}

fn entry(page: &mut Page, key: &SchemaKey, types: &str) {
    // A table stands under its own heading.
    let sign = if key.form.starts_with(&format!("[{}", key.name)) || key.form.starts_with("[[impossible") {
        ":"
    } else {
        " ="
    };
    page.say(&format!("{}{sign} {}{types}", key.name, key.form));
    page.under(key.help);
}
