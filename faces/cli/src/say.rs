//! Standard output. A reader that goes away (`| head`) is no fault of anybody's.

use std::io::{self, Write};

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
