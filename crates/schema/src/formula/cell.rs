//! What a formula gives in one row.

/// A cell of a column that follows from others.
#[derive(Clone, Debug, PartialEq)]
pub enum FormulaValue {
    /// A cell that it needs is missing, or there is no such number or day.
    Missing,
    /// A number, rounded to the column's decimals.
    Number(f64),
    /// A text.
    Text(String),
    /// Days since 1970-01-01.
    Date(i32),
    /// Seconds since 1970-01-01T00:00:00.
    DateTime(i64),
}
