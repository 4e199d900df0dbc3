//! From two slots to bounds.

use lookalike_schema::discover::{DateText, EdgeGrid, MAGNITUDES, Magnitude, MonthGrid};
use lookalike_schema::{CellReader, FoundColumn};

use crate::prices::FactNoise;
use crate::stands_out::{NEXT_MAGNITUDES, NEXT_YEARS, empty, run};
use crate::types::FoundType;

/// Where nothing stands out: fixed and public.
const NUMBERS: (f64, f64) = (0.0, 100.0);
const YEARS: (i64, i64) = (2000, 2030);
/// Cells at each end of a range, in the second slot.
const CELLS: u32 = 64;
/// A tail goes on as long as it is expected to hold this part of the rows in a cell.
const TAIL: f64 = 0.005;
/// The most cells that a tail goes on for.
const LONGEST_TAIL: usize = 3;
/// What is left out at an end holds at most this part of the rows, for all that the noise allows.
const LEFT_OUT: f64 = 0.005;
/// A range that begins this close to 0, as a part of its other end, begins at 0.
const NEAR_ZERO: f64 = 0.125;
/// A range is narrowed where less than this part of it is left.
const NARROW: f64 = 0.5;
/// What is left out by that holds at most this part of the rows, with the noise on it.
const OUTSIDE: f64 = 0.08;
/// The largest number that a schema takes.
const LARGEST: f64 = 1e15;

/// What the first slot counts.
pub(crate) fn first_reader(found: &FoundType, mark: u8) -> Option<CellReader> {
    match found {
        FoundType::Integer | FoundType::Number(_) => Some(CellReader::Magnitudes(mark)),
        FoundType::Date(pattern, timed) => {
            Some(CellReader::Months(DateText::new(pattern.as_deref(), *timed)?, MonthGrid::YEARS))
        }
        FoundType::Truth(_) | FoundType::Category => None,
    }
}

/// The cells of the second slot between which the ends of the range are known to lie: the low end
/// in the first of the two runs, the high end in the second.
#[derive(Clone, Debug)]
pub(crate) struct Ends {
    low: std::ops::Range<usize>,
    high: std::ops::Range<usize>,
}

/// What the second slot counts, by the answer to the first: finer cells at both ends.
pub(crate) fn second_reader(found: &FoundType, mark: u8, counts: &[i64], noise: &FactNoise) -> (CellReader, Ends) {
    let is_date = matches!(found, FoundType::Date(..));
    let seen = run(counts, if is_date { NEXT_YEARS } else { NEXT_MAGNITUDES }, noise);
    match found {
        FoundType::Date(pattern, timed) => {
            let years = seen.map(|(first, last)| {
                let year = |cell: usize| MonthGrid::YEARS.first_year + cell as i64;
                (year(first), year(last))
            });
            let (first, last) = years.unwrap_or(YEARS);
            let cells = ((last - first + 1) * 12) as u32;
            let grid = MonthGrid { first_year: first, months: 1, cells };
            let ends = Ends { low: 0..12.min(cells as usize), high: cells as usize - 12..cells as usize };
            // The pattern was read once before, so it is one.
            let text = DateText::new(pattern.as_deref(), *timed).or_else(|| DateText::new(None, *timed));
            match text {
                Some(text) => (CellReader::Months(text, grid), ends),
                None => (CellReader::Magnitudes(mark), Ends { low: 0..0, high: 0..0 }),
            }
        }
        _ => {
            let (low, high) = ends_of(seen, counts, noise);
            let whole = *found == FoundType::Integer;
            let (edges, ends) = edges(low, high, whole);
            match EdgeGrid::new(edges) {
                Some(grid) => (CellReader::Edges(mark, grid), ends),
                None => (CellReader::Magnitudes(mark), ends),
            }
        }
    }
}

/// How many cells a tail goes on for behind the last cell that stands out, of cells outwards. It
/// goes on as it fell before, unless what was counted there says otherwise.
fn tail(inwards: [f64; 2], outwards: impl Iterator<Item = f64>, rows: f64, noise: &FactNoise) -> usize {
    let [last, before] = inwards;
    let ratio = last / before.max(last * 1e-3).max(1.0);
    let mut expected = last;
    let goes_on = outwards.take(LONGEST_TAIL).take_while(|&counted| {
        expected *= ratio;
        expected >= TAIL * rows && expected <= counted.max(0.0) + 2.5 * noise.deviation
    });
    goes_on.count()
}

/// The bounds of the cells in which the two ends of the range lie, with tails.
fn ends_of(seen: Option<(usize, usize)>, counts: &[i64], noise: &FactNoise) -> ((f64, f64), (f64, f64)) {
    let Some((first, last)) = seen else { return ((NUMBERS.0, NUMBERS.0), (NUMBERS.1, NUMBERS.1)) };
    let cell = |place: usize| Magnitude((place as u32).min(MAGNITUDES - 1)).bounds();
    let count = |place: usize| counts.get(place).map_or(0.0, |&count| count as f64);
    let rows: f64 = (first..=last).map(count).sum();
    // A tail falls away from 0: that of negative numbers to the left, that of others to the right.
    let (mut first, mut last) = (first, last);
    if cell(last).0 > 0.0 && last > first {
        last += tail([count(last), count(last - 1)], (last + 1..counts.len()).map(count), rows, noise);
    }
    if cell(first).1 < 0.0 && last > first {
        first -= tail([count(first), count(first + 1)], (0..first).rev().map(count), rows, noise);
    }
    let (mut low, mut high) = (cell(first), cell(last));
    let within = |(from, to): (f64, f64)| (from.clamp(-LARGEST, LARGEST), to.clamp(-LARGEST, LARGEST));
    (low, high) = (within(low), within(high));
    // What lies beyond the largest number altogether is one number to a schema, so the range begins
    // or ends at 0.
    if low.0 >= LARGEST {
        low = (0.0, 0.0);
    }
    if high.1 <= -LARGEST {
        high = (0.0, 0.0);
    }
    if low.0 > 0.0 && low.0 < NEAR_ZERO * high.1 {
        low = (0.0, 0.0);
    }
    if high.1 < 0.0 && high.1 > NEAR_ZERO * low.0 {
        high = (0.0, 0.0);
    }
    (low, high)
}

/// Edges of cells at both ends, and one cell between them.
fn edges(low: (f64, f64), high: (f64, f64), whole: bool) -> (Vec<f64>, Ends) {
    let outward = |value: f64, up: bool| match (whole, up) {
        (false, _) => value,
        (true, true) => value.ceil(),
        (true, false) => value.floor(),
    };
    let zone = |from: f64, to: f64| {
        let (from, to) = (outward(from, false), outward(to, true));
        let width = (to - from) / f64::from(CELLS);
        let width = if whole { width.ceil().max(1.0) } else { width };
        let cells = if width > 0.0 { ((to - from) / width).ceil() as u32 } else { 0 };
        (0..=cells.min(CELLS)).map(move |cell| from + width * f64::from(cell)).collect::<Vec<f64>>()
    };
    let (bottom, top) = (zone(low.0, low.1), zone(high.0, high.1));
    let (bottom_end, top_start) = (bottom[bottom.len() - 1], top[0]);
    let mut all: Vec<f64> = bottom.iter().chain(&top).copied().collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    if all.len() < 2 {
        all.push(all[0] + 1.0);
    }
    let place = |edge: f64| all.partition_point(|&known| known < edge);
    let ends = Ends { low: 0..place(bottom_end), high: place(top_start)..all.len() - 1 };
    (all, ends)
}

/// The cells that stand out, with one more at each side, where they are much narrower than what the
/// first slot allows: years, for which a power of two says little. Otherwise a wide range does no
/// harm, and a tail is not cut.
fn narrowed((from, to): (usize, usize), reader: &CellReader, counts: &[i64], noise: &FactNoise) -> (usize, usize) {
    let edge = |cell: usize| match reader {
        CellReader::Edges(_, grid) => grid.edges()[cell],
        CellReader::Months(_, grid) => grid.first_day(cell as u32) as f64,
        _ => 0.0,
    };
    match run(counts, NEXT_MAGNITUDES, noise) {
        Some((first, last)) => {
            let (first, last) = (first.saturating_sub(1).max(from), (last + 2).min(to));
            let is_narrow = first < last && edge(last) - edge(first) < NARROW * (edge(to) - edge(from));
            let sum = |cells: &[i64]| cells.iter().map(|&count| count as f64).sum::<f64>();
            let (inside, all) = (sum(&counts[first.min(last)..last]), sum(counts));
            let unsure = noise.deviation * ((counts.len() - (last - first.min(last))) as f64).sqrt();
            // Most rows may lie outside of the cells that stand out, each in a cell of few.
            if is_narrow && all - inside + unsure <= OUTSIDE * all { (first, last) } else { (from, to) }
        }
        None => (from, to),
    }
}

/// The bounds, by the answer to the second slot: cells at the ends that hold nobody to speak of are
/// left out.
pub(crate) fn found(
    kind: &FoundType,
    reader: &CellReader,
    ends: &Ends,
    counts: &[i64],
    noise: &FactNoise,
) -> FoundColumn {
    let rows: f64 = counts.iter().map(|&count| count as f64).sum();
    let most = LEFT_OUT * rows.max(0.0);
    let from = ends.low.start + empty(&counts[ends.low.clone()], most, noise);
    let backwards: Vec<i64> = counts[ends.high.clone()].iter().rev().copied().collect();
    let to = ends.high.end - empty(&backwards, most, noise);
    // Ends that hold nothing say nothing: the range is then what the first slot said.
    let (from, to) = if from < to { (from, to) } else { (ends.low.start, ends.high.end.max(1)) };
    let (from, to) = narrowed((from, to), reader, counts, noise);
    match (kind, reader) {
        (FoundType::Date(pattern, timed), CellReader::Months(_, grid)) => {
            let (low, high) = (grid.first_day(from as u32), grid.first_day(to as u32) - 1);
            match timed {
                true => FoundColumn::DateTime(pattern.clone(), low, high),
                false => FoundColumn::Date(pattern.clone(), low, high),
            }
        }
        (kind, CellReader::Edges(_, grid)) => {
            let (low, high) = (grid.edges()[from], grid.edges()[to]);
            match kind {
                FoundType::Number(decimals) => {
                    let unit = decimals.map(|decimals| 10f64.powi(i32::from(decimals)));
                    let down = |value: f64| unit.map_or(value, |unit| (value * unit).floor() / unit);
                    let up = |value: f64| unit.map_or(value, |unit| (value * unit).ceil() / unit);
                    FoundColumn::Number(down(low), up(high), *decimals)
                }
                // A cell of whole numbers ends before its edge.
                _ => FoundColumn::Integer(low as i64, (high as i64 - 1).max(low as i64)),
            }
        }
        (FoundType::Integer, _) => FoundColumn::Integer(NUMBERS.0 as i64, NUMBERS.1 as i64),
        _ => FoundColumn::Number(NUMBERS.0, NUMBERS.1, None),
    }
}
