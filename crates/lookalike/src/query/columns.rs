//! The list of columns of a question.

use lookalike_schema::{AttrId, Schema};

use crate::error::{Error, SettingError};

/// The columns of a list with commas. Double quotes protect commas and spaces; a doubled one stands
/// for itself.
pub(super) fn parse(schema: &Schema, text: &str) -> Result<Vec<AttrId>, Error> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    // A single name with a comma in it needs no quotes.
    if let Some(attribute) = schema.attribute(text) {
        return Ok(vec![attribute]);
    }
    let mut attributes = Vec::new();
    for name in names(text)? {
        if name.is_empty() {
            return Err(wrong(format!("an empty name in {text:?}"), "write them as age,sex"));
        }
        let attribute = schema.find(&name).map_err(|(what, help)| wrong(format!("{name:?}: {what}"), help))?;
        if attributes.contains(&attribute) {
            return Err(wrong(format!("{name:?} stands twice"), "name each column once"));
        }
        attributes.push(attribute);
    }
    Ok(attributes)
}

fn wrong(what: String, help: impl Into<String>) -> Error {
    SettingError::Columns { setting: "columns", what, help: help.into() }.into()
}

fn names(text: &str) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let (name, behind) = match rest.strip_prefix('"') {
            Some(quoted) => unquote(quoted)
                .ok_or_else(|| wrong(format!("a quote that is never closed in {text:?}"), "write \" at its end"))?,
            None => {
                let (name, behind) = rest.split_at(rest.find(',').unwrap_or(rest.len()));
                (name.trim_end().to_owned(), behind)
            }
        };
        names.push(name);
        let behind = behind.trim_start();
        match behind.strip_prefix(',') {
            Some(next) => rest = next,
            None if behind.is_empty() => return Ok(names),
            None => {
                let what = format!("no comma after the quoted name in {text:?}");
                return Err(wrong(what, "write \"home region\",age"));
            }
        }
    }
}

/// What stands before the closing quote, and what behind it.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        if letter != '"' {
            name.push(letter);
        } else if letters.next_if(|&(_, next)| next == '"').is_some() {
            name.push('"');
        } else {
            return Some((name, &text[at + 1..]));
        }
    }
    None
}
