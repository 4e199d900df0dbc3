//! From text to tokens.

use crate::SchemaError;
use crate::compare::CompareOp;
use crate::written::{is_word_letter, quoted};

/// Longer texts are refused: nobody types them.
const MOST_BYTES: usize = 1 << 20;

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    /// Letters, digits and other signs without quotes.
    Word(String),
    /// In double quotes: a column.
    Name(String),
    /// In single quotes: a value.
    Text(String),
    Sign(CompareOp),
    Open,
    Close,
    Comma,
    End,
}

/// A token and where it stands, in bytes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

/// An error at a place of the text.
pub(super) fn fault(
    text: &str,
    start: usize,
    end: usize,
    what: impl Into<String>,
    help: impl Into<String>,
) -> SchemaError {
    let letters = text.get(start..end).unwrap_or_default().chars().count();
    let mut word: String = text.get(start..end).unwrap_or_default().chars().take(40).collect();
    if letters > 40 {
        word.push_str("...");
    }
    let place = text.get(..start).unwrap_or_default().chars().count() + 1;
    SchemaError::Filter { place, word, what: what.into(), help: help.into() }
}

/// All tokens, with [`TokenKind::End`] as the last.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, SchemaError> {
    if text.len() > MOST_BYTES {
        return Err(fault(text, 0, 0, "the condition is longer than a million letters", "ask for less at a time"));
    }
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        if letter.is_whitespace() {
            at += letter.len_utf8();
            continue;
        }
        let (kind, end) = match letter {
            '(' => (TokenKind::Open, at + 1),
            ')' => (TokenKind::Close, at + 1),
            ',' => (TokenKind::Comma, at + 1),
            '"' => between_quotes(text, at, '"').map(|(name, end)| (TokenKind::Name(name), end))?,
            '\'' => between_quotes(text, at, '\'').map(|(value, end)| (TokenKind::Text(value), end))?,
            '<' | '>' | '=' | '!' => sign(text, at).map(|(sign, end)| (TokenKind::Sign(sign), end))?,
            _ => {
                let length = text[at..].find(|letter| !is_word_letter(letter)).unwrap_or(text.len() - at);
                if length == 0 {
                    let end = at + letter.len_utf8();
                    return Err(fault(text, at, end, "a control character", "take it out"));
                }
                (TokenKind::Word(text[at..at + length].to_owned()), at + length)
            }
        };
        tokens.push(Token { kind, start: at, end });
        at = end;
    }
    tokens.push(Token { kind: TokenKind::End, start: text.len(), end: text.len() });
    Ok(tokens)
}

/// The text between quotes and the place behind them.
fn between_quotes(text: &str, start: usize, quote: char) -> Result<(String, usize), SchemaError> {
    let help = format!("write {quote} at its end");
    let open = || fault(text, start, text.len(), "a quote that is never closed", help);
    quoted(&text[start..], quote).map(|(inside, length)| (inside, start + length)).ok_or_else(open)
}

fn sign(text: &str, at: usize) -> Result<(CompareOp, usize), SchemaError> {
    for (wrong, right) in [("=<", "<="), ("=>", ">=")] {
        if text[at..].starts_with(wrong) {
            return Err(fault(text, at, at + 2, "not a sign that is known", format!("write {right}")));
        }
    }
    CompareOp::strip(&text[at..]).map(|(sign, rest)| (sign, text.len() - rest.len())).ok_or_else(|| {
        fault(text, at, at + 1, "not a sign that is known", "write \"not\", or != for a value that differs")
    })
}
