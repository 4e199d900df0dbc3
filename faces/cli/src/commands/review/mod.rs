//! `lookalike schema review`: through the marked facts of a schema, one a screen.

mod line;
mod screen;

use std::collections::{HashMap, HashSet};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use console::{Key, Term};
use lookalike::{
    Error, MarkKind, PendingFact, Review, SchemaError, read_options, read_text, sketch_columns, table_input,
    write_private,
};

use super::STEWARD_ONLY;
use crate::args::ReviewArgs;
use crate::called;
use crate::fail::{Ended, Failure, Outcome};
use crate::progress::watching;
use crate::stdout::{self, shown};
use line::{SingleKeys, Typed};
use screen::Page;

/// Reviews a schema file, in a terminal or by flags.
pub fn run(args: ReviewArgs) -> Ended {
    let file = ReviewedFile { path: args.schema.clone(), text: read_text(&args.schema)? };
    let review = Review::parse(&file.text, &args.schema.display().to_string()).map_err(Error::from)?;
    if args.accept.is_some() || args.discover.is_some() {
        return in_bulk(&args, file, review);
    }
    if !(std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
        return Err(Failure::Usage(
            "schema review asks in a terminal, and there is none; say --accept harmless, --discover telling, or both"
                .into(),
        ));
    }
    let seen = match &args.data {
        None => HashMap::new(),
        Some(data) if data == Path::new("-") => {
            let text = "schema review reads keys from standard input, and no table; name the table's file".to_owned();
            return Err(Failure::Usage(text));
        }
        Some(data) => {
            let (input, options) = (table_input(data)?, read_options(args.delimiter.as_deref(), None)?);
            let schema = review.schema().map_err(Error::from)?;
            watching(args.quiet, |progress, cancel| sketch_columns(&schema, &input, &options, progress, cancel))?
        }
    };
    let mut session = Session { file, review, seen, undo: Vec::new(), skipped: HashSet::new() };
    let end = session.walk(&Term::stdout())?;
    tell_what_is_left(&args, &session.review)?;
    Ok(end)
}

/// What the flags ask for, in one step.
fn in_bulk(args: &ReviewArgs, mut file: ReviewedFile, mut review: Review) -> Ended {
    let before = review.clone();
    let accepted = args.accept.as_ref().map(|_| review.accept_harmless()).transpose().map_err(Error::from)?;
    let discovered = args.discover.as_ref().map(|_| review.discover_telling()).transpose().map_err(Error::from)?;
    file.save(&before, &review)?;
    if !args.quiet {
        if let Some(facts) = accepted {
            stdout::line(format!(
                "{facts} harmless facts were accepted; releases will say that they are assumed public"
            ))?;
        }
        if let Some(facts) = discovered {
            stdout::line(format!(
                "{facts} telling facts were settled: the budget finds them, or their column is left out"
            ))?;
        }
    }
    tell_what_is_left(args, &review)
}

fn tell_what_is_left(args: &ReviewArgs, review: &Review) -> Ended {
    let left = review.pending();
    let telling = left.iter().filter(|fact| fact.kind == MarkKind::Telling).count();
    if args.quiet {
        return Ok(Outcome::Done);
    }
    match left.len() {
        0 => stdout::line(format!("{}: nothing is left to review", shown(&args.schema)))?,
        all => {
            let harmless = all - telling;
            stdout::line(format!("left to review: {telling} that may tell something, {harmless} harmless"))?;
            left.iter().filter(|fact| fact.kind == MarkKind::Telling).try_for_each(|fact| {
                let column = fact.column.as_ref().map(|column| format!("{column}: ")).unwrap_or_default();
                stdout::line(format!("  {column}{}", fact.fact))
            })?;
            // With the table, if there was one: without it no counts would be shown.
            let data = args.data.as_ref().map(|data| format!(" {}", shown(data))).unwrap_or_default();
            let delimiter = args.delimiter.as_ref().map(|mark| format!(" --delimiter {}", shown(Path::new(mark))));
            let (program, schema) = (called::program(), shown(&args.schema));
            let delimiter = delimiter.unwrap_or_default();
            stdout::line(format!("go on with: {program} schema review {schema}{data}{delimiter}"))?;
        }
    }
    if args.data.is_some() {
        crate::say::say!("lookalike: {STEWARD_ONLY}");
    }
    Ok(Outcome::Done)
}

/// The file that is reviewed, as it was read or written last.
struct ReviewedFile {
    path: PathBuf,
    text: String,
}

impl ReviewedFile {
    /// Writes what an answer changed, whole, unless somebody else has changed the file meanwhile.
    fn save(&mut self, before: &Review, after: &Review) -> Result<(), Failure> {
        let text = after.text();
        if text == before.text() {
            return Ok(());
        }
        if read_text(&self.path)? != self.text {
            let path = self.path.display();
            return Err(Failure::Usage(format!("{path}: was changed while it was reviewed; begin the review again")));
        }
        // It holds words of the rows.
        write_private(&self.path, true, text.as_bytes())?;
        self.text = text;
        Ok(())
    }
}

/// A walk through the facts. Every answer is on disk before the next question.
struct Session {
    file: ReviewedFile,
    review: Review,
    /// What the rows hold, by column.
    seen: HashMap<String, Vec<String>>,
    /// Reviews before each answer.
    undo: Vec<Review>,
    /// Facts that were put off.
    skipped: HashSet<(Option<String>, String)>,
}

/// What is done after a key.
enum Step {
    /// Ask again, and say why.
    Again(String),
    /// The fact is settled.
    Answered,
    /// The fact is put off.
    Skip,
    /// The last answer is taken back.
    Back,
    Stop,
    /// Ctrl-C: like a stop, as all answers are saved, but a script is told.
    Interrupt,
}

impl Session {
    fn walk(&mut self, term: &Term) -> Ended {
        let _keys = SingleKeys::hold().map_err(Failure::Output)?;
        let mut message = String::new();
        loop {
            let pending = self.review.pending();
            let open = |fact: &&PendingFact| !self.skipped.contains(&(fact.column.clone(), fact.fact.clone()));
            let Some(fact) = pending.iter().find(open).cloned() else { return Ok(Outcome::Done) };
            let seen = fact.column.as_ref().and_then(|column| self.seen.get(column)).cloned().unwrap_or_default();
            let page = Page { fact: &fact, pending: &pending, seen: &seen, message: &message };
            let (height, width) = term.size();
            term.clear_screen().and_then(|()| term.write_str(&page.text(width, height))).map_err(Failure::Output)?;
            let asked = self.review.clone();
            message = match self.answer(&fact, term)? {
                Step::Stop => return Ok(Outcome::Done),
                Step::Interrupt => return Ok(Outcome::Interrupted),
                Step::Again(why) => why,
                Step::Skip => {
                    self.skipped.insert((fact.column.clone(), fact.fact.clone()));
                    String::new()
                }
                Step::Back => match self.undo.pop() {
                    Some(before) => {
                        self.review = before;
                        String::new()
                    }
                    None => "there is no answer to take back".to_owned(),
                },
                Step::Answered => {
                    self.undo.push(asked.clone());
                    String::new()
                }
            };
            self.file.save(&asked, &self.review)?;
        }
    }

    fn answer(&mut self, fact: &PendingFact, term: &Term) -> Result<Step, Failure> {
        let key = match term.read_key_raw() {
            Ok(key) => key,
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(Step::Stop),
            Err(error) => return Err(Failure::Output(error)),
        };
        let done = |answer: Result<(), SchemaError>| match answer {
            Ok(()) => Step::Answered,
            Err(error) => Step::Again(error.to_string()),
        };
        Ok(match key {
            Key::Char('a') => done(self.review.accept(fact)),
            Key::Char('d') => done(self.review.discover(fact)),
            Key::Char('i') => done(self.review.ignore(fact)),
            Key::Char('h') => done(self.review.accept_harmless().map(drop)),
            Key::Char('e') => self.edit(fact, term)?,
            Key::Char('s') => Step::Skip,
            Key::Char('u') => Step::Back,
            Key::Char('q') | Key::Escape => Step::Stop,
            Key::CtrlC => Step::Interrupt,
            _ => Step::Again("no such key".to_owned()),
        })
    }

    /// What is to stand in the place of the fact: its value, changed where it stands. A line that
    /// is refused stays open, with the reason above it: if it were closed, what is typed next would
    /// be taken for keys, and facts accepted that nobody looked at.
    fn edit(&mut self, fact: &PendingFact, term: &Term) -> Result<Step, Failure> {
        let value = fact.wording.first().and_then(|line| line.split_once(" = ")).map_or("", |(_, value)| value);
        let hint = if fact.fact == "type" { "(other keys may follow: \"integer\", range = [0, 9])\n" } else { "" };
        let mut value = value.to_owned();
        let mut above = format!("\n{hint}Enter keeps the line, Esc gives it up\n");
        loop {
            term.write_str(&above).map_err(Failure::Output)?;
            match line::edited(term, &format!("{} = ", fact.fact), &value).map_err(Failure::Output)? {
                Typed::Kept(text) if !text.trim().is_empty() => match self.review.edit(fact, &text) {
                    Ok(()) => {
                        // The fact may be the last, and what follows begins in a line of its own.
                        term.write_line("").map_err(Failure::Output)?;
                        return Ok(Step::Answered);
                    }
                    Err(error) => {
                        // The reason may be long, so it has the screen for itself.
                        term.clear_screen().map_err(Failure::Output)?;
                        (value, above) = (text, format!("{error}\n\nEnter keeps the line, Esc gives it up\n"));
                    }
                },
                Typed::Kept(_) | Typed::GivenUp => return Ok(Step::Again("nothing was changed".to_owned())),
                Typed::Interrupted => return Ok(Step::Interrupt),
                Typed::Stopped => return Ok(Step::Stop),
            }
        }
    }
}
