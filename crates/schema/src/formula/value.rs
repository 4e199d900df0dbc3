//! The value of a formula in one row.

use super::parse::{Expression, Function, Operator};
use super::{Formula, FormulaKind, FormulaValue};
use crate::codec::calendar::{Civil, DAY, FIRST_DAY, LAST_DAY, write_iso_date, write_iso_datetime};
use crate::codec::scan::{plain, write_fixed};
use crate::{CellValue, Codec};

/// What is worked with: days and seconds are numbers here.
enum Part {
    Number(f64),
    Text(Vec<u8>),
}

impl Part {
    fn number(self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(value),
            Self::Text(_) => None,
        }
    }
}

impl Formula {
    /// The value in a row. `cell` has the columns of [`inputs`](Self::inputs) by their place there,
    /// each with its codec.
    pub fn value<'a>(&self, cell: &dyn Fn(usize) -> (CellValue<'a>, &'a Codec)) -> FormulaValue {
        self.present(cell).unwrap_or(FormulaValue::Missing)
    }

    fn present<'a>(&self, cell: &dyn Fn(usize) -> (CellValue<'a>, &'a Codec)) -> Option<FormulaValue> {
        if let Some(lookup) = &self.lookup {
            return lookup.find(&written(&self.expression, cell)?);
        }
        match (part(&self.expression, cell)?, self.kind) {
            (Part::Text(text), _) => Some(FormulaValue::Text(String::from_utf8(text).ok()?)),
            (Part::Number(value), FormulaKind::Number) => {
                let unit = 10f64.powi(i32::from(self.decimals));
                let rounded = (value * unit).round() / unit;
                // Where the unit is too fine to be told in the number, it stays as it is. Adding
                // 0.0 turns -0.0 into 0.0.
                let value = if rounded.is_finite() { rounded } else { value };
                value.is_finite().then_some(FormulaValue::Number(value + 0.0))
            }
            (Part::Number(days), FormulaKind::Date) => {
                let days = days.floor();
                let exists = (FIRST_DAY as f64..=LAST_DAY as f64).contains(&days);
                exists.then_some(FormulaValue::Date(days as i32))
            }
            (Part::Number(seconds), _) => {
                let seconds = seconds.floor();
                let exists = ((FIRST_DAY * DAY) as f64..((LAST_DAY + 1) * DAY) as f64).contains(&seconds);
                exists.then_some(FormulaValue::DateTime(seconds as i64))
            }
        }
    }

    /// Appends the text of a value; a missing one appends nothing.
    pub fn write_text(&self, value: &FormulaValue, decimal: u8, out: &mut Vec<u8>) {
        match value {
            FormulaValue::Missing => {}
            FormulaValue::Number(value) => {
                let start = out.len();
                write_fixed(*value, self.decimals, decimal, out);
                if let Some(format) = &self.numbers {
                    format.dress(start, out);
                }
            }
            FormulaValue::Text(text) => out.extend_from_slice(text.as_bytes()),
            FormulaValue::Date(days) => match &self.format {
                Some(format) => format.write(i64::from(*days), out),
                None => write_iso_date(i64::from(*days), out),
            },
            FormulaValue::DateTime(seconds) => match &self.format {
                Some(format) => format.write(*seconds, out),
                None => write_iso_datetime(*seconds, out),
            },
        }
    }
}

/// `None` where a cell is missing.
fn part<'a>(expression: &Expression, cell: &dyn Fn(usize) -> (CellValue<'a>, &'a Codec)) -> Option<Part> {
    let number = |inside: &Expression| part(inside, cell)?.number();
    match expression {
        Expression::Number(value, _) => Some(Part::Number(*value)),
        Expression::Text(text) => Some(Part::Text(text.clone().into_bytes())),
        Expression::Column(place) => match cell(*place).0 {
            CellValue::Missing => None,
            CellValue::Integer(value) | CellValue::DateTime(value) => Some(Part::Number(value as f64)),
            CellValue::Number(value) => Some(Part::Number(value)),
            CellValue::Date(days) => Some(Part::Number(f64::from(days))),
            CellValue::Text(word) => Some(Part::Text(word.as_bytes().to_vec())),
        },
        Expression::Negative(inside) => Some(Part::Number(-number(inside)?)),
        Expression::Pair(Operator::Join, left, right) => {
            let mut text = written(left, cell)?;
            text.append(&mut written(right, cell)?);
            Some(Part::Text(text))
        }
        Expression::Pair(operator, left, right) => {
            let (left, right) = (number(left)?, number(right)?);
            Some(Part::Number(match operator {
                Operator::Add => left + right,
                Operator::Subtract => left - right,
                Operator::Multiply => left * right,
                Operator::Divide | Operator::Join => left / right,
            }))
        }
        Expression::Call(function, inside) => {
            let values = inside.iter().map(number).collect::<Option<Vec<f64>>>()?;
            let is_day = inside.first().is_some_and(|one| holds_days(one, cell));
            Some(Part::Number(called(*function, &values, is_day)))
        }
    }
}

/// The text of a part that is put together with others: a column's cell as the column writes it.
fn written<'a>(expression: &Expression, cell: &dyn Fn(usize) -> (CellValue<'a>, &'a Codec)) -> Option<Vec<u8>> {
    if let Expression::Column(place) = expression {
        let (value, codec) = cell(*place);
        let mut text = Vec::new();
        codec.write_text(&value, &mut text);
        return (value != CellValue::Missing).then_some(text);
    }
    match part(expression, cell)? {
        Part::Text(text) => Some(text),
        Part::Number(value) if !value.is_finite() => None,
        Part::Number(value) => Some(plain(value + 0.0).into_bytes()),
    }
}

/// Whether a number counts days, and not seconds.
fn holds_days<'a>(expression: &Expression, cell: &dyn Fn(usize) -> (CellValue<'a>, &'a Codec)) -> bool {
    match expression {
        Expression::Column(place) => matches!(cell(*place).0, CellValue::Date(_)),
        Expression::Pair(_, left, _) => holds_days(left, cell),
        Expression::Call(Function::Date, _) => true,
        Expression::Call(_, inside) => inside.first().is_some_and(|one| holds_days(one, cell)),
        Expression::Negative(_) | Expression::Number(..) | Expression::Text(_) => false,
    }
}

fn called(function: Function, values: &[f64], is_day: bool) -> f64 {
    let value = values.first().copied().unwrap_or(f64::NAN);
    let seconds = || if is_day { (value as i64).saturating_mul(DAY) } else { value as i64 };
    let civil = || Civil::from_seconds(seconds());
    match function {
        Function::Abs => value.abs(),
        Function::Floor => value.floor(),
        Function::Ceil => value.ceil(),
        Function::Min => values.iter().copied().fold(f64::INFINITY, f64::min),
        Function::Max => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        Function::Year => civil().year as f64,
        Function::Month => f64::from(civil().month),
        Function::Day => f64::from(civil().day),
        // 1970-01-01 was a Thursday; Monday is 1.
        Function::Weekday => (seconds().div_euclid(DAY) + 3).rem_euclid(7) as f64 + 1.0,
        Function::Hour => f64::from(civil().hour),
        Function::Minute => f64::from(civil().minute),
        Function::Date => (value / DAY as f64).floor(),
    }
}
