//! Standard output. A reader that goes away (`| head`) is no fault of anybody's.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use crate::fail::Failure;

/// Prints a line.
pub fn line(text: impl AsRef<str>) -> Result<(), Failure> {
    text_of(&format!("{}\n", text.as_ref()))
}

/// Prints a text as it stands.
pub fn text_of(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::Output)
}

/// Prints a value for a program to read.
pub fn json(value: &serde_json::Value) -> Result<(), Failure> {
    line(format!("{value:#}"))
}

/// A heading: bold where a person reads and has not asked for plain text.
pub fn strong(text: &str) -> String {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if io::stdout().is_terminal() && !plain { format!("\u{1b}[1m{text}\u{1b}[0m") } else { text.to_owned() }
}

/// A path as it can be pasted into a shell.
pub fn shown(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
