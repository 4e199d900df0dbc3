//! Values that a schema may be given, and conditions on them.

use crate::{CellCondition, PlainValue};

impl From<bool> for PlainValue {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}

impl From<i64> for PlainValue {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<i32> for PlainValue {
    fn from(value: i32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<f64> for PlainValue {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<String> for PlainValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for PlainValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl CellCondition {
    /// The cells with this value.
    pub fn is(value: impl Into<PlainValue>) -> Self {
        Self::One(value.into())
    }

    /// The cells with any other value, missing ones left aside.
    pub fn is_not(value: impl Into<PlainValue>) -> Self {
        Self::compared("!=", value)
    }

    /// The cells with one of these values.
    pub fn any_of(values: impl IntoIterator<Item = impl Into<PlainValue>>) -> Self {
        Self::Any(values.into_iter().map(Into::into).collect())
    }

    /// The cells below a value.
    pub fn below(value: impl Into<PlainValue>) -> Self {
        Self::compared("<", value)
    }

    /// The cells at a value or below it.
    pub fn at_most(value: impl Into<PlainValue>) -> Self {
        Self::compared("<=", value)
    }

    /// The cells above a value.
    pub fn above(value: impl Into<PlainValue>) -> Self {
        Self::compared(">", value)
    }

    /// The cells at a value or above it.
    pub fn at_least(value: impl Into<PlainValue>) -> Self {
        Self::compared(">=", value)
    }

    /// The cells from one value to another, both included.
    pub fn between(low: impl Into<PlainValue>, high: impl Into<PlainValue>) -> Self {
        Self::One(PlainValue::Text(format!("{}..{}", low.into().text(), high.into().text())))
    }

    /// The missing cells.
    pub fn missing() -> Self {
        Self::Missing { missing: true }
    }

    fn compared(sign: &str, value: impl Into<PlainValue>) -> Self {
        Self::One(PlainValue::Text(format!("{sign} {}", value.into().text())))
    }
}
