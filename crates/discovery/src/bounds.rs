//! From two slots to bounds.

use lookalike_schema::discover::{DateText, MonthGrid, NumberText};
use lookalike_schema::{CellReader, FoundColumn};

use crate::numbers::{NUMBERS, NumberLook};
use crate::prices::FactNoise;
use crate::stands_out::{NEXT_MAGNITUDES, NEXT_YEARS, empty, run};
use crate::types::FoundType;

/// Where nothing stands out: fixed and public.
const YEARS: (i64, i64) = (2000, 2030);
/// What is left out at an end of dates holds at most this part of the rows, for all that the noise
/// allows.
const LEFT_OUT: f64 = 0.005;
/// A range of dates is narrowed where less than this part of it is left.
const NARROW: f64 = 0.5;
/// What is left out by that holds at most this part of the rows, with the noise on it.
const OUTSIDE: f64 = 0.08;

/// What the first slot counts.
pub(crate) fn first_reader(found: &FoundType, numbers: NumberText) -> Option<CellReader> {
    match found {
        FoundType::Integer | FoundType::Number(_) => Some(CellReader::Magnitudes(numbers)),
        FoundType::Date(pattern, timed) => {
            Some(CellReader::Months(DateText::new(pattern.as_deref(), *timed)?, MonthGrid::YEARS))
        }
        FoundType::Truth(_) | FoundType::Category => None,
    }
}

/// What the second slot counts, with what goes with its answer.
#[derive(Clone, Debug)]
pub(crate) enum SecondLook {
    Months(DateText, MonthGrid),
    Numbers(NumberText, NumberLook),
}

impl SecondLook {
    /// By the answer to the first slot: months of the years that stand out, finer cells at both
    /// ends of numbers. `first` and `second` are the noise of the two slots.
    pub fn new(found: &FoundType, numbers: NumberText, counts: &[i64], first: &FactNoise, second: &FactNoise) -> Self {
        let numbers = || Self::Numbers(numbers, NumberLook::new(counts, *found == FoundType::Integer, first, second));
        let FoundType::Date(pattern, timed) = found else { return numbers() };
        // The pattern was read once before, so it is one.
        let text = DateText::new(pattern.as_deref(), *timed).or_else(|| DateText::new(None, *timed));
        let Some(text) = text else { return numbers() };
        let year = |cell: usize| MonthGrid::YEARS.first_year + cell as i64;
        let years = run(counts, NEXT_YEARS, first).map(|(first, last)| (year(first), year(last)));
        let (first, last) = years.unwrap_or(YEARS);
        let cells = ((last - first + 1) * 12) as u32;
        Self::Months(text, MonthGrid { first_year: first, months: 1, cells })
    }

    pub fn reader(&self) -> CellReader {
        match self {
            Self::Months(text, grid) => CellReader::Months(text.clone(), *grid),
            Self::Numbers(text, look) => look.reader(text.clone()),
        }
    }

    /// The bounds, by the answer to the second slot.
    pub fn found(&self, kind: &FoundType, counts: &[i64], noise: &FactNoise) -> FoundColumn {
        match (self, kind) {
            (Self::Months(_, grid), FoundType::Date(pattern, timed)) => {
                let (from, to) = months(*grid, counts, noise);
                let (low, high) = (grid.first_day(from as u32), grid.first_day(to as u32) - 1);
                match timed {
                    true => FoundColumn::DateTime(pattern.clone(), low, high),
                    false => FoundColumn::Date(pattern.clone(), low, high),
                }
            }
            (Self::Numbers(_, look), FoundType::Number(decimals)) => {
                let (low, high) = look.range(counts, noise);
                let unit = decimals.map(|decimals| 10f64.powi(i32::from(decimals)));
                let down = |value: f64| unit.map_or(value, |unit| (value * unit).floor() / unit);
                let up = |value: f64| unit.map_or(value, |unit| (value * unit).ceil() / unit);
                FoundColumn::Number(down(low), up(high), *decimals)
            }
            (Self::Numbers(_, look), _) => {
                // A cell of whole numbers ends before its edge.
                let (low, high) = look.range(counts, noise);
                FoundColumn::Integer(low as i64, (high as i64 - 1).max(low as i64))
            }
            (Self::Months(..), _) => FoundColumn::Number(NUMBERS.0, NUMBERS.1, None),
        }
    }
}

/// The months from the first to before the last that are kept: those at the ends that hold nobody
/// to speak of are left out.
fn months(grid: MonthGrid, counts: &[i64], noise: &FactNoise) -> (usize, usize) {
    let rows: f64 = counts.iter().map(|&count| count as f64).sum();
    let most = LEFT_OUT * rows.max(0.0);
    let year = 12.min(counts.len());
    let from = empty(&counts[..year], most, noise);
    let backwards: Vec<i64> = counts[counts.len() - year..].iter().rev().copied().collect();
    let to = counts.len() - empty(&backwards, most, noise);
    // Ends that hold nothing say nothing: the range is then what the first slot said.
    let (from, to) = if from < to { (from, to) } else { (0, counts.len()) };
    narrowed((from, to), grid, counts, noise)
}

/// The months that stand out, with one more at each side, where they are much narrower than what
/// the first slot allows. Otherwise a wide range does no harm, and a tail is not cut.
fn narrowed((from, to): (usize, usize), grid: MonthGrid, counts: &[i64], noise: &FactNoise) -> (usize, usize) {
    let Some((first, last)) = run(counts, NEXT_MAGNITUDES, noise) else { return (from, to) };
    let edge = |cell: usize| grid.first_day(cell as u32) as f64;
    let (first, last) = (first.saturating_sub(1).max(from), (last + 2).min(to));
    let is_narrow = first < last && edge(last) - edge(first) < NARROW * (edge(to) - edge(from));
    let sum = |cells: &[i64]| cells.iter().map(|&count| count as f64).sum::<f64>();
    let (inside, all) = (sum(&counts[first.min(last)..last]), sum(counts));
    let unsure = noise.deviation * ((counts.len() - (last - first.min(last))) as f64).sqrt();
    // Most rows may lie outside of the months that stand out, each in a month of few.
    if is_narrow && all - inside + unsure <= OUTSIDE * all { (first, last) } else { (from, to) }
}
