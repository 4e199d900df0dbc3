//! From tokens to an expression. `&` binds last, then `+ -`, then `* /`.

use super::lex::{HELP, Token, tokens};
use crate::error::{Mistake, refuse_if};
use crate::nearest::suggestion;

/// Brackets inside each other, and minus signs: more would exhaust the stack.
const MOST_DEPTH: usize = 100;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    /// A number, and how many decimals it is written with.
    Number(f64, u8),
    Text(String),
    /// A column, by its place among the names.
    Column(usize),
    Negative(Box<Expression>),
    Pair(Operator, Box<Expression>, Box<Expression>),
    Call(Function, Vec<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Join,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Abs,
    Floor,
    Ceil,
    Min,
    Max,
    Year,
    Month,
    Day,
    Weekday,
    Hour,
    Minute,
    Date,
}

impl Function {
    const ALL: [(&str, Self); 12] = [
        ("abs", Self::Abs),
        ("floor", Self::Floor),
        ("ceil", Self::Ceil),
        ("min", Self::Min),
        ("max", Self::Max),
        ("year", Self::Year),
        ("month", Self::Month),
        ("day", Self::Day),
        ("weekday", Self::Weekday),
        ("hour", Self::Hour),
        ("minute", Self::Minute),
        ("date", Self::Date),
    ];

    pub(super) fn word(self) -> &'static str {
        Self::ALL.iter().find(|(_, function)| *function == self).map_or("", |(word, _)| word)
    }
}

/// The expression, and the columns that it names.
pub(super) fn parse(text: &str) -> Result<(Expression, Vec<String>), Mistake> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, names: Vec::new(), depth: 0 };
    let expression = parser.joined()?;
    match parser.tokens.get(parser.at) {
        None => Ok((expression, parser.names)),
        Some(token) => Err(unexpected(token)),
    }
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    names: Vec<String>,
    depth: usize,
}

impl Parser {
    fn joined(&mut self) -> Result<Expression, Mistake> {
        self.chain(&[('&', Operator::Join)], Self::sum)
    }

    fn sum(&mut self) -> Result<Expression, Mistake> {
        self.chain(&[('+', Operator::Add), ('-', Operator::Subtract)], Self::product)
    }

    fn product(&mut self) -> Result<Expression, Mistake> {
        self.chain(&[('*', Operator::Multiply), ('/', Operator::Divide)], Self::signed)
    }

    fn chain(
        &mut self,
        operators: &[(char, Operator)],
        next: fn(&mut Self) -> Result<Expression, Mistake>,
    ) -> Result<Expression, Mistake> {
        let mut left = next(self)?;
        let mut length = 0;
        while let Some(&(_, operator)) = operators.iter().find(|(sign, _)| self.is_at(*sign)) {
            self.at += 1;
            length += 1;
            // A chain becomes a tree that leans to the left, as deep as it is long.
            refuse_if(length > MOST_DEPTH, "its formula is too long", "use brackets, or a shorter one")?;
            left = Expression::Pair(operator, Box::new(left), Box::new(next(self)?));
        }
        Ok(left)
    }

    fn signed(&mut self) -> Result<Expression, Mistake> {
        self.depth += 1;
        refuse_if(self.depth > MOST_DEPTH, "its formula has too many brackets inside each other", "use fewer")?;
        let made = match self.is_at('-') {
            true => {
                self.at += 1;
                Expression::Negative(Box::new(self.signed()?))
            }
            false => self.one()?,
        };
        self.depth -= 1;
        Ok(made)
    }

    fn one(&mut self) -> Result<Expression, Mistake> {
        let Some(token) = self.tokens.get(self.at).cloned() else {
            return Err(Mistake::new("its formula ends where something is expected", HELP));
        };
        self.at += 1;
        match token {
            Token::Number(value, decimals) => Ok(Expression::Number(value, decimals)),
            Token::Text(text) => Ok(Expression::Text(text)),
            Token::Name(name) => Ok(self.column(name)),
            Token::Word(word) if self.is_at('(') => self.call(&word),
            Token::Word(word) => Ok(self.column(word)),
            Token::Sign('(') => {
                let inside = self.joined()?;
                self.expect(')')?;
                Ok(inside)
            }
            sign => Err(unexpected(&sign)),
        }
    }

    fn call(&mut self, word: &str) -> Result<Expression, Mistake> {
        let words = || Function::ALL.iter().map(|(word, _)| *word);
        let Some(&(_, function)) = Function::ALL.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)) else {
            let help = format!("the functions are {}", words().collect::<Vec<_>>().join(", "));
            return Err(Mistake::new(format!("its formula calls {word:?}{}", suggestion(word, words())), help));
        };
        self.expect('(')?;
        let mut inside = vec![self.joined()?];
        while self.is_at(',') {
            self.at += 1;
            inside.push(self.joined()?);
        }
        self.expect(')')?;
        Ok(Expression::Call(function, inside))
    }

    fn column(&mut self, name: String) -> Expression {
        let known = self.names.iter().position(|known| *known == name);
        Expression::Column(known.unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        }))
    }

    fn is_at(&self, sign: char) -> bool {
        self.tokens.get(self.at) == Some(&Token::Sign(sign))
    }

    fn expect(&mut self, sign: char) -> Result<(), Mistake> {
        if self.is_at(sign) {
            self.at += 1;
            return Ok(());
        }
        match self.tokens.get(self.at) {
            None => Err(Mistake::new(format!("its formula lacks a {sign:?}"), HELP)),
            Some(token) => Err(unexpected(token)),
        }
    }
}

fn unexpected(token: &Token) -> Mistake {
    let word = match token {
        Token::Number(value, _) => value.to_string(),
        Token::Word(word) | Token::Name(word) | Token::Text(word) => word.clone(),
        Token::Sign(sign) => sign.to_string(),
    };
    Mistake::new(format!("its formula has {word:?} where something else is expected"), HELP)
}
