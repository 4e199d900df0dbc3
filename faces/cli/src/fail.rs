//! One line on standard error, and an exit code.

use std::io::{self, ErrorKind as IoKind, IsTerminal};

use lookalike::{Error, ErrorKind};

use crate::advice::message;

/// All is well.
pub const SUCCESS: u8 = 0;
/// A fault of ours, or of the machine.
pub const FAULT: u8 = 1;
/// The user's mistake; also what `verify` says when a release does not agree.
pub const USER: u8 = 2;
/// The budget refuses.
pub const BUDGET: u8 = 3;
/// Interrupted.
pub const INTERRUPTED: u8 = 130;

/// How a command ended when nothing failed.
pub enum Outcome {
    /// All is well.
    Done,
    /// `verify` found that the release does not agree with its statement.
    Disagrees,
    /// Somebody pressed Ctrl-C where that loses nothing.
    Interrupted,
}

/// Why a command failed.
pub enum Failure {
    /// The library's word.
    Job(Error),
    /// A mistake that only this face can see.
    Usage(String),
    /// A fault of ours that only this face can see.
    Fault(String),
    /// Standard output could not be written.
    Output(io::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Job(error)
    }
}

/// What every command gives back.
pub type Ended = Result<Outcome, Failure>;

/// Says what failed in one line and gives the exit code.
pub fn exit_code(failure: &Failure) -> u8 {
    match failure {
        Failure::Output(error) if error.kind() == IoKind::BrokenPipe => SUCCESS,
        Failure::Output(error) => told(FAULT, &format!("standard output: {error}; is the disk full?")),
        Failure::Usage(text) => told(USER, text),
        Failure::Fault(text) => told(FAULT, text),
        Failure::Job(error) => told(code_of(error.kind()), &message(error)),
    }
}

/// The exit code of each kind of error.
pub fn code_of(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::User => USER,
        ErrorKind::Fault => FAULT,
        ErrorKind::Budget => BUDGET,
        ErrorKind::Interrupted => INTERRUPTED,
    }
}

fn told(code: u8, text: &str) -> u8 {
    complain(text);
    code
}

/// One line on standard error, whatever the text.
pub fn complain(text: &str) {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    crate::say::say!("lookalike: {line}");
}

/// Help and version go to standard output; a mistake becomes one line.
pub fn usage(error: &clap::Error) -> u8 {
    use clap::error::ErrorKind as Kind;
    match error.kind() {
        Kind::DisplayHelp | Kind::DisplayVersion => {
            let _ = error.print();
            SUCCESS
        }
        Kind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            USER
        }
        _ => told(USER, &shortened(&error.render().to_string())),
    }
}

/// What Rust says of a text that is no number, and what anybody understands.
const PLAIN_WORDS: [(&str, &str); 6] = [
    ("invalid float literal", "not a number"),
    ("cannot parse float from empty string", "nothing in the place of a number"),
    ("invalid digit found in string", "not a whole number, 0 or more"),
    ("cannot parse integer from empty string", "nothing in the place of a whole number"),
    ("number too large to fit in target type", "too large"),
    ("number too small to fit in target type", "too small"),
];

/// What clap says in several paragraphs, in one line: the mistake, then its tips, without the
/// usage.
fn shortened(text: &str) -> String {
    let mut command = "lookalike".to_owned();
    let mut parts = Vec::new();
    for paragraph in text.split("\n\n") {
        let words = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        let words = words.strip_prefix("error: ").unwrap_or(&words);
        if let Some(usage) = words.strip_prefix("Usage: ") {
            let names = usage.split(' ').take_while(|word| !word.starts_with(['-', '<', '[']));
            command = names.collect::<Vec<_>>().join(" ");
        } else if let Some(tip) = words.strip_prefix("tip: ") {
            // "use '-- --flag' to pass it as a value" is never what somebody meant who mistyped a
            // flag.
            parts.extend(tip.split(" tip: ").filter(|tip| !tip.starts_with("to pass ")).map(str::to_owned));
        } else if !words.is_empty() && !words.starts_with("For more information") {
            parts.push(words.to_owned());
        }
    }
    let comma = parts.first().is_some_and(|mistake| has_decimal_comma(mistake));
    parts.extend(comma.then(|| "the decimal sign is a point, as in 1.5".to_owned()));
    if let Some(mistake) = parts.first_mut() {
        for (words, plain) in PLAIN_WORDS {
            *mistake = mistake.strip_suffix(words).map_or(mistake.clone(), |rest| format!("{rest}{plain}"));
        }
    }
    if parts.first().is_some_and(|mistake| is_one_file_more(mistake)) {
        let tip = match command.ends_with(" plan") {
            true => "a plan reads no table: say about how many rows it has with --rows",
            false => "to read many files, name their folder, or write a pattern in quotes, as in \"data/*.csv\"",
        };
        parts.push(tip.to_owned());
    }
    if parts.len() < 2 {
        parts.push(format!("see `{command} --help`"));
    }
    parts.join("; ")
}

/// Whether a mistake is a number such as 1,5.
fn has_decimal_comma(mistake: &str) -> bool {
    let value = mistake.strip_prefix("invalid value '").and_then(|rest| rest.split_once('\''));
    value.is_some_and(|(value, rest)| {
        rest.ends_with("invalid float literal") && value.matches(',').count() == 1 && {
            value.replace(',', ".").parse::<f64>().is_ok()
        }
    })
}

/// Whether a mistake is a file too many: the shell writes all names in the place of a pattern.
fn is_one_file_more(mistake: &str) -> bool {
    let word = mistake.strip_prefix("unexpected argument '").and_then(|rest| rest.strip_suffix("' found"));
    word.is_some_and(|word| !word.starts_with('-') && std::path::Path::new(word).exists())
}

/// Panics say fixed words: a payload, and even the place, could depend on data.
pub fn quiet_panics() {
    std::panic::set_hook(Box::new(|_| {
        // A library stumbled over a damaged file: the error that follows says so.
        if lookalike::expects_damage() {
            return;
        }
        crate::say::say!(
            "lookalike: internal fault, nothing was released; please report it with the command and the schema"
        );
    }));
}

/// Whether a person watches standard error.
pub fn watched() -> bool {
    io::stderr().is_terminal()
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn one_line_with_the_tip() {
        let text = "error: unexpected argument '--epsilonn' found\n\n  tip: a similar argument exists: '--epsilon'\n\n\
                    Usage: lookalike synth --epsilon <E> <DATA>\n\nFor more information, try '--help'.\n";
        assert_eq!(shortened(text), "unexpected argument '--epsilonn' found; a similar argument exists: '--epsilon'");
    }

    #[test]
    fn a_tip_about_passing_values_is_left_out() {
        let text = "error: unexpected argument '--foo' found\n\n  tip: to pass '--foo' as a value, use '-- --foo'\n\n\
                    Usage: lookalike synth <DATA>\n\nFor more information, try '--help'.\n";
        assert_eq!(shortened(text), "unexpected argument '--foo' found; see `lookalike synth --help`");
    }

    #[test]
    fn without_a_tip_the_help_is_named() {
        let text = "error: invalid value 'x' for '--epsilon <E>': invalid float literal\n\nFor more information, try '--help'.\n";
        let line = shortened(text);
        assert_eq!(line, "invalid value 'x' for '--epsilon <E>': not a number; see `lookalike --help`");
    }

    #[test]
    fn a_decimal_comma_is_told() {
        for (value, has_comma) in [("1,5", true), ("-0,5e3", true), ("1,5,2", false), ("a,b", false), ("x", false)] {
            let line =
                shortened(&format!("error: invalid value '{value}' for '--epsilon <E>': invalid float literal\n"));
            assert_eq!(line.ends_with("not a number; the decimal sign is a point, as in 1.5"), has_comma, "{line}");
        }
    }

    #[test]
    fn a_table_too_many_is_told_by_command() {
        let line = |usage: &str| {
            shortened(&format!("error: unexpected argument 'Cargo.toml' found\n\nUsage: lookalike {usage}\n"))
        };
        assert!(line("plan [OPTIONS]").ends_with("say about how many rows it has with --rows"));
        assert!(line("synth <DATA>").ends_with("as in \"data/*.csv\""));
    }

    #[test]
    fn required_arguments_are_listed_in_the_line() {
        let text =
            "error: the following required arguments were not provided:\n  <DATA>\n\nUsage: lookalike verify <DATA>\n";
        assert_eq!(
            shortened(text),
            "the following required arguments were not provided: <DATA>; see `lookalike verify --help`"
        );
    }
}
