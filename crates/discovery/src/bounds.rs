//! From two slots to bounds.

use lookalike_schema::discover::{DateText, MonthGrid, NumberText};
use lookalike_schema::{CellReader, FoundColumn};

use crate::found::{Beyond, FoundRange};
use crate::found_type::FoundType;
use crate::numbers::{NUMBERS, NumberLook};
use crate::prices::FactNoise;
use crate::spikes::SpikeLook;
use crate::stands_out::{NEXT_MAGNITUDES, NEXT_YEARS, empty, hidden, run};

/// A clock number has as many hours as a day, so one beyond this power of two is none, and the
/// largest ones are beyond the other.
const CLOCK: (f64, f64) = (4096.0, 1024.0);
/// The part of the numbers that must be those of a clock.
const CLOCK_PART: f64 = 0.95;
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
        FoundType::Whole(_) | FoundType::Number(..) => Some(CellReader::Magnitudes(numbers)),
        FoundType::Date(pattern, timed) => {
            Some(CellReader::Months(DateText::new(pattern.as_deref(), *timed)?, MonthGrid::YEARS))
        }
        FoundType::Truth(_) | FoundType::Time(_) | FoundType::Category => None,
    }
}

/// What the second slot counts, with what goes with its answer.
#[derive(Clone, Debug)]
pub(crate) enum SecondLook {
    /// Months, and whether nothing stood out, so that their years are fixed ones.
    Months(DateText, MonthGrid, bool),
    Numbers(NumberText, NumberLook),
    /// The same, and values that may lie outside of the range for themselves.
    Spikes(NumberText, SpikeLook),
    /// Whether whole numbers are those of a clock; otherwise the range is what the first slot says.
    Clock(NumberText, NumberLook),
}

/// What the name of a column says in public.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Named {
    /// The bounds of numbers of that name.
    pub bounds: Option<(i64, i64)>,
    /// Whether it may be a clock.
    pub clock: bool,
}

impl SecondLook {
    /// By the answer to the first slot: months of the years that stand out, finer cells at both
    /// ends of numbers. `first` and `second` are the noise of the two slots.
    pub fn new(
        found: &FoundType,
        named: Named,
        text: NumberText,
        counts: &[i64],
        [first, second]: [&FactNoise; 2],
    ) -> Self {
        let numbers = || {
            let is_whole = matches!(found, FoundType::Whole(_));
            let look = NumberLook::new(counts, is_whole, first, second);
            let is_clock = named.clock && is_whole && look.is_within(CLOCK);
            if is_clock {
                return Self::Clock(text, look);
            }
            match SpikeLook::new(counts, is_whole, first, second) {
                Some(spikes) => Self::Spikes(text, spikes),
                None => Self::Numbers(text, look),
            }
        };
        let FoundType::Date(pattern, timed) = found else { return numbers() };
        // The pattern was read once before, so it is one.
        let text = DateText::new(pattern.as_deref(), *timed).or_else(|| DateText::new(None, *timed));
        let Some(text) = text else { return numbers() };
        let year = |cell: usize| MonthGrid::YEARS.first_year + cell as i64;
        let years = run(counts, NEXT_YEARS, first).map(|(from, to)| {
            let rows = counts[from..=to].iter().sum::<i64>() as f64;
            let before = hidden(counts[..from].iter().rev().copied(), rows, first);
            (year(from - before), year(to + hidden(counts[to + 1..].iter().copied(), rows, first)))
        });
        let (is_fixed, (first, last)) = (years.is_none(), years.unwrap_or(YEARS));
        let cells = ((last - first + 1) * 12) as u32;
        Self::Months(text, MonthGrid { first_year: first, months: 1, cells }, is_fixed)
    }

    pub fn reader(&self) -> CellReader {
        match self {
            Self::Months(text, grid, _) => CellReader::Months(text.clone(), *grid),
            Self::Numbers(text, look) => look.reader(text.clone()),
            Self::Spikes(text, look) => {
                look.reader(text.clone()).unwrap_or_else(|| CellReader::Magnitudes(text.clone()))
            }
            Self::Clock(text, _) => CellReader::Clock(text.clone()),
        }
    }

    /// The bounds, by the answer to the second slot.
    pub fn found(&self, kind: &FoundType, named: Named, counts: &[i64], noise: &FactNoise) -> FoundRange {
        let mut spikes = Vec::new();
        let (range, beyond, text) = match (self, kind) {
            (Self::Months(_, grid, is_fixed), FoundType::Date(pattern, timed)) => {
                let (from, to) = months(*grid, counts, noise);
                let (low, high) = (grid.first_day(from as u32), grid.first_day(to as u32) - 1);
                let column = match timed {
                    true => FoundColumn::DateTime(pattern.clone(), low, high),
                    false => FoundColumn::Date(pattern.clone(), low, high),
                };
                return FoundRange { column, beyond: Beyond::of(counts, (from, to), noise, *is_fixed) };
            }
            (Self::Months(..), _) => (NUMBERS, Beyond::default(), None),
            (Self::Clock(text, look), kind) => {
                if is_clock(counts) {
                    let format = format!("hmm{}", kind.format(text).unwrap_or_default().trim_start_matches('#'));
                    let column = FoundColumn::Integer(0, 2359, Some(format), Vec::new());
                    return FoundRange { column, beyond: Beyond::default() };
                }
                (look.first_range(), look.unsure(), Some(text))
            }
            (Self::Numbers(text, look), _) => {
                spikes.extend(Some(0.0).filter(|_| look.has_spike()));
                let (range, beyond) = numbers(look, named, counts, noise);
                (range, beyond, Some(text))
            }
            (Self::Spikes(text, spiky), _) => {
                let (look, counts, found) = spiky.told(counts, noise);
                spikes = found;
                spikes.extend(Some(0.0).filter(|zero| look.has_spike() && !spikes.contains(zero)));
                spikes.sort_by(f64::total_cmp);
                let (range, beyond) = numbers(look, named, &counts, noise);
                (range, beyond, Some(text))
            }
        };
        let format = text.and_then(|text| kind.format(text));
        let column = match kind {
            FoundType::Number(decimals, _) => {
                let unit = decimals.map(|decimals| 10f64.powi(i32::from(decimals)));
                let down = |value: f64| unit.map_or(value, |unit| (value * unit).floor() / unit);
                let up = |value: f64| unit.map_or(value, |unit| (value * unit).ceil() / unit);
                FoundColumn::Number(down(range.0), up(range.1), *decimals, format, spikes)
            }
            // A cell of whole numbers ends before its edge.
            _ => {
                let spikes = spikes.into_iter().map(|spike| spike as i64).collect();
                FoundColumn::Integer(range.0 as i64, (range.1 as i64 - 1).max(range.0 as i64), format, spikes)
            }
        };
        FoundRange { column, beyond }
    }
}

/// The range of a look, and what is beyond it.
fn numbers(look: &NumberLook, named: Named, counts: &[i64], noise: &FactNoise) -> ((f64, f64), Beyond) {
    let range = look.range(counts, noise);
    // Bounds of a name lie inside of cells, whose counts do not tell what is beyond them.
    let beyond = look.beyond(range, counts, noise);
    (look.by_name(range, named.bounds, counts, noise), beyond)
}

/// Whether nearly all numbers are those of a clock, by the counts of those that are and are not.
fn is_clock(counts: &[i64]) -> bool {
    let [clock, other] = [0, 1].map(|place: usize| counts.get(place).map_or(0.0, |&count| count as f64));
    clock > 0.0 && clock >= CLOCK_PART * (clock + other.max(0.0))
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
