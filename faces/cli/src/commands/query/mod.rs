//! `lookalike query MODEL COLUMNS`.

mod table;

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use lookalike::{Answer, Question, WholeFile, query, read_model};

use crate::args::QueryArgs;
use crate::fail::{Ended, Failure, Outcome};

/// Lines of a table that a person is shown; files and programs get all of them.
const MOST_SHOWN: usize = 100;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Table,
    Csv,
    Json,
}

/// Answers a question: to a file, written whole, or to standard output.
pub fn run(args: QueryArgs) -> Ended {
    let form = match &args.format {
        Some(name) => parse(name)?,
        None => form_of(args.output.as_deref()),
    };
    let model = read_model(&args.model)?;
    let answer = query(&model, &Question { columns: args.columns, condition: args.condition })?;
    let guarantee = &answer.origin().guarantee;
    match &args.output {
        Some(path) => {
            super::warn_of(guarantee);
            let file = WholeFile::create(path, args.force)?;
            // The name is checked above; what goes wrong from here on is the disk's fault.
            write(&answer, form, None, &mut BufWriter::new(file.writer()?)).map_err(Failure::Output)?;
            file.finish()?;
        }
        None => {
            if form == Form::Csv && !args.quiet {
                // A CSV file has no place for words.
                answer.notes().iter().for_each(|note| crate::fail::complain(note));
            }
            if form == Form::Csv {
                super::warn_of(guarantee);
            }
            write(&answer, form, Some(MOST_SHOWN), &mut BufWriter::new(io::stdout().lock()))
                .map_err(Failure::Output)?;
        }
    }
    Ok(Outcome::Done)
}

fn write(answer: &Answer, form: Form, most: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    match form {
        Form::Csv => answer.write_csv(out)?,
        Form::Json => writeln!(out, "{:#}", answer.to_json())?,
        Form::Table => out.write_all(table::show(answer, width(most.is_some()), most).as_bytes())?,
    }
    out.flush()
}

/// The width that a person has: what the shell says, or the width that every terminal has.
fn width(on_screen: bool) -> usize {
    if !on_screen || !io::stdout().is_terminal() {
        return 120;
    }
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse::<usize>().ok());
    said.filter(|columns| *columns >= 40).unwrap_or(80)
}

fn parse(name: &str) -> Result<Form, Failure> {
    match name {
        "table" => Ok(Form::Table),
        "csv" => Ok(Form::Csv),
        "json" => Ok(Form::Json),
        _ => Err(Failure::Usage(format!("format: {name:?} is not known; write table, csv or json"))),
    }
}

fn form_of(output: Option<&Path>) -> Form {
    match output.and_then(Path::extension) {
        Some(ending) if ending.eq_ignore_ascii_case("csv") => Form::Csv,
        Some(ending) if ending.eq_ignore_ascii_case("json") => Form::Json,
        _ => Form::Table,
    }
}
