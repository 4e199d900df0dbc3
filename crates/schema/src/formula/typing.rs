//! What an expression gives, told before any row is there.

use super::parse::{Expression, Function, Operator};
use crate::codec::{CalendarUnit, TimeFormat};
use crate::error::{Mistake, refuse_if};
use crate::{Codec, CodecKind};

/// What a formula gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulaKind {
    /// A number.
    Number,
    /// A text.
    Text,
    /// A day.
    Date,
    /// A moment.
    DateTime,
}

impl FormulaKind {
    fn of(codec: &Codec) -> Self {
        match codec.kind() {
            CodecKind::Integer(_) | CodecKind::Number(_) => Self::Number,
            CodecKind::Category(_) | CodecKind::Boolean(_) => Self::Text,
            CodecKind::Date(..) => Self::Date,
            CodecKind::DateTime(..) => Self::DateTime,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Text => "a text",
            Self::Date => "a date",
            Self::DateTime => "a moment",
        }
    }

    /// How days or moments are written.
    pub(super) fn format(self, pattern: &str) -> Result<TimeFormat, Mistake> {
        match self {
            Self::Date => TimeFormat::pattern(pattern, CalendarUnit::Day),
            Self::DateTime => TimeFormat::pattern(pattern, CalendarUnit::Second),
            Self::Number | Self::Text => {
                Err(Mistake::new("`format` of something that is neither a number nor a date", "leave `format` out"))
            }
        }
    }
}

/// What an expression gives; of a number, with how many decimals, where its parts tell.
#[derive(Clone, Copy)]
pub(super) struct Made {
    pub kind: FormulaKind,
    pub decimals: Option<u8>,
}

/// Checks an expression whose columns have these codecs.
pub(super) fn of(expression: &Expression, codecs: &[&Codec]) -> Result<Made, Mistake> {
    use FormulaKind::{Date, DateTime, Number, Text};
    let number = |decimals: Option<u8>| Made { kind: Number, decimals };
    let other = |kind| Made { kind, decimals: None };
    match expression {
        Expression::Number(_, decimals) => Ok(number(Some(*decimals))),
        Expression::Text(_) => Ok(other(Text)),
        Expression::Column(place) => Ok(match codecs[*place].kind() {
            CodecKind::Integer(_) => number(Some(0)),
            CodecKind::Number(axis) => number(axis.decimals()),
            _ => other(FormulaKind::of(codecs[*place])),
        }),
        Expression::Negative(inside) => {
            let made = of(inside, codecs)?;
            refuse_if(made.kind != Number, format!("its formula has - before {}", made.kind.words()), HELP)?;
            Ok(made)
        }
        Expression::Pair(Operator::Join, left, right) => {
            of(left, codecs)?;
            of(right, codecs)?;
            Ok(other(Text))
        }
        Expression::Pair(operator, left, right) => {
            let (left, right) = (of(left, codecs)?, of(right, codecs)?);
            let both = left.decimals.zip(right.decimals);
            match (operator, left.kind, right.kind) {
                (Operator::Add | Operator::Subtract, Number, Number) => Ok(number(both.map(|(one, two)| one.max(two)))),
                (Operator::Multiply, Number, Number) => Ok(number(both.map(|(one, two)| (one + two).min(15)))),
                (Operator::Divide, Number, Number) => Ok(number(None)),
                (Operator::Subtract, Date, Date) | (Operator::Subtract, DateTime, DateTime) => Ok(number(Some(0))),
                (Operator::Add | Operator::Subtract, kind @ (Date | DateTime), Number) => Ok(other(kind)),
                (operator, left, right) => Err(Mistake::new(
                    format!("its formula has {} {} {}", left.words(), sign(*operator), right.words()),
                    HELP,
                )),
            }
        }
        Expression::Call(function, inside) => call(*function, inside, codecs),
    }
}

fn call(function: Function, inside: &[Expression], codecs: &[&Codec]) -> Result<Made, Mistake> {
    use FormulaKind::{Date, DateTime, Number};
    let made = inside.iter().map(|one| of(one, codecs)).collect::<Result<Vec<_>, _>>()?;
    let whole = Made { kind: Number, decimals: Some(0) };
    let first = made[0];
    let many = matches!(function, Function::Min | Function::Max);
    let fits = match function {
        Function::Abs | Function::Floor | Function::Ceil => first.kind == Number,
        Function::Min | Function::Max => {
            first.kind != FormulaKind::Text && made.iter().all(|one| one.kind == first.kind)
        }
        Function::Year | Function::Month | Function::Day | Function::Weekday => matches!(first.kind, Date | DateTime),
        Function::Hour | Function::Minute | Function::Date => first.kind == DateTime,
    };
    if !fits || (made.len() > 1) != many {
        let given: Vec<&str> = made.iter().map(|one| one.kind.words()).collect();
        let what = format!("its formula has {}() of {}", function.word(), given.join(" and "));
        return Err(Mistake::new(what, HELP));
    }
    Ok(match function {
        Function::Abs => first,
        Function::Min | Function::Max => {
            let decimals = made.iter().map(|one| one.decimals).reduce(|one, two| Some(one?.max(two?))).flatten();
            Made { kind: first.kind, decimals }
        }
        Function::Date => Made { kind: Date, decimals: None },
        _ => whole,
    })
}

fn sign(operator: Operator) -> char {
    match operator {
        Operator::Add => '+',
        Operator::Subtract => '-',
        Operator::Multiply => '*',
        Operator::Divide => '/',
        Operator::Join => '&',
    }
}

const HELP: &str = "numbers take + - * /, dates and moments + and - days and seconds, year(), month(), day(), weekday(), \
                    hour() and minute(), and anything is put together by &";
