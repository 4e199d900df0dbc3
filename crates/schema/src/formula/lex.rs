//! From the text of a formula to tokens.

use crate::error::Mistake;
use crate::written::quoted;

/// Longer formulas are refused: nobody types them, and one of thousands of brackets and signs would
/// be as deep as the stack.
const MOST_BYTES: usize = 2000;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A number, and how many decimals it is written with.
    Number(f64, u8),
    /// Without quotes: a column or a function.
    Word(String),
    /// In double quotes: a column.
    Name(String),
    /// In single quotes: a text.
    Text(String),
    /// One of `+ - * / & ( ) ,`.
    Sign(char),
}

pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Mistake> {
    if text.len() > MOST_BYTES {
        return Err(Mistake::new(format!("its formula has more than {MOST_BYTES} bytes"), "write a shorter one"));
    }
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let length = match letter {
            _ if letter.is_whitespace() => letter.len_utf8(),
            '+' | '-' | '*' | '/' | '&' | '(' | ')' | ',' => {
                tokens.push(Token::Sign(letter));
                1
            }
            '"' | '\'' => {
                let help = || format!("write {letter} at its end");
                let open = || Mistake::new("its formula has a quote that is never closed", help());
                let (inside, length) = quoted(rest, letter).ok_or_else(open)?;
                tokens.push(if letter == '"' { Token::Name(inside) } else { Token::Text(inside) });
                length
            }
            '0'..='9' | '.' => {
                let length = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
                let number = &rest[..length];
                let value = number.parse().map_err(|_| Mistake::new(format!("its formula has {number:?}"), HELP))?;
                let decimals = number.split_once('.').map_or(0, |(_, decimals)| decimals.len().min(15) as u8);
                tokens.push(Token::Number(value, decimals));
                length
            }
            _ if is_first(letter) => {
                let length = rest.find(|letter| !is_first(letter) && !is_later(letter)).unwrap_or(rest.len());
                tokens.push(Token::Word(rest[..length].to_owned()));
                length
            }
            _ => return Err(Mistake::new(format!("its formula has the sign {letter:?}"), HELP)),
        };
        rest = &rest[length..];
    }
    Ok(tokens)
}

pub(super) const HELP: &str =
    "write names, numbers, 'texts', + - * /, & between texts, brackets, and functions such as year(born)";

fn is_first(letter: char) -> bool {
    letter.is_alphabetic() || letter == '_'
}

fn is_later(letter: char) -> bool {
    letter.is_ascii_digit() || letter == '.'
}
