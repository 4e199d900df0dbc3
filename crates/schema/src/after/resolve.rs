//! The range of a column that is held as a difference, once the columns around it are known.

use super::{After, EarlierColumn, LARGEST_WHOLE, Scale};
use crate::codec::CodecKind;
use crate::codec::calendar::{DAY, FIRST_DAY, LAST_DAY};
use crate::error::{Mistake, refuse_if};
use crate::nearest::suggestion;
use crate::stored::check_codec;
use crate::{AttrId, Codec, Column, SchemaError};

/// The most columns that may follow each other, each held as its difference to the one before.
const LONGEST_CHAIN: usize = 16;

/// Finds the earlier columns. Their places change when columns are arranged.
pub(crate) fn resolve_differences(columns: &mut [Column]) -> Result<(), SchemaError> {
    let mut open: Vec<usize> = (0..columns.len()).filter(|&place| columns[place].after.is_some()).collect();
    // A column's range follows from the one before it, which may follow from another.
    for _ in 0..LONGEST_CHAIN {
        let waits = |place: &usize| {
            let on = columns[*place].after.as_ref().map(After::on);
            open.iter().any(|other| Some(columns[*other].name.as_str()) == on)
        };
        let (later, ready): (Vec<usize>, Vec<usize>) = open.iter().partition(|place| waits(place));
        for place in ready {
            resolve(place, columns).map_err(|mistake| mistake.at(&columns[place].name))?;
        }
        open = later;
    }
    match open.first() {
        None => Ok(()),
        Some(&place) => {
            let what = format!("columns come `after` each other in a circle, or more than {LONGEST_CHAIN} in a row");
            Err(SchemaError::column(&columns[place].name, what, "let it come after a column with a `range`"))
        }
    }
}

fn resolve(place: usize, columns: &mut [Column]) -> Result<(), Mistake> {
    let column = &columns[place];
    let (Some(after), Some(codec)) = (&column.after, column.codec()) else { return Ok(()) };
    let (attribute, earlier) = earlier(after.on(), columns)?;
    let loses = earlier.missing_code().is_some() && codec.missing_code().is_none();
    let what =
        format!("it comes `after` {:?}, whose cells may be missing, and has no code for missing cells", after.on);
    refuse_if(loses, what, "say missing = true")?;
    let what = format!("it comes `after` {:?}, which has spikes outside of its range", after.on);
    refuse_if(has_outer_spikes(earlier), what, "widen the range, or name them in `missing_tokens`")?;
    let what = "a spike of a difference lies outside of `within`";
    refuse_if(has_outer_spikes(codec), what, "widen `within` or drop the spike")?;
    let bounds = range(earlier).unwrap_or_default();
    let scale = scale(after, earlier)?;
    let within = range(codec).unwrap_or_default();
    let (low, high) = (scale.of(bounds.0) + within.0, scale.of(bounds.1) + within.1);
    // A calendar ends, and the earlier column's range ends before it.
    let (low, high) = match after.own.kind() {
        CodecKind::Date(..) => (low.max(FIRST_DAY as f64), high.min(LAST_DAY as f64)),
        CodecKind::DateTime(_, format) => {
            let last = (LAST_DAY + 1) * DAY - 1;
            (low.max((FIRST_DAY * DAY) as f64), high.min((last - last.rem_euclid(format.step())) as f64))
        }
        _ => (low, high),
    };
    let wide = low.abs().max(high.abs()) > LARGEST_WHOLE as f64 && matches!(after.own.kind(), CodecKind::Integer(_));
    refuse_if(wide, "whole numbers that are too large for differences", "use type = \"number\", or a smaller range")?;
    let none = "`within` leaves no value that can be written";
    refuse_if(low > high, none, "use a smaller `within`")?;
    let own = after.ranged(low, high)?;
    refuse_unwritable(&own)?;
    if let Some(stored) = &column.stored {
        check_codec(stored, &own)?;
    }
    let found =
        After { own, bounds: (low, high), earlier: EarlierColumn { attribute, bounds, scale }, ..after.clone() };
    columns[place].after = Some(found);
    Ok(())
}

/// The earlier column, with the codec of its own values.
fn earlier<'a>(name: &str, columns: &'a [Column]) -> Result<(AttrId, &'a Codec), Mistake> {
    let modelled = || columns.iter().filter(|column| column.codec().is_some());
    let found = modelled().zip(0..).find(|(column, _)| column.name == name);
    if let Some((column, index)) = found
        && let Some(codec) = column.written_codec()
    {
        return Ok((AttrId(index), codec));
    }
    let what = match columns.iter().find(|column| column.name == name) {
        Some(column) => {
            format!("it comes `after` {name:?}, a column of type {:?} that is not modelled", column.type_name())
        }
        None => {
            let near = suggestion(name, modelled().map(|column| column.name.as_str()));
            format!("it comes `after` {name:?}, which is not a column of the schema{near}")
        }
    };
    Err(Mistake::new(what, "name a column that has values of its own"))
}

fn scale(after: &After, earlier: &Codec) -> Result<Scale, Mistake> {
    use CodecKind::{Date, DateTime, Integer, Number};
    let scale = match (earlier.kind(), after.own.kind()) {
        (Integer(axis), Integer(_) | Number(_)) if axis.clock_unit().is_none() => Scale::Same,
        (Date(..), Date(..)) => Scale::Same,
        (Date(..), DateTime(..)) => Scale::DayToMoment,
        (DateTime(..), Date(..)) => Scale::MomentToDay,
        (Number(earlier), Number(own)) => {
            let finer = own.decimals().is_some_and(|own| earlier.decimals().is_none_or(|decimals| decimals > own));
            let what = format!("it comes `after` {:?}, which has more decimals", after.on);
            refuse_if(finer, what, "say as many `decimals` in both columns")?;
            Scale::Same
        }
        (DateTime(_, earlier), DateTime(_, own)) => {
            let what = format!("it comes `after` {:?}, whose moments are told more finely", after.on);
            refuse_if(own.step() > earlier.step(), what, "give both columns a `format` of the same precision")?;
            Scale::Same
        }
        _ => {
            let kind = earlier.kind_name();
            let what =
                format!("it comes `after` {:?}, a column of type {kind:?} that it cannot be counted from", after.on);
            let help = "numbers follow numbers, and dates and moments follow each other; clock numbers follow none";
            return Err(Mistake::new(what, help));
        }
    };
    Ok(scale)
}

/// The smallest and the largest value of a column of numbers or dates.
fn range(codec: &Codec) -> Option<(f64, f64)> {
    match codec.kind() {
        CodecKind::Integer(axis) | CodecKind::Date(axis, _) | CodecKind::DateTime(axis, _) => {
            Some((axis.low() as f64, axis.high() as f64))
        }
        CodecKind::Number(axis) => Some((axis.low(), axis.high())),
        CodecKind::Category(_) | CodecKind::Boolean(_) => None,
    }
}

/// Whether values outside of a column's range have codes of their own: such a value often stands
/// for something else, and nothing is counted from it.
fn has_outer_spikes(codec: &Codec) -> bool {
    match codec.kind() {
        CodecKind::Integer(axis) | CodecKind::Date(axis, _) | CodecKind::DateTime(axis, _) => axis.outer().0 > 0,
        CodecKind::Number(axis) => axis.outer().0 > 0,
        CodecKind::Category(_) | CodecKind::Boolean(_) => false,
    }
}

/// Two-digit years may not tell all of the range apart.
fn refuse_unwritable(own: &Codec) -> Result<(), Mistake> {
    let (CodecKind::Date(axis, format) | CodecKind::DateTime(axis, format)) = own.kind() else { return Ok(()) };
    let mut text = Vec::new();
    let lossy = |value: i64| {
        text.clear();
        format.write(value, &mut text);
        format.parse(&text) != Some(value)
    };
    let what = "the format cannot write all days that its range and `within` lead to";
    refuse_if([axis.low(), axis.high()].into_iter().any(lossy), what, "use four-digit years, or a smaller `within`")
}
