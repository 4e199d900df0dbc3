//! Whether a stored type can hold what a column says.

use super::{StoredInteger, StoredKind, StoredType};
use crate::codec::CodecKind;
use crate::error::{Mistake, refuse_if};
use crate::{CellValue, Codec, Formula, FormulaKind, IdPattern, Role};

/// Ids are counted, and nobody knows how far: a type that ends early would end a release.
const LEAST_ID: u64 = i32::MAX as u64;

/// Checks a column, derived ones left aside.
pub(crate) fn check_column(stored: &StoredType, role: &Role, pattern: Option<&IdPattern>) -> Result<(), Mistake> {
    match role {
        Role::Modelled(_) | Role::Dependent(_) => {
            role.written_codec().map_or(Ok(()), |codec| check_codec(stored, codec))
        }
        Role::Id => {
            let fits = [1, LEAST_ID].into_iter().all(|number| stored.kind.id(number, pattern).is_some());
            refuse_if(!fits, cannot(stored, "ids, which go on"), "use \"int64\", \"string\" or another wide type")
        }
        Role::Ignored => check_missing(stored, true, "leave out \"not null\": no cell of the column is written"),
        Role::Derived(_) => Ok(()),
    }
}

/// Checks a column whose cells are coded.
pub(crate) fn check_codec(stored: &StoredType, codec: &Codec) -> Result<(), Mistake> {
    check_missing(stored, codec.missing_code().is_some(), "say missing = false, or leave out \"not null\"")?;
    check_values(stored, codec)
}

/// Checks a derived column whose formula was resolved.
pub(crate) fn check_formula(stored: &StoredType, formula: &Formula) -> Result<(), Mistake> {
    check_missing(stored, true, "leave out \"not null\": the column is missing where a cell that it needs is")?;
    let fits = match formula.kind() {
        FormulaKind::Number => matches!(
            stored.kind,
            StoredKind::Integer(_) | StoredKind::Float(_) | StoredKind::Decimal(..) | StoredKind::Text(_)
        ),
        FormulaKind::Text => matches!(stored.kind, StoredKind::Text(_) | StoredKind::Binary(_)),
        FormulaKind::Date => {
            matches!(stored.kind, StoredKind::Date(_) | StoredKind::Timestamp(..) | StoredKind::Text(_))
        }
        FormulaKind::DateTime => matches!(stored.kind, StoredKind::Timestamp(..) | StoredKind::Text(_)),
    };
    let whole = formula.kind() != FormulaKind::Number || formula.is_whole();
    let fits = fits && (whole || !matches!(stored.kind, StoredKind::Integer(_)));
    refuse_if(!fits, cannot(stored, "what the formula gives"), "use a type for its values")
}

fn check_missing(stored: &StoredType, may_be_missing: bool, help: &str) -> Result<(), Mistake> {
    let lacks = may_be_missing && !stored.nullable && !stored.kind.can_tell_missing();
    refuse_if(lacks, cannot(stored, "missing cells"), help)
}

fn check_values(stored: &StoredType, codec: &Codec) -> Result<(), Mistake> {
    let holds = |value: CellValue<'_>| stored.kind.value(&value, codec).is_some();
    let (what, fits) = match codec.kind() {
        CodecKind::Integer(axis) => {
            let (low, high) = axis.ends();
            ("the range", [low, high].into_iter().all(|value| holds(CellValue::Integer(value))))
        }
        CodecKind::Number(axis) => {
            let ends = <[f64; 2]>::from(axis.ends()).into_iter().all(|value| holds(CellValue::Number(value)));
            let needed = match stored.kind.plain() {
                StoredKind::Decimal(_, _, scale) => Some(*scale),
                StoredKind::Integer(_) => Some(0),
                _ => None,
            };
            let finer = needed.is_some_and(|most| axis.decimals().is_none_or(|decimals| decimals > most));
            let help = format!("say decimals = {}, or use another type", needed.unwrap_or(0));
            refuse_if(finer, cannot(stored, "the decimals"), help)?;
            ("the range", ends)
        }
        CodecKind::Date(axis, _) => {
            ("the range", [axis.low(), axis.high()].into_iter().all(|days| holds(CellValue::Date(days as i32))))
        }
        CodecKind::DateTime(axis, _) => {
            ("the range", [axis.low(), axis.high()].into_iter().all(|seconds| holds(CellValue::DateTime(seconds))))
        }
        CodecKind::Category(_) | CodecKind::Boolean(_) => {
            ("all of the words", (0..codec.present()).all(|code| holds(codec.decode(code, 0))))
        }
    };
    refuse_if(!fits, cannot(stored, what), "use a type that does, or leave `stored` out")?;
    let StoredKind::Dictionary { indices, .. } = stored.kind else { return Ok(()) };
    let many = distinct(codec).is_none_or(|count| count > places(indices));
    refuse_if(many, cannot(stored, "as many values"), "use wider indices, or no dictionary")
}

/// How many different values may be written; `None` where nobody can tell.
fn distinct(codec: &Codec) -> Option<u128> {
    let between = |low: i64, high: i64| (i128::from(high) - i128::from(low) + 1) as u128;
    match codec.kind() {
        CodecKind::Integer(axis) | CodecKind::Date(axis, _) | CodecKind::DateTime(axis, _) => {
            Some(between(axis.low(), axis.high()) + u128::from(axis.outer().0))
        }
        CodecKind::Number(axis) => {
            let units = (axis.high() - axis.low()) * 10f64.powi(i32::from(axis.decimals()?));
            (units < 1e18).then_some(units as u128 + 1 + u128::from(axis.outer().0))
        }
        CodecKind::Category(_) | CodecKind::Boolean(_) => Some(u128::from(codec.present())),
    }
}

fn places(indices: StoredInteger) -> u128 {
    indices.bounds().1 as u128 + 1
}

fn cannot(stored: &StoredType, what: &str) -> String {
    format!("stored = \"{stored}\" cannot hold {what}")
}
