//! Range, bins, edges, spacing and spikes become an axis.

use std::cmp::Ordering;

use super::layout::{ColumnFile, ColumnType, OrDiscover, Spacing};
use crate::codec::calendar::{DAY, FIRST_DAY, LAST_DAY, civil, parse_iso};
use crate::codec::clock::ClockUnit;
use crate::codec::grid as codes;
use crate::codec::{CalendarUnit, CodecKind, IntegerAxis, MOST_DECIMALS, NumberAxis, TimeFormat};
use crate::error::{Mistake, refuse_if};
use crate::levels::LevelFile;
use crate::plain_value::PlainValue;
use crate::schema::MOST_CODES;

/// Up to this many whole values a column gets one bin a value.
pub(crate) const FEW_VALUES: u128 = 128;
/// Near-equal bins of a wider range of whole values.
const WHOLE_BINS: u64 = 64;
/// Bins of a number column.
const NUMBER_BINS: u64 = 32;
/// Bounds of numbers: differences of two of them stay finite.
pub(crate) const LARGEST_NUMBER: f64 = 1e300;
/// The most spikes that a column may have.
const MOST_SPIKES: usize = 1000;

/// The refusal of a column with too many codes.
pub(crate) fn too_many() -> Mistake {
    Mistake::new(format!("more than {MOST_CODES} codes"), "use fewer bins, or list fewer values")
}

/// What a column with a range codes.
pub(crate) fn ranged(entry: &ColumnFile) -> Result<CodecKind, Mistake> {
    coded(entry, None)
}

/// What a column with a range and without bins codes when it is on its own grid, of at most
/// `most` codes.
pub(crate) fn on_grid(entry: &ColumnFile, most: u32) -> Result<CodecKind, Mistake> {
    coded(entry, Some(most))
}

fn coded(entry: &ColumnFile, grid: Option<u32>) -> Result<CodecKind, Mistake> {
    if entry.after.is_some() {
        return difference(entry, grid);
    }
    let format = |unit: CalendarUnit| match &entry.format {
        Some(pattern) => TimeFormat::pattern(pattern, unit),
        None => Ok(TimeFormat::iso(unit)),
    };
    match entry.kind {
        ColumnType::Date => {
            let format = format(CalendarUnit::Day)?;
            let axis = whole_axis(entry, 1, grid, |value| Ok(moment(value)?.div_euclid(DAY)))?;
            let format = format.for_years(civil(axis.low()).0, civil(axis.high()).0);
            check_format(&axis, &format)?;
            Ok(CodecKind::Date(axis, format))
        }
        // Bounds and edges are put on the grid that the format can write.
        ColumnType::DateTime => {
            let format = format(CalendarUnit::Second)?;
            let step = format.step();
            let axis = whole_axis(entry, step, grid, |value| moment(value).map(|time| time - time.rem_euclid(step)))?;
            let year = |seconds: i64| civil(seconds.div_euclid(DAY)).0;
            let format = format.for_years(year(axis.low()), year(axis.high()));
            check_format(&axis, &format)?;
            Ok(CodecKind::DateTime(axis, format))
        }
        ColumnType::Number => numbers(entry, grid).map(CodecKind::Number),
        _ => match ClockUnit::of_format(entry.format.as_deref().unwrap_or_default()) {
            Some(unit) => clock_axis(entry, unit, grid).map(CodecKind::Integer),
            None => whole_axis(entry, 1, grid, whole).map(CodecKind::Integer),
        },
    }
}

/// What a column codes that is held as its difference to another: days, seconds or numbers.
fn difference(entry: &ColumnFile, grid: Option<u32>) -> Result<CodecKind, Mistake> {
    let own = entry.clone().in_units()?;
    let plain = own.counted();
    let step = match (entry.kind, &entry.format) {
        (ColumnType::DateTime, Some(pattern)) => TimeFormat::pattern(pattern, CalendarUnit::Second)?.step(),
        _ => 1,
    };
    let is_clock = ClockUnit::of_format(entry.format.as_deref().unwrap_or_default()).is_some();
    refuse_if(is_clock, "a clock number that comes `after` another", "use type = \"datetime\", or `in_order`")?;
    match entry.kind {
        ColumnType::Number => numbers(&plain, grid).map(CodecKind::Number),
        _ => {
            let whole = |value: &PlainValue| whole(value).map(|value| value - value.rem_euclid(step));
            whole_axis(&plain, step, grid, whole).map(CodecKind::Integer)
        }
    }
}

/// The values at which levels begin inside bins, which are cut there. On a grid none are: codes of
/// a grid are chosen without the levels, and a column whose levels do not fit keeps its bins.
fn level_edges<T: Copy + PartialOrd>(
    entry: &ColumnFile,
    grid: Option<u32>,
    read: impl Fn(&PlainValue) -> Result<T, Mistake>,
    is_inside: impl Fn(T) -> bool,
) -> Vec<T> {
    let cuts = entry.levels.iter().filter(|_| grid.is_none()).filter_map(|level| match level {
        LevelFile::Cuts(cuts) => Some(cuts),
        LevelFile::Groups(_) => None,
    });
    // What cannot be read is refused where levels are made.
    cuts.flatten().filter_map(|cut| read(cut).ok()).filter(|&cut| is_inside(cut)).collect()
}

/// Where bins begin, with further edges.
fn with_edges<T: Copy + PartialOrd>(starts: &[T], edges: Vec<T>) -> Vec<T> {
    let mut all: Vec<T> = starts.iter().copied().chain(edges).collect();
    all.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    all.dedup();
    all
}

/// Whether a value lies inside a bin of whole numbers, not at its beginning.
fn is_inside(axis: &IntegerAxis, value: i64) -> bool {
    (axis.low()..=axis.high()).contains(&value) && axis.bounds(axis.bin(value)).0 < value
}

/// Clock numbers: near-equal bins in minutes or seconds. A day is public, so that a range may be
/// left out.
fn clock_axis(entry: &ColumnFile, unit: ClockUnit, grid: Option<u32>) -> Result<IntegerAxis, Mistake> {
    let read = |value: &PlainValue| {
        let number = whole(value)?;
        let odd = !(0..=unit.midnight()).contains(&number) || unit.number(unit.units(number)) != number;
        let help = match unit {
            ClockUnit::Minute => "write hours and two digits of minutes: 517, 2359",
            ClockUnit::Second => "write hours and two digits of minutes and of seconds: 51730, 235959",
        };
        refuse_if(odd, format!("{number} is no time of day"), help)?;
        Ok(number)
    };
    let day = ColumnFile::ranged(ColumnType::Integer, 0, unit.last());
    let with_range = ColumnFile { range: entry.range.clone().or(day.range), ..entry.clone() };
    let given = if entry.edges.is_some() { entry } else { &with_range };
    let Bounds { low, high, edges, spikes } = bounds(given, read)?;
    let outside = spikes.iter().any(|spike| !(low..=high).contains(spike));
    refuse_if(outside, "a spike lies outside the range of a clock", "widen `range` or drop the spike")?;
    refuse_if(entry.spacing.is_some(), "`spacing` with clock numbers", "leave it out, or list `edges`")?;
    let starts = match edges {
        Some(edges) => {
            check_edges(&edges, entry)?;
            starts(low, high, edges)
        }
        None => {
            let (first, units) = (unit.units(low), (unit.units(high) - unit.units(low) + 1) as u64);
            let bins = match (grid, bins(entry)?) {
                (Some(_), _) if unit == ClockUnit::Minute => units,
                (Some(most), _) => clock_codes(units, u64::from(most)),
                (_, Some(bins)) => bins.min(units),
                _ if u128::from(units) <= FEW_VALUES => units,
                _ => WHOLE_BINS,
            };
            (0..bins).map(|bin| unit.number(first + (bin * units / bins) as i64)).collect()
        }
    };
    let axis = IntegerAxis::clock(unit, low, high, starts.clone(), spikes.clone());
    let edges = level_edges(entry, grid, read, |cut| is_inside(&axis, cut));
    if edges.is_empty() {
        return Ok(axis);
    }
    Ok(IntegerAxis::clock(unit, low, high, with_edges(&starts, edges), spikes))
}

/// How many codes seconds have on a grid: one each, or one for each step of the smallest width that
/// keeps to the limit.
fn clock_codes(seconds: u64, most: u64) -> u64 {
    let steps = [1, 2, 5, 10, 15, 30, 60];
    let step = steps.into_iter().find(|step| seconds.div_ceil(*step) <= most).unwrap_or(60);
    seconds.div_ceil(step)
}

/// What is written for the ends of the range and of some bins must be read back; two-digit years
/// may fail here.
fn check_format(axis: &IntegerAxis, format: &TimeFormat) -> Result<(), Mistake> {
    let bins = axis.len();
    let some = (0..bins).step_by((bins as usize / 200).max(1)).chain([bins - 1]);
    let mut text = Vec::new();
    for value in some.flat_map(|bin| [axis.bounds(bin).0, axis.bounds(bin).1]) {
        text.clear();
        format.write(value, &mut text);
        let lossy = format.parse(&text) != Some(value);
        refuse_if(
            lossy,
            "the format cannot write all of the range",
            "use four-digit years, or a `range` of at most a hundred years",
        )?;
    }
    Ok(())
}

fn whole_axis(
    entry: &ColumnFile,
    step: i64,
    grid: Option<u32>,
    read: impl Fn(&PlainValue) -> Result<i64, Mistake>,
) -> Result<IntegerAxis, Mistake> {
    let axis = whole_bins(entry, step, grid, &read)?;
    let edges = level_edges(entry, grid, read, |cut| is_inside(&axis, cut));
    let Some(starts) = axis.starts().filter(|_| !edges.is_empty()) else { return Ok(axis) };
    Ok(IntegerAxis::listed(axis.low(), axis.high(), step, with_edges(starts, edges), axis.spikes().to_vec()))
}

fn whole_bins(
    entry: &ColumnFile,
    step: i64,
    grid: Option<u32>,
    read: impl Fn(&PlainValue) -> Result<i64, Mistake>,
) -> Result<IntegerAxis, Mistake> {
    let Bounds { low, high, edges, spikes } = bounds(entry, read)?;
    if let Some(edges) = edges {
        check_edges(&edges, entry)?;
        return Ok(IntegerAxis::listed(low, high, step, starts(low, high, edges), spikes));
    }
    let units = IntegerAxis::units(low, high, step);
    if let Some(most) = grid {
        let start = |unit: u64| (i128::from(low) + i128::from(step) * i128::from(unit)) as i64;
        let most = most.saturating_sub(2 * spikes.len() as u32);
        let starts = match entry.kind {
            ColumnType::DateTime => codes::moments(low, high, step, most),
            _ => codes::starts(units, -i128::from(low) / i128::from(step), most).into_iter().map(start).collect(),
        };
        return Ok(IntegerAxis::listed(low, high, step, starts, spikes));
    }
    let bins = match bins(entry)? {
        Some(bins) => bins,
        None if units <= FEW_VALUES => units as u64,
        None => WHOLE_BINS,
    };
    // One bin a value may be more than fits, when the file asks for a great many bins.
    if units.min(u128::from(bins)) + 2 * spikes.len() as u128 > u128::from(MOST_CODES) {
        return Err(too_many());
    }
    if entry.spacing == Some(Spacing::Log) && u128::from(bins) < units {
        let inner = log_edges(low as f64, high as f64, bins, 1.0)?.into_iter().map(|edge| edge.round() as i64);
        let mut starts = starts(low, high, inner);
        starts.dedup();
        return Ok(IntegerAxis::listed(low, high, step, starts, spikes));
    }
    Ok(IntegerAxis::even(low, high, step, bins, spikes))
}

fn numbers(entry: &ColumnFile, grid: Option<u32>) -> Result<NumberAxis, Mistake> {
    let axis = number_bins(entry, grid)?;
    let is_inside = |cut: f64| axis.contains(cut) && axis.bounds(axis.bin(cut)).0 < cut;
    let edges = level_edges(entry, grid, real, is_inside);
    if edges.is_empty() {
        return Ok(axis);
    }
    // In the decimals that the column has without the edges, where they can be told apart in them.
    let listed = |decimals: Option<u8>| {
        let starts = with_edges(axis.starts(), edges.clone());
        NumberAxis::listed(axis.low(), axis.high(), starts, axis.spikes().to_vec(), decimals)
    };
    match entry.decimals {
        Some(_) => listed(axis.decimals()),
        None => listed(axis.decimals()).or_else(|_| listed(None)),
    }
}

fn number_bins(entry: &ColumnFile, grid: Option<u32>) -> Result<NumberAxis, Mistake> {
    let Bounds { low, high, edges, spikes } = bounds(entry, real)?;
    let many = entry.decimals.is_some_and(|decimals| !(0..=i64::from(MOST_DECIMALS)).contains(&decimals));
    refuse_if(many, "`decimals` is out of bounds", format!("write a whole number from 0 to {MOST_DECIMALS}"))?;
    let decimals = entry.decimals.map(|decimals| decimals as u8);
    if let Some(edges) = edges {
        check_edges(&edges, entry)?;
        return NumberAxis::listed(low, high, starts(low, high, edges), spikes, decimals);
    }
    let bins = if low == high { 1 } else { bins(entry)?.unwrap_or(NUMBER_BINS) };
    if entry.spacing == Some(Spacing::Log) && low < high {
        let starts = starts(low, high, log_edges(low, high, bins, (high - low) / 1e4)?);
        return NumberAxis::listed(low, high, starts, spikes, decimals);
    }
    let axis = NumberAxis::even(low, high, bins as u32, spikes, decimals)?;
    grid.map_or(Ok(axis.clone()), |most| axis.on_grid(most))
}

fn bins(entry: &ColumnFile) -> Result<Option<u64>, Mistake> {
    match entry.bins {
        None => Ok(None),
        Some(bins) if bins < 1 => Err(Mistake::new(format!("bins = {bins}"), "ask for at least one bin")),
        Some(bins) if bins as u64 > MOST_CODES => Err(too_many()),
        Some(bins) => Ok(Some(bins as u64)),
    }
}

/// What an entry says of a range, in the column's own numbers.
struct Bounds<T> {
    low: T,
    high: T,
    edges: Option<Vec<T>>,
    spikes: Vec<T>,
}

fn bounds<T: Copy + PartialOrd>(
    entry: &ColumnFile,
    read: impl Fn(&PlainValue) -> Result<T, Mistake>,
) -> Result<Bounds<T>, Mistake> {
    let list = |values: &Vec<PlainValue>| values.iter().map(&read).collect::<Result<Vec<T>, _>>();
    let edges = entry.edges.as_ref().map(list).transpose()?;
    let range = entry.range.as_ref().and_then(OrDiscover::given).map(list).transpose()?;
    let (low, high) = ends(range.as_deref(), edges.as_deref())?;
    let listed = entry.spikes.as_ref();
    let many = listed.is_some_and(|listed| listed.len() > MOST_SPIKES);
    refuse_if(many, format!("more than {MOST_SPIKES} spikes"), "use one bin a value, or type = \"category\"")?;
    let mut spikes = listed.map(list).transpose()?.unwrap_or_default();
    spikes.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    let repeated = spikes.windows(2).any(|pair| pair[0] == pair[1]);
    refuse_if(repeated, "`spikes` repeats a value", "list each spike once")?;
    Ok(Bounds { low, high, edges, spikes })
}

fn ends<T: Copy + PartialOrd>(range: Option<&[T]>, edges: Option<&[T]>) -> Result<(T, T), Mistake> {
    let unsorted = edges.is_some_and(|edges| edges.windows(2).any(|pair| pair[0] >= pair[1]));
    refuse_if(unsorted, "`edges` do not ascend", "sort them, each one once")?;
    match (range, edges) {
        (Some([low, high]), _) if low > high => {
            Err(Mistake::new("`range` is reversed", "write the smaller bound first: range = [LOW, HIGH]"))
        }
        (Some([low, high]), Some(edges)) if edges.iter().any(|edge| edge < low || edge > high) => {
            Err(Mistake::new("an edge lies outside `range`", "widen `range` or drop the edge"))
        }
        (Some([low, high]), _) | (None, Some([low, .., high])) => Ok((*low, *high)),
        (Some(_), _) => Err(Mistake::new("`range` is not two bounds", "write range = [LOW, HIGH]")),
        (None, Some(_)) => Err(Mistake::new("fewer than two `edges`", "list both ends and the cuts between them")),
        (None, None) => Err(Mistake::new("no `range`", "give the public bounds of the column: range = [LOW, HIGH]")),
    }
}

fn check_edges<T>(edges: &[T], entry: &ColumnFile) -> Result<(), Mistake> {
    if edges.len() as u64 > MOST_CODES {
        return Err(too_many());
    }
    refuse_if(entry.bins.is_some(), "both `bins` and `edges`", "keep one of them")
}

/// Where bins begin. The last edge, when it is the end of the range, closes the last bin.
fn starts<T: Copy + PartialOrd>(low: T, high: T, edges: impl IntoIterator<Item = T>) -> Vec<T> {
    let inner = edges.into_iter().filter(|edge| low < *edge && *edge < high);
    std::iter::once(low).chain(inner).collect()
}

/// Inner edges that grow by a factor, rounded to few digits (so that they are readable, and the
/// same whatever the platform's logarithm). From zero, `unit` is where growth begins.
fn log_edges(low: f64, high: f64, bins: u64, unit: f64) -> Result<Vec<f64>, Mistake> {
    refuse_if(low < 0.0, "spacing = \"log\" with a range that begins below zero", "list `edges` yourself")?;
    let shift = if low > 0.0 { 0.0 } else { unit };
    let growth = (high + shift) / (low + shift);
    let exact: Vec<f64> = (1..bins)
        .map(|i| (low + shift) * growth.powf(i as f64 / bins as f64) - shift)
        .filter(|edge| *edge < high)
        .collect();
    let rounded = |digits: usize| -> Vec<f64> {
        exact.iter().filter_map(|edge| format!("{edge:.*e}", digits - 1).parse().ok()).collect()
    };
    let distinct = |edges: &Vec<f64>| edges.windows(2).all(|pair| pair[0] < pair[1]);
    Ok((2..=7).map(rounded).find(distinct).unwrap_or_else(|| {
        let mut edges = exact.clone();
        edges.dedup();
        edges
    }))
}

fn whole(value: &PlainValue) -> Result<i64, Mistake> {
    match value {
        PlainValue::Integer(value) => Ok(*value),
        PlainValue::Number(value) if value.fract() == 0.0 && value.abs() < 9e15 => Ok(*value as i64),
        _ => Err(Mistake::new(
            format!("{:?} is not a whole number", value.text()),
            "write whole numbers, or use type = \"number\"",
        )),
    }
}

fn real(value: &PlainValue) -> Result<f64, Mistake> {
    let value = match value {
        PlainValue::Integer(value) => *value as f64,
        PlainValue::Number(value) => *value,
        _ => return Err(Mistake::new(format!("{:?} is not a number", value.text()), "write numbers without quotes")),
    };
    let unbounded = value.is_nan() || value.abs() > LARGEST_NUMBER;
    refuse_if(unbounded, "a bound or edge is not finite, or beyond 1e300", "write a finite number")?;
    // Minus zero would sort apart from zero.
    Ok(value + 0.0)
}

fn moment(value: &PlainValue) -> Result<i64, Mistake> {
    let text = value.text();
    let seconds = parse_iso(text.as_bytes()).and_then(|moment| moment.seconds());
    let inside = seconds.filter(|seconds| (FIRST_DAY..=LAST_DAY).contains(&seconds.div_euclid(DAY)));
    inside.ok_or_else(|| {
        Mistake::new(
            format!("{text:?} is not a date"),
            "write dates in the schema as \"2024-03-31\" or \"2024-03-31T10:30:00\"",
        )
    })
}
