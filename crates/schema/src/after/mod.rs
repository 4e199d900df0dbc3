//! Columns that a model holds as their difference to an earlier one: a flight and the day on which
//! it was booked, an admission and the discharge that follows it.
//!
//! What belongs together is short then: a stay of three days is one code and not two days of a
//! year, each in a bin of its own. The value is put together again when a row is written, so that
//! every row is in order and no difference is lost to bins.
//!
//! # How a row is coded
//! By its own two cells and public facts alone. Both values are clamped to the ranges of their
//! columns, then their difference is, as any other value is. Where one of the two is missing or
//! cannot be read there is no difference, and the cell is a missing one.

mod resolve;
#[cfg(test)]
mod tests;

use crate::codec::calendar::{DAY, civil};
use crate::codec::scan::POWERS;
use crate::codec::{CodecKind, IntegerAxis, NumberAxis};
use crate::error::Mistake;
use crate::{AttrId, CellValue, Codec, TypedCell};

pub(crate) use resolve::resolve_differences;

/// Whole numbers beyond this are not told apart by what differences are computed in.
const LARGEST_WHOLE: i64 = 1 << 53;

/// A column that is held as its difference to an earlier one.
#[derive(Clone, Debug, PartialEq)]
pub struct After {
    on: String,
    /// How its own cells are read and written. The range follows from those of the earlier column
    /// and of the difference, once the columns around it are known.
    own: Codec,
    /// The smallest and the largest own value.
    bounds: (f64, f64),
    earlier: EarlierColumn,
}

/// What is known of the earlier column.
#[derive(Clone, Copy, Debug, PartialEq)]
struct EarlierColumn {
    attribute: AttrId,
    bounds: (f64, f64),
    scale: Scale,
}

/// What becomes of an earlier value before the difference is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scale {
    Same,
    /// A day is the moment at which it begins.
    DayToMoment,
    /// A moment is the day on which it is.
    MomentToDay,
}

impl Scale {
    fn of(self, value: f64) -> f64 {
        match self {
            Self::Same => value,
            Self::DayToMoment => value * DAY as f64,
            Self::MomentToDay => (value / DAY as f64).floor(),
        }
    }
}

impl After {
    /// A column whose own cells are like those of the codec, whatever its range is. Which columns
    /// there are is not known yet.
    pub(crate) fn new(on: String, own: Codec) -> Self {
        let earlier = EarlierColumn { attribute: AttrId(0), bounds: (0.0, 0.0), scale: Scale::Same };
        Self { on, own, bounds: (0.0, 0.0), earlier }
    }

    /// The earlier column's name.
    pub fn on(&self) -> &str {
        &self.on
    }

    /// The earlier column.
    pub fn earlier(&self) -> AttrId {
        self.earlier.attribute
    }

    /// How its own cells are read and written. The codec of the column itself is that of the
    /// difference.
    pub fn own(&self) -> &Codec {
        &self.own
    }

    /// The code of a row, by the numbers in its two cells as [`Codec::raw`] reads them. `codec` is
    /// that of the difference.
    pub fn code(&self, codec: &Codec, earlier: Option<f64>, own: Option<f64>) -> u32 {
        match (earlier, own) {
            (Some(earlier), Some(own)) => {
                let (low, high) = self.earlier.bounds;
                let earlier = self.earlier.scale.of(earlier.clamp(low, high));
                codec.encode(TypedCell::Number(own.clamp(self.bounds.0, self.bounds.1) - earlier))
            }
            _ => codec.encode_missing(),
        }
    }

    /// The cell of a row, from the earlier one and the difference.
    pub(crate) fn cell<'a>(&self, earlier: &CellValue<'_>, difference: &CellValue<'_>) -> CellValue<'a> {
        let (Some(earlier), Some(difference)) = (earlier.real(), difference.real()) else { return CellValue::Missing };
        let value = self.earlier.scale.of(earlier) + difference;
        let value = value.clamp(self.bounds.0, self.bounds.1);
        match self.own.kind() {
            CodecKind::Integer(_) => CellValue::Integer(value as i64),
            CodecKind::Date(..) => CellValue::Date(value as i32),
            CodecKind::DateTime(..) => CellValue::DateTime(value as i64),
            CodecKind::Number(axis) => CellValue::Number(match axis.decimals() {
                Some(decimals) => {
                    let unit = POWERS[usize::from(decimals)];
                    (value * unit).round() / unit
                }
                None => value,
            }),
            CodecKind::Category(_) | CodecKind::Boolean(_) => CellValue::Missing,
        }
    }

    /// The same column with this range.
    fn ranged(&self, low: f64, high: f64) -> Result<Codec, Mistake> {
        let whole = |step| IntegerAxis::even(low as i64, high as i64, step, 1, Vec::new());
        let kind = match self.own.kind() {
            CodecKind::Integer(_) => CodecKind::Integer(whole(1)),
            CodecKind::Date(_, format) => {
                let format = format.clone().for_years(civil(low as i64).0, civil(high as i64).0);
                CodecKind::Date(whole(1), format)
            }
            CodecKind::DateTime(_, format) => {
                let year = |seconds: f64| civil((seconds as i64).div_euclid(DAY)).0;
                CodecKind::DateTime(whole(format.step()), format.clone().for_years(year(low), year(high)))
            }
            CodecKind::Number(axis) => CodecKind::Number(NumberAxis::even(low, high, 1, Vec::new(), axis.decimals())?),
            kind @ (CodecKind::Category(_) | CodecKind::Boolean(_)) => kind.clone(),
        };
        Ok(self.own.with_kind(kind))
    }
}
