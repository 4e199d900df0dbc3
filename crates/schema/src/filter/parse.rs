//! From tokens to a formula over comparisons.

use super::formula::Formula;
use super::lex::{Token, TokenKind, fault, tokens};
use crate::codec::CodecKind;
use crate::compare::{AxisPoint, CompareOp, word_code};
use crate::nearest::suggestion;
use crate::written::{is_reserved, written_name};
use crate::{AttrId, Codec, Schema, SchemaError};

/// How many brackets and `not` may stand inside each other: what keeps the recursion here small.
const MOST_DEEP: usize = 100;
const MOST_COMPARISONS: usize = 1_000;

/// What one comparison asks of its column: codes, or values from the first to the last.
pub(super) struct Comparison {
    pub attribute: AttrId,
    pub codes: Vec<u32>,
    pub spans: Vec<(AxisPoint, AxisPoint)>,
    /// Whether these are meant, or all others.
    pub wanted: bool,
}

/// Codes and spans of values, as [`Comparison`] has them.
type Asked = (Vec<u32>, Vec<(AxisPoint, AxisPoint)>);

pub(super) fn parse(schema: &Schema, text: &str) -> Result<(Formula, Vec<Comparison>), SchemaError> {
    let tokens = tokens(text)?;
    let mut parser = Parser { schema, text, tokens, at: 0, comparisons: Vec::new() };
    if parser.peek().kind == TokenKind::End {
        return Err(fault(text, 0, 0, "an empty condition", "write one, such as age >= 65, or leave it out"));
    }
    let formula = parser.any(0)?;
    match parser.peek().kind {
        TokenKind::End => Ok((formula, parser.comparisons)),
        TokenKind::Close => Err(parser.wrong("a bracket that was never opened", "take it out, or open it with (")),
        _ => Err(parser.wrong("neither \"and\" nor \"or\" nor the end", parser.connector())),
    }
}

struct Parser<'a> {
    schema: &'a Schema,
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    comparisons: Vec<Comparison>,
}

/// The column of a comparison, and where its name stands.
struct Subject<'a> {
    attribute: AttrId,
    codec: &'a Codec,
    name: String,
    start: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    /// An error at the token that is next.
    fn wrong(&self, what: impl Into<String>, help: impl Into<String>) -> SchemaError {
        self.fault_at(self.peek(), what, help)
    }

    fn fault_at(&self, token: &Token, what: impl Into<String>, help: impl Into<String>) -> SchemaError {
        fault(self.text, token.start, token.end, what, help)
    }

    /// Takes the keyword when it is next.
    fn takes(&mut self, keyword: &str) -> bool {
        let is_next = matches!(&self.peek().kind, TokenKind::Word(word) if word.eq_ignore_ascii_case(keyword));
        self.at += usize::from(is_next);
        is_next
    }

    /// What to write between two comparisons.
    fn connector(&self) -> &'static str {
        match &self.peek().kind {
            TokenKind::Word(word) if word.starts_with('&') => "write \"and\"",
            TokenKind::Word(word) if word.starts_with('|') => "write \"or\"",
            _ => "join comparisons by \"and\" or \"or\", and quote values of several words: 'never married'",
        }
    }

    fn any(&mut self, depth: usize) -> Result<Formula, SchemaError> {
        let mut parts = vec![self.all(depth)?];
        while self.takes("or") {
            parts.push(self.all(depth)?);
        }
        Ok(Formula::any(parts))
    }

    fn all(&mut self, depth: usize) -> Result<Formula, SchemaError> {
        let mut parts = vec![self.one(depth)?];
        while self.takes("and") {
            parts.push(self.one(depth)?);
        }
        Ok(Formula::all(parts))
    }

    fn one(&mut self, depth: usize) -> Result<Formula, SchemaError> {
        if depth >= MOST_DEEP {
            return Err(self.wrong(format!("more than {MOST_DEEP} brackets inside each other"), "take some out"));
        }
        if self.takes("not") {
            return Ok(self.one(depth + 1)?.opposite());
        }
        if self.peek().kind == TokenKind::Open {
            let open = self.next();
            let inside = self.any(depth + 1)?;
            return match self.peek().kind {
                TokenKind::Close => {
                    self.next();
                    Ok(inside)
                }
                TokenKind::End => Err(self.fault_at(&open, "a bracket that is never closed", "write ) at its end")),
                _ => Err(self.wrong("neither \"and\" nor \"or\" nor )", self.connector())),
            };
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Result<Formula, SchemaError> {
        let column = self.subject()?;
        let negated = self.takes("not");
        let is_next = |parser: &Self, keyword: &str| matches!(&parser.peek().kind, TokenKind::Word(word) if word.eq_ignore_ascii_case(keyword));
        if let (Some(after), false) = (self.schema.after(column.attribute), is_next(self, "is")) {
            let on = written_name(after.on());
            let what = format!("a column that is held as its difference to {on}, so no model tells its values apart");
            let help = format!("ask for values of {on}, or whether {} is missing", written_name(&column.name));
            return Err(fault(self.text, column.start, column.start, what, help));
        }
        let ((codes, spans), wanted) = if self.takes("in") {
            (self.listed(&column)?, !negated)
        } else if self.takes("between") {
            (self.span(&column)?, !negated)
        } else if negated {
            return Err(self.wrong("neither \"in\" nor \"between\" after \"not\"", "put \"not\" before the column"));
        } else if self.takes("is") {
            let wanted = !self.takes("not");
            if !self.takes("missing") && !self.takes("null") {
                return Err(self.wrong("not \"missing\"", "write \"is missing\" or \"is not missing\""));
            }
            ((column.codec.missing_code().into_iter().collect(), vec![]), wanted)
        } else if let TokenKind::Sign(sign) = self.peek().kind {
            self.next();
            let value = self.value(&column)?;
            match sign {
                CompareOp::Unequal => (self.compare(&column, CompareOp::Equal, &value)?, false),
                sign => (self.compare(&column, sign, &value)?, true),
            }
        } else {
            let name = written_name(&column.name);
            let help = match column.codec.kind() {
                CodecKind::Boolean(_) => format!("write {name} = true"),
                _ => "go on with =, !=, <, <=, >, >=, in (...), between ... and ... or is missing".to_owned(),
            };
            return Err(self.wrong(format!("no comparison after the column {:?}", column.name), help));
        };
        if self.comparisons.len() == MOST_COMPARISONS {
            let what = format!("more than {MOST_COMPARISONS} comparisons");
            return Err(fault(self.text, column.start, column.start, what, "ask for less at a time"));
        }
        self.comparisons.push(Comparison { attribute: column.attribute, codes, spans, wanted });
        Ok(Formula::Holds { comparison: self.comparisons.len() - 1, wanted: true })
    }

    fn subject(&mut self) -> Result<Subject<'a>, SchemaError> {
        let token = self.next();
        let name = match &token.kind {
            TokenKind::Word(word) if !is_reserved(word) => word.clone(),
            TokenKind::Name(name) => name.clone(),
            TokenKind::Word(word) => {
                let help = format!("name a column here; one that is called so stands in double quotes: \"{word}\"");
                return Err(self.fault_at(&token, "no column before it", help));
            }
            TokenKind::Text(name) if self.schema.attribute(name).is_some() => {
                let help = format!("write {}", written_name(name));
                return Err(self.fault_at(&token, "single quotes are for values", help));
            }
            TokenKind::End => {
                return Err(self.fault_at(&token, "the condition ends where a column should follow", "go on"));
            }
            _ => return Err(self.fault_at(&token, "not a column", "begin with a column's name: age >= 65")),
        };
        let attribute = self.schema.find(&name).map_err(|mistake| self.unknown(&token, mistake))?;
        Ok(Subject { attribute, codec: self.schema.codec(attribute), name, start: token.start })
    }

    fn unknown(&self, token: &Token, (what, help): (String, String)) -> SchemaError {
        if let (TokenKind::Sign(_), Some(Token { kind: TokenKind::Word(word) | TokenKind::Name(word), .. })) =
            (&self.peek().kind, self.tokens.get(self.at + 1))
            && self.schema.attribute(word).is_some()
        {
            let help = format!("write the column first, then the value: {} >= 65", written_name(word));
            return self.fault_at(token, what, help);
        }
        self.fault_at(token, what, help)
    }

    /// The token of a value, quoted or not.
    fn value(&mut self, column: &Subject) -> Result<Token, SchemaError> {
        let token = self.next();
        match &token.kind {
            TokenKind::Text(_) => Ok(token),
            TokenKind::Word(word) if !is_reserved(word) => Ok(token),
            TokenKind::Name(name) => {
                let help = format!("write '{}'", name.replace('\'', "''"));
                Err(self.fault_at(&token, "double quotes are for columns", help))
            }
            TokenKind::End => {
                let what = format!("the condition ends where a value of {:?} should follow", column.name);
                Err(self.fault_at(&token, what, "write the value"))
            }
            _ => {
                let what = format!("not a value of {:?}", column.name);
                Err(self.fault_at(&token, what, "write a number, a date, or a word in single quotes"))
            }
        }
    }

    fn listed(&mut self, column: &Subject) -> Result<Asked, SchemaError> {
        if self.peek().kind != TokenKind::Open {
            return Err(self.wrong("no list after \"in\"", "write in ('one', 'two')"));
        }
        self.next();
        let mut asked: Asked = (Vec::new(), Vec::new());
        loop {
            let value = self.value(column)?;
            let (codes, spans) = self.compare(column, CompareOp::Equal, &value)?;
            asked.0.extend(codes);
            asked.1.extend(spans);
            match self.peek().kind {
                TokenKind::Comma => self.at += 1,
                TokenKind::Close => {
                    self.at += 1;
                    break;
                }
                _ => return Err(self.wrong("neither a comma nor ) in the list", "write in ('one', 'two')")),
            }
        }
        Ok(asked)
    }

    fn span(&mut self, column: &Subject) -> Result<Asked, SchemaError> {
        let low = self.value(column)?;
        if !self.takes("and") {
            return Err(self.wrong("no \"and\" after \"between\"", "write between 20 and 29"));
        }
        let high = self.value(column)?;
        // Words are refused here.
        self.compare(column, CompareOp::AtLeast, &low)?;
        self.compare(column, CompareOp::AtMost, &high)?;
        match self.point(column, &low).zip(self.point(column, &high)) {
            Some((first, last)) if last < first => {
                Err(self.fault_at(&high, "\"between\" with the larger value first", "exchange the two"))
            }
            ends => Ok((vec![], ends.into_iter().collect())),
        }
    }

    fn point(&self, column: &Subject, value: &Token) -> Option<AxisPoint> {
        AxisPoint::read_own(said(value), column.codec)
    }

    fn compare(&self, column: &Subject, sign: CompareOp, value: &Token) -> Result<Asked, SchemaError> {
        if matches!(column.codec.kind(), CodecKind::Category(_) | CodecKind::Boolean(_)) {
            return Ok((self.compare_words(column, sign, value)?, vec![]));
        }
        let Some(point) = self.point(column, value) else { return Err(self.unreadable(column, value)) };
        Ok((vec![], vec![sign.span(point)]))
    }

    fn compare_words(&self, column: &Subject, sign: CompareOp, value: &Token) -> Result<Vec<u32>, SchemaError> {
        let codec = column.codec;
        if sign != CompareOp::Equal {
            let what = format!("the values of {:?} have no order", column.name);
            return Err(self.fault_at(value, what, format!("list them: {} in (...)", written_name(&column.name))));
        }
        if let Some(code) = word_code(said(value), codec) {
            return Ok(vec![code]);
        }
        if is_missing_word(value) {
            return Err(self.unreadable(column, value));
        }
        let words: Vec<String> = (0..codec.present()).map(|code| codec.label(code)).collect();
        let near = suggestion(said(value), words.iter().map(String::as_str));
        let shown = words.iter().take(8).map(|word| quoted(word)).collect::<Vec<_>>().join(", ");
        let more = if words.len() > 8 { format!(" and {} more", words.len() - 8) } else { String::new() };
        let other =
            codec.other_code().map(|code| format!("; unlisted ones are held as {}", quoted(&codec.label(code))));
        let help = format!("the values are {shown}{more}{}", other.unwrap_or_default());
        Err(self.fault_at(value, format!("not a value of {:?}{near}", column.name), help))
    }

    fn unreadable(&self, column: &Subject, value: &Token) -> SchemaError {
        let name = written_name(&column.name);
        if is_missing_word(value) {
            let what = format!("not a value of {:?}", column.name);
            return self.fault_at(value, what, format!("write {name} is missing"));
        }
        let kind = column.codec.kind();
        let form = match kind {
            CodecKind::Integer(_) => "a whole number such as 65".to_owned(),
            CodecKind::Date(_, format) => own_form(format.pattern_text(), "2024-03-31"),
            CodecKind::DateTime(_, format) => own_form(format.pattern_text(), "2024-03-31T12:00:00"),
            _ => "a number such as 0.5".to_owned(),
        };
        let what = format!("not a value of {:?}, which is of type {:?}", column.name, column.codec.kind_name());
        self.fault_at(value, what, format!("write {form}"))
    }
}

/// What a value's token says.
fn said(value: &Token) -> &str {
    match &value.kind {
        TokenKind::Word(text) | TokenKind::Text(text) | TokenKind::Name(text) => text,
        _ => "",
    }
}

fn is_missing_word(value: &Token) -> bool {
    ["missing", "(missing)", "null", "NA", ""].iter().any(|word| said(value).eq_ignore_ascii_case(word))
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "''"))
}

fn own_form(pattern: Option<&str>, iso: &str) -> String {
    match pattern {
        Some(pattern) => format!("it as the column does ({pattern}, in single quotes), or as {iso}"),
        None => format!("it as {iso}"),
    }
}
